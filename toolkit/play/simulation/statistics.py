"""Intervals and tests of what is counted over games; all of 95 %.

An outcome is 1, 0, or a half for a draw: intervals for what is only won or lost hold for these too, because
they vary less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, comb, erfc, inf, lgamma, log, sqrt

from msgspec import Struct

from toolkit.source.short_repr import PublicValue

Z = 1.959963984540054
"""So many standard deviations around its mean a normal variable lies in 95 % of all cases."""
ERROR = 0.05
PRIOR = 10.0
"""The mixture of a confidence sequence is Beta(10, 10): narrowest at some hundreds of games, and still good
at many thousands."""


class Interval(Struct, frozen=True):
    """The range in which a rate or a difference of rates lies, with what was found."""

    value: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """The whole width."""
        return self.high - self.low

    @property
    def is_too_wide(self) -> bool:
        """Whether it is too wide to say that nothing is there."""
        return self.width > 2 * _TOO_WIDE


_TOO_WIDE = 0.05
"""From this ± on an interval is too wide to say that nothing is there."""


def wilson(score: float, games: int) -> Interval:
    """Return the rate of a number of games that was fixed before, by Wilson (1927)."""
    if not games:
        return Interval(0.5, 0.0, 1.0)
    rate, shrunk = score / games, 1 + Z * Z / games
    centre = (rate + Z * Z / (2 * games)) / shrunk
    half = Z * sqrt(rate * (1 - rate) / games + Z * Z / (4 * games * games)) / shrunk
    return Interval(rate, max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half)))


def confidence_sequence(score: float, games: int) -> Interval:
    """Return the rate of games that are stopped by looking at it: the intervals at all looks together hold.

    Robbins' mixture of likelihood ratios: under the true rate it is a martingale, which is ever above 20 in
    at most one of 20 runs (Ville), so rates at which it is above 20 are excluded. A draw counts as a half on
    either side; the ratio is convex in the outcome, so that the mixture stays below a martingale then.
    """
    if not games:
        return Interval(0.5, 0.0, 1.0)
    losses = games - score
    mixture = _log_beta(PRIOR + score, PRIOR + losses) - _log_beta(PRIOR, PRIOR)

    def excludes(rate: float) -> bool:
        return mixture - _times_log(score, rate) - _times_log(losses, 1 - rate) > log(1 / ERROR)

    rate = score / games
    low, high = _border(excludes, 0.0, rate), _border(excludes, 1.0, rate)
    return Interval(rate, low, high)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _times_log(count: float, rate: float) -> float:
    """``count * log(rate)``, where 0 of nothing is 0."""
    if count == 0:
        return 0.0
    return count * log(rate) if rate > 0 else -inf


def _border(excludes: Callable[[float], bool], outside: float, inside: float) -> float:
    """Return where exclusion ends between a rate at the edge and one that is not excluded."""
    if not excludes(outside):
        return outside
    for _ in range(40):  # halved so often it is exact to 1e-12
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if excludes(middle) else (outside, middle)
    return outside


# Two versions on the same games


class PairedDifference(PublicValue, Struct, frozen=True):
    """How two versions differ on the same games.

    ``better`` and ``worse`` are the games in which the second one did better or worse, ``p_value`` how
    likely so uneven a split is if neither is (McNemar, exact), ``difference`` that of the rates.
    ``games_saved`` says how many times as many games would be needed to see it as well with other seeds.
    """

    games: int
    better: int
    worse: int
    difference: Interval
    p_value: float
    games_saved: float


def paired_difference(scores_before: Sequence[float], scores_after: Sequence[float]) -> PairedDifference:
    """Compare two versions by their scores in the same games, each 0, a half or 1."""
    differences = [later - earlier for earlier, later in zip(scores_before, scores_after, strict=True)]
    better = sum(change > 0 for change in differences)
    worse = sum(change < 0 for change in differences)
    variance_with_other_seeds = variance(scores_before) + variance(scores_after)
    variance_of_pairs = variance(differences)
    return PairedDifference(
        games=len(differences),
        better=better,
        worse=worse,
        difference=mean_difference(differences),
        p_value=mcnemar(better, worse),
        games_saved=variance_with_other_seeds / variance_of_pairs if variance_of_pairs else 1.0,
    )


def mean_difference(differences: Sequence[float]) -> Interval:
    """Return the mean of differences between -1 and 1, by Bonett and Price (2012): as if there were one more
    game for each side, because without these the interval is too narrow where few games differ."""
    count = len(differences) + 2
    total, squares = sum(differences), sum(change * change for change in differences)
    centre = total / count
    half = Z * sqrt(max(0.0, (squares + 2) / count - centre * centre) / count)
    mean = total / max(1, len(differences))
    return Interval(mean, max(-1.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)))


def variance(values: Sequence[float]) -> float:
    """Return the variance of values."""
    if not values:
        return 0.0
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values)


def mcnemar(better: int, worse: int) -> float:
    """Return how likely a split at least so uneven is if either side is as likely (exact, two-sided)."""
    differing = better + worse
    tail = sum(comb(differing, number) for number in range(min(better, worse) + 1))
    return float(min(1.0, 2 * tail / 2**differing))


# Many questions at once


def p_value_of(interval: Interval, neutral: float) -> float:
    """Return how likely so great a difference from a neutral rate is by chance (normal approximation).

    What counts is how far the interval reaches towards the neutral rate: of few games it is not even.
    """
    reach = interval.value - interval.low if interval.value > neutral else interval.high - interval.value
    deviation = reach / Z
    return erfc(abs(interval.value - neutral) / deviation / sqrt(2)) if deviation else 1.0


def discoveries(p_values: Sequence[float], rate: float = ERROR) -> list[bool]:
    """Return which of many p-values count, so that at most this share of them is by chance (Benjamini and
    Hochberg, 1995)."""
    in_order = sorted(p_values)
    passing = [p for rank, p in enumerate(in_order, 1) if p <= rate * rank / len(in_order)]
    limit = passing[-1] if passing else -inf
    return [p <= limit for p in p_values]


def games_for(half_width: float) -> int:
    """Return how many games an even match needs until its rate is known to this ±."""
    return ceil(Z * Z / (4 * half_width * half_width))


def games_needed() -> str:
    """Return, as a sentence, how many games it takes until no interval is too wide."""
    return f"±{100 * _TOO_WIDE:g} % needs up to {games_for(_TOO_WIDE):,} games (--games)."
