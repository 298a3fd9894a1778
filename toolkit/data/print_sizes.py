"""Sizes of cards and papers by name, in millimetres, width before height.

Sources: print shops' templates, ISO 216, ANSI.
"""

from __future__ import annotations

import re
from typing import Literal

Shape = Literal["rect", "round", "hex"]
"""The outline of a cut card: a rectangle, a circle, a hexagon with two upright sides."""

CARD_SIZES: dict[str, tuple[float, float]] = {
    "poker": (63.0, 88.0),
    "poker-us": (63.5, 88.9),
    "bridge": (57.15, 88.9),
    "tarot": (69.85, 120.65),
    "mini": (44.0, 68.0),
    "mini-us": (41.0, 63.0),
    "euro": (59.0, 92.0),
    "usa": (56.0, 87.0),
    "japanese": (59.0, 86.0),
    "domino": (44.45, 88.9),
    "square": (70.0, 70.0),
    "business": (85.0, 55.0),
    "round": (60.0, 60.0),
    "hex": (60.0, 69.28),
}
"""Trim sizes."""

SHAPES: dict[str, Shape] = {"round": "round", "hex": "hex"}
"""The shapes of the sizes that are not rectangles."""

PAPERS: dict[str, tuple[float, float]] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a3": (297.0, 420.0),
    "tabloid": (279.4, 431.8),
}
"""Papers in portrait orientation."""

_UNITS = {
    "mm": (10, "[mM][mM]", "[1-9][0-9]{1,2}([.,][0-9]{1,2})?"),
    "cm": (100, "[cC][mM]", "[1-9][0-9]?([.,][0-9]{1,3})?"),
    "in": (
        254,
        '([iI][nN]([cC][hH]([eE][sS])?)?|["″])',
        "(0[.,][4-9][0-9]{0,3}|([1-9]|[12][0-9]|3[0-8])([.,][0-9]{1,4})?)",
    ),
}
"""The units of sizes: tenths of a millimetre, how they are written, numbers of about 10 to 999 mm."""

_EITHER_SIZE = "|".join(f"{side} *({unit})? *[xX×] *{side} *{unit}" for _, unit, side in _UNITS.values())
SIZE_PATTERN = rf"^({_EITHER_SIZE})$(?!\n)"
"""A custom size, such as ``63x88mm`` or ``2.5 x 3.5 in``: 10 mm to 999 mm a side."""

_EITHER_PIECE = "|".join(f"{side} *{unit}" for _, unit, side in _UNITS.values())
PIECE_PATTERN = rf"^(round|hex)-({_EITHER_PIECE})$(?!\n)"
"""A round card by its diameter, such as ``round-40mm``, or a hexagon by its width: 10 mm to 999 mm."""

_LENGTH = r"(\d+(?:[.,]\d+)?)\s*(mm|cm|in|inch|inches|[\"″])?"


def read_lengths(text: str) -> list[float] | None:
    """Return one or two lengths with units, such as ``63 x 88 mm``, in mm; None for any other text.

    A unit is that of both numbers; without one they are millimetres. Inches are converted exactly.
    """
    pattern = rf"\s*{_LENGTH}\s*(?:[x×]\s*{_LENGTH}\s*)?"
    match = re.compile(pattern, re.IGNORECASE | re.ASCII).fullmatch(text)
    if match is None or len(text) > _LONGEST_TEXT:
        return None
    first, first_unit, second, second_unit = match.groups()
    lengths = [(first, first_unit or second_unit), (second, second_unit or first_unit)]
    return [_in_mm(number, unit or "mm") for number, unit in lengths if number is not None]


_LONGEST_TEXT = 60


def _in_mm(number: str, unit: str) -> float:
    """Return a length in mm; a unit that is neither mm nor cm is the inch, in one of its spellings."""
    tenths_of_mm, _, _ = _UNITS.get(unit.lower(), _UNITS["in"])
    whole, _, decimals = number.replace(",", ".").partition(".")
    # a quotient of whole numbers is the nearest float: 3.5 in are 88.9 mm as `poker-us` has them
    return int(whole + decimals) * tenths_of_mm / int(f"1{'0' * len(decimals)}0")


def named_size(width: float, height: float) -> str | None:
    """Return the name of the card size or paper with these sides, either way round."""
    for name, sides in (*CARD_SIZES.items(), *PAPERS.items()):
        if name not in SHAPES and sorted(sides) == sorted((width, height)):
            return name
    return None


MARGIN = 5.0
"""Default distance of cards from the edge of the paper in mm, which printers cannot print on."""

BLEED = 3.0
"""Default of the bleed beyond the cut, and of the safe zone inside of it, in mm."""

GUTTER = 3.0
"""Default distance of cards from a fold, in mm."""

THICKNESS = 0.3
"""Default thickness of a card, in mm."""

THICKNESS_SLEEVED = 0.6
"""Default thickness of a card in its sleeve, in mm."""
