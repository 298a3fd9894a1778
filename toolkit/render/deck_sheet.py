"""Deck sheets of Tabletop Simulator: one picture of up to 10 × 7 places, the last one free."""

from __future__ import annotations

from msgspec import Struct

from toolkit.render.sizes import Size

MOST_COLUMNS, MOST_ROWS = 10, 7
LEAST_SIDE = 2
"""A sheet has at least two columns and two rows."""

MOST_PIXELS = 4096
"""No side of a picture is longer."""

CARDS_ON_A_SHEET = MOST_COLUMNS * MOST_ROWS - 1
"""69: all places but the last one."""

FINEST_DPI = 300


class DeckSheet(Struct, frozen=True):
    """How a deck sheet is divided; ``width`` and ``height`` are those of one card in pixels."""

    columns: int
    rows: int
    width: int
    height: int
    dpi: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the whole picture in pixels."""
        return self.columns * self.width, self.rows * self.height

    @property
    def last(self) -> int:
        """The place that no card has."""
        return self.columns * self.rows - 1

    def corner(self, place: int) -> tuple[int, int]:
        """The upper left corner of a place in pixels."""
        row, column = divmod(place, self.columns)
        return column * self.width, row * self.height


def divide(cards: int, card: Size) -> DeckSheet:
    """The sheet for up to 69 different cards on which they are largest; among equals the smallest sheet."""
    fitting = [
        sheet
        for columns in range(LEAST_SIDE, MOST_COLUMNS + 1)
        for rows in range(LEAST_SIDE, MOST_ROWS + 1)
        if (sheet := _sheet(columns, rows, card)).last >= cards
    ]
    return max(fitting, key=lambda sheet: (sheet.dpi, -sheet.last, -sheet.columns))


def _sheet(columns: int, rows: int, card: Size) -> DeckSheet:
    finest = min(MOST_PIXELS / columns / card.width, MOST_PIXELS / rows / card.height) * 25.4
    dpi = min(FINEST_DPI, int(finest))
    while True:  # rounding to whole pixels may be one pixel too much
        width, height = (round(side / 25.4 * dpi) for side in card)
        if columns * width <= MOST_PIXELS and rows * height <= MOST_PIXELS:
            return DeckSheet(columns, rows, width, height, dpi)
        dpi -= 1
