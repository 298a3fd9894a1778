"""Where cards and headings lie on a contact sheet."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import examples
from toolkit.press.layout import Slot
from toolkit.products.contact.contact_pages import GAP, HEADING_HEIGHT, MARGIN, lay_out_pages, scale_for
from toolkit.render.sizes import Size

SIZES = st.builds(Size, st.floats(8, 60).map(round), st.floats(8, 90).map(round))
GROUPS = st.lists(
    st.tuples(st.text("ABC", max_size=3), st.lists(SIZES, min_size=1, max_size=25)), min_size=1, max_size=6
)


@given(GROUPS, st.floats(90, 300), st.floats(122, 240))
@examples(200)
def test_every_card_is_there_once_in_order_below_its_heading(
    groups: list[tuple[str, list[Size]]], width: float, height: float
) -> None:
    pages = lay_out_pages([(text, str(len(sizes)), sizes) for text, sizes in groups], width, height)
    places = [place for page in pages for place in page.places]
    assert [place.card for place in places] == list(range(sum(len(sizes) for _, sizes in groups)))
    assert [place.size for place in places] == [size for _, sizes in groups for size in sizes]
    heading_of = [number for number, (_, sizes) in enumerate(groups) for _ in sizes]
    for page in pages:
        taken = [Slot(place.x, place.y, *place.size) for place in page.places]
        taken += [Slot(one.x, one.y, one.width, one.height) for one in page.headings]
        assert not any(one.overlaps(other) for number, one in enumerate(taken) for other in taken[:number])
        assert all(one.x >= MARGIN - 0.01 and one.right <= width - MARGIN + 0.02 for one in taken)
        assert all(one.y >= MARGIN and one.top <= height - MARGIN + 0.02 for one in taken)
        # One heading for each group that has a card there, above the first of them.
        firsts = {heading_of[place.card]: place for place in reversed(page.places)}
        assert [(one.text, one.note) for one in page.headings] == [
            (groups[number][0], str(len(groups[number][1]))) for number in sorted(firsts)
        ]
        for one, number in zip(page.headings, sorted(firsts), strict=True):
            assert one.y + HEADING_HEIGHT - 0.01 <= firsts[number].y


@given(st.lists(SIZES, min_size=1, max_size=9), st.integers(1, 12))
def test_so_many_columns_fit_as_are_wanted(sizes: list[Size], columns: int) -> None:
    page = Size(210, 297)
    scale = scale_for(sizes, page, columns)
    widest = max(size.width for size in sizes) * scale
    assert columns * widest + (columns - 1) * GAP <= page.width - 2 * MARGIN + 0.01
    assert 0 < scale <= 1
