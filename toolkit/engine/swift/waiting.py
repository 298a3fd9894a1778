"""Which effects wait for their time in an attack: the twin of ``engine.attack.begin_attack``.

What waits with an OPERATOR's SKILLs is always the same, and with a player's STRATEGY cards until he plays
another: it is made before. Only who takes part is found anew in each attack.
"""

from __future__ import annotations

from toolkit.engine.swift.code import Bucketed, Cast, Waiting
from toolkit.engine.swift.codes import NOBODY
from toolkit.engine.swift.table import Buckets, Table

ATTACKER, ATTACKED, BESIDE_ATTACKER, BESIDE_ATTACKED = range(4)
"""The parts of a bearer in an attack: he is one of the two, or another of the same player."""
_BESIDE = 2
"""What makes one of the two parts that of another."""


def gather(t: Table, a: int, d: int) -> Buckets:
    """Every effect that could act, in the order SUPPRESSION, M-11, TEAMWORK (``engine.attack``)."""
    found = t.waiting
    for bucket in found:
        if bucket:
            bucket.clear()
    if t.code.in_row_order:
        _from_the_rows(t, found, a, d)
    else:
        _from_two(t, found, a, ATTACKER)
        _from_two(t, found, d, ATTACKED)
    return found


def _from_two(t: Table, found: Buckets, chief: int, role: int) -> None:
    """The effects of one of the two with SUPPRESSION and TEAMWORK, of others beside him whose SKILLs meddle,
    and of STRATEGY cards: where it makes no difference in which order they come."""
    code, attached, side = t.code, t.att[chief], t.side[chief]
    casts = code.teamed if _has_team_mate(t, chief) else code.alone
    for place, some in casts[role][chief]:
        found[place] += some
    if attached and code.in_attack[role][attached]:
        for place, waiting in worn(t, role, attached, chief):
            found[place].append(waiting)
    for key in code.meddlers[side]:
        if key != chief and t.status[key] < 2 and t.pos[key] >= 0:
            for place, waiting in code.borne[role + _BESIDE][key]:
                found[place].append(waiting)
    for place, waiting in t.tactics[side][role]:
        found[place].append(waiting)


def borne(t: Table, role: int, number: int, bearer: int, card: int) -> Cast:
    """What a card makes wait for the OPERATOR who bears it; ``card`` if it must still be attached."""
    functions = t.code.in_attack[role][number]
    return tuple([(place, (function, t.side[bearer], bearer, card)) for place, function in functions])


def worn(t: Table, role: int, card: int, bearer: int) -> Cast:
    """The same of a card that is attached, made once."""
    number = (card * len(t.card) + bearer) * _BESIDE + role
    cast = t.code.worn.get(number)
    if cast is None:
        cast = t.code.worn[number] = borne(t, role, card, bearer, card)
    return cast


def plan_casts(t: Table) -> None:
    """What always waits with an OPERATOR: his SKILLs; of one of the two SUPPRESSION and TEAMWORK too."""
    code, keys = t.code, range(len(t.card))
    roles = (ATTACKER, ATTACKED, BESIDE_ATTACKER, BESIDE_ATTACKED)
    code.borne = [[borne(t, role, t.card[key], key, 0) for key in keys] for role in roles]
    code.alone, code.teamed = (
        [[_in_buckets(_chief(t, role, key, teamed)) for key in keys] for role in roles[:_BESIDE]]
        for teamed in (False, True)
    )


def _chief(t: Table, role: int, key: int, teamed: bool) -> Cast:
    """What always waits with one of the two."""
    cast = borne(t, role, t.code.suppression, key, 0) + t.code.borne[role][key]
    return cast + borne(t, role, t.code.teamwork, key, 0) if teamed else cast


def _in_buckets(cast: Cast) -> Bucketed:
    """The same sorted by buckets."""
    found: dict[int, list[Waiting]] = {}
    for place, waiting in cast:
        found.setdefault(place, []).append(waiting)
    return tuple(found.items())


def plan_tactics(t: Table, side: int) -> None:
    """What the STRATEGY cards of a player make wait, on the attacking side and on the other."""
    t.tactics[side] = [
        [
            (place, (function, side, NOBODY, 0))
            for card in t.strategies[side]
            for place, function in placed[card]
        ]
        for placed in t.code.in_attack[_BESIDE:]
    ]


def _from_the_rows(t: Table, found: Buckets, a: int, d: int) -> None:
    """The same where it matters who comes first: both players' whole rows, from left to right."""
    chiefs = ((a, ATTACKER), (d, ATTACKED))
    cast: Cast = ()
    for key, role in chiefs:
        cast += borne(t, role, t.code.suppression, key, 0)
    for key, role in chiefs:
        cast += _from_the_row(t, key, role)
    for key, role in chiefs:
        if _has_team_mate(t, key):
            cast += borne(t, role, t.code.teamwork, key, 0)
    for place, waiting in cast:
        found[place].append(waiting)


def _from_the_row(t: Table, chief: int, role: int) -> Cast:
    """The effects of a player's whole row and of his STRATEGY cards; ``chief`` is one of the two."""
    side = t.side[chief]
    cast: Cast = ()
    for key in t.rows[side]:
        if key >= 0 and (key == chief or t.status[key] < 2):
            part = role if key == chief else role + _BESIDE
            cast += borne(t, part, t.card[key], key, 0) + borne(t, part, t.att[key], key, t.att[key])
    return cast + tuple(t.tactics[side][role])


def _has_team_mate(t: Table, key: int) -> bool:
    """M-3: whether an own OPERATOR of the same TEAM is in RANGE."""
    mates = t.mates[key]
    if not mates:
        return False
    row, place, status = t.rows[t.side[key]], t.pos[key], t.status
    if place:
        mate = row[place - 1]
        if mate in mates and status[mate] < 2:
            return True
    place += 1
    if place < len(row):
        mate = row[place]
        return mate in mates and status[mate] < 2
    return False
