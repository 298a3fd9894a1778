"""What to report where the parser stops: one problem, in words of the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from toolkit.dsl import gaps, slips
from toolkit.dsl.building import parser
from toolkit.dsl.lalr import Refused, Situation
from toolkit.dsl.problems import Problem
from toolkit.dsl.stops import Stop, stop_at, terminal_of
from toolkit.vocabulary import VERBS
from toolkit.vocabulary.hints import FRAGMENTS, HINTS, NEAREST, SAME, Hint

_SENTENCE_END = re.compile(r"\.(?=\s|\Z)")
_FRAGMENT = re.compile(r"(?<!\?P)<([a-z]+_?)([0-9]?)>")
_MANY = {verb.one: verb.many for verb in VERBS if " " not in verb.one}
_ALL_DOES = re.compile(rf"(\ball (?:(?!\bone\b)[^,.]){{1,120}}? )({'|'.join(_MANY)})\b")
_NOT_INSIDE_A_WORD = r"(?!(?<=\w)(?=\w))"
_CAPITALS = re.compile(r"(?<![\w\\])[A-Z][A-Z0-9]+")


def hinted(stop: Stop) -> Problem | None:
    """What the table of hints knows about the refused words, if what it proposes can be parsed there."""
    return next((problem for problem, works in _hints(stop) if works), None)


def hinted_in_part(stop: Stop) -> Problem | None:
    """What the table knows where something else is wrong as well, so that no fix can be proven."""
    return next((problem for problem, _ in _hints(stop)), None)


EXPLANATIONS: tuple[Callable[[Stop], Problem | None], ...] = (
    slips.quoted,
    hinted,
    gaps.text_ends,
    slips.doubled,
    slips.swapped_sign,
    slips.typographic,
    slips.look_alike,
    slips.glued,
    slips.quotes,
    gaps.no_sign,
    gaps.left_out,
    gaps.missing_comma,
    gaps.no_opening,
    slips.joined,
    slips.certainly_misspelt,
    hinted_in_part,
    slips.misspelt,
)
"""Asked in this order; the first that knows what is wrong reports it."""


def explain(text: str, position: int, situation: Situation) -> Problem:
    """The problem at a position where the parser could go no further."""
    stop = stop_at(text, position, situation)
    found = (explanation(stop) for explanation in EXPLANATIONS)
    return next((problem for problem in found if problem is not None), None) or slips.misplaced(stop)


def _hints(stop: Stop) -> Iterator[tuple[Problem, bool]]:
    """The rows that match at the refused word, and whether the parser accepts what each proposes."""
    start, end = _sentence(stop)
    sentence = stop.text[start:end]
    refused = min(stop.place[0], len(stop.text.rstrip()) - 1) - start
    for hint in HINTS:
        for found in pattern_of(hint).finditer(sentence):
            span = _marked(found)
            behind = span[1] if hint.sort == NEAREST else len(sentence) - len(sentence[span[1] :].lstrip())
            if not span[0] <= refused <= max(behind, span[1] - 1):
                continue
            place = (start + span[0], start + span[1])
            written = _written(hint, found)
            if hint.sort == NEAREST:
                yield _nearest(hint, place, written), True
                continue
            if written == stop.text[slice(*place)]:
                continue
            text = f"{stop.text[: place[0]]}{written}{stop.text[place[1] :]}"
            again = parser().parse(text)
            works = not isinstance(again, Refused) or again.position >= place[0] + max(len(written), 1)
            yield _problem(hint, stop, place, written, works), works


def _marked(found: re.Match[str]) -> tuple[int, int]:
    """The marked part of a match, or all of it."""
    marked = (name for name, said in found.groupdict().items() if name[:-1] == "at" and said is not None)
    return found.span(next(marked, 0))


def _sentence(stop: Stop) -> tuple[int, int]:
    """The stretch of the refused sentence, with its full stop."""
    ends = [found.end() for found in _SENTENCE_END.finditer(stop.text)]
    start = max((end for end in ends if end <= stop.place[0]), default=0)
    start += len(stop.text[start:]) - len(stop.text[start:].lstrip())
    return start, min((end for end in ends if end > stop.place[0]), default=len(stop.text.rstrip()))


def _nearest(hint: Hint, place: tuple[int, int], written: str) -> Problem:
    step = f"What comes nearest is `{written}`." if written else f"Write for example `{hint.right}`"
    return Problem("unexpected-word", hint.note, place, step)


def _problem(hint: Hint, stop: Stop, place: tuple[int, int], written: str, works: bool) -> Problem:
    said, right = stop.text[slice(*place)], " ".join(written.split())
    if right and written[0].isspace():
        place, written = (place[0] + len(said) - len(said.lstrip()), place[1]), written.lstrip()
    if right and written[-1].isspace():
        place, written = (place[0], place[1] - len(said) + len(said.rstrip())), written.rstrip()
    said = " ".join(said.split())
    if not right:
        message, step = f"`{said}` is not needed here.", f"Remove `{said}`."
    elif hint.note:
        message, step = hint.note, f"Write `{right}`."
        place, written = _differing(stop.text, place, written)
    else:
        what = "the word here" if terminal_of(said) is not None else "in the effect language"
        message, step = f"`{said}` is not {what}.", f"Use `{right}` instead."
    fix = written if works else None
    return Problem("unexpected-word", hint.note or message, place, step, fix, safe=hint.sort == SAME)


def _differing(text: str, place: tuple[int, int], written: str) -> tuple[tuple[int, int], str]:
    """A replacement without the words at its beginning and end that stay; one word at least is left."""
    start, end = place
    old = list(re.finditer(r"\S+", text[start:end]))
    new = list(re.finditer(r"\S+", written))
    first = 0
    while first < min(len(old) - 1, len(new)) and old[first].group() == new[first].group():
        first += 1
    last = 0
    most = min(len(old) - 1, len(new)) - first
    while last < most and old[-1 - last].group() == new[-1 - last].group():
        last += 1
    if not first and not last:
        return place, written
    kept = new[first : len(new) - last]
    right = written[kept[0].start() : kept[-1].end()] if kept else ""
    behind = old[len(old) - last].start() if last and not kept else old[len(old) - 1 - last].end()
    if not last:  # with the spaces of the pattern
        behind, right = end - start, written[kept[0].start() :] if kept else ""
    if not first:
        right = written[: kept[-1].end()] if kept else ""
        return (start, start + behind), right
    return (start + old[first].start(), start + behind), right


@cache
def pattern_of(hint: Hint) -> re.Pattern[str]:
    """The compiled pattern of a row."""
    return re.compile(f"{_NOT_INSIDE_A_WORD}{_expanded(hint.pattern)}{_NOT_INSIDE_A_WORD}", re.IGNORECASE)


def _expanded(pattern: str) -> str:
    numbers = iter(range(9))
    pattern = re.sub("«", lambda _: f"(?P<at{next(numbers)}>", pattern).replace("»", ")")
    seen: set[str] = set()

    def fragment(found: re.Match[str]) -> str:
        name = found.group(1) + found.group(2)
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{FRAGMENTS[found.group(1)][0]})"

    pattern = _CAPITALS.sub(lambda word: f"(?-i:{word.group()})", _FRAGMENT.sub(fragment, pattern))
    return f"(?:{pattern})".replace(" ?", r"\s{0,9}").replace(" ", r"\s{1,9}")


def _written(hint: Hint, found: re.Match[str]) -> str:
    """What a row writes in place of what it matched."""

    def part(name: re.Match[str]) -> str:
        said = found.group(name.group(1) + name.group(2)) or ""
        words = FRAGMENTS.get(name.group(1), ("", {}))[1]
        return words.get(" ".join(said.casefold().split()), said)

    written = _FRAGMENT.sub(part, hint.write).replace(" 1 cards", " 1 card")
    return _ALL_DOES.sub(lambda found: found.group(1) + _MANY[found.group(2)], written)
