"""A place for a card on a sheet."""

from __future__ import annotations

from typing import Literal, NamedTuple

Turn = Literal[0, 90, 180, 270]
"""Degrees to the left, as in PDF."""

_TURNS: tuple[Turn, ...] = (0, 90, 180, 270)

HAIR = 0.01
"""1/100 mm: sizes given in inches are rounded, and nobody cuts better."""


class Slot(NamedTuple):
    """A place for a card as it is cut: its lower left corner, its extent, and how the card is turned.

    In mm from the lower left corner of the paper. ``width`` and ``height`` are those of the place, so that a
    card turned by 90 degrees has its own height as width.
    """

    x: float
    y: float
    width: float
    height: float
    turn: Turn = 0

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.height

    def overlaps(self, other: Slot) -> bool:
        """Whether the two have more than an edge in common."""
        return (
            self.x < other.right - HAIR
            and other.x < self.right - HAIR
            and self.y < other.top - HAIR
            and other.y < self.top - HAIR
        )


def turned(degrees: int) -> Turn:
    """The same turn from 0 to 270."""
    return _TURNS[degrees % 360 // 90]
