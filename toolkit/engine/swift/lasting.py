"""What lasts on OPERATORs, and when it ends: the twin of ``engine.lapsing``.

What is added to stats is summed up (``Table.until``); generated functions do that themselves (``clauses``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

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
    ends = t.ends[duration]
    if ends:
        _end(t, ends, duration)
        ends.clear()


def lapse_for(t: Table, key: int, durations: Sequence[int]) -> None:
    """End durations for one OPERATOR alone."""
    for duration in durations:
        ends = t.ends[duration]
        if key in ends:
            _end(t, (key,), duration)
            ends.remove(key)


def _end(t: Table, keys: Collection[int], duration: int) -> None:
    hit = t.hit
    for stat in t.code.known.adds[duration]:
        sums, added = t.until[duration][stat], t.added[stat]
        for key in keys:
            amount = sums[key]
            if amount:
                sums[key] = 0
                added[key] -= amount
                if stat == DP:
                    if amount > 0 and hit[key]:
                        t.unjudged = True
                elif stat == MP:
                    t.unpace(key)
    for key in keys:
        if t.lasting[key]:
            _keep(t, key, [one for one in t.lasting[key] if one[1] != duration])


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
