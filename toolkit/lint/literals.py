"""The single questions of a condition, in a form in which they can be compared with each other."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from operator import eq, ge, gt, le, lt, ne

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.lint.known import CARDS, Key, Known
from toolkit.lint.polynomials import Form, Product, Terms
from toolkit.lint.ranges import Range

Sum = tuple[tuple[Product, int], ...]
"""A sum without its constant part, reduced, its first product counted positively."""

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_EQUALITY = ("=", "!=")
_COMPARES: dict[str, Callable[[int, int], bool]] = {
    "=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip
_MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Measure(Struct, frozen=True):
    """``total`` is at least ``low``, at most ``high`` and not ``never``, as far as these are given."""

    total: Sum
    low: int | None = None
    high: int | None = None
    never: int | None = None


class Choice(Struct, frozen=True):
    """The answer to ``key`` is one of ``values``; with ``inside`` False it is none of them."""

    key: Key
    values: frozenset[object]
    inside: bool


Literal = Measure | Choice | bool
"""A question, or its answer where nothing is left to ask."""


def literal_of(leaf: tree.Condition, negated: bool, terms: Terms) -> Literal | None:
    """A condition without parts as a literal; None where it is too long to prove anything."""
    if isinstance(leaf, tree.Comparison):
        return _comparison(leaf, negated, terms)
    if isinstance(leaf, (tree.HasStatus, tree.Stands, tree.Bears, tree.AttackIsCritical)):
        key, values = _question(leaf, terms.known)
        return Choice(key, values, leaf.negated == negated)
    return None


def decided(literal: Literal, terms: Terms) -> bool | None:
    """True if the literal certainly holds, False if it certainly does not, else None."""
    if isinstance(literal, bool):
        return literal
    if isinstance(literal, Choice):
        answers = terms.known.answers(literal.key)
        if answers is None:
            return None
        matching = answers & literal.values if literal.inside else answers - literal.values
        return False if not matching else (True if matching == answers else None)
    return _measured(literal, terms.range_of(dict(literal.total)))


def _measured(measure: Measure, known: Range) -> bool | None:
    low, high = known
    if measure.never is not None:
        if low == high == measure.never:
            return False
        return None if low <= measure.never <= high else True
    least = low if measure.low is None else measure.low
    most = high if measure.high is None else measure.high
    if least > high or most < low:
        return False
    return True if least <= low and most >= high else None


def _question(
    leaf: tree.HasStatus | tree.Stands | tree.Bears | tree.AttackIsCritical, known: Known
) -> tuple[Key, frozenset[object]]:
    yes: frozenset[object] = frozenset((True,))
    if isinstance(leaf, tree.AttackIsCritical):
        return ("critical",), yes
    name = known.name(leaf.ref.name)
    if isinstance(leaf, tree.HasStatus):
        if leaf.status.text == "SUPPRESSED":
            return ("suppressed", name), yes
        return ("status", name), frozenset((leaf.status.text,))
    if isinstance(leaf, tree.Stands):
        return _stands(leaf.relation, name, known.name(leaf.to.name), known), yes
    if leaf.what == "TEAM" and leaf.name:
        return ("TEAM", name), frozenset((leaf.name.text,))
    if leaf.what == "trait" and leaf.name:
        return ("trait", name, leaf.name.text), yes
    return ("card", name), CARDS - {"none"} if leaf.what == "card" else frozenset((leaf.what,))


def _stands(relation: str, first: str, second: str, known: Known) -> Key:
    """One key for all ways to say the same.

    Adjacent and opposite go both ways; in RANGE does where both are upright (R-1, R-2), and on one side it is
    then the same as adjacent.
    """
    if relation == "in RANGE":
        if not (known.is_upright(first) and known.is_upright(second)):
            return relation, first, second
        sides = known.scope.sides
        if first != second and first in sides and sides[first] == sides.get(second):
            relation = "adjacent"
    return relation, *sorted((first, second))


def _comparison(leaf: tree.Comparison, negated: bool, terms: Terms) -> Literal | None:
    left, right = terms.form(leaf.left), terms.form(leaf.right)
    if left is None or right is None:
        return None
    form = dict(left)
    for product, times in right.items():
        form[product] = form.get(product, 0) - times
    constant = form.pop((), 0)
    compare = _OPPOSITE[leaf.compare] if negated else leaf.compare
    return _reduced(form, compare, -constant)


def _reduced(form: Form, compare: str, number: int) -> Literal:
    """``form compare number`` with its common factor taken out."""
    products = sorted(product for product, times in form.items() if times)
    if not products:
        return _holds(0, compare, number)
    factor = gcd(*(form[product] for product in products))
    if form[products[0]] < 0:
        factor, compare = -factor, _MIRRORED[compare]
    total = tuple((product, form[product] // factor) for product in products)
    if compare in _EQUALITY:
        if number % factor:
            return compare == "!="
        wanted = number // factor
        return Measure(total, never=wanted) if compare == "!=" else Measure(total, wanted, wanted)
    floor = number // factor
    exact = number % factor == 0
    if compare == "<":
        return Measure(total, high=floor - 1 if exact else floor)
    if compare == "<=":
        return Measure(total, high=floor)
    if compare == ">":
        return Measure(total, low=floor + 1)
    return Measure(total, low=floor if exact else floor + 1)


def _holds(left: int, compare: str, right: int) -> bool:
    return _COMPARES[compare](left, right)


def holds_within(compare: str, number: int, known: Range) -> bool | None:
    """Whether every value of a range compares so with a number (True), none does (False), or some (None)."""
    low, high = known
    verdicts = {_holds(low, compare, number), _holds(high, compare, number)}
    if compare in _EQUALITY:
        if not low <= number <= high:
            return compare == "!="
        return verdicts.pop() if low == high else None
    return verdicts.pop() if len(verdicts) == 1 else None
