"""NUMBERs as sums of products, so that what stands on both sides of a comparison cancels out."""

from __future__ import annotations

from math import prod

from toolkit.dsl import tree
from toolkit.lint.known import Known
from toolkit.lint.least import least_members
from toolkit.lint.ranges import Range, most_members
from toolkit.vocabulary import RANGES

Product = tuple[int, ...]
"""Numbers of play that are multiplied, by their index, in order; ``()`` is the constant part."""

Form = dict[Product, int]
"""How often each product counts."""

MOST_TERMS = 24
"""Beyond so many products nothing is proven: ``(a + b) * (c + d) * …`` doubles with each factor."""

MOST_STEPS = 5000
"""So often ranges are narrowed for one sentence, about 30 ms; what is not proven then is not said."""


class Terms:
    """The numbers of play that a condition names, each with its range. All of them are 0 or more.

    ``atoms`` are what they are, by index; ``steps_left`` is what may still be spent on proofs about them.
    """

    __slots__ = ("_indexes", "atoms", "known", "ranges", "steps_left")

    def __init__(self, known: Known) -> None:
        self.known = known
        self._indexes: dict[object, int] = {}
        self.ranges: list[Range] = []
        self.atoms: list[object] = []
        self.steps_left = MOST_STEPS

    def form(self, number: tree.Number) -> Form | None:
        """A NUMBER as a sum of products; None if it has too many."""
        if isinstance(number, tree.Constant):
            return {(): number.value}
        if isinstance(number, tree.Negative):
            inner = self.form(number.number)
            return None if inner is None else {product: -times for product, times in inner.items()}
        if isinstance(number, tree.Binary):
            left, right = self.form(number.left), self.form(number.right)
            if left is None or right is None:
                return None
            if number.operator == "*":
                return _multiplied(left, right)
            return _added(left, right, 1 if number.operator == "+" else -1)
        return {(self._index(number),): 1}

    def range_of(self, form: Form) -> Range:
        """Least and greatest value, each number of play taken for itself."""
        low = high = 0
        for product, times in form.items():
            least, most = self.product_range(product)
            low += times * (least if times > 0 else most)
            high += times * (most if times > 0 else least)
        return low, high

    def product_range(self, product: Product) -> Range:
        """The range of one product; no factor is below 0."""
        if len(product) == 1:
            return self.ranges[product[0]]
        factors = [self.ranges[index] for index in product]
        return prod(least for least, _ in factors), prod(most for _, most in factors)

    def _index(self, number: tree.Number) -> int:
        key, found = self._atom(number)
        index = self._indexes.get(key)
        if index is None:
            index = self._indexes[key] = len(self.ranges)
            self.ranges.append(found)
            self.atoms.append(key)
        return index

    def _atom(self, number: tree.Number) -> tuple[object, Range]:
        """What makes two numbers of play the same, and the range."""
        if isinstance(number, tree.QuantityOf):
            name = self.known.name(number.ref.name)
            return (number.quantity.text, name), self.known.number(number.quantity.text, name)
        if isinstance(number, tree.NumberOf):
            most = most_members(number.group, self.known.scope)
            return number.group, (min(least_members(number.group, self.known), most), most)
        if isinstance(number, tree.CardsInHand):
            low, high = RANGES["current"]
            return ("hand", number.side), (low, high * (2 if number.side == "any" else 1))
        return "ROUND", RANGES["ROUND"]


def _added(left: Form, right: Form, sign: int) -> Form | None:
    total = dict(left)
    for product, times in right.items():
        total[product] = total.get(product, 0) + sign * times
    return _bounded(total)


def _multiplied(left: Form, right: Form) -> Form | None:
    total: Form = {}
    if len(left) * len(right) > 10 * MOST_TERMS:
        return None
    for first, times in left.items():
        for second, again in right.items():
            product = tuple(sorted(first + second))
            total[product] = total.get(product, 0) + times * again
    return _bounded(total)


def _bounded(form: Form) -> Form | None:
    form = {product: times for product, times in form.items() if times}
    return form if len(form) <= MOST_TERMS else None
