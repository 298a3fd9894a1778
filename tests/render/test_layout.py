"""Where cards lie on paper: how many fit, the middle, exact slots, and what is told of a misfit."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from toolkit.data.file_entries import shipped_layout, shipped_layouts
from toolkit.data.model import Edges, Gap
from toolkit.press.layout import Arrangement, Corner, LayoutPlan, LayoutProblem, arrange
from toolkit.press.layout_check import plan_of
from toolkit.render.sizes import CARD_SIZES, PAPERS, Size, trim_size

SIDES = st.floats(20, 200).map(lambda number: round(number, 2))
LENGTHS = st.floats(0, 12).map(lambda number: round(number, 2))
PLANS = st.builds(
    LayoutPlan,
    card=st.builds(Size, SIDES, SIDES),
    paper=st.sampled_from(list(PAPERS.values())),
    orientation=st.sampled_from([None, "portrait", "landscape"]),
    gap=st.builds(Gap, LENGTHS, LENGTHS),
    bleed=st.sampled_from([0.0, 3.0, 3.175]),
    margins=st.one_of(st.none(), st.builds(Edges, LENGTHS, LENGTHS, LENGTHS, LENGTHS)),
    fold=st.sampled_from(["none", "none", "vertical", "horizontal", "best"]),
)


def arranged(card: str = "poker", paper: str = "a4", **more: object) -> Arrangement:
    found = arrange(LayoutPlan(CARD_SIZES[card], PAPERS[paper], **more))  # type: ignore[arg-type]
    assert isinstance(found, Arrangement)
    return found


def grid(found: Arrangement) -> tuple[int, int]:
    """Columns and rows."""
    return len({round(slot.x, 2) for slot in found.fronts}), len({round(slot.y, 2) for slot in found.fronts})


@pytest.mark.parametrize(
    ("card", "paper", "way", "columns", "rows"),
    [
        ("poker", "a4", "portrait", 3, 3),
        ("poker", "letter", "portrait", 3, 3),
        ("poker", "a4", "landscape", 4, 2),
        ("poker-us", "letter", "portrait", 3, 3),
        ("mini", "a4", "landscape", 4, 4),
        ("tarot", "a4", "portrait", 2, 2),
        ("business", "a4", "portrait", 2, 5),
        ("poker", "a3", "portrait", 4, 4),
        ("square", "a4", "portrait", 2, 4),
    ],
)
def test_as_many_as_fit(card: str, paper: str, way: str, columns: int, rows: int) -> None:
    if (card, way) == ("mini", "landscape"):  # the way that holds more is found
        assert grid(arranged(card, paper)) == (columns, rows)
        return
    assert grid(arranged(card, paper, orientation=way)) == (columns, rows)


def test_bleed_around_every_card_takes_room() -> None:
    bleed = {"gap": Gap(6, 6), "bleed": 3.0}
    assert grid(arranged("poker", "a4", **bleed)) == (4, 2)
    assert arranged("poker", "a4", **bleed).landscape
    assert len(arranged("poker", "letter", **bleed).fronts) == 6


def test_margins_of_poker_cards() -> None:
    first = arranged().fronts[0]
    assert (first.x, 297 - first.top) == (10.5, 16.5)
    first = arranged(paper="letter").fronts[0]
    assert (round(first.x, 2), round(279.4 - first.top, 2)) == (13.45, 7.7)


def test_cards_are_counted_from_the_upper_left_row_by_row() -> None:
    slots = arranged().fronts
    assert slots[0].y == slots[2].y > slots[3].y
    assert slots[0].x == slots[3].x < slots[1].x


def test_margins_are_wide_enough_to_print_in() -> None:
    for card, paper in product(CARD_SIZES, PAPERS):
        found = arranged(card, paper)
        assert min(slot.x for slot in found.fronts) > 4.99, (card, paper)
        assert min(slot.y for slot in found.fronts) > 4.99, (card, paper)


@pytest.mark.parametrize(
    ("width", "columns"), [(66.6, 3), (66.7, 2), (100, 2), (100.1, 1), (209, 1), (210, 1)]
)
def test_a_margin_costs_a_column_but_never_the_only_one(width: float, columns: int) -> None:
    found = arrange(LayoutPlan(Size(width, 88), orientation="portrait"))
    assert isinstance(found, Arrangement)
    assert grid(found)[0] == columns


def test_margins_that_are_written_hold_for_the_only_card_too() -> None:
    assert isinstance(arrange(LayoutPlan(Size(200, 280), margins=Edges(6, 6, 6, 6))), LayoutProblem)


def test_unequal_margins_move_the_cards_out_of_the_middle() -> None:
    first = arranged(columns=2, margins=Edges(40, 0, 5, 5)).fronts[0]
    assert first.x == 40 + (210 - 40 - 126) / 2


@given(PLANS)
def test_all_slots_are_on_the_paper_and_none_overlap(plan: LayoutPlan) -> None:
    found = arrange(plan)
    if isinstance(found, LayoutProblem):
        assert found.finding == "layout-too-large"
        return
    for side in (found.used, found.backs):
        assert all(slot.x > -0.02 and slot.right < found.paper.width + 0.02 for slot in side)
        assert all(slot.y > -0.02 and slot.top < found.paper.height + 0.02 for slot in side)
        assert not any(one.overlaps(other) for n, one in enumerate(side) for other in side[:n])


@given(PLANS)
def test_one_more_column_or_row_never_fits(plan: LayoutPlan) -> None:
    plan = replace(plan, fold="none")
    found = arrange(plan)
    if isinstance(found, LayoutProblem):
        return
    columns, rows = grid(found)
    way = "landscape" if found.landscape else "portrait"
    for more in ({"columns": columns + 1}, {"rows": rows + 1}):
        refused = arrange(replace(plan, orientation=way, **more))  # type: ignore[arg-type]
        assert isinstance(refused, LayoutProblem)
        assert refused.path == tuple(more)


def refused(**wanted: object) -> LayoutProblem:
    found = arrange(LayoutPlan(**wanted))  # type: ignore[arg-type]
    assert isinstance(found, LayoutProblem)
    return found


def test_nine_cards_with_bleed_are_told_what_fits() -> None:
    found = refused(orientation="landscape", columns=3, rows=3, gap=Gap(6, 6))
    assert found.message == "8 (4 × 2) fit on A4 landscape with 3 mm bleed, not 9 (3 × 3)."
    assert (found.path, found.next_step) == (
        ("rows",),
        "Write `rows: 2`, or turn the paper with `orientation`.",
    )


def test_a_card_larger_than_the_paper_is_told() -> None:
    found = refused(card=Size(300, 400))
    assert found.message == "A card of 300 × 400 mm does not fit on A4 portrait."


def test_ninety_nine_columns_are_told() -> None:
    assert "9 (3 × 3) fit on A4 portrait, not 297 (99 × 3)" in refused(columns=99).message


def test_a_fold_sheet_has_as_many_backs_as_fronts() -> None:
    found = arranged(fold="vertical", orientation="landscape")
    assert (len(found.fronts), len(found.used)) == (4, 8)
    assert all(slot.right <= found.paper.width / 2 + 0.01 for slot in found.fronts)
    assert refused(fold="vertical", columns=3).finding == "layout-conflict"


def test_exact_slots_are_counted_from_the_upper_left_corner_of_the_paper() -> None:
    found = arranged(corners_at=(Corner(10, 20), Corner(100, 20, 90)))
    upright, lying = found.fronts
    assert (upright.x, upright.top) == (10, 277)
    assert (lying.width, lying.height, lying.turn) == (88, 63, 90)


@pytest.mark.parametrize(
    ("corners", "finding", "path"),
    [
        ((Corner(10, 10), Corner(60, 10)), "slots-overlap", ("slots", 1)),
        ((Corner(10, 10), Corner(150, 10)), "slot-off-paper", ("slots", 1, "x")),
        ((Corner(10, 250),), "slot-off-paper", ("slots", 0, "y")),
        ((Corner(140, 10, 90),), "slot-off-paper", ("slots", 0, "x")),
    ],
)
def test_slots_that_cannot_be(corners: tuple[Corner, ...], finding: str, path: tuple[object, ...]) -> None:
    found = refused(corners_at=corners)
    assert (found.finding, found.path) == (finding, path)


def test_there_is_a_shipped_layout_for_every_size_on_every_paper() -> None:
    pieces = sum(size.shape != "rect" for size in CARD_SIZES.values())
    assert len(shipped_layouts()) == (7 * len(CARD_SIZES) - 3 * pieces) * len(PAPERS)
    for card, size in CARD_SIZES.items():
        for paper, measures in PAPERS.items():
            best, portrait, landscape = (
                plan_of(shipped_layouts()[f"{card}-{paper}{way}"], "poker", "a4")
                for way in ("", "-portrait", "-landscape")
            )
            assert (best.card, best.paper) == (size, measures)
            counts = [len(arrange(plan).fronts) for plan in (best, portrait, landscape)]  # type: ignore[union-attr]
            assert counts[0] == max(counts[1:])


def test_every_shipped_layout_fits() -> None:
    for name, layout in shipped_layouts().items():
        assert isinstance(arrange(plan_of(layout, "poker", "a4")), Arrangement), name


def test_a_shipped_layout_that_is_read_alone_says_the_same() -> None:
    for name, layout in shipped_layouts().items():
        alone = shipped_layout(name)
        assert alone is not None, name
        assert alone.node.value == layout.node.value, name


@pytest.mark.parametrize("name", ["poker", "", "poker-a4, card_size: poker", "a4\n"])
def test_there_is_no_shipped_layout_of_another_name(name: str) -> None:
    assert shipped_layout(name) is None


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("poker", Size(63, 88)),
        ("63x88mm", Size(63, 88)),
        ("63.5 × 88.9 mm", Size(63.5, 88.9)),
        ("60x90", Size(60, 90)),
        ("0x88", None),
        ("round-40mm", Size(40, 40, "round")),
        ("hex-60mm", Size(60, 69.28, "hex")),
        ("hex", Size(60, 69.28, "hex")),
        ("round-0mm", None),
        ("round-40x40mm", None),
        ("huge", None),
        ("", None),
        ("63x88in", None),
        ("2.5x3.5in", Size(63.5, 88.9)),
        ("2.5 × 3.5 inches", Size(63.5, 88.9)),
        ('2,5" x 3,5"', Size(63.5, 88.9)),
        ("6.3 x 8.8 cm", Size(63, 88)),
        ("63 mm x 88 mm", Size(63, 88)),
        ("round-4cm", Size(40, 40, "round")),
        ("6.3cmx88mm", Size(63, 88)),
    ],
)
def test_sizes_by_name_or_measure(name: str, size: Size | None) -> None:
    assert trim_size(name) == size


@given(st.text())
def test_no_text_makes_a_size_raise(text: str) -> None:
    trim_size(text)
