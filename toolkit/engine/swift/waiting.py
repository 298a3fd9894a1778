"""Which effects wait for their time in an attack: the twin of ``engine.attack.begin_attack``."""

from __future__ import annotations

from toolkit.engine.swift.code import Placed
from toolkit.engine.swift.codes import NOBODY
from toolkit.engine.swift.table import Buckets, Table


def gather(t: Table) -> Buckets:
    """Every effect that could act, in the order SUPPRESSION, M-11, TEAMWORK (``engine.attack``)."""
    code, a, d, s = t.code, t.a, t.d, t.s
    attacker, attacked = code.attacker, code.attacked
    found = t.waiting
    for bucket in found:
        bucket.clear()
    for place, functions in attacker[code.suppression]:
        found[place].append((functions, s, a, 0))
    for place, functions in attacked[code.suppression]:
        found[place].append((functions, 1 - s, d, 0))
    if code.in_row_order:
        _from_the_row(t, found, a, attacker, code.beside_attacker)
        _from_the_row(t, found, d, attacked, code.beside_attacked)
    else:
        _from_two(t, found, a, attacker, code.beside_attacker)
        _from_two(t, found, d, attacked, code.beside_attacked)
    if attacker[code.teamwork] and _has_team_mate(t, a):
        for place, functions in attacker[code.teamwork]:
            found[place].append((functions, s, a, 0))
    if attacked[code.teamwork] and _has_team_mate(t, d):
        for place, functions in attacked[code.teamwork]:
            found[place].append((functions, 1 - s, d, 0))
    return found


def _from_two(t: Table, found: Buckets, chief: int, his: Placed, beside: Placed) -> None:
    """The effects of one of the two, of those beside him whose SKILLs meddle, and of STRATEGY cards: where
    it makes no difference in which order they come."""
    side, attached = t.side[chief], t.att[chief]
    for place, functions in his[t.card[chief]]:
        found[place].append((functions, side, chief, 0))
    if attached:
        for place, functions in his[attached]:
            found[place].append((functions, side, chief, attached))
    for key in t.code.meddlers[side]:
        if key != chief and t.status[key] < 2 and t.pos[key] >= 0:
            for place, functions in beside[t.card[key]]:
                found[place].append((functions, side, key, 0))
    for card in t.strategies[side]:
        for place, functions in beside[card]:
            found[place].append((functions, side, NOBODY, 0))


def _from_the_row(t: Table, found: Buckets, chief: int, his: Placed, beside: Placed) -> None:
    """The effects of a player's whole row and of his STRATEGY cards; ``chief`` is one of the two."""
    side = t.side[chief]
    for key in t.rows[side]:
        if key >= 0 and (key == chief or t.status[key] < 2):
            placed = his if key == chief else beside
            for card, attached in ((t.card[key], 0), (t.att[key], t.att[key])):
                for place, functions in placed[card]:
                    found[place].append((functions, side, key, attached))
    for card in t.strategies[side]:
        for place, functions in beside[card]:
            found[place].append((functions, side, NOBODY, 0))


def _has_team_mate(t: Table, key: int) -> bool:
    """M-3: whether an own OPERATOR of the same TEAM is in RANGE."""
    row, place, mates, status = t.rows[t.side[key]], t.pos[key], t.mates[key], t.status
    if place > 0:
        mate = row[place - 1]
        if mate in mates and status[mate] < 2:
            return True
    place += 1
    if place < len(row):
        mate = row[place]
        return mate in mates and status[mate] < 2
    return False
