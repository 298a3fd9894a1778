"""Which ACTIONs are legal, as much as a random player needs to know: the twin of ``engine.legality``.

The ACTIONs of an OPERATOR depend on which are open to him and on the places of those whom he may choose.
These are bits; together they are one number, and the list that belongs to a number is made once for all
GAMEs. What they are made of is kept until somebody moves (``Table.stale``).
"""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.engine.swift.codes import (
    BONUS,
    CANNOT,
    MP,
    NORMAL,
    NOT_ATTACKED,
    Held,
    StandingHeld,
)
from toolkit.engine.swift.numbers import gather_auras, holding, number
from toolkit.engine.swift.table import Table
from toolkit.engine.swift.ways import (
    ALL_PLACES,
    DOWN,
    KEPT,
    MAY_ATTACK,
    MAY_MOVE,
    MAY_TREAT,
    NO_SWAPS,
    PLACES,
    SEEN,
    SWAPS,
    TARGETS,
    WOUNDED,
    Way,
    list_ways,
    swaps_of,
)

Choice = tuple[int, Way, bool]
"""Who acts, how, and whether as a BONUS ACTION."""

_LOOKED_AT = 1 << NOT_ATTACKED | 1 << CANNOT


def choose(t: Table, side: int) -> Choice | None:
    """The ACTION that a random player takes; None if he passes (T-3).

    Options are counted as ``legal_actions`` lists them: OPERATORs from left to right, for each his ordinary
    ACTIONs, then his BONUS ACTIONs. Passing comes first where only BONUS ACTIONs are left.
    """
    if t.stale or t.code.known.restless:
        _refresh(t)
    if t.given >> side & 1 or t.barred[side] or t.code.known.bonus:
        return _choose_with_care(t, side)
    open_to_all, swaps = _known(t, side, t.open[side])
    offered: list[tuple[int, tuple[Way, ...]]] = []
    total = 0
    status = t.status
    for place, key in enumerate(t.rows[side]):
        if key >= 0 and not status[key]:
            bits = open_to_all & SEEN[place] | swaps[place]
            ways = KEPT.get(bits) or list_ways(bits)
            offered.append((key, ways))
            total += len(ways)
    if not total:
        return None
    index = int(t.chance[side]() * total)
    for key, ways in offered:
        if index < len(ways):
            return key, ways[index], False
        index -= len(ways)
    return None


def _choose_with_care(t: Table, side: int) -> Choice | None:
    """The same where somebody may have a BONUS ACTION, or an effect forbids an ACTION (M-8)."""
    offered: list[tuple[int, tuple[Way, ...], bool]] = []
    total = 0
    must = False
    barred = t.barred[side]
    open_to_all, swaps = _known(t, side, t.open[side])
    for place, key in enumerate(t.rows[side]):
        if key < 0 or t.status[key] >= 2:
            continue
        forbidden = barred[place] if barred else 0
        if t.status[key] == NORMAL:
            ways = _ways(open_to_all & SEEN[place] | swaps[place], forbidden)
            must = must or bool(ways)
            total += len(ways)
            offered.append((key, ways, False))
        if (t.bonuses[key] or t.code.known.bonus) and not t.used[key]:
            bits, swaps_now = _known(t, side, _bonus(t, key))
            ways = _ways(bits & SEEN[place] | swaps_now[place], forbidden)
            total += len(ways)
            offered.append((key, ways, True))
    if not total:
        return None
    index = int(t.chance[side]() * total) if must else int(t.chance[side]() * (total + 1)) - 1
    if index >= 0:
        for key, ways, bonus in offered:
            if index < len(ways):
                return key, ways[index], bonus
            index -= len(ways)
    return None


def _known(t: Table, side: int, allowed: int) -> tuple[int, Sequence[int]]:
    """The number of ACTIONs that are open to a player, as they are seen from every place; and the swaps of
    each place."""
    bits = allowed
    if bits & MAY_ATTACK:
        enemy = 1 - side
        bits |= _targets(t, enemy) if t.elusive[enemy] else t.up[enemy]
    if bits & MAY_TREAT and t.marked:
        bits |= _wounded(t, side)
    if bits & MAY_MOVE:
        return bits, t.swaps[side] or _find_swaps(t, side)
    return bits, NO_SWAPS


def _ways(bits: int, forbidden: int) -> tuple[Way, ...]:
    """The ACTIONs that a number means, without those that are forbidden."""
    bits &= ~forbidden
    return KEPT.get(bits) or list_ways(bits)


# What is known of a table


def _refresh(t: Table) -> None:
    """Who is face up in which place, whom an effect may protect, and what effects forbid."""
    if t.auras_stale:
        gather_auras(t)
    status, aspects, bound, for_all = t.status, t.aspects, t.bound, t.aura_aspects
    own = t.code.own[NOT_ATTACKED]
    for side in (0, 1):
        if not t.stale >> side & 1 and not t.code.known.restless:
            continue
        up, bit = 0, 1 << TARGETS
        elusive: list[tuple[int, int, list[StandingHeld]]] = []
        barred: list[int] = []
        for place, key in enumerate(t.rows[side]):
            if key >= 0 and status[key] < 2:
                up |= bit
                if (aspects[key] | for_all) & _LOOKED_AT or bound[key]:
                    simple = not (bound[key] or for_all >> NOT_ATTACKED & 1 or t.att[key])
                    elusive.append((key, ~bit, own[t.card[key]] if simple else []))
                    forbidden = _forbidden(t, key)
                    if forbidden:
                        barred = barred or [0] * len(PLACES)
                        barred[place] = forbidden
            bit <<= 1
        t.up[side], t.elusive[side], t.barred[side], t.swaps[side] = up, elusive, barred, ()
    t.stale = 0


def _forbidden(t: Table, key: int) -> int:
    """What an OPERATOR cannot perform, as bits to be taken away with those that belong to it."""
    bits = 0
    for held in holding(t, key, CANNOT):
        bits |= held[2]
    if bits & MAY_ATTACK:
        bits |= ALL_PLACES << TARGETS
    if bits & MAY_TREAT:
        bits |= ALL_PLACES << WOUNDED
    return bits | ALL_PLACES << SWAPS if bits & MAY_MOVE else bits


def _bonus(t: Table, key: int) -> int:
    """The ACTIONs that he may perform as BONUS ACTIONs (K-3)."""
    bits = 0
    for one in t.bonuses[key]:
        bits |= one
    if t.code.known.bonus:
        for held in holding(t, key, BONUS):
            bits |= held[2]
    return bits & t.rules.existing


def _targets(t: Table, side: int) -> int:
    """The places of those who can be attacked."""
    up = t.up[side]
    for key, without, functions in t.elusive[side]:
        found: list[Held] = []
        for function in functions:
            function(side, key, key, found)
        if found or (not functions and holding(t, key, NOT_ATTACKED)):
            up &= without
    return up


def _wounded(t: Table, side: int) -> int:
    """The places of those who have a HITCOUNTER; it lies on nobody who is HIT or OUT (H-2)."""
    found = 0
    for key in t.marked:
        if t.side[key] == side:
            found |= 1 << WOUNDED + t.pos[key]
    return found


def _find_swaps(t: Table, side: int) -> tuple[int, ...]:
    """For each place bits of the places with which it may be swapped (A-2a)."""
    values, added, status, aspects, heavy = t.values[MP], t.added[MP], t.status, t.aspects, t.heavy
    for_all, floor = t.aura_aspects, t.rules.floor
    moves = []
    for key in t.rows[side]:
        if key < 0 or status[key] >= 2:
            moves.append(DOWN)
        elif heavy[key] or (aspects[key] | for_all) >> MP & 1:
            moves.append(number(t, key, MP))
        else:
            value = values[key] + added[key]
            moves.append(value if value > floor else floor)
    t.swaps[side] = found = swaps_of(t.rules.swap_mp, *moves)
    return found
