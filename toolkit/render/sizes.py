"""Sizes of cards and papers in millimetres, and their names in messages."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from toolkit.data import print_sizes
from toolkit.data.print_sizes import Shape

MM_PER_INCH = 25.4
POINTS_PER_INCH = 72
CSS_DPI = 96
"""Pixels of CSS per inch."""

POINTS_PER_MM = POINTS_PER_INCH / MM_PER_INCH


class Size(Struct, frozen=True):
    """Width and height in mm, which it also yields, and the shape if it is that of a card."""

    width: float
    height: float
    shape: Shape = "rect"

    def __iter__(self) -> Iterator[float]:
        yield self.width
        yield self.height

    @property
    def points(self) -> tuple[float, float]:
        """Width and height in PDF points."""
        return self.width * POINTS_PER_MM, self.height * POINTS_PER_MM

    @property
    def upright(self) -> Size:
        """The same size with its longer side upright."""
        return self if self.width <= self.height else self.turned

    @property
    def turned(self) -> Size:
        """The same size with width and height exchanged."""
        return Size(self.height, self.width, self.shape)


CARD_SIZES = {
    name: Size(*sides, print_sizes.SHAPES.get(name, "rect")) for name, sides in print_sizes.CARD_SIZES.items()
}
"""Trim sizes of cards."""

PAPERS = {name: Size(*sides) for name, sides in print_sizes.PAPERS.items()}
"""Papers, upright."""

BLEED = print_sizes.BLEED
"""The default bleed and safe zone, in mm."""

MAX_SIDE = 1000.0
"""The exclusive maximum of the sides of cards and papers, in mm; the schema of project files has the same."""


def size_of(name: str, named: dict[str, Size]) -> Size | None:
    """Return the size of that name, or of measures such as ``63x88mm``; None if it is neither."""
    if name in named:
        return named[name]
    match print_sizes.read_lengths(name):
        case [width, height] if min(width, height) > 0 and max(width, height) < MAX_SIDE:
            return Size(width, height)
    return None


def trim_size(name: str) -> Size | None:
    """Return a trim size by name or measures; ``round-60mm`` is a diameter, ``hex-60mm`` side to side."""
    shape, dash, width = name.strip().partition("-")
    if not dash or shape not in ("round", "hex"):
        return size_of(name, CARD_SIZES)
    match print_sizes.read_lengths(width):
        case [side] if 0 < side < MAX_SIDE:
            if shape == "round":
                return Size(side, side, "round")
            return Size(side, round(side * 2 / 3**0.5, 2), "hex")  # from tip to tip
    return None


_PAPER_WORDS = {"a4": "A4", "a3": "A3", "letter": "Letter", "tabloid": "Tabloid"}


def paper_name(paper: Size) -> str:
    """Return a paper in words, such as "A4 landscape", or its measures if it has no name."""
    for name, size in PAPERS.items():
        if paper == size:
            return f"{_PAPER_WORDS[name]} portrait"
        if paper == size.turned:
            return f"{_PAPER_WORDS[name]} landscape"
    return f"paper of {measures(paper)}"


def card_name(card: Size) -> str:
    """Return the name of a trim size, or its measures as ``trim_size`` reads them."""
    for name, size in CARD_SIZES.items():
        if size == card:
            return name
    return f"{card.width:g}x{card.height:g}mm" if card.shape == "rect" else f"{card.shape}-{card.width:g}mm"


def measures(size: Size) -> str:
    """Return a size in words, such as "63 × 88 mm"."""
    if size.shape == "round":
        return f"{size.width:g} mm across"
    return f"{size.width:g} × {size.height:g} mm"
