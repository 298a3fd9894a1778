"""Lines that are being written: spare blank lines go, and comments find their column."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from toolkit.project.formatting.pieces import Remark


class Line(Struct):
    """A line without its end. ``shift`` says how far its comment moves with the indentation; ``is_free``
    that it is a blank line or comment, of which one blank line in a row is enough; ``keeps`` that a blank
    line below it would belong to its text."""

    text: str
    remark: Remark | None = None
    shift: int = 0
    is_free: bool = False
    keeps: bool = False


def free_lines(lines: list[str], indent: int) -> list[Line]:
    """Comments and blank lines under an indentation."""
    return [Line(" " * indent + line if line else "", is_free=True) for line in lines]


def without_spare_blanks(lines: list[Line]) -> list[Line]:
    """No blank line at the beginning and the end, and never two in a row, but for those of texts."""
    kept: list[Line] = []
    for line in lines:
        before = kept[-1] if kept else None
        spare = before is None or before.keeps or (before.is_free and not before.text)
        if not (spare and line.is_free and not line.text):
            kept.append(line)
    while kept and kept[-1].is_free and not kept[-1].text:
        kept.pop()
    return kept


def with_remarks(lines: list[Line]) -> Iterator[str]:
    """The lines with their comments: those that were in one column stay so, at least two blanks away."""
    for column, group in groupby(lines, key=lambda line: line.remark.column if line.remark else -1):
        together = list(group)
        if column < 0:
            yield from (line.text for line in together)
            continue
        longest = max(len(line.text) for line in together)
        wanted = max(column + line.shift for line in together)
        place = wanted if wanted > longest else longest + 2
        for line in together:
            assert line.remark is not None
            gap = place - len(line.text)
            if len(together) == 1 and line.remark.gap <= 2:
                gap = max(line.remark.gap, 1)
            yield (line.text + " " * gap if line.text.strip() else line.text) + line.remark.text
