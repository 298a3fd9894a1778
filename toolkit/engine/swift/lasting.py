"""What lasts on OPERATORs, and when it ends: the twin of ``engine.lapsing``.

What is added to stats is summed up (``Table.sums``); generated functions do that themselves (``clauses``).
"""

from __future__ import annotations

from toolkit.engine.swift.codes import DP, HINDERING, IGNORES, MP, PERMANENTLY, Lasting
from toolkit.engine.swift.table import Table


def last(
    t: Table, key: int, duration: int, stat: int, layer: int, amount: int, controller: int, by_card: int
) -> None:
    """A change of a stat that lasts and is no addition. **Ruling:** one who is HIT or OUT takes only what
    lasts `permanently`."""
    _begin(t, key, (t.serial + 1, duration, stat, layer, amount, controller, by_card, 0, 0, 0, 0))


def hold(
    t: Table,
    key: int,
    duration: int,
    aspect: int,
    first: int,
    second: int,
    third: int,
    controller: int,
    by_card: int,
) -> None:
    """Something else that lasts."""
    _begin(t, key, (t.serial + 1, duration, -1, 0, 0, controller, by_card, aspect, first, second, third))


def _begin(t: Table, key: int, one: Lasting) -> None:
    if t.status[key] < 2 or one[1] == PERMANENTLY:
        t.serial = one[0]
        t.ends[one[1]].add(key)
        _keep(t, key, [*t.lasting[key], one])


def lapse(t: Table, duration: int) -> None:
    """End a duration for everyone at once."""
    for stat, place in t.code.lapses[duration]:
        sums = t.sums[stat]
        added, rest = sums[0], sums[place]
        if stat == DP:
            for key in t.marked:
                if added[key] > rest[key]:
                    t.unjudged = True
        elif stat == MP:
            for key, amount in enumerate(rest):
                if amount != added[key]:
                    t.unpace(key)
        for shorter in sums[:place]:
            shorter[:] = rest
    ends = t.ends[duration]
    if ends:
        for key in ends:
            _keep(t, key, [one for one in t.lasting[key] if one[1] != duration])
        ends.clear()


def lapse_of(t: Table, key: int) -> None:
    """What does not last `permanently` ends for one who falls (H-2)."""
    for sums in t.sums:
        rest = sums[-1][key]
        for one in sums:
            one[key] = rest
    if t.lasting[key]:
        _keep(t, key, [one for one in t.lasting[key] if one[1] == PERMANENTLY])


def _keep(t: Table, key: int, kept: list[Lasting]) -> None:
    """This lasts on an OPERATOR beside what is added."""
    if len(kept) == len(t.lasting[key]):
        return
    t.lasting[key] = kept
    heavy, bound = t.heavy[key], t.bound[key]
    t.heavy[key], t.bound[key] = False, 0
    for one in kept:
        if one[2] >= 0:
            t.heavy[key] = True
        else:
            t.bound[key] |= 1 << one[7]
    bound |= t.bound[key]
    if bound & HINDERING:
        t.doubt(key)
    if heavy or t.heavy[key] or bound >> IGNORES & 1:
        t.unpace(key)
        if t.hit[key]:
            t.unjudged = True
