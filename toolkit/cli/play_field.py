"""The FIELD as plain text in 80 columns: both rows, and what the players have."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from toolkit.cli.play_names import Names
from toolkit.engine.board import Board
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, OperatorState, Side

WIDTH = 80
_PLACES_IN_A_BAND = 4
_CELL = WIDTH // _PLACES_IN_A_BAND


def field_lines(state: GameState, rules: Rules, names: Names) -> Iterator[str]:
    """Both players and their rows: red above, blue below, position 1 on the left."""
    for side in ("red", "blue"):
        yield from _player(state, names, side)
        yield from _row(state, rules, names, side)
        yield "-" * WIDTH


def _player(state: GameState, names: Names, side: Side) -> Iterator[str]:
    """What a player has beside his row."""
    player = state.player(side)
    counts = {
        "hand": player.hand,
        "DECK": player.deck,
        "discarded": player.discard,
        "ITEMDECK": player.item_deck,
        "CAPTURED": player.captured,
    }
    told = " · ".join(f"{what} {len(cards)}" for what, cards in counts.items())
    yield cut(f"{side.upper()} · {told}")
    zone = [_resting(names, state.operators[key]) for key in player.save_zone]
    yield from _listed("SAVEZONE", zone)
    yield from _listed("STRATEGY", [names.card(card) for card in player.strategies])
    yield from _listed("CAPTURED", [names.card(card) for card in player.captured])


def _resting(names: Names, who: OperatorState) -> str:
    return names.card(who.card) + ("" if who.status == "NORMAL" else f" ({who.status})")


def _listed(what: str, found: list[str]) -> Iterator[str]:
    if found:
        yield from textwrap.wrap(f"  {what}: {', '.join(found)}", WIDTH, subsequent_indent="    ")


def _row(state: GameState, rules: Rules, names: Names, side: Side) -> Iterator[str]:
    cells = [_cell(state, rules, names, side, place) for place in range(rules.field_positions)]
    for start in range(0, len(cells), _PLACES_IN_A_BAND):
        band = cells[start : start + _PLACES_IN_A_BAND]
        for lines in zip(*band, strict=True):
            line = "".join(cut(text, _CELL - 1).ljust(_CELL) for text in lines).rstrip()
            if line:
                yield line


def _cell(state: GameState, rules: Rules, names: Names, side: Side, place: int) -> list[str]:
    """A FIELDPOSITION in seven lines, some of them empty."""
    who = state.at(side, place)
    name = f"{place + 1} {names.card(who.card) if who else '(free)'}"
    objective = _objective(state, rules, names, side, place)
    if who is None:
        return [name, "", "", "", "", objective, ""]
    if not who.is_up:
        return [name, who.status, "", "", "", objective, ""]
    values = rules.cards[who.card].values
    board = Board(rules, state)
    now = {stat: f"{stat} {board.number(who, stat)}/{values[stat]}" for stat in values}
    hits = f"HITCOUNTER {who.hitcounter}" if who.hitcounter else ""
    card = f"[{names.card(who.attached)}]" if who.attached else ""
    return [name, who.status, f"{now['AP']}  {now['EP']}", f"{now['DP']}  {now['MP']}", hits, objective, card]


def _objective(state: GameState, rules: Rules, names: Names, side: Side, place: int) -> str:
    """The OBJECTIVE of a FIELDPOSITION with its value, and how far its OPERATOR has come."""
    objectives = state.player(side).objectives
    found = objectives[place] if place < len(objectives) else None
    who = state.at(side, place)
    counter = who.objectivecounter if who else 0
    if found is None:
        return f"OBJ.COUNTER {counter}" if counter else ""
    score = f" {counter}/{rules.objective_values[found]}"
    return cut(names.card(found), _CELL - 1 - len(score)) + score


def cut(text: str, width: int = WIDTH) -> str:
    """The text in at most so many columns."""
    return text if len(text) <= width else text[: width - 1] + "…"
