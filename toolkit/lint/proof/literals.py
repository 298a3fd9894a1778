"""Literals: the single questions of a condition, in a normal form in which two can contradict each other."""

from __future__ import annotations

from math import gcd

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.lint.proof.domains import CARDS, YES, Domains, Key, Range
from toolkit.lint.proof.polynomials import CONSTANT, Polynomial, Product, Variables
from toolkit.vocabulary.comparisons import COMPARE, MIRRORED, OPPOSITE

Sum = tuple[tuple[Product, int], ...]
"""Products with their coefficients, without constant part and common factor; the first one is positive."""


QUESTIONS = (
    tree.HasStatus, tree.Stands, tree.Bears, tree.AttackIsCritical, tree.HasReached, tree.HasTeamOf,
    tree.HasPerformed, tree.TurnIs,
)  # fmt: skip
"""The conditions that are a question with a few answers."""


class Bound(Struct, frozen=True):
    """A linear constraint: ``total`` is at least ``low``, at most ``high`` and not ``never``, where given."""

    total: Sum
    low: int | None = None
    high: int | None = None
    never: int | None = None

    def holds_within(self, values: Range) -> bool | None:
        """Whether it holds for each total within a range (True), for none (False), or for some (None)."""
        low, high = values
        if self.never is not None:
            if low == high == self.never:
                return False
            return None if low <= self.never <= high else True
        least = low if self.low is None else self.low
        most = high if self.high is None else self.high
        if least > high or most < low:
            return False
        return True if least <= low and most >= high else None


class Choice(Struct, frozen=True):
    """The answer to ``key`` is one of ``values``; with ``inside`` False it is none of them."""

    key: Key
    values: frozenset[object]
    inside: bool


Literal = Bound | Choice | bool
"""A question, or its answer where nothing is left to ask."""


def literal_of(leaf: tree.Condition, negated: bool, variables: Variables) -> Literal | None:
    """Return a condition without parts as a literal; None if it is a comparison too long to examine."""
    if isinstance(leaf, tree.Comparison):
        return _comparison(leaf, negated, variables)
    if isinstance(leaf, QUESTIONS):
        key, values = _question(leaf, variables.domains)
        return Choice(key, values, leaf.negated == negated)
    return None


def decided(literal: Literal, variables: Variables) -> bool | None:
    """Return True if the literal certainly holds, False if it certainly does not, else None."""
    if isinstance(literal, bool):
        return literal
    if isinstance(literal, Bound):
        return literal.holds_within(variables.range_of(dict(literal.total)))
    answers = variables.domains.answers(literal.key)
    if answers is None:
        return None
    matching = answers & literal.values if literal.inside else answers - literal.values
    if not matching:
        return False
    return True if matching == answers else None


def holds_within(compare: str, number: int, values: Range) -> bool | None:
    """Whether each value of a range compares so with a number (True), none does (False), or some (None)."""
    any_variable = (0,)
    bound = reduced({any_variable: 1}, compare, number)
    return bound if isinstance(bound, bool) else bound.holds_within(values)


def _question(
    leaf: tree.HasStatus
    | tree.Stands
    | tree.Bears
    | tree.AttackIsCritical
    | tree.HasReached
    | tree.HasTeamOf
    | tree.HasPerformed
    | tree.TurnIs,
    domains: Domains,
) -> tuple[Key, frozenset[object]]:
    """Return what a condition asks, and the answers with which it holds: of ``self is HIT`` the status of
    self, and HIT."""
    if isinstance(leaf, tree.AttackIsCritical):
        return ("critical",), YES
    if isinstance(leaf, tree.TurnIs):
        return ("turn",), frozenset((leaf.side,))
    name = domains.name(leaf.ref.name)
    if isinstance(leaf, tree.HasReached):
        return ("REACHED", name), YES
    if isinstance(leaf, tree.HasPerformed):
        return ("performed", name, leaf.action), YES
    if isinstance(leaf, tree.HasTeamOf):
        return ("team mates", *sorted((name, domains.name(leaf.of.name)))), YES
    if isinstance(leaf, tree.HasStatus):
        if leaf.status.text == "SUPPRESSED":
            return ("suppressed", name), YES
        return ("status", name), frozenset((leaf.status.text,))
    if isinstance(leaf, tree.Stands):
        return _relation(leaf.relation, name, domains.name(leaf.to.name), domains), YES
    if leaf.what == "TEAM" and leaf.name:
        return ("TEAM", name), frozenset((leaf.name.text,))
    if leaf.what in ("trait", "KEYWORD") and leaf.name:
        return (leaf.what, name, leaf.name.text), YES
    return ("card", name), CARDS - {"none"} if leaf.what == "card" else frozenset((leaf.what,))


def _relation(relation: str, first: str, second: str, domains: Domains) -> Key:
    """Return one key for all ways to say the same.

    Adjacent and opposite are symmetric. In RANGE is symmetric only between OPERATORs that are neither HIT nor
    OUT (R-1, R-2) and while nothing changes RANGE (E-16); in one row it is then the same as adjacent.
    """
    if relation == "in RANGE":
        if not domains.context.given.fixed_range:
            return relation, first, second
        if not (domains.is_upright(first) and domains.is_upright(second)):
            return relation, first, second
        sides = domains.scope.sides
        if first != second and first in sides and sides[first] == sides.get(second):
            relation = "adjacent"
    return relation, *sorted((first, second))


def _comparison(leaf: tree.Comparison, negated: bool, variables: Variables) -> Literal | None:
    """Return a comparison as a bound of a sum; None if it is too long to examine."""
    left, right = variables.polynomial(leaf.left), variables.polynomial(leaf.right)
    if left is None or right is None:
        return None
    difference = dict(left)
    for product, times in right.items():
        difference[product] = difference.get(product, 0) - times
    constant = difference.pop(CONSTANT, 0)
    return reduced(difference, OPPOSITE[leaf.compare] if negated else leaf.compare, -constant)


def reduced(polynomial: Polynomial, compare: str, number: int) -> Bound | bool:
    """Return ``polynomial compare number`` with its common factor taken out.

    All values are whole numbers, so what remains of the number is rounded towards the values that fulfil it:
    ``2 * AP < 5`` is ``AP <= 2``, and ``2 * AP = 5`` never holds.
    """
    products = sorted(product for product, times in polynomial.items() if times)
    if not products:
        return COMPARE[compare](0, number)
    factor = gcd(*(polynomial[product] for product in products))
    first, *_ = products
    if polynomial[first] < 0:  # so that a sum and its negative become the same
        factor, compare = -factor, MIRRORED[compare]
    reduced_total = tuple((product, polynomial[product] // factor) for product in products)
    floor, remainder = divmod(number, factor)
    ceiling = floor + 1 if remainder else floor
    match compare:
        case "=":
            return False if remainder else Bound(reduced_total, low=floor, high=floor)
        case "!=":
            return True if remainder else Bound(reduced_total, never=floor)
        case "<":
            return Bound(reduced_total, high=ceiling - 1)
        case "<=":
            return Bound(reduced_total, high=floor)
        case ">":
            return Bound(reduced_total, low=floor + 1)
        case _:
            return Bound(reduced_total, low=ceiling)
