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
    if bounds:
        comparisons = (*_implied_by_places(choices, variables), *variables.rounding_bounds())
        implied = (reduced(*comparison) for comparison in comparisons)
        bounds += [bound for bound in implied if isinstance(bound, Bound)]
    return (not choices or _choices_agree(choices, variables.domains)) and (
        not bounds or _Propagation(bounds, variables).is_possible()
    )


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
        if key[0] != "in RANGE":
            continue
        _, first, second = key
        status = answers.get(("status", first))
        if possible_answers == YES and status is not None and status <= {"HIT", "OUT"}:
            return False
        opposite = answers.get(("opposite", *sorted((first, second)))) == YES
        if possible_answers == NO and opposite and domains.is_upright(first) and domains.is_upright(second):
            return False
    return True


_DISTANCES = {"opposite": (0,), "adjacent": (-1, 1), "in RANGE": (-1, 0, 1)}
"""How far apart two OPERATORs stand that are so related, while the RANGE of everybody is 1 (R-1)."""


def _implied_by_places(choices: list[Choice], variables: Variables) -> Iterator[tuple[Polynomial, str, int]]:
    """Return what the rules say of the FIELDPOSITIONs and the sizes of GROUPs in a case, as comparisons."""
    domains, positions, groups = variables.domains, {}, {}
    for n, key in enumerate(variables.keys):
        match key:
            case tree.Group():
                groups[key] = n
            case ("FIELDPOSITION", str(name)) if name != "it":  # of several, `it`, any may be meant (E-7)
                positions[name] = n
    if len(positions) > 1:
        yield from _distances(choices, positions, domains)
    for group, number in groups.items():
        for wide, many in groups.items():
            if (number, many) not in variables.subsets:
                is_implied = number != many and is_subset(group, wide, domains.scope.parts)
                variables.subsets[number, many] = is_implied
            if variables.subsets[number, many]:
                yield {(number,): 1, (many,): -1}, "<=", 0
        if positions:
            yield from _room(group, number, positions, domains)


def _distances(
    choices: list[Choice], positions: dict[str, int], domains: Domains
) -> Iterator[tuple[Polynomial, str, int]]:
    """How far apart two OPERATORs stand. All distances are symmetric, so either may be subtracted."""
    related = [(choice.key, choice.inside) for choice in choices if choice.key[0] in _DISTANCES]
    if domains.are_fighting(*FIGHTERS):
        related.append((("in RANGE", *FIGHTERS), True))
    sides, fixed_range = domains.scope.sides, domains.context.given.fixed_range
    for (relation, first, second), holds in related:
        if first == second or not {first, second} <= positions.keys():
            continue
        if relation == "in RANGE" and not fixed_range:
            continue
        # that they are not so related says where they stand only if nothing else can be the reason
        in_place = (
            domains.is_upright(first) and domains.is_upright(second) and {first, second} <= sides.keys()
        )
        if not holds and not (in_place and (sides[first] == sides[second]) == (relation == "adjacent")):
            continue
        difference: Polynomial = {(positions[first],): 1, (positions[second],): -1}
        for distance in range(-MOST_ON_A_SIDE, MOST_ON_A_SIDE + 1):
            if (distance in _DISTANCES[relation]) != holds:
                yield difference, "!=", distance


def _room(
    group: tree.Group, number: int, positions: dict[str, int], domains: Domains
) -> Iterator[tuple[Polynomial, str, int]]:
    """At both ends of a row one place less is beside an OPERATOR, and in RANGE of it in the other row."""
    near = group.adjacent
    if near is None and group.in_range is not None and domains.context.given.fixed_range:
        near = group.in_range.of or tree.Ref("self")
    side = domains.scope.sides.get(near.name) if near else None
    position = positions.get(domains.name(near.name)) if near else None
    if side is None or position is None or (group.side == "any" and not group.adjacent):
        return
    others_allowed = 0 if group.adjacent or group.side == side else 1
    yield {(number,): 1, (position,): -1}, "<=", others_allowed
    yield {(number,): 1, (position,): 1}, "<=", others_allowed + MOST_ON_A_SIDE + 1


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
        parts = [self._part(product, times) for product, times in total]
        least, most = sum(part_low for part_low, _ in parts), sum(part_high for _, part_high in parts)
        low, high = max(self._sums[total][0], least), min(self._sums[total][1], most)
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
            self._narrow_product(product, times, low - (most - part_high), high - (least - part_low))
            for (product, times), (part_low, part_high) in zip(total, parts, strict=True)
        )

    def _narrow_factors(self, product: Product) -> bool:
        """Narrow a product by its factors, then each factor by the product; False if nothing is left."""
        factors = [self._ranges[factor,] for factor in product]
        low = max(self._ranges[product][0], prod(least for least, _ in factors))
        high = min(self._ranges[product][1], prod(most for _, most in factors))
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

    def _part(self, product: Product, times: int) -> Range:
        low, high = self._ranges[product]
        return (low * times, high * times) if times > 0 else (high * times, low * times)

    def _narrow_product(self, product: Product, times: int, low: int, high: int) -> bool:
        """``low <= times * product <= high`` for whole numbers."""
        if times < 0:
            low, high, times = -high, -low, -times
        before_low, before_high = self._ranges[product]
        low, high = max(before_low, -(-low // times)), min(before_high, high // times)
        self._ranges[product] = low, high
        return low <= high


def _factor_values(values: range, power: int, other_ranges: Sequence[Range], low: int, high: int) -> range:
    """Return the values whose power, multiplied with some values of the others, can be from low to high."""
    least, most = prod(bottom for bottom, _ in other_ranges), prod(top for _, top in other_ranges)
    first = bisect_left(values, low, key=lambda number: number**power * most)
    return values[first : bisect_right(values, high, key=lambda number: number**power * least)]


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
