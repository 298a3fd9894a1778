"""A YAML file in pieces: its keys, items and values in file order, with every comment where it belongs."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from toolkit.data.nodes import Scalar


class Remark(NamedTuple):
    """A comment behind something on its line: its text from ``#`` on, its column from 0, and the blanks
    before it."""

    text: str
    column: int
    gap: int


class Leaf(Struct):
    """A single value; ``is_effect`` says that it is a text of the effect language."""

    scalar: Scalar
    is_effect: bool = False


class Part(Struct):
    """A key with its value, or an item of a list.

    ``above`` are the lines of comments above it, ``""`` for blank ones. ``key`` is the key as written, None
    for an item; ``column`` is where it begins in its line. ``remark`` stands behind the key or dash where the
    value begins on a later line; ``between`` are comments before such a value. ``behind`` stands behind the
    value. ``broken`` says that the value begins on a line of its own; between brackets, that the part does.
    """

    above: list[str]
    column: int
    key: Scalar | None = None
    value: Piece | None = None
    remark: Remark | None = None
    between: list[str] = field(default_factory=list)
    behind: Remark | None = None
    broken: bool = False
    has_colon: bool = True


class Block(Struct):
    """A mapping or list by lines and indentation; ``below`` are comments behind its last part."""

    parts: list[Part]
    is_mapping: bool
    below: list[str]


class Flow(Struct):
    """A mapping or list between brackets.

    ``remark`` stands behind the opening bracket, ``below`` are comments before the closing one. ``comma``
    says that one stands behind the last part.
    """

    parts: list[Part]
    is_mapping: bool
    remark: Remark | None = None
    below: list[str] = field(default_factory=list)
    comma: bool = False


Piece = Leaf | Block | Flow


class Pieces(Struct):
    """A whole file: ``head`` are the lines before its first key, among them perhaps ``---``."""

    head: list[str]
    root: Block
