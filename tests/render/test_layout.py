"""Grids on paper: how many fit, that they are centred, and that a folded sheet puts backs behind fronts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.render.layout import Grid, fit_grid
from toolkit.render.sizes import BLEED, CARD_SIZES, PAPERS, Size, size_of

sides = st.floats(20, 200).map(lambda number: round(number, 2))
papers = st.sampled_from(list(PAPERS.values()))


def grid(card: str = "poker", paper: str = "a4") -> Grid:
    found = fit_grid(CARD_SIZES[card], PAPERS[paper])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("card", "paper", "columns", "rows"),
    [
        ("poker", "a4", 3, 3),
        ("poker", "letter", 3, 3),
        ("poker-us", "letter", 3, 3),
        ("mini", "a4", 4, 4),
        ("tarot", "a4", 2, 2),
        ("business", "a4", 2, 5),
        ("poker", "a3", 4, 4),
        ("square", "a4", 2, 4),
    ],
)
def test_as_many_as_fit(card: str, paper: str, columns: int, rows: int) -> None:
    assert (grid(card, paper).columns, grid(card, paper).rows) == (columns, rows)


def test_margins_of_poker_cards() -> None:
    assert (grid().left, grid().bottom) == (10.5, 16.5)
    assert (round(grid(paper="letter").left, 2), round(grid(paper="letter").bottom, 2)) == (13.45, 7.7)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("card", CARD_SIZES)
def test_margins_are_wide_enough_to_print_in_and_hold_crop_marks(card: str, paper: str) -> None:
    found = grid(card, paper)
    assert min(found.left, found.bottom) > 4.99
    assert len(list(found.crop_marks())) == 2 * (found.columns + found.rows + 2)


@pytest.mark.parametrize(
    ("width", "columns"), [(66.6, 3), (66.7, 2), (100, 2), (100.1, 1), (209, 1), (210, 1)]
)
def test_a_margin_costs_a_column_but_never_the_only_one(width: float, columns: int) -> None:
    found = fit_grid(Size(width, 88), PAPERS["a4"])
    assert found is not None
    assert found.columns == columns


def test_a_card_larger_than_the_paper_has_no_grid() -> None:
    assert fit_grid(Size(220, 88), PAPERS["a4"]) is None


@given(sides, sides, papers)
def test_all_slots_are_on_the_paper_and_none_overlap(width: float, height: float, paper: Size) -> None:
    found = fit_grid(Size(width, height), paper)
    if found is None:
        assert width > paper.width or height > paper.height
        return
    slots = [found.slot(number) for number in range(found.slots)]
    assert all(slot.x > -0.02 and slot.x + width < paper.width + 0.02 for slot in slots)
    assert all(slot.y > -0.02 and slot.y + height < paper.height + 0.02 for slot in slots)
    assert len({(round(slot.x, 3), round(slot.y, 3)) for slot in slots}) == found.slots


@given(sides, sides, papers)
def test_a_sheet_turned_over_its_long_edge_has_each_back_behind_its_front(
    width: float, height: float, paper: Size
) -> None:
    found = fit_grid(Size(width, height), paper)
    for number in range(found.slots if found else 0):
        assert found is not None
        front, back = found.slot(number), found.back_slot(number)
        assert back.y == front.y
        assert back.x == pytest.approx(paper.width - front.x - width)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("card", CARD_SIZES)
def test_crop_marks_point_at_cuts_from_outside_the_bleed(card: str, paper: str) -> None:
    found = grid(card, paper)
    right = found.left + found.columns * found.card.width
    top = found.bottom + found.rows * found.card.height
    for line in found.crop_marks():
        outside_x = max(line.x1, line.x2) < found.left - BLEED or min(line.x1, line.x2) > right + BLEED
        outside_y = max(line.y1, line.y2) < found.bottom - BLEED or min(line.y1, line.y2) > top + BLEED
        assert outside_x or outside_y
        assert all(0 <= x <= found.paper.width for x in (line.x1, line.x2))
        assert all(0 <= y <= found.paper.height for y in (line.y1, line.y2))


def test_nine_cards_have_sixteen_marks() -> None:
    assert len(list(grid().crop_marks())) == 16


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("poker", Size(63, 88)),
        ("63x88mm", Size(63, 88)),
        ("63.5 × 88.9 mm", Size(63.5, 88.9)),
        ("60x90", Size(60, 90)),
        ("0x88", None),
        ("huge", None),
        ("", None),
        ("63x88in", None),
    ],
)
def test_sizes_by_name_or_measure(name: str, size: Size | None) -> None:
    assert size_of(name, CARD_SIZES) == size


@given(st.text())
def test_no_text_makes_a_size_raise(text: str) -> None:
    size_of(text, CARD_SIZES)
