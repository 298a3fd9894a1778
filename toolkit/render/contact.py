"""Contact sheets: all cards small, in groups with headings, on pages or on one large picture. In mm."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import pikepdf
from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.model import Edges
from toolkit.diagnostics import Diagnostic
from toolkit.render.documents import Document, print_document
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.impose import PdfMetadata, Placement, Sheet, impose
from toolkit.render.layout import EPSILON, LayoutPlan, Orientation, Slot
from toolkit.render.marks import outlined
from toolkit.render.outlines import outline
from toolkit.render.page_raster import as_image, encode_png, pixel_size, rasterize
from toolkit.render.sheet import Failure, Progress, SheetSettings, render_sheet
from toolkit.render.sizes import Size

MARGIN = 9.0
GAP = 2.5
HEAD_HEIGHT = 5.0
"""The height of the line on top of a page."""

HEADING_HEIGHT = 8.0
"""The height of the heading of a group, with what is above and below its words."""

_BELOW_HEADING = 1.4
_MAX_PIXELS = 60_000_000
"""Dots of a picture: 60 million take 180 MB of memory, and twice as much while it is written."""

_MAX_DPI, _MIN_DPI = 200, 72
"""Dots an inch of a picture: so many, and fewer if it would be too large."""


class Group(Struct, frozen=True):
    """The cards under one heading."""

    heading: str
    faces: tuple[Face, ...]


class Heading(Struct, frozen=True):
    """The heading of a group on a page: where its words are, and how many cards the group has."""

    text: str
    number: int
    x: float
    y: float
    width: float
    height: float


class Place(Struct, frozen=True):
    """A card on a page: which one of all, its upper left corner from that of the page, and its extent."""

    card: int
    x: float
    y: float
    size: Size


class ContactPage(Struct):
    """What is on a page: headings, and the places of cards."""

    headings: list[Heading] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)


def scale_for(sizes: Sequence[Size], page: Size, columns: int) -> float:
    """Return the scale with which so many of the widest cards are side by side, and the highest on a page."""
    across = (page.width - 2 * MARGIN - (columns - 1) * GAP) / columns / max(size.width for size in sizes)
    down = (page.height - 2 * MARGIN - HEAD_HEIGHT - HEADING_HEIGHT) / max(size.height for size in sizes)
    return min(across, down, 1.0)


def lay_out_pages(
    groups: Sequence[tuple[str, Sequence[Size]]], width: float, height: float
) -> list[ContactPage]:
    """Return pages of that width, and at most of that height, with the cards of all groups in order.

    Each group begins a line with its heading, which stands again on top of the next page where it goes on.
    """
    pages = [ContactPage()]
    y, card = MARGIN + HEAD_HEIGHT, 0
    for text, sizes in groups:
        rows = list(_rows(sizes, width - 2 * MARGIN))
        for number, row in enumerate(rows):
            high = max(size.height for size in row)
            headed = number == 0
            if y + headed * HEADING_HEIGHT + high > height - MARGIN + EPSILON and pages[-1].places:
                pages.append(ContactPage())
                y, headed = MARGIN + HEAD_HEIGHT, True
            if headed:
                words = (MARGIN, y, width - 2 * MARGIN, HEADING_HEIGHT - _BELOW_HEADING)
                pages[-1].headings.append(Heading(text, len(sizes), *words))
                y += HEADING_HEIGHT
            x = MARGIN
            for size in row:
                pages[-1].places.append(Place(card, x, y, size))
                x, card = x + size.width + GAP, card + 1
            y += high + GAP
    return pages


def _rows(sizes: Sequence[Size], width: float) -> Iterator[list[Size]]:
    """Yield as many as fit side by side, line by line."""
    row: list[Size] = []
    for size in sizes:
        if row and sum(one.width + GAP for one in row) + size.width > width + EPSILON:
            yield row
            row = []
        row.append(size)
    if row:
        yield row


class ContactSettings(Struct, frozen=True):
    """How a contact sheet is made; ``sheet`` says how large cards of each kind are and how they look.

    ``paper`` None is one page that is as high as it must be. ``columns`` are those of the widest cards; None:
    as many as fit at 45 % of their size, and on a page without paper 10.
    """

    sheet: SheetSettings
    information: PdfMetadata
    paper: Size | None = None
    columns: int | None = None


class ContactSheet(Struct, frozen=True):
    """The PDF, what was found while the cards were printed, and how many pages and cards it has."""

    pdf: bytes
    diagnostics: tuple[Diagnostic, ...]
    pages: int
    cards: int


_PICTURE_COLUMNS = 10
_DEFAULT_SCALE = 0.45


def contact_pdf(
    groups: Sequence[Group], settings: ContactSettings, roots: Roots, progress: Progress
) -> ContactSheet | Failure:
    """Print each card once, and all of them small on pages with headings. The same input, the same bytes.

    A card whose template fails is left out and found.
    """
    alone = SheetSettings(
        layout=_single_card_plan(settings.sheet.layout),
        by_kind={kind: _single_card_plan(plan) for kind, plan in settings.sheet.by_kind.items()},
        face_options=settings.sheet.face_options,
    )
    faces = [replace(face, quantity=1) for group in groups for face in group.faces]
    printed = render_sheet(faces, alone, roots, progress)
    if printed.failure is not None:
        return printed.failure
    if not printed.pages:
        return ContactSheet(b"", printed.diagnostics, 0, 0)
    page_of = {face: number for number, face in enumerate(printed.printed)}
    sizes = {face: alone.layout_of(face).card for face in page_of}
    kept = [
        (group.heading, [face for one in group.faces if (face := replace(one, quantity=1)) in page_of])
        for group in groups
    ]
    kept = [(heading, found) for heading, found in kept if found]
    order = [face for _, found in kept for face in found]
    paper, columns = settings.paper, settings.columns
    widest = max(size.width for size in sizes.values()) * _DEFAULT_SCALE
    if paper is not None:
        fitting = max(int((paper.width - 2 * MARGIN + GAP) // (widest + GAP)), 1)
        page, scale = paper, scale_for(list(sizes.values()), paper, columns or fitting)
    else:  # as high as can be
        wide = 2 * MARGIN + (columns or _PICTURE_COLUMNS) * (widest + GAP) - GAP
        page, scale = Size(round(wide, 2), 1e9), _DEFAULT_SCALE
    scaled = {face: Size(size.width * scale, size.height * scale, size.shape) for face, size in sizes.items()}
    pages = lay_out_pages([(heading, [scaled[face] for face in found]) for heading, found in kept], *page)
    if paper is None:
        lowest = max(place.y + place.size.height for place in pages[0].places)
        page = Size(page.width, round(lowest + MARGIN, 2))
    values = {
        "pages": [one.headings for one in pages],
        "title": settings.information.title,
        "language": settings.information.languages[0],
        "margin": MARGIN,
    }
    drawn = print_document(Document("contact/contact.html.jinja", values, page, 1.0, 0), roots)
    if isinstance(drawn, Failure):
        return drawn
    if isinstance(drawn, Diagnostic):
        return ContactSheet(b"", (*printed.diagnostics, drawn), 0, 0)
    with pikepdf.open(io.BytesIO(drawn.pdf)) as frames, pikepdf.open(io.BytesIO(printed.pdf)) as cards:
        numbers = [len(pages) + page_of[face] for face in order]
        sheets = [_sheet(number, one, page, numbers, scale) for number, one in enumerate(pages)]
        pdf = impose([*frames.pages, *cards.pages], sheets, settings.information)
    return ContactSheet(pdf, printed.diagnostics, len(pages), len(order))


def _single_card_plan(plan: LayoutPlan) -> LayoutPlan:
    """One card on a page of its own size."""
    card = plan.card
    lies: Orientation = "landscape" if card.width > card.height else "portrait"
    paper, none = Size(card.width, card.height), Edges(0.0, 0.0, 0.0, 0.0)
    return LayoutPlan(card, paper, lies, 1, 1, bleed=plan.bleed, margins=none, marks="none", name=plan.name)


def _sheet(number: int, page: ContactPage, paper: Size, numbers: Sequence[int], scale: float) -> Sheet:
    """Return a page: the headings, the cards above them, and a hairline around each."""
    whole = (0.0, 0.0, paper.width, paper.height)
    cards = [
        Placement(
            numbers[place.card],
            Slot(place.x, paper.height - place.y - place.size.height, *place.size),
            shape=place.size.shape,
            scale=scale,
        )
        for place in page.places
    ]
    lines = outlined((outline(card.slot, shape=card.shape) for card in cards), halo=False)
    return Sheet(paper, (Placement(number, Slot(*whole)), *cards), whole, whole, above=lines)


def contact_picture(pdf: bytes) -> tuple[bytes, int, int] | None:
    """Return the first page as PNG with its width and height in dots; None if it would be too large."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0]
        square_inches = page.get_width() * page.get_height() / 72**2
        dpi = min(_MAX_DPI, int((_MAX_PIXELS / square_inches) ** 0.5))
        if dpi < _MIN_DPI:
            return None
        image = as_image(rasterize(page, pixel_size(page, dpi)))
    return encode_png(image, dpi), *image.size
