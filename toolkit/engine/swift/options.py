"""Which ACTIONs are legal, as many as the random player needs to know: the twin of ``engine.legality``.

The ACTIONs of one OPERATOR depend on which are open to him, and on the places of those whom he may choose.
These are bits, together one number, and the list that belongs to a number is made once for all GAMEs.
"""

from __future__ import annotations

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
)
from toolkit.engine.swift.numbers import holding, number
from toolkit.engine.swift.table import Table

Way = int
"""8 * ACTION + the place of whom it chooses."""

Choice = tuple[int, Way, bool]
"""Who acts, how, and whether as a BONUS ACTION."""

_ATTACK, _MOVE, _MEDIC, _EVADE, _RELOAD = (1 << number for number in range(5))
_PLACES = range(8)
_BESIDE = tuple(sum(1 << other for other in _PLACES if abs(other - place) == 1) for place in _PLACES)
_NEAR = tuple(_BESIDE[place] | 1 << place for place in _PLACES)

_WAYS: dict[int, tuple[Way, ...]] = {}
MOST_WAYS = 1 << 16
"""So many lists of ACTIONs are kept; then they begin anew."""


def choose(t: Table, side: int) -> Choice | None:
    """The ACTION that a random player takes; None if he passes (T-3).

    Options are counted as ``legal_actions`` lists them: OPERATORs from left to right, for each his ordinary
    ACTIONs, then his BONUS ACTIONs. Passing comes first where only BONUS ACTIONs are left.
    """
    if t.stale or MP in t.code.watched:
        _refresh(t)
    status, bonuses = t.status, t.bonuses
    within, targets = t.open[side], _targets(t, 1 - side)
    cannot = t.code.standing[CANNOT]
    standing_bonus = t.code.standing[BONUS]
    offered: list[tuple[int, tuple[Way, ...], bool]] = []
    total = 0
    must = False
    for place, key in enumerate(t.rows[side]):
        if key < 0 or status[key] >= 2:
            continue
        forbidden = _forbidden(t, key) if cannot or t.bound[key] else 0
        if status[key] == NORMAL:
            ways = _ways(t, side, place, within & ~forbidden, targets)
            if ways:
                offered.append((key, ways, False))
                total += len(ways)
                must = True
        if (bonuses[key] or standing_bonus) and not t.used[key]:
            ways = _ways(t, side, place, _bonus(t, key) & ~forbidden, targets)
            if ways:
                offered.append((key, ways, True))
                total += len(ways)
    if not total:
        return None
    if must:
        index = int(t.chance[side]() * total)
    else:
        index = int(t.chance[side]() * (total + 1)) - 1
        if index < 0:
            return None
    for key, ways, bonus in offered:
        if index < len(ways):
            return key, ways[index], bonus
        index -= len(ways)
    raise AssertionError("the options were counted")


def _refresh(t: Table) -> None:
    """Who is face up in which place."""
    status = t.status
    for side in (0, 1):
        up, bit = 0, 1
        for key in t.rows[side]:
            if key >= 0 and status[key] < 2:
                up |= bit
            bit <<= 1
        t.up[side] = up
    t.stale = False
    t.swaps_stale[0] = t.swaps_stale[1] = True


def _bonus(t: Table, key: int) -> int:
    """The ACTIONs that he may perform as BONUS ACTIONs (K-3)."""
    bits = 0
    for one in t.bonuses[key]:
        bits |= one
    if t.code.standing[BONUS]:
        for held in holding(t, key, BONUS):
            bits |= held[2]
    return bits & t.rules.existing


def _forbidden(t: Table, key: int) -> int:
    """The ACTIONs that he cannot perform (M-8)."""
    bits = 0
    for held in holding(t, key, CANNOT):
        bits |= held[2]
    return bits


def _targets(t: Table, side: int) -> int:
    """The places of those who can be attacked."""
    up = t.up[side]
    if t.code.standing[NOT_ATTACKED] or NOT_ATTACKED in t.code.lasts:
        for place, key in enumerate(t.rows[side]):
            if up >> place & 1 and holding(t, key, NOT_ATTACKED):
                up &= ~(1 << place)
    return up


def _ways(t: Table, side: int, place: int, allowed: int, targets: int) -> tuple[Way, ...]:
    """The ACTIONs of one OPERATOR in the order of ``legal_actions``."""
    number_of_all = allowed
    if allowed & _ATTACK:
        number_of_all |= (targets & _NEAR[place]) << 8
    if allowed & _MEDIC:
        beside = t.up[side] & _BESIDE[place]
        if beside:
            number_of_all |= (beside & _wounded(t, side)) << 16
    if allowed & _MOVE:
        if t.swaps_stale[side]:
            _find_swaps(t, side)
        number_of_all |= t.swaps[side][place] << 24
    found = _WAYS.get(number_of_all)
    return _list_ways(number_of_all) if found is None else found


def _wounded(t: Table, side: int) -> int:
    """The places of those who have a HITCOUNTER."""
    found, bit, hit = 0, 1, t.hit
    for key in t.rows[side]:
        if key >= 0 and hit[key]:
            found |= bit
        bit <<= 1
    return found


def _find_swaps(t: Table, side: int) -> None:
    """For each place those with whom he who stands there may change places (A-2a)."""
    up, row, needed = t.up[side], t.rows[side], t.rules.swap_mp
    moves = [number(t, key, MP) if up >> place & 1 else 0 for place, key in enumerate(row)]
    found = []
    for place, one in enumerate(moves):
        bits, bit = 0, 1
        if up >> place & 1:
            for mate in moves:
                if up & bit and one + mate >= needed:
                    bits |= bit
                bit <<= 1
            bits &= ~(1 << place)
        found.append(bits)
    t.swaps[side] = found
    t.swaps_stale[side] = False


def _list_ways(bits: int) -> tuple[Way, ...]:
    """The list of ACTIONs that a number means, kept for the next time."""
    if len(_WAYS) >= MOST_WAYS:
        _WAYS.clear()
    found = [8 * ATTACK + place for place in _PLACES if bits >> 8 >> place & 1]
    if bits & _MOVE:
        found.append(8 * MOVE)
        found += [8 * SWAP + place for place in _PLACES if bits >> 24 >> place & 1]
    found += [8 * MEDIC + place for place in _PLACES if bits >> 16 >> place & 1]
    if bits & _EVADE:
        found.append(8 * EVADE)
    if bits & _RELOAD:
        found.append(8 * RELOAD)
    _WAYS[bits] = tuple(found)
    return _WAYS[bits]
