"""A file that was read, and a stretch of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import ClassVar, NamedTuple

from msgspec import Struct, field

_LINE_END = r"\r\n|\r|\n"


class Position(NamedTuple):
    """A place as people count: line and column from 1, columns in characters (code points)."""

    line: int
    column: int


class SourceFile(Struct, eq=False):
    """The text of one file as it was read: no byte order mark, line ends as they are on disk.

    ``name`` is how the file is called in messages: its path relative to the current folder. ``base`` makes it
    an anchor of places that are counted from its beginning.
    """

    path: Path
    name: str
    text: str
    _starts: list[int] = field(default_factory=list)
    base: ClassVar[int] = 0

    @property
    def file(self) -> SourceFile:
        """The file itself."""
        return self

    def line_starts(self) -> list[int]:
        """Offsets at which lines begin, the first one 0."""
        if not self._starts:
            if "\r" in self.text:
                self._starts = [0, *(end.end() for end in re.finditer(_LINE_END, self.text))]
            else:  # twice as quick
                lengths = [len(line) + 1 for line in self.text.split("\n")]
                self._starts = [0, *accumulate(lengths[:-1])]
        return self._starts

    def position(self, offset: int) -> Position:
        """Line and column of a character offset; an offset past the end is the end."""
        starts = self.line_starts()
        offset = min(offset, len(self.text))
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line end."""
        starts = self.line_starts()
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def span(self, start: int, end: int) -> Span:
        """The stretch from one character offset to another, the end exclusive."""
        return Span(self, start, end)


class Anchor(Struct, eq=False):
    """Where an entry of a file begins. When the text before it is edited it is moved, and so are all places
    that are counted from it: what is known of the entry stays true.
    """

    file: SourceFile
    base: int


class Placed:
    """What stands in a file: ``at`` and ``to`` are where it begins and ends, counted from its anchor, which
    is the file for most things.
    """

    __slots__ = ()
    anchor: SourceFile | Anchor
    at: int
    to: int

    @property
    def file(self) -> SourceFile:
        """The file that it stands in."""
        return self.anchor.file

    @property
    def start(self) -> int:
        """The offset of its first character in the file."""
        return self.anchor.base + self.at

    @property
    def end(self) -> int:
        """The offset behind its last character in the file."""
        return self.anchor.base + self.to

    @property
    def span(self) -> Span:
        """Its place."""
        return Span(self.anchor, self.at, self.to)


class Span(Placed, Struct, frozen=True, eq=False):
    """A stretch of a file in character offsets, the end exclusive. It may run over several lines."""

    anchor: SourceFile | Anchor
    at: int
    to: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return self.file is other.file and self.start == other.start and self.end == other.end

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct's own __ne__ does not ask __eq__ (msgspec 0.22)

    def __hash__(self) -> int:
        return hash((id(self.file), self.start, self.end))

    def beside(self, start: int, end: int) -> Span:
        """Another stretch of the same file, by its offsets there, that moves together with this one."""
        base = self.anchor.base
        return Span(self.anchor, start - base, end - base)

    @property
    def begin_position(self) -> Position:
        """Where it begins."""
        return self.file.position(self.start)

    @property
    def end_position(self) -> Position:
        """Where it ends: the position just behind its last character."""
        return self.file.position(self.end)

    @property
    def text(self) -> str:
        """The characters of the file that it covers."""
        return self.file.text[self.start : self.end]
