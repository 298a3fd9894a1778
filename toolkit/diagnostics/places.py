"""Places as other programs count them: paths from a folder of their choice, columns in UTF-16 units."""

from __future__ import annotations

import os
from pathlib import Path

from toolkit.source import Position, SourceFile, Span


def path_from(base: Path, file: SourceFile) -> str:
    """The path of a file from a folder, with forward slashes; where that cannot be, its name in messages."""
    try:
        path = os.path.relpath(file.path, base)
    except ValueError:  # another drive
        return file.name
    return path.replace(os.sep, "/").encode("utf-8", "replace").decode()


def place(span: Span) -> str:
    """File, line and column, as an editor opens them."""
    begin = span.begin_position
    return f"{span.file.name}:{begin.line}:{begin.column}"


def utf16_column(file: SourceFile, position: Position) -> int:
    """The column of a position, from 1, in the units of UTF-16: an emoji counts two."""
    before = file.line(position.line)[: position.column - 1]
    return len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1
