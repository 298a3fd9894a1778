"""A file that was read, and spans of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import ClassVar, NamedTuple

from msgspec import Struct, field

from toolkit.source.short_repr import PublicValue, short_repr

_LINE_END = r"\r\n|\r|\n"


def line_start(text: str, offset: int) -> int:
    """Return the offset at which the line around ``offset`` begins."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


class Position(NamedTuple):
    """Line and column, both from 1; columns count characters (code points)."""

    line: int
    column: int


class SourceFile(PublicValue, Struct, eq=False):
    """The text of one file as read: without a byte order mark, with the line ends that it has on disk.

    ``name`` is the file's name in messages: its path relative to the current folder. ``file`` and ``base``
    make it usable as an anchor: spans anchored to the file itself have file offsets.
    """

    path: Path
    name: str
    text: str
    _starts: list[int] = field(default_factory=list)
    base: ClassVar[int] = 0

    def __repr__(self) -> str:
        return short_repr(self, [("", self.name)])

    @property
    def file(self) -> SourceFile:
        """The file itself."""
        return self

    def line_starts(self) -> list[int]:
        """Offsets at which lines begin, the first one 0."""
        if not self._starts:
            if "\r" in self.text:
                self._starts = [0, *(line_end.end() for line_end in re.finditer(_LINE_END, self.text))]
            else:  # twice as fast as the regular expression
                lengths = [len(line) + 1 for line in self.text.split("\n")]
                self._starts = [0, *accumulate(lengths[:-1])]
        return self._starts

    def position(self, offset: int) -> Position:
        """Return line and column of a character offset; an offset past the end counts as the end."""
        starts = self.line_starts()
        offset = min(offset, len(self.text))
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its line end."""
        starts = self.line_starts()
        is_last = number >= len(starts)
        end = len(self.text) if is_last else starts[number]  # where the next line begins
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def span(self, start: int, end: int) -> Span:
        """Return the span from one character offset to another, the end exclusive."""
        return Span(self, start, end)


class Anchor(PublicValue, Struct, eq=False):
    """The offset at which an entry of a file begins, shared by all nodes and spans within the entry.

    When the text before the entry is edited, only ``file`` and ``base`` are updated: results for the entry
    stay valid and need not be computed again.
    """

    file: SourceFile
    base: int


class Located(PublicValue):
    """A mixin for what has a place in a file: ``at`` and ``to`` are its bounds relative to ``anchor``.

    The anchor of most things is the file itself.
    """

    __slots__ = ()
    anchor: SourceFile | Anchor
    at: int
    to: int

    def __repr__(self) -> str:
        line, column = self.span.begin_position
        return short_repr(self, [("", f"{self.file.name}:{line}:{column}"), ("", self.span.text)])

    @property
    def file(self) -> SourceFile:
        """The file that it is in."""
        return self.anchor.file

    @property
    def start(self) -> int:
        """The offset of its first character in the file."""
        return self.anchor.base + self.at

    @property
    def end(self) -> int:
        """The offset just after its last character in the file."""
        return self.anchor.base + self.to

    @property
    def span(self) -> Span:
        """Its span."""
        return Span(self.anchor, self.at, self.to)


class Span(Located, Struct, frozen=True, eq=False):
    """A range of a file in character offsets, the end exclusive. It may extend over several lines.

    Two spans are equal if they cover the same characters of the same file, whatever they are anchored to.
    """

    anchor: SourceFile | Anchor
    at: int
    to: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return self.file is other.file and self.start == other.start and self.end == other.end

    def __ne__(self, other: object) -> bool:
        return not self == other  # msgspec's own __ne__ does not call an overridden __eq__ (0.22)

    def __hash__(self) -> int:
        return hash((id(self.file), self.start, self.end))

    def at_offsets(self, start: int, end: int) -> Span:
        """Return another span of the same file, given by file offsets, with the anchor of this one."""
        base = self.anchor.base
        return Span(self.anchor, start - base, end - base)

    @property
    def begin_position(self) -> Position:
        """The position of its first character."""
        return self.file.position(self.start)

    @property
    def end_position(self) -> Position:
        """The position just after its last character."""
        return self.file.position(self.end)

    @property
    def text(self) -> str:
        """The characters of the file that it covers."""
        return self.file.text[self.start : self.end]
