"""The types of the public interface: what scripts hand over and get, and what is in it."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from toolkit import api


def public_types() -> set[type]:
    """All types of ours that the public names are, take, or return, with the types in their fields."""
    types: set[type] = set()
    waiting = {found for name in api.__all__ for found in _types_at(getattr(api, name))}
    while waiting:
        kind = waiting.pop()
        types.add(kind)
        waiting |= types_in(kind) - types
    return types


def types_in(kind: type) -> set[type]:
    """The types of ours of a type's fields and properties, of what its methods return, and below it."""
    inside = {below for below in kind.__subclasses__() if _is_ours(below)}
    for base in filter(_is_ours, kind.__mro__):
        members = [(name, member) for name, member in vars(base).items() if not name.startswith("_")]
        written = [text for name, text in vars(base).get("__annotations__", {}).items() if name[0] != "_"]
        for _, member in members:
            function = member.fget if isinstance(member, property) else member
            if inspect.isfunction(function):
                written.append(function.__annotations__.get("return", ""))
        inside |= {found for text in written for found in _named(base.__module__, str(text))}
    return inside


def _types_at(public: Any) -> Iterator[type]:
    """The type itself, or those that a function takes and returns: its caches are for other commands."""
    if isinstance(public, type):
        yield public
    elif inspect.isfunction(public):
        for name, text in public.__annotations__.items():
            if name != "cache":
                yield from _named(public.__module__, str(text))


def _named(module: str, annotation: str) -> Iterator[type]:
    for name in re.findall(r"[A-Za-z_]\w*(?:\.\w+)?", annotation):
        meant: Any = _names_of(module)
        for step in name.split("."):
            meant = meant.get(step) if isinstance(meant, dict) else getattr(meant, step, None)
        yield from _ours(meant)


def _ours(meant: Any) -> Iterator[type]:
    if isinstance(meant, type) and _is_ours(meant):
        yield meant
    for argument in getattr(meant, "__args__", ()):
        yield from _ours(argument)


def _is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "toolkit"


@cache
def _names_of(module: str) -> dict[str, Any]:
    """The names of a module, with those that it imports for type checkers only."""
    names = dict(vars(sys.modules[module]))
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("toolkit"):
            members = vars(import_module(str(node.module)))
            for alias in node.names:
                names.setdefault(alias.asname or alias.name, members.get(alias.name))
    return names
