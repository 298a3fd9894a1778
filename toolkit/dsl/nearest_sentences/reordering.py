"""Sentences whose parts stand in another order than the language's: `self gets +1 AP when attacking`."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from toolkit.dsl.nearest_sentences.phrases import form_words, forms_of, in_slot, is_said, phrases_at
from toolkit.dsl.nearest_sentences.pieces import words_in
from toolkit.dsl.nearest_sentences.thesaurus import Choice, Pattern, Rewriting, thesaurus

MOST_ORDERS = 8
"""How many orders of one sentence are searched, the one that is written among them."""
_MOST_WORDS = 60
"""A longer sentence stays as it is."""
_MOST_MATCHES = 2
_MOST_COST = 2.5
"""Orders that cost more are not searched."""
_MOVED_OPENING, _MOVED_DURATION, _COMMA = 0.25, 0.15, 0.1
OPENINGS = frozenset(
    words_in("when while if whenever wenn solange falls once at during unless as each sobald")
)
TRIGGERS = frozenset(words_in("when while whenever wenn solange sobald"))
_BETWEEN_CLAUSES = frozenset(words_in(", . : then and but"))
_BEFORE_CONDITIONS = frozenset(words_in("if when while whenever wenn solange falls sofern and or unless"))
_ENDS_OF_CLAUSES = frozenset(
    words_in(", . : and but then until while if when unless wenn solange bis for during")
)
_ENDS_OF_CONDITIONS = frozenset(words_in(", . : then and or"))
_MOST_ENDS = 3
"""How many ends of a clause are tried."""


class Ordered(NamedTuple):
    """The words of a sentence in one order, and what it costs; ``is_same``: nothing else can be meant."""

    words: tuple[str, ...]
    cost: float
    is_same: bool


Read = Callable[[tuple[str, ...]], Sequence[Iterable[tuple[int, str]]]]


def phrases_of(words: tuple[str, ...]) -> list[list[tuple[int, str]]]:
    """Return for each word the phrases that begin there: where each ends, and what it says."""
    spoken = tuple(word.casefold() for word in words)
    return [[(end, right) for end, right, *_ in phrases_at(spoken, begin)] for begin in range(len(spoken))]


def orders_of(words: Sequence[str], read: Read = phrases_of) -> list[Ordered]:
    """Return a sentence as it is written, and in the orders that the thesaurus has for it.

    ``read`` says for each word of it what the words from there on may say, and where they end.
    """
    written = tuple(words if words and words[-1] == "." else (*words, "."))
    if len(written) > _MOST_WORDS:
        return [Ordered(written, 0.0, True)]
    costs = {written: 0.0}
    queue = [(0.0, 0, Ordered(written, 0.0, True))]
    looked_at: dict[tuple[str, ...], Ordered] = {}
    while queue and len(looked_at) < MOST_ORDERS:
        cost, _, ordered = heapq.heappop(queue)
        if ordered.words in looked_at:
            continue
        looked_at[ordered.words] = ordered
        for reordered_words, price, is_same in _other_orders(ordered.words, read):
            other = _tidy(reordered_words)
            if cost + price <= _MOST_COST and cost + price < costs.get(other, _MOST_COST + 1):
                costs[other] = cost + price
                following = Ordered(other, cost + price, is_same and ordered.is_same)
                heapq.heappush(queue, (cost + price, len(costs), following))
    return [*looked_at.values()]


def _tidy(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words without commas that separate nothing."""
    tidy: list[str] = []
    for word in words:
        if tidy and tidy[-1] == "," and word in ",.":
            tidy.pop()
        if not (word in ",." and (not tidy or tidy[-1] == word)):
            tidy.append(word)
    return tuple(tidy)


def _other_orders(words: tuple[str, ...], read: Read) -> Iterator[Ordered]:
    """Yield the orders that are one step away from an order, with what the step costs."""
    spoken = tuple(word.casefold() for word in words)
    present = {form for word in spoken for form, _ in forms_of(word)}
    for rewriting in thesaurus().rewritings:
        if _may_match(rewriting.pattern, present):
            for begin, end in _spans(rewriting.scope, spoken):
                if begin and rewriting.scope == "order" and rewriting.right.count(".") > 1:
                    continue  # the second sentence would be without the opening
                for rewritten in _rewritten(rewriting, words[begin:end], spoken[begin:end]):
                    reordered = (*words[:begin], *rewritten, *words[end:])
                    yield Ordered(reordered, rewriting.cost, rewriting.is_same)
    yield from _moved(words, spoken, read(words))


def _may_match(pattern: Pattern, present: set[str]) -> bool:
    """Whether a sentence has a word of each choice of a pattern."""
    for element in pattern:
        if not isinstance(element, str):
            for words in element:
                if not words or words[0] in present:
                    break
            else:
                return False
    return True


def _spans(scope: str, spoken: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sentence that a rewriting may rewrite, each a begin and an end.

    A rewriting of the ``order`` takes the whole sentence or all behind its opening, one of a ``clause`` or a
    condition only that.
    """
    if scope == "order":
        yield 0, len(spoken)
        if spoken[0] in OPENINGS and "," in spoken:
            yield spoken.index(",") + 1, len(spoken)
        return
    words_before, words_behind = (
        (_BETWEEN_CLAUSES, _ENDS_OF_CLAUSES)
        if scope == "clause"
        else (_BEFORE_CONDITIONS, _ENDS_OF_CONDITIONS)
    )
    for begin in range(len(spoken)):
        if (begin == 0 and scope == "clause") or (begin and spoken[begin - 1] in words_before):
            ends = [end for end in range(begin + 1, len(spoken)) if spoken[end] in words_behind]
            for end in ends[:_MOST_ENDS]:
                yield begin, end


def _rewritten(rewriting: Rewriting, words: Sequence[str], spoken: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield the ways to rewrite words that match the pattern of a rewriting as a whole."""
    for gaps in islice(_matches(rewriting.pattern, spoken, 0, {}), _MOST_MATCHES):
        if rewriting.scope != "order" and _would_split_clauses(rewriting, spoken, gaps):
            continue
        rewritten: list[str] = []
        for word in rewriting.right:
            rewritten += words[slice(*gaps[word])] if word in gaps else [word]
        yield rewritten


def _would_split_clauses(
    rewriting: Rewriting, spoken: Sequence[str], gaps: Mapping[str, tuple[int, int]]
) -> bool:
    """Whether words would be put behind a gap with `and`: they would go to the clause behind it."""
    return any(
        name != rewriting.right[-1] and not _JOINING.isdisjoint(spoken[begin:end])
        for name, (begin, end) in gaps.items()
    )


def _matches(
    pattern: Pattern, spoken: tuple[str, ...], position: int, gaps: dict[str, tuple[int, int]]
) -> Iterator[dict[str, tuple[int, int]]]:
    """Yield where the gaps begin and end, by name, for each way to match all words from a position on.

    A choice takes one of its words, a slot one word of its kind, any other name a gap of one or more words.
    """
    if not pattern:
        if position == len(spoken):
            yield gaps
        return
    element, following = pattern[0], pattern[1:]
    if not isinstance(element, str):
        for end in _ends_of_choice(element, spoken, position):
            yield from _matches(following, spoken, end, gaps)
    elif element in thesaurus().slots:
        if position < len(spoken) and in_slot(element, spoken[position]) is not None:
            yield from _matches(following, spoken, position + 1, {**gaps, element: (position, position + 1)})
    elif position < len(spoken) and spoken[position] not in _NO_BEGINNING:
        for end in range(position + 1, len(spoken) + 1) if following else (len(spoken),):
            if _may_follow(following, spoken, end):
                yield from _matches(following, spoken, end, {**gaps, element: (position, end)})


_NO_BEGINNING = frozenset(words_in(", . : or and oder und"))
"""With these no gap begins."""
_JOINING = frozenset(words_in("and but , und"))


def _may_follow(pattern: Pattern, spoken: tuple[str, ...], position: int) -> bool:
    """Whether the first part of a pattern may stand at a position."""
    return not pattern or isinstance(pattern[0], str) or bool(_ends_of_choice(pattern[0], spoken, position))


def _ends_of_choice(choice: Choice, spoken: tuple[str, ...], position: int) -> list[int]:
    """Return where the words of a choice end that stand at a position."""
    forms = form_words(spoken[position]) if position < len(spoken) else frozenset[str]()
    return [
        position + len(words)
        for words in choice
        if not words
        or (words[0] in forms and is_said(spoken[position + 1 : position + len(words)], words[1:]))
    ]


def _moved(
    words: tuple[str, ...], spoken: Sequence[str], said: Sequence[Iterable[tuple[int, str]]]
) -> Iterator[Ordered]:
    """Yield a sentence with an opening moved to its beginning, and with a duration moved to its end.

    An opening that is there already gets the comma that it lacks. A condition moves behind a trigger; another
    trigger cannot go before one, as a sentence has one opening.
    """
    for begin in range(len(spoken)):
        for end, kind in _movable(said[begin]):
            others = (*words[:begin], *words[end:])
            was_last = end == len(words) - 1
            if kind == "duration":
                if not was_last:
                    moved = _with_duration(others, begin, words[begin:end])
                    yield Ordered(moved, _MOVED_DURATION, begin == 0)
            elif begin > 0 and kind == "condition":
                yield Ordered(_with_condition(others, words[begin:end]), _MOVED_OPENING, False)
            elif begin > 0 and (kind == "limit" or "," not in spoken[:begin] or spoken[0] not in TRIGGERS):
                yield Ordered(
                    (*words[begin:end], ",", *_without_last_comma(others)), _MOVED_OPENING, was_last
                )
            elif begin == 0 and words[end] != ",":
                yield Ordered((*words[:end], ",", *words[end:]), _COMMA, True)


def _with_condition(words: tuple[str, ...], condition: tuple[str, ...]) -> tuple[str, ...]:
    """Return words with a condition at their beginning, behind a trigger that stands there."""
    opened = words.index(",") + 1 if words[0].casefold() in TRIGGERS and "," in words else 0
    trimmed = _without_last_comma(words)
    return (*trimmed[:opened], *condition, ",", *trimmed[opened:])


def _without_last_comma(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words without a comma before the full stop, which is left where a last part was taken away."""
    return (*words[:-2], words[-1]) if len(words) > 1 and words[-2] == "," else words


def _with_duration(words: tuple[str, ...], begin: int, duration: tuple[str, ...]) -> tuple[str, ...]:
    """Return words with a duration at the end of the clause that is there or begins there."""
    start = begin + 1 if words[begin] == "," else begin
    others = (*words[:begin], *words[start:]) if begin == 0 or words[begin - 1] == "," else words
    ends = [end for end in range(begin, len(others)) if others[end] in (",", ".")]
    end = ends[0] if ends else len(others) - 1
    return (*others[:end], *duration, *others[end:])


def _movable(phrases: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the ends and kinds of the openings and durations among phrases that begin at the same word.

    Of each kind that is the longest: a shorter one would leave words of it behind. A phrase is given as where
    it ends, and what it says in the words of the language.
    """
    furthest_ends: dict[str, int] = {}
    for end, meaning in phrases:
        kind = _kind_of(meaning)
        if kind:
            furthest_ends[kind] = max(end, furthest_ends.get(kind, 0))
    return [(end, kind) for kind, end in furthest_ends.items()]


@lru_cache(maxsize=2048)
def _kind_of(meaning: str) -> str:
    """Return whether words of the language are a kind of opening or a duration; empty if neither."""
    first, _, remaining = meaning.partition(" ")
    if first == "until" or meaning in ("permanently", "while on the FIELD"):
        return "duration"
    if first == "once":
        return "limit"
    if first == "if" and meaning[-1] != "," and len(meaning.split()) > 3:
        return "condition"
    return (
        "opening"
        if (first in ("when", "while") and " " in remaining.strip()) or meaning in _SHORT_OPENINGS
        else ""
    )


_SHORT_OPENINGS = frozenset(
    f"{when} {trigger}" for when in ("when", "while") for trigger in ("attacking", "attacked", "played")
)
