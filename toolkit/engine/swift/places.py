"""Who stands where to whom (R-1 to R-3), for generated functions: the twin of ``engine.geometry``."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.engine.swift.table import Table

Relation = Callable[[int, int], bool]


def relations(t: Table) -> dict[str, Relation]:
    """The relations of a table by the names that ``expressions`` gives them."""
    pos, side, status = t.pos, t.side, t.status

    def in_range(who: int, of: int) -> bool:
        if status[who] >= 2 or who == of:
            return False
        apart = pos[who] - pos[of]
        return apart in (-1, 1) or (apart == 0 and side[who] != side[of]) if _on_field(who, of) else False

    def adjacent(one: int, two: int) -> bool:
        return side[one] == side[two] and pos[one] - pos[two] in (-1, 1) and _on_field(one, two)

    def opposite(one: int, two: int) -> bool:
        return side[one] != side[two] and pos[one] == pos[two] and _on_field(one, two)

    def _on_field(one: int, two: int) -> bool:
        return pos[one] >= 0 and pos[two] >= 0

    return {"in_range": in_range, "adjacent": adjacent, "opposite": opposite}
