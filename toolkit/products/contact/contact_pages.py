"""Contact sheets: all cards small, in groups with headings, on pages or in one large picture. In mm."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import NamedTuple

import pikepdf
import pypdfium2
from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.model import Edges
from toolkit.diagnostics import Diagnostic
from toolkit.press.documents import Document, PrintedDocument, print_document
from toolkit.press.impose import Placement, Sheet, impose
from toolkit.press.layout import EPSILON, LayoutPlan, Orientation, Slot
from toolkit.press.marks import outlined
from toolkit.press.outlines import outline
from toolkit.press.sheet import Failure, SheetSettings, render_sheet
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.page_raster import as_image, encode_png, pixel_size, rasterize
from toolkit.render.pages import FaceOptions
from toolkit.render.pdf import PdfMetadata
from toolkit.render.renderer import Progress
from toolkit.render.sizes import POINTS_PER_INCH, Size, paper_name

MARGIN = 9.0
GAP = 2.5
HEAD_HEIGHT = 5.0
"""The height of the header line of a page."""

HEADING_HEIGHT = 8.0
"""The height of the heading of a group, with the space above and below it."""

_BELOW_HEADING = 1.4
_MAX_PIXELS = 60_000_000
"""Pixels of a picture: 60 million take 180 MB of memory, and twice as much while it is written."""

_MIN_SCALE = 0.1
"""Cards are not printed smaller: they would be specks."""

_MAX_DPI, _MIN_DPI = 200, 72
"""The resolution of a picture, which is reduced down to the minimum if it would be too large."""


class GroupStyle(NamedTuple):
    """Options and templates of the cards of a group."""

    face_options: FaceOptions
    roots: Roots


class Group(Struct, frozen=True):
    """The cards under one heading, which a ``note`` follows; None is the number of its cards.

    ``style`` is how they look; None: as the settings and templates of the whole contact sheet say.
    """

    heading: str
    faces: tuple[Face, ...]
    note: str | None = None
    style: GroupStyle | None = None


class Heading(Struct, frozen=True):
    """The heading of a group on a page, with its note; x and y from the upper left."""

    text: str
    note: str
    x: float
    y: float
    width: float
    height: float


class Place(Struct, frozen=True):
    """A card (by its index) on a page: its upper left corner from that of the page, and its size."""

    card: int
    x: float
    y: float
    size: Size


class ContactPage(Struct):
    """The headings and cards of a page."""

    headings: list[Heading] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)


def scale_for(sizes: Sequence[Size], page: Size, columns: int) -> float:
    """Return the scale at which that many of the widest card fit side by side, and the highest on a page."""
    across = (page.width - 2 * MARGIN - (columns - 1) * GAP) / columns / max(size.width for size in sizes)
    down = (page.height - 2 * MARGIN - HEAD_HEIGHT - HEADING_HEIGHT) / max(size.height for size in sizes)
    return min(across, down, 1.0)


def lay_out_pages(
    groups: Sequence[tuple[str, str, Sequence[Size]]], width: float, height: float
) -> list[ContactPage]:
    """Return pages of that width and at most that height, with the cards of all groups in order.

    A group is its heading, its note and the sizes of its cards.

    Each group begins on a new line below its heading, which is repeated on each further page of the group.
    """
    page = ContactPage()
    pages = [page]
    y, card_index = MARGIN + HEAD_HEIGHT, 0
    for text, note, sizes in groups:
        rows = list(_rows(sizes, width - 2 * MARGIN))
        for number, row in enumerate(rows):
            row_height = max(size.height for size in row)
            needs_heading = number == 0
            height_needed = row_height + (HEADING_HEIGHT if needs_heading else 0)
            if y + height_needed > height - MARGIN + EPSILON and page.places:
                page = ContactPage()
                pages.append(page)
                y, needs_heading = MARGIN + HEAD_HEIGHT, True
            if needs_heading:
                heading_box = (MARGIN, y, width - 2 * MARGIN, HEADING_HEIGHT - _BELOW_HEADING)
                page.headings.append(Heading(text, note, *heading_box))
                y += HEADING_HEIGHT
            x = MARGIN
            for size in row:
                page.places.append(Place(card_index, x, y, size))
                x, card_index = x + size.width + GAP, card_index + 1
            y += row_height + GAP
    return pages


def _rows(sizes: Sequence[Size], width: float) -> Iterator[list[Size]]:
    """Yield the sizes line by line, as many as fit side by side."""
    row: list[Size] = []
    for size in sizes:
        if row and sum(size_in_row.width + GAP for size_in_row in row) + size.width > width + EPSILON:
            yield row
            row = []
        row.append(size)
    if row:
        yield row


class ContactSettings(Struct, frozen=True):
    """How a contact sheet is made; ``sheet`` has the sizes and options of the cards.

    ``paper`` None: one page as high as needed. ``columns``: how many of the widest card fit side by side;
    None: as many as fit at 45 % of their size, and 10 without paper.
    """

    sheet: SheetSettings
    metadata: PdfMetadata
    paper: Size | None = None
    columns: int | None = None


class ContactSheet(Struct, frozen=True):
    """The PDF, the findings of printing its cards, and the numbers of pages and cards."""

    pdf: bytes
    diagnostics: tuple[Diagnostic, ...]
    pages: int
    cards: int


_PICTURE_COLUMNS = 10
_DEFAULT_SCALE = 0.45
_ENDLESS = 1e9
"""The height of a page in mm before that of its rows is known."""


def contact_pdf(
    groups: Sequence[Group], settings: ContactSettings, roots: Roots, progress: Progress
) -> ContactSheet | Failure:
    """Print each card once, and impose all of them small on pages with headings. Deterministic.

    A card whose template fails is left out and reported.
    """
    plans = {kind: _single_card_plan(plan) for kind, plan in settings.sheet.by_kind.items()}
    single_settings = SheetSettings(
        _single_card_plan(settings.sheet.layout), plans, face_options=settings.sheet.face_options
    )
    groups = [
        replace(group, faces=tuple(replace(face, quantity=1) for face in group.faces)) for group in groups
    ]
    sizes = {face: single_settings.layout_of(face).card for group in groups for face in group.faces}
    page, scale = _page_and_scale([*sizes.values()] or [single_settings.layout.card], settings)
    if scale < _MIN_SCALE:
        message = f"On {paper_name(page)} the cards would be smaller than a tenth of their size."
        return Failure(message, "Choose a larger paper or fewer columns.", invalid_request=True)
    printed_cards = _print_cards(groups, replace(single_settings, scale=scale), roots, progress)
    if isinstance(printed_cards, Failure):
        return printed_cards
    if not printed_cards.page_of:
        return ContactSheet(b"", printed_cards.diagnostics, 0, 0)
    groups = list(printed_cards.shown(groups))
    scaled_groups = [
        (group.heading, group.note or "", [_scaled(sizes[face], scale) for face in group.faces])
        for group in groups
    ]
    pages = lay_out_pages(scaled_groups, page.width, page.height)
    if settings.paper is None:
        (only_page,) = pages  # the page has no end yet
        lowest_edge = max(place.y + place.size.height for place in only_page.places)
        page = Size(page.width, round(lowest_edge + MARGIN, 2))
    headings = _print_headings(pages, page, settings, roots)
    if isinstance(headings, Failure):
        return headings
    if isinstance(headings, Diagnostic):
        return ContactSheet(b"", (*printed_cards.diagnostics, headings), 0, 0)
    # the pages with headings come first
    page_numbers = [
        len(pages) + printed_cards.page_of[group.style, face] for group in groups for face in group.faces
    ]
    sheets = [
        _sheet(number, contact_page, page, page_numbers, scale) for number, contact_page in enumerate(pages)
    ]
    pdf = _impose((headings.pdf, *printed_cards.pdfs), sheets, settings.metadata)
    return ContactSheet(pdf, printed_cards.diagnostics, len(pages), len(page_numbers))


def _impose(pdfs: Iterable[bytes], sheets: Iterable[Sheet], metadata: PdfMetadata) -> bytes:
    """Return the PDF of the sheets, whose pages are numbered through all ``pdfs``."""
    with ExitStack() as stack:
        documents = [stack.enter_context(pikepdf.open(io.BytesIO(pdf))) for pdf in pdfs]
        pages = list(chain.from_iterable(document.pages for document in documents))
        return impose(pages, sheets, metadata)


def _print_headings(
    pages: Sequence[ContactPage], size: Size, settings: ContactSettings, roots: Roots
) -> PrintedDocument | Diagnostic | Failure:
    """Print the title and the headings of all pages, without cards."""
    default_language, *_ = settings.metadata.languages
    values = {
        "pages": [contact_page.headings for contact_page in pages],
        "title": settings.metadata.title,
        "language": default_language,
        "margin": MARGIN,
    }
    return print_document(Document("contact/contact.html.jinja", values, size, 1.0, 0), roots)


class _PrintedCards(NamedTuple):
    """PDFs with a page for each card, and the number of its page in all of them by style and card."""

    pdfs: list[bytes]
    page_of: dict[tuple[GroupStyle | None, Face], int]
    diagnostics: tuple[Diagnostic, ...]

    def shown(self, groups: Iterable[Group]) -> Iterator[Group]:
        """Yield the groups with the cards that could be printed, and with their notes."""
        for group in groups:
            faces = tuple(face for face in group.faces if (group.style, face) in self.page_of)
            if faces:
                note = str(len(faces)) if group.note is None else group.note
                yield replace(group, faces=faces, note=note)


def _print_cards(
    groups: Sequence[Group], settings: SheetSettings, roots: Roots, progress: Progress
) -> _PrintedCards | Failure:
    """Print each card once for each style in which it is shown."""
    faces_by_style: dict[GroupStyle | None, list[Face]] = {}
    for group in groups:
        faces_by_style.setdefault(group.style, []).extend(group.faces)
    pdfs: list[bytes] = []
    page_of: dict[tuple[GroupStyle | None, Face], int] = {}
    diagnostics: dict[Diagnostic, None] = {}
    for style, faces in faces_by_style.items():
        styled = replace(settings, face_options=style.face_options) if style is not None else settings
        sheet = render_sheet(faces, styled, style.roots if style is not None else roots, progress)
        if sheet.failure is not None:
            return sheet.failure
        diagnostics.update(dict.fromkeys(sheet.diagnostics))
        if sheet.pages:
            pdfs.append(sheet.pdf)
            page_of |= {(style, face): len(page_of) + number for number, face in enumerate(sheet.printed)}
    return _PrintedCards(pdfs, page_of, tuple(diagnostics))


def _page_and_scale(card_sizes: Sequence[Size], settings: ContactSettings) -> tuple[Size, float]:
    """Return the size of the pages and the scale of the cards.

    Without paper the page is practically endless, because the height of the rows is not known yet.
    """
    widest = max(size.width for size in card_sizes) * _DEFAULT_SCALE
    if settings.paper is None:
        width = 2 * MARGIN + (settings.columns or _PICTURE_COLUMNS) * (widest + GAP) - GAP
        return Size(round(width, 2), _ENDLESS), _DEFAULT_SCALE
    fitting_columns = max(int((settings.paper.width - 2 * MARGIN + GAP) // (widest + GAP)), 1)
    return settings.paper, scale_for(card_sizes, settings.paper, settings.columns or fitting_columns)


def _scaled(size: Size, scale: float) -> Size:
    return Size(size.width * scale, size.height * scale, size.shape)


def _single_card_plan(plan: LayoutPlan) -> LayoutPlan:
    """Return the plan for a page of the size of the card."""
    card = plan.card
    orientation: Orientation = "landscape" if card.width > card.height else "portrait"
    paper, no_margins = Size(card.width, card.height), Edges(0.0, 0.0, 0.0, 0.0)
    return LayoutPlan(
        card, paper, orientation, 1, 1, bleed=plan.bleed, margins=no_margins, marks="none", name=plan.name
    )


def _sheet(number: int, page: ContactPage, paper: Size, page_numbers: Sequence[int], scale: float) -> Sheet:
    """Return a page: the headings, the cards drawn over them, and a hairline around each card."""
    page_box = (0.0, 0.0, paper.width, paper.height)
    cards = [
        Placement(
            page_numbers[place.card],
            Slot(place.x, paper.height - place.y - place.size.height, *place.size),
            shape=place.size.shape,
            scale=scale,
        )
        for place in page.places
    ]
    lines = outlined((outline(card.slot, shape=card.shape) for card in cards), halo=False)
    return Sheet(paper, (Placement(number, Slot(*page_box)), *cards), page_box, page_box, above=lines)


def contact_picture(pdf: bytes) -> tuple[bytes, int, int] | None:
    """Return the first page as PNG with its width and height in pixels; None if it would be too large."""
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0]
        square_inches = page.get_width() * page.get_height() / POINTS_PER_INCH**2
        dpi = min(_MAX_DPI, int((_MAX_PIXELS / square_inches) ** 0.5))
        if dpi < _MIN_DPI:
            return None
        image = as_image(rasterize(page, pixel_size(page, dpi)))
    return encode_png(image, dpi), *image.size
