"""odd-squadpoints: SQUADPOINTS that lie far from what the other OPERATORs of the project would make expect.

What a point of AP, EP, DP or MP and a SKILL cost is learned from the project itself by a robust linear fit:
least squares in which rows that lie far off count less and less, so that a few odd prices do not move it. A
SKILL counts as an average one; therefore only large differences are reported. The fit is plain Python: a
numeric library would take longer to load than this takes to compute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from toolkit.data.model import Card, CardSet
from toolkit.diagnostics import Diagnostic
from toolkit.lint.context import RunCache
from toolkit.vocabulary import STATS

FEWEST_OPERATORS = 8
"""With fewer OPERATORs there is nothing to learn from."""

MOST_LEARNED = 150
"""From so many OPERATORs, spread over the set, the prices are learned."""

LEAST_DIFFERENCE = 2.5
"""No smaller difference is reported: SKILLs may well be worth two."""

_MOST_DEVIATIONS = 4.0
"""A difference must be so many deviations, too: a set with wild prices has no odd ones."""

_WITH_EVERY_STAT = 16
"""From so many OPERATORs on each stat has a price of its own, before that all four have one together."""

_LARGE_SET = 64
"""Among more OPERATORs one odd price has no weight in the fit."""

_MOST_SKILLS = 2
"""More SKILLs than that cost nothing more."""


def check(cards: CardSet, cache: RunCache) -> list[Diagnostic]:
    """OPERATORs whose SQUADPOINTS are far off, each at the number; without those with text-only rules."""
    operators = [card for card in cards.cards.values() if card.kind == "operator"]
    operators = [card for card in operators if not cards.texts_only(card)]
    if len(operators) < FEWEST_OPERATORS:
        return []
    printed = tuple([(card.squadpoints, *_row(card, detailed=True)) for card in operators])
    odd = cache.get(("squadpoints", printed), (), lambda: list(_odd(operators)))
    return [_finding(operators[index], difference) for index, difference in odd]


def _odd(operators: Sequence[Card]) -> Iterator[tuple[int, float]]:
    """Yield the indexes of OPERATORs whose SQUADPOINTS are far off, and by how much.

    Each must be so with the prices that a sample of all gives, and with those that the others give.
    """
    every_nth = ceil(len(operators) / MOST_LEARNED)
    sample = operators[::every_nth]
    detailed = len(sample) >= _WITH_EVERY_STAT
    prices = _prices(sample, detailed)
    usual_deviation = deviation([_difference(card, prices, detailed) for card in sample])
    allowed = max(LEAST_DIFFERENCE, _MOST_DEVIATIONS * usual_deviation)
    for index, card in enumerate(operators):
        if abs(_difference(card, prices, detailed)) >= allowed:
            difference = _difference(card, _prices_without(card, sample, prices, detailed), detailed)
            if abs(difference) >= allowed:
                yield index, difference


def _prices(cards: Sequence[Card], detailed: bool) -> list[float]:
    return fit([_row(card, detailed) for card in cards], [card.squadpoints for card in cards])


def _prices_without(card: Card, sample: Sequence[Card], prices: list[float], detailed: bool) -> list[float]:
    """In a small set an odd price must not count for itself; in a large one it has no weight."""
    if len(sample) > _LARGE_SET:
        return prices
    return _prices([sample_card for sample_card in sample if sample_card is not card], detailed)


def _row(card: Card, detailed: bool) -> tuple[float, ...]:
    """Return what the price of an OPERATOR may depend on: a constant, its stats, and its SKILLs.

    The stats are columns of their own if it is ``detailed``, else one sum.
    """
    constant, skills = 1.0, float(min(len(card.skills), _MOST_SKILLS))
    if detailed:
        return (constant, *map(float, card.stats.values()), skills)
    return (constant, sum(STATS[name].worth * value for name, value in card.stats.items()), skills)


def _difference(card: Card, prices: Sequence[float], detailed: bool) -> float:
    """Return how much more than expected it costs; below 0 for cheaper."""
    return card.squadpoints - predicted(prices, _row(card, detailed))


def _finding(card: Card, difference: float) -> Diagnostic:
    """Return the finding about a price that differs from that of similar OPERATORs."""
    expected = max(0, round(card.squadpoints - difference))
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


# the fit

Row = Sequence[float]

ROUNDS = 4
"""How often the weights are computed."""

_DEVIATION_OF_MEDIAN = 1.4826
"""The standard deviation of a normal distribution whose sizes have the median 1."""

_TUNING = 1.5
"""Rows beyond so many deviations count less (Huber's function)."""

_RIDGE = 0.05
"""Keeps the fit steady where columns say nearly the same, at the price of a small bias."""


def fit(rows: Sequence[Row], values: Sequence[float]) -> list[float]:
    """Return a coefficient for each column, so that sums of ``coefficient * row`` come near the values.

    Rows that are far off with the coefficients of one round have less weight in the next (``_TUNING``).
    """
    weights = [1.0] * len(rows)
    coefficients: list[float] = []
    for _ in range(ROUNDS):
        coefficients = _solved(*_normal_equations(rows, values, weights))
        residuals = [value - predicted(coefficients, row) for row, value in zip(rows, values, strict=True)]
        # both are kept above 0, where rows fit exactly
        scale = max(deviation(residuals), 1e-6)
        weights = [min(1.0, _TUNING * scale / max(abs(residual), 1e-9)) for residual in residuals]
    return coefficients


def predicted(coefficients: Sequence[float], row: Row) -> float:
    """Return the value of the fit for a row."""
    return sum(times * value for times, value in zip(coefficients, row, strict=True))


def deviation(residuals: Sequence[float]) -> float:
    """Return the standard deviation of residuals, estimated by the median of their sizes (robust)."""
    sizes = sorted(map(abs, residuals))
    lower_middle, upper_middle = sizes[(len(sizes) - 1) // 2], sizes[len(sizes) // 2]
    return _DEVIATION_OF_MEDIAN * (lower_middle + upper_middle) / 2


def _normal_equations(
    rows: Sequence[Row], values: Sequence[float], weights: Sequence[float]
) -> tuple[list[list[float]], list[float]]:
    """Return both sides of the equations of weighted least squares, ``XᵀWX`` and ``XᵀWy``, with a ridge."""
    width = len(rows[0])
    left = [[0.0] * width for _ in range(width)]
    right = [0.0] * width
    for row, value, weight in zip(rows, values, weights, strict=True):
        for i, feature in enumerate(row):
            times = weight * feature
            right[i] += times * value
            line = left[i]
            for j in range(i, width):
                line[j] += times * row[j]
    for i in range(width):
        left[i][i] += _RIDGE
        for j in range(i):
            left[i][j] = left[j][i]
    return left, right


def _solved(left: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of equations by Gaussian elimination; the ridge keeps every pivot above 0."""
    width = len(right)
    lines = [[*left[i], right[i]] for i in range(width)]
    for i in range(width):
        pivot = max(range(i, width), key=lambda line: abs(lines[line][i]))
        lines[i], lines[pivot] = lines[pivot], lines[i]
        for other in range(width):
            if other != i:
                times = lines[other][i] / lines[i][i]
                lines[other] = [a - times * b for a, b in zip(lines[other], lines[i], strict=True)]
    return [lines[i][width] / lines[i][i] for i in range(width)]
