"""Satisfiability: whether a condition can hold at all, and whether it can fail.

A condition is expanded into cases, its disjunctive normal form: a case is a list of literals that must hold
together. A case is impossible if two answers to one question contradict each other, or if the ranges of its
variables, narrowed again and again by its sums and by what the rules say of places on the FIELD (bounds
propagation), become empty. What is called impossible is impossible; a few impossible conditions are not
recognised.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from math import prod

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope
from toolkit.lint.context import EffectContext, side_of
from toolkit.lint.proof.atomic_effects import is_subset
from toolkit.lint.proof.domains import FIGHTERS, MOST_ON_A_SIDE, NO, YES, Domains, Key, Range
from toolkit.lint.proof.literals import Bound, Choice, Literal, Sum, literal_of, reduced
from toolkit.lint.proof.polynomials import Polynomial, Product, Variables

MOST_CASES = 64
"""A condition with more cases is not examined: `(a or b) and (c or d) and …` doubles with each part."""

Case = list[Literal]


def can_hold(condition: tree.Condition, variables: Variables, negated: bool = False) -> bool:
    """Whether a condition may hold (``negated``: may fail). False is proven; True means unknown."""
    cases = cases_of(condition, negated, variables)
    return cases is None or any(_is_possible(case, variables) for case in cases)


def cases_of(condition: tree.Condition, negated: bool, variables: Variables) -> list[Case] | None:
    """Return the cases in which a condition holds (``negated``: fails); None if there are too many.

    A comparison that is too long to examine is left out of its case, which makes more possible, never less.
    """
    if isinstance(condition, tree.Not):
        return cases_of(condition.part, not negated, variables)
    if not isinstance(condition, (tree.AllOf, tree.AnyOf)):
        literal = literal_of(condition, negated, variables)
        return [[]] if literal is None else [[literal]]
    # De Morgan: a negated `or` holds if all of its negated parts do
    together = isinstance(condition, tree.AllOf) != negated
    cases: list[Case] = [[]] if together else []
    for condition_part in condition.parts:
        part_cases = cases_of(condition_part, negated, variables)
        if part_cases is None:
            return None
        if together:
            cases = [[*case, *part_case] for case in cases for part_case in part_cases]
        else:
            cases = [*cases, *part_cases]
        if len(cases) > MOST_CASES:
            return None
    return cases


def _is_possible(case: Case, variables: Variables) -> bool:
    """Whether all literals of a case may hold at once; False is certain, True is not."""
    if any(literal is False for literal in case):
        return False
    choices = [literal for literal in case if isinstance(literal, Choice)]
    bounds = [literal for literal in case if isinstance(literal, Bound)]
    if choices and not _choices_agree(choices, variables.domains):
        return False
    if not bounds:
        return True
    comparisons = (*_implied_by_places(choices, variables), *variables.rounding_bounds())
    implied_bounds = (reduced(*comparison) for comparison in comparisons)
    bounds += [bound for bound in implied_bounds if isinstance(bound, Bound)]
    return _Propagation(bounds, variables).is_possible()


def _choices_agree(choices: list[Choice], domains: Domains) -> bool:
    """Whether each question keeps an answer that all choices about it allow."""
    answers: dict[Key, frozenset[object]] = {}
    excluded: dict[Key, frozenset[object]] = {}
    for choice in choices:
        key = choice.key
        if not choice.inside:
            excluded[key] = excluded.get(key, frozenset()) | choice.values
        possible = answers.get(key)
        possible = domains.answers(key) if possible is None else possible
        if choice.inside:
            possible = choice.values if possible is None else possible & choice.values
        if possible is not None:
            answers[key] = possible - excluded.get(key, frozenset())
            if not answers[key]:
                return False
    return _places_agree(answers, domains)


def _places_agree(answers: dict[Key, frozenset[object]], domains: Domains) -> bool:
    """HIT and OUT OPERATORs are in nobody's RANGE (R-2); opposite OPERATORs are in each other's (R-1)."""
    for key, possible_answers in answers.items():
        match key:
            case ("in RANGE", first, second):
                status = answers.get(("status", first))
                if possible_answers == YES and status is not None and status <= {"HIT", "OUT"}:
                    return False
                are_opposite = answers.get(("opposite", *sorted((first, second)))) == YES
                are_upright = domains.is_upright(first) and domains.is_upright(second)
                if possible_answers == NO and are_opposite and are_upright:
                    return False
    return True


_DISTANCES = {"opposite": (0,), "adjacent": (-1, 1), "in RANGE": (-1, 0, 1)}
"""How far apart two OPERATORs stand that are so related, while the RANGE of everybody is 1 (R-1)."""


def _implied_by_places(choices: list[Choice], variables: Variables) -> Iterator[tuple[Polynomial, str, int]]:
    """Return what the rules say of the FIELDPOSITIONs and the sizes of GROUPs in a case, as comparisons."""
    domains = variables.domains
    positions: dict[str, int] = {}
    groups: dict[tree.Group, int] = {}
    for index, key in enumerate(variables.keys):
        match key:
            case tree.Group():
                groups[key] = index
            case ("FIELDPOSITION", str(name)) if name != "it":  # of several, `it`, any may be meant (E-7)
                positions[name] = index
    if len(positions) > 1:
        yield from _distances(choices, positions, domains)
    for group, index in groups.items():
        for wide_group, wide_index in groups.items():
            if (index, wide_index) not in variables.subsets:
                is_part = index != wide_index and is_subset(group, wide_group, domains.scope.parts)
                variables.subsets[index, wide_index] = is_part
            if variables.subsets[index, wide_index]:
                yield {(index,): 1, (wide_index,): -1}, "<=", 0
        if positions:
            yield from _room(group, index, positions, domains)


def _distances(
    choices: list[Choice], positions: dict[str, int], domains: Domains
) -> Iterator[tuple[Polynomial, str, int]]:
    """Yield how far apart two OPERATORs stand, by the relations that hold or fail in a case.

    All distances are symmetric, so either FIELDPOSITION may be subtracted.
    """
    relations = [(choice.key, choice.inside) for choice in choices if choice.key[0] in _DISTANCES]
    if domains.are_fighting(*FIGHTERS):
        relations.append((("in RANGE", *FIGHTERS), True))
    fixed_range = domains.context.given.fixed_range
    for (relation, first, second), holds in relations:
        if first == second or not {first, second} <= positions.keys():
            continue
        if relation == "in RANGE" and not fixed_range:
            continue
        if not holds and not _is_decided_by_distance(relation, first, second, domains):
            continue
        difference: Polynomial = {(positions[first],): 1, (positions[second],): -1}
        for distance in range(-MOST_ON_A_SIDE, MOST_ON_A_SIDE + 1):
            if (distance in _DISTANCES[relation]) != holds:
                yield difference, "!=", distance


def _is_decided_by_distance(relation: str, first: str, second: str, domains: Domains) -> bool:
    """Whether two OPERATORs that are not so related can only stand too far apart, or too near.

    They must be neither HIT nor OUT, and in one row for `adjacent`, in different ones for all else.
    """
    sides = domains.scope.sides
    if not {first, second} <= sides.keys():
        return False
    is_same_row = sides[first] == sides[second]
    is_right_row = is_same_row if relation == "adjacent" else not is_same_row
    return is_right_row and domains.is_upright(first) and domains.is_upright(second)


def _room(
    group: tree.Group, index: int, positions: dict[str, int], domains: Domains
) -> Iterator[tuple[Polynomial, str, int]]:
    """Yield how many OPERATORs have room beside one, or in its RANGE in the other row.

    At both ends of a row that is one place less: at most FIELDPOSITION of them, and at most as many as the
    position is far from the other end.
    """
    near = group.adjacent
    if near is None and group.in_range is not None and domains.context.given.fixed_range:
        near = group.in_range.of or tree.Ref("self")
    side = domains.scope.sides.get(near.name) if near else None
    position = positions.get(domains.name(near.name)) if near else None
    if side is None or position is None or (group.side == "any" and not group.adjacent):
        return
    place_opposite = 0 if group.adjacent or group.side == side else 1
    yield {(index,): 1, (position,): -1}, "<=", place_opposite
    yield {(index,): 1, (position,): 1}, "<=", place_opposite + MOST_ON_A_SIDE + 1


class _Propagation:
    """The sums of one case and the ranges of their products and factors, narrowed by each other.

    Each step keeps all values that fulfil the sum in question, so an empty range proves that there are none.
    """

    def __init__(self, bounds: list[Bound], variables: Variables) -> None:
        self._variables = variables
        self._ranges: dict[Product, Range] = {}
        self._sums: dict[Sum, Range] = {}
        self._excluded: dict[Sum, set[int]] = {}
        for bound in bounds:
            total = bound.total
            for product, _ in total:
                self._ranges[product] = variables.product_range(product)
                if len(product) > 1:
                    self._ranges.update({(factor,): variables.ranges[factor] for factor in product})
            low, high = self._sums.get(total) or variables.range_of(dict(total))
            low = low if bound.low is None else max(low, bound.low)
            high = high if bound.high is None else min(high, bound.high)
            self._sums[total] = (low, high)
            if bound.never is not None:
                self._excluded.setdefault(total, set()).add(bound.never)

    def is_possible(self) -> bool:
        """Whether no range becomes empty until nothing narrows any more, or no steps are left."""
        ranges_before: dict[Product, Range] = {}
        while self._ranges != ranges_before and self._variables.steps_left > 0:
            ranges_before = dict(self._ranges)
            self._variables.steps_left -= len(self._sums)
            if not all(self._narrow(total) for total in self._sums):
                return False
            if not all(self._narrow_factors(product) for product in ranges_before if len(product) > 1):
                return False
        return True

    def _narrow(self, total: Sum) -> bool:
        """Narrow one sum by its products, then each product by the sum; False if nothing is left."""
        term_ranges = [self._term_range(product, times) for product, times in total]
        least = sum(term_low for term_low, _ in term_ranges)
        most = sum(term_high for _, term_high in term_ranges)
        low, high = self._sums[total]
        low, high = max(low, least), min(high, most)
        excluded = self._excluded.get(total, ())
        while low <= high and low in excluded:
            low += 1
        while low <= high and high in excluded:
            high -= 1
        if low > high:
            return False
        self._sums[total] = (low, high)
        # a product is at least what the sum still needs when all the others are at their most
        return all(
            self._narrow_product(product, times, low - (most - term_high), high - (least - term_low))
            for (product, times), (term_low, term_high) in zip(total, term_ranges, strict=True)
        )

    def _narrow_factors(self, product: Product) -> bool:
        """Narrow a product by its factors, then each factor by the product; False if nothing is left."""
        factor_ranges = [self._ranges[factor,] for factor in product]
        low, high = self._ranges[product]
        low = max(low, prod(least for least, _ in factor_ranges))
        high = min(high, prod(most for _, most in factor_ranges))
        self._ranges[product] = (low, high)
        for factor in set(product):
            power = product.count(factor)
            other_ranges = [self._ranges[other,] for other in product if other != factor]
            least, most = self._ranges[factor,]
            values = _factor_values(range(least, most + 1), power, other_ranges, low, high)
            if not values:
                return False
            self._ranges[factor,] = (values[0], values[-1])
        return low <= high

    def _term_range(self, product: Product, times: int) -> Range:
        low, high = self._ranges[product]
        return (low * times, high * times) if times > 0 else (high * times, low * times)

    def _narrow_product(self, product: Product, times: int, low: int, high: int) -> bool:
        """Narrow a product so that ``low <= times * product <= high``; False if nothing is left."""
        if times < 0:
            low, high, times = -high, -low, -times
        low_before, high_before = self._ranges[product]
        least = -(-low // times)  # rounded up, as all values are whole numbers
        most = high // times
        narrowed_low, narrowed_high = max(low_before, least), min(high_before, most)
        self._ranges[product] = narrowed_low, narrowed_high
        return narrowed_low <= narrowed_high


def _factor_values(values: range, power: int, other_ranges: Sequence[Range], low: int, high: int) -> range:
    """Return the values whose power, multiplied with some values of the others, can be from low to high.

    None is below 0, so products grow with the value, and the values that fit follow each other.
    """
    least_others = prod(least for least, _ in other_ranges)
    most_others = prod(most for _, most in other_ranges)
    begin = bisect_left(values, low, key=lambda value: value**power * most_others)
    end = bisect_right(values, high, key=lambda value: value**power * least_others)
    return values[begin:end]


MEMBER = tree.Ref("member")
"""Stands for an OPERATOR of two GROUPs, of which nothing is known but their filters."""


def can_be_same(
    first: tree.Who,
    second: tree.Who,
    given_conditions: tuple[tree.Condition, ...],
    scope: Scope,
    context: EffectContext,
) -> bool:
    """Whether two WHOs can mean the same OPERATOR while the given conditions hold. False is proven."""
    domains = Domains(scope, context)
    if any(isinstance(acting, tree.Ref) and acting.name == "it" for acting in (first, second)):
        return True  # `it` may be anyone
    side, other_side = side_of(first, scope), side_of(second, scope)
    if side is not None and other_side is not None and side != other_side:
        return False
    if isinstance(first, tree.Ref) and isinstance(second, tree.Ref):
        if {domains.name(first.name), domains.name(second.name)} == {"attacker", "attacked"}:
            return False
        return not given_conditions or can_hold(tree.AllOf(given_conditions), Variables(domains))
    ref = next((acting for acting in (first, second) if isinstance(acting, tree.Ref)), MEMBER)
    conditions = list(given_conditions)
    for acting in (first, second):
        if isinstance(acting, (tree.One, tree.Every)):
            if acting.group.other and domains.name(ref.name) == domains.name("self"):
                return False
            conditions += filters_as_conditions(acting.group, ref)
    return not conditions or can_hold(tree.AllOf(tuple(conditions)), Variables(domains))


def filters_as_conditions(group: tree.Group, ref: tree.Ref) -> list[tree.Condition]:
    """Return what a GROUP's filters say about one of its members; `the highest` says nothing of one alone."""
    conditions: list[tree.Condition] = []
    if group.team:
        conditions.append(tree.Bears(ref, "TEAM", group.team))
    if group.team_of:
        conditions.append(tree.HasTeamOf(ref, group.team_of))
    if group.in_range:
        conditions.append(tree.Stands(ref, "in RANGE", group.in_range.of or tree.Ref("self")))
    if group.adjacent:
        conditions.append(tree.Stands(ref, "adjacent", group.adjacent))
    if group.opposite:
        conditions.append(tree.Stands(ref, "opposite", group.opposite))
    conditions += [_with_as_condition(group_filter, ref) for group_filter in group.withs]
    if group.status:
        words = (group.status.status, *group.status.others)
        conditions.append(_any_of([tree.HasStatus(ref, word, group.status.negated) for word in words]))
    return conditions


def _with_as_condition(
    group_filter: tree.QuantityFilter | tree.BearingFilter, ref: tree.Ref
) -> tree.Condition:
    """Return the condition that an OPERATOR passes a filter with `with`."""
    if isinstance(group_filter, tree.BearingFilter):
        return _any_of(
            [
                tree.Bears(ref, bearing.what, bearing.name, group_filter.negated)
                for bearing in group_filter.bearings
            ]
        )
    limit: tree.Number = group_filter.than or tree.Constant(abs(group_filter.number))
    if group_filter.number < 0:
        limit = tree.Negative(limit)
    return tree.Comparison(tree.QuantityOf(group_filter.quantity, ref), group_filter.compare, limit)


def _any_of(conditions: Sequence[tree.Condition]) -> tree.Condition:
    return conditions[0] if len(conditions) == 1 else tree.AnyOf(tuple(conditions))
