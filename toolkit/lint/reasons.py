"""Why a condition is certain, in a designer's words."""

from __future__ import annotations

from typing import Literal

from toolkit.dsl import tree
from toolkit.lint.known import Known
from toolkit.lint.polynomials import Form, Terms
from toolkit.lint.ranges import MOST_ON_A_SIDE, quantity_range
from toolkit.vocabulary import COUNTERS, RANGES

Verdict = Literal["never", "always"]


def quantity_reason(quantity: str) -> str:
    """The range of a QUANTITY as a sentence: "a VALUE is 0 to 20"."""
    low, high = quantity_range(quantity)
    if quantity.endswith(" VALUE"):
        return f"a VALUE is {low} to {high}"
    if quantity in RANGES:
        return f"{quantity} {'are' if quantity == 'SQUADPOINTS' else 'is'} {low} to {high}"
    sort = "a counter" if quantity in COUNTERS else "a current number"
    return f"{sort} is {low} to {high}"


def reason(leaf: tree.Condition, terms: Terms) -> str:
    """Why a condition without parts is certain."""
    known = terms.known
    match leaf:
        case tree.Comparison():
            return _comparison(leaf, terms)
        case tree.HasStatus():
            return _status(leaf, known)
        case tree.Stands():
            return _stands(leaf, known)
        case tree.Bears():
            return _bears(leaf, known)
        case _:
            return "the sentence waits for a CRITICAL attack"


def pair_reason(first: tree.Condition, second: tree.Condition) -> str:
    """The rule that two conditions break together, with its colon; empty where it is plain arithmetic."""
    match first, second:
        case tree.HasStatus(), tree.HasStatus():
            return ": an OPERATOR is one of NORMAL, EXHAUSTED, HIT and OUT at a time"
        case (tree.Bears(what="TEAM"), tree.Bears(what="TEAM")) if not (first.negated or second.negated):
            return ": an OPERATOR belongs to one TEAM"
        case (tree.Bears(), tree.Bears()) if {first.what, second.what}.isdisjoint({"TEAM", "trait"}):
            return ": an OPERATOR never has more than one card attached"
        case (tree.Stands(), tree.HasStatus()) | (tree.HasStatus(), tree.Stands()):
            return ": HIT and OUT OPERATORs are in nobody's RANGE"
        case tree.Stands(), tree.Stands():
            return (
                ": an adjacent or opposite OPERATOR is in RANGE" if first.relation != second.relation else ""
            )
        case _:
            return ""


# numbers


def _comparison(leaf: tree.Comparison, terms: Terms) -> str:
    left, right = terms.form(leaf.left), terms.form(leaf.right)
    if left is None or right is None:
        return "its two sides are certain"
    difference = {product: left.get(product, 0) - right.get(product, 0) for product in {**left, **right}}
    if not any(times for product, times in difference.items() if product):
        return _fixed_difference(difference.get((), 0))
    if set(left) & set(right) - {()}:
        low, high = terms.range_of(difference)
        return f"the left side minus the right side is always {low} to {high}"
    if _is_constant(right) and not isinstance(leaf.left, tree.Binary):
        return _number(leaf.left, left, terms)
    if _is_constant(left) and not isinstance(leaf.right, tree.Binary):
        return _number(leaf.right, right, terms)
    if set(left) - {()} or set(right) - {()}:
        return f"the left side is {_span(left, terms)}, the right side {_span(right, terms)}"
    return "its two sides are certain"


def _fixed_difference(difference: int) -> str:
    if difference == 0:
        return "both sides are always equal"
    more = "greater" if difference > 0 else "smaller"
    return f"the left side is always {abs(difference)} {more} than the right side"


def _is_constant(form: Form) -> bool:
    return not set(form) - {()}


def _span(form: Form, terms: Terms) -> str:
    low, high = terms.range_of(form)
    return str(low) if low == high else f"{low} to {high}"


def _number(number: tree.Number, form: Form, terms: Terms) -> str:
    match number:
        case tree.QuantityOf(quantity):
            bearer = terms.known.context.bearer
            low, high = terms.range_of(form)
            if bearer is not None and low == high:
                return f"the {quantity.text} printed on `{bearer.id}` is {low}"
            return quantity_reason(quantity.text)
        case tree.NumberOf():
            least, most = terms.range_of(form)
            if least:
                return f"the OPERATORs of this sentence are among them, so it is {least} to {most}"
            if most >= MOST_ON_A_SIDE - 1:
                return f"a side has at most {MOST_ON_A_SIDE} FIELDPOSITIONs, so it is 0 to {most}"
            return f"by their positions there are 0 to {most} of them"
        case tree.CardsInHand():
            return f"a number of cards is {_span(form, terms)}"
        case tree.Round():
            return f"ROUND is {_span(form, terms)}"
        case _:
            return f"this number is always {_span(form, terms)}"


# OPERATORs


def _status(leaf: tree.HasStatus, known: Known) -> str:
    if known.scope.attack and not known.scope.event:
        return "HIT and OUT OPERATORs take no part in an attack"
    return f"while `{leaf.ref.name}` is HIT or OUT, what it bears has no effect"


def _stands(leaf: tree.Stands, known: Known) -> str:
    first, second = known.name(leaf.ref.name), known.name(leaf.to.name)
    if first == second:
        same = "" if leaf.ref.name == leaf.to.name else f"`{leaf.ref.name}` is `{leaf.to.name}` here, and "
        return f"{same}an OPERATOR is never {_relation(leaf)} itself"
    if leaf.relation == "in RANGE":
        return "the attacked OPERATOR is in RANGE of the attacker"
    sides = known.scope.sides
    if leaf.relation == "adjacent" and sides.get(first) != sides.get(second):
        return f"`{leaf.ref.name}` and `{leaf.to.name}` are on different sides, and adjacent is one's own row"
    return f"`{leaf.ref.name}` and `{leaf.to.name}` are on the same side, and opposite is the other row"


def _relation(leaf: tree.Stands) -> str:
    return {"in RANGE": "in RANGE of", "adjacent": "adjacent to", "opposite": "opposite"}[leaf.relation]


def _bears(leaf: tree.Bears, known: Known) -> str:
    bearer = known.context.bearer
    if leaf.what == "TEAM" and bearer is not None:
        return f"`{bearer.id}` belongs to the TEAM `{bearer.team}`"
    if leaf.what == "trait" and bearer is not None and leaf.name is not None:
        has = "has" if leaf.name.text in bearer.traits else "does not have"
        return f"`{bearer.id}` {has} the trait `{leaf.name.text}`"
    return f"`{leaf.ref.name}` bears this very card, and never more than one"
