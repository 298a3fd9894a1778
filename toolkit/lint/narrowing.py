"""Numbers of play that must fit several sums: their ranges, narrowed until nothing changes any more."""

from __future__ import annotations

from itertools import count
from math import prod

from toolkit.lint.literals import Measure
from toolkit.lint.polynomials import Product, Terms
from toolkit.lint.ranges import Range


class Numbers:
    """The sums of one case and the ranges of their products, to be narrowed."""

    def __init__(self, measures: list[Measure], terms: Terms) -> None:
        self._terms = terms
        self._ranges: dict[Product, Range] = {}
        self._factors: dict[Product, Product] = {}
        self._sums: dict[tuple[tuple[Product, int], ...], Range] = {}
        self._excluded: dict[tuple[tuple[Product, int], ...], set[int]] = {}
        for measure in measures:
            total = measure.total
            for product, _ in total:
                self._ranges[product] = terms.product_range(product)
                if len(product) > 1:
                    self._factors[product] = product
                    for factor in product:
                        self._ranges.setdefault((factor,), terms.ranges[factor])
            low, high = self._sums.get(total) or terms.range_of(dict(total))
            low = low if measure.low is None else max(low, measure.low)
            high = high if measure.high is None else min(high, measure.high)
            self._sums[total] = (low, high)
            if measure.never is not None:
                self._excluded.setdefault(total, set()).add(measure.never)

    def are_possible(self) -> bool:
        """Whether the ranges stay open until nothing narrows any more, or no more may be spent."""
        before: dict[Product, Range] = {}
        while self._ranges != before and self._terms.steps_left > 0:
            before = dict(self._ranges)
            self._terms.steps_left -= len(self._sums)
            if not all(self._narrow(total) for total in self._sums):
                return False
            if not all(self._narrow_factors(product) for product in self._factors):
                return False
        return True

    def _narrow(self, total: tuple[tuple[Product, int], ...]) -> bool:
        """Narrow one sum by its products, then each product by the sum; False if nothing is left."""
        parts = [self._part(product, times) for product, times in total]
        low = max(self._sums[total][0], sum(part[0] for part in parts))
        high = min(self._sums[total][1], sum(part[1] for part in parts))
        excluded = self._excluded.get(total, ())
        while low <= high and low in excluded:
            low += 1
        while low <= high and high in excluded:
            high -= 1
        if low > high:
            return False
        self._sums[total] = (low, high)
        least, most = sum(part[0] for part in parts), sum(part[1] for part in parts)
        return all(
            self._narrow_product(product, times, low - (most - part[1]), high - (least - part[0]))
            for (product, times), part in zip(total, parts, strict=True)
        )

    def _narrow_factors(self, product: Product) -> bool:
        """Narrow a product by its factors, then each factor by the product; False if nothing is left."""
        factors = [self._ranges[factor,] for factor in product]
        low = max(self._ranges[product][0], prod(least for least, _ in factors))
        high = min(self._ranges[product][1], prod(most for _, most in factors))
        if low > high:
            return False
        self._ranges[product] = (low, high)
        for factor in dict.fromkeys(product):
            power = product.count(factor)
            others = [self._ranges[other,] for other in product if other != factor]
            least, most = self._ranges[factor,]
            least = max(least, _root_up(low, prod(top for _, top in others), power))
            bottom = prod(bottom for bottom, _ in others)
            if bottom:
                most = min(most, _root_down(high // bottom, power))
            if least > most:
                return False
            self._ranges[factor,] = (least, most)
        return True

    def _part(self, product: Product, times: int) -> Range:
        low, high = self._ranges[product]
        return (low * times, high * times) if times > 0 else (high * times, low * times)

    def _narrow_product(self, product: Product, times: int, low: int, high: int) -> bool:
        """``low <= times * product <= high`` for whole numbers."""
        if times < 0:
            low, high, times = -high, -low, -times
        before_low, before_high = self._ranges[product]
        narrowed = max(before_low, -(-low // times)), min(before_high, high // times)
        self._ranges[product] = narrowed
        return narrowed[0] <= narrowed[1]


def _root_up(low: int, others: int, power: int) -> int:
    """The least whole number whose power, taken ``others`` times, reaches ``low``."""
    if low <= 0:
        return 0
    if power == 1 or not others:
        return -(-low // max(others, 1))
    return next(n for n in count() if n**power * others >= low)


def _root_down(high: int, power: int) -> int:
    """The greatest whole number whose power is at most ``high``."""
    return high if power == 1 else next(n for n in count() if (n + 1) ** power > high)
