"""Intervals that are true: known values, and how often they hold in simulated runs."""

from __future__ import annotations

import re
from functools import cache
from math import comb, isclose
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import THOROUGH, examples, some
from toolkit.play.simulation.statistics import (
    Interval,
    confidence_sequence,
    discoveries,
    games_for,
    mcnemar,
    mean_difference,
    p_value_of,
    paired_difference,
    wilson,
)


def test_known_values() -> None:
    """Of Wilson by Newcombe (1998), table I; of McNemar by hand."""
    for won, games, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)):
        interval = wilson(won, games)
        assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)
    assert wilson(0, 0) == confidence_sequence(0, 0) == Interval(0.5, 0.0, 1.0)
    assert mcnemar(1, 5) == 2 * (1 + 6) / 64
    assert mcnemar(0, 0) == mcnemar(3, 3) == 1.0


def test_the_page_says_how_many_games_are_needed() -> None:
    page = (HELP / "how-to" / "simulate.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d,]+) \| ±(\d) % \|$", page, re.MULTILINE)
    assert len(rows) == 3
    assert [games for games, _ in rows] == [f"{games_for(int(half) / 100):,}" for _, half in rows]


@examples(200)
@given(st.integers(1, 3000).flatmap(lambda games: st.tuples(st.integers(0, 2 * games), st.just(games))))
def test_intervals_are_around_what_was_found_and_alike_for_the_other_side(counted: tuple[int, int]) -> None:
    score, games = counted[0] / 2, counted[1]
    for find in (wilson, confidence_sequence):
        interval, other = find(score, games), find(games - score, games)
        assert 0 <= interval.low <= interval.value <= interval.high <= 1
        assert isclose(interval.low, 1 - other.high, abs_tol=1e-9)
    assert confidence_sequence(score, games).width >= wilson(score, games).width - 1e-9


def test_the_sequence_is_a_martingale_that_is_cut_at_twenty() -> None:
    """Under the true rate the mixture is 1 on average after any number of games, so that it is above 20 in
    at most a twentieth of the runs (Ville): rates in the interval are those at which it is not."""
    games = 30
    for rate in (0.5, 0.8):
        outside = sum(
            comb(games, won) * rate**won * (1 - rate) ** (games - won)
            for won in range(games + 1)
            if not confidence_sequence(won, games).low <= rate <= confidence_sequence(won, games).high
        )
        assert outside < 0.05 / 3, "one look is only a part of what it allows"


HELP = Path(__file__).parent.parent.parent / "toolkit" / "help"
RUNS = 2000 if THOROUGH else 60
LOOKS, GAMES_A_LOOK = 40, 20


def _outcomes(random: Random, rates: tuple[float, float], draws: float, games: int) -> list[float]:
    """Games of which the two of a number have these rates; some are draws, the rest won by what is left."""
    results = []
    for number in range(games):
        rate = (rates[number % 2] - draws / 2) / (1 - draws)
        results.append(0.5 if random.random() < draws else float(random.random() < rate))
    return results


@cache
def _looked_at(rates: tuple[float, float], draws: float) -> tuple[float, float, float]:
    """How often the true rate was outside: of Wilson at the end and at any look, of the sequence at any."""
    random, missed = Random(f"{rates} {draws}"), [0, 0, 0]
    true_rate = sum(rates) / 2
    for _ in range(RUNS):
        outcomes = _outcomes(random, rates, draws, LOOKS * GAMES_A_LOOK)
        score, misses = 0.0, [False, False]
        for look in range(1, LOOKS + 1):
            games = look * GAMES_A_LOOK
            score += sum(outcomes[games - GAMES_A_LOOK : games])
            intervals = wilson(score, games), confidence_sequence(score, games)
            excluded = [not interval.low <= true_rate <= interval.high for interval in intervals]
            misses = [before or now for before, now in zip(misses, excluded, strict=True)]
        missed[0] += excluded[0]
        missed[1] += misses[0]
        missed[2] += misses[1]
    fixed, looked, sequence = (number / RUNS for number in missed)
    return fixed, looked, sequence


@pytest.mark.parametrize(
    ("rates", "draws"),
    some([((0.5, 0.5), 0.0), ((0.7, 0.4), 0.0), ((0.55, 0.45), 0.3), ((0.9, 0.9), 0.0)], 1),
)
def test_intervals_hold_as_often_as_they_say(rates: tuple[float, float], draws: float) -> None:
    """Nominal 95 %: Wilson for a number fixed before, also with draws and where who begins has an advantage;
    the sequence at all looks together, where Wilson does not hold."""
    fixed, looked, sequence = _looked_at(rates, draws)
    noise = 3 * (0.05 * 0.95 / RUNS) ** 0.5
    assert fixed <= 0.05 + noise
    assert sequence <= 0.05 + noise
    if not draws:
        assert looked > 0.15


@pytest.mark.parametrize(("better", "worse"), [(0.1, 0.1), (0.2, 0.08), (0.02, 0.0)])
def test_paired_differences_hold_as_often_as_they_say(better: float, worse: float) -> None:
    random, missed = Random(f"{better} {worse}"), 0
    for _ in range(RUNS):
        chances = [random.random() for _ in range(200)]
        differences = [1.0 if chance < better else -1.0 if chance > 1 - worse else 0.0 for chance in chances]
        interval = mean_difference(differences)
        missed += not interval.low <= better - worse <= interval.high
    assert missed / RUNS <= 0.05 + 3 * (0.05 * 0.95 / RUNS) ** 0.5


def test_a_paired_difference_counts_the_games_that_differ() -> None:
    before = [1.0, 0.0, 0.5, 0.0, 1.0, 1.0]
    after_ = [1.0, 1.0, 1.0, 0.5, 0.0, 1.0]
    compared = paired_difference(before, after_)
    assert (compared.games, compared.better, compared.worse) == (6, 3, 1)
    assert compared.difference.value == pytest.approx(1 / 6)
    assert compared.p_value == mcnemar(3, 1)
    same = paired_difference(before, before)
    assert (same.better, same.worse, same.p_value, same.games_saved) == (0, 0, 1.0, 1.0)


def test_of_many_p_values_those_count_that_are_small_for_their_rank() -> None:
    """The example of Benjamini and Hochberg (1995), of which the first four of 15 count."""
    p_values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p_values += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    assert discoveries(p_values) == [True] * 4 + [False] * 11
    assert discoveries([]) == []
    assert discoveries([0.2, 0.04]) == [False, False]


def test_the_p_value_of_an_interval_is_five_percent_where_it_ends() -> None:
    assert p_value_of(Interval(0.6, 0.5, 0.7), 0.5) == pytest.approx(0.05)
    assert p_value_of(Interval(0.5, 0.4, 0.6), 0.5) == 1.0
    assert p_value_of(Interval(0.9, 0.5, 1.0), 0.5) == pytest.approx(0.05)
    assert p_value_of(wilson(2, 2), 0.5) > 0.1, "two games that are won show nothing"
