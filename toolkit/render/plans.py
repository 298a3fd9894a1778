"""From layouts as they are written to what they ask for."""

from __future__ import annotations

from typing import Any

from toolkit.data.model import Gap, Layout
from toolkit.render.layout import Corner, LayoutPlan
from toolkit.render.sizes import BLEED, CARD_SIZES, PAPERS, Size, size_of

_AS_WRITTEN = (
    "orientation",
    "columns",
    "rows",
    "margins",
    "marks",
    "marks_on",
    "sides",
    "flip",
    "fold",
    "safe",
)


def plan_of(layout: Layout, card_size: str, paper: str) -> LayoutPlan:
    """What a layout asks for; the size of cards and the paper are given for one that does not name them.

    A bleed that is written without a gap is around every card; a gap that is written holds, and neighbours
    share it.
    """
    bleed = BLEED if layout.bleed is None else layout.bleed
    room = 0.0 if layout.bleed is None else 2 * layout.bleed
    written: dict[str, Any] = {key: getattr(layout, key) for key in _AS_WRITTEN}
    return LayoutPlan(
        card=card_size_of(layout.card_size or card_size),
        paper=paper_of(layout.paper or paper),
        corners_at=tuple(Corner(place.x, place.y, place.turn) for place in layout.places),
        gap=layout.gap or Gap(room, room),
        bleed=bleed,
        rounding=layout.corners or 0.0,
        name=layout.id,
        **{key: value for key, value in written.items() if value is not None},
    )


def card_size_of(name: str) -> Size:
    """A size of cards; poker where it is none (a finding tells of it)."""
    return size_of(name, CARD_SIZES) or CARD_SIZES["poker"]


def paper_of(name: str) -> Size:
    """A paper; A4 where it is none (a finding tells of it)."""
    return size_of(name, PAPERS) or PAPERS["a4"]
