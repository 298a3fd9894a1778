"""Whether two WHOs can mean the same OPERATOR."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope
from toolkit.lint.context import EffectContext
from toolkit.lint.known import Known
from toolkit.lint.polynomials import Terms
from toolkit.lint.proof import can_hold
from toolkit.lint.sides import side_of

_MEMBER = tree.Ref("member")
"""Stands for an OPERATOR of two GROUPs, about whom nothing is known but their filters."""


def can_be_same(
    first: tree.Who,
    second: tree.Who,
    given: tuple[tree.Condition, ...],
    scope: Scope,
    context: EffectContext,
) -> bool:
    """Whether an OPERATOR can be meant by both, while the given conditions hold. False is certain."""
    known = Known(scope, context)
    if not _sides_meet(first, second, scope):
        return False
    if isinstance(first, tree.Ref) and isinstance(second, tree.Ref):
        names = {known.name(first.name), known.name(second.name)}
        if names == {"attacker", "attacked"}:
            return False
        return not given or can_hold(tree.AllOf(given), Terms(known))
    ref = next((who for who in (first, second) if isinstance(who, tree.Ref)), _MEMBER)
    conditions = list(given)
    for who in (first, second):
        if isinstance(who, (tree.One, tree.Every)):
            if who.group.other and known.name(ref.name) == known.name("self"):
                return False
            conditions += filters_as_conditions(who.group, ref)
    return not conditions or can_hold(tree.AllOf(tuple(conditions)), Terms(known))


def filters_as_conditions(group: tree.Group, ref: tree.Ref) -> list[tree.Condition]:
    """What a GROUP's filters say about one of its members."""
    found: list[tree.Condition] = []
    if group.team:
        found.append(tree.Bears(ref, "TEAM", group.team))
    if group.in_range:
        found.append(tree.Stands(ref, "in RANGE", group.in_range.of or tree.Ref("self")))
    if group.adjacent:
        found.append(tree.Stands(ref, "adjacent", group.adjacent))
    if group.opposite:
        found.append(tree.Stands(ref, "opposite", group.opposite))
    if group.trait:
        found.append(tree.Bears(ref, "trait", group.trait))
    if group.quantity:
        number = group.quantity.number
        limit: tree.Number = tree.Constant(abs(number))
        limit = tree.Negative(limit) if number < 0 else limit
        measured = tree.QuantityOf(group.quantity.quantity, ref)
        found.append(tree.Comparison(measured, group.quantity.compare, limit))
    if group.status:
        found.append(tree.HasStatus(ref, group.status.status, group.status.negated))
    return found


def _sides_meet(first: tree.Who, second: tree.Who, scope: Scope) -> bool:
    sides = [side_of(who, scope) for who in (first, second)]
    return None in sides or sides[0] == sides[1]
