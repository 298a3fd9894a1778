"""What of a card's picture is shown beyond its cut, and the outlines along which it is cut."""

from __future__ import annotations

import re
from math import hypot

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.render.test_layout import PLANS, arranged
from tests.thoroughness import examples
from toolkit.data.model import Edges, Gap
from toolkit.data.print_sizes import Shape
from toolkit.press.layout import Arrangement, Corner, LayoutPlan, Slot, arrange
from toolkit.press.marks import marks_of
from toolkit.press.outlines import Point, Polygon, VisibleArea, clip, hexagon, outline, visible_areas
from toolkit.render.pages import Geometry
from toolkit.render.sizes import POINTS_PER_MM, Size

BLEED = 3.0


def inside(point: Point, polygon: Polygon) -> bool:
    """Whether a point is in a convex polygon, whichever way round its corners are named."""
    (x, y), sides = point, zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    turns = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for (x1, y1), (x2, y2) in sides]
    return all(turn > 1e-9 for turn in turns) or all(turn < -1e-9 for turn in turns)


def distance(point: Point, slot: Slot, shape: Shape = "rect") -> float:
    """How far a point is outside of a card, as its bleed is measured; negative within."""
    x, y = point[0] - slot.middle[0], point[1] - slot.middle[1]
    if shape == "round":
        return hypot(x, y) - slot.width / 2
    if shape == "hex":  # that of its grown hexagon
        return max(abs(x), abs(x) / 2 + abs(y) * 3**0.5 / 2) - slot.width / 2
    return max(abs(x) - slot.width / 2, abs(y) - slot.height / 2)


def is_shown(point: Point, slot: Slot, seen: VisibleArea, shape: Shape = "rect") -> bool:
    reach = seen.reach
    if shape == "rect":
        x, y = point
        within = slot.x - reach.left < x < slot.right + reach.right
        within = within and slot.y - reach.bottom < y < slot.top + reach.top
    else:
        within = distance(point, slot, shape) <= reach.left
    return within and not any(inside(point, polygon) for polygon in seen.excluded)


POINTS = st.tuples(st.floats(-1, 1), st.floats(-1, 1))
EXACT = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0, 90, 180, 270])),
    min_size=2,
    max_size=12,
)
"""Places in cm, so near to each other that many cards touch along a part of a side, or at a corner."""


@st.composite
def printed_cards(draw: st.DrawFn) -> list[Slot]:
    """Cards as they are printed: the first of a full sheet, or some upright and some turned ones."""
    if draw(st.booleans()):
        found = arrange(draw(PLANS))
        assume(isinstance(found, Arrangement))
        assert isinstance(found, Arrangement)
        return list(found.used[: draw(st.integers(1, 12))])
    slots: list[Slot] = []
    for x, y, turn in draw(EXACT):
        size = (30.0, 20.0) if turn % 180 else (20.0, 30.0)
        slot = Slot(x * 10.0, y * 10.0, *size, turn)  # type: ignore[arg-type]
        if not any(slot.overlaps(other) for other in slots):
            slots.append(slot)
    assume(slots)
    return slots


@given(printed_cards(), POINTS, st.data())
@examples(400)
def test_what_is_beside_a_card_is_covered_by_the_picture_of_the_nearest_one(
    slots: list[Slot], at: Point, data: st.DataObject
) -> None:
    slot = data.draw(st.sampled_from(slots))
    corner = data.draw(st.sampled_from([(slot.x, slot.y), (slot.right, slot.y), (slot.right, slot.top)]))
    point = (corner[0] + at[0] * 2 * BLEED, corner[1] + at[1] * 2 * BLEED)
    far = {one: distance(point, one) for one in slots}
    seen = dict(zip(slots, visible_areas(slots, BLEED), strict=True))
    nearest = min(slots, key=lambda one: far[one])
    for one in slots:
        if one is not nearest and far[nearest] < -0.02:
            assert not is_shown(point, one, seen[one]), "a picture is on another card"
    others = [far[one] for one in slots if one is not nearest]
    clear = all(length - far[nearest] > 0.02 for length in others)
    beside = nearest.x < point[0] < nearest.right or nearest.y < point[1] < nearest.top
    on_cut = abs(far[nearest]) < 0.02  # where what is covered begins
    if far[nearest] < BLEED - 0.01 and clear and beside and not on_cut:
        assert is_shown(point, nearest, seen[nearest]), "an outer card has no bleed there"
        for one in slots:
            assert one is nearest or not is_shown(point, one, seen[one]), (
                "another card is drawn over its bleed"
            )


def test_pictures_go_half_way_to_a_neighbour_and_else_to_the_end_of_the_bleed() -> None:
    slots = arranged(gap=Gap(4, 0), columns=2, rows=1, orientation="portrait").fronts
    assert [one.reach for one in visible_areas(slots, 3)] == [Edges(3, 2, 3, 3), Edges(2, 3, 3, 3)]
    assert visible_areas(slots[:1], 3) == [VisibleArea(Edges(3, 3, 3, 3))]


def test_a_full_grid_needs_nothing_but_rectangles() -> None:
    assert not any(one.excluded for one in visible_areas(arranged().fronts, 3))
    assert not any(one.excluded for one in visible_areas(arranged(gap=Gap(6, 6)).fronts, 3))


def test_a_card_whose_neighbour_is_shorter_keeps_the_bleed_beyond_it() -> None:
    upright, lying = Slot(10, 10, 63, 88), Slot(73, 10, 88, 63, 90)
    first, second = visible_areas([upright, lying], 3)
    assert first.reach == Edges(3, 3, 3, 3)
    assert is_shown((75, 90), upright, first)
    assert not is_shown((75, 50), upright, first)
    assert second.reach.left == 0


def test_cards_that_touch_at_a_corner_share_what_is_between_them() -> None:
    left, right = Slot(0, 0, 20, 30), Slot(20, 30, 20, 30)
    for card, seen, own, not_own in zip(
        (left, right),
        visible_areas([left, right], 3),
        ((19, 30.5), (20.5, 31)),
        ((19, 31.5), (20.5, 28)),
        strict=True,
    ):
        assert is_shown(own, card, seen)
        assert not is_shown(not_own, card, seen)


def test_cards_beside_a_turned_one_keep_their_pictures_apart() -> None:
    found = arranged(corners_at=(Corner(10, 10), Corner(75, 10, 90)), bleed=3.0)
    first, second = visible_areas(found.fronts, 3)
    upright, lying = found.fronts
    at = lying.middle[1]
    assert is_shown((73.9, at), upright, first)
    assert not is_shown((74.1, at), upright, first)
    assert is_shown((74.1, at), lying, second)


PIECES = st.builds(
    LayoutPlan,
    card=st.floats(12, 90).map(lambda side: Size(round(side, 1), round(side, 1), "round")),
    gap=st.floats(0, 8).map(lambda gap: Gap(round(gap, 1), round(gap, 1))),
    fold=st.sampled_from(["none", "none", "vertical", "horizontal", "best"]),
)


def as_hexes(plan: LayoutPlan) -> LayoutPlan:
    return replace(plan, card=Size(plan.card.width, plan.card.width * 2 / 3**0.5, "hex"))


@given(PIECES, st.sampled_from(["round", "hex"]))
@examples(100)
def test_round_cards_and_hexagons_lie_on_the_paper_and_apart(plan: LayoutPlan, shape: Shape) -> None:
    found = arrange(as_hexes(plan) if shape == "hex" else plan)
    if not isinstance(found, Arrangement):
        return
    rows = arrange(replace(found.plan, card=replace(found.plan.card, shape="rect")))
    assert isinstance(rows, Arrangement)
    assert len(found.fronts) >= len(rows.fronts), "staggered only where it holds more"
    gap = min(found.plan.gap.across, 2 * found.plan.gutter if found.fold != "none" else 99)
    if shape == "hex":  # the tips of hexagons in straight rows are a gap apart, and their sides a little less
        gap *= 3**0.5 / 2
    from_the_left = sorted(found.used, key=lambda slot: slot.x)
    for number, slot in enumerate(from_the_left):
        assert min(slot.x, slot.y) > -0.02
        assert slot.right < found.paper.width + 0.02
        assert slot.top < found.paper.height + 0.02
        (x, y), origin = slot.middle, Slot(-slot.width / 2, -slot.height / 2, slot.width, slot.height)
        for other in from_the_left[number + 1 :]:
            if other.x >= slot.right + gap:
                break  # this far apart in width alone, as all that follow
            between = (x - other.middle[0], y - other.middle[1])
            assert distance(between, origin, shape) - slot.width / 2 >= gap - 0.02


@given(PIECES, st.sampled_from(["round", "hex"]), st.integers(1, 30), st.integers(0, 29), POINTS)
@examples(300)
def test_what_is_around_a_round_card_or_a_hexagon_is_covered(
    plan: LayoutPlan, shape: Shape, number: int, which: int, at: Point
) -> None:
    found = arrange(as_hexes(plan) if shape == "hex" else plan)
    assume(isinstance(found, Arrangement))
    assert isinstance(found, Arrangement)
    slots = found.used[:number]
    slot = slots[which % len(slots)]
    seen = visible_areas(slots, BLEED, shape)
    point = (slot.middle[0] + at[0] * slot.width, slot.middle[1] + at[1] * slot.width)
    far = [distance(point, one, shape) for one in slots]
    for one, length, visible in zip(slots, far, seen, strict=True):
        if length < -0.02:
            assert is_shown(point, one, visible, shape), "a card is cut"
            assert sum(is_shown(point, *pair, shape) for pair in zip(slots, seen, strict=True)) == 1
    room = BLEED
    if shape == "hex" and (found.fold != "none" or not found.staggered):
        # tips that face each other have bleed half of the way between the sides beside them
        gap = min(*found.plan.gap, 2 * found.plan.gutter if found.fold != "none" else 99)
        room = min(BLEED, gap * 3**0.5 / 4)
    if 0 < min(far) < room - 0.01:
        assert any(is_shown(point, *pair, shape) for pair in zip(slots, seen, strict=True))


def test_staggered_rows_hold_more() -> None:
    counters = arrange(LayoutPlan(Size(25, 25, "round"), gap=Gap(2, 2)))
    tiles = arrange(LayoutPlan(Size(40, 46.19, "hex"), gap=Gap(0, 0)))
    assert isinstance(counters, Arrangement)
    assert isinstance(tiles, Arrangement)
    assert (len(counters.fronts), counters.staggered, counters.grid) == (80, True, None)
    assert (len(tiles.fronts), tiles.staggered) == (33, True)


def corners_of(path: str) -> list[Point]:
    found = re.findall(r"(\S+) (\S+) [ml]", path)
    return [(float(x) / POINTS_PER_MM, float(y) / POINTS_PER_MM) for x, y in found]


def test_a_hexagon_has_two_upright_sides_and_grows_by_the_same_on_all() -> None:
    slot = Slot(10, 20, 60, 69.282)
    drawn = [(round(x, 1), round(y, 1)) for x, y in corners_of(outline(slot, shape="hex"))]
    assert drawn == [(round(x, 1), round(y, 1)) for x, y in hexagon(slot)]
    assert {round(x, 2) for x, _ in hexagon(slot)} == {10, 40, 70}
    assert {round(y, 2) for _, y in hexagon(Slot(20, 10, 69.282, 60, 90))} == {10, 40, 70}
    for corner in hexagon(slot, 3):
        assert distance(corner, slot, "hex") == pytest.approx(3, abs=0.01)


@pytest.mark.parametrize(("shape", "curves"), [("round", 4), ("hex", 0)])
def test_round_cards_and_hexagons_are_cut_along_their_outline(shape: Shape, curves: int) -> None:
    plan = LayoutPlan(Size(60, 60, shape))
    drawn = marks_of(plan, [Slot(10, 10, 60, 60)], plan.paper).decode()
    assert drawn.count(" c ") == 2 * curves  # the line and its halo
    assert outline(Slot(10, 10, 60, 60), shape=shape) in drawn


@given(
    st.sampled_from(
        [Size(60, 60, "round"), Size(40, 40, "round"), Size(60, 69.28, "hex"), Size(25, 28.87, "hex")]
    ),
    st.floats(0, 88),
    st.floats(0, 88),
)
def test_what_templates_are_told_to_be_inside_is_in_the_safe_zone(
    size: Size, one: float, other: float
) -> None:
    geometry = Geometry.of(size)
    top, bottom = sorted((one, other))
    wide = geometry.inside(top, bottom) * geometry.scale
    slot = Slot(-size.width / 2, -size.height / 2, size.width, size.height)
    for y in (top, bottom):
        corner = (wide / 2, size.height / 2 - y * geometry.scale)
        assert wide == 0 or distance(corner, slot, size.shape) <= -BLEED + 0.02
    middle = size.height / 2 / geometry.scale
    assert geometry.inside(middle, middle) * geometry.scale == pytest.approx(size.width - 2 * BLEED, abs=0.01)


def test_a_picture_is_clipped_to_its_shape_with_its_bleed() -> None:
    slot = Slot(10, 10, 60, 60)
    (seen,) = visible_areas([slot], 3, "round")
    assert clip(slot, seen, shape="round").startswith(outline(slot, Edges(3, 3, 3, 3), shape="round"))
