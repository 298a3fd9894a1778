"""Keys in braces that are glued to their values: ``{ap:4}`` is one key without a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.diagnostics import Diagnostic, Fix

_GLUED = re.compile(r"([a-z][\w-]*):\S.*")


def glued_keys(node: Node) -> Iterator[tuple[Mapping, Scalar]]:
    """The glued keys of a tree, each with the mapping in braces that it stands in."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from glued_keys(item)
    elif isinstance(node, Mapping):
        for name, value in node.nodes.items():
            if node.in_braces and _is_glued(node, name):
                yield node, node.keys[name]
            else:
                yield from glued_keys(value)


def _is_glued(node: Mapping, name: str) -> bool:
    """Whether this key was meant to be a key and its value; among languages it begins like one."""
    value, found = node.nodes[name], _GLUED.fullmatch(name)
    if found is None or not isinstance(value, Scalar) or value.value is not None or value.start != value.end:
        return False
    others = [key for key in node.keys if not _GLUED.fullmatch(key)]
    among_languages = bool(others) and all(len(key) == 2 for key in others)
    return (
        not node.keys[name].style
        and found[1] not in node.keys
        and (not among_languages or len(found[1]) == 2)
    )


def glued_finding(key: Scalar, card: str | None) -> Diagnostic:
    """The finding at the colon of a glued key."""
    at = key.start + key.text.index(":")
    span = key.file.span(at, at + 1)
    message = f"There is no space after the `:` of `{key.text[: at - key.start]}`."
    return Diagnostic("missing-space", message, span, "Add a space.", card=card, fix=Fix(span, ": "))
