"""How many OPERATORs a GROUP has at least, because the sentence speaks of some who certainly belong to it."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.lint.known import Known

_FIGHTERS = ("attacker", "attacked")


def least_members(group: tree.Group, known: Known) -> int:
    """The number; 0 where nobody is certain to be in it."""
    if group.team or group.trait or group.quantity or group.status or group.adjacent or group.opposite:
        return 0
    fighting = known.are_fighting(*_FIGHTERS)
    if group.in_range is not None:
        centre = known.name(group.in_range.of.name if group.in_range.of else "self")
        other = {"attacker": "attacked", "attacked": "attacker"}.get(centre)
        return int(bool(fighting and other and _belongs(other, group, known)))
    found = sum(_belongs(name, group, known) for name in _FIGHTERS) if fighting else 0
    alone = known.is_upright(known.name("self")) and group.side in ("own", "any") and not group.other
    return max(found, int(alone))


def _belongs(name: str, group: tree.Group, known: Known) -> bool:
    """Whether an upright OPERATOR of the attack is in the GROUP; ``other`` leaves out whoever may be self."""
    side = known.scope.sides.get(name)
    if side is None or group.side not in ("any", side):
        return False
    if not group.other:
        return True
    itself = known.name("self")
    return itself != name and (itself in _FIGHTERS or side == "enemy")
