"""What cards do for winning, as text for people or as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from toolkit import __version__
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.reporters import Style, unstyled
from toolkit.play.odds.power import Powers
from toolkit.play.odds.power_report import power_data, power_sentence
from toolkit.play.simulation.card_worth import CardWorth, Difference, WorthTally
from toolkit.play.simulation.simulation_report import aligned, interval_data
from toolkit.play.simulation.statistics import Interval, games_for, games_needed

WITH_WITHOUT = "with/without: the same games with the card and with a blank of its kind in its place."
SEEN = (
    "seen: games in which it was drawn against those in which it was not, with as many cards drawn; "
    "the shuffle decides which."
)
PLAYED = (
    "played: games in which it was played against the others; biased, for who is ahead plays other cards."
)


def worth_json(tally: WorthTally, powers: Powers | None = None) -> str:
    """Return what cards do as JSON, version 1: differences of rates, from -1 to 1, and what they add to
    attacks, if that was measured."""
    request, worths = tally.plan.request, tally.worths()
    measured = powers.cards if powers is not None else ()
    power_by_card = {power.card: power_data(power) for power in measured}
    return json_text(
        {
            "version": 1,
            "unfinished": not tally.is_finished,
            "opforge": __version__,
            "fingerprint": tally.plan.setup.fingerprint,
            "mode": tally.plan.setup.mode,
            "seed": request.seed,
            "players": list(request.players),
            "games": tally.games,
            "tested": _tested(worths),
            "cards": [{**_card_data(worth), "power": power_by_card.get(worth.card)} for worth in worths],
        }
    )


def _tested(worths: Sequence[CardWorth]) -> int:
    return sum(worth.p_value is not None for worth in worths)


def _card_data(worth: CardWorth) -> dict[str, Any]:
    """Return what a card does for winning, as in JSON."""
    compared = worth.with_without
    with_without = compared and {
        **interval_data(compared.difference),
        "games": compared.games,
        "better": compared.better,
        "worse": compared.worse,
        "mcnemar": round(compared.p_value, 6),
    }
    return {
        "card": worth.card,
        "kind": worth.kind,
        "squads": list(worth.squads),
        "with_without": with_without,
        "seen": _difference_data(worth.seen),
        "played": _difference_data(worth.played),
        "stands_out": worth.stands_out,
    }


def _difference_data(difference: Difference | None) -> dict[str, float] | None:
    if difference is None:
        return None
    games = {"games_with": difference.games_with, "games_without": difference.games_without}
    return {**interval_data(difference.interval), **games}


def worth_text(
    tally: WorthTally, powers: Powers | None = None, style: Style = unstyled, width: int = 80
) -> str:
    """Return what cards do as text: what they add to attacks, if that was measured; then for winning a table
    with a row for each, and what its columns mean."""
    lines = []
    if powers is not None:
        lines = ["In attacks, exactly, on average over all pairs of OPERATORs:"]
        for power in powers.cards:
            sentence = power_sentence(power, powers.goal)
            lines += wrap(sentence, width, initial_indent="  ", subsequent_indent="    ")
    return "\n".join([*lines, *([""] if lines else []), *_lines(tally, style, width)]) + "\n"


def _lines(tally: WorthTally, style: Style, width: int) -> Iterator[str]:
    """Yield the lines of the report: the games, a table of cards, and what its columns mean."""
    request, worths = tally.plan.request, tally.worths()
    yield f"{counted(tally.games, 'game')}, {' against '.join(request.players)}, seed {request.seed}"
    if not tally.is_finished:
        yield style("UNFINISHED: not all games were played.", "warning")
    if not worths:
        return
    yield ""
    has_compared = any(worth.with_without for worth in worths)
    head = (
        "CARD",
        *(("with/without", "95 % interval") if has_compared else ()),
        "seen",
        "95 % interval",
        "played",
    )
    yield from aligned([head, *(_cells(worth, has_compared) for worth in worths)], style)
    yield ""
    sentences = [WITH_WITHOUT] if has_compared else []
    for sentence in (*sentences, SEEN, *_about_chance(worths)):
        yield from wrap(sentence, width, subsequent_indent="  ", break_on_hyphens=False)
    for line in wrap(PLAYED, width, subsequent_indent="  ", break_on_hyphens=False):
        yield style(line, "note")


def _cells(worth: CardWorth, has_compared: bool) -> tuple[str, ...]:
    """Return the row of a card."""
    compared, seen, played = worth.with_without, worth.seen, worth.played
    cells = [f"{worth.card}{' *' if worth.stands_out else ''}"]
    if has_compared:
        cells += _shown(None if compared is None else compared.difference)
    cells += _shown(None if seen is None else seen.interval)
    difference_of_played, _ = _shown(None if played is None else played.interval)  # biased: no interval
    return (*cells, difference_of_played)


def _shown(interval: Interval | None) -> tuple[str, str]:
    """Return a difference and its interval in percent; a dash where nothing was compared."""
    if interval is None:
        return "-", ""
    low, high = interval.low * 100, interval.high * 100
    return f"{interval.value * 100:+.1f} %", f"{low:+.1f} to {high:+.1f} %"


def _about_chance(worths: Sequence[CardWorth]) -> Iterator[str]:
    """Yield what may be concluded from so many cards."""
    tested = _tested(worths)
    if any(worth.stands_out for worth in worths):
        among = f"of {tested} cards tested, at most 5 % of the marked ones by chance (Benjamini-Hochberg)"
        yield f"* shows more than chance: {among}."
    elif tested:
        tried = "It shows no" if tested == 1 else f"Of {tested} cards tested none shows"
        yield f"{tried} more than chance can. ±2 % needs about {games_for(0.02):,} games with a card."
    unclear_cards = [worth.card for worth in worths if worth.is_unclear]
    if unclear_cards:
        names = ", ".join(unclear_cards)
        yield f"Too few games to tell for {names}: {games_needed()}"
