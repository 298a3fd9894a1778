"""What is drawn around and over the cards of a sheet: cut and fold marks, the overlay of a proof.

Paths are written in the operators of PDF. Lengths are in mm, widths of lines in pt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from toolkit.data.model import Edges
from toolkit.render.layout import HAIR, Arrangement, Marks, Slot
from toolkit.render.sizes import POINTS_PER_MM, Size

HAIRLINE = 0.25
_HALO = 0.75
_ROUND = 0.5523
"""How far the handles of a Bézier curve reach that draws a quarter of a circle."""

NOWHERE = Edges(0.0, 0.0, 0.0, 0.0)


class Line(NamedTuple):
    """A line between two points."""

    x1: float
    y1: float
    x2: float
    y2: float


def numbers(*millimetres: float) -> str:
    """Return lengths in points, as PDF writes them."""
    return " ".join(f"{number * POINTS_PER_MM:.3f}" for number in millimetres)


def stroke(lines: Iterable[Line], dash: str = "", halo: bool = False) -> bytes:
    """Return black hairlines; a halo of white makes them visible on dark pictures."""
    drawn = " ".join(f"{numbers(x1, y1)} m {numbers(x2, y2)} l" for x1, y1, x2, y2 in lines)
    if not drawn:
        return b""
    white = f"1 G {_HALO} w {drawn} S " if halo else ""
    return f"q {white}{dash and f'[{dash}] 0 d '}0 G {HAIRLINE} w {drawn} S Q\n".encode()


def outline(slot: Slot, around: Edges = NOWHERE, radius: float = 0.0) -> str:
    """Return the path of a slot's edge, ``around`` it by some lengths (negative: within).

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
    """Return a quarter of an ellipse from a point, first along x or along y."""
    begins = (x + across * _ROUND, y) if first == "x" else (x, y + up * _ROUND)
    end = (x + across, y + up)
    ends = (end[0], end[1] - up * _ROUND) if first == "x" else (end[0] - across * _ROUND, end[1])
    return f"{numbers(*begins, *ends, *end)} c"


MARK_LENGTH = 4.0
MARK_GAP = 0.5
"""Marks begin this far outside the bleed, in mm."""

_SHORTEST = 0.5
_FOLD_DASH = "4 2"


def reaches(slots: Sequence[Slot], bleed: float) -> list[Edges]:
    """Return for each card how far its picture goes beyond its cut: 0.1 ms for 9 cards, 16 ms for 100."""
    return [reach(slot, slots, bleed) for slot in slots]


def reach(slot: Slot, others: Sequence[Slot], bleed: float) -> Edges:
    """Return how far a card's picture goes beyond its cut on each side: half-way to a neighbour at most."""
    left = right = top = bottom = bleed
    for other in others:
        if other is slot:
            continue
        if other.y < slot.top - HAIR and slot.y < other.top - HAIR:
            if other.x >= slot.right - HAIR:
                right = min(right, max(other.x - slot.right, 0.0) / 2)
            else:
                left = min(left, max(slot.x - other.right, 0.0) / 2)
        elif other.x < slot.right - HAIR and slot.x < other.right - HAIR:
            if other.y >= slot.top - HAIR:
                top = min(top, max(other.y - slot.top, 0.0) / 2)
            else:
                bottom = min(bottom, max(slot.y - other.top, 0.0) / 2)
    return Edges(left, right, top, bottom)


def marks_below(marks: Marks, slots: Sequence[Slot], paper: Size) -> bytes:
    """Return what is drawn below the cards: lines across the sheet along every cut."""
    return stroke(_across(slots, paper)) if marks == "full" else b""


def marks_above(marks: Marks, slots: Sequence[Slot], paper: Size, bleed: float) -> bytes:
    """Return what is drawn over the cards: marks at the sheet's edges or at every corner."""
    if marks == "edges":
        return stroke(edge_marks(slots, paper, bleed))
    if marks == "corners":
        return stroke(corner_marks(slots, paper, bleed), halo=True)
    return b""


def edge_marks(slots: Sequence[Slot], paper: Size, bleed: float) -> Iterator[Line]:
    """Yield marks outside all cards and their bleed, at every cut; shortened if the margin is small."""
    left, right = min(slot.x for slot in slots), max(slot.right for slot in slots)
    bottom, top = min(slot.y for slot in slots), max(slot.top for slot in slots)
    start = bleed + MARK_GAP

    def length(margin: float) -> float:
        return min(MARK_LENGTH, margin - start)

    for x in _cuts(edge for slot in slots for edge in (slot.x, slot.right)):
        for y, way, margin in ((bottom, -1, bottom), (top, 1, paper.height - top)):
            if length(margin) > 0:
                yield Line(x, y + way * start, x, y + way * (start + length(margin)))
    for y in _cuts(edge for slot in slots for edge in (slot.y, slot.top)):
        for x, way, margin in ((left, -1, left), (right, 1, paper.width - right)):
            if length(margin) > 0:
                yield Line(x + way * start, y, x + way * (start + length(margin)), y)


def corner_marks(slots: Sequence[Slot], paper: Size, bleed: float) -> Iterator[Line]:
    """Yield two marks at each corner of every card, outside the bleed if there is room, else upon it."""
    flat = [(slot.x, slot.right, slot.y, slot.top) for slot in slots]
    for x, y, way, (start, end) in _ticks(flat, paper.width, bleed):
        yield Line(x + way * start, y, x + way * end, y)
    upright = [(slot.y, slot.top, slot.x, slot.right) for slot in slots]
    for y, x, way, (start, end) in _ticks(upright, paper.height, bleed):
        yield Line(x, y + way * start, x, y + way * end)


_Extent = tuple[float, float, float, float]
"""Where a card begins and ends along a line, and across it."""


def _ticks(
    extents: Sequence[_Extent], length: float, bleed: float
) -> Iterator[tuple[float, float, int, tuple[float, float]]]:
    """Yield marks along a line: position (along, across), direction, and distances of both ends."""
    cuts = {edge for extent in extents for edge in extent[2:]}
    beside = {cut: [one for one in extents if one[2] - HAIR <= cut <= one[3] + HAIR] for cut in cuts}
    for begin, end, *across in extents:
        for cut in across:
            before = max((one[1] for one in beside[cut] if one[1] <= begin + HAIR), default=None)
            behind = min((one[0] for one in beside[cut] if one[0] >= end - HAIR), default=None)
            left = begin if before is None else (begin - before) / 2
            right = length - end if behind is None else (behind - end) / 2
            for at, way, room in ((begin, -1, left), (end, 1, right)):
                for tick in _tick(room, bleed):
                    yield at, cut, way, tick


def _tick(room: float, bleed: float) -> list[tuple[float, float]]:
    """Return the distances of a mark's ends from the corner; none if the room is too small."""
    start = bleed + MARK_GAP if room >= bleed + MARK_GAP + 1 else MARK_GAP
    end = min(start + MARK_LENGTH, room)
    return [(start, end)] if end - start >= _SHORTEST else []


def _across(slots: Sequence[Slot], paper: Size) -> Iterator[Line]:
    for x in _cuts(edge for slot in slots for edge in (slot.x, slot.right)):
        yield Line(x, 0, x, paper.height)
    for y in _cuts(edge for slot in slots for edge in (slot.y, slot.top)):
        yield Line(0, y, paper.width, y)


def _cuts(edges: Iterator[float]) -> list[float]:
    """Return each cut once, in order."""
    return sorted({round(edge, 3) for edge in edges})


def fold_line(arrangement: Arrangement) -> bytes:
    """Return the dashed line to fold along, outside the cards."""
    if arrangement.fold == "none":
        return b""
    paper, slots, bleed = arrangement.paper, arrangement.used, arrangement.plan.bleed
    if arrangement.fold == "vertical":
        x = paper.width / 2
        below, above = min(slot.y for slot in slots) - bleed, max(slot.top for slot in slots) + bleed
        lines = [Line(x, 0, x, below), Line(x, above, x, paper.height)]
    else:
        y = paper.height / 2
        before, behind = min(slot.x for slot in slots) - bleed, max(slot.right for slot in slots) + bleed
        lines = [Line(0, y, before, y), Line(behind, y, paper.width, y)]
    return stroke(lines, dash=_FOLD_DASH)


_CUT = "0.85 0 0.45 RG 0.5 w [] 0 d"
_SAFE_ZONE = "0 0.45 0.75 RG 0.5 w [3 1.5] 0 d"
_BLEED = "0.3 0.3 0.3 RG 0.35 w [0.6 1.2] 0 d"
"""Colours and dashes; the three differ without colour too."""


def proof_lines(slots: Iterable[tuple[Slot, Edges]], safe: float, radius: float) -> bytes:
    """Return the proof lines of all cards of a sheet, each with how far its picture reaches."""
    inside = Edges(-safe, -safe, -safe, -safe)
    drawn = []
    for slot, reached in slots:
        drawn.append(f"{_BLEED} {outline(slot, reached, radius)} S {_CUT} {outline(slot, radius=radius)} S")
        if 2 * safe < min(slot.width, slot.height):
            drawn.append(f"{_SAFE_ZONE} {outline(slot, inside, radius)} S")
    return f"q 1 1 1 RG {' '.join(drawn)} Q\n".encode() if drawn else b""
