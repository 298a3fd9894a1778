"""Sentences whose parts stand in another order than the language's: `self gets +1 AP when attacking`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolkit.dsl.nearest_sentences.thesaurus import NUMBER, Rewriting, thesaurus

MOST_ORDERS = 14
"""How many orders of one sentence are searched, the one that is written among them."""
_MOST_WORDS = 60
"""A longer sentence stays as it is."""
_MOST_MATCHES = 2
_UNSAID = 0.4
"""What it costs to begin a sentence with the opening that its place suggests."""
_OPENINGS = frozenset("when while if whenever wenn solange falls once at during unless as".split())


class Ordered(NamedTuple):
    """The words of a sentence in one order, and what that order costs."""

    words: tuple[str, ...]
    cost: float


def orders_of(words: Sequence[str], opening: str = "") -> list[Ordered]:
    """Return a sentence as it is written, and in the orders that the thesaurus has for it.

    ``opening`` is what effects begin with where it stands, such as ``when played,``: it may be left unsaid.
    """
    written = tuple(words if words and words[-1] == "." else (*words, "."))
    orders = {written: 0.0}
    if len(written) > _MOST_WORDS:
        return [Ordered(written, 0.0)]
    queue = [Ordered(written, 0.0)]
    for ordered in queue:
        for rewriting in thesaurus().rewritings:
            for rewritten in _rewritten_in_part(rewriting, ordered.words):
                cost = ordered.cost + rewriting.cost
                if rewritten not in orders and len(orders) < MOST_ORDERS:
                    orders[rewritten] = cost
                    queue.append(Ordered(rewritten, cost))
    if opening and written[0].casefold() not in _OPENINGS:
        opened = tuple(opening.replace(",", " ,").split())
        orders |= {(*opened, *words): cost + _UNSAID for words, cost in orders.items()}
    return [Ordered(words, cost) for words, cost in orders.items()]


def _rewritten_in_part(rewriting: Rewriting, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield a sentence with its parts reordered, or those behind the comma of its opening."""
    yield from _rewritten(rewriting, words)
    if words[0].casefold() in _OPENINGS and "," in words:
        behind = words.index(",") + 1
        for rewritten in _rewritten(rewriting, words[behind:]):
            yield (*words[:behind], *rewritten)


def _rewritten(rewriting: Rewriting, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    spoken = [word.casefold() for word in words]
    matches = _matches(rewriting.pattern, spoken, 0, 0, {})
    for number, gaps in enumerate(matches):
        if number == _MOST_MATCHES:
            return
        result: list[str] = []
        for part in rewriting.right:
            result += words[slice(*gaps[part])] if part in gaps else [part]
        yield tuple(result)


def _matches(
    pattern: Sequence[str], spoken: Sequence[str], part: int, position: int, gaps: dict[str, tuple[int, int]]
) -> Iterator[dict[str, tuple[int, int]]]:
    """Yield for each way to match words what stands in the gaps, the shortest gaps first."""
    if part == len(pattern):
        if position == len(spoken):
            yield gaps
        return
    name = pattern[part]
    if not (name[0] == "<" and len(name) > 2):
        if position < len(spoken) and spoken[position] == name:
            yield from _matches(pattern, spoken, part + 1, position + 1, gaps)
        return
    most = position + 1 if name == NUMBER else len(spoken)
    literal = pattern[part + 1] if part + 1 < len(pattern) else None
    for end in range(position + 1, most + 1):
        if literal is not None and literal[0] != "<" and (end >= len(spoken) or spoken[end] != literal):
            continue
        yield from _matches(pattern, spoken, part + 1, end, {**gaps, name: (position, end)})
