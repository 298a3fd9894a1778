"""Who has won: victory, the last ROUND and the tie break (RULES.md §8)."""

from __future__ import annotations

from dataclasses import dataclass

from toolkit.engine.rules import Rules
from toolkit.engine.state import SIDES, GameState, Side, other


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a GAME ended: ``winner`` None is a draw. ``by`` is a key of ``victory`` or ``tie_break``, or
    ``draw``; ``sentence`` says it for people."""

    winner: Side | None
    by: str
    sentence: str


def by_objectives(state: GameState, rules: Rules) -> Verdict | None:
    """`objectives_captured: n`, judged after every ACTION; **ruling:** of two who have n, the one with more,
    else the TURN's player wins."""
    wanted = rules.mode.victory_objectives_captured
    if wanted is None:
        return None
    first = state.turn
    reached = [side for side in (first, other(first)) if len(state.player(side).captured) >= wanted]
    if not reached:
        return None
    winner = max(reached, key=lambda side: len(state.player(side).captured))
    number = len(state.player(winner).captured)
    return Verdict(winner, "objectives_captured", f"{winner} has CAPTURED {number} OBJECTIVEs")


def by_operators(state: GameState, rules: Rules) -> Verdict | None:
    """`operators_out_or_hit: all`, judged after SUPPORT: who has nobody face up on the FIELD then loses.

    SUPPORT puts somebody there whenever it can. If it is so of both, the tie break decides.
    """
    if not rules.mode.victory_operators_out_or_hit:
        return None
    beaten = [side for side in SIDES if not standing(state, side)]
    if not beaten:
        return None
    if len(beaten) == 2:
        return tie_break(state, rules)
    sentence = f"{beaten[0]} can put no OPERATOR on the FIELD"
    return Verdict(other(beaten[0]), "operators_out_or_hit", sentence)


def standing(state: GameState, side: Side) -> int:
    """How many OPERATORs of a player are face up on the FIELD."""
    return sum(who.is_up for who in state.on_field(side))


def tie_break(state: GameState, rules: Rules) -> Verdict:
    """Who has more of the first thing in ``tie_break`` in which the players differ; else nobody wins."""
    for by in rules.mode.tie_break:
        blue, red = (_measure(state, side, by) for side in SIDES)
        if blue != red:
            winner: Side = "blue" if blue > red else "red"
            what = "OBJECTIVEs CAPTURED" if by == "objectives_captured" else "OPERATORs on the FIELD"
            return Verdict(winner, by, f"{winner} has more {what}: {max(blue, red)} against {min(blue, red)}")
    return Verdict(None, "draw", "neither player is ahead")


def _measure(state: GameState, side: Side, by: str) -> int:
    return len(state.player(side).captured) if by == "objectives_captured" else standing(state, side)
