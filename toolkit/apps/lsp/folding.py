"""What an editor can fold: sections, entries, SKILLs, lists, long texts, and comments of several lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from lsprotocol import types

from toolkit.data.yaml.line_blocks import indent_of, is_comment, last_lines
from toolkit.source import SourceFile


def folding_ranges(file: SourceFile, limit: int | None = None) -> list[types.FoldingRange]:
    """Return the ranges of whole lines that can be folded, in file order, not more than an editor takes.

    They go by the lines alone: while a file is broken, nothing that was folded opens. The line after a range
    stays visible, and blank lines and comments before the next entry with it.
    """
    lines = [file.line(number) for number in range(1, len(file.line_starts()) + 1)]
    blocks = [types.FoldingRange(start, end) for start, end in enumerate(last_lines(lines)) if end > start]
    ranges = sorted((*blocks, *_comments(lines)), key=lambda fold: fold.start_line)
    return ranges[:limit]


def _comments(lines: list[str]) -> Iterator[types.FoldingRange]:
    """Yield the runs of two and more lines that are comments with the same indentation."""
    indents = [indent_of(line) if is_comment(line) else None for line in lines]
    start = 0
    for indent, run in groupby(indents):
        end = start + len(list(run))
        if indent is not None and end - start > 1:
            yield types.FoldingRange(start, end - 1, kind=types.FoldingRangeKind.Comment)
        start = end
