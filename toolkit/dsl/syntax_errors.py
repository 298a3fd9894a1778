"""What to tell a designer where the parser stops: one problem, in words of the language."""

from __future__ import annotations

import re

from toolkit.dsl.building import BUILDER
from toolkit.dsl.lalr import Refused, Situation, parse
from toolkit.dsl.lexicon import terminals_by_word, words_by_terminal
from toolkit.dsl.problems import Problem
from toolkit.dsl.tables import tables
from toolkit.dsl.tree import Place
from toolkit.vocabulary import ACTIONS, COUNTERS, FACTS, STATS, STATUSES, VERBS
from toolkit.vocabulary.nearest import nearest

PIECE = re.compile(r'"[^"\n]*"|[^\s.,()"=!<>*+\-]+|<=|>=|!=|\S')
"""A word, a name in quotes or a sign, as a person would count them."""

_SIGNED_WORD = re.compile(r'[+\-][0-9]+[^\s.,()"=!<>*+\-0-9]+')
_GLUED = re.compile(r"([+\-]?[0-9]+)(.+)", re.DOTALL)

_BEGINNINGS = (
    "when",
    "if",
    "either",
    "self",
    "target",
    "attacker",
    "attacked",
    "one",
    "all",
    "owner",
    "opponent",
)
_SORTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("unknown-stat", "stat", (*STATS, *COUNTERS, *FACTS, "VALUE")),
    (
        "unknown-verb",
        "verb",
        (*(form.split()[0] for verb in VERBS for form in (verb.one, verb.many)), "reroll"),
    ),
    ("unknown-status", "status", STATUSES),
    ("unknown-action", "ACTION", (*ACTIONS, "ANY")),
    (
        "unknown-trigger",
        "trigger",
        (
            "attacking",
            "attacks",
            "played",
            "attached",
            "hits",
            "misses",
            "REACHES",
            "CAPTURES",
            "begins",
            "ends",
        ),
    ),
    ("unknown-who", "OPERATOR or player", ("self", "target", "attacker", "attacked", "owner", "opponent")),
    ("unknown-duration", "duration", ("until", "while", "permanently", "FIELD")),
)
"""Finding, what a designer would call it, and the words of that sort."""


def explain(text: str, position: int, situation: Situation) -> Problem:
    """The problem at a position where the parser could go no further.

    ``position`` is where the refused word begins, or the end of the text.
    """
    found = PIECE.match(text, _skip_spaces(text, position))
    before = _piece_before(text, position)
    accepted = situation.accepts()
    if found is None:
        return _text_ends(before, accepted, text)
    word, place = found.group(), found.span()
    return (
        _doubled(word, place, before, text)
        or _glued(text, place)
        or _quotes(word, place, accepted)
        or _left_out(word, place, before, text, situation)
        or _no_opening(place, text)
        or _joined(word, place, accepted)
        or _misspelt(word, place, accepted)
        or _misplaced(word, place, before, accepted, text)
    )


def _skip_spaces(text: str, position: int) -> int:
    return position + len(text[position:]) - len(text[position:].lstrip())


def _piece_before(text: str, position: int) -> Place:
    last = (0, 0)
    for piece in PIECE.finditer(text, 0, position):
        last = piece.span()
    return last


def _words(terminals: tuple[str, ...]) -> list[str]:
    """The words of the language behind terminals, verbs in one form only; signs last."""
    by_terminal = words_by_terminal()
    plural = {verb.many for verb in VERBS if verb.many != verb.one} | {"SKILL", "OPERATOR", "cards"}
    words = [word for terminal, word in by_terminal.items() if terminal in terminals]
    if len(words) > 1:
        words = [word for word in words if word not in plural] or words
    words.sort(key=lambda word: not word[0].isalpha())
    extra = []
    if "INT" in terminals:
        extra.append("a number")
    if "STRING" in terminals:
        extra.append('a name in "quotes"')
    return [f"`{word}`" for word in words] + extra


def _expected(accepted: tuple[str, ...]) -> str:
    words = _words(accepted)
    if not words:
        return ""
    return "Here the language expects " + (
        words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    )


def _text_ends(before: Place, accepted: tuple[str, ...], text: str) -> Problem:
    if terminals_by_word()["."] in accepted:
        return _no_full_stop(before, text)
    return Problem(
        "unfinished-sentence",
        f"The sentence breaks off after `{text[slice(*before)]}`.",
        before,
        _expected(accepted) + " next.",
    )


def _no_full_stop(before: Place, text: str) -> Problem:
    word = text[slice(*before)]
    return Problem(
        "missing-full-stop",
        f"The sentence has no full stop after `{word}`.",
        before,
        f"Write `{word}.`",
        f"{word}.",
    )


def _doubled(word: str, place: Place, before: Place, text: str) -> Problem | None:
    if text[slice(*before)] != word or place == before or word in "()-":
        return None
    return Problem("doubled-word", f"`{word}` is written twice.", place, f"Take one `{word}` away.", "")


def _glued(text: str, place: Place) -> Problem | None:
    start = place[0] - 1 if place[0] and text[place[0] - 1] in "+-" else place[0]
    glued = _GLUED.fullmatch(text[start : place[1]])
    if glued is None:
        sign = text[place[0]] in "+-" and _SIGNED_WORD.match(text, place[0])
        if not sign:
            return None
        start, place = sign.start(), sign.span()
        glued = _GLUED.fullmatch(sign.group())
        assert glued is not None
    number, word = glued.groups()
    return Problem(
        "glued-number",
        f"`{number}{word}` is a number glued to a word.",
        (start, place[1]),
        f"Write `{number} {word}`.",
        f"{number} {word}",
    )


def _quotes(word: str, place: Place, accepted: tuple[str, ...]) -> Problem | None:
    if accepted == ("STRING",) and word[0].isalnum():
        quoted = f'"{word}"'
        return Problem(
            "missing-quotes",
            f"`{word}` is a name and must stand in quotes.",
            place,
            f"Write `{quoted}`.",
            quoted,
        )
    if word != '"':
        return None
    return Problem(
        "unclosed-quote",
        'The name in quotes has no closing `"` on its line.',
        place,
        'Write a `"` before and behind the name, in one line.',
    )


def _left_out(word: str, place: Place, before: Place, text: str, situation: Situation) -> Problem | None:
    """A known word that would fit if exactly one word were put before it."""
    terminal = _terminal_of(word)
    if terminal is None or terminal in situation.accepts():
        return None
    by_terminal = words_by_terminal()
    fitting = []
    for candidate in situation.accepts():
        then = situation.after(candidate)
        if candidate in by_terminal and then is not None and terminal in then.accepts():
            fitting.append(candidate)
    words = _words(tuple(fitting))
    if "`.`" in words and _begins_sentence(word):
        return _no_full_stop(before, text)
    if len(words) != 1:
        return None
    missing, last = words[0].strip("`"), text[slice(*before)]
    together = f"{last}{missing}" if missing in ",)+" else f"{last} {missing}"
    if missing == ",":
        return Problem(
            "missing-comma", f"A comma is missing after `{last}`.", before, f"Write `{together}`.", together
        )
    sort = "word" if missing[0].isalpha() else "sign"
    return Problem(
        "missing-word",
        f"Between `{last}` and `{word}` the {sort} `{missing}` is missing."
        if last
        else f"Before `{word}` the {sort} `{missing}` is missing.",
        before if last else place,
        f"Write `{together}`." if last else f"Write `{missing} {word}`.",
        together if last else f"{missing} {word}",
    )


def _no_opening(place: Place, text: str) -> Problem | None:
    """A trigger without `when`, or a condition without `if`: with the word the parser gets further."""
    for start in _clause_starts(text, place[0]):
        for opening in ("when", "if"):
            refused = parse(f"{text[:start]}{opening} {text[start:]}", tables(), BUILDER)
            if isinstance(refused, Refused) and refused.position < place[1] + len(opening) + 1:
                continue
            found = PIECE.match(text, start)
            if found is not None and found.group() != opening:
                first = found.group()
                return Problem(
                    "missing-word",
                    f"Before `{first}` the word `{opening}` is missing.",
                    found.span(),
                    f"Write `{opening} {first}`.",
                    f"{opening} {first}",
                )
    return None


def _clause_starts(text: str, position: int) -> list[int]:
    """Where the sentence begins that is refused at a position, and what follows its commas."""
    starts = [0]
    for piece in PIECE.finditer(text, 0, position):
        if piece.group() == ".":
            starts = [piece.end()]
        elif piece.group() == ",":
            starts.append(piece.end())
    return [start for start in (_skip_spaces(text, start) for start in starts) if start <= position]


def _joined(word: str, place: Place, accepted: tuple[str, ...]) -> Problem | None:
    """Two words of the language without a space between them."""
    if _terminal_of(word) is not None:
        return None
    for cut in range(1, len(word)):
        first, second = word[:cut], word[cut:]
        if _terminal_of(first) in accepted and _terminal_of(second) is not None and first.isalpha():
            apart = f"{first} {second}"
            return Problem(
                "joined-words", f"`{word}` is two words without a space.", place, f"Write `{apart}`.", apart
            )
    return None


def _begins_sentence(word: str) -> bool:
    return word in _BEGINNINGS


def _terminal_of(word: str) -> str | None:
    if word.isdigit():
        return "INT"
    if len(word) > 1 and word[0] == word[-1] == '"':
        return "STRING"
    return terminals_by_word().get(word)


def _misspelt(word: str, place: Place, accepted: tuple[str, ...]) -> Problem | None:
    """A word that the language does not know."""
    if _terminal_of(word) is not None or not word[0].isalnum():
        return None
    by_terminal = words_by_terminal()
    candidates = [known for terminal, known in by_terminal.items() if terminal in accepted]
    meant = candidates[0] if len(candidates) == len(accepted) == 1 else nearest(word, candidates)
    elsewhere = None if meant else nearest(word, terminals_by_word())
    name, sort = _sort_of(meant or elsewhere, candidates)
    hint = f" Did you mean `{meant or elsewhere}`?" if meant or elsewhere else ""
    article = "an" if sort[0] in "AO" else "a"
    what = f"{article} {sort}" if sort != "word" else "a word of the language"
    message = f"`{word}` is not {what}."
    return Problem(name, message + hint, place, _expected(accepted) + ".", meant)


def _sort_of(meant: str | None, candidates: list[str]) -> tuple[str, str]:
    for name, sort, words in _SORTS:
        if meant in words if meant else any(c in words for c in candidates):
            return name, sort
    return "unknown-word", "word"


def _misplaced(word: str, place: Place, before: Place, accepted: tuple[str, ...], text: str) -> Problem:
    last = text[slice(*before)] if before[1] else ""
    where = f"after `{last}`" if last else "at the beginning"
    by_terminal = words_by_terminal()
    meant = nearest(word, [known for terminal, known in by_terminal.items() if terminal in accepted])
    hint = f" Did you mean `{meant}`?" if meant else ""
    return Problem(
        "unexpected-word", f"`{word}` cannot stand {where}.{hint}", place, _expected(accepted) + ".", meant
    )
