"""Where cards lie on a sheet: a centred grid with shared cuts, and its crop marks. All in millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from toolkit.render.sizes import BLEED, Size

MARK_LENGTH = 4.0
MARK_GAP = 0.5
"""Crop marks begin this far outside the bleed, in mm."""

MARGIN = 5.0
"""Cards stay this far from the edge of the paper, in mm: printers need it, and crop marks begin within it."""


class Slot(NamedTuple):
    """A place for a card: its column and row, and the lower left corner of its trim on the paper."""

    column: int
    row: int
    x: float
    y: float


class Line(NamedTuple):
    """A crop mark from one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Grid:
    """As many cards as fit on the paper, edge to edge, centred, so that fronts and backs register.

    The origin of coordinates is the lower left corner of the paper, as in PDF; rows count from the top.
    """

    card: Size
    paper: Size
    columns: int
    rows: int

    @property
    def left(self) -> float:
        """Margin to the left of the first column."""
        return (self.paper.width - self.columns * self.card.width) / 2

    @property
    def bottom(self) -> float:
        """Margin below the last row."""
        return (self.paper.height - self.rows * self.card.height) / 2

    @property
    def slots(self) -> int:
        """Cards on a full sheet."""
        return self.columns * self.rows

    def slot(self, number: int) -> Slot:
        """The place of the n-th card of a sheet, from 0, row by row from the upper left."""
        row, column = divmod(number, self.columns)
        x = self.left + column * self.card.width
        return Slot(column, row, x, self.bottom + (self.rows - 1 - row) * self.card.height)

    def back_slot(self, number: int) -> Slot:
        """The place of that card's back on a sheet turned over its long edge: columns mirrored."""
        row, column = divmod(number, self.columns)
        return self.slot(row * self.columns + self.columns - 1 - column)

    def crop_marks(self) -> Iterator[Line]:
        """Hairlines outside the grid and its bleed, at every cut; shortened where the margin is small."""
        right = self.left + self.columns * self.card.width
        top = self.bottom + self.rows * self.card.height
        start = BLEED + MARK_GAP
        across, along = min(MARK_LENGTH, self.left - start), min(MARK_LENGTH, self.bottom - start)
        if along > 0:
            for column in range(self.columns + 1):
                x = self.left + column * self.card.width
                yield Line(x, self.bottom - start, x, self.bottom - start - along)
                yield Line(x, top + start, x, top + start + along)
        if across > 0:
            for row in range(self.rows + 1):
                y = self.bottom + row * self.card.height
                yield Line(self.left - start, y, self.left - start - across, y)
                yield Line(right + start, y, right + start + across, y)


def fit_grid(card: Size, paper: Size) -> Grid | None:
    """The grid with as many columns and rows as fit within the margins.

    A card that is too large for the margins lies alone in its row or column, as long as it is not larger than
    the paper; if it is, there is no grid.
    """
    columns, rows = _fitting(card.width, paper.width), _fitting(card.height, paper.height)
    return Grid(card, paper, columns, rows) if columns and rows else None


def _fitting(card: float, paper: float) -> int:
    hair = 0.01  # 1/100 mm: sizes given in inches are rounded
    return int((paper - 2 * MARGIN + hair) // card) or int(card <= paper + hair)
