"""The overlay of a proof: where the card is cut, how far its picture goes, and where words are safe."""

from __future__ import annotations

from collections.abc import Iterable

from toolkit.data.model import Edges
from toolkit.render.slots import Slot
from toolkit.render.strokes import outline

_CUT = "0.85 0 0.45 RG 0.5 w [] 0 d"
_SAFE = "0 0.45 0.75 RG 0.5 w [3 1.5] 0 d"
_BLEED = "0.3 0.3 0.3 RG 0.35 w [0.6 1.2] 0 d"
"""Colours and dashes; the three differ without colour too."""


def proof_lines(slots: Iterable[tuple[Slot, Edges]], safe: float, radius: float) -> bytes:
    """The lines of all cards of a sheet, each with how far its picture reaches."""
    inside = Edges(-safe, -safe, -safe, -safe)
    drawn = []
    for slot, reached in slots:
        drawn.append(f"{_BLEED} {outline(slot, reached, radius)} S {_CUT} {outline(slot, radius=radius)} S")
        if 2 * safe < min(slot.width, slot.height):
            drawn.append(f"{_SAFE} {outline(slot, inside, radius)} S")
    return f"q 1 1 1 RG {' '.join(drawn)} Q\n".encode() if drawn else b""
