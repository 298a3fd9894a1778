"""The fast engine, PlutoPrint. It releases the GIL while it works, so two threads help."""

from __future__ import annotations

import io
import math
import re
from base64 import b64encode
from collections.abc import Iterator

import plutoprint
from PIL import Image

from toolkit.render.fetch import TEMPLATES_ADDRESS, join_address
from toolkit.render.font_files import unhinted
from toolkit.render.raster_art import Resource
from toolkit.render.renderer import DamagedFont, EngineError, Fetch, Raster
from toolkit.render.sizes import CSS_DPI, MM_PER_INCH, Size
from toolkit.render.variable_fonts import with_styles_in_addresses

_DATE = "2000-01-01T00:00:00Z"
"""A fixed creation date, so that the same cards give the same bytes."""


_MAX_PAGES = 2_000
"""The maximum for one document, which has about forty cards; more take minutes and much memory to write."""

_FONT = re.compile(r"""url\(\s*["']?([^"')]+\.(?:ttf|otf|woff2?))["']?\s*\)""", re.IGNORECASE)

_MIN_DPI = 250
"""Below this, pages are drawn at a multiple and reduced: at low resolution the engine cuts off the upper edge
of small letters (PlutoBook 0.20)."""

_USER_STYLE = """
html { font-variant-ligatures: none }
::marker { font-variant-numeric: normal !important }
"""
"""The engine writes no Unicode mapping for ligatures, nor for the digit variants that it uses for the numbers
of lists (PlutoBook 0.20): such text could not be searched."""


class _Fonts:
    """The engine's copies of fonts without hinting, each made once for all documents.

    The engine keeps fonts until after the interpreter is finalized, and crashes then if their memory is owned
    by Python. A ``data:`` URL makes it copy the content.
    """

    def __init__(self) -> None:
        self._made: dict[Resource, plutoprint.ResourceData] = {}

    def __call__(self, font: Resource) -> plutoprint.ResourceData:
        """Return the engine's copy of a font without hinting."""
        engine_copy = self._made.get(font)
        if engine_copy is None:
            content = b64encode(unhinted(font.content)).decode("ascii")
            engine_copy = plutoprint.default_resource_fetcher.fetch_url(f"data:{font.mime};base64,{content}")
            self._made[font] = engine_copy
        return engine_copy


class _Resources(plutoprint.ResourceFetcher):
    """Passes the engine's requests to our fetcher."""

    def __init__(self, fetch: Fetch, fonts: _Fonts) -> None:
        super().__init__()
        self._fetch = fetch
        self._copy_of_font = fonts
        self.fonts_by_address: dict[str, plutoprint.ResourceData] = {}
        """The fonts that the engine was given for this document; a damaged one is looked for among them."""

    def fetch_url(self, url: str) -> plutoprint.ResourceData:
        """Return the file at an address; an empty one if our fetcher refuses it.

        A style sheet gets the style of each face into the address of its font, so that the font is loaded in
        that style.
        """
        resource = self._fetch(url)
        if resource.mime == "text/css":
            css = resource.content.decode("utf-8", errors="replace")
            self.report_missing_fonts(css, url)
            styled_css = with_styles_in_addresses(css)
            return plutoprint.ResourceData(styled_css.encode(), resource.mime, "utf-8")
        if not resource.mime.startswith("image/"):  # a font, or a file that a style sheet names as one
            self.fonts_by_address[url] = self._copy_of_font(resource)
            return self.fonts_by_address[url]
        return plutoprint.ResourceData(resource.content, resource.mime, "utf-8")

    def report_missing_fonts(self, css: str, base: str) -> None:
        """Fetch all fonts of a style sheet, to report missing ones; the engine loads only those in use."""
        for match in _FONT.finditer(css):
            self._fetch(join_address(base, match[1]))


class PlutoPrintRenderer:
    """PlutoPrint behind the interface of ``renderer``."""

    name = "plutoprint"
    version = plutoprint.plutobook_version_string()
    keeps_pictures = True

    def __init__(self) -> None:
        self._fonts = _Fonts()

    def render_pages(self, html: str, size: Size, fetch: Fetch) -> bytes:
        """See ``Renderer``."""
        resources = _Resources(fetch, self._fonts)
        try:
            return _as_pdf(self._book(html, size, resources))
        except EngineError as error:
            for address, font in resources.fonts_by_address.items():
                if _is_damaged(font):
                    raise DamagedFont(address) from error
            raise

    def rasters(self, html: str, size: Size, cut: float, dpi: float, fetch: Fetch) -> Iterator[Raster]:
        """Yield the document's pages as pixels, cropped by ``cut`` mm on every side (see ``Renderer``).

        Below ``_MIN_DPI`` they are drawn at a multiple and reduced.
        """
        width, height = (round((side - 2 * cut) / MM_PER_INCH * dpi) for side in size)
        multiple = max(math.ceil(_MIN_DPI / dpi), 1)
        try:
            book = self._book(html, size, _Resources(fetch, self._fonts))
            for page in range(book.get_page_count()):
                picture = _draw_page(book, page, (width * multiple, height * multiple), cut, dpi * multiple)
                yield Raster(width, height, (picture.reduce(multiple) if multiple > 1 else picture).tobytes())
        except plutoprint.Error as error:
            raise EngineError(str(error)) from error

    def _book(self, html: str, size: Size, resources: _Resources) -> plutoprint.Book:
        """Return a document as the engine has laid it out."""
        book = plutoprint.Book(plutoprint.PageSize(*size.points), plutoprint.PAGE_MARGINS_NONE)
        book.custom_resource_fetcher = resources
        if "@font-face" in html:
            resources.report_missing_fonts(html, TEMPLATES_ADDRESS)
            html = with_styles_in_addresses(html)
        book.load_html(html, user_style=_USER_STYLE, base_url=TEMPLATES_ADDRESS)
        # A date that is set before loading has no effect.
        book.set_metadata(plutoprint.PDF_METADATA_CREATION_DATE, _DATE)
        return book


def _draw_page(
    book: plutoprint.Book, page: int, pixels: tuple[int, int], cut: float, dpi: float
) -> Image.Image:
    """Return the pixels of a page, cropped by ``cut`` mm on every side."""
    scale, shift = dpi / CSS_DPI, -cut / MM_PER_INCH * CSS_DPI
    with plutoprint.ImageCanvas(*pixels) as canvas:
        canvas.clear_surface(1, 1, 1, 1)
        canvas.scale(scale, scale)
        canvas.translate(shift, shift)
        book.render_page(canvas, page)
        content, stride = bytes(canvas.get_data()), canvas.get_stride()
    return Image.frombuffer("RGBX", pixels, content, "raw", "RGBX", stride, 1)


def _as_pdf(book: plutoprint.Book) -> bytes:
    """Return the pages of a book as PDF. Raises ``EngineError``."""
    try:
        if book.get_page_count() > _MAX_PAGES:
            raise EngineError(f"a document has more than {_MAX_PAGES:,} pages")
        stream = io.BytesIO()
        book.write_to_pdf_stream(stream)
    except plutoprint.Error as error:
        raise EngineError(str(error)) from error
    pdf = stream.getvalue()
    if not pdf.rstrip().endswith(b"%%EOF"):  # a truncated PDF is no error to the engine (0.19)
        raise EngineError("the PDF is not whole; a font or a picture of the templates may be damaged.")
    return pdf


class _OneFont(plutoprint.ResourceFetcher):
    """Gives the same font for every address."""

    def __init__(self, font: plutoprint.ResourceData) -> None:
        super().__init__()
        self._font = font

    def fetch_url(self, _url: str) -> plutoprint.ResourceData:
        """Return the font."""
        return self._font


_PROBE = (
    "<style>@font-face { font-family: p; src: url(font.ttf) }</style><p style='font-family: p'>"
    + "".join(f"&#{number};" for number in range(0x21, 0x250))
)


def _is_damaged(font: plutoprint.ResourceData) -> bool:
    """Whether a page with the letters of a font cannot be written."""
    book = plutoprint.Book(plutoprint.PageSize(400, 400), plutoprint.PAGE_MARGINS_NONE)
    book.custom_resource_fetcher = _OneFont(font)
    try:
        book.load_html(_PROBE, base_url=TEMPLATES_ADDRESS)
        _as_pdf(book)
    except (EngineError, plutoprint.Error):
        return True
    return False
