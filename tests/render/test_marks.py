"""Cut marks and fold lines: at every cut, outside the cards, on the paper."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.render.test_layout import PLANS, arranged
from tests.thoroughness import examples
from toolkit.data.file_entries import shipped_layouts
from toolkit.data.model import Gap
from toolkit.press.layout import Arrangement, LayoutPlan, Slot, arrange
from toolkit.press.layout_check import plan_of
from toolkit.press.marks import Line, corner_marks, edge_marks, fold_line, full_marks, ruler, sheet_ruler
from toolkit.render.sizes import POINTS_PER_MM, Size


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


def test_marks_at_the_edges_begin_outside_the_bleed() -> None:
    for name in sorted(shipped_layouts())[::5]:
        found = arrange(plan_of(shipped_layouts()[name], "poker", "a4"))
        assert isinstance(found, Arrangement), name
        grown = [Slot(s.x - 3, s.y - 3, s.width + 6, s.height + 6) for s in found.used]
        for line in edge_marks(found.used, found.paper, 3):
            assert on_paper(line, found), name
            assert not any(crosses(line, slot) for slot in grown), name


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


def test_full_marks_cross_the_sheet_in_gaps_and_margins() -> None:
    found = arranged(gap=Gap(6, 6), columns=2, rows=2, orientation="portrait")
    lines = list(full_marks(found.fronts, found.paper))
    upright = [line for line in lines if line.x1 == line.x2]
    assert sum(line.y2 - line.y1 for line in upright) == pytest.approx(4 * found.paper.height)
    assert sum(line.x2 - line.x1 for line in lines) == pytest.approx(4 * found.paper.width)


def test_full_marks_reach_from_the_edge_of_the_paper_to_cards_that_touch() -> None:
    found = arranged()
    between = [line for line in full_marks(found.fronts, found.paper) if line.x1 == line.x2 == 73.5]
    assert [(line.y1, line.y2) for line in between] == [(0, 16.5), (280.5, 297)]


def test_there_is_no_full_mark_off_the_paper_where_a_card_reaches_its_edge() -> None:
    lines = list(full_marks([Slot(277, 400, 20, 20)], Size(297, 420)))
    assert lines
    assert all(max(line.x1, line.x2) <= 297 and max(line.y1, line.y2) <= 420 for line in lines)


@example(LayoutPlan(Size(20, 20), gap=Gap(0, 0.12), bleed=0, margins=None), 11)
@given(PLANS, st.integers(1, 50))
@examples(60)
def test_full_marks_are_never_on_a_card(plan: LayoutPlan, number: int) -> None:
    found = arrange(plan)
    if isinstance(found, Arrangement):
        slots = found.used[:number]
        for line in full_marks(slots, found.paper):
            assert on_paper(line, found)
            aside = 0.13  # millimetres of its halo to each side
            wide, high = (aside, 0) if line.x1 == line.x2 else (0, aside)
            drawn = Slot(
                line.x1 - wide, line.y1 - high, line.x2 - line.x1 + 2 * wide, line.y2 - line.y1 + 2 * high
            )
            assert not any(slot.overlaps(drawn) for slot in slots)


@given(PLANS)
@examples(60)
def test_every_cut_of_an_outer_card_has_full_marks_at_both_ends(plan: LayoutPlan) -> None:
    found = arrange(replace(plan, gap=Gap(0, 0)))
    if isinstance(found, Arrangement):
        lines = list(full_marks(found.used, found.paper))
        for x in {round(edge, 3) for slot in found.used for edge in (slot.x, slot.right)}:
            for y in (0.0, found.paper.height):
                room = min(slot.y if y == 0 else y - slot.top for slot in found.used)
                at_edge = [one for one in lines if one.x1 == one.x2 == x and y in (one.y1, one.y2)]
                assert len(at_edge) == (room >= 0.5)


def test_a_fold_line_is_drawn_across_the_paper_between_the_cards() -> None:
    assert fold_line(arranged()) == b""
    assert b"420.945 0.000 m 420.945 595.276 l" in fold_line(arranged(fold="vertical"))
    assert fold_line(arranged(fold="horizontal")).count(b" m ") == 2  # with its halo


def test_a_fold_line_is_outside_of_cards_that_touch_it() -> None:
    assert fold_line(arranged(fold="vertical", gutter=0.0)).count(b" m ") == 4


@pytest.mark.parametrize("fold", ["vertical", "horizontal"])
@pytest.mark.parametrize("gutter", [0.0, 3.0, 5.0])
def test_cards_are_a_gutter_away_from_the_fold(fold: Any, gutter: float) -> None:
    found = arranged(fold=fold, gutter=gutter)
    middle = found.paper.width / 2 if fold == "vertical" else found.paper.height / 2
    ends = [slot.right if fold == "vertical" else -slot.y for slot in found.fronts]
    assert max(ends) == pytest.approx((middle if fold == "vertical" else -middle) - gutter)


@given(PLANS, st.sampled_from(["edges", "corners", "full"]))
@examples(100)
def test_a_ruler_is_100_mm_long_and_on_nothing_else(plan: LayoutPlan, marks: Any) -> None:
    found = arrange(replace(plan, marks=marks))
    if not isinstance(found, Arrangement):
        return
    drawn = [line_of(one) for one in re.findall(rb"(\S+) (\S+) m (\S+) (\S+) l", sheet_ruler(found))]
    if drawn:
        assert abs(drawn[0].x2 - drawn[0].x1) + abs(drawn[0].y2 - drawn[0].y1) == pytest.approx(100, abs=0.01)
    beside = list(edge_marks(found.used, found.paper, plan.bleed)) if marks == "edges" else []
    folds = [line_of(one) for one in re.findall(rb"(\S+) (\S+) m (\S+) (\S+) l", fold_line(found))]
    for line in drawn:
        place = extent(line)
        assert min(place.x, place.y) > 3
        assert place.right < found.paper.width - 3
        assert place.top < found.paper.height - 3
        for slot in found.used:
            around = 2 * plan.bleed
            bled = Slot(slot.x - plan.bleed, slot.y - plan.bleed, slot.width + around, slot.height + around)
            assert not place.overlaps(bled)
        assert not any(place.overlaps(extent(mark)) for mark in (*beside, *folds))


def line_of(written: tuple[bytes, ...]) -> Line:
    return Line(*(float(number) / POINTS_PER_MM for number in written))


def extent(line: Line) -> Slot:
    x, y = min(line.x1, line.x2), min(line.y1, line.y2)
    return Slot(x - 0.05, y - 0.05, abs(line.x1 - line.x2) + 0.1, abs(line.y1 - line.y2) + 0.1)


@pytest.mark.parametrize("name", ["poker-a4", "poker-letter", "poker-a4-bleed", "poker-a4-fold", "mini-a3"])
def test_usual_sheets_have_room_for_a_ruler(name: str) -> None:
    found = arrange(plan_of(shipped_layouts()[name], "poker", "a4"))
    assert isinstance(found, Arrangement)
    assert sheet_ruler(found)


@pytest.mark.parametrize(("width", "height", "fits"), [(100, 140, True), (140, 100, True), (100, 100, False)])
def test_a_ruler_lies_along_an_edge_that_is_long_enough(width: int, height: int, fits: bool) -> None:
    assert bool(ruler(Size(width, height), ())) == fits
