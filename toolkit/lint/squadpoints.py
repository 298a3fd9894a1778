"""odd-squadpoints: SQUADPOINTS that lie far from what the other OPERATORs of the project would make expect.

What a point of AP, EP, DP or MP and a SKILL cost is learned from the project itself, robustly, so that a few
odd prices do not move it. A SKILL counts as an average one: that is why a miss must be large.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.data.model import Card, CardSet
from toolkit.diagnostics import Diagnostic
from toolkit.lint.memory import Memory
from toolkit.lint.regression import deviation, fit, predicted
from toolkit.vocabulary import STATS

FEWEST = 8
"""With fewer OPERATORs there is nothing to learn from."""

MOST_LEARNED = 150
"""From so many OPERATORs, spread over the set, the prices are learned."""

LEAST_MISS = 2.5
"""A miss of so many SQUADPOINTS is told at the earliest: SKILLs may well be worth two."""

_TOO_FAR = 4.0
"""It must be so many deviations, too: a set with wild prices has no odd ones."""

_WITH_EVERY_STAT = 16
"""From so many OPERATORs on each stat has a price of its own, before that all four have one together."""


def check(cards: CardSet, memory: Memory) -> list[Diagnostic]:
    """OPERATORs whose SQUADPOINTS are far off, each at the number."""
    operators = [card for card in cards.cards.values() if card.kind == "operator"]
    if len(operators) < FEWEST:
        return []
    printed = tuple([(card.squadpoints, *_row(card, True)) for card in operators])
    odd = memory.once(("squadpoints", printed), (), lambda: list(_odd(operators)))
    return [_finding(operators[number], miss) for number, miss in odd]


def _odd(operators: Sequence[Card]) -> Iterator[tuple[int, float]]:
    """Whose SQUADPOINTS are far off, and by how much."""
    sample = operators[:: -(-len(operators) // MOST_LEARNED)]
    detailed = len(sample) >= _WITH_EVERY_STAT
    prices = _prices(sample, detailed)
    allowed = max(LEAST_MISS, _TOO_FAR * deviation([_miss(card, prices, detailed) for card in sample]))
    for number, card in enumerate(operators):
        if abs(_miss(card, prices, detailed)) >= allowed:
            miss = _miss(card, _prices_without(card, sample, prices, detailed), detailed)
            if abs(miss) >= allowed:
                yield number, miss


def _prices(cards: Sequence[Card], detailed: bool) -> list[float]:
    return fit([_row(card, detailed) for card in cards], [card.squadpoints for card in cards])


def _prices_without(card: Card, sample: Sequence[Card], prices: list[float], detailed: bool) -> list[float]:
    """In a small set an odd one must not speak for himself; in a large one nobody hears him."""
    if len(sample) > _WITH_EVERY_STAT * 4:
        return prices
    return _prices([one for one in sample if one is not card], detailed)


def _row(card: Card, detailed: bool) -> tuple[float, ...]:
    skills = float(min(len(card.skills), 2))
    if detailed:
        return (1.0, *map(float, card.stats.values()), skills)
    return (1.0, sum(STATS[name].worth * value for name, value in card.stats.items()), skills)


def _miss(card: Card, prices: Sequence[float], detailed: bool) -> float:
    """How much dearer he is than expected; below 0 for cheaper."""
    return card.squadpoints - predicted(prices, _row(card, detailed))


def _finding(card: Card, miss: float) -> Diagnostic:
    expected = max(0, round(card.squadpoints - miss))
    off = card.squadpoints - expected
    side = "less" if off > 0 else "more"
    return Diagnostic(
        "odd-squadpoints",
        f"`{card.id}` costs {card.squadpoints}; here OPERATORs with such numbers cost about {expected},"
        f" {abs(off)} {side}.",
        card.span_of("squadpoints"),
        "Change the price or the numbers, unless its SKILLs are worth that much.",
        card=card.id,
    )
