"""How small and how great the numbers of the language can be (LANGUAGE.md §1, RULES.md §3)."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope
from toolkit.vocabulary import RANGES

Range = tuple[int, int]
"""Least and greatest value, both possible."""

MOST_ON_A_SIDE = RANGES["FIELDPOSITION"][1]
"""A row has no more FIELDPOSITIONs (F-1)."""

MOST_IN_RANGE = 5
"""R-1: two places beside an OPERATOR, three on the other side."""


def quantity_range(quantity: str) -> Range:
    """The range of a QUANTITY: ``AP VALUE``, ``HITCOUNTER``, ``FIELDPOSITION`` …"""
    if quantity.endswith(" VALUE"):
        return RANGES["VALUE"]
    return RANGES.get(quantity, RANGES["current"])


def most_members(group: tree.Group, scope: Scope) -> int:
    """How many OPERATORs a GROUP has at most, by the places it leaves (F-1, R-1)."""
    most = MOST_ON_A_SIDE * (2 if group.side == "any" else 1)
    if group.in_range is not None:
        centre = scope.sides.get(group.in_range.of.name if group.in_range.of else "self")
        most = min(most, _in_range(group.side, centre))
    if group.adjacent is not None:
        most = min(most, 2)
    if group.opposite is not None:
        most = min(most, 1)
    elif group.other and group.side != "enemy" and not (group.in_range or group.adjacent):
        most -= 1  # self stands on one of the places
    return most


def _in_range(side: str, centre: str | None) -> int:
    if side == "any" or centre is None:
        return MOST_IN_RANGE
    return 2 if side == centre else 3
