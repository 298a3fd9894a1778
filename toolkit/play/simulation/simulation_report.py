"""The result of a simulation, as text for people or as JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median_high
from textwrap import wrap
from typing import Any

from toolkit import __version__
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.reporters import Style, unstyled
from toolkit.play.simulation.games import DRAWN, Pair, game_seed
from toolkit.play.simulation.simulating import Tally
from toolkit.play.simulation.statistics import Interval, PairedDifference

ENDING_WORDS = {
    "objectives_captured": "OBJECTIVEs CAPTURED",
    "operators_out_or_hit": "no OPERATOR left",
    "operators_on_field": "more OPERATORs on the FIELD after the last ROUND",
    "effect": "an effect",
    "draw": "a draw",
    "stopped": "stopped by a bound",
}
"""What decided a game (``Verdict.by``), in words."""


def simulation_json(tally: Tally) -> str:
    """Return a simulation as JSON, version 1: rates from 0 to 1 with the interval in which they lie."""
    request, setup = tally.plan.request, tally.plan.new_setup
    total, (unused_actions, unused_cards) = tally.total(), tally.never_used()
    return json_text(
        {
            "version": 1,
            "unfinished": not tally.is_finished,
            "opforge": __version__,
            "fingerprint": setup.fingerprint,
            "mode": setup.mode,
            "ruleset": setup.ruleset,
            "seed": request.seed,
            "players": list(request.players),
            "interval": "Wilson, 95 %" if request.until_width is None else "confidence sequence, 95 %",
            "squads": {
                squad: {"games": tally.games_of(squad), "wins": interval_data(tally.squad_rate(squad))}
                for squad in setup.squads
            },
            "pairs": [_pair_data(tally, pair) for pair in tally.plan.pairs],
            "first_player_wins": interval_data(tally.first_player_rate()),
            "rounds": {str(number): games for number, games in total.rounds.items()},
            "endings": total.endings,
            "draws": total.outcomes.count(DRAWN),
            "bounded": total.bounded,
            "actions": total.actions,
            "cards": total.cards,
            "never_used": {"actions": unused_actions, "cards": unused_cards},
        }
    )


def _pair_data(tally: Tally, pair: Pair) -> dict[str, Any]:
    """Return the games of a pair, as in JSON; with two versions of the cards also their difference."""
    counts = tally.of_new_version()[pair]
    pair_data = {
        "squads": list(pair),
        "games": counts.games,
        "first_wins": interval_data(tally.pair_rate(pair)),
        "outcomes": counts.outcomes,
        "seeds": [game_seed(tally.plan.request.seed, pair, number) for number in range(counts.games // 2)],
    }
    if len(tally.plan.setups) == 1:
        return pair_data
    difference = tally.difference(pair)
    return {
        **pair_data,
        "first_won_before": interval_data(tally.pair_rate(pair, 0)),
        "difference": interval_data(difference.difference),
        "better": difference.better,
        "worse": difference.worse,
        "mcnemar": round(difference.p_value, 6),
        "games_saved": round(difference.games_saved, 3),
    }


def interval_data(interval: Interval) -> dict[str, float]:
    """Return an interval for JSON."""
    return {name: round(getattr(interval, name), 6) for name in ("value", "low", "high")}


def simulation_text(tally: Tally, style: Style = unstyled, width: int = 80) -> str:
    """Return a simulation as text: what was played, who wins how often, and how games end."""
    return "\n".join(_lines(tally, style, width)) + "\n"


def _lines(tally: Tally, style: Style, width: int) -> Iterator[str]:
    """Yield the lines of the report: what was played, SQUADs, pairs, the comparison and facts."""
    setup, total = tally.plan.new_setup, tally.total()
    blue, red = setup.players
    players = f"{blue} against {red}"
    yield f"{counted(total.games, 'game')}, {players}, mode {setup.mode}, seed {setup.seed}"
    yield f"opforge {__version__}, cards {setup.fingerprint}"
    if not tally.is_finished:
        yield style("UNFINISHED: not all games were played.", "warning")
    if not total.games:
        return
    yield ""
    yield from _squads_table(tally, style)
    if len(tally.plan.pairs) > 1:
        yield ""
        yield from _pairs_table(tally, style, width)
        if tally.plan.request.until_width is not None:
            yield ""
            yield from _stopped_pairs(tally, style)
    if len(tally.plan.setups) > 1:
        yield ""
        yield from _comparison(tally, style)
    yield ""
    for line in (*_too_wide(tally), *_facts(tally)):
        yield from wrap(line, width, subsequent_indent="  ", break_on_hyphens=False)


def _squads_table(tally: Tally, style: Style) -> Iterator[str]:
    """How often each SQUAD wins against all others together, with the new version."""
    rows: list[tuple[str, ...]] = [("SQUAD", "wins", "95 % interval", "games")]
    for squad in tally.plan.new_setup.squads:
        rate = tally.squad_rate(squad)
        rows.append((squad, percent(rate.value), shown_range(rate), str(tally.games_of(squad))))
    yield from aligned(rows, style)


def _pairs_table(tally: Tally, style: Style, width: int) -> Iterator[str]:
    """How often the SQUAD of a row wins against that of a column, as many columns as fit."""
    squads = tally.plan.new_setup.squads
    rates = {pair: tally.pair_rate(pair).value for pair in tally.plan.pairs}
    rates |= {(second, first): 1 - rate for (first, second), rate in rates.items()}
    names = [f"{number} {squad}" for number, squad in enumerate(squads, 1)]
    block = max(1, (width - max(map(len, names))) // len("  100.0"))
    yield "How often the SQUAD of a row wins against that of a column, in %:"
    for begin in range(0, len(squads), block):
        columns = squads[begin : begin + block]
        rows: list[tuple[str, ...]] = [("", *(str(begin + number) for number, _ in enumerate(columns, 1)))]
        for name, squad in zip(names, squads, strict=True):
            cells = ["-" if column == squad else f"{rates[squad, column] * 100:.1f}" for column in columns]
            rows.append((name, *cells))
        yield from aligned(rows, style)


def _stopped_pairs(tally: Tally, style: Style) -> Iterator[str]:
    """The pairs, each of which was stopped by looking at its own interval."""
    rows: list[tuple[str, ...]] = [("pair", "first wins", "95 % interval", "games")]
    for pair, counts in tally.of_new_version().items():
        rate = tally.pair_rate(pair)
        rows.append((" - ".join(pair), percent(rate.value), shown_range(rate), str(counts.games)))
    yield from aligned(rows, style)


def aligned(rows: list[tuple[str, ...]], style: Style) -> Iterator[str]:
    """Yield the lines of a table, whose first row is its head; all but the first column end at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, (first, *cells) in enumerate(rows):
        padded = [f"{cell:>{size}}" for cell, size in zip(cells, widths[1:], strict=True)]
        line = f"{first:<{widths[0]}}  {'  '.join(padded)}"
        yield style(line, "note") if number == 0 else line


def _comparison(tally: Tally, style: Style) -> Iterator[str]:
    """Yield a table of the pairs with the cards before and now."""
    yield "Compared on the same games, the first SQUAD of each pair:"
    rows: list[tuple[str, ...]] = [
        ("pair", "before", "now", "difference", "95 % interval", "better", "worse", "McNemar")
    ]
    saved = []
    for pair in tally.plan.pairs:
        difference = tally.difference(pair)
        saved.append(difference.games_saved)
        rows.append((" - ".join(pair), *_comparison_cells(tally, pair, difference)))
    yield from aligned(rows, style)
    mean_saved = sum(saved) / len(saved)
    yield f"With other seeds {mean_saved:.2f} times as many games would be needed for as narrow an interval."


def _comparison_cells(tally: Tally, pair: Pair, difference: PairedDifference) -> Iterator[str]:
    """Yield the cells of a pair with the cards before and now."""
    yield percent(tally.pair_rate(pair, 0).value)
    yield percent(tally.pair_rate(pair).value)
    yield f"{difference.difference.value * 100:+.1f} %"
    yield f"{difference.difference.low * 100:+.1f} to {difference.difference.high * 100:+.1f} %"
    yield str(difference.better)
    yield str(difference.worse)
    yield "p < 0.001" if difference.p_value < 0.001 else f"p {difference.p_value:.3f}"


def _too_wide(tally: Tally) -> Iterator[str]:
    """Say of which pairs less is known than was asked for."""
    wanted = tally.plan.request.until_width
    wide_pairs = [
        pair
        for pair in tally.of_new_version()
        if wanted is not None and tally.is_finished and tally.pair_rate(pair).width > wanted
    ]
    if wide_pairs:
        names = ", ".join(" - ".join(pair) for pair in wide_pairs)
        yield f"Too few games to tell as exactly as asked for: {names}; --games allows more."


def _facts(tally: Tally) -> Iterator[str]:
    """Sentences about all games together."""
    total, first = tally.total(), tally.first_player_rate()
    first_range = "" if first.width == 1 else f" ({shown_range(first)})"
    yield f"Who begins wins {percent(first.value)}{first_range}."
    last_rounds = sorted(Counter(total.rounds).elements())
    median_round = median_high(last_rounds)
    yield f"Games end in ROUND {last_rounds[0]} to {last_rounds[-1]}, half of them by ROUND {median_round}."
    most_frequent_first = Counter(total.endings).most_common()
    endings = [
        f"{ENDING_WORDS.get(by, by)} {percent(games / total.games)}" for by, games in most_frequent_first
    ]
    yield f"Decided by: {', '.join(endings)}."
    if total.bounded:
        yield f"In {counted(total.bounded, 'game')} a bound stopped effects that would go on without end."
    actions, cards = tally.never_used()
    if actions:
        yield f"Nobody performed {', '.join(name.upper() for name in actions)}."
    if cards:
        yield f"Nobody used {', '.join(cards)}."


def percent(rate: float) -> str:
    """Return a rate in percent."""
    return f"{rate * 100:.1f} %"


def shown_range(interval: Interval) -> str:
    """Return where a rate lies; a dash where nothing is known about it."""
    return "-" if interval.width == 1 else f"{interval.low * 100:.1f} to {interval.high * 100:.1f} %"
