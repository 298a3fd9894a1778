"""The fast engine: PlutoPrint. It releases the interpreter's lock while it works, so two threads help."""

from __future__ import annotations

import io
import math
import re
from base64 import b64encode
from collections.abc import Iterator

import plutoprint
from PIL import Image

from toolkit.render.fetch import TEMPLATES_ADDRESS, join
from toolkit.render.font_files import unhinted
from toolkit.render.pictures import Resource
from toolkit.render.renderer import EngineError, Fetch, Raster
from toolkit.render.sizes import Size

_DATE = "2000-01-01T00:00:00Z"
"""A fixed date of creation: the same cards give the same bytes."""

_CSS_DPI = 96

_MOST_PAGES = 2_000
"""Pages of one document, which has about forty cards; more would take minutes and much memory to write."""


_FONT = re.compile(r"""url\(\s*["']?([^"')]+\.(?:ttf|otf|woff2?))["']?\s*\)""", re.IGNORECASE)


_LEAST_DPI = 250
"""Pictures with fewer dots an inch are drawn finer and reduced: the engine cuts off the upper edge of small
letters between two rows of dots (PlutoBook 0.20)."""

_USER_STYLE = """
html { font-variant-ligatures: none }
::marker { font-variant-numeric: normal !important }
"""
"""The engine does not say which letters a ligature stands for, or another shape of a digit (which it takes
for the numbers of lists; PlutoBook 0.20): they could not be searched."""


class _Fonts:
    """The engine's copies of fonts without hinting, each made once for all documents.
    The engine keeps a font longer than the interpreter lives, and crashes at the end of the process when it
    then lets go of one whose memory is Python's. So it makes its own copy, from an address that holds all.
    """

    def __init__(self) -> None:
        self._made: dict[Resource, plutoprint.ResourceData] = {}

    def __call__(self, font: Resource) -> plutoprint.ResourceData:
        """Return the engine's own copy of a changed font."""
        made = self._made.get(font)
        if made is None:
            content = b64encode(unhinted(font.content)).decode("ascii")
            made = plutoprint.default_resource_fetcher.fetch_url(f"data:{font.mime};base64,{content}")
            self._made[font] = made
        return made


class _Resources(plutoprint.ResourceFetcher):
    """Hands every request of the engine to our own fetcher."""

    def __init__(self, fetch: Fetch, fonts: _Fonts) -> None:
        super().__init__()
        self._fetch = fetch
        self._fonts = fonts

    def fetch_url(self, url: str) -> plutoprint.ResourceData:
        """Return our answer to the engine's request; an empty file for what is refused."""
        found = self._fetch(url)
        if found.mime == "text/css":
            self.ask_for_fonts(found.content.decode("utf-8", errors="replace"), url)
        elif not found.mime.startswith("image/"):  # a font, or what a style sheet takes for one
            return self._fonts(found)
        return plutoprint.ResourceData(found.content, found.mime, "utf-8")

    def ask_for_fonts(self, css: str, base: str) -> None:
        """Fetch all fonts of a style sheet to find missing ones: the engine fetches only those in use."""
        for found in _FONT.finditer(css):
            self._fetch(join(base, found[1]))


class PlutoPrintRenderer:
    """PlutoPrint behind the interface of ``renderer``."""

    name = "plutoprint"
    version = plutoprint.plutobook_version_string()
    keeps_pictures = True

    def __init__(self) -> None:
        self._fonts = _Fonts()

    def render_pages(self, html: str, size: Size, fetch: Fetch) -> bytes:
        """See ``Renderer``."""
        try:
            book = self._book(html, size, fetch)
            if book.get_page_count() > _MOST_PAGES:
                raise EngineError(f"a document has more than {_MOST_PAGES:,} pages")
            stream = io.BytesIO()
            book.write_to_pdf_stream(stream)
        except plutoprint.Error as error:
            raise EngineError(str(error)) from error
        pdf = stream.getvalue()
        if not pdf.rstrip().endswith(b"%%EOF"):  # it says nothing of it (0.19)
            raise EngineError("the PDF is not whole; a font or a picture of the templates may be damaged.")
        return pdf

    def rasters(self, html: str, size: Size, cut: float, dpi: float, fetch: Fetch) -> Iterator[Raster]:
        """See ``Renderer``."""
        width, height = (round((side - 2 * cut) / 25.4 * dpi) for side in size)
        shift = -cut / 25.4 * _CSS_DPI
        finer = max(math.ceil(_LEAST_DPI / dpi), 1)
        try:
            book = self._book(html, size, fetch)
            for page in range(book.get_page_count()):
                with plutoprint.ImageCanvas(width * finer, height * finer) as canvas:
                    canvas.clear_surface(1, 1, 1, 1)
                    canvas.scale(finer * dpi / _CSS_DPI, finer * dpi / _CSS_DPI)
                    canvas.translate(shift, shift)
                    book.render_page(canvas, page)
                    data, stride = bytes(canvas.get_data()), canvas.get_stride()
                sides = (width * finer, height * finer)
                drawn = Image.frombuffer("RGBX", sides, data, "raw", "RGBX", stride, 1)
                yield Raster(width, height, drawn.reduce(finer).tobytes() if finer > 1 else drawn.tobytes())
        except plutoprint.Error as error:
            raise EngineError(str(error)) from error

    def _book(self, html: str, size: Size, fetch: Fetch) -> plutoprint.Book:
        resources = _Resources(fetch, self._fonts)
        book = plutoprint.Book(plutoprint.PageSize(*size.points), plutoprint.PAGE_MARGINS_NONE)
        book.custom_resource_fetcher = resources
        if "@font-face" in html:
            resources.ask_for_fonts(html, TEMPLATES_ADDRESS)
        book.load_html(html, user_style=_USER_STYLE, base_url=TEMPLATES_ADDRESS)
        # Only a date that is set after loading is kept.
        book.set_metadata(plutoprint.PDF_METADATA_CREATION_DATE, _DATE)
        return book
