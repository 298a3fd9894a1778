"""Whole numbers: expressions that are computed at once where they are known, and kept small where not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf

from toolkit.engine.fast.nodes import Graph, Node
from toolkit.engine.numbers import rounded


def bounds(node: Node) -> tuple[float, float]:
    """The least and greatest value that a number can have."""
    assert node.least is not None, "a truth value is no number"
    assert node.greatest is not None, "a truth value is no number"
    return node.least, node.greatest


def choose(graph: Graph, condition: Node, then: Node, otherwise: Node) -> Node:
    """``then`` if the condition holds, else ``otherwise``."""
    if condition.constant is not None:
        return then if condition.constant else otherwise
    if then is otherwise:
        return then
    if condition.kind == "not":
        condition, then, otherwise = condition.parts[0], otherwise, then
    (low, high), (least, greatest) = bounds(then), bounds(otherwise)
    span = (min(low, least), max(high, greatest))
    return graph.node("choose", (condition, then, otherwise), bounds=span)


def branches(node: Node) -> tuple[int, int] | None:
    """The two values of a choice between known numbers, else None."""
    if node.kind != "choose":
        return None
    then, otherwise = node.parts[1].constant, node.parts[2].constant
    return None if then is None or otherwise is None else (then, otherwise)


def total(graph: Graph, constant: int, terms: Iterable[tuple[Node, int]]) -> Node:
    """A sum of so many times each term; sums in it are opened."""
    found: dict[Node, int] = {}
    waiting = [(node, factor) for node, factor in terms if factor]
    while waiting:
        node, factor = waiting.pop()
        two = branches(node)
        if node.constant is not None:
            constant += factor * node.constant
        elif node.kind == "sum":
            constant += factor * node.numbers[0]
            waiting += [
                (part, factor * times) for part, times in zip(node.parts, node.numbers[1:], strict=True)
            ]
        elif two is not None and 0 not in two:
            constant += factor * two[1]
            gap = graph.number(factor * (two[0] - two[1]))
            waiting.append((choose(graph, node.parts[0], gap, graph.number(0)), 1))
        elif two is not None and factor != 1:
            then, otherwise = graph.number(factor * two[0]), graph.number(factor * two[1])
            waiting.append((choose(graph, node.parts[0], then, otherwise), 1))
        else:
            found[node] = found.get(node, 0) + factor
    return _sum(graph, constant, {node: factor for node, factor in found.items() if factor})


def _sum(graph: Graph, constant: int, terms: dict[Node, int]) -> Node:
    """What does not depend on dice is a sum of its own, so that it can be computed before them."""
    early = {node: factor for node, factor in terms.items() if not node.late}
    if early and len(early) < len(terms) and (constant or len(early) > 1):
        whole = _sum(graph, constant, early)
        late = {node: factor for node, factor in terms.items() if node.late}
        return _sum(graph, 0, {whole: 1, **late})
    if not terms:
        return graph.number(constant)
    parts = tuple(sorted(terms, key=lambda node: node.serial))
    factors = tuple(terms[part] for part in parts)
    if constant == 0 and factors == (1,):
        return parts[0]
    least = greatest = float(constant)
    for part, factor in zip(parts, factors, strict=True):
        low, high = bounds(part)
        least += factor * (low if factor > 0 else high)
        greatest += factor * (high if factor > 0 else low)
    return graph.node("sum", parts, (constant, *factors), bounds=(least, greatest))


def opened(node: Node) -> tuple[int, dict[Node, int]]:
    """The constant of a sum and its terms with their factors; the sum within it is opened."""
    if node.kind != "sum":
        return 0, {node: 1}
    constant, terms = node.numbers[0], dict(zip(node.parts, node.numbers[1:], strict=True))
    for part, factor in tuple(terms.items()):
        if part.kind == "sum":
            del terms[part]
            constant += factor * part.numbers[0]
            terms.update({inner: factor * times for inner, times in opened(part)[1].items()})
    return constant, terms


def add(graph: Graph, *terms: Node) -> Node:
    """The sum of numbers."""
    return total(graph, 0, [(term, 1) for term in terms])


def product(graph: Graph, left: Node, right: Node) -> Node:
    """One times the other."""
    for one, two in ((left, right), (right, left)):
        if two.constant is not None:
            if branches(one):
                return _each(graph, one, lambda part: product(graph, part, two))  # noqa: B023 (called at once)
            return total(graph, 0, ((one, two.constant),))
        if branches(two):
            return _each(graph, two, lambda part: product(graph, one, part))  # noqa: B023 (called at once)
    low, least = bounds(left)[0], bounds(right)[0]
    span = (low * least, inf) if low >= 0 and least >= 0 else (-inf, inf)
    return graph.node("product", (left, right), bounds=span)


def _each(graph: Graph, chosen: Node, of: Callable[[Node], Node]) -> Node:
    """Something done to both sides of a choice."""
    condition, then, otherwise = chosen.parts
    return choose(graph, condition, of(then), of(otherwise))


def quotient(graph: Graph, dividend: Node, divisor: Node, rounding: str) -> Node:
    """A quotient rounded as the ruleset says (N-4); the divisor is 1 or more."""
    if divisor.constant == 1:
        return dividend
    if divisor.constant is not None and dividend.constant is not None:
        return graph.number(rounded(dividend.constant, divisor.constant, rounding))
    if branches(divisor):
        return _each(graph, divisor, lambda part: quotient(graph, dividend, part, rounding))
    if divisor.constant is not None and branches(dividend):
        return _each(graph, dividend, lambda part: quotient(graph, part, divisor, rounding))
    low, high = bounds(dividend)
    span = (0.0, high) if low >= 0 else (-inf, inf)
    return graph.node("quotient", (dividend, divisor), name=rounding, bounds=span)


def doubled(graph: Graph, number: Node, times: Node) -> Node:
    """A number doubled so many times, 0 or more."""
    if times.constant is not None:
        return product(graph, number, graph.number(2**times.constant))
    if number.constant == 0:
        return number
    if branches(times):
        return _each(graph, times, lambda part: doubled(graph, number, part))
    span = (bounds(number)[0], inf) if bounds(number)[0] >= 0 else (-inf, inf)
    return graph.node("shift", (number, times), bounds=span)


def largest(graph: Graph, number: Node, least: int) -> Node:
    """The number, but not less than ``least``."""
    low, high = bounds(number)
    if low >= least:
        return number
    if high <= least:
        return graph.number(least)
    return graph.node("max", (number,), (least,), bounds=(least, high))


def smallest(graph: Graph, number: Node, most: int) -> Node:
    """The number, but not more than ``most``."""
    low, high = bounds(number)
    if high <= most:
        return number
    if low >= most:
        return graph.number(most)
    return graph.node("min", (number,), (most,), bounds=(low, most))


def count(graph: Graph, truths: Iterable[Node]) -> Node:
    """How many of them are true."""
    one, none = graph.number(1), graph.number(0)
    return add(graph, *[choose(graph, truth, one, none) for truth in truths])


def amount_if(graph: Graph, condition: Node, amount: int) -> Node:
    """The amount if the condition holds, else 0."""
    return choose(graph, condition, graph.number(amount), graph.number(0))
