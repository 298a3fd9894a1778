"""Words and phrases that people write, with the words of the language that say the same: ``thesaurus.txt``.

The file says how it is read. It is data only: which of the words fit together is what the grammar decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from toolkit.resources import frames_file, thesaurus_file

NUMBER = "<n>"
"""A number in a phrase, in digits or as a word."""
PLUS, MINUS, UP = "<plus>", "<minus>", "<up>"
"""A number behind a plus or a minus, and one with a plus behind it, in a frame."""
REMARK = "<remark>"
"""Words of a phrase up to the next mark, which say nothing in the language."""
GROUPS = frozenset(
    ("<group>", "<subject>", "<many>", "<istarget>", "<isself>", "<isattacker>", "<isattacked>")
)
"""OPERATORs in a phrase: as who does something, as what something happens to, as what is counted; or as what
is said of `target` and the like, who is one of them."""
SPOKEN = GROUPS | {"<marker>", "<player>", "<ref>"}
"""Slots in which several words may stand."""
Choice = tuple[tuple[str, ...], ...]
"""The words of which one must stand somewhere, in lower case; nothing may be one of them."""
Pattern = tuple["str | Choice", ...]
"""What is written: choices of words, and in angle brackets the slots and gaps in which others stand."""
_PART = re.compile(r"<[a-z]+>[?!]?|\{[^{}]*\}|[\w'äöüß-]+|<=|>=|!=|\S")
_CHOICE_WITH_SLOT = re.compile(r"\{([^{}]*<[^{}]*)\}")
_BETWEEN_PHRASES = re.compile(r"\|(?![^{}]*\})")


class Phrase(NamedTuple):
    """Words as they are written, and what they say in the language, with what that costs.

    ``is_same`` says that they can mean nothing else.
    """

    written: Pattern
    right: str
    cost: float
    is_same: bool


class Rewriting(NamedTuple):
    """A sentence whose parts stand in another order, such as ``<x> unless <y>``, and the right order.

    ``scope`` says what it rewrites: ``order`` the whole sentence, ``clause`` and ``condition`` such a part.
    """

    scope: str
    pattern: Pattern
    right: tuple[str, ...]
    cost: float
    is_same: bool


class Subject(NamedTuple):
    """What some verbs of the language are about, with words that people use for it."""

    name: str
    verbs: tuple[str, ...]
    spoken: set[str]


class Thesaurus(NamedTuple):
    """The file, section by section.

    ``slots`` are the words that stand in each slot, with what the language says; ``dear`` the words that are
    not left out easily, with what that costs; ``notes`` what explains a phrase; ``frames`` are phrases whose
    words stand in any order, ``spoken`` those of ideas only.
    """

    classes: dict[str, Choice]
    slots: dict[str, dict[str, str]]
    phrases: list[Phrase]
    rewritings: list[Rewriting]
    names: dict[str, list[tuple[str, ...]]]
    dear: dict[str, float]
    fillers: frozenset[str]
    german: frozenset[str]
    continuations: list[tuple[str, ...]]
    subjects: list[Subject]
    notes: list[Phrase]
    frames: list[Phrase]
    spoken: list[Phrase]


def verbs_about(text: str) -> list[str]:
    """Return lines with the verbs of the language about what a text is about, or about everything."""
    words = {word.casefold().rstrip("s") for word in _PART.findall(text)}
    subjects = thesaurus().subjects
    about = [subject for subject in subjects if words & {word.rstrip("s") for word in subject.spoken}]
    return [
        f"What it can do with {subject.name}: {', '.join(f'`{verb}`' for verb in subject.verbs)}."
        for subject in about or subjects
    ]


def words_of_line(text: str) -> tuple[str, ...]:
    """Return the words and symbols of a line of the file."""
    return tuple(_PART.findall(text))


@lru_cache(maxsize=1)
def thesaurus() -> Thesaurus:
    """Return the thesaurus, read once."""
    read = Thesaurus({}, {}, [], [], {}, {}, frozenset(), frozenset(), [], [], [], [], [])
    section, cost, is_same = "", 0.0, False
    words: dict[str, set[str]] = {"fillers": set(), "german-words": set()}
    files = (thesaurus_file(), frames_file())
    for line in chain.from_iterable(path.read_text(encoding="utf-8").splitlines() for path in files):
        content = line.strip()
        if not content or content.startswith("//"):
            continue
        if content.startswith("["):
            section, *details = content.strip("[]").split()
            cost, is_same = float(details[0]) if details else 0.0, details[1:] == ["same"]
        elif section in words:
            words[section].update(content.casefold().split())
        else:
            _read_line(read, section, content, cost, is_same=is_same)
    return read._replace(fillers=frozenset(words["fillers"]), german=frozenset(words["german-words"]))


def _read_line(read: Thesaurus, section: str, line: str, cost: float, *, is_same: bool) -> None:
    """Add a line of a section to what was read."""
    if section == "dear":
        read.dear.update(dict.fromkeys(line.casefold().split(), cost))
    elif section == "slots":
        value, _, words = line.partition("<-")
        slot, _, right_word = value.strip().partition(" ")
        read.slots.setdefault(slot, {}).update((word, right_word) for (word,) in _choice(words))
    elif section == "continuations":
        read.continuations.append(words_of_line(line))
    elif section == "subjects":
        what, _, spoken = line.partition("<-")
        name, _, verbs = what.partition(":")
        read.subjects.append(
            Subject(name, tuple(verb.strip() for verb in verbs.split("|")), {*spoken.split()})
        )
    elif section == "classes":
        name, _, words = line.partition(" = ")
        read.classes[name.strip()] = _choice(words)
    elif section in ("phrases", "spoken", "notes"):
        right, _, written = line.partition("<-")
        phrases = {"phrases": read.phrases, "spoken": read.spoken, "notes": read.notes}[section]
        for pattern in _patterns(written, read.classes):
            phrase = Phrase(pattern, right.strip(), cost, is_same)
            phrases.append(phrase)
            if phrase.right.startswith(("<group> ", "<player> ")):
                phrases.extend(_with_modal(phrase))
    elif section == "frames":
        right, _, written = line.partition("<-")
        for pattern in _patterns(written, read.classes):
            read.frames.extend(_frames_of(pattern, right.strip(), cost, read.classes))
    elif section == "german":
        right, _, written = line.partition("<-")
        for clause in _BETWEEN_PHRASES.split(written):
            for ordered, said in _german_orders(clause, right.strip()):
                read.phrases.extend(
                    Phrase(pattern, said, cost, is_same) for pattern in _patterns(ordered, read.classes)
                )
    elif section == "names":
        name, _, written = line.partition("<-")
        read.names.setdefault(name.strip(), []).extend(_choice(written))
    else:
        written, _, ordered = line.partition("=>")
        right_order = words_of_line(ordered)
        for pattern in _patterns(written, read.classes):
            read.rewritings.append(Rewriting(section, pattern, right_order, cost, is_same))


def _frames_of(pattern: Pattern, right: str, cost: float, classes: dict[str, Choice]) -> Iterator[Phrase]:
    """Yield a frame, also with `2+` for `at least 2`, and with `unless` for `if`."""
    yield Phrase(pattern, right, cost, is_same=False)
    at_least = classes.get("<atleast>")
    if NUMBER in pattern and at_least in pattern:
        without_at_least = [element for element in pattern if element != at_least]
        counted = tuple(UP if element == NUMBER else element for element in without_at_least)
        yield Phrase(counted, right, cost, is_same=False)
    if right.startswith("if ") and pattern[0] == classes.get("<if>"):
        unless = f"unless {right.removeprefix('if ')}"
        yield Phrase((_UNLESS, *pattern[1:]), unless, cost, is_same=False)


def _german_orders(text: str, right: str) -> Iterator[tuple[str, str]]:
    """Yield a German clause in its three orders, also with `darf`, and what each says.

    Its parts are who, verb, the rest, what the verb ends with: `er wirft eine Karte ab`, `wirft er eine Karte
    ab`, `er eine Karte abwirft`. What begins with its verb may be a condition: `ist er HIT, …`.
    """
    who, verb, rest, *ending = [part.strip() for part in text.split("=")]
    end = " ".join(ending)
    behind = f"{rest} {_behind(verb, end)}"
    yield f"{who} {verb} {rest} {end}", right
    yield f"{who} {behind}", right
    verb_first = f"{verb} {who} {rest} {end}"
    if right.startswith(("<group> ", "<player> ", "owner ", "opponent ")):
        yield verb_first, right
        subject, _, deed = right.partition(" ")
        if not deed.startswith("cannot "):
            may = "{darf|kann|dürfen|können}"
            for ordered in (f"{who} {may} {behind}", f"{may} {who} {behind}", f"{who} {behind} {may}"):
                yield ordered, f"{subject} may {deed}"
    elif right.startswith(("while ", "if ", "when ")):
        yield verb_first, right
    else:
        yield verb_first, f"{'when' if right.startswith(_TRIGGERS) else 'if'} {right}"


_TRIGGERS = ("<subject> ", "an attack ", "the attack ")


_PREFIXES = frozenset(
    ("", "ab", "an", "auf", "aus", "ein", "um", "vor", "zu", "zurück", "nach", "weg", "mit")
)
"""What German verbs end with that goes before them at the end of a clause."""


_UNLESS = (("unless",), ("except", "when"), ("except", "if"), ("except", "while"), ("but", "not", "when"))
_MAY = tuple((word,) for word in ("may", "can", "could", "darf", "kann", "dürfen", "können"))
MAY = (
    *(*_MAY, ("darfst",), ("kannst",)),
    *((who, may) for who in ("you", "he", "she", "it", "they", "i") for may in ("may", "can", "could")),
    *(
        tuple(words.split())
        for words in ("gets to", "is allowed to", "are allowed to", "get to", "du darfst")
    ),
)
MUST = (
    *((word,) for word in ("must", "should", "will", "shall", "muss", "müssen", "soll")),
    *(tuple(words.split()) for words in ("has to", "have to")),
)
"""What permits and demands, in a frame."""
_AGENT = tuple((word,) for word in ("he", "she", "it", "self", "you", "owner"))
_YOU_MAY = tuple((who, may) for (who,) in _AGENT for may in ("may", "can", "could"))
_YOU_MAY_GERMAN = (("darfst", "du"), ("kannst", "du"), ("du", "darfst"), ("du", "kannst"))


def _with_modal(phrase: Phrase) -> Iterator[Phrase]:
    """Yield a phrase about somebody with `may` and with `must`; a command also with `you may`."""
    written, right, cost, is_same = phrase
    who, _, deed = right.partition(" ")
    may = f"{who} may {deed}"
    if len(written) > 2 and written[0] == who and not isinstance(written[1], str):
        if "cannot" not in deed:
            yield Phrase((who, _MAY, *written[1:]), may, cost, is_same)
        yield Phrase((who, MUST, *written[1:]), right, cost, is_same)
    elif who in written and not isinstance(written[0], str) and "cannot" not in deed:
        yield Phrase((_AGENT, *written), right, cost, is_same)
        yield Phrase((_YOU_MAY, *written), may, cost, is_same)
        yield Phrase((_YOU_MAY_GERMAN, *written[1:], written[0]), may, cost, is_same)


def _behind(verb: str, end: str) -> str:
    """Return a German verb at the end of its clause: `abwirft`, `geheilt wird`."""
    if end in _PREFIXES:
        return f"{{{'|'.join(f'{end}{alternative}' for alternative in verb.strip('{}').split('|'))}}}"
    return f"{end} {verb}"


def _choice(text: str) -> Choice:
    """Return the words between bars."""
    return tuple(words_of_line(words.casefold()) for words in text.split("|"))


def _patterns(text: str, classes: dict[str, Choice]) -> list[Pattern]:
    """Return the patterns between bars, each with its classes and choices."""
    patterns = []
    for alternative in _with_slots_apart(_BETWEEN_PHRASES.split(text)):
        parts: list[str | Choice] = []
        for written in words_of_line(alternative):
            if written in classes:
                parts.append(classes[written])
            elif written[-1] == "?" and written[:-1] in classes:
                parts.append((*classes[written[:-1]], ()))
            elif written[0] == "<" and written[-1] in ">!":
                parts.append(written)
            else:
                parts.append(_choice(written.strip("{}")) if written[0] == "{" else ((written.casefold(),),))
        if parts:
            patterns.append(tuple(parts))
    return patterns


def _with_slots_apart(alternatives: list[str]) -> list[str]:
    """Return alternatives in which no choice has a slot: there is one for each of its words."""
    apart, queue = [], alternatives
    for alternative in queue:
        match = _CHOICE_WITH_SLOT.search(alternative)
        if match is None:
            apart.append(alternative)
            continue
        before, behind = alternative[: match.start()], alternative[match.end() :]
        queue += (f"{before}{words}{behind}" for words in match.group(1).split("|"))
    return apart
