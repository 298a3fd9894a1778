"""Lines of a YAML file, seen from an offset: what the wording of syntax errors looks at."""

from __future__ import annotations

import re

from msgspec import Struct

from toolkit.source import SourceFile, Span

_KEY = re.compile(r"[ \t]*((?:- +)*)([^\s:#'\"\[{,-][^\s:#,\[\]{}]*)[ \t]*:(?=\s|$)")


class Line(Struct, frozen=True):
    """One line: its number from 1, the offset at which it begins, its text without the line end."""

    file: SourceFile
    number: int
    start: int
    text: str

    @property
    def indent(self) -> int:
        """How many blanks it begins with."""
        return len(self.text) - len(self.text.lstrip(" \t"))

    @property
    def body(self) -> str:
        """Its text without the blanks at both ends."""
        return self.text.strip()

    @property
    def has_dash(self) -> bool:
        """Whether it begins an item of a list."""
        return self.body.startswith("- ") or self.body == "-"

    @property
    def key_column(self) -> int | None:
        """The column from 0 of its first key, behind dashes; None if it does not begin with a key."""
        found = _KEY.match(self.text)
        return found.start(2) if found else None

    def span(self, start: int, end: int) -> Span:
        """The place of a stretch of the line, given by columns from 0."""
        return self.file.span(self.start + start, self.start + end)

    def above(self) -> Line | None:
        """The nearest line above that is neither blank nor a comment."""
        number = self.number - 1
        while number >= 1:
            line = line_number(self.file, number)
            if line.body and not line.body.startswith("#"):
                return line
            number -= 1
        return None


def line_number(file: SourceFile, number: int) -> Line:
    """A line by its number from 1."""
    return Line(file, number, file.line_starts()[number - 1], file.line(number))


def line_at(file: SourceFile, offset: int) -> Line:
    """The line in which an offset lies."""
    return line_number(file, file.position(offset).line)


def word_at(file: SourceFile, offset: int) -> Span:
    """The word that begins at an offset; a single character where there is no word."""
    found = re.compile(r"[^\s:,\[\]{}#]+").match(file.text, offset)
    end = found.end() if found else min(offset + 1, len(file.text))
    if end > offset and file.text[offset:end].isspace():
        end = offset
    return file.span(offset, end)


def fitting_indent(line: Line) -> tuple[int, int] | None:
    """The indent that a line probably ought to have, and the number of the line above that it comes from.

    An item of a list stands below the nearest item above that is not deeper, a key below the nearest key.
    """
    above = line.above() if line.has_dash or line.key_column is not None else None
    nearest: tuple[int, int] | None = None
    while above is not None:
        column = above.indent if line.has_dash and above.has_dash else None
        column = above.key_column if not line.has_dash else column
        if column is not None:
            if nearest is None or abs(column - line.indent) < abs(nearest[0] - line.indent):
                nearest = column, above.number
            if above.indent == 0 or line.number - above.number > 20:
                break
        above = above.above() if above.indent > 0 else None
    return nearest
