"""Who has won (RULES.md §8): the twin of ``engine.victory``."""

from __future__ import annotations

from toolkit.engine.swift.codes import HIT
from toolkit.engine.swift.table import Table

Verdict = tuple[int, str]
"""The winner (0 blue, 1 red, -1 nobody), and by what, as in ``victory.Verdict``."""


def by_objectives(t: Table) -> Verdict | None:
    """`objectives_captured: n`; of two who have n, the one with more, else the TURN's player wins."""
    wanted = t.rules.objectives_captured
    if wanted is None:
        return None
    mine, yours = len(t.captured[t.turn]), len(t.captured[1 - t.turn])
    if mine < wanted and yours < wanted:
        return None
    return (t.turn if mine >= yours else 1 - t.turn), "objectives_captured"


def _standing(t: Table, side: int) -> int:
    return sum([key >= 0 and t.status[key] < HIT for key in t.rows[side]])


def by_operators(t: Table) -> Verdict | None:
    """`operators_out_or_hit: all`: who has nobody face up on the FIELD after SUPPORT loses."""
    if not t.rules.operators_out_or_hit:
        return None
    blue, red = t.up
    if blue and red:
        return None
    return (0 if blue else 1, "operators_out_or_hit") if blue or red else tie_break(t)


def tie_break(t: Table) -> Verdict:
    """Who has more of the first thing in ``tie_break`` in which the players differ; else nobody wins."""
    for by in t.rules.tie_break:
        if by == "objectives_captured":
            blue, red = (len(captured) for captured in t.captured)
        else:
            blue, red = _standing(t, 0), _standing(t, 1)
        if blue != red:
            return (0 if blue > red else 1), by
    return -1, "draw"
