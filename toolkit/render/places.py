"""Places in the files of a templates folder."""

from __future__ import annotations

from pathlib import Path

from toolkit.source import SourceFile, Span


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
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    try:
        name = str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        name = str(path)
    return SourceFile(path, name, text)
