"""Expressions of the fast path: simplified or not, written out or not, they have one value."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.engine.conditions import COMPARE
from toolkit.engine.fast import arithmetic, logic
from toolkit.engine.fast.comparing import compare
from toolkit.engine.fast.nodes import Graph, Node
from toolkit.engine.fast.source import Block
from toolkit.engine.numbers import rounded

NAMES = ("i0", "i1", "a", "k")
"""Two early inputs and two late ones; the last is how often something is doubled."""

small = st.integers(-4, 9)
steps = st.lists(
    st.tuples(
        st.sampled_from(("sum", "product", "quotient", "double", "choose", "max", "min", "compare")),
        st.integers(0, 99),
        st.integers(0, 99),
        st.integers(0, 99),
        small,
        st.sampled_from(("down", "up", "nearest")),
        st.sampled_from(tuple(COMPARE)),
    ),
    min_size=1,
    max_size=14,
)


@settings(max_examples=500, deadline=None)
@given(steps, st.tuples(small, small, st.integers(0, 9), st.integers(0, 3)))
def test_generated_source_has_the_value_of_its_parts(
    program: list[tuple[str, int, int, int, int, str, str]], values: tuple[int, ...]
) -> None:
    """Each step builds an expression from earlier ones, and computes the same with plain numbers."""
    graph = Graph()
    least = {"i0": float("-inf"), "i1": float("-inf"), "a": 0.0, "k": 0.0}
    numbers: list[tuple[Node, int]] = [
        (graph.number_input(name, least[name]), value) for name, value in zip(NAMES, values, strict=True)
    ]
    truths: list[tuple[Node, bool]] = [(graph.truth(True), True)]
    for kind, first, second, third, constant, rounding, sign in program:
        (one, x), (two, y) = numbers[first % len(numbers)], numbers[second % len(numbers)]
        guard, holds = truths[third % len(truths)]
        if kind == "sum":
            numbers.append(
                (arithmetic.total(graph, constant, ((one, constant), (two, -2))), constant * (1 + x) - 2 * y)
            )
        elif kind == "product" and abs(x * y) < 10**6:
            numbers.append((arithmetic.product(graph, one, two), x * y))
        elif kind == "quotient":
            by = arithmetic.choose(graph, guard, graph.number(abs(constant) + 1), graph.number(1))
            divisor = abs(constant) + 1 if holds else 1
            numbers.append((arithmetic.quotient(graph, one, by, rounding), rounded(x, divisor, rounding)))
        elif kind == "double":
            numbers.append((arithmetic.doubled(graph, one, numbers[3][0]), x * 2 ** values[3]))
        elif kind == "choose":
            numbers.append((arithmetic.choose(graph, guard, one, two), x if holds else y))
            numbers.append((arithmetic.amount_if(graph, guard, constant), constant if holds else 0))
            numbers.append(
                (
                    arithmetic.choose(graph, guard, graph.number(constant), graph.number(7)),
                    constant if holds else 7,
                )
            )
        elif kind == "max":
            numbers.append((arithmetic.largest(graph, one, constant), max(x, constant)))
        elif kind == "min":
            numbers.append((arithmetic.smallest(graph, one, constant), min(x, constant)))
        elif kind == "compare":
            compared, truth = compare(graph, sign, one, two), COMPARE[sign](x, y)
            truths.append((compared, truth))
            truths.append((logic.both(graph, compared, logic.negate(graph, guard)), truth and not holds))
            truths.append((logic.any_of(graph, (guard, compared)), truth or holds))
    check(numbers, truths, values)


def check(numbers: list[tuple[Node, int]], truths: list[tuple[Node, bool]], values: tuple[int, ...]) -> None:
    """Bounds hold, and the source of all of them together gives their values."""
    for node, value in numbers:
        low, high = arithmetic.bounds(node)
        assert low <= value <= high
    wanted = [node for node, _ in (*numbers, *truths)]
    block = Block(wanted, {}, "    ")
    body = [*block.lines, f"    return [{', '.join(block.text(node) for node in wanted)}]"]
    space: dict[str, object] = {}
    exec("\n".join([f"def every({', '.join(NAMES)}):", *body]), space)
    every = space["every"]
    assert callable(every)
    assert every(*values) == [value for _, value in (*numbers, *truths)]
