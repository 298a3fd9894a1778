"""What a piece of an effect says, as a value: two pieces that say the same in other words are equal.

Not every equality of meaning is seen; what is called equal is so.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from msgspec.structs import replace

from toolkit.dsl import tree

_MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_TWO_WAYS = ("adjacent", "opposite")


def meaning(node: Any, parts: Mapping[str, str]) -> Hashable:
    """The meaning of a node; ``parts`` are the parts of OPERATORs in the attack (``Scope.parts``)."""
    if node is None or isinstance(node, (str, int)):
        return node
    match node:
        case tree.Ref(name):
            return parts.get(name, name)
        case tree.Word(text):
            return text
        case tuple():
            return tuple([meaning(item, parts) for item in node])
        case tree.AllOf() | tree.AnyOf():
            return type(node).__name__, frozenset([meaning(part, parts) for part in _flat(node)])
        case tree.Not():
            return _negated(node.part, parts)
        case tree.Comparison():
            return _comparison(node, parts)
        case tree.Stands(ref, relation, to, negated):
            ends = meaning(ref, parts), meaning(to, parts)
            return relation, frozenset(ends) if relation in _TWO_WAYS else ends, negated
    return type(node).__name__, *[
        meaning(getattr(node, name), parts) for name in tree.said_by(node.__class__)
    ]


def _flat(node: tree.AllOf | tree.AnyOf) -> list[tree.Condition]:
    """The parts, those of parts of the same sort too."""
    found: list[tree.Condition] = []
    for part in node.parts:
        inner = isinstance(part, (tree.AllOf, tree.AnyOf)) and type(part) is type(node)
        found += _flat(part) if inner else [part]  # type: ignore[arg-type]  # inner says which it is
    return found


def _negated(part: tree.Condition, parts: Mapping[str, str]) -> Hashable:
    """``not not a`` is a, and ``not (a is b)`` is ``a is not b``."""
    if isinstance(part, tree.Not):
        return meaning(part.part, parts)
    if isinstance(part, (tree.HasStatus, tree.Stands, tree.Bears, tree.AttackIsCritical)):
        return meaning(replace(part, negated=not part.negated), parts)
    return "not", meaning(part, parts)


def _comparison(node: tree.Comparison, parts: Mapping[str, str]) -> Hashable:
    """The plain number stands right, and ``> 2`` is ``>= 3``."""
    left, compare, right = node.left, node.compare, node.right
    if isinstance(left, tree.Constant) and not isinstance(right, tree.Constant):
        left, compare, right = right, _MIRRORED[compare], left
    if isinstance(right, tree.Constant) and compare in "<>":
        step = 1 if compare == ">" else -1
        return f"{compare}=", meaning(left, parts), right.value + step
    limit = right.value if isinstance(right, tree.Constant) else meaning(right, parts)
    return compare, meaning(left, parts), limit
