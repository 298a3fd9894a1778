"""A file that was read, and a stretch of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\r|\n")


class Position(NamedTuple):
    """A place as people count: line and column from 1, columns in characters (code points)."""

    line: int
    column: int


@dataclass(eq=False, slots=True)
class SourceFile:
    """The text of one file as it was read: no byte order mark, line ends as they are on disk.

    ``name`` is how the file is called in messages: its path relative to the current folder.
    """

    path: Path
    name: str
    text: str
    _starts: list[int] = field(default_factory=list, repr=False)

    def line_starts(self) -> list[int]:
        """Offsets at which lines begin, the first one 0."""
        if not self._starts:
            self._starts = [0, *(end.end() for end in _LINE_END.finditer(self.text))]
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


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file in character offsets, the end exclusive. It may run over several lines."""

    file: SourceFile
    start: int
    end: int

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
