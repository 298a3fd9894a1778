"""Which ACTIONs are legal, as much as a random player needs to know: the twin of ``engine.legality``.

What is open to a player is one number (``ways``), put together from parts that are kept until something
changes them (``Table.stale``), and the list that belongs to a number is made once for all GAMEs.
"""

from __future__ import annotations

from toolkit.engine.swift.codes import BONUS, CANNOT, MP, NORMAL, NOT_ATTACKED, Held
from toolkit.engine.swift.numbers import number
from toolkit.engine.swift.standing import gather_auras, holding
from toolkit.engine.swift.table import BOTH, DOUBTFUL, ONE_BARRED, Table
from toolkit.engine.swift.ways import (
    BARRED,
    DOWN,
    EVERY_ACTION,
    KEPT,
    MAY_ATTACK,
    MAY_MOVE,
    MAY_TREAT,
    SEEN,
    TARGETS,
    WOUNDED,
    Way,
    swaps_of,
    ways_of,
)


def choose(t: Table, side: int) -> Way | None:
    """The ACTION that a random player takes; None if he passes (T-3).

    Options are counted as ``legal_actions`` lists them: OPERATORs from left to right, for each his ordinary
    ACTIONs, then his BONUS ACTIONs. Passing comes first where only BONUS ACTIONs are left.
    """
    known = t.code.known
    if t.stale or known.restless:
        _refresh(t)
    if t.given[side] or known.bonus:
        return _choose_with_bonus(t, side)
    ready = t.ready[side]
    if not ready:
        return None
    bits = _open(t, side, t.open[side])
    ways = KEPT[ready].get(bits & SEEN[ready])
    if ways is None:
        ways = ways_of(ready, bits)
    return ways[int(t.chance[side]() * len(ways))] if ways else None


def _choose_with_bonus(t: Table, side: int) -> Way | None:
    """The same where somebody may have a BONUS ACTION."""
    offered: list[tuple[tuple[Way, ...], bool]] = []
    total = 0
    must = False
    bits = _open(t, side, t.open[side])
    for place, key in enumerate(t.rows[side]):
        if key < 0 or t.status[key] >= 2:
            continue
        if t.status[key] == NORMAL:
            ways = ways_of(1 << place, bits)
            must = must or bool(ways)
            total += len(ways)
            offered.append((ways, False))
        if (t.bonuses[key] or t.code.known.bonus) and not t.used[key]:
            ways = ways_of(1 << place, _open(t, side, _bonus(t, key)))
            total += len(ways)
            offered.append((ways, True))
    if not total:
        return None
    index = int(t.chance[side]() * total) if must else int(t.chance[side]() * (total + 1)) - 1
    if index >= 0:
        for ways, bonus in offered:
            if index < len(ways):
                return (*ways[index][:3], bonus)
            index -= len(ways)
    return None


def _open(t: Table, side: int, bits: int) -> int:
    """The number of what is open to a player who may perform these ACTIONs."""
    if bits & MAY_ATTACK:
        enemy = 1 - side
        bits |= _targets(t, enemy) if t.elusive[enemy] else t.up[enemy]
    if bits & MAY_TREAT:
        bits |= t.wounded[side]
    if bits & MAY_MOVE:
        swaps = t.swaps[side]
        bits |= _find_swaps(t, side) if swaps < 0 else swaps
    return bits | t.barred[side]


# What is known of a table


def _refresh(t: Table) -> None:
    """Look again where something has changed."""
    if t.auras_stale:
        gather_auras(t)
    stale = BOTH if t.code.known.restless else t.stale
    for side in (0, 1) if stale != DOUBTFUL else ():
        if stale >> side & 1:
            t.up[side] = t.ready[side] = t.wounded[side] = t.barred[side] = 0
            t.elusive[side] = []
            t.moves[side] = [DOWN] * len(t.rows[side])
            for key in t.rows[side]:
                if key >= 0:
                    _look(t, key)
                    t.unpace(key)
        elif stale >> side & ONE_BARRED:
            for key in t.rows[side]:
                if key >= 0:
                    _bar(t, key)
    if t.doubtful:
        for key in t.doubtful:
            _look(t, key)
        t.doubtful.clear()
    t.stale = 0


def _look(t: Table, key: int) -> None:
    """An OPERATOR on the FIELD: whether he is face up, NORMAL or has a HITCOUNTER, whether an effect may
    protect him, and what is forbidden to him."""
    place, status = t.pos[key], t.status[key]
    if place < 0 or status >= 2:
        return
    side, bit = t.side[key], 1 << place
    t.up[side] |= bit << TARGETS
    if status:
        t.ready[side] &= ~bit
    else:
        t.ready[side] |= bit
    if t.hit[key]:
        t.wounded[side] |= bit << WOUNDED
    else:
        t.wounded[side] &= ~(bit << WOUNDED)
    if t.code.known.protects:
        _protect(t, key)
    if t.code.known.forbids:
        _bar(t, key)


def _find_swaps(t: Table, side: int) -> int:
    """The bits of those who may be swapped (A-2a); the MP of those are found anew who may have others."""
    moves = t.moves[side]
    for key in t.unpaced[side]:
        place = t.pos[key]
        if place >= 0:
            moves[place] = DOWN if t.status[key] >= 2 else number(t, key, MP)
    t.unpaced[side].clear()
    t.swaps[side] = found = swaps_of(t.rules.swap_mp, *moves)
    return found


def _protect(t: Table, key: int) -> None:
    """Whether an effect may protect him, with his own functions if nothing else can."""
    side = t.side[key]
    if t.elusive[side]:
        t.elusive[side] = [one for one in t.elusive[side] if one[0] != key]
    if (t.aspects[key] | t.aura_aspects) >> NOT_ATTACKED & 1 or t.bound[key]:
        simple = not (t.bound[key] or t.aura_aspects >> NOT_ATTACKED & 1 or t.att[key])
        t.elusive[side].append((key, t.code.own[NOT_ATTACKED][t.card[key]] if simple else []))


def _bar(t: Table, key: int) -> None:
    """What effects forbid to him."""
    side, field = t.side[key], BARRED + 5 * t.pos[key]
    if t.barred[side]:
        t.barred[side] &= ~(EVERY_ACTION << field)
    if t.bound[key] or t.aspects[key] >> CANNOT & 1:
        found = holding(t, key, CANNOT)
    elif t.aura_aspects >> CANNOT & 1:
        found = []
        for function, controller, bearer in t.auras[CANNOT]:
            function(controller, bearer, key, found)
    else:
        return
    for held in found:
        t.barred[side] |= held[2] << field


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
    for key, functions in t.elusive[side]:
        found: list[Held] = []
        for function in functions:
            function(side, key, key, found)
        if found or (not functions and holding(t, key, NOT_ATTACKED)):
            up &= ~(1 << TARGETS + t.pos[key])
    return up
