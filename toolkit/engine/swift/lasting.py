"""What lasts on OPERATORs, and when it ends: the twin of ``engine.lapsing``."""

from __future__ import annotations

from toolkit.engine.swift.codes import ADD, DP, MP, PERMANENTLY, Lasting
from toolkit.engine.swift.counters import may_fall
from toolkit.engine.swift.table import Table


def add(t: Table, key: int, duration: int, stat: int, amount: int, controller: int, by_card: int) -> None:
    """What is added to a stat and lasts. **Ruling:** one who is HIT or OUT takes only what lasts
    `permanently`."""
    if t.status[key] >= 2 and duration != PERMANENTLY:
        return
    t.serial = serial = t.serial + 1
    t.lasting[key].append((serial, duration, stat, ADD, amount, controller, by_card, 0, 0, 0, 0))
    t.ends[duration].append(key)
    t.added[stat][key] += amount
    if stat == DP:
        if amount < 0 and t.hit[key]:
            may_fall(t, key)
    elif stat == MP:
        t.unpace(key)


def last(
    t: Table, key: int, duration: int, stat: int, layer: int, amount: int, controller: int, by_card: int
) -> None:
    """Another change of a stat that lasts."""
    if t.status[key] >= 2 and duration != PERMANENTLY:
        return
    t.serial += 1
    t.lasting[key].append((t.serial, duration, stat, layer, amount, controller, by_card, 0, 0, 0, 0))
    t.ends[duration].append(key)
    _settle(t, key)


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
    if t.status[key] >= 2 and duration != PERMANENTLY:
        return
    t.serial += 1
    one = (t.serial, duration, -1, 0, 0, controller, by_card, aspect, first, second, third)
    t.lasting[key].append(one)
    t.ends[duration].append(key)
    _settle(t, key)


def lapse(t: Table, duration: int) -> None:
    """End a duration for everyone at once."""
    keys = t.ends[duration]
    if keys:
        t.ends[duration] = []
        for key in set(keys):
            if t.heavy[key] or t.bound[key]:
                keep(t, key, [one for one in t.lasting[key] if one[1] != duration])
            else:
                _lapse_sums(t, key, duration)


def _lapse_sums(t: Table, key: int, duration: int) -> None:
    """The same for one on whom nothing lasts but what is added."""
    kept = []
    for one in t.lasting[key]:
        if one[1] != duration:
            kept.append(one)
            continue
        stat = one[2]
        t.added[stat][key] -= one[4]
        if stat == MP:
            t.unpace(key)
        elif stat == DP and one[4] > 0 and t.hit[key]:
            t.unjudged = True
    t.lasting[key] = kept


def keep(t: Table, key: int, kept: list[Lasting]) -> None:
    """Only this still lasts on an OPERATOR."""
    if len(kept) == len(t.lasting[key]):
        return
    t.lasting[key] = kept
    if kept or t.heavy[key] or t.bound[key]:
        _settle(t, key)
        return
    ap, ep, dp, mp = t.added
    if mp[key]:
        t.unpace(key)
    if dp[key] > 0 and t.hit[key]:
        t.unjudged = True
    ap[key] = ep[key] = dp[key] = mp[key] = 0


def _settle(t: Table, key: int) -> None:
    """What follows from what lasts on an OPERATOR, anew."""
    sums = [0, 0, 0, 0]
    heavy = bound = False
    for one in t.lasting[key]:
        if one[2] < 0:
            bound = True
        elif one[3] == ADD:
            sums[one[2]] += one[4]
        else:
            heavy = True
    if bound or t.bound[key] or heavy or t.heavy[key] or sums[MP] != t.added[MP][key]:
        t.doubt(key)
    if t.hit[key]:
        t.unjudged = True
    for stat in range(4):
        t.added[stat][key] = sums[stat]
    t.heavy[key], t.bound[key] = heavy, bound
