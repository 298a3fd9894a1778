"""HITCOUNTER and OBJECTIVECOUNTER, and OBJECTIVEs that are REACHED: the twin of ``engine.counters``."""

from __future__ import annotations

from toolkit.engine.swift.asking import push
from toolkit.engine.swift.changing import show
from toolkit.engine.swift.codes import DP
from toolkit.engine.swift.numbers import number
from toolkit.engine.swift.table import Table


def may_fall(t: Table, key: int) -> None:
    """Have H-1 judged if the HITCOUNTER of an OPERATOR has come up to his DP, or may have in this attack."""
    if (t.attacking and (t.code.known.changes_dp or t.held)) or t.hit[key] >= number(t, key, DP):
        t.unjudged = True


def has_reached(t: Table, key: int) -> bool:
    """A-2b: whether he has REACHED the OBJECTIVE of his FIELDPOSITION."""
    place = t.pos[key]
    return place >= 0 and t.status[key] < 2 and t.obj[key] >= t.needed[t.side[key]][place]


def set_hitcounter(t: Table, key: int, value: int) -> None:
    """The HITCOUNTER gets a new number; ``marked`` are those who have one."""
    t.hit[key] = value
    show(t, key)
    if value:
        t.marked.add(key)
    else:
        t.marked.discard(key)


def set_objectivecounter(t: Table, key: int, value: int) -> None:
    """The OBJECTIVECOUNTER gets a new number; an OBJECTIVE may be REACHED thereby."""
    reached = has_reached(t, key)
    t.obj[key] = value
    if not reached and has_reached(t, key):
        push(t, "reaches", (key,))


def count(t: Table, key: int, objective: int, amount: int) -> None:
    """A counter grows or shrinks, never below 0; none lies on one who is HIT or OUT."""
    if t.status[key] >= 2:
        return
    if objective:
        set_objectivecounter(t, key, max(0, t.obj[key] + amount))
    else:
        set_hitcounter(t, key, max(0, t.hit[key] + amount))
        t.unjudged = True
