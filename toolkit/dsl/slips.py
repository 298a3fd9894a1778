"""Slips of the fingers: words doubled, glued, joined, without quotes, in typographic signs, or misspelt."""

from __future__ import annotations

import re
import unicodedata

from toolkit.dsl.problems import Problem
from toolkit.dsl.stops import Stop, terminal_of
from toolkit.vocabulary import ACTIONS, COUNTERS, FACTS, STATS, STATUSES, TRIGGERS, VERBS
from toolkit.vocabulary.nearest import is_ambiguous, is_certain, nearest

_GLUED = re.compile(r'([+\-]?[0-9]+)([^\s.,()"=!<>*+\-0-9][^\s.,()"=!<>*+\-]*)')
_NAME = re.compile(r"[\w-]*\w")
_TYPOGRAPHIC = {
    **dict.fromkeys("−–—", "-"),
    **dict.fromkeys("“”„‟«»‚‘’'", '"'),
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "×": "*",
    "·": "*",
    "…": ".",
}
_ODD_QUOTES = re.compile("[“”„‟«»‚‘’'\"]([\\w-]+(?: [\\w-]+)*)[“”„‟«»‚‘’'\"]")
_APOSTROPHE = re.compile(r"[A-Za-z]['’][A-Za-z]")
_ALIKE = dict(zip("АВЕКМНОРСТХаеорсухіѕΑΒΕΗΙΚΜΝΟΡΤΧΥο。", "ABEKMHOPCTXaeopcyxisABEHIKMNOPTXYo.", strict=True))
"""Letters of the Cyrillic and Greek alphabets, and what they look like."""
_SWAPPED = {"=>": ">=", "=<": "<=", "=!": "!=", "<>": "!=", "==": "="}

_FORMS = {verb.many: verb.one for verb in VERBS} | {
    "OPERATORs": "OPERATOR",
    "SKILLs": "SKILL",
    "cards": "card",
}
"""Words that mean the same in the language, and the one that stands for them."""

_SORTS: tuple[tuple[str, str, frozenset[str]], ...] = tuple(
    (name, sort, frozenset(words))
    for name, sort, words in (
        ("unknown-stat", "a stat", (*STATS, *COUNTERS, *FACTS, "VALUE")),
        (
            "unknown-verb",
            "a verb",
            ("reroll", *(form.split()[0] for verb in VERBS for form in (verb.one, verb.many))),
        ),
        ("unknown-status", "a status", STATUSES),
        ("unknown-action", "an ACTION", (*ACTIONS, "ANY")),
        (
            "unknown-trigger",
            "a trigger",
            {word for trigger in TRIGGERS.values() for word in trigger.words.split()}
            - {"CRITICAL", "HIT", "of"},
        ),
        (
            "unknown-who",
            "an OPERATOR or player",
            ("self", "target", "attacker", "attacked", "owner", "opponent", "one", "all"),
        ),
        (
            "unknown-duration",
            "a duration",
            ("until", "while", "permanently", "FIELD", "end", "TURN", "ROUND"),
        ),
    )
)
"""Finding, what a designer would call it, and the words of that sort."""


_QUOTES = "\"'“”„«»‚‘’"


def quoted(stop: Stop) -> Problem | None:
    """The whole effect in quotes."""
    text = stop.text.strip()
    if stop.last or len(text) < 2 or text[0] not in _QUOTES or text[-1] not in _QUOTES:
        return None
    start = stop.text.index(text)
    place = (start, start + len(text))
    message = "The effect needs no quotes around it."
    return Problem("unexpected-word", message, place, "Remove them.", text[1:-1], safe=False)


def doubled(stop: Stop) -> Problem | None:
    """The same word twice."""
    if stop.word != stop.last or stop.word in "()-":
        return None
    message = f"`{stop.word}` is written twice."
    step = f"Take one `{stop.word}` away."
    # of two equal numbers the second may as well be another number or a digit of the first
    return Problem("doubled-word", message, stop.place, step, "", safe=not stop.word.isdecimal())


def swapped_sign(stop: Stop) -> Problem | None:
    """`=>` for `>=` and the like."""
    signs = stop.last + stop.word
    right = _SWAPPED.get(signs)
    if right is None or stop.before[1] != stop.place[0]:
        return None
    place = (stop.before[0], stop.place[1])
    return Problem(
        "wrong-sign", f"`{signs}` is not a sign of the language.", place, f"Write `{right}`.", right
    )


def typographic(stop: Stop) -> Problem | None:
    """A sign as typesetters write it."""
    found = next((c for c in stop.word if c in _TYPOGRAPHIC), None)
    if found is None or _APOSTROPHE.search(stop.word):
        return None
    plain = _TYPOGRAPHIC[found]
    name = _ODD_QUOTES.match(stop.text, stop.place[0]) if plain == '"' else None
    if name is not None and "STRING" not in stop.accepted:
        step = f"Write `{name.group(1)}`."
        return Problem(
            "wrong-sign", "Only names stand in quotes.", name.span(), step, name.group(1), safe=False
        )
    if name is not None:
        right, place = f'"{name.group(1)}"', name.span()
    else:
        right, place = "".join(_TYPOGRAPHIC.get(c, c) for c in stop.word), stop.place
    message = f"`{found}` is not a sign of the language; it is written `{plain}`."
    return Problem("wrong-sign", message, place, f"Write `{right}`.", right)


def look_alike(stop: Stop) -> Problem | None:
    """A letter of another alphabet, a wide sign, or one that cannot be seen."""
    plain = {c: _plain(c) for c in stop.word if not c.isascii()}
    right = "".join(plain.get(c, c) for c in stop.word)
    if not plain or not right or not right.isascii():
        return None
    found, written = next(iter(plain.items()))
    code = f"U+{ord(found):04X}"
    if written:
        message = f"`{found}` ({code}) is not a sign of the language; it only looks like `{written}`."
    else:
        message = f"There is a sign in `{right}` that cannot be seen ({code})."
    return Problem("wrong-sign", message, stop.place, f"Write `{right}`.", right)


def _plain(sign: str) -> str:
    if unicodedata.category(sign) == "Cf":
        return ""
    return _ALIKE.get(sign) or unicodedata.normalize("NFKC", sign)


def glued(stop: Stop) -> Problem | None:
    """A number glued to a word."""
    signed = stop.place[0] and stop.text[stop.place[0] - 1] in "+-" and stop.before[1] == stop.place[0]
    start = stop.place[0] - 1 if signed else stop.place[0]
    found = _GLUED.match(stop.text, start)
    if found is None:
        return None
    number, word = found.groups()
    message = f"`{number}{word}` is a number glued to a word."
    if word == "D6":
        step = f"Write `{number} ATTACK D6` or `{number} DEFENCE D6`."
        return Problem("glued-number", message, found.span(), step)
    apart = f"{number} {word}"
    return Problem("glued-number", message, found.span(), f"Write `{apart}`.", apart)


def quotes(stop: Stop) -> Problem | None:
    """A name without quotes, or quotes that do not end."""
    if stop.word == '"':
        message = 'The name in quotes has no closing `"` on its line.'
        step = 'Write a `"` before and behind the name, in one line.'
        return Problem("unclosed-quote", message, stop.place, step)
    name = _NAME.match(stop.text, stop.place[0])
    if stop.accepted != ("STRING",) or name is None:
        return None
    quoted = f'"{name.group()}"'
    message = f"`{name.group()}` is a name and needs quotes."
    return Problem("missing-quotes", message, name.span(), f"Write `{quoted}`.", quoted)


def joined(stop: Stop) -> Problem | None:
    """Two words of the language without a space between them."""
    word = stop.word
    if terminal_of(word) is not None:
        return None
    apart = [
        f"{word[:cut]} {word[cut:]}"
        for cut in range(1, len(word))
        if word[:cut].isalpha() and terminal_of(word[:cut]) in stop.accepted and terminal_of(word[cut:])
    ]
    if not apart:
        return None
    message = f"`{word}` is two words without a space."
    step = f"Write `{apart[0]}`."
    return Problem("joined-words", message, stop.place, step, apart[0], safe=len(apart) == 1)


def certainly_misspelt(stop: Stop) -> Problem | None:
    """A word with one mistake that can only be one word of the language."""
    problem = misspelt(stop)
    return problem if problem is not None and problem.fix is not None and problem.safe else None


def misspelt(stop: Stop) -> Problem | None:
    """A word that the language does not know."""
    word = stop.word
    if terminal_of(word) is not None or not word[0].isalnum():
        return None
    candidates = stop.words
    meant = nearest(word, candidates)
    name, sort = _sort_of(meant, candidates)
    hint = f" Did you mean `{meant}`?" if meant else ""
    others = [other for other in candidates if _FORMS.get(other, other) != _FORMS.get(meant or "", meant)]
    safe = is_certain(word, meant, others)
    fix = None if meant and is_ambiguous(word, meant, others) else meant
    return Problem(name, f"`{word}` is not {sort}.{hint}", stop.place, stop.expected, fix, safe=safe)


def _sort_of(meant: str | None, candidates: list[str]) -> tuple[str, str]:
    """What was wanted there: the sort of the word that was meant, or of most that could have come."""
    fits = {name: sum(word in words for word in candidates) for name, _, words in _SORTS}
    known = [(fits[name], name, sort) for name, sort, words in _SORTS if meant is None or meant in words]
    most, name, sort = max(known, key=lambda one: one[0], default=(0, "", ""))
    if not name or (meant is None and 2 * most <= len(candidates)):
        return "unknown-word", "a word of the language"
    return name, sort


def misplaced(stop: Stop) -> Problem:
    """A word or sign that cannot stand there; nothing better is known."""
    where = f"after `{stop.last}`" if stop.last else "at the beginning"
    meant = nearest(stop.word, stop.words)
    # a word that the language knows is no misspelling of another one, but for its case
    safe = meant is not None and stop.word.casefold() == meant.casefold()
    if len(stop.word) < 4 and not safe:
        meant = None
    hint = f" Did you mean `{meant}`?" if meant else ""
    message = f"`{stop.word}` cannot stand {where}.{hint}"
    return Problem("unexpected-word", message, stop.place, stop.expected, meant, safe=safe)
