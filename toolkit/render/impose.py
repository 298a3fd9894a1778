"""Sheets from card pages, in which every card is stored once; and finished PDFs in another order."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence

import pikepdf
from msgspec import Struct

from toolkit.data.model import Edges
from toolkit.render.fonts import share_fonts
from toolkit.render.layout import Axis, Slot
from toolkit.render.marks import numbers, outline
from toolkit.render.sizes import POINTS_PER_MM, Size

Box = tuple[float, float, float, float]
"""Left, bottom, right and top of something on a sheet, in mm."""


class Placement(Struct, frozen=True):
    """A page (by number) in a slot.

    ``bleed`` is how far the page goes beyond the cut on every side, ``reach`` how much of that is shown, and
    ``radius`` that of the corners of what is shown.
    """

    page: int
    slot: Slot
    bleed: float
    reach: Edges
    radius: float = 0.0


class Sheet(Struct, frozen=True):
    """One side of paper: what is drawn below the cards, the cards, and what is drawn above them.

    ``trim`` and ``bleed`` are the boxes around all places for cards, without and with what is around them;
    ``shift`` moves all that is printed, in mm, to the right and up.
    """

    paper: Size
    placements: tuple[Placement, ...]
    trim: Box
    bleed: Box
    below: bytes = b""
    above: bytes = b""
    shift: tuple[float, float] = (0.0, 0.0)


class Information(Struct, frozen=True):
    """Metadata of the PDF; ``duplex`` is None where the side of the back is open."""

    title: str
    author: str = ""
    version: str = ""
    duplex: str | None = None


DUPLEX: dict[str, str] = {"long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge", "none": "/Simplex"}
"""What the viewer's printing dialog proposes, by the edge over which the sheet is turned."""


def impose(
    pages: Sequence[pikepdf.Page],
    sheets: Iterable[Sheet],
    information: Information,
    finish: Callable[[pikepdf.Pdf], None] = lambda _pdf: None,
) -> bytes:
    """Return the PDF of all sheets; ``pages`` are card pages of trim plus bleed. Same input, same bytes.

    ``finish`` may change the PDF before it is written.
    """
    pdf = pikepdf.new()
    forms: dict[int, pikepdf.Object] = {}
    for sheet in sheets:
        for placement in sheet.placements:
            if placement.page not in forms:
                forms[placement.page] = pdf.copy_foreign(as_form(pages[placement.page]))
        _add_sheet(pdf, sheet, forms)
    _describe(pdf, information)
    finish(pdf)
    share_fonts(pdf)
    return saved(pdf)


def as_form(page: pikepdf.Page) -> pikepdf.Object:
    """Return the page as a form XObject; if it has one stream, that stream itself, which is much cheaper."""
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


def _add_sheet(pdf: pikepdf.Pdf, sheet: Sheet, forms: dict[int, pikepdf.Object]) -> None:
    page = pdf.add_blank_page(page_size=sheet.paper.points)
    cards = b"".join(place(placement) for placement in sheet.placements)
    content = sheet.below + cards + sheet.above
    if sheet.shift != (0.0, 0.0):
        content = f"q 1 0 0 1 {numbers(*sheet.shift)} cm\n".encode() + content + b"Q\n"
    used = sorted({placement.page for placement in sheet.placements})
    page.obj.Contents = pdf.make_stream(content)
    page.obj.Resources = pikepdf.Dictionary(
        XObject=pikepdf.Dictionary({f"/C{number}": forms[number] for number in used})
    )
    page.obj.BleedBox, page.obj.TrimBox = _array(sheet.bleed), _array(sheet.trim)


def _array(box: Box) -> pikepdf.Array:
    return pikepdf.Array([round(side * POINTS_PER_MM, 3) for side in box])


def place(placement: Placement) -> bytes:
    """Return the operators that draw a page in its slot, turned and clipped."""
    slot, bleed = placement.slot, placement.bleed
    left, bottom, right, top = slot.x - bleed, slot.y - bleed, slot.right + bleed, slot.top + bleed
    matrix, corner = {
        0: ("1 0 0 1", (left, bottom)),
        90: ("0 1 -1 0", (right, bottom)),
        180: ("-1 0 0 -1", (right, top)),
        270: ("0 -1 1 0", (left, top)),
    }[slot.turn]
    clip = outline(slot, placement.reach, placement.radius)
    return f"q {clip} W n {matrix} {numbers(*corner)} cm /C{placement.page} Do Q\n".encode()


def _describe(pdf: pikepdf.Pdf, information: Information) -> None:
    pdf.docinfo["/Title"] = pikepdf.String(information.title)
    if information.author:
        pdf.docinfo["/Author"] = pikepdf.String(information.author)
    if information.version:
        pdf.docinfo["/Subject"] = pikepdf.String(f"Version {information.version}")
        pdf.docinfo["/Version"] = pikepdf.String(information.version)
    pdf.docinfo["/Creator"] = pikepdf.String("opforge")
    preferences = pikepdf.Dictionary(PrintScaling=pikepdf.Name("/None"))
    preferences["/DisplayDocTitle"] = True
    if information.duplex:
        preferences["/Duplex"] = pikepdf.Name(information.duplex)
    pdf.Root["/ViewerPreferences"] = preferences


def offset_on_back(dx: float, dy: float, mirror: Axis) -> tuple[float, float]:
    """Return the offset that corrects a back found dx to the right and dy up, seen from the front."""
    return (dx if mirror == "vertical" else -dx, dy if mirror == "horizontal" else -dy)


def backs_first(pdf: bytes) -> bytes:
    """Return the pages with each pair swapped: back, front, back, front."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        pages = list(document.pages)
        for first in range(0, len(pages) - 1, 2):
            document.pages[first], document.pages[first + 1] = pages[first + 1], pages[first]
        return saved(document)


def with_more_pages(pdf: bytes, more: bytes) -> bytes:
    """Return the pages of both; title and settings are the first one's."""
    with pikepdf.open(io.BytesIO(pdf)) as document, pikepdf.open(io.BytesIO(more)) as behind:
        document.pages.extend(behind.pages)
        share_fonts(document)
        return saved(document)


def without_links(pdf: pikepdf.Pdf) -> bytes:
    """Return the pages without the links that measure what fits, trimmed at their own edges."""
    for page in pdf.pages:
        page.trimbox = page.bleedbox = page.mediabox
        if "/Annots" in page.obj:
            del page.obj["/Annots"]
    return saved(pdf)


def described(pdf: bytes, title: str, author: str) -> bytes:
    """Return the PDF with a title, an author, and the setting not to be scaled."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        _describe(document, Information(title, author))
        return saved(document)


def saved(pdf: pikepdf.Pdf) -> bytes:
    """Return the PDF as bytes: the same for the same content, its objects packed."""
    stream = io.BytesIO()
    pdf.save(stream, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return stream.getvalue()
