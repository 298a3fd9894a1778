"""Sheets from card pages: every card is stored once and placed as often as it is printed."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pikepdf

from toolkit.render.layout import Grid, Line, Slot
from toolkit.render.sizes import BLEED, POINTS_PER_MM

_HAIRLINE = 0.25
"""Width of crop marks in pt."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A card page (by number) in a slot."""

    card: int
    slot: Slot


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side of paper."""

    placements: tuple[Placement, ...]
    marks: bool


@dataclass(frozen=True, slots=True)
class Information:
    """What the PDF says about itself."""

    title: str
    duplex: bool


def impose(
    pages: Sequence[pikepdf.Page],
    sheets: Iterable[Sheet],
    grid: Grid,
    information: Information,
    finish: Callable[[pikepdf.Pdf], None] = lambda _pdf: None,
) -> bytes:
    """The PDF of all sheets; ``pages`` are card pages of trim plus bleed. Same input, same bytes.

    ``finish`` may change the PDF before it is written.
    """
    pdf = pikepdf.new()
    forms: dict[int, pikepdf.Object] = {}
    marks = _draw_marks(grid.crop_marks())
    for sheet in sheets:
        for placement in sheet.placements:
            if placement.card not in forms:
                forms[placement.card] = pdf.copy_foreign(as_form(pages[placement.card]))
        _add_sheet(pdf, sheet, grid, forms, marks if sheet.marks else b"")
    _describe(pdf, information)
    finish(pdf)
    stream = io.BytesIO()
    pdf.save(stream, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return stream.getvalue()


def as_form(page: pikepdf.Page) -> pikepdf.Object:
    """The page as a form XObject; where it has one stream, that stream itself, which is much cheaper."""
    content = page.obj.get("/Contents")
    if not isinstance(content, pikepdf.Stream):
        return page.as_form_xobject()
    content["/Type"] = pikepdf.Name("/XObject")
    content["/Subtype"] = pikepdf.Name("/Form")
    content["/BBox"] = page.mediabox
    content["/Resources"] = page.obj.get("/Resources", pikepdf.Dictionary())
    if "/Group" in page.obj:
        content["/Group"] = page.obj["/Group"]
    return content


def _add_sheet(
    pdf: pikepdf.Pdf, sheet: Sheet, grid: Grid, forms: dict[int, pikepdf.Object], marks: bytes
) -> None:
    page = pdf.add_blank_page(page_size=grid.paper.points)
    taken = {(placement.slot.column, placement.slot.row) for placement in sheet.placements}
    content = b"".join(_place(placement, grid, taken) for placement in sheet.placements)
    used = sorted({placement.card for placement in sheet.placements})
    page.obj.Contents = pdf.make_stream(content + marks)
    page.obj.Resources = pikepdf.Dictionary(
        XObject=pikepdf.Dictionary({f"/C{number}": forms[number] for number in used})
    )


def _place(placement: Placement, grid: Grid, taken: set[tuple[int, int]]) -> bytes:
    """Draw a card, cut at its trim towards neighbours and at its bleed where there is none."""
    column, row, x, y = placement.slot
    left = 0.0 if (column - 1, row) in taken else BLEED
    right = 0.0 if (column + 1, row) in taken else BLEED
    above = 0.0 if (column, row - 1) in taken else BLEED
    below = 0.0 if (column, row + 1) in taken else BLEED
    clip = _numbers(x - left, y - below, grid.card.width + left + right, grid.card.height + above + below)
    origin = _numbers(x - BLEED, y - BLEED)
    return f"q {clip} re W n 1 0 0 1 {origin} cm /C{placement.card} Do Q\n".encode()


def _draw_marks(lines: Iterable[Line]) -> bytes:
    drawn = " ".join(f"{_numbers(x1, y1)} m {_numbers(x2, y2)} l" for x1, y1, x2, y2 in lines)
    return f"q 0 G {_HAIRLINE} w {drawn} S Q\n".encode() if drawn else b""


def _numbers(*millimetres: float) -> str:
    return " ".join(f"{number * POINTS_PER_MM:.3f}" for number in millimetres)


def _describe(pdf: pikepdf.Pdf, information: Information) -> None:
    pdf.docinfo["/Title"] = pikepdf.String(information.title)
    pdf.docinfo["/Creator"] = pikepdf.String("opforge")
    preferences = pikepdf.Dictionary(PrintScaling=pikepdf.Name("/None"))
    preferences["/DisplayDocTitle"] = True
    if information.duplex:
        preferences["/Duplex"] = pikepdf.Name("/DuplexFlipLongEdge")
    pdf.Root["/ViewerPreferences"] = preferences
