"""Truth values: conditions put together, simplified where a part is known already."""

from __future__ import annotations

from collections.abc import Iterable

from toolkit.engine.fast.nodes import Graph, Node


def negate(graph: Graph, part: Node) -> Node:
    """Not."""
    if part.constant is not None:
        return graph.truth(not part.constant)
    if part.kind == "not":
        return part.parts[0]
    return graph.node("not", (part,))


def both(graph: Graph, *parts: Node) -> Node:
    """All of them."""
    return _joined(graph, "and", parts)


def any_of(graph: Graph, parts: Iterable[Node]) -> Node:
    """At least one of them."""
    return _joined(graph, "or", parts)


def _joined(graph: Graph, kind: str, parts: Iterable[Node]) -> Node:
    deciding = int(kind == "or")
    found: dict[Node, None] = {}
    for part in parts:
        for inner in part.parts if part.kind == kind else (part,):
            if inner.constant == deciding:
                return graph.truth(bool(deciding))
            if inner.constant is None:
                found[inner] = None
    if any(part.kind == "not" and part.parts[0] in found for part in found):
        return graph.truth(bool(deciding))
    if not found:
        return graph.truth(not deciding)
    if len(found) == 1:
        return next(iter(found))
    return graph.node("and" if kind == "and" else "or", tuple(found))


def of_two(graph: Graph, condition: Node, then: Node, otherwise: Node) -> Node:
    """One of two truth values."""
    yes = both(graph, condition, then)
    return any_of(graph, (yes, both(graph, negate(graph, condition), otherwise)))
