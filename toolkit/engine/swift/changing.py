"""What is no longer known of a table when somebody moves or falls, or a card is laid or discarded.

What stands is kept (``Table.kept``) and so is what is open (``options``); every change forgets as much of it
as it can have changed, by what is known of the cards of the match (``Known``).
"""

from __future__ import annotations

from toolkit.engine.swift.code import Asked
from toolkit.engine.swift.codes import ATTACHED, HINDERING, IGNORES, MP, NOBODY, NORMAL
from toolkit.engine.swift.table import BOTH, EVERYTHING, Table
from toolkit.engine.swift.ways import DOWN, TARGETS, WOUNDED


def came(t: Table, key: int) -> None:
    """An OPERATOR has come to a FIELDPOSITION, or he is face up again there."""
    _another(t, key)
    show(t, key)
    t.unpace(key)
    if t.auras_stale or (t.aspects[key] | t.bound[key] | t.aura_aspects) & HINDERING:
        t.stale |= 1 << t.side[key]


def show(t: Table, key: int) -> None:
    """What of him counts for ``options``: he is face up on a FIELDPOSITION, whether NORMAL, his
    HITCOUNTER."""
    side, place = t.side[key], t.pos[key]
    if place >= 0:
        t.up[side] |= 1 << TARGETS + place
        t.ready[side] &= ~(1 << place)
        t.open[side] &= ~(1 << WOUNDED + place)
        if t.status[key] == NORMAL:
            t.ready[side] |= 1 << place
        if t.hit[key]:
            t.open[side] |= 1 << WOUNDED + place


def fell(t: Table, key: int) -> None:
    """He is no longer face up: nobody may choose him and he does not act (R-2)."""
    _another(t, key)
    side, place = t.side[key], t.pos[key]
    if place >= 0:
        t.up[side] &= ~(1 << TARGETS + place)
        t.ready[side] &= ~(1 << place)
        t.open[side] &= ~(1 << WOUNDED + place)
        t.moves[side][place] = DOWN
        t.unpaced[side].add(NOBODY)
        if t.elusive[side] or t.barred[side]:
            t.stale |= 1 << side


def swapped(t: Table, side: int, one: int, two: int) -> None:
    """Two of a player who are face up have changed places, with their counters."""
    known = t.code.known
    if known.dp_by_place:
        t.unjudged = True
    if known.asks_places:
        _forget(t, known.asks_places, side)
    if known.opens_by_place:
        _reopen(t, known.opens_by_place, side)
    if t.barred[side]:
        t.stale |= 1 << side
    first, second = t.rows[side][one], t.rows[side][two]
    if t.status[first] != t.status[second]:
        t.ready[side] ^= 1 << one | 1 << two
    if (t.hit[first] > 0) != (t.hit[second] > 0):
        t.open[side] ^= (1 << one | 1 << two) << WOUNDED
    moves = t.moves[side]
    moves[one], moves[two] = moves[two], moves[one]
    t.unpaced[side].add(NOBODY)


def laid(t: Table, card: int, key: int) -> None:
    """A card has come onto an OPERATOR or a strategy position (NOBODY), or has gone."""
    code = t.code
    known = code.known
    if not known.stands[card]:
        return
    far = key < 0 or known.reaches[card]
    if far:
        t.auras_stale = True
        t.forget_all()
    else:
        for aspect in code.own_list[card]:
            t.kept[aspect].pop(key, None)
    if known.weakens[card] and (far or t.hit[key]):
        t.unjudged = True
    if known.opens[card]:
        if far:
            t.stale = EVERYTHING
        else:
            t.doubt(key)


def _another(t: Table, key: int) -> None:
    """There is one more or one fewer who acts and counts."""
    code = t.code
    known, kept = code.known, t.kept
    if known.dp_by_place:
        t.unjudged = True
    for aspect in known.standing:
        kept[aspect].pop(key, None)
    auras = code.auras[t.card[key]]
    if auras:
        t.auras_stale = True
        for aspect, _ in auras:
            kept[aspect].clear()
        if known.opens[t.card[key]]:
            t.stale = EVERYTHING
    if known.asks:
        _forget(t, known.asks, t.side[key])
    if known.opens_by_others:
        _reopen(t, known.opens_by_others, t.side[key])


def _forget(t: Table, what: Asked, side: int) -> None:
    """What stands of an aspect is no longer known, since one of a player's has changed."""
    for aspect, key, near in what:
        if key < 0:
            t.kept[aspect].clear()
        elif not near or t.side[key] == side:
            t.kept[aspect].pop(key, None)


def _reopen(t: Table, what: Asked, side: int) -> None:
    """What is open has to be looked at again, if there are such effects on the table."""
    for aspect, key, near in what:
        if key < 0:
            if key == ATTACHED or t.auras_stale or t.aura_aspects >> aspect & 1:
                t.stale |= EVERYTHING if aspect in (MP, IGNORES) else BOTH
        elif not near or t.side[key] == side:
            if aspect == MP:
                t.unpace(key)
            else:
                t.doubt(key)
