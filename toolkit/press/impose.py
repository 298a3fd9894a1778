"""Imposition: sheets of card pages in which every card is stored once; and changes of finished PDFs."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence

import pikepdf
from msgspec import Struct

from toolkit.data.print_sizes import Shape
from toolkit.press.layout import Axis, Slot
from toolkit.press.outlines import TRIM_ONLY, VisibleArea, clip, points
from toolkit.render.pdf import PdfMetadata, PrintedPage, as_form_xobject, finalize, pdf_bytes
from toolkit.render.sizes import POINTS_PER_MM, Size

Box = tuple[float, float, float, float]
"""Left, bottom, right and top of a rectangle on a sheet, in mm."""


class Placement(Struct, frozen=True):
    """A page (by its index) in a slot.

    ``bleed`` is how far the page extends beyond the cut on every side, ``shown`` how much of that is drawn;
    both are lengths on the sheet. ``radius`` is that of the corners of a cut rectangle.
    """

    page: int
    slot: Slot
    bleed: float = 0.0
    shown: VisibleArea = TRIM_ONLY
    radius: float = 0.0
    shape: Shape = "rect"
    scale: float = 1.0


class Sheet(Struct, frozen=True):
    """One side of paper: operators below the cards, the cards, and operators above them.

    ``trim`` and ``bleed`` are the bounding boxes of all slots without and with bleed; ``shift`` moves
    everything by mm to the right and up.
    """

    paper: Size
    placements: tuple[Placement, ...]
    trim: Box
    bleed: Box
    below: bytes = b""
    above: bytes = b""
    shift: tuple[float, float] = (0.0, 0.0)


DUPLEX: dict[str, str] = {"long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge", "none": "/Simplex"}
"""The default of the viewer's printing dialog, by the edge over which the sheet is turned."""


def impose(
    pages: Sequence[pikepdf.Page | PrintedPage],
    sheets: Iterable[Sheet],
    metadata: PdfMetadata,
    finish: Callable[[pikepdf.Pdf], None] = lambda _pdf: None,
) -> bytes:
    """Return the PDF of all sheets; ``pages`` are card pages of trim plus bleed. Deterministic.

    ``finish`` may change the PDF before it is written.
    """
    pdf = pikepdf.new()
    forms: dict[int, pikepdf.Object] = {}
    for sheet in sheets:
        for placement in sheet.placements:
            if placement.page not in forms:
                page = pages[placement.page]
                page = page.load() if isinstance(page, PrintedPage) else page
                forms[placement.page] = pdf.copy_foreign(as_form_xobject(page))
        _add_sheet(pdf, sheet, forms)
    finish(pdf)
    return finalize(pdf, metadata)


def _add_sheet(pdf: pikepdf.Pdf, sheet: Sheet, forms: dict[int, pikepdf.Object]) -> None:
    """Add a page to the PDF, with the forms of its cards, its marks and boxes."""
    page = pdf.add_blank_page(page_size=sheet.paper.points)
    cards = b"".join(placement_operators(placement) for placement in sheet.placements)
    content = sheet.below + cards + sheet.above
    if sheet.shift != (0.0, 0.0):
        content = f"q 1 0 0 1 {points(*sheet.shift)} cm\n".encode() + content + b"Q\n"
    page_numbers = sorted({placement.page for placement in sheet.placements})
    page.obj.Contents = pdf.make_stream(content)
    page.obj.Resources = pikepdf.Dictionary(
        XObject=pikepdf.Dictionary({f"/C{number}": forms[number] for number in page_numbers})
    )
    for name, box in (("/BleedBox", sheet.bleed), ("/TrimBox", sheet.trim)):
        page.obj[name] = pikepdf.Array([round(side * POINTS_PER_MM, 3) for side in box])


def placement_operators(placement: Placement) -> bytes:
    """Return the operators that draw a page in its slot, turned and clipped."""
    slot, bleed = placement.slot, placement.bleed
    left, bottom, right, top = slot.x - bleed, slot.y - bleed, slot.right + bleed, slot.top + bleed
    scale = f"{placement.scale:.5g}"
    matrix, corner = {
        0: (f"{scale} 0 0 {scale}", (left, bottom)),
        90: (f"0 {scale} -{scale} 0", (right, bottom)),
        180: (f"-{scale} 0 0 -{scale}", (right, top)),
        270: (f"0 -{scale} {scale} 0", (left, top)),
    }[slot.turn]
    clipped = clip(slot, placement.shown, placement.radius, placement.shape)
    return f"q {clipped} {matrix} {points(*corner)} cm /C{placement.page} Do Q\n".encode()


def offset_on_back(dx: float, dy: float, mirror: Axis) -> tuple[float, float]:
    """Return the shift of the back page that corrects an offset measured from the front, in mm."""
    return (dx if mirror == "vertical" else -dx, dy if mirror == "horizontal" else -dy)


def backs_first(pdf: bytes) -> bytes:
    """Return the pages with each pair swapped: back, front, back, front."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        pages = list(document.pages)
        for first in range(0, len(pages) - 1, 2):
            pages[first : first + 2] = pages[first + 1], pages[first]
        del document.pages[:]  # to swap them in the document takes 1 s for 2,000 pages
        document.pages.extend(pages)
        return pdf_bytes(document)
