"""Sheets are turned over or folded, on paper: every back is behind its own front, and the right way up."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.render.test_layout import PLANS
from tests.thoroughness import examples
from toolkit.data.file_entries import shipped_layouts
from toolkit.press.impose import Placement, offset_on_back, placement_operators
from toolkit.press.layout import Arrangement, Corner, LayoutPlan, LayoutProblem, Slot, arrange
from toolkit.press.layout_check import plan_of
from toolkit.render.sizes import POINTS_PER_MM, Size

Point = tuple[float, float]
FLIPS = st.sampled_from(["long", "short"])
TURNED = st.builds(
    LayoutPlan,
    orientation=st.sampled_from(["portrait", "landscape"]),
    corners_at=st.builds(
        lambda x, y, turn: (Corner(x, y, turn),),
        st.floats(0, 100),
        st.floats(0, 100),
        st.sampled_from([0, 90, 180, 270]),
    ),
)


def corners(slot: Slot, card: Size, bleed: float) -> list[Point]:
    """Where the corners of the card's own picture come to lie, as the PDF says it, in mm.

    Lower left, lower right, upper right, upper left of the picture, without its bleed.
    """
    drawn = placement_operators(Placement(0, slot, bleed)).decode()
    found = re.search(r"n (\S+) (\S+) (\S+) (\S+) (\S+) (\S+) cm", drawn)
    assert found
    a, b, c, d = map(float, found.groups()[:4])
    e, f = (float(number) / POINTS_PER_MM for number in found.groups()[4:])
    left, bottom, right, top = bleed, bleed, bleed + card.width, bleed + card.height
    picture = [(left, bottom), (right, bottom), (right, top), (left, top)]
    return [(a * x + c * y + e, b * x + d * y + f) for x, y in picture]


def turned_over(point: Point, paper: Size, edge: str) -> Point:
    """Where a point of the back page is on the front page when the paper was turned over that edge."""
    upright = paper.height >= paper.width
    sideways = upright if edge == "long" else not upright
    return (paper.width - point[0], point[1]) if sideways else (point[0], paper.height - point[1])


def folded_over(point: Point, paper: Size, line: str) -> Point:
    return (paper.width - point[0], point[1]) if line == "vertical" else (point[0], paper.height - point[1])


def assert_behind(front: list[Point], back: list[Point]) -> None:
    """A card that is turned over sideways shows its back upright: left and right change places."""
    lower_left, lower_right, upper_right, upper_left = back
    for seen, there in zip(front, (lower_right, lower_left, upper_left, upper_right), strict=True):
        assert abs(seen[0] - there[0]) < 0.01, (seen, there)
        assert abs(seen[1] - there[1]) < 0.01, (seen, there)


def assert_registers(found: Arrangement) -> None:
    plan, paper = found.plan, found.paper
    assert len(found.fronts) == len(found.backs)
    for front, back in zip(found.fronts, found.backs, strict=True):
        there = corners(back, plan.card, plan.bleed)
        if found.fold != "none":
            there = [folded_over(point, paper, found.fold) for point in there]
        else:
            there = [turned_over(point, paper, plan.flip) for point in there]
        assert_behind(corners(front, plan.card, plan.bleed), there)


@given(st.one_of(PLANS, TURNED), FLIPS)
@examples(200)
def test_every_back_is_behind_its_own_front(plan: LayoutPlan, flip: str) -> None:
    found = arrange(replace(plan, flip=flip))  # type: ignore[arg-type]
    if not isinstance(found, LayoutProblem):
        assert_registers(found)


@pytest.mark.parametrize("flip", ["long", "short"])
def test_the_backs_of_all_shipped_layouts_register(flip: str) -> None:
    for layout in shipped_layouts().values():
        found = arrange(replace(plan_of(layout, "poker", "a4"), flip=flip))  # type: ignore[arg-type]
        assert isinstance(found, Arrangement)
        assert_registers(found)


def test_without_a_flip_backs_lie_where_their_fronts_do() -> None:
    found = arrange(LayoutPlan(flip="none"))
    assert isinstance(found, Arrangement)
    assert found.backs == found.fronts


def test_an_upright_sheet_turned_over_its_short_edge_has_its_backs_upside_down() -> None:
    found = arrange(LayoutPlan(flip="short", orientation="portrait"))
    assert isinstance(found, Arrangement)
    assert {slot.turn for slot in found.backs} == {180}
    lying = arrange(LayoutPlan(flip="short", orientation="landscape"))
    assert isinstance(lying, Arrangement)
    assert {slot.turn for slot in lying.backs} == {0}


@given(st.floats(-4, 4), st.floats(-4, 4), FLIPS, st.booleans())
def test_a_measured_offset_puts_backs_where_they_belong(dx: float, dy: float, flip: str, lying: bool) -> None:
    way = "landscape" if lying else "portrait"
    found = arrange(LayoutPlan(flip=flip, orientation=way))  # type: ignore[arg-type]
    assert isinstance(found, Arrangement)
    moved = offset_on_back(dx, dy, found.mirror)
    ideal = (30.0, 40.0)
    x, y = turned_over((ideal[0] + moved[0], ideal[1] + moved[1]), found.paper, flip)
    there = (x + dx, y + dy)  # the printer is off by so much, seen from the front
    assert there == pytest.approx(turned_over(ideal, found.paper, flip))
