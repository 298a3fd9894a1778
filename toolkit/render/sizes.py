"""Sizes of cards and papers in millimetres, and their names in messages."""

from __future__ import annotations

import re
from typing import NamedTuple

from toolkit.data import print_sizes

POINTS_PER_MM = 72 / 25.4


class Size(NamedTuple):
    """Width and height in millimetres."""

    width: float
    height: float

    @property
    def points(self) -> tuple[float, float]:
        """The same in PDF points."""
        return self.width * POINTS_PER_MM, self.height * POINTS_PER_MM

    @property
    def turned(self) -> Size:
        """The same lying on its side."""
        return Size(self.height, self.width)


CARD_SIZES = {name: Size(*sides) for name, sides in print_sizes.CARD_SIZES.items()}
"""Trim sizes."""

PAPERS = {name: Size(*sides) for name, sides in print_sizes.PAPERS.items()}
"""Papers, upright."""

BLEED = print_sizes.BLEED
"""Bleed around a card, and the safe zone within its edge, in mm, where nothing else is said."""

LONGEST = 1000.0
"""Sides of cards and papers are shorter than this, in mm; so they are in project files too."""

_MEASURES = re.compile(r"(\d+(?:\.\d+)?)\s*[x×]\s*(\d+(?:\.\d+)?)\s*(?:mm)?")


def size_of(name: str, named: dict[str, Size]) -> Size | None:
    """The size of that name, or of measures like ``63x88mm`` up to a metre; nothing when it is neither."""
    if name in named:
        return named[name]
    measures = _MEASURES.fullmatch(name.strip())
    if measures is None:
        return None
    size = Size(float(measures[1]), float(measures[2]))
    return size if min(size) > 0 and max(size) < LONGEST else None


_SPOKEN = {"a4": "A4", "a3": "A3", "letter": "Letter", "tabloid": "Tabloid"}


def paper_name(paper: Size) -> str:
    """A4 landscape, or the measures of a paper that has no name."""
    for name, size in PAPERS.items():
        if paper == size:
            return f"{_SPOKEN[name]} portrait"
        if paper == size.turned:
            return f"{_SPOKEN[name]} landscape"
    return f"paper of {measures(paper)}"


def card_name(card: Size) -> str:
    """The name of a size of cards, else its measures as they are written."""
    names = [name for name, size in CARD_SIZES.items() if size == card]
    return names[0] if names else f"{card.width:g}x{card.height:g}mm"


def measures(size: Size) -> str:
    """63 × 88 mm."""
    return f"{size.width:g} × {size.height:g} mm"
