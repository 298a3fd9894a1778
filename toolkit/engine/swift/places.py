"""Who stands where to whom (R-1 to R-3), for generated functions: the twin of ``engine.geometry``."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.engine.swift.table import Table

Relation = Callable[[int, int], bool]


def relations(t: Table) -> dict[str, Relation]:
    """The relations of a table by the names that ``expressions`` gives them.

    Who stands on no FIELDPOSITION has a place far from all others (``AWAY``), also from another who stands on
    none.
    """
    pos, side, status = t.pos, t.side, t.status

    def in_range(who: int, of: int) -> bool:
        apart = pos[who] - pos[of]
        if apart < -1 or apart > 1 or status[who] >= 2:
            return False
        return apart != 0 or side[who] != side[of]

    def adjacent(one: int, two: int) -> bool:
        return side[one] == side[two] and pos[one] - pos[two] in (-1, 1)

    def opposite(one: int, two: int) -> bool:
        return pos[one] == pos[two] and side[one] != side[two]

    return {"in_range": in_range, "adjacent": adjacent, "opposite": opposite}
