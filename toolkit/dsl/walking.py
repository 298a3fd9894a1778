"""All nodes of a tree, from the outside in and in the order in which they are written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any


def walk(node: Any) -> Iterator[Any]:
    """The node itself, then every node below it."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        names = _parts(node.__class__)
        if not names:
            continue
        below: list[Any] = []
        for name in names:
            value = getattr(node, name)
            if value.__class__ is tuple:
                below += value
            elif value is not None:
                below.append(value)
        below.reverse()
        waiting += below


@cache
def _parts(kind: type) -> tuple[str, ...]:
    plain = {"str", "int", "bool", "Place", "int | None", "Side", "Die", "DurationName", "tuple[str, ...]"}
    return tuple(
        name
        for name, annotation in kind.__annotations__.items()
        if annotation not in plain and not annotation.startswith("Literal")
    )
