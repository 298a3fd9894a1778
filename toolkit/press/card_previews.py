"""Pictures of a few cards for the preview: rasterized pages of the PDF that is printed.

The findings and font sizes come from the same document. A second view, for a browser's developer tools, is
the page as self-contained HTML.
"""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib.metadata import version
from typing import NamedTuple

import pypdfium2
from markupsafe import Markup
from msgspec import Struct
from PIL import Image

from toolkit import __version__
from toolkit.diagnostics import Diagnostic
from toolkit.press.card_pictures import Subject
from toolkit.render.checks import print_findings
from toolkit.render.checks.fit_check import printed_key
from toolkit.render.checks.missing_glyphs import missing_glyphs
from toolkit.render.environment import TemplateProblem
from toolkit.render.face import Back, Face, template_of
from toolkit.render.fetch import TEMPLATES_ADDRESS, Fetcher, Roots, join_address
from toolkit.render.fit import WITHOUT_REMINDERS, measures
from toolkit.render.page_raster import as_image, encode_png, rasterize, to_pixels
from toolkit.render.pages import FaceOptions, Pages, page_size
from toolkit.render.pdf import PrintedPage
from toolkit.render.picture_placeholders import PicturePlaceholders
from toolkit.render.print_run import PrintRun
from toolkit.render.renderer import EngineError, Raster, Renderer
from toolkit.render.sizes import BLEED, Size
from toolkit.source.paths import file_stamp

LIMIT = 5.0
"""Seconds until a card is given up. Templates and drawings have bounds of their own; this one is for what
those do not foresee."""

_PDFIUM = version("pypdfium2")


class CardStyle(Struct, frozen=True):
    """How cards look apart from their content: trim and bleed in mm, templates and their digest."""

    size: Size
    roots: Roots
    face_options: FaceOptions
    stamp: str
    bleed: float = BLEED

    @classmethod
    def of(cls, size: Size, roots: Roots, face_options: FaceOptions, bleed: float = BLEED) -> CardStyle:
        """Return the style with the current digest of the templates."""
        return cls(size, roots, face_options, roots.stamp(), bleed)

    def key(self, subject: Subject, renderer: Renderer) -> str:
        """Return a cache key for the picture of a card or a back."""
        if isinstance(subject, Face):
            shown = printed_key(subject)
        else:
            pictures = [file_stamp(path) for path in (subject.picture, subject.logo) if path is not None]
            shown = repr((subject, pictures))
        engines = (__version__, renderer.name, renderer.version, _PDFIUM)
        return blake2b(repr((shown, self, engines)).encode("utf-8", "replace"), digest_size=32).hexdigest()


class TypeSize(NamedTuple):
    """The font size of a region of a card, and its minimum, in pt."""

    region: str
    size: float
    smallest: float


class Picture(Struct, frozen=True):
    """A card on the screen: its PNG (None if it could not be printed), findings and font sizes.

    ``sizes_of_type`` are those that the HTML view needs.
    """

    png: bytes | None
    findings: tuple[Diagnostic, ...] = ()
    sizes: tuple[TypeSize, ...] = ()
    sizes_of_type: Mapping[str, float] = {}


class Screen:
    """Draws cards and backs. Not thread-safe."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer

    def draw(
        self, subjects: Sequence[Subject], style: CardStyle, dpi: int, bleed_shown: bool = False
    ) -> dict[Subject, Picture]:
        """Return the pictures of some cards and backs, up to eight, drawn in one document.

        The picture of a card that cannot be printed has no PNG and a finding that says why.
        """
        subjects = list(dict.fromkeys(subjects))
        drawn_pictures: dict[Subject, Picture] = {}
        try:
            drawn_pictures = self._draw_batch(subjects, style, dpi, 0.0 if bleed_shown else style.bleed)
        except EngineError as error:
            if len(subjects) == 1:
                return {subject: self._failed(subject, style, str(error)) for subject in subjects}
        if len(subjects) > 1:  # those that could not be drawn together are drawn each alone
            for subject in subjects:
                if subject not in drawn_pictures:
                    drawn_pictures |= self.draw([subject], style, dpi, bleed_shown)
        return drawn_pictures

    def _draw_batch(
        self, subjects: Sequence[Subject], style: CardStyle, dpi: int, cut: float
    ) -> dict[Subject, Picture]:
        """Draw the subjects in one document. Several are only drawn if each finding names its card."""
        deadline = time.monotonic() + LIMIT
        fetcher = Fetcher(style.roots)
        run = PrintRun(
            self.renderer,
            style.size,
            fetcher,
            share_drawings=False,
            face_options=style.face_options,
            bleed=style.bleed,
            until=deadline,
        )
        try:
            run.print_fronts([printed for printed in subjects if isinstance(printed, Face)])
            run.print_backs(printed for printed in subjects if isinstance(printed, Back))
        finally:
            run.close()
        findings = run.diagnostics()
        is_alone = len(subjects) == 1
        if not is_alone and any(finding.card is None for finding in findings):
            return {}  # any of them may be the cause, so each is drawn alone
        pages = _printed_pages(run, subjects)
        if is_alone and not pages:
            return {subject: Picture(None, findings) for subject in subjects}
        rasters = _rasters(pages, run.pictures, style, dpi, cut, deadline)
        drawn_pictures: dict[Subject, Picture] = {}
        for subject, page in pages.items():
            png = encode_png(as_image(rasters[subject]), dpi)
            if isinstance(subject, Back):
                drawn_pictures[subject] = Picture(png, findings if is_alone else ())
                continue
            own_findings = (finding for finding in findings if is_alone or finding.card == subject.id)
            missing = missing_glyphs([subject], style.roots, self.renderer)
            drawn_pictures[subject] = Picture(
                png, (*own_findings, *missing), _type_sizes(page), run.sizes[subject]
            )
        return drawn_pictures

    def html(self, subject: Subject, style: CardStyle, sizes: Mapping[str, float]) -> str | None:
        """Return the page as one HTML document with its style sheets, fonts and pictures inside.

        None if a template cannot be used or refers to too much. The output of a template is not trusted: it
        must be shown in a sandboxed frame.
        """
        fetcher = Fetcher(style.roots)
        pages = Pages(style.size, fetcher, style.face_options, style.bleed)
        page = pages.page(subject, 0, sizes)
        document = pages.document([page]) if isinstance(page, Markup) else page
        if not isinstance(document, str):
            return None
        try:
            return _Inliner(fetcher).document(document)
        except _TooLarge:
            return None

    def _failed(self, subject: Subject, style: CardStyle, reason: str) -> Picture:
        """Return the picture of a card that the engine cannot print, with a finding at its template."""
        face = subject if isinstance(subject, Face) else None
        template = template_of(face.kind, style.size.shape) if face else "back.html.jinja"
        message = f"the engine {self.renderer.name} gave up: {reason}"
        problem = TemplateProblem(template, style.roots.find(template), 1, message)
        return Picture(None, (print_findings.template_error(problem, style.roots, face),))


def _printed_pages(run: PrintRun, subjects: Sequence[Subject]) -> dict[Subject, PrintedPage]:
    """Return the pages of the subjects that a run has printed."""
    pages: dict[Subject, PrintedPage] = {}
    for subject in subjects:
        page_index = run.fronts.get(subject) if isinstance(subject, Face) else run.backs.get(subject)
        if page_index is not None:
            pages[subject] = run.pages[page_index]
    return pages


def _type_sizes(page: PrintedPage) -> tuple[TypeSize, ...]:
    """Return the font size of each region of a page."""
    sizes = {
        measure.region: TypeSize(measure.region, measure.size, measure.floor)
        for measure in measures([page.load()])
        if measure.region != WITHOUT_REMINDERS  # a mark, not a region
    }
    return tuple(sizes.values())


def _rasters(
    pages: Mapping[Subject, PrintedPage],
    pictures: PicturePlaceholders,
    style: CardStyle,
    dpi: int,
    cut: float,
    deadline: float,
) -> dict[Subject, Raster]:
    """Draw the pages of a run without the outer ``cut`` mm of each side. Raises ``EngineError``."""
    cut_pixels = to_pixels(cut, dpi)
    # what is left is rounded for itself, so that a card has the same pixels with and without its bleed
    width, height = (
        to_pixels(side - 2 * cut, dpi) + 2 * cut_pixels for side in page_size(style.size, style.bleed)
    )
    rasters_by_subject: dict[Subject, Raster] = {}
    # By identity: comparing documents of megabytes takes long.
    unique_pdfs = {id(page.pdf): page.pdf for page in pages.values()}
    for pdf in unique_pdfs.values():
        with pypdfium2.PdfDocument(pictures.inserted(pdf)) as document:
            for subject, page in pages.items():
                if page.pdf is pdf:
                    rasters_by_subject[subject] = rasterize(
                        document[page.number], (width, height), cut_pixels, deadline
                    )
    return rasters_by_subject


_LINK = re.compile(
    r"<link\b[^<>]{0,500}\bhref=\"(?P<address>[^\"<>]{0,500}\.css)\"[^<>]{0,500}>", re.IGNORECASE
)
_IMPORT = re.compile(
    r"@import\s{1,20}(?:url\(\s{0,20})?[\"']?(?P<address>[^\"')\s;]{1,500})[\"']?\s{0,20}\)?[^;]{0,500};",
    re.IGNORECASE,
)
_URL = re.compile(
    r"url\(\s{0,20}(?:\"([^\"]*)\"|'([^']*)'|&quot;(.{0,500}?)&quot;|&#39;(.{0,500}?)&#39;|([^\"')\s]*))\s{0,20}\)",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"(?P<key>\s(?:src|href|xlink:href)\s*=\s*)(?:\"(?P<quoted>[^\"]*)\"|'(?P<single>[^']*)')", re.IGNORECASE
)
"""References in HTML and CSS. Longer ones stay as they are and lead nowhere: without limits on the lengths
these expressions take minutes for a crafted text."""

_CONNECTING = re.compile(r"<(?=(?:link|base|i?frame|object|embed)\b)", re.IGNORECASE)
"""Elements for which browsers open connections whatever the page's policy says, such as ``preconnect``."""

_MAX_IMPORT_DEPTH = 5
"""Nested ``@import``."""

_MAX_CHARACTERS = 32 * 1024 * 1024
"""The maximum of what is inlined into a document, where a file stands as often as it is referred to."""

_FILE_OVERHEAD = 1000
"""Characters that each file counts in addition to its content."""


class _TooLarge(Exception):
    """More than ``_MAX_CHARACTERS`` would be inlined into a document."""


class _Inliner:
    """Inlines the files that a document refers to. Raises ``_TooLarge``."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher, self._left = fetcher, _MAX_CHARACTERS

    def document(self, html: str) -> str:
        """Return a self-contained document: files are inlined, other references are removed.

        Ligatures are off, as in print.
        """

        def style_element(link: re.Match[str]) -> str:
            return f"<style>{self._styles(_join_safely(TEMPLATES_ADDRESS, link['address']))}</style>"

        def inlined_attribute(match: re.Match[str]) -> str:
            """Return an attribute with the file that it refers to as data, or nothing if it may not be
            read."""
            reference = match["single"] if match["quoted"] is None else match["quoted"]
            if reference.startswith(("#", "data:")):
                return match[0]
            address = _join_safely(TEMPLATES_ADDRESS, reference)
            return f'{match["key"]}"{self._data(address)}"' if address.startswith("opforge:") else ""

        html = _CONNECTING.sub("<no-", _LINK.sub(style_element, html))
        html = _SOURCE.sub(inlined_attribute, self._with_data(html, TEMPLATES_ADDRESS))
        return html.replace("<head>", "<head><style>html { font-variant-ligatures: none }</style>", 1)

    def _styles(self, address: str, depth: int = 0) -> str:
        """Return a style sheet with its imports and the files that it refers to inlined."""
        content, mime = self._fetcher(address)
        text = content.decode("utf-8", "replace") if mime == "text/css" else ""
        self._count(text)
        return self._with_data(text, address, depth).replace("</", "<\\/")

    def _with_data(self, text: str, base: str, depth: int = 0) -> str:
        """Return a text with every ``url(…)`` and imported style sheet inlined."""

        def imported_styles(match: re.Match[str]) -> str:
            if depth == _MAX_IMPORT_DEPTH:
                return ""
            return self._styles(_join_safely(base, match["address"]), depth + 1)

        def inlined_url(match: re.Match[str]) -> str:
            # one group for each kind of quotes, of which one has the reference
            reference = next((group_text for group_text in match.groups() if group_text is not None), "")
            if reference.startswith(("#", "data:")):
                return match[0]
            return f"url({self._data(_join_safely(base, reference))})"

        return _URL.sub(inlined_url, _IMPORT.sub(imported_styles, text))

    def _data(self, address: str) -> str:
        """Return a file as a ``data:`` address."""
        content, mime = self._fetcher(address.partition("#")[0])
        text = f"data:{mime};base64,{b64encode(content).decode('ascii')}"
        self._count(text)
        return text

    def _count(self, text: str) -> None:
        self._left -= len(text) + _FILE_OVERHEAD
        if self._left < 0:
            raise _TooLarge


def _join_safely(base: str, reference: str) -> str:
    """Return the address of a reference; for an invalid one an address that is refused."""
    try:
        return join_address(base, reference)
    except ValueError:
        return "about:blank"


def blank_png(style: CardStyle, dpi: int, bleed_shown: bool = False) -> bytes:
    """Return the PNG of a grey card, for one that cannot be printed."""
    size = page_size(style.size, style.bleed if bleed_shown else 0.0)
    return encode_png(
        Image.new("RGB", (to_pixels(size.width, dpi), to_pixels(size.height, dpi)), "#c8ccd0"), dpi
    )
