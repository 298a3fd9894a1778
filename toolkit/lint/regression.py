"""A robust linear fit: least squares in which rows that lie far off count less and less.

Plain Python: the sets are small, and a numeric library would take longer to load than this to compute.
"""

from __future__ import annotations

from collections.abc import Sequence

Row = Sequence[float]

ROUNDS = 4
"""So often the weights are found anew."""

_TUNING = 1.5
"""Rows beyond so many deviations count less (Huber's function)."""

_RIDGE = 0.05
"""Keeps the fit steady where columns say nearly the same, at the price of a small bias."""


def fit(rows: Sequence[Row], values: Sequence[float]) -> list[float]:
    """One coefficient for each column, so that the sums of ``coefficient * row`` come near the values."""
    weights = [1.0] * len(rows)
    found: list[float] = []
    for _ in range(ROUNDS):
        found = _solved(*_normal_equations(rows, values, weights))
        misses = [value - predicted(found, row) for row, value in zip(rows, values, strict=True)]
        scale = max(deviation(misses), 1e-6)
        weights = [min(1.0, _TUNING * scale / max(abs(miss), 1e-9)) for miss in misses]
    return found


def predicted(coefficients: Sequence[float], row: Row) -> float:
    """What the fit says for a row."""
    return sum(times * value for times, value in zip(coefficients, row, strict=True))


def deviation(misses: Sequence[float]) -> float:
    """The spread of the middle of the misses, as a standard deviation (the median of their sizes)."""
    sizes = sorted(map(abs, misses))
    return 1.4826 * (sizes[(len(sizes) - 1) // 2] + sizes[len(sizes) // 2]) / 2


def _normal_equations(
    rows: Sequence[Row], values: Sequence[float], weights: Sequence[float]
) -> tuple[list[list[float]], list[float]]:
    width = len(rows[0])
    left = [[0.0] * width for _ in range(width)]
    right = [0.0] * width
    for row, value, weight in zip(rows, values, weights, strict=True):
        for i, one in enumerate(row):
            times = weight * one
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
    """Gauss's elimination; the ridge keeps every pivot above 0."""
    width = len(right)
    lines = [[*left[i], right[i]] for i in range(width)]
    for i in range(width):
        best = max(range(i, width), key=lambda row: abs(lines[row][i]))
        lines[i], lines[best] = lines[best], lines[i]
        for other in range(width):
            if other != i:
                times = lines[other][i] / lines[i][i]
                lines[other] = [a - times * b for a, b in zip(lines[other], lines[i], strict=True)]
    return [lines[i][width] / lines[i][i] for i in range(width)]
