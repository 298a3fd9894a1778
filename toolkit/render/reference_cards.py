"""Reference cards on sheets, laid out as the project's own cards are."""

from __future__ import annotations

import io

import pikepdf
from msgspec.structs import replace

from toolkit.render.impose import Information, impose
from toolkit.render.layout import LayoutPlan, Misfit, arrange
from toolkit.render.sides import Copy, Extras, sides_of


def impose_cards(pages: bytes, plan: LayoutPlan, sets: int, title: str) -> tuple[bytes, int] | Misfit:
    """The PDF of sheets with each page so many times, and how many sheets there are; or why there are none.

    ``pages`` is a PDF of cards of trim and bleed; they have no backs.
    """
    arrangement = arrange(replace(plan, sides="fronts", fold="none"))
    if isinstance(arrangement, Misfit):
        return arrangement
    with pikepdf.open(io.BytesIO(pages)) as document:
        copies = [Copy(number) for _ in range(sets) for number in range(len(document.pages))]
        sheets = list(sides_of(arrangement, copies, Extras()))
        return impose(list(document.pages), sheets, Information(title)), len(sheets)
