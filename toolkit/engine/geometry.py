"""Who stands where to whom: adjacent, opposite, in RANGE (F-1, R-1 to R-3)."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.dsl import tree
from toolkit.engine.state import OperatorState


def adjacent(one: OperatorState, two: OperatorState) -> bool:
    """Same row, next place. Seen from HIT and OUT OPERATORs too: they lie where they fell."""
    if one.position is None or two.position is None or one.side != two.side:
        return False
    return abs(one.position - two.position) == 1


def opposite(one: OperatorState, two: OperatorState) -> bool:
    """Other row, same place (F-1)."""
    return one.position is not None and one.side != two.side and one.position == two.position


def in_range(who: OperatorState, of: OperatorState) -> bool:
    """Whether ``who`` is in RANGE of ``of``: own ones next to him, the enemy opposite and those next to that.

    R-2: a HIT or OUT OPERATOR is in nobody's RANGE. **Ruling:** the RANGE of one who has just become HIT is
    seen from the place where he lies, so that his own `when self becomes HIT` can speak of it. R-3: nobody is
    in RANGE of himself.
    """
    if who.position is None or of.position is None or who.key == of.key or not who.is_up:
        return False
    apart = abs(who.position - of.position)
    return apart == 1 if who.side == of.side else apart <= 1


def stands_as(who: OperatorState, group: tree.Group, named: Callable[[str], OperatorState | None]) -> bool:
    """Whether he stands where a GROUP says; ``named`` gives the OPERATOR that a REF means, or none."""
    if group.in_range is not None:
        of = named(group.in_range.of.name if group.in_range.of else "self")
        if of is None or not in_range(who, of):
            return False
    if group.adjacent is not None:
        to = named(group.adjacent.name)
        if to is None or not adjacent(who, to):
            return False
    if group.opposite is not None:
        to = named(group.opposite.name)
        return to is not None and opposite(who, to)
    return True
