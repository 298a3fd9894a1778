"""Which ACTIONs are legal, as much as a random player needs to know: the twin of ``engine.legality``.

What is open to a player is one number (``ways``), put together from parts that are kept until something
changes them (``Table.stale``), and the list that belongs to a number is made once for all GAMEs.
"""

from __future__ import annotations

from toolkit.engine.swift.codes import BONUS, CANNOT, HINDERING, MP, NOT_ATTACKED, Held
from toolkit.engine.swift.numbers import number
from toolkit.engine.swift.standing import gather_auras, holding
from toolkit.engine.swift.table import EVERYTHING, Table
from toolkit.engine.swift.ways import (
    BARRED,
    EVERY_ACTION,
    KEPT,
    MAY_MOVE,
    NO_SWAPS,
    SEEN,
    TARGETS,
    Way,
    swaps_of,
    ways_of,
)


def choose(t: Table, side: int) -> Way | None:
    """The ACTION that a random player takes; None if he passes (T-3).

    Options are counted as ``legal_actions`` lists them: OPERATORs from left to right, for each his ordinary
    ACTIONs, then his BONUS ACTIONs. Passing comes first where only BONUS ACTIONs are left.
    """
    if t.stale:
        _refresh(t)
    if t.given[side] or t.code.known.bonus:
        return _choose_with_bonus(t, side)
    ready = t.ready[side]
    if not ready:
        return None
    bits = t.open[side]
    if t.unpaced[side] and bits & MAY_MOVE:
        bits = _find_swaps(t, side)
    enemy = 1 - side
    bits |= t.barred[side] | (_targets(t, enemy) if t.elusive[enemy] else t.up[enemy])
    bits &= SEEN[ready][bits & EVERY_ACTION]
    ways = KEPT[ready].get(bits)
    if ways is None:
        ways = ways_of(ready, bits)
    return ways[int(t.chance[side]() * len(ways))] if ways else None


def _choose_with_bonus(t: Table, side: int) -> Way | None:
    """The same where somebody may have a BONUS ACTION."""
    bits = _find_swaps(t, side) if t.unpaced[side] else t.open[side]
    bits |= t.barred[side] | _targets(t, 1 - side)
    offered: list[tuple[tuple[Way, ...], bool]] = []
    ready = t.ready[side]
    for place, key in enumerate(t.rows[side]):
        if key < 0 or t.status[key] >= 2 or t.used[key]:
            continue
        if t.bonuses[key] or t.code.known.bonus:
            so_far = ready & (2 << place) - 1
            ready ^= so_far
            offered.append((ways_of(so_far, bits), False))
            offered.append((ways_of(1 << place, bits & ~EVERY_ACTION | _bonus(t, key)), True))
    offered.append((ways_of(ready, bits), False))
    total, must = 0, False
    for ways, bonus in offered:
        total += len(ways)
        must = must or (not bonus and bool(ways))
    if not total:
        return None
    index = int(t.chance[side]() * total) if must else int(t.chance[side]() * (total + 1)) - 1
    if index >= 0:
        for ways, bonus in offered:
            if index < len(ways):
                return (*ways[index][:3], bonus)
            index -= len(ways)
    return None


# What is known of a table


def _refresh(t: Table) -> None:
    """Look again where something has changed."""
    if t.auras_stale:
        gather_auras(t)
    if t.stale & 1:
        _look(t, 0)
    if t.stale & 2:
        _look(t, 1)
    if t.stale == EVERYTHING:
        for unpaced, row in zip(t.unpaced, t.rows, strict=True):
            unpaced.update(row)
    t.stale = EVERYTHING if t.code.known.restless else 0


def _look(t: Table, side: int) -> None:
    """What effects forbid to a player's OPERATORs, and who may be protected: with his own functions if
    nothing else can."""
    bans: list[Held] = []
    elusive = []
    aspects, bound, auras = t.aspects, t.bound, t.aura_aspects
    barring = t.auras[CANNOT] if auras >> CANNOT & 1 else ()
    for key in t.rows[side]:
        own = aspects[key] | bound[key]
        if not (own | auras) & HINDERING or key < 0 or t.status[key] >= 2:
            continue
        if own >> CANNOT & 1:
            bans += holding(t, key, CANNOT)
        else:
            for function, controller, bearer in barring:
                function(controller, bearer, key, bans)
        if (own | auras) >> NOT_ATTACKED & 1:
            simple = not ((bound[key] | auras) >> NOT_ATTACKED & 1 or t.att[key])
            elusive.append((key, t.code.own[NOT_ATTACKED][t.card[key]] if simple else []))
    barred = 0
    for held in bans:
        barred |= held[2] << BARRED + 5 * t.pos[held[0]]
    t.barred[side], t.elusive[side] = barred, elusive


def _find_swaps(t: Table, side: int) -> int:
    """What is open to a player, with the bits of those who may be swapped (A-2a); the MP of those are found
    anew who may have others."""
    moves = t.moves[side]
    for key in t.unpaced[side]:
        place = t.pos[key]
        if key >= 0 <= place and t.status[key] < 2:
            moves[place] = number(t, key, MP)
    t.unpaced[side].clear()
    t.open[side] = found = t.open[side] & NO_SWAPS | swaps_of(t.rules.swap_mp, *moves)
    return found


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
