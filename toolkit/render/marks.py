"""What helps to cut and fold: marks, lines, and how far the pictures of neighbours reach beyond the cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.data.model import Edges
from toolkit.render.layout import Arrangement, Marks
from toolkit.render.sizes import Size
from toolkit.render.slots import HAIR, Slot
from toolkit.render.strokes import Line, stroke

MARK_LENGTH = 4.0
MARK_GAP = 0.5
"""Marks begin this far outside the bleed, in mm."""

_SHORTEST = 0.5
_FOLD_DASH = "4 2"


def reaches(slots: Sequence[Slot], bleed: float) -> list[Edges]:
    """How far the picture of each card goes beyond its cut; only what lies near it is looked at."""
    side = max((max(slot.width, slot.height) for slot in slots), default=0.0) + 2 * bleed
    near: dict[tuple[int, int], list[Slot]] = {}
    for slot in slots:
        near.setdefault((int(slot.x // side), int(slot.y // side)), []).append(slot)
    found = []
    for slot in slots:
        column, row = int(slot.x // side), int(slot.y // side)
        cells = ((column + across, row + up) for across in (-1, 0, 1) for up in (-1, 0, 1))
        found.append(reach(slot, [other for cell in cells for other in near.get(cell, ())], bleed))
    return found


def reach(slot: Slot, others: Sequence[Slot], bleed: float) -> Edges:
    """How far the picture of a card goes beyond its cut on every side: half-way to a neighbour at most."""
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
    """What is drawn before the cards: lines across the sheet along every cut."""
    return stroke(_across(slots, paper)) if marks == "full" else b""


def marks_above(marks: Marks, slots: Sequence[Slot], paper: Size, bleed: float) -> bytes:
    """What is drawn over the cards: marks at the edges of the sheet, or at the corners of every card."""
    if marks == "edges":
        return stroke(edge_marks(slots, paper, bleed))
    if marks == "corners":
        return stroke(corner_marks(slots, paper, bleed), halo=True)
    return b""


def edge_marks(slots: Sequence[Slot], paper: Size, bleed: float) -> Iterator[Line]:
    """Marks outside all cards and their bleed, at every cut; shortened where the margin is small."""
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
    """Two marks at each corner of every card, outside the bleed where there is room, else upon it."""
    flat = [(slot.x, slot.right, slot.y, slot.top) for slot in slots]
    for x, y, way, (start, end) in _ticks(flat, paper.width, bleed):
        yield Line(x + way * start, y, x + way * end, y)
    standing = [(slot.y, slot.top, slot.x, slot.right) for slot in slots]
    for y, x, way, (start, end) in _ticks(standing, paper.height, bleed):
        yield Line(x, y + way * start, x, y + way * end)


_Extent = tuple[float, float, float, float]
"""Where a card begins and ends along a line, and across it."""


def _ticks(
    extents: Sequence[_Extent], length: float, bleed: float
) -> Iterator[tuple[float, float, int, tuple[float, float]]]:
    """Marks along a line: from where (along, across), which way, and from how far to how far."""
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
    """Where a mark begins and ends, counted from the corner; none where the room is too small."""
    start = bleed + MARK_GAP if room >= bleed + MARK_GAP + 1 else MARK_GAP
    end = min(start + MARK_LENGTH, room)
    return [(start, end)] if end - start >= _SHORTEST else []


def _across(slots: Sequence[Slot], paper: Size) -> Iterator[Line]:
    for x in _cuts(edge for slot in slots for edge in (slot.x, slot.right)):
        yield Line(x, 0, x, paper.height)
    for y in _cuts(edge for slot in slots for edge in (slot.y, slot.top)):
        yield Line(0, y, paper.width, y)


def _cuts(edges: Iterator[float]) -> list[float]:
    """Each cut once, in order."""
    return sorted({round(edge, 3) for edge in edges})


def fold_line(arrangement: Arrangement) -> bytes:
    """The line to fold along, dashed, outside the cards."""
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
