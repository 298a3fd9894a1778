"""Cut marks and fold lines: at every cut, outside the cards, on the paper."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace

from tests.render.test_layout import PLANS, arranged
from tests.thoroughness import examples
from toolkit.data.file_entries import shipped_layouts
from toolkit.data.model import Edges, Gap
from toolkit.render.layout import Arrangement, Corner, Slot, arrange
from toolkit.render.layout_check import plan_of
from toolkit.render.marks import Line, corner_marks, edge_marks, fold_line, marks_below, reach, reaches


def on_paper(line: Line, found: Arrangement) -> bool:
    width, height = found.paper
    inside = all(-0.01 <= x <= width + 0.01 for x in (line.x1, line.x2))
    return inside and all(-0.01 <= y <= height + 0.01 for y in (line.y1, line.y2))


def crosses(line: Line, slot: Slot) -> bool:
    """Whether a line has more than a point in common with the inside of a card."""
    left, right = sorted((line.x1, line.x2))
    low, high = sorted((line.y1, line.y2))
    across = right > slot.x + 0.01 and left < slot.right - 0.01
    return across and high > slot.y + 0.01 and low < slot.top - 0.01


def test_nine_cards_have_sixteen_marks_at_the_edges() -> None:
    found = arranged()
    assert len(list(edge_marks(found.fronts, found.paper, 3))) == 16


@pytest.mark.parametrize("name", sorted(shipped_layouts())[::5])
def test_marks_at_the_edges_begin_outside_the_bleed(name: str) -> None:
    found = arrange(plan_of(shipped_layouts()[name], "poker", "a4"))
    assert isinstance(found, Arrangement)
    grown = [Slot(s.x - 3, s.y - 3, s.width + 6, s.height + 6) for s in found.used]
    for line in edge_marks(found.used, found.paper, 3):
        assert on_paper(line, found)
        assert not any(crosses(line, slot) for slot in grown)


@given(PLANS)
@examples(60)
def test_marks_at_corners_are_never_on_a_card(plan: object) -> None:
    found = arrange(plan)  # type: ignore[arg-type]
    if isinstance(found, Arrangement) and len(found.used) <= 50:
        for line in corner_marks(found.used, found.paper, found.plan.bleed):
            assert on_paper(line, found)
            assert not any(crosses(line, slot) for slot in found.used)


def test_cards_with_room_between_them_have_two_marks_at_each_corner() -> None:
    found = arranged(gap=Gap(6, 6), columns=2, rows=2)
    assert len(list(corner_marks(found.fronts, found.paper, 3))) == 2 * 4 * 4


def test_cards_edge_to_edge_have_marks_at_outer_corners_only() -> None:
    found = arranged(columns=2, rows=1, orientation="portrait")
    assert len(list(corner_marks(found.fronts, found.paper, 3))) == 12


def test_full_marks_go_right_across_the_paper() -> None:
    found = arranged()
    drawn = marks_below("full", found.fronts, found.paper).decode()
    assert drawn.count(" l") == 8
    assert "0.000 " in drawn


def test_pictures_reach_half_way_to_a_neighbour_and_else_to_the_end_of_the_bleed() -> None:
    slots = arranged(gap=Gap(4, 0), columns=2, rows=1, orientation="portrait").fronts
    assert reach(slots[0], slots, 3) == Edges(3, 2, 3, 3)
    assert reach(slots[1], slots, 3) == Edges(2, 3, 3, 3)
    assert reach(slots[0], slots[:1], 3) == Edges(3, 3, 3, 3)


@given(PLANS)
@examples(60)
def test_pictures_never_reach_onto_another_card(plan: object) -> None:
    found = arrange(replace(plan, fold="none"))  # type: ignore[type-var]
    if not isinstance(found, Arrangement):
        return
    for slot, edges in zip(found.fronts, reaches(found.fronts, found.plan.bleed), strict=True):
        assert edges == reach(slot, found.fronts, found.plan.bleed)
        shown = Slot(
            slot.x - edges.left,
            slot.y - edges.bottom,
            slot.width + edges.left + edges.right,
            slot.height + edges.top + edges.bottom,
        )
        assert not any(shown.overlaps(other) for other in found.fronts if other is not slot)


def test_a_fold_line_is_drawn_beside_the_cards() -> None:
    assert fold_line(arranged()) == b""
    assert fold_line(arranged(fold="vertical")).count(b" m ") == 2
    assert fold_line(arranged(fold="horizontal")).count(b" m ") == 2


def test_cards_beside_a_turned_one_keep_their_pictures_apart() -> None:
    found = arranged(corners_at=(Corner(10, 10), Corner(75, 10, 90)), bleed=3.0)
    edges = [reach(slot, found.fronts, 3) for slot in found.fronts]
    assert (edges[0].right, edges[1].left) == (1, 1)
