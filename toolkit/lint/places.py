"""What the rows of the FIELD say about numbers: FIELDPOSITIONs of OPERATORs, and how many a GROUP has.

Whoever is opposite has the same FIELDPOSITION, whoever is adjacent or in RANGE one that is near (R-1). A
GROUP has no more members than a wider one, and at the end of a row fewer have room beside an OPERATOR.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.dsl import tree
from toolkit.lint.known import Known
from toolkit.lint.literals import Choice, Measure
from toolkit.lint.polynomials import Product, Terms

_POSITION = "FIELDPOSITION"
_NEVER_WIDER = ("side", "other", "status")
_NEAR = ("in RANGE", "adjacent")


def implied(choices: Sequence[Choice], terms: Terms) -> list[Measure]:
    """What holds about the numbers of a case beside what it says, as far as both numbers are in it."""
    positions: dict[str, int] = {}
    groups: dict[tree.Group, int] = {}
    for n, atom in enumerate(terms.atoms):
        if isinstance(atom, tree.Group):
            groups[atom] = n
        elif isinstance(atom, tuple) and atom[0] == _POSITION:
            positions[atom[1]] = n
    found: list[Measure] = []
    if len(positions) > 1:
        found += _positions(choices, positions, terms.known)
    if len(groups) > 1:
        found += _subsets(groups)
    if groups and positions:
        found += _room(groups, positions, terms.known)
    return found


# FIELDPOSITIONs


def _positions(choices: Sequence[Choice], positions: dict[str, int], known: Known) -> Iterator[Measure]:
    if {"attacker", "attacked"} <= positions.keys() and known.are_fighting("attacker", "attacked"):
        yield Measure(_difference(positions["attacker"], positions["attacked"]), -1, 1)
    for choice in choices:
        if len(choice.key) == 3 and choice.values == {True}:
            relation, first, second = choice.key
            if first in positions and second in positions and first != second:
                between = _difference(positions[first], positions[second])
                yield from (_holds if choice.inside else _fails)(relation, between, first, second, known)


def _holds(relation: str, between: tuple[tuple[Product, int], ...], *_: object) -> Iterator[Measure]:
    if relation == "opposite":
        yield Measure(between, 0, 0)
    elif relation in _NEAR:
        yield Measure(between, -1, 1)
        if relation == "adjacent":
            yield Measure(between, never=0)


def _fails(
    relation: str, between: tuple[tuple[Product, int], ...], first: str, second: str, known: Known
) -> Iterator[Measure]:
    """Only where both certainly stand in rows that are known."""
    sides = known.scope.sides
    if known.scope.event or first not in sides or second not in sides:
        return
    if relation == "opposite" and sides[first] != sides[second]:
        yield Measure(between, never=0)
    elif relation == "adjacent" and sides[first] == sides[second]:
        yield Measure(between, never=1)
        yield Measure(between, never=-1)


def _difference(one: int, other: int) -> tuple[tuple[Product, int], ...]:
    """The one minus the other, the smaller index first and counted positively, as sums are written."""
    return (((min(one, other),), 1), ((max(one, other),), -1))


# GROUPs


def _subsets(groups: dict[tree.Group, int]) -> Iterator[Measure]:
    for narrow, few in groups.items():
        for wide, many in groups.items():
            if few != many and is_subset(narrow, wide):
                low, high = (0, None) if many < few else (None, 0)
                yield Measure(_difference(few, many), low, high)


def is_subset(narrow: tree.Group, wide: tree.Group) -> bool:
    """Whether every member of the first is certainly one of the second."""
    if wide.side not in ("any", narrow.side) or (wide.other and not narrow.other):
        return False
    if wide.status != narrow.status and not (wide.status is None and _is_upright(narrow.status)):
        return False
    filters = [name for name in tree.said_by(tree.Group) if name not in _NEVER_WIDER]
    return all(getattr(wide, name) in (None, getattr(narrow, name)) for name in filters)


def _is_upright(status: tree.StatusFilter | None) -> bool:
    """Whether a filter leaves only OPERATORs who are neither HIT nor OUT."""
    return status is None or status.negated or status.status.text not in ("HIT", "OUT")


def _room(groups: dict[tree.Group, int], positions: dict[str, int], known: Known) -> Iterator[Measure]:
    """At FIELDPOSITION 1 one place is beside an OPERATOR, and two of the other row are in RANGE."""
    for group, number in groups.items():
        near = group.adjacent or (group.in_range.of or tree.Ref("self") if group.in_range else None)
        name = known.name(near.name) if near else ""
        side = known.scope.sides.get(near.name) if near else None
        if name not in positions or side is None or known.scope.event:
            continue
        # members <= FIELDPOSITION (own row), <= FIELDPOSITION + 1 (the other row)
        if group.adjacent or group.side == side:
            more = 0
        elif group.side != "any":
            more = 1
        else:
            continue
        first = number < positions[name]
        between = _difference(number, positions[name])
        yield Measure(between, high=more) if first else Measure(between, low=-more)
