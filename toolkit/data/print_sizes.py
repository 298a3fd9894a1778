"""Sizes of cards and papers by name, in millimetres, width before height.

Sources: print shops' templates, ISO 216, ANSI.
"""

from __future__ import annotations

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

PIECE_PATTERN = r"^(round|hex)-[1-9][0-9]{1,2}(\.[0-9]{1,2})?mm$(?!\n)"
"""A round card by its diameter, such as ``round-40mm``, or a hexagon by its width: 10 mm to 999 mm."""

PAPERS: dict[str, tuple[float, float]] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a3": (297.0, 420.0),
    "tabloid": (279.4, 431.8),
}
"""Papers in portrait orientation."""

SIZE_PATTERN = r"^[1-9][0-9]{1,2}(\.[0-9]{1,2})?x[1-9][0-9]{1,2}(\.[0-9]{1,2})?mm$(?!\n)"
"""A custom size, such as ``63x88mm``: 10 mm to 999 mm a side."""

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
