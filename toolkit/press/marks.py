"""Cut marks, fold lines and the ruler of a sheet, as PDF operators. Lengths are in mm, line widths in pt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from toolkit.data.model import Edges
from toolkit.press.layout import EPSILON, Arrangement, LayoutPlan, Slot, bounding_box
from toolkit.press.outlines import outline, points
from toolkit.render.sizes import POINTS_PER_MM, Size

HAIRLINE = 0.25
_HALO = 0.75


class Line(NamedTuple):
    """A line between two points."""

    x1: float
    y1: float
    x2: float
    y2: float


def stroke(lines: Iterable[Line], dash: str = "", halo: bool = False) -> bytes:
    """Return black hairlines; a white halo makes them visible on dark pictures."""
    return _stroke_path(
        " ".join(f"{points(x1, y1)} m {points(x2, y2)} l" for x1, y1, x2, y2 in lines), dash, halo
    )


def outlined(paths: Iterable[str], halo: bool = True) -> bytes:
    """Return the outlines of cards as hairlines."""
    return _stroke_path(" ".join(paths), "", halo)


def _stroke_path(path: str, dash: str, halo: bool) -> bytes:
    """Return the operators that draw a path, dashed or on a white halo; none without a path."""
    if not path:
        return b""
    white_below = f"1 G {_HALO} w {path} S " if halo else ""
    set_dash = f"[{dash}] 0 d " if dash else ""
    return f"q {white_below}{set_dash}0 G {HAIRLINE} w {path} S Q\n".encode()


MARK_LENGTH = 4.0
MARK_GAP = 0.5
"""Marks begin this far outside the bleed, in mm."""

_SHORTEST = 0.5
"""Marks and lines shorter than this, in mm, are not drawn."""

_FOLD_DASH = "4 2"

_RULER_GAP = 0.5
"""The distance of the ruler from bleed and marks, in mm, at least."""

_HALF_FOLD = 1.0
"""How far the ruler stays from the fold line, in mm."""


def sheet_ruler(arrangement: Arrangement) -> bytes:
    """Return the ruler of a sheet; nothing if bleed, marks and fold leave no room for it."""
    plan, paper = arrangement.plan, arrangement.paper
    distance = plan.bleed + _RULER_GAP
    if plan.shape == "rect" and plan.marks in ("edges", "corners"):
        distance += MARK_GAP + MARK_LENGTH
    left, bottom, right, top = bounding_box(arrangement.used, distance, paper)
    obstacles = [Slot(left, bottom, right - left, top - bottom)]
    if arrangement.fold == "vertical":
        obstacles.append(Slot(paper.width / 2 - _HALF_FOLD, 0, 2 * _HALF_FOLD, paper.height))
    elif arrangement.fold == "horizontal":
        obstacles.append(Slot(0, paper.height / 2 - _HALF_FOLD, paper.width, 2 * _HALF_FOLD))
    return stroke(ruler(paper, obstacles))


def marks_of(plan: LayoutPlan, slots: Sequence[Slot], paper: Size) -> bytes:
    """Return the cut marks of the cards in these slots.

    Round cards and hexagons get their outline; other marks are never drawn on a printed card.
    """
    if plan.marks == "none" or not slots:
        return b""
    if plan.marks == "punch":
        return outlined(path for slot in slots for path in _punch_guides(slot, plan))
    if plan.shape != "rect":
        return outlined(outline(slot, shape=plan.shape) for slot in slots)
    if plan.marks == "full":
        return stroke(full_marks(slots, paper), halo=True)
    if plan.marks == "corners":
        return stroke(corner_marks(slots, paper, plan.bleed), halo=True)
    return stroke(edge_marks(slots, paper, plan.bleed))


_RING = 1.0
"""The distance of the ring of a punch guide from the cut, in mm."""

_CROSS = 1.5
"""Half the width of the cross of a punch guide, in mm."""


def _punch_guides(slot: Slot, plan: LayoutPlan) -> Iterator[str]:
    """Yield a ring around the cut, to be centred in the opening of a punch, and a cross in the centre."""
    yield outline(slot, Edges(_RING, _RING, _RING, _RING), plan.rounding, plan.shape)
    x, y = slot.middle
    yield f"{points(x - _CROSS, y)} m {points(x + _CROSS, y)} l"
    yield f"{points(x, y - _CROSS)} m {points(x, y + _CROSS)} l"


def edge_marks(slots: Sequence[Slot], paper: Size, bleed: float) -> Iterator[Line]:
    """Yield marks at every cut, outside all cards and their bleed; shortened if the margin is small."""
    left, right = min(slot.x for slot in slots), max(slot.right for slot in slots)
    bottom, top = min(slot.y for slot in slots), max(slot.top for slot in slots)
    start = bleed + MARK_GAP

    def length_in(margin: float) -> float:
        return min(MARK_LENGTH, margin - start)

    for x in _cut_positions(edge for slot in slots for edge in (slot.x, slot.right)):
        for y, direction, margin in ((bottom, -1, bottom), (top, 1, paper.height - top)):
            if length_in(margin) > 0:
                yield Line(x, y + direction * start, x, y + direction * (start + length_in(margin)))
    for y in _cut_positions(edge for slot in slots for edge in (slot.y, slot.top)):
        for x, direction, margin in ((left, -1, left), (right, 1, paper.width - right)):
            if length_in(margin) > 0:
                yield Line(x + direction * start, y, x + direction * (start + length_in(margin)), y)


def corner_marks(slots: Sequence[Slot], paper: Size, bleed: float) -> Iterator[Line]:
    """Yield two marks at each corner of every card, outside the bleed if there is room, else on it."""
    for x, y, x_end in _corner_ticks(_horizontal_extents(slots), paper.width, bleed):
        yield Line(x, y, x_end, y)
    for y, x, y_end in _corner_ticks(_vertical_extents(slots), paper.height, bleed):
        yield Line(x, y, x, y_end)


class _Extent(NamedTuple):
    """Where a card begins and ends along one axis (``begin``, ``end``), and across it (``low``, ``high``)."""

    begin: float
    end: float
    low: float
    high: float


def _horizontal_extents(slots: Sequence[Slot]) -> list[_Extent]:
    return [_Extent(slot.x, slot.right, slot.y, slot.top) for slot in slots]


def _vertical_extents(slots: Sequence[Slot]) -> list[_Extent]:
    return [_Extent(slot.y, slot.top, slot.x, slot.right) for slot in slots]


def _corner_ticks(
    extents: Sequence[_Extent], length: float, bleed: float
) -> Iterator[tuple[float, float, float]]:
    """Yield marks along an axis: where one begins along and across the axis, and where it ends along it.

    Gaps that are too small have none.
    """
    cuts = {cut for extent in extents for cut in (extent.low, extent.high)}
    cards_at = {
        cut: [extent for extent in extents if extent.low - EPSILON <= cut <= extent.high + EPSILON]
        for cut in cuts
    }
    for card in extents:
        for cut in (card.low, card.high):
            room_before, room_behind = _room_along(card, cards_at[cut], length)
            for corner, direction, room in ((card.begin, -1, room_before), (card.end, 1, room_behind)):
                has_room_for_bleed = room >= bleed + MARK_GAP + _SHORTEST_OUTSIDE_BLEED
                near = bleed + MARK_GAP if has_room_for_bleed else MARK_GAP
                far = min(near + MARK_LENGTH, room)
                if far - near >= _SHORTEST:
                    yield corner + direction * near, cut, corner + direction * far


def _room_along(card: _Extent, others: Sequence[_Extent], length: float) -> tuple[float, float]:
    """Return the room before and behind a card along an axis of that length: up to the edge of the paper, or
    half of that up to the next of the other cards, which has the other half."""
    end_before = max((other.end for other in others if other.end <= card.begin + EPSILON), default=None)
    begin_behind = min((other.begin for other in others if other.begin >= card.end - EPSILON), default=None)
    room_before = card.begin if end_before is None else (card.begin - end_before) / 2
    room_behind = length - card.end if begin_behind is None else (begin_behind - card.end) / 2
    return room_before, room_behind


_SHORTEST_OUTSIDE_BLEED = 1.0
"""Room in mm for a mark outside the bleed; where there is less, marks begin on it, near the cut."""

_ROOM_FOR_LINE = 1.0
"""The smallest gap between two cards with room for a line beside each, in mm."""

_LINE_OFFSET = _HALO / 2 / POINTS_PER_MM
"""The distance of a line from the cut in mm: not even its halo is on the card."""


def full_marks(slots: Sequence[Slot], paper: Size) -> Iterator[Line]:
    """Yield lines along every cut across the paper, interrupted by cards.

    Along a card they lie just outside of its cut; there is none between two cards that touch, nor where a
    card touches the edge of the paper.
    """
    for x, begin, end in _free_cuts(_horizontal_extents(slots), paper.height):
        if 0 <= x <= paper.width:
            yield Line(x, begin, x, end)
    for y, begin, end in _free_cuts(_vertical_extents(slots), paper.width):
        if 0 <= y <= paper.height:
            yield Line(begin, y, end, y)


def _free_cuts(extents: Sequence[_Extent], length: float) -> Iterator[tuple[float, float, float]]:
    """Yield the parts of each cut that are not on a card: position, begin and end."""
    for cut in _cut_positions(edge for extent in extents for edge in (extent.begin, extent.end)):
        cards = [card for card in extents if card.begin - _ROOM_FOR_LINE < cut < card.end + _ROOM_FOR_LINE]
        # Between two neighbouring ends the same cards lie beside the cut all the way.
        ends = {0.0, length, *(edge for card in cards for edge in (card.low, card.high))}
        for begin, end in pairwise(sorted(ends)):
            beside = [card for card in cards if card.low < end - EPSILON and begin + EPSILON < card.high]
            position = _free_position(cut, beside)
            if position is not None and end - begin >= _SHORTEST:
                yield position, begin, end


def _free_position(cut: float, beside: Sequence[_Extent]) -> float | None:
    """Return where a line along a cut is printed between the cards beside it; None if there is no room.

    At the edge of a card, or nearer to it than its halo is wide, it lies just outside of it.
    """
    end_before = max((card.end for card in beside if card.begin < cut - EPSILON), default=-inf)
    begin_behind = min((card.begin for card in beside if card.end > cut + EPSILON), default=inf)
    is_on_card = min(begin_behind - cut, cut - end_before) < -EPSILON
    if is_on_card or begin_behind - end_before < _ROOM_FOR_LINE:
        return None
    return min(max(cut, end_before + _LINE_OFFSET), begin_behind - _LINE_OFFSET)


def _cut_positions(edges: Iterator[float]) -> list[float]:
    """Return each cut once, in order."""
    return sorted({round(edge, 3) for edge in edges})


def fold_line(arrangement: Arrangement) -> bytes:
    """Return the dashed fold line: across the paper if there is a gutter, else only outside of the cards."""
    if arrangement.fold == "none":
        return b""
    paper, slots, bleed = arrangement.paper, arrangement.used, arrangement.plan.bleed
    is_vertical = arrangement.fold == "vertical"
    length = paper.height if is_vertical else paper.width
    parts = [(0.0, length)]
    if arrangement.plan.gutter < _ROOM_FOR_LINE:
        begin = min(slot.y if is_vertical else slot.x for slot in slots) - bleed
        end = max(slot.top if is_vertical else slot.right for slot in slots) + bleed
        parts = [(0.0, begin), (end, length)]
    x, y = paper.width / 2, paper.height / 2
    lines = [Line(x, begin, x, end) if is_vertical else Line(begin, y, end, y) for begin, end in parts]
    return stroke(lines, dash=_FOLD_DASH, halo=True)


_RULER = 100.0
_FROM_EDGE = 4.5
"""The distance of the ruler from the edge in mm: printers leave up to 4.2 mm white."""

_TICK = 0.9
_LETTER = 1.8
_LABEL = (
    (0.0, ((0, 0.75), (0.25, 1), (0.25, 0))),
    *(
        (at, ((0.4, 0), (0.1, 0), (0, 0.2), (0, 0.8), (0.1, 1), (0.4, 1), (0.5, 0.8), (0.5, 0.2), (0.4, 0)))
        for at in (0.5, 1.2)
    ),
    *(
        (at + stem, ((0, 0), (0, 0.6), (0.25, 0.6), (0.35, 0.5), (0.35, 0)))
        for at in (2.1, 3)
        for stem in (0, 0.35)
    ),
)
"""The strokes of "100 mm" in cap heights: position and points. A font would have to be embedded."""

_LABEL_WIDTH = 3.7 * _LETTER
_RULER_WITH_LABEL = _RULER + _LETTER + _LABEL_WIDTH


def ruler(paper: Size, obstacles: Sequence[Slot]) -> list[Line]:
    """Return a ruler of 100 mm with its label at an edge of the paper, to see whether the printer scaled it.

    The first line is the long one. The list is empty if obstacles leave no room at any edge.
    """
    for is_horizontal, axis, begin in _ruler_places(paper):
        ruler_slot = (
            Slot(begin, axis - _TICK, _RULER_WITH_LABEL, 2 * _TICK)
            if is_horizontal
            else Slot(axis - _TICK, begin, 2 * _TICK, _RULER_WITH_LABEL)
        )
        if any(ruler_slot.overlaps(obstacle) for obstacle in obstacles):
            continue
        lines = [Line(begin + x1, axis + y1, begin + x2, axis + y2) for x1, y1, x2, y2 in _ruler_lines()]
        if is_horizontal:
            return lines
        # At a side edge it is turned by 90° and read from below to above.
        return [Line(2 * axis - line.y1, line.x1, 2 * axis - line.y2, line.x2) for line in lines]
    return []


def _ruler_places(paper: Size) -> Iterator[tuple[bool, float, float]]:
    """Yield the places for a ruler on the paper, the best first.

    Each is whether it lies along a horizontal edge, the place of its long line across the edge, and where it
    begins along the edge.
    """
    for is_horizontal, axis in (
        (True, _FROM_EDGE),
        (True, paper.height - _FROM_EDGE),
        (False, _FROM_EDGE),
        (False, paper.width - _FROM_EDGE),
    ):
        length = paper.width if is_horizontal else paper.height
        centred = (length - _RULER_WITH_LABEL) / 2
        for begin in (centred, 2 * _FROM_EDGE, length - 2 * _FROM_EDGE - _RULER_WITH_LABEL):
            if begin >= _FROM_EDGE and begin + _RULER_WITH_LABEL <= length - _FROM_EDGE:
                yield is_horizontal, axis, begin


def _ruler_lines() -> Iterator[Line]:
    """Yield the lines of a ruler from the origin to the right: the long one, centimetres, the label."""
    yield Line(0, 0, _RULER, 0)
    for centimetre in range(11):
        tick = _TICK if centimetre in (0, 10) else _TICK / 2
        yield Line(centimetre * 10, -tick, centimetre * 10, tick)
    for letter_index, stroke_points in _LABEL:
        left = _RULER + _LETTER + letter_index * _LETTER
        for (x1, y1), (x2, y2) in pairwise(stroke_points):
            yield Line(left + x1 * _LETTER, (y1 - 0.5) * _LETTER, left + x2 * _LETTER, (y2 - 0.5) * _LETTER)
