"""All nodes of a tree, from the outside in and in the order in which they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any


def walk(node: Any) -> Iterator[Any]:
    """The node itself, then every node below it."""
    yield node
    for name in _parts(node.__class__):
        value = getattr(node, name)
        if value is None:
            continue
        if value.__class__ is tuple:
            for item in value:
                if is_dataclass(item):
                    yield from walk(item)
        elif is_dataclass(value):
            yield from walk(value)


@cache
def _parts(kind: type) -> tuple[str, ...]:
    plain = {"str", "int", "bool", "Place", "int | None", "Side", "Die", "DurationName", "tuple[str, ...]"}
    return tuple(
        f.name for f in fields(kind) if f.type not in plain and not str(f.type).startswith("Literal")
    )
