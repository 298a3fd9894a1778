"""NUMBERs as sums of products, so that what stands on both sides of a comparison cancels out."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from toolkit.dsl import tree
from toolkit.lint.proof.domains import Domains, Range, most_members
from toolkit.vocabulary import RANGES

Product = tuple[int, ...]
"""The indexes of the variables that are multiplied, in order; ``()`` is the constant part."""

CONSTANT: Product = ()

Polynomial = dict[Product, int]
"""The coefficient of each product."""

MOST_TERMS = 24
_MOST_PRODUCTS = 10 * MOST_TERMS
"""A polynomial with more is not examined: ``(a + b) * (c + d) * …`` doubles with each factor."""

MOST_STEPS = 5000
"""Limit of narrowing steps for one condition, about 30 ms; what is not proven by then is not reported."""


class Variables:
    """The numbers of play that a condition names, each with its range. None of them is ever below 0.

    ``keys`` say what each of them is, by index: a quantity and an OPERATOR, a GROUP that is counted …;
    ``subsets`` says of two GROUPs, by index, whether the first is certainly part of the second, as far as
    that was asked; ``quotients`` are what is divided and by what, by the index of the quotient;
    ``steps_left`` is how many narrowing steps may still be spent on proofs about them.
    """

    __slots__ = ("_indexes", "domains", "keys", "quotients", "ranges", "steps_left", "subsets")

    def __init__(self, domains: Domains) -> None:
        self.domains = domains
        self._indexes: dict[object, int] = {}
        self.ranges: list[Range] = []
        self.keys: list[object] = []
        self.subsets: dict[tuple[int, int], bool] = {}
        self.quotients: dict[int, tuple[Polynomial, int]] = {}
        self.steps_left = MOST_STEPS

    def polynomial(self, number: tree.Number) -> Polynomial | None:
        """Return a NUMBER as a sum of products; None if it has too many."""
        if isinstance(number, tree.Constant):
            return {CONSTANT: number.value}
        if isinstance(number, tree.Negative):
            inner = self.polynomial(number.number)
            return None if inner is None else {product: -times for product, times in inner.items()}
        if isinstance(number, tree.Binary) and number.operator == "/":
            return self._quotient(number)
        if isinstance(number, tree.Binary):
            left, right = self.polynomial(number.left), self.polynomial(number.right)
            if left is None or right is None:
                return None
            if number.operator == "*":
                return _multiplied(left, right)
            return _added(left, right, 1 if number.operator == "+" else -1)
        return {(self._index(number),): 1}

    def range_of(self, polynomial: Polynomial) -> Range:
        """Return the least and greatest value; they may be too wide, as each product is taken for itself."""
        low = high = 0
        for product, times in polynomial.items():
            least, most = self.product_range(product)
            low += times * (least if times > 0 else most)
            high += times * (most if times > 0 else least)
        return low, high

    def product_range(self, product: Product) -> Range:
        """Return the range of one product. No factor is below 0, so the bounds of the factors multiply."""
        if len(product) == 1:
            return self.ranges[product[0]]
        factors = [self.ranges[index] for index in product]
        return prod(least for least, _ in factors), prod(most for _, most in factors)

    def _quotient(self, number: tree.Binary) -> Polynomial | None:
        """Return a quotient as a variable of its own; None if it may be below 0.

        It is rounded down, up or to the nearest, whatever the ruleset says (E-27).
        """
        dividend, divisor = self.polynomial(number.left), number.right
        if dividend is None or not isinstance(divisor, tree.Constant) or divisor.value < 1:
            return None
        low, high = self.range_of(dividend)
        if low < 0:
            return None
        key = "/", frozenset(dividend.items()), divisor.value
        rounded_up = -(-high // divisor.value)
        index = self._index_of(key, (low // divisor.value, rounded_up))
        self.quotients[index] = dividend, divisor.value
        return {(index,): 1}

    def rounding_bounds(self) -> Iterator[tuple[Polynomial, str, int]]:
        """Yield how far a quotient can be from what is divided, as comparisons: less than 1 by rounding."""
        for index, (dividend, divisor) in self.quotients.items():
            # divisor * quotient - dividend, its constant part on the other side of the comparison
            difference = {product: -times for product, times in dividend.items() if product != CONSTANT}
            difference[index,] = divisor
            constant = dividend.get(CONSTANT, 0)
            yield difference, "<=", constant + divisor - 1
            yield difference, ">=", constant - divisor + 1

    def _index(self, number: tree.Number) -> int:
        return self._index_of(*self._variable(number))

    def _index_of(self, key: object, number_range: Range) -> int:
        """Return the number of the variable for a key, which is new with this range if there is none yet."""
        index = self._indexes.get(key)
        if index is None:
            index = self._indexes[key] = len(self.ranges)
            self.ranges.append(number_range)
            self.keys.append(key)
        return index

    def _variable(self, number: tree.Number) -> tuple[object, Range]:
        """Return what makes two numbers of play the same, and the range."""
        if isinstance(number, tree.QuantityOf):
            name = self.domains.name(number.ref.name)
            return (number.quantity.text, name), self.domains.number(number.quantity.text, name)
        if isinstance(number, tree.NumberOf):
            domains = self.domains
            most = most_members(number.group, domains.scope, domains.context.given.fixed_range)
            return number.group, (min(domains.least_members(number.group), most), most)
        if isinstance(number, tree.CardsInHand):
            low, high = RANGES["hand"]
            return ("hand", number.side), (low, high * (2 if number.side == "any" else 1))
        if isinstance(number, tree.MarkerOfPlayer):
            return number, self.domains.number(number.quantity.text, number.player.name)
        if isinstance(number, tree.NumberOfCards) and number.zone != "hand":
            return number, RANGES["DECK"]
        if isinstance(number, tree.Damage):
            return "DAMAGE", RANGES["DAMAGE"]
        if isinstance(number, tree.Round):
            return "ROUND", RANGES["ROUND"]
        return number, RANGES["current"]


def _added(left: Polynomial, right: Polynomial, sign: int) -> Polynomial | None:
    """Return the sum of two, or with the sign -1 their difference; None if it has too many terms."""
    total = dict(left)
    for product, times in right.items():
        total[product] = total.get(product, 0) + sign * times
    return _bounded(total)


def _multiplied(left: Polynomial, right: Polynomial) -> Polynomial | None:
    """Return the product of two sums; None if it has too many terms."""
    if len(left) * len(right) > _MOST_PRODUCTS:
        return None
    total: Polynomial = {}
    for left_product, left_times in left.items():
        for right_product, right_times in right.items():
            product = tuple(sorted(left_product + right_product))
            total[product] = total.get(product, 0) + left_times * right_times
    return _bounded(total)


def _bounded(polynomial: Polynomial) -> Polynomial | None:
    """Return a sum without terms that are 0; None if it has too many others."""
    terms = {product: times for product, times in polynomial.items() if times}
    return terms if len(terms) <= MOST_TERMS else None
