"""The outlines of cards as PDF paths: the cut, the visible bleed, the safe zone.

Lengths and points are in mm from the lower left corner of the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, hypot, pi, sin

from msgspec import Struct

from toolkit.data.model import Edges
from toolkit.data.print_sizes import Shape
from toolkit.press.layout import EPSILON, Slot
from toolkit.render.sizes import POINTS_PER_MM

_BEZIER_ARC = 0.5523
"""Length of the handles of a Bézier curve that approximates a quarter of a circle, in radii."""

NO_EDGES = Edges(0.0, 0.0, 0.0, 0.0)

Point = tuple[float, float]
Polygon = tuple[Point, ...]


def points(*millimetres: float) -> str:
    """Return lengths in mm as the numbers in points of a PDF path."""
    return " ".join(f"{number * POINTS_PER_MM:.3f}" for number in millimetres)


def outline(slot: Slot, around: Edges = NO_EDGES, radius: float = 0.0, shape: Shape = "rect") -> str:
    """Return the path of a card's edge, offset outwards by ``around`` (negative: inwards).

    The radius of the corners grows with the offset. A hexagon has the left offset on all sides.
    """
    if shape == "hex":
        return _closed_path(hexagon(slot, around.left))
    left, bottom = slot.x - around.left, slot.y - around.bottom
    right, top = slot.right + around.right, slot.top + around.top
    across, up = (slot.width / 2, slot.height / 2) if shape == "round" else (radius, radius)
    if not across:
        return f"{points(left, bottom, right - left, top - bottom)} re"
    # the half axes of the quarters of ellipses at the corners
    left_axis, right_axis = (max(across + length, 0.0) for length in (around.left, around.right))
    lower_axis, upper_axis = (max(up + length, 0.0) for length in (around.bottom, around.top))
    # where the straight parts of the sides begin and end
    x_begin, x_end = left + left_axis, right - right_axis
    y_begin, y_end = bottom + lower_axis, top - upper_axis
    return (
        f"{points(x_begin, bottom)} m {points(x_end, bottom)} l "
        f"{_quarter(x_end, bottom, right_axis, lower_axis, 'x')} {points(right, y_end)} l "
        f"{_quarter(right, y_end, -right_axis, upper_axis, 'y')} {points(x_begin, top)} l "
        f"{_quarter(x_begin, top, -left_axis, -upper_axis, 'x')} {points(left, y_begin)} l "
        f"{_quarter(left, y_begin, left_axis, -lower_axis, 'y')} h"
    )


def _quarter(x: float, y: float, across: float, up: float, first: str) -> str:
    """Return a quarter of an ellipse from a point, first along x or along y, as a Bézier curve."""
    x_end, y_end = x + across, y + up
    if first == "x":
        first_handle = (x + across * _BEZIER_ARC, y)
        second_handle = (x_end, y_end - up * _BEZIER_ARC)
    else:
        first_handle = (x, y + up * _BEZIER_ARC)
        second_handle = (x_end - across * _BEZIER_ARC, y_end)
    return f"{points(*first_handle, *second_handle, x_end, y_end)} c"


def _closed_path(polygon: Polygon) -> str:
    first, *other_points = polygon
    return f"{points(*first)} m {' '.join(f'{points(*point)} l' for point in other_points)} h"


def hexagon(slot: Slot, around: float = 0.0) -> Polygon:
    """Return the corners of the hexagon in a slot, its sides offset outwards by ``around``.

    Two sides are vertical; horizontal if the card is turned by 90 degrees.
    """
    is_turned = slot.turn % 180 != 0
    half_width, half_height = (
        (slot.height / 2, slot.width / 2) if is_turned else (slot.width / 2, slot.height / 2)
    )
    # From a vertical side to the tip, a slanted side goes half_width across and half_height / 2 up.
    peak = half_height + around * hypot(half_width, half_height / 2) / half_width
    side = half_width + around
    shoulder = peak - side * half_height / (2 * half_width)
    corners = (
        (0, peak),
        (-side, shoulder),
        (-side, -shoulder),
        (0, -peak),
        (side, -shoulder),
        (side, shoulder),
    )
    x, y = slot.middle
    return tuple((x + dy, y + dx) if is_turned else (x + dx, y + dy) for dx, dy in corners)


class VisibleArea(Struct, frozen=True):
    """The visible part of a card's page: ``reach`` beyond its cut on each side, without ``excluded``.

    At most half of the way to a neighbour: each point of the paper belongs to the nearest card.
    """

    reach: Edges
    excluded: tuple[Polygon, ...] = ()


TRIM_ONLY = VisibleArea(NO_EDGES)
"""Without bleed."""


def visible_areas(slots: Sequence[Slot], bleed: float, shape: Shape = "rect") -> list[VisibleArea]:
    """Return the visible area of each card on a side of paper, where the bleed of neighbours may meet."""
    if shape != "rect":
        around = Edges(bleed, bleed, bleed, bleed)
        return [VisibleArea(around, tuple(_separating_lines(slot, slots, bleed, shape))) for slot in slots]
    reached = [_reach(slot, slots, bleed) for slot in slots]
    grown = [
        Slot(slot.x - left, slot.y - bottom, slot.width + left + right, slot.height + bottom + top)
        for slot, (left, right, top, bottom) in zip(slots, reached, strict=True)
    ]
    beside = (tuple(_partial_neighbours(number, slots, grown, bleed)) for number in range(len(slots)))
    return [VisibleArea(edges, excluded) for edges, excluded in zip(reached, beside, strict=True)]


def _reach(slot: Slot, other_slots: Sequence[Slot], bleed: float) -> Edges:
    """Return how far the bleed extends: at most half of the way to a neighbour along the whole side."""
    left = right = top = bottom = bleed
    for other in other_slots:
        if other is slot:
            continue
        if other.y <= slot.y + EPSILON and other.top >= slot.top - EPSILON:
            if other.x >= slot.right - EPSILON:
                right = min(right, max(other.x - slot.right, 0.0) / 2)
            else:
                left = min(left, max(slot.x - other.right, 0.0) / 2)
        elif other.x <= slot.x + EPSILON and other.right >= slot.right - EPSILON:
            if other.y >= slot.top - EPSILON:
                top = min(top, max(other.y - slot.top, 0.0) / 2)
            else:
                bottom = min(bottom, max(slot.y - other.top, 0.0) / 2)
    return Edges(left, right, top, bottom)


def _partial_neighbours(
    number: int, slots: Sequence[Slot], grown: Sequence[Slot], bleed: float
) -> Iterator[Polygon]:
    """Yield the areas nearer to cards that face a part of a side only, or lie across a corner.

    ``grown`` are the slots extended by their ``_reach``.
    """
    slot = slots[number]
    for other, around in zip(slots, grown, strict=True):
        if other is slot or not grown[number].overlaps(around):
            continue
        right, up = other.x >= slot.right - EPSILON, other.y >= slot.top - EPSILON
        left, down = other.right <= slot.x + EPSILON, other.top <= slot.y + EPSILON
        if (left or right) and (up or down):
            yield _across_corner(slot, other, right, up, bleed)
        elif left or right:
            facing = (slot.right, other.x) if right else (slot.x, other.right)
            yield _wedge(*facing, 1 if right else -1, other.y, other.top, bleed)
        else:
            facing = (slot.top, other.y) if up else (slot.y, other.top)
            wedge_on_its_side = _wedge(*facing, 1 if up else -1, other.x, other.right, bleed)
            yield tuple((across, along) for along, across in wedge_on_its_side)


def _wedge(edge: float, neighbour: float, direction: int, begin: float, end: float, bleed: float) -> Polygon:
    """Return the part of the bleed that is nearer to a neighbour, which extends from ``begin`` to ``end``.

    ``edge`` and ``neighbour`` are the facing sides of both, ``direction`` is 1 or -1, from one to the other.
    Beyond the ends of the neighbour the border is drawn at 45 degrees, as a mitred frame is cut.
    """
    half = abs(neighbour - edge) / 2
    near, far = edge + direction * half, edge + direction * bleed
    return ((near, begin - half), (near, end + half), (far, end + bleed), (far, begin - bleed))


def _across_corner(slot: Slot, other: Slot, right: bool, up: bool, bleed: float) -> Polygon:
    """Return the area nearer to a card across a corner: beyond a line at 45° between both corners."""
    x = ((slot.right + other.x) if right else (slot.x + other.right)) / 2
    y = ((slot.top + other.y) if up else (slot.y + other.top)) / 2
    across, along = (1 if right else -1), (1 if up else -1)
    long = 4 * bleed  # so that the triangle has all of the bleed beyond the line
    return (
        (x + across * long, y - along * long),
        (x - across * long, y + along * long),
        (x + across * long, y + along * long),
    )


def _separating_lines(
    slot: Slot, other_slots: Sequence[Slot], bleed: float, shape: Shape
) -> Iterator[Polygon]:
    """Yield the areas nearer to other round cards or hexagons: beyond a line that separates the two.

    Of the possible directions it is the one with the widest gap, so it never crosses a card: two convex
    polygons that do not overlap have a separating line parallel to one of their sides.
    """
    middle_x, middle_y = slot.middle
    for other in other_slots:
        other_x, other_y = other.middle
        across, up = other_x - middle_x, other_y - middle_y
        distance = hypot(across, up)
        if other is slot or distance > slot.width + slot.height + 2 * bleed:  # too far to meet
            continue
        directions = [(across / distance, up / distance)]
        if shape == "hex":  # the directions in which the sides of both face
            turns = {0.0 if turn % 180 == 0 else pi / 2 for turn in (slot.turn, other.turn)}
            angles = [turn + side * pi / 3 for turn in sorted(turns) for side in range(6)]
            directions = [(cos(angle), sin(angle)) for angle in angles]
        gap_by_direction = {
            (x, y): across * x + up * y - _extent(slot, (x, y), shape) - _extent(other, (x, y), shape)
            for x, y in directions
        }
        widest_direction = max(directions, key=lambda direction: (gap_by_direction[direction], direction))
        gap = gap_by_direction[widest_direction]
        if gap < 2 * bleed - EPSILON:  # else the bleed of the two does not meet
            begin = _extent(slot, widest_direction, shape) + max(gap, 0.0) / 2
            yield _half_plane(slot.middle, widest_direction, begin, 2 * distance)


def _extent(slot: Slot, direction: Point, shape: Shape) -> float:
    """Return how far a card extends from its centre along a direction."""
    across, up = direction
    if shape == "round":
        return hypot(slot.width / 2 * across, slot.height / 2 * up)
    x, y = slot.middle
    return max((corner_x - x) * across + (corner_y - y) * up for corner_x, corner_y in hexagon(slot))


def _half_plane(middle: Point, direction: Point, begin: float, side: float) -> Polygon:
    """Return the half plane beyond a distance from a point along a direction, as a large enough square."""
    (middle_x, middle_y), (across, up) = middle, direction
    x, y = middle_x + across * begin, middle_y + up * begin
    # one step along the border of the half plane, and one into it
    along_x, along_y = -up * side, across * side
    into_x, into_y = across * side, up * side
    return (
        (x + along_x, y + along_y),
        (x - along_x, y - along_y),
        (x - along_x + into_x, y - along_y + into_y),
        (x + along_x + into_x, y + along_y + into_y),
    )


def clip(slot: Slot, area: VisibleArea, radius: float = 0.0, shape: Shape = "rect") -> str:
    """Return the operators that clip a card's page to its visible area."""
    reach = area.reach
    paths = [f"{outline(slot, reach, radius, shape)} W n"]
    if area.excluded:
        # A polygon inside a larger rectangle, clipped by the even-odd rule, is a hole.
        room = max(reach) * 2 + 1
        whole = outline(slot, Edges(room, room, room, room))
        paths += [f"{whole} {_closed_path(polygon)} W* n" for polygon in area.excluded]
    return " ".join(paths)


_CUT = "0.85 0 0.45 RG 0.5 w [] 0 d"
_SAFE_ZONE = "0 0.45 0.75 RG 0.5 w [3 1.5] 0 d"
_BLEED = "0.3 0.3 0.3 RG 0.35 w [0.6 1.2] 0 d"
"""Colours and dashes; the dashes differ, so that colours are not needed to distinguish the lines."""


def proof_lines(
    slots: Iterable[tuple[Slot, VisibleArea]], safe: float, radius: float, shape: Shape = "rect"
) -> bytes:
    """Return the proof lines of all cards of a sheet: visible area, cut and safe zone."""
    inwards = Edges(-safe, -safe, -safe, -safe)
    operators = []
    for slot, area in slots:
        bleed_line = f"{outline(slot, area.reach, radius, shape)} S"
        if area.excluded:
            bleed_line = f"q {clip(slot, area, radius, shape)} {bleed_line} Q"
        operators.append(f"{_BLEED} {bleed_line} {_CUT} {outline(slot, radius=radius, shape=shape)} S")
        if 2 * safe < min(slot.width, slot.height):
            operators.append(f"{_SAFE_ZONE} {outline(slot, inwards, radius, shape)} S")
    return f"q 1 1 1 RG {' '.join(operators)} Q\n".encode() if operators else b""
