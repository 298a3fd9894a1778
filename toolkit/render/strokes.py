"""Paths and lines in the words of PDF. Lengths are in mm, widths of lines in pt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from toolkit.data.model import Edges
from toolkit.render.sizes import POINTS_PER_MM
from toolkit.render.slots import Slot

HAIRLINE = 0.25
_HALO = 0.75
_ROUND = 0.5523
"""How far the handles of a Bézier curve reach that draws a quarter of a circle."""

NOWHERE = Edges(0.0, 0.0, 0.0, 0.0)


class Line(NamedTuple):
    """From one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float


def numbers(*millimetres: float) -> str:
    """Lengths in points, as PDF writes them."""
    return " ".join(f"{number * POINTS_PER_MM:.3f}" for number in millimetres)


def stroke(lines: Iterable[Line], dash: str = "", halo: bool = False) -> bytes:
    """Black hairlines; a halo of white lets them be seen on dark pictures."""
    drawn = " ".join(f"{numbers(x1, y1)} m {numbers(x2, y2)} l" for x1, y1, x2, y2 in lines)
    if not drawn:
        return b""
    white = f"1 G {_HALO} w {drawn} S " if halo else ""
    return f"q {white}{dash and f'[{dash}] 0 d '}0 G {HAIRLINE} w {drawn} S Q\n".encode()


def outline(slot: Slot, around: Edges = NOWHERE, radius: float = 0.0) -> str:
    """The edge of a slot with some length around it (negative: within), its corners round if wanted.

    The corners follow those of the cut card: their radius grows by what is around.
    """
    left, bottom = slot.x - around.left, slot.y - around.bottom
    right, top = slot.right + around.right, slot.top + around.top
    if not radius:
        return f"{numbers(left, bottom, right - left, top - bottom)} re"
    wide = [max(radius + length, 0.0) for length in (around.left, around.right)]
    high = [max(radius + length, 0.0) for length in (around.bottom, around.top)]
    return (
        f"{numbers(left + wide[0], bottom)} m {numbers(right - wide[1], bottom)} l "
        f"{_quarter(right - wide[1], bottom, wide[1], high[0], 'x')} {numbers(right, top - high[1])} l "
        f"{_quarter(right, top - high[1], -wide[1], high[1], 'y')} {numbers(left + wide[0], top)} l "
        f"{_quarter(left + wide[0], top, -wide[0], -high[1], 'x')} {numbers(left, bottom + high[0])} l "
        f"{_quarter(left, bottom + high[0], wide[0], -high[0], 'y')} h"
    )


def _quarter(x: float, y: float, across: float, up: float, first: str) -> str:
    """A quarter of an ellipse from a point; it sets out along x or along y."""
    begins = (x + across * _ROUND, y) if first == "x" else (x, y + up * _ROUND)
    end = (x + across, y + up)
    ends = (end[0], end[1] - up * _ROUND) if first == "x" else (end[0] - across * _ROUND, end[1])
    return f"{numbers(*begins, *ends, *end)} c"
