"""The tree of a YAML file: scalars, mappings and sequences, each with its place in the file.

A plain scalar means what the core schema of YAML 1.2 says: ``no`` and ``on`` are words, ``010`` is 10.
"""

# ruff: noqa: UP007 -- the types are recursive, and in Python 3.10 such a one cannot be written with |

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Union

from msgspec import Struct

from toolkit.source import Anchor, ScalarText, SourceFile
from toolkit.source.files import Placed

Plain = Union[str, int, float, bool, None, list["Plain"], dict[str, "Plain"]]
"""What a node means, without places: what a JSON Schema is held against."""

REFUSED = "*"
"""The style of a scalar that is refused (an alias, an anchor or tag); it is a finding already."""


class Scalar(Placed, Struct, eq=False):
    """A single value. ``text`` is as YAML gives it, ``value`` what it means (YAML 1.2: ``no`` is a word).

    ``style`` is ``""`` (plain), ``'``, ``"``, ``|``, ``>`` or ``REFUSED``; its end never counts blank lines
    behind a block scalar, ``whole_to`` does, counted from the anchor. A value that was left out has the empty
    place where it would stand.
    """

    anchor: SourceFile | Anchor
    at: int
    to: int
    value: str | int | float | bool | None
    text: str
    style: str
    whole_to: int

    @property
    def reach(self) -> int:
        """The offset in the file behind it and the blank lines that belong to it."""
        return self.anchor.base + self.whole_to

    def as_text(self) -> ScalarText:
        """Its text with the exact way back to the file."""
        return ScalarText(self.text, self.span, self.style, self.whole_to)


class Mapping(Placed, Struct, eq=False):
    """Keys and values in file order. Of a key given twice the first one holds.

    The three dicts have the same keys: ``value`` holds what the values mean, ``nodes`` the values, ``keys``
    the keys as written, with their places. It reaches from its first key (or its opening brace) to the end of
    its last value.
    """

    anchor: SourceFile | Anchor
    at: int
    to: int
    in_braces: bool
    value: dict[str, Plain]
    nodes: dict[str, Node]
    keys: dict[str, Scalar]

    def scalar(self, key: str) -> Scalar | None:
        """The value of a key, if it is a scalar."""
        found = self.nodes.get(key)
        return found if isinstance(found, Scalar) else None

    def mapping(self, key: str) -> Mapping | None:
        """The value of a key, if it is a mapping."""
        found = self.nodes.get(key)
        return found if isinstance(found, Mapping) else None

    def items(self, key: str) -> list[Node]:
        """The items of the list below a key; none if there is no list."""
        found = self.nodes.get(key)
        return found.items if isinstance(found, Sequence) else []

    def words(self, key: str) -> list[Scalar]:
        """The scalars in the list below a key."""
        return [item for item in self.items(key) if isinstance(item, Scalar)]


class Sequence(Placed, Struct, eq=False):
    """Items in file order; ``value`` holds what they mean. It reaches from its first dash (or its opening
    bracket) to the end of its last item.
    """

    anchor: SourceFile | Anchor
    at: int
    to: int
    in_brackets: bool
    value: list[Plain]
    items: list[Node]


Node = Union[Scalar, Mapping, Sequence]


def node_at(node: Node | None, path: Iterable[str | int]) -> Node | None:
    """What a path of keys and indexes leads to, if anything."""
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str):
            node = node.nodes.get(step)
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return None
    return node


_NUMBER_BEGINS = frozenset("0123456789+-.")
WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
"""The words that are no strings."""
_INTEGER = r"[-+]?[0-9]+"
_OCTAL = r"0o[0-7]+"
_HEXADECIMAL = r"0x[0-9a-fA-F]+"
_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_INFINITE = r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_LONGEST_NUMBER = 300


def resolve_plain(text: str) -> str | int | float | bool | None:
    """The value of a plain scalar. What is no number, no true or false and no null is a string."""
    if text[:1] not in _NUMBER_BEGINS:
        return WORDS.get(text, text)
    if len(text) > _LONGEST_NUMBER:  # no card means such a number, and Python refuses to read very long ones
        return text
    if (text.isdigit() and text.isascii()) or re.fullmatch(_INTEGER, text):
        return int(text)
    if re.fullmatch(_OCTAL, text):
        return int(text[2:], 8)
    if re.fullmatch(_HEXADECIMAL, text):
        return int(text[2:], 16)
    if re.fullmatch(_FLOAT, text):
        return float(text)
    if re.fullmatch(_INFINITE, text):
        return float(text.replace(".", ""))
    return text
