"""Which effects wait for their time in an attack: the twin of ``engine.attack.begin_attack``."""

from __future__ import annotations

from toolkit.engine.swift.code import Placed
from toolkit.engine.swift.codes import NOBODY
from toolkit.engine.swift.table import Buckets, Table


def gather(t: Table) -> Buckets:
    """Every effect that could act, in the order SUPPRESSION, M-11, TEAMWORK (``engine.attack``)."""
    code, a, d, s = t.code, t.a, t.d, t.s
    found = t.waiting
    for bucket in found:
        bucket.clear()
    for place, function in code.attacker[code.suppression]:
        found[place].append((function, s, a, 0))
    for place, function in code.attacked[code.suppression]:
        found[place].append((function, 1 - s, d, 0))
    if code.in_row_order:
        _from_the_row(t, found, s, a, code.attacker, code.beside_attacker)
        _from_the_row(t, found, 1 - s, d, code.attacked, code.beside_attacked)
    else:
        _from_two(t, found, s, a, code.attacker, code.beside_attacker)
        _from_two(t, found, 1 - s, d, code.attacked, code.beside_attacked)
    if code.attacker[code.teamwork] and _has_team_mate(t, a):
        for place, function in code.attacker[code.teamwork]:
            found[place].append((function, s, a, 0))
    if code.attacked[code.teamwork] and _has_team_mate(t, d):
        for place, function in code.attacked[code.teamwork]:
            found[place].append((function, 1 - s, d, 0))
    return found


def _from(found: Buckets, side: int, key: int, card: int, attached: int, functions: Placed) -> None:
    """The effects of an OPERATOR: his SKILLs, then his card."""
    for place, function in functions[card]:
        found[place].append((function, side, key, 0))
    for place, function in functions[attached]:
        found[place].append((function, side, key, attached))


def _from_two(
    t: Table,
    found: Buckets,
    side: int,
    chief: int,
    his: Placed,
    beside: Placed,
) -> None:
    """The effects of one of the two, of those beside him whose SKILLs meddle, and of STRATEGY cards: where
    it makes no difference in which order they come."""
    _from(found, side, chief, t.card[chief], t.att[chief], his)
    for key in t.code.meddlers[side]:
        if key != chief and t.status[key] < 2 and t.pos[key] >= 0:
            for place, function in beside[t.card[key]]:
                found[place].append((function, side, key, 0))
    if t.strategies[side]:
        _from_strategies(t, found, side, beside)


def _from_the_row(
    t: Table,
    found: Buckets,
    side: int,
    chief: int,
    his: Placed,
    beside: Placed,
) -> None:
    """The effects of a player's whole row and of his STRATEGY cards; ``chief`` is one of the two."""
    card, att, status = t.card, t.att, t.status
    for key in t.rows[side]:
        if key == chief:
            _from(found, side, key, card[key], att[key], his)
        elif key >= 0 and status[key] < 2 and (beside[card[key]] or beside[att[key]]):
            _from(found, side, key, card[key], att[key], beside)
    _from_strategies(t, found, side, beside)


def _from_strategies(t: Table, found: Buckets, side: int, functions: Placed) -> None:
    for card in t.strategies[side]:
        for place, function in functions[card]:
            found[place].append((function, side, NOBODY, 0))


def _has_team_mate(t: Table, key: int) -> bool:
    """M-3: whether an own OPERATOR of the same TEAM is in RANGE."""
    row, place, team = t.rows[t.side[key]], t.pos[key], t.team[key]
    if team < 0:
        return False
    if place > 0:
        mate = row[place - 1]
        if mate >= 0 and t.team[mate] == team and t.status[mate] < 2:
            return True
    if place + 1 < len(row):
        mate = row[place + 1]
        return mate >= 0 and t.team[mate] == team and t.status[mate] < 2
    return False
