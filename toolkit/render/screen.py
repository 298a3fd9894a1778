"""Cards on a screen, a few at a time, as they will be printed: pages of the print PDF, drawn as dots.

The same document says what was found and in which sizes type is set. A second view, for a browser's tools,
is the page as HTML with all that it needs inside.
"""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from importlib.metadata import version
from typing import NamedTuple

from markupsafe import Markup
from msgspec import Struct
from PIL import Image

from toolkit import __version__
from toolkit.diagnostics import Diagnostic
from toolkit.render import findings
from toolkit.render.card_pictures import Subject
from toolkit.render.environment import TemplateProblem
from toolkit.render.face import Back, Face, template_of
from toolkit.render.fetch import TEMPLATES_ADDRESS, Fetcher, Roots, file_stamp, join_address
from toolkit.render.fit import WITHOUT_REMINDERS, measures
from toolkit.render.fit_check import printed_key
from toolkit.render.impose import PrintedPage
from toolkit.render.missing_glyphs import missing_glyphs
from toolkit.render.page_raster import as_image, encode_png, rasterize, to_pixels
from toolkit.render.pages import FaceOptions, Pages, page_size
from toolkit.render.printing import PrintRun
from toolkit.render.renderer import EngineError, Raster, Renderer
from toolkit.render.sizes import BLEED, Size

LIMIT = 5.0
"""Seconds after which a card is given up. What templates and drawings may do is bounded by itself; this is
for what those bounds do not foresee."""


_PDFIUM = version("pypdfium2")


class CardStyle(Struct, frozen=True):
    """All but the words that decides how cards look: trim and bleed in mm, templates and their stamp."""

    size: Size
    roots: Roots
    face_options: FaceOptions
    stamp: str
    bleed: float = BLEED

    @classmethod
    def of(cls, size: Size, roots: Roots, face_options: FaceOptions, bleed: float = BLEED) -> CardStyle:
        """Return the style with the present stamp of the templates."""
        return cls(size, roots, face_options, roots.stamp(), bleed)

    def key(self, subject: Subject, renderer: Renderer) -> str:
        """Return a digest that changes whenever the picture of a card or a back may change."""
        if isinstance(subject, Face):
            shown = printed_key(subject)
        else:
            pictures = [file_stamp(path) for path in (subject.picture, subject.logo) if path is not None]
            shown = repr((subject, pictures))
        engines = (__version__, renderer.name, renderer.version, _PDFIUM)
        return blake2b(repr((shown, self, engines)).encode("utf-8", "replace"), digest_size=32).hexdigest()


class TypeSize(NamedTuple):
    """The size of type of a region of a card, and the smallest that it may have, in pt."""

    region: str
    size: float
    smallest: float


class Picture(Struct, frozen=True):
    """A card on the screen: its PNG (None where it could not be printed), what was found, sizes of type.

    ``sizes_of_type`` is what the HTML view is made with.
    """

    png: bytes | None
    findings: tuple[Diagnostic, ...] = ()
    sizes: tuple[TypeSize, ...] = ()
    sizes_of_type: Mapping[str, float] = {}


class Screen:
    """Draws cards and backs. For one thread at a time."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer

    def draw(
        self, subjects: Sequence[Subject], style: CardStyle, dpi: int, bleed_shown: bool = False
    ) -> dict[Subject, Picture]:
        """Return the pictures of some cards and backs, up to eight of them in one document.

        A card that cannot be printed has no picture and says why.
        """
        subjects = list(dict.fromkeys(subjects))
        with_others = len(subjects) > 1
        try:
            found = self._draw_batch(subjects, style, dpi, 0.0 if bleed_shown else style.bleed)
        except EngineError as error:
            found = {} if with_others else {subjects[0]: self._failed(subjects[0], style, str(error))}
        for subject in subjects if with_others else ():
            if subject not in found:
                found |= self.draw([subject], style, dpi, bleed_shown)
        return found

    def _draw_batch(
        self, subjects: Sequence[Subject], style: CardStyle, dpi: int, cut: float
    ) -> dict[Subject, Picture]:
        """Return what could be drawn; of several subjects those without findings that name no card."""
        until = time.monotonic() + LIMIT
        fetcher = Fetcher(style.roots)
        run = PrintRun(
            self.renderer,
            style.size,
            fetcher,
            share_drawings=False,
            face_options=style.face_options,
            bleed=style.bleed,
            until=until,
        )
        try:
            run.print_fronts([one for one in subjects if isinstance(one, Face)])
            run.print_backs(one for one in subjects if isinstance(one, Back))
        finally:
            run.close()
        reported = run.diagnostics()
        alone = len(subjects) == 1
        if not alone and any(finding.card is None for finding in reported):
            return {}
        pages: dict[Subject, PrintedPage] = {}
        for subject in subjects:
            number = run.fronts.get(subject) if isinstance(subject, Face) else run.backs.get(subject)
            if number is not None:
                pages[subject] = run.pages[number]
        rasters = _rasters(pages, style, dpi, cut, until)
        found: dict[Subject, Picture] = {}
        for subject in subjects:
            if subject not in pages:
                if alone:
                    found[subject] = Picture(None, reported)
                continue
            png = encode_png(as_image(rasters[subject]), dpi)
            if isinstance(subject, Back):
                found[subject] = Picture(png, reported if alone else ())
                continue
            about = (one for one in reported if alone or one.card == subject.id)
            missing = missing_glyphs([subject], style.roots, self.renderer)
            sizes = {
                one.region: TypeSize(one.region, one.size, one.floor)
                for one in measures([pages[subject].load()])
                if one.region != WITHOUT_REMINDERS  # which says that reminders are left out
            }
            fitting = run.sizes[subject]
            found[subject] = Picture(png, (*about, *missing), tuple(sizes.values()), fitting)
        return found

    def html(self, subject: Subject, style: CardStyle, sizes: Mapping[str, float]) -> str | None:
        """Return the page as one HTML document with its style sheets, fonts and pictures inside.

        None where a template cannot be used, or asks for too much. What a template makes of it is not
        trusted: it is for a sandbox.
        """
        fetcher = Fetcher(style.roots)
        pages = Pages(style.size, fetcher, style.face_options, style.bleed)
        page = pages.page(subject, 0, sizes)
        document = pages.document([page]) if isinstance(page, Markup) else page
        if not isinstance(document, str):
            return None
        with suppress(_TooLarge):
            return _Inliner(fetcher).document(document)
        return None

    def _failed(self, subject: Subject, style: CardStyle, reason: str) -> Picture:
        """The picture of a card that the engine cannot print, with the reason at its template."""
        face = subject if isinstance(subject, Face) else None
        template = template_of(face.kind, style.size.shape) if face else "back.html.jinja"
        message = f"the engine {self.renderer.name} gave up: {reason}"
        problem = TemplateProblem(template, style.roots.find(template), 1, message)
        return Picture(None, (findings.template_error(problem, style.roots, face),))


def _rasters(
    pages: Mapping[Subject, PrintedPage], style: CardStyle, dpi: int, cut: float, until: float
) -> dict[Subject, Raster]:
    """Draw the pages of a run. Raises ``EngineError``."""
    import pypdfium2

    within = to_pixels(cut, dpi)
    across, down = (
        to_pixels(side - 2 * cut, dpi) + 2 * within for side in page_size(style.size, style.bleed)
    )
    found: dict[Subject, Raster] = {}
    for pdf in {id(page.pdf): page.pdf for page in pages.values()}.values():
        with pypdfium2.PdfDocument(pdf) as document:
            for subject, page in pages.items():
                if page.pdf is pdf:
                    found[subject] = rasterize(document[page.number], (across, down), within, until)
    return found


_LINK = re.compile(r"<link\b[^<>]{0,500}\bhref=\"([^\"<>]{0,500}\.css)\"[^<>]{0,500}>", re.IGNORECASE)
_IMPORT = re.compile(
    r"@import\s{1,20}(?:url\(\s{0,20})?[\"']?([^\"')\s;]{1,500})[\"']?\s{0,20}\)?[^;]{0,500};", re.IGNORECASE
)
_URL = re.compile(
    r"url\(\s{0,20}(?:\"([^\"]*)\"|'([^']*)'|&quot;(.{0,500}?)&quot;|&#39;(.{0,500}?)&#39;|([^\"')\s]*))\s{0,20}\)",
    re.IGNORECASE,
)
_SOURCE = re.compile(r"(\s(?:src|href|xlink:href)\s*=\s*)(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
"""What is longer than that stays, and leads nowhere; without limits a text of a stranger takes minutes."""

_CONNECTING = re.compile(r"<(?=(?:link|base|i?frame|object|embed)\b)", re.IGNORECASE)
"""Elements for which a browser connects whatever the policy of the page is, as for ``preconnect``."""

_MAX_IMPORT_DEPTH = 5
"""Style sheets in style sheets."""

_MAX_CHARACTERS = 32 * 1024 * 1024
"""The most characters that are put into a document: files are put in as often as they are asked for."""

_FILE_OVERHEAD = 1000
"""So many characters an empty file counts for."""


class _TooLarge(Exception):
    """More is put into a document than ``_MAX_CHARACTERS``."""


class _Inliner:
    """Puts into a document what it refers to. Raises ``_TooLarge``."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher, self._left = fetcher, _MAX_CHARACTERS

    def document(self, html: str) -> str:
        """Return a document that asks for nothing: what it refers to is inside, links lead nowhere."""

        def styles(link: re.Match[str]) -> str:
            return f"<style>{self._styles(_join_safely(TEMPLATES_ADDRESS, link[1]))}</style>"

        def source(found: re.Match[str]) -> str:
            reference = found[2] if found[2] is not None else found[3]
            if reference.startswith(("#", "data:")):
                return found[0]
            address = _join_safely(TEMPLATES_ADDRESS, reference)
            return f'{found[1]}"{self._data(address)}"' if address.startswith("opforge:") else ""

        html = _CONNECTING.sub("<no-", _LINK.sub(styles, html))
        html = _SOURCE.sub(source, self._with_data(html, TEMPLATES_ADDRESS))
        return html.replace("<head>", "<head><style>html { font-variant-ligatures: none }</style>", 1)

    def _styles(self, address: str, depth: int = 0) -> str:
        """Return a style sheet with those that it imports and all that it refers to."""
        content, mime = self._fetcher(address)
        text = content.decode("utf-8", "replace") if mime == "text/css" else ""
        self._count(text)
        return self._with_data(text, address, depth).replace("</", "<\\/")

    def _with_data(self, text: str, base: str, depth: int = 0) -> str:
        """Return a text in which every ``url(…)`` has the data, and imported style sheets stand inside."""

        def imported(found: re.Match[str]) -> str:
            return self._styles(_join_safely(base, found[1]), depth + 1) if depth < _MAX_IMPORT_DEPTH else ""

        def data(found: re.Match[str]) -> str:
            reference = next((one for one in found.groups() if one is not None), "")
            if reference.startswith(("#", "data:")):
                return found[0]
            return f"url({self._data(_join_safely(base, reference))})"

        return _URL.sub(data, _IMPORT.sub(imported, text))

    def _data(self, address: str) -> str:
        content, mime = self._fetcher(address.partition("#")[0])
        text = f"data:{mime};base64,{b64encode(content).decode('ascii')}"
        self._count(text)
        return text

    def _count(self, text: str) -> None:
        self._left -= len(text) + _FILE_OVERHEAD
        if self._left < 0:
            raise _TooLarge


def _join_safely(base: str, reference: str) -> str:
    """The address of a reference; one that is refused for what is no address."""
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
