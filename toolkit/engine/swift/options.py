"""Which ACTIONs are legal, as much as a random player needs to know: the twin of ``engine.legality``.

The ACTIONs of an OPERATOR depend on which are open to him and on the places of those whom he may choose.
These are bits; together they are one number, and the list that belongs to a number is made once for all
GAMEs. What they are made of is kept until somebody moves (``Table.stale``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from toolkit.engine.swift.codes import (
    ATTACK,
    BONUS,
    CANNOT,
    EVADE,
    MEDIC,
    MOVE,
    MP,
    NORMAL,
    NOT_ATTACKED,
    RELOAD,
    SWAP,
    Held,
    StandingHeld,
)
from toolkit.engine.swift.numbers import gather_auras, holding, number
from toolkit.engine.swift.table import Table

Way = int
"""8 * ACTION + the place of whom it chooses."""

Choice = tuple[int, Way, bool]
"""Who acts, how, and whether as a BONUS ACTION."""

_ATTACK, _MOVE, _MEDIC, _EVADE, _RELOAD = (1 << number for number in range(5))
_PLACES = range(8)
_BESIDE = tuple(sum(1 << other for other in _PLACES if abs(other - place) == 1) for place in _PLACES)
_NEAR = tuple(_BESIDE[place] | 1 << place for place in _PLACES)
_DOWN = -1
"""In place of the MP of a FIELDPOSITION where nobody is face up."""
_TARGETS, _WOUNDED, _SWAPS = 8, 16, 24
"""Where the bits of places stand in a number."""
_SEEN = tuple(
    _ATTACK | _MOVE | _MEDIC | _EVADE | _RELOAD | near << _TARGETS | beside << _WOUNDED
    for near, beside in zip(_NEAR, _BESIDE, strict=True)
)
"""What concerns an OPERATOR in a place: ACTIONs, the targets in his RANGE and the mates next to him."""
_NO_SWAPS = (0,) * len(_PLACES)
_ALL_PLACES = (1 << len(_PLACES)) - 1
_LOOKED_AT = 1 << NOT_ATTACKED | 1 << CANNOT
_KEPT: dict[int, tuple[Way, ...]] = {}
MOST_KEPT = 1 << 16
"""So many lists of ACTIONs are kept."""


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
            bits = open_to_all & _SEEN[place] | swaps[place]
            ways = _KEPT.get(bits) or _list_ways(bits)
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
            ways = _ways(open_to_all & _SEEN[place] | swaps[place], forbidden)
            must = must or bool(ways)
            total += len(ways)
            offered.append((key, ways, False))
        if (t.bonuses[key] or t.code.known.bonus) and not t.used[key]:
            bits, swaps_now = _known(t, side, _bonus(t, key))
            ways = _ways(bits & _SEEN[place] | swaps_now[place], forbidden)
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
    if bits & _ATTACK:
        enemy = 1 - side
        bits |= _targets(t, enemy) if t.elusive[enemy] else t.up[enemy]
    if bits & _MEDIC and t.marked:
        bits |= _wounded(t, side)
    if bits & _MOVE:
        return bits, t.swaps[side] or _find_swaps(t, side)
    return bits, _NO_SWAPS


def _ways(bits: int, forbidden: int) -> tuple[Way, ...]:
    """The ACTIONs that a number means, without those that are forbidden."""
    bits &= ~forbidden
    return _KEPT.get(bits) or _list_ways(bits)


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
        up, bit = 0, 1 << _TARGETS
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
                        barred = barred or [0] * len(_PLACES)
                        barred[place] = forbidden
            bit <<= 1
        t.up[side], t.elusive[side], t.barred[side], t.swaps[side] = up, elusive, barred, ()
    t.stale = 0


def _forbidden(t: Table, key: int) -> int:
    """What an OPERATOR cannot perform, as bits to be taken away with those that belong to it."""
    bits = 0
    for held in holding(t, key, CANNOT):
        bits |= held[2]
    if bits & _ATTACK:
        bits |= _ALL_PLACES << _TARGETS
    if bits & _MEDIC:
        bits |= _ALL_PLACES << _WOUNDED
    return bits | _ALL_PLACES << _SWAPS if bits & _MOVE else bits


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
            found |= 1 << _WOUNDED + t.pos[key]
    return found


def _find_swaps(t: Table, side: int) -> tuple[int, ...]:
    """For each place bits of the places with which it may be swapped (A-2a)."""
    values, added, status, aspects, heavy = t.values[MP], t.added[MP], t.status, t.aspects, t.heavy
    for_all, floor = t.aura_aspects, t.rules.floor
    moves = []
    for key in t.rows[side]:
        if key < 0 or status[key] >= 2:
            moves.append(_DOWN)
        elif heavy[key] or (aspects[key] | for_all) >> MP & 1:
            moves.append(number(t, key, MP))
        else:
            value = values[key] + added[key]
            moves.append(value if value > floor else floor)
    t.swaps[side] = found = _swaps(t.rules.swap_mp, *moves)
    return found


# What follows from it


@lru_cache(MOST_KEPT)
def _swaps(needed: int, *moves: int) -> tuple[int, ...]:
    """The same from the MP of all places."""
    return tuple(
        sum(
            1 << there + _SWAPS
            for there, mate in enumerate(moves)
            if there != place and _DOWN not in (one, mate) and one + mate >= needed
        )
        for place, one in enumerate(moves)
    )


def _list_ways(bits: int) -> tuple[Way, ...]:
    """The list of ACTIONs that a number means, in the order of ``legal_actions``."""
    found = [8 * ATTACK + place for place in _PLACES if bits >> _TARGETS >> place & 1]
    if bits & _MOVE:
        found.append(8 * MOVE)
        found += [8 * SWAP + place for place in _PLACES if bits >> _SWAPS >> place & 1]
    found += [8 * MEDIC + place for place in _PLACES if bits >> _WOUNDED >> place & 1]
    if bits & _EVADE:
        found.append(8 * EVADE)
    if bits & _RELOAD:
        found.append(8 * RELOAD)
    if len(_KEPT) >= MOST_KEPT:
        _KEPT.clear()
    _KEPT[bits] = tuple(found)
    return _KEPT[bits]
