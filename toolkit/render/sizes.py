"""Sizes of cards and papers by name, in millimetres (sources: print shops' templates, ISO 216, ANSI)."""

from __future__ import annotations

import re
from typing import NamedTuple

POINTS_PER_MM = 72 / 25.4


class Size(NamedTuple):
    """Width and height in millimetres."""

    width: float
    height: float

    @property
    def points(self) -> tuple[float, float]:
        """The same in PDF points."""
        return self.width * POINTS_PER_MM, self.height * POINTS_PER_MM


CARD_SIZES = {
    "poker": Size(63, 88),
    "poker-us": Size(63.5, 88.9),
    "bridge": Size(57.15, 88.9),
    "tarot": Size(69.85, 120.65),
    "mini": Size(44, 68),
    "mini-us": Size(41, 63),
    "euro": Size(59, 92),
    "usa": Size(56, 87),
    "japanese": Size(59, 86),
    "domino": Size(44.45, 88.9),
    "square": Size(70, 70),
    "business": Size(85, 55),
}
"""Trim sizes; the first is the default."""

PAPERS = {
    "a4": Size(210, 297),
    "letter": Size(215.9, 279.4),
    "a3": Size(297, 420),
    "tabloid": Size(279.4, 431.8),
}
"""Papers, upright; the first is the default."""

BLEED = 3.0
"""Bleed around a card, and the safe zone within its edge, in mm."""

_MEASURES = re.compile(r"(\d+(?:\.\d+)?)\s*[x×]\s*(\d+(?:\.\d+)?)\s*(?:mm)?")


def size_of(name: str, named: dict[str, Size]) -> Size | None:
    """The size of that name, or of measures like ``63x88mm``; nothing when it is neither."""
    if name in named:
        return named[name]
    measures = _MEASURES.fullmatch(name.strip())
    if measures is None:
        return None
    size = Size(float(measures[1]), float(measures[2]))
    return size if min(size) > 0 else None
