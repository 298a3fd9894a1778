"""The tree of a YAML file: scalars, mappings and sequences, each with its place in the file.

Plain scalars are resolved by the core schema of YAML 1.2: ``no`` and ``on`` are strings, ``010`` is 10.
"""

# ruff: noqa: UP007 -- recursive type aliases cannot be written with | in Python 3.10

from __future__ import annotations

from collections.abc import Iterable
from typing import Union

from msgspec import Struct

from toolkit.source import Anchor, ScalarText, SourceFile
from toolkit.source.files import Located

Plain = Union[str, int, float, bool, None, list["Plain"], dict[str, "Plain"]]
"""The value of a node without places, as validated against a JSON Schema."""

REFUSED = "*"
"""The style of a scalar that is refused (an alias, an anchor or tag), which a finding reports."""


class Scalar(Located, Struct, eq=False):
    """A single value. ``text`` is the parser's, ``value`` what it means in YAML 1.2: ``no`` is a string.

    ``style`` is ``""`` (plain), ``'``, ``"``, ``|``, ``>`` or ``REFUSED``. Its end excludes the blank lines
    after a block scalar; ``parsed_to``, relative to the anchor, includes them. An omitted value has an empty
    span where it would be.
    """

    anchor: SourceFile | Anchor
    at: int
    to: int
    value: str | int | float | bool | None
    text: str
    style: str
    parsed_to: int

    @property
    def parsed_end(self) -> int:
        """Its end in the file, blank lines after a block scalar included."""
        return self.anchor.base + self.parsed_to

    def as_text(self) -> ScalarText:
        """Return its text with the map from each character to the file."""
        return ScalarText(self.text, self.span, self.style, self.parsed_to)


class Mapping(Located, Struct, eq=False):
    """Keys and values in file order. If a key is repeated, the first one counts.

    The three dicts have the same keys: ``value`` has the plain values, ``nodes`` their nodes, ``keys`` the
    keys as written, with their places. It extends from its first key (or its opening brace) to the end of its
    last value.
    """

    anchor: SourceFile | Anchor
    at: int
    to: int
    in_braces: bool
    value: dict[str, Plain]
    nodes: dict[str, Node]
    keys: dict[str, Scalar]

    def scalar(self, key: str) -> Scalar | None:
        """Return the value of a key if it is a scalar."""
        node = self.nodes.get(key)
        return node if isinstance(node, Scalar) else None

    def mapping(self, key: str) -> Mapping | None:
        """Return the value of a key if it is a mapping."""
        node = self.nodes.get(key)
        return node if isinstance(node, Mapping) else None

    def items(self, key: str) -> list[Node]:
        """Return the items of the list under a key; none if it has no list."""
        node = self.nodes.get(key)
        return node.items if isinstance(node, Sequence) else []

    def words(self, key: str) -> list[Scalar]:
        """Return the scalars among the items of the list under a key."""
        return [item for item in self.items(key) if isinstance(item, Scalar)]


class Sequence(Located, Struct, eq=False):
    """Items in file order; ``value`` has their plain values.

    It extends from its first dash (or its opening bracket) to the end of its last item.
    """

    anchor: SourceFile | Anchor
    at: int
    to: int
    in_brackets: bool
    value: list[Plain]
    items: list[Node]


Node = Union[Scalar, Mapping, Sequence]


def node_at(node: Node | None, path: Iterable[str | int]) -> Node | None:
    """Return the node at a path of keys and indexes, or None if there is none."""
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str):
            node = node.nodes.get(step)
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return None
    return node
