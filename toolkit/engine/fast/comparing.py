"""Comparisons of numbers, decided at once where the bounds allow it."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.engine.conditions import COMPARE
from toolkit.engine.fast import logic
from toolkit.engine.fast.arithmetic import bounds, branches, opened, total
from toolkit.engine.fast.nodes import Graph, Node

_TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

_CERTAIN: dict[str, Callable[[float, float], bool | None]] = {
    "<": lambda low, high: True if high < 0 else False if low >= 0 else None,
    "<=": lambda low, high: True if high <= 0 else False if low > 0 else None,
    ">": lambda low, high: True if low > 0 else False if high <= 0 else None,
    ">=": lambda low, high: True if low >= 0 else False if high < 0 else None,
    "=": lambda low, high: None if low <= 0 <= high else False,
    "!=": lambda low, high: None if low <= 0 <= high else True,
}
"""Whether a number within these bounds compares so with 0; None where it may or may not."""


def compare(graph: Graph, sign: str, left: Node, right: Node) -> Node:
    """Whether two numbers compare so; what is known is brought to the right side."""
    gap = total(graph, 0, ((left, 1), (right, -1)))
    if gap.constant is not None:
        return graph.truth(COMPARE[sign](gap.constant, 0))
    certain = _CERTAIN[sign](*bounds(gap))
    if certain is not None:
        return graph.truth(certain)
    constant, terms = opened(gap)
    more = [(part, factor) for part, factor in terms.items() if factor > 0]
    less = [(part, -factor) for part, factor in terms.items() if factor < 0]
    if not more:
        return _compare(graph, _TURNED[sign], total(graph, 0, less), graph.number(constant))
    return _compare(graph, sign, total(graph, 0, more), total(graph, -constant, less))


def _compare(graph: Graph, sign: str, left: Node, right: Node) -> Node:
    two = branches(left)
    if two is not None and right.constant is not None:
        then, otherwise = (graph.truth(COMPARE[sign](value, right.constant)) for value in two)
        return logic.of_two(graph, left.parts[0], then, otherwise)
    return graph.node("compare", (left, right), name=sign)


def at_least(graph: Graph, number: Node, least: Node) -> Node:
    """Whether it is so much or more."""
    return compare(graph, ">=", number, least)


def positive(graph: Graph, number: Node) -> Node:
    """Whether it is above 0."""
    return compare(graph, ">", number, graph.number(0))
