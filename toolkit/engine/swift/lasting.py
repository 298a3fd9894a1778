"""What lasts on OPERATORs, and when it ends: the twin of ``engine.lapsing``."""

from __future__ import annotations

from toolkit.engine.swift.codes import ADD, DP, MP, PERMANENTLY, UNTIL_ATTACK
from toolkit.engine.swift.counters import may_fall
from toolkit.engine.swift.table import BOTH, Table


def last(
    t: Table, key: int, duration: int, stat: int, layer: int, amount: int, controller: int, by_card: int
) -> None:
    """A change of a stat that lasts. **Ruling:** one who is HIT or OUT takes only what lasts
    `permanently`."""
    if t.status[key] >= 2 and duration != PERMANENTLY:
        return
    t.serial += 1
    t.lasting[key].append((t.serial, duration, stat, layer, amount, controller, by_card, 0, 0, 0, 0))
    if duration == UNTIL_ATTACK:
        t.brief = True
    if layer == ADD:
        t.added[stat][key] += amount
        if stat == DP and amount < 0 and t.hit[key]:
            may_fall(t, key)
        elif stat == MP:
            t.stale = BOTH
    else:
        t.settle_lasting(key)


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
    if duration == UNTIL_ATTACK:
        t.brief = True
    t.settle_lasting(key)


def lapse(t: Table, duration: int) -> None:
    """End a duration for everyone at once."""
    for key, lasting in enumerate(t.lasting):
        if lasting:
            kept = [one for one in lasting if one[1] != duration]
            if len(kept) != len(lasting):
                t.keep_lasting(key, kept)
