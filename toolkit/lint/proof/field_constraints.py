"""Constraints that the rows of the FIELD put on FIELDPOSITIONs and on the number of members of GROUPs.

Opposite OPERATORs have the same FIELDPOSITION; those adjacent or in RANGE differ by at most one (R-1). A
GROUP has no more members than a wider one, and at the end of a row fewer have room beside an OPERATOR.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.dsl import tree
from toolkit.lint.proof.domains import YES, Domains
from toolkit.lint.proof.literals import Bound, Choice, Sum
from toolkit.lint.proof.polynomials import Variables


def implied_bounds(choices: Sequence[Choice], variables: Variables) -> list[Bound]:
    """Return what the rules imply about the variables of a case in which these choices hold."""
    positions: dict[str, int] = {}
    groups: dict[tree.Group, int] = {}
    for n, key in enumerate(variables.keys):
        if isinstance(key, tree.Group):
            groups[key] = n
        elif isinstance(key, tuple) and key[0] == "FIELDPOSITION":
            positions[key[1]] = n
    found: list[Bound] = []
    if len(positions) > 1:
        found += _distances(choices, positions, variables.domains)
    if len(groups) > 1:
        found += _subsets(groups)
    if groups and positions:
        found += _room(groups, positions, variables.domains)
    return found


def _difference(one: int, other: int) -> Sum:
    """Return one variable minus the other, or the reverse: the smaller index is first and positive."""
    return (((min(one, other),), 1), ((max(one, other),), -1))


def _distances(choices: Sequence[Choice], positions: dict[str, int], domains: Domains) -> Iterator[Bound]:
    """How far apart two OPERATORs stand. Every bound is symmetric, so the sign of the difference is free."""
    near = domains.context.given.fixed_range
    if near and {"attacker", "attacked"} <= positions.keys() and domains.are_fighting("attacker", "attacked"):
        yield Bound(_difference(positions["attacker"], positions["attacked"]), -1, 1)
    sides = domains.scope.sides
    for choice in choices:
        if len(choice.key) != 3 or choice.values != YES:
            continue
        relation, first, second = choice.key
        if first not in positions or second not in positions or first == second:
            continue
        if "it" in (first, second) or (relation == "in RANGE" and not near):
            continue  # of several, `it`, any may be meant
        distance = _difference(positions[first], positions[second])
        if choice.inside:
            if relation == "opposite":
                yield Bound(distance, 0, 0)
            elif relation in ("in RANGE", "adjacent"):
                yield Bound(distance, -1, 1)
            if relation == "adjacent":
                yield Bound(distance, never=0)
        elif not domains.scope.event and first in sides and second in sides:
            # that a relation does not hold says something only of two that stand on the FIELD in known rows
            if relation == "opposite" and sides[first] != sides[second]:
                yield Bound(distance, never=0)
            elif relation == "adjacent" and sides[first] == sides[second]:
                yield Bound(distance, never=1)
                yield Bound(distance, never=-1)


def _subsets(groups: dict[tree.Group, int]) -> Iterator[Bound]:
    for narrow, few in groups.items():
        for wide, many in groups.items():
            if few != many and is_subset(narrow, wide):
                low, high = (0, None) if many < few else (None, 0)
                yield Bound(_difference(few, many), low, high)


def is_subset(narrow: tree.Group, wide: tree.Group) -> bool:
    """Whether every member of the first GROUP is certainly one of the second.

    That is so if each filter of the wide one is a filter of the narrow one too. A status differs: a GROUP
    without one has only OPERATORs that are neither HIT nor OUT.
    """
    if wide.side not in ("any", narrow.side) or (wide.other and not narrow.other):
        return False
    if wide.superlative is not None:
        return wide == narrow  # E-9: the highest of some need not be the highest of more
    if wide.status != narrow.status and not (wide.status is None and _is_upright(narrow.status)):
        return False
    filters = ("team", "in_range", "adjacent", "opposite")
    if wide.savezone != narrow.savezone or not set(wide.withs) <= set(narrow.withs):
        return False
    return all(getattr(wide, name) in (None, getattr(narrow, name)) for name in filters)


def _is_upright(status: tree.StatusFilter | None) -> bool:
    if status is None or status.negated:
        return True
    return {"HIT", "OUT"}.isdisjoint(word.text for word in (status.status, *status.others))


def _room(groups: dict[tree.Group, int], positions: dict[str, int], domains: Domains) -> Iterator[Bound]:
    """At FIELDPOSITION 1 one place is beside an OPERATOR, and two of the other row are in RANGE.

    So a GROUP near an OPERATOR has at most FIELDPOSITION members in its row, and FIELDPOSITION + 1 in the
    other one; from position 2 on that bound is wider than that of ``most_members``.
    """
    for group, number in groups.items():
        near = group.adjacent
        if near is None and group.in_range and domains.context.given.fixed_range:
            near = group.in_range.of or tree.Ref("self")
        name = domains.name(near.name) if near else ""
        side = domains.scope.sides.get(near.name) if near else None
        if group.savezone:
            continue
        if name not in positions or side is None or domains.scope.event:
            continue
        if group.adjacent or group.side == side:
            more = 0
        elif group.side != "any":
            more = 1
        else:
            continue
        between = _difference(number, positions[name])
        yield Bound(between, high=more) if number < positions[name] else Bound(between, low=-more)
