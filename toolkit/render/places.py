"""Places in the files of a templates folder."""

from __future__ import annotations

from pathlib import Path

from toolkit.source import SourceFile, Span, shown_name
from toolkit.source.paths import read_regular
from toolkit.source.reading import LARGEST_FILE


def line_span(path: Path, line: int) -> Span:
    """A line (from 1) without its indentation; the beginning of the file when there is no such line."""
    source = read_source(path)
    starts = source.line_starts()
    if not 1 <= line <= len(starts):
        return source.span(0, 0)
    text = source.line(line)
    indent = len(text) - len(text.lstrip())
    return source.span(starts[line - 1] + indent, starts[line - 1] + len(text.rstrip()))


def read_source(path: Path) -> SourceFile:
    """The file as far as it can be read, called by its path from the current folder."""
    try:
        text = read_regular(path, LARGEST_FILE).decode("utf-8", errors="replace")
    except OSError:
        text = ""
    return SourceFile(path, shown_name(path), text)
