"""What stands out, in sentences: the report begins with them.

Of many SQUADs and pairs some differ by chance: those are named of which at most one in 20 is (Benjamini and
Hochberg), with how many were looked at.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from typing import TypeVar

from toolkit.play.simulation.games import Pair
from toolkit.play.simulation.simulating import Tally
from toolkit.play.simulation.statistics import Interval, discoveries, p_value_of
from toolkit.products.balance.figures import OLDER_VERSION, Figures

Contest = TypeVar("Contest", bound=Hashable)

FAIR = (0.4, 0.6)
"""A SQUAD that wins less or more often than this is weak or strong, if it is not by chance."""
MOST_PAIRS = 5
"""So many uneven pairs are named, at most."""


def findings(figures: Figures) -> list[str]:
    """Return what stands out, the most important first."""
    sentences = [] if figures.tally is None else list(_about_games(figures, figures.tally))
    return [*sentences, *_about_prices(figures)]


def _about_games(figures: Figures, tally: Tally) -> Iterator[str]:
    """Yield sentences about what simulated games show."""
    say = figures.words.say
    if not (tally.is_finished and figures.is_finished):
        yield say("balance-unfinished")
    if not tally.total().games:
        return
    yield from _about_squads(figures, tally)
    yield from _about_pairs(figures, tally)
    if len(tally.plan.setups) > 1:
        yield from _about_changes(figures, tally)
    yield from _about_cards(figures)
    first = tally.first_player_rate()
    if not first.low <= 0.5 <= first.high:
        yield say("balance-first-player", **interval_words(figures, first))
    total = tally.total()
    if total.bounded:
        yield say("balance-bounded", number=total.bounded)
    actions, cards = tally.never_used()
    if actions:
        yield say("balance-no-action", actions=", ".join(name.upper() for name in actions))
    if cards:
        yield say("balance-no-card", cards=", ".join(map(figures.name, cards)))


def _about_squads(figures: Figures, tally: Tally) -> Iterator[str]:
    """Yield a sentence about each SQUAD that wins more or less than half beyond chance."""
    say, squads = figures.words.say, tally.plan.new_setup.squads
    uneven = _uneven({squad: tally.squad_rate(squad) for squad in squads})
    for squad, rate in uneven.items():
        key = "balance-strong" if rate.value > 0.5 else "balance-weak"
        yield say(key, squad=figures.name(squad), **interval_words(figures, rate))
    least_fair, most_fair = FAIR
    rates = {squad: tally.squad_rate(squad).value for squad in squads if squad not in uneven}
    unclear = [squad for squad, rate in rates.items() if not least_fair <= rate <= most_fair]
    if unclear:
        yield say("balance-unclear", squads=", ".join(map(figures.name, unclear)))
    elif not uneven:
        yield say("balance-even", number=len(squads))


def _about_pairs(figures: Figures, tally: Tally) -> Iterator[str]:
    """Yield a sentence about the pairs that are uneven beyond chance."""
    say, pairs = figures.words.say, tally.plan.pairs
    if len(pairs) == 1:
        return
    uneven = _uneven({pair: tally.pair_rate(pair) for pair in pairs})
    listed = [_beats(figures, pair, rate.value) for pair, rate in islice(uneven.items(), MOST_PAIRS)]
    key = "balance-pairs" if listed else "balance-no-pairs"
    yield say(key, number=len(uneven), tested=len(pairs), pairs="; ".join(listed))


def _beats(figures: Figures, pair: Pair, rate: float) -> str:
    """Return which SQUAD of a pair beats the other one, and how often; the rate is that of the first."""
    winner, loser = pair if rate > 0.5 else reversed(pair)
    names = {"winner": figures.name(winner), "loser": figures.name(loser)}
    return figures.words.say("balance-beats", **names, rate=figures.percent(max(rate, 1 - rate)))


def _uneven(rates: Mapping[Contest, Interval]) -> dict[Contest, Interval]:
    """Return the rates outside of what is fair that are not by chance, the most uneven first."""
    differs = discoveries([p_value_of(rate, 0.5) for rate in rates.values()])
    least_fair, most_fair = FAIR
    uneven = {
        contest: rate
        for (contest, rate), is_discovery in zip(rates.items(), differs, strict=True)
        if is_discovery and not least_fair <= rate.value <= most_fair
    }
    most_uneven_first = sorted(uneven, key=lambda contest: -abs(uneven[contest].value - 0.5))
    return {contest: uneven[contest] for contest in most_uneven_first}


def _about_changes(figures: Figures, tally: Tally) -> Iterator[str]:
    """Yield a sentence about each pair that changed cards make different beyond chance."""
    say, pairs = figures.words.say, tally.plan.pairs
    differences = [tally.difference(pair) for pair in pairs]
    differs = discoveries([difference.p_value for difference in differences])
    for pair, difference, is_discovery in zip(pairs, differences, differs, strict=True):
        if is_discovery:
            first, second = pair
            yield say(
                "balance-change",
                first=figures.name(first),
                second=figures.name(second),
                now=figures.percent(tally.pair_rate(pair).value),
                before=figures.percent(tally.pair_rate(pair, OLDER_VERSION).value),
                low=figures.percent(difference.difference.low, sign=True),
                high=figures.percent(difference.difference.high, sign=True),
            )
    if not any(differs):
        yield say("balance-no-change", tested=len(pairs))


def _about_cards(figures: Figures) -> Iterator[str]:
    """Yield a sentence about each card that makes a difference beyond chance."""
    say, tested = figures.words.say, len(figures.worths)
    outstanding = [worth for worth in figures.worths if worth.stands_out]
    for worth in outstanding:
        assert worth.with_without is not None, "it stands out by what is compared"
        words = interval_words(figures, worth.with_without.difference, sign=True)
        yield say("balance-worth", card=figures.name(worth.card), tested=tested, **words)
    unclear = [worth.card for worth in figures.worths if worth.is_unclear]
    if unclear:
        yield say("balance-unclear-cards", cards=", ".join(map(figures.name, unclear)))
    elif tested and not outstanding:
        yield say("balance-no-worth", tested=tested)


def _about_prices(figures: Figures) -> Iterator[str]:
    """Yield a sentence about each card with far more or less power than others at its price."""
    say = figures.words.say
    outliers = [power for power in figures.exact.powers.values() if power.verdict is not None]
    for power in outliers:
        assert power.expected is not None, "a verdict compares with what is expected"
        yield say(
            "balance-overcosted" if power.verdict == "overcosted" else "balance-undercosted",
            card=figures.name(power.card),
            power=figures.number(float(power.power), 2, sign=True),
            expected=figures.number(power.expected, 2, sign=True),
        )
    if not outliers:
        yield say("balance-prices")


def interval_words(figures: Figures, interval: Interval, *, sign: bool = False) -> dict[str, str]:
    """Return the numbers of a rate in sentences, of a difference with its sign."""
    names = {"rate": interval.value, "low": interval.low, "high": interval.high}
    return {name: figures.percent(value, sign=sign) for name, value in names.items()}
