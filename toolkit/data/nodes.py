"""The tree of a YAML file: scalars, mappings and sequences, each with its place in the file."""

# ruff: noqa: UP007 -- the types are recursive, and in Python 3.10 such a one cannot be written with |

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from toolkit.source import ScalarText, SourceFile, Span

Plain = Union[str, int, float, bool, None, list["Plain"], dict[str, "Plain"]]
"""What a node means, without places: what a JSON Schema is held against."""

REFUSED = "*"
"""The style of a scalar that is refused (an alias, an anchor or tag); a finding tells of it already."""


@dataclass(slots=True, eq=False)
class Scalar:
    """A single value. ``text`` is as YAML gives it, ``value`` what it means (YAML 1.2: ``no`` is a word).

    ``style`` is ``""`` (plain), ``'``, ``"``, ``|``, ``>`` or ``REFUSED``; ``end`` never counts blank lines
    behind a block scalar, ``reach`` does.
    """

    file: SourceFile
    start: int
    end: int
    value: str | int | float | bool | None
    text: str
    style: str
    reach: int

    @property
    def span(self) -> Span:
        """Its place; for a value that was left out, the empty place where it would stand."""
        return Span(self.file, self.start, self.end)

    def as_text(self) -> ScalarText:
        """Its text with the exact way back to the file."""
        return ScalarText(self.text, Span(self.file, self.start, self.end), self.style, self.reach)


@dataclass(slots=True, eq=False)
class Mapping:
    """Keys and values in file order. Of a key given twice the first one holds.

    The three dicts have the same keys: ``value`` holds what the values mean, ``nodes`` the values, ``keys``
    the keys as written, with their places.
    """

    file: SourceFile
    start: int
    end: int
    in_braces: bool
    value: dict[str, Plain]
    nodes: dict[str, Node]
    keys: dict[str, Scalar]

    @property
    def span(self) -> Span:
        """From its first key (or its opening brace) to the end of its last value."""
        return Span(self.file, self.start, self.end)


@dataclass(slots=True, eq=False)
class Sequence:
    """Items in file order; ``value`` holds what they mean."""

    file: SourceFile
    start: int
    end: int
    in_brackets: bool
    value: list[Plain]
    items: list[Node]

    @property
    def span(self) -> Span:
        """From its first dash (or its opening bracket) to the end of its last item."""
        return Span(self.file, self.start, self.end)


Node = Union[Scalar, Mapping, Sequence]
