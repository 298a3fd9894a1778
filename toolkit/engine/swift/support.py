"""SUPPORT in its exact order (T-4): the twin of ``engine.support``."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.engine.swift.changing import came
from toolkit.engine.swift.codes import HIT, ITEM_CARD, NOBODY, NORMAL, OUT
from toolkit.engine.swift.events import run, settle
from toolkit.engine.swift.table import AWAY, Table
from toolkit.engine.swift.verbs import detach, discard, judge
from toolkit.engine.swift.ways import TARGETS

_RECOVERED = (NORMAL, NORMAL, HIT, OUT)
"""By status: that after EXHAUSTED OPERATORs have recovered."""


def support(t: Table) -> None:
    """The whole of SUPPORT up to the limit of the hand."""
    if any(t.att):
        _both(t, _discard_cards)
        if any(t.att):
            _both(t, _discard_items)
    status = t.status
    worst = max(status)
    if worst:
        status[:] = [_RECOVERED[one] for one in status]
    t.ready[:] = [up >> TARGETS for up in t.up]
    if t.unjudged:
        settle(t)
        worst = max(status)
    if worst >= HIT:
        _both(t, _exchange)
        _both(t, _retreat)
    if NOBODY in t.rows[0] or NOBODY in t.rows[1]:
        _both(t, _fill)
    if worst >= HIT:
        for saved in t.saved:
            for key in saved:
                if status[key] == HIT:
                    status[key] = NORMAL
    for side in (t.turn, 1 - t.turn):
        over = len(t.hands[side]) - t.rules.hand_limit
        if over > 0:
            discard(t, side, over)
    if t.unjudged:
        settle(t)


def _both(t: Table, part: Callable[[Table, int], bool]) -> None:
    """A part of both players, and H-1 where it has changed anything."""
    changed = part(t, t.turn)
    if part(t, 1 - t.turn) or changed:
        t.effects_done = 0
        if t.unjudged:
            judge(t)
        if t.queue:
            run(t)


def _discard_cards(t: Table, side: int) -> bool:
    """Attached ATTACK and DEFENCE cards go to the DISCARDZONE."""
    changed = False
    for key in t.rows[side]:
        if key >= 0:
            card = t.att[key]
            if card and t.kinds[card] != ITEM_CARD:
                detach(t, key)
                changed = True
    return changed


def _discard_items(t: Table, side: int) -> bool:
    """Attached ITEMs may go to the ITEMDISCARDZONE; it is asked for each."""
    changed = False
    for key in t.rows[side]:
        if key >= 0:
            card = t.att[key]
            if card and t.kinds[card] == ITEM_CARD and int(t.chance[side]() * 2):
                detach(t, key)
                changed = True
    return changed


def _substitutes(t: Table, side: int) -> list[int]:
    status = t.status
    return [key for key in t.saved[side] if status[key] < HIT]


def _choose(t: Table, side: int, keys: list[int]) -> int:
    """One of several OPERATORs; not asked where there is no choice."""
    return keys[0] if len(keys) == 1 else keys[int(t.chance[side]() * len(keys))]


def _exchange(t: Table, side: int) -> bool:
    """HIT and OUT OPERATORs are exchanged for face-up ones of the SAVEZONE, as long as there are some."""
    status = t.status
    fallen = [key for key in t.rows[side] if key >= 0 and status[key] >= HIT]
    substitutes = _substitutes(t, side) if fallen else []
    changed = bool(substitutes)
    while fallen and substitutes:
        leaving = _choose(t, side, fallen) if len(substitutes) < len(fallen) else fallen[0]
        place = t.pos[leaving]
        coming = _choose(t, side, substitutes)
        _clear(t, side, leaving)
        _place(t, side, coming, place)
        fallen.remove(leaving)
        substitutes.remove(coming)
    return changed


def _clear(t: Table, side: int, leaving: int) -> None:
    """A fallen OPERATOR leaves the FIELD: OUT for good, HIT to the SAVEZONE. Nothing lasts on him that would
    end now (H-2)."""
    detach(t, leaving)
    t.hit[leaving] = t.obj[leaving] = 0
    t.marked.discard(leaving)
    t.rows[side][t.pos[leaving]] = NOBODY
    t.pos[leaving] = AWAY * (1 + leaving)
    (t.gone if t.status[leaving] == OUT else t.saved)[side].append(leaving)


def _place(t: Table, side: int, coming: int, place: int) -> None:
    """One from the SAVEZONE comes to a free FIELDPOSITION."""
    t.saved[side].remove(coming)
    t.rows[side][place] = coming
    t.pos[coming] = place
    came(t, coming)


def _retreat(t: Table, side: int) -> bool:
    """HIT OPERATORs without a substitute go to the SAVEZONE until it is full; the others stay, HIT."""
    status = t.status
    hit = [key for key in t.rows[side] if key >= 0 and status[key] == HIT]
    places = t.rules.save_zone - len(t.saved[side])
    changed = bool(hit) and places > 0
    while hit and places > 0:
        leaving = _choose(t, side, hit) if places < len(hit) else hit[0]
        _clear(t, side, leaving)
        hit.remove(leaving)
        places -= 1
    return changed


def _fill(t: Table, side: int) -> bool:
    """Free FIELDPOSITIONs may be filled from the SAVEZONE, from left to right."""
    changed = False
    row = t.rows[side]
    for place, there in enumerate(list(row)):
        if there >= 0:
            continue
        substitutes = _substitutes(t, side)
        if not substitutes:
            continue
        options = [NOBODY, *substitutes]
        is_last_free = NOBODY not in row[place + 1 :]
        if is_last_free and not any(key >= 0 and t.status[key] < HIT for key in row):
            options = substitutes
        coming = _choose(t, side, options)
        if coming >= 0:
            _place(t, side, coming, place)
            changed = True
    return changed
