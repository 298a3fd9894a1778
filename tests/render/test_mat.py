"""Where everything lies on a mat, and how it is cut into sheets: laws for every mode, card and paper."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.press.layout import Slot
from toolkit.products.mat.mat_pages import FORMS, OVERLAP, TableCards, mat_sheets, plan_mat, tile_mat
from toolkit.render.sizes import CARD_SIZES, PAPERS, Size

SIZES = st.sampled_from(list(CARD_SIZES.values()))
MODES = st.builds(
    SimpleNamespace,
    field_positions=st.integers(1, 9),
    save_zone=st.integers(0, 7),
    strategy_positions=st.integers(0, 6),
    objectives=st.integers(0, 10).map(lambda number: ("post",) * number),
    item_deck_maximum=st.sampled_from([0, 5]),
)
CARDS = st.builds(TableCards, SIZES, SIZES, SIZES, SIZES, SIZES)
LENGTHS = st.floats(60, 1500)
PAPER = st.sampled_from(list(PAPERS.values()))

SOLID = {"field": "operator", "save": "operator", "strategy": "strategy", "deck": "deck", "discard": "deck"}
SOLID |= {"item-deck": "item", "item-discard": "item"}


@given(st.sampled_from(FORMS), MODES, CARDS)
def test_everything_lies_on_the_mat_and_has_the_size_of_its_cards(
    form: Any, mode: Any, cards: TableCards
) -> None:
    plan = plan_mat(form, mode, cards)
    for place in (*plan.places, *plan.others):
        assert place.x >= 0
        assert place.x + place.width <= plan.size.width + 1e-6
        assert abs(place.y) <= plan.size.height / 2
        assert place.y + place.height <= plan.size.height / 2 + 1e-6
        if place.kind in SOLID:
            assert (place.width, place.height) == tuple(getattr(cards, SOLID[place.kind]))
    near, far = ([place for place in half if place.kind == "field"] for half in (plan.places, plan.others))
    for one, other in zip(near, far, strict=True):  # the halves are turned round: 1 faces 1
        assert one.x == pytest.approx(other.x)
        assert one.number + other.number == mode.field_positions + 1
    listed = list(range(1, min(len(mode.objectives), mode.field_positions) + 1))
    for half in (plan.places, plan.others):
        assert sorted(place.number for place in half if place.kind == "objective") == listed
    piles = {"deck", "discard", "item-deck"} if mode.item_deck_maximum else {"deck", "discard"}
    assert piles <= {place.kind for place in plan.places}


@given(st.sampled_from(FORMS), MODES, CARDS)
def test_no_two_piles_or_fieldpositions_share_a_place(form: Any, mode: Any, cards: TableCards) -> None:
    """Both halves: what a player has at the right lies at the left of the other."""
    plan = plan_mat(form, mode, cards)
    near = [
        Slot(place.x, place.y, place.width, place.height)
        for place in plan.places
        if place.kind in ("field", "label", "objective", "deck", "discard", "item-deck", "item-discard")
        or (form == "full" and place.kind in ("save", "strategy") and place.name)
    ]
    far = [Slot(plan.size.width - slot.right, -slot.top, slot.width, slot.height) for slot in near]
    for one, other in combinations(near + far, 2):
        assert not one.overlaps(other)


@given(MODES, CARDS)
def test_no_card_on_the_field_of_the_full_mat_covers_another(mode: Any, cards: TableCards) -> None:
    """OPERATORs turned or not, with what is attached to them, their OBJECTIVEs, and all piles (C-1, C-2)."""
    plan = plan_mat("full", mode, cards)
    space_by_position: dict[tuple[str, int], Slot] = {}
    for place in plan.places:
        if place.kind in ("field", "turned", "attached", "objective", "label"):
            part = "operator" if place.kind in ("field", "turned", "attached") else place.kind
            left, top, right, bottom = place.x, place.y, place.x + place.width, place.y + place.height
            space = space_by_position.get((part, place.number))
            if space is not None:
                left, top = min(left, space.x), min(top, space.y)
                right, bottom = max(right, space.right), max(bottom, space.top)
            space_by_position[part, place.number] = Slot(left, top, right - left, bottom - top)
        elif place.name in ("DECK", "DISCARDZONE", "ITEMDECK", "ITEMDISCARDZONE"):
            space_by_position[place.kind, 0] = Slot(place.x, place.y, place.width, place.height)
    near = list(space_by_position.values())
    far = [Slot(plan.size.width - slot.right, -slot.top, slot.width, slot.height) for slot in near]
    for one, other in combinations(near + far, 2):
        assert not one.overlaps(other)


@given(MODES, CARDS)
def test_an_attached_card_leaves_the_stats_in_sight(mode: Any, cards: TableCards) -> None:
    """They are at the left of an OPERATOR (C-1); turned clockwise with the attached card, they lie above."""
    places = plan_mat("full", mode, cards).places
    for number in range(1, mode.field_positions + 1):
        kinds = {place.kind: place for place in places if place.number == number}
        field, attached, turned = (kinds[kind] for kind in ("field", "attached", "turned"))
        shown = attached.x - field.x
        assert shown >= 0.3 * field.width - 1e-6
        side = attached.x + attached.width - field.x
        assert side >= attached.height - 1e-6  # so the attached card can be turned within the square
        assert turned.x + turned.width == pytest.approx(field.x + side)
        assert turned.y == field.y


@given(st.sampled_from(FORMS), MODES, CARDS)
def test_the_field_lies_in_the_middle(form: Any, mode: Any, cards: TableCards) -> None:
    """Only so is FIELDPOSITION 1 opposite 1 (F-1): the other half is the same, turned by 180 degrees."""
    plan = plan_mat(form, mode, cards)
    # on the compact mat a label lies above its card, as wide as an OBJECTIVE, and only where one lies
    kinds = ("field", "label") if form == "full" else ("field",)
    row = [place for place in plan.places if place.kind in kinds]
    left, right = min(place.x for place in row), max(place.x + place.width for place in row)
    assert left + right == pytest.approx(plan.size.width)


@given(LENGTHS, LENGTHS, PAPER)
def test_the_sheets_show_all_of_the_mat_and_overlap(width: float, height: float, paper: Size) -> None:
    tiling = tile_mat(Size(width, height), paper)
    wide, high = tiling.window
    assert tiling.scale == 1
    assert sorted(tiling.paper) == sorted(paper)
    first, last = tiling.tiles[0], tiling.tiles[-1]
    assert max(first.left, first.top) <= 1e-6
    assert -first.left == pytest.approx(last.left + wide - width)  # in the middle
    assert -first.top == pytest.approx(last.top + high - height)
    assert last.left + wide >= width - 1e-6 - 0.02
    assert last.top + high >= height - 1e-6 - 0.02
    assert [tile.number for tile in tiling.tiles] == list(range(1, tiling.columns * tiling.rows + 1))
    for one, other in pairwise(tiling.tiles):
        if one.row == other.row:
            assert math.isclose(one.left + wide - other.left, OVERLAP)
        else:
            assert math.isclose(one.top + high - other.top, OVERLAP)
    other_way = tile_mat(Size(width, height), paper.turned)
    assert len(other_way.tiles) == len(tiling.tiles)


@given(LENGTHS, LENGTHS, PAPER)
def test_nothing_is_printed_where_printers_print_nothing(width: float, height: float, paper: Size) -> None:
    tiling = tile_mat(Size(width, height), paper)
    for sheet in mat_sheets(tiling, range(1, 1 + len(tiling.tiles)) if len(tiling.tiles) > 1 else ()):
        left, bottom, right, top = sheet.trim
        assert min(left, bottom) >= 5 - 1e-6
        assert right <= tiling.paper.width - 5 + 1e-6
        assert top <= tiling.paper.height - 5 + 1e-6


@given(LENGTHS, LENGTHS, PAPER)
def test_one_sheet_holds_what_is_scaled_down_for_it(width: float, height: float, paper: Size) -> None:
    tiling = tile_mat(Size(width, height), paper, one_sheet=True)
    assert len(tiling.tiles) == 1
    assert tiling.scale <= 1
    assert tiling.size.width <= tiling.window.width
    assert tiling.size.height <= tiling.window.height
    assert tiling.scale == 1 or len(tile_mat(Size(width, height), paper).tiles) > 1


@pytest.mark.parametrize(("paper", "sheets"), [("a4", 6), ("letter", 6), ("a3", 4)])
def test_the_usual_mat(paper: str, sheets: int) -> None:
    mode: Any = SimpleNamespace(
        field_positions=4, save_zone=3, strategy_positions=3, objectives=("post",) * 4, item_deck_maximum=5
    )
    poker = CARD_SIZES["poker"]
    cards = TableCards(poker, poker, poker, poker, poker)
    assert len(tile_mat(plan_mat("full", mode, cards).size, PAPERS[paper]).tiles) == sheets
    assert len(tile_mat(plan_mat("compact", mode, cards).size, PAPERS["a3"]).tiles) == 1
