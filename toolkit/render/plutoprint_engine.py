"""The fast engine: PlutoPrint. It releases the interpreter's lock while it works, so two threads help."""

from __future__ import annotations

import io
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import field

import plutoprint

from toolkit.records import dataclass
from toolkit.render.fetch import TEMPLATES_ADDRESS, join
from toolkit.render.hinting import unhinted
from toolkit.render.renderer import EngineError, Fetch, Raster
from toolkit.render.sizes import Size

_DATE = "2000-01-01T00:00:00Z"
"""A fixed date of creation: the same cards give the same bytes."""

_CSS_DPI = 96


_FONT = re.compile(r"""url\(\s*["']?([^"')]+\.(?:ttf|otf|woff2?))["']?\s*\)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Style:
    """What is done to a font before it is used, and the style sheets with such fonts inside, as they were."""

    font: Callable[[bytes], bytes]
    sheets: dict[bytes, bytes] = field(default_factory=dict)


class _Resources(plutoprint.ResourceFetcher):
    """Hands every request of the engine to our own fetcher.

    Fonts are put into the style sheets themselves: the engine keeps fonts longer than the interpreter
    lives, and crashes at the end of the process when it then lets go of one that Python handed to it.
    """

    def __init__(self, fetch: Fetch, style: _Style) -> None:
        super().__init__()
        self._fetch = fetch
        self._style = style

    def fetch_url(self, url: str) -> plutoprint.ResourceData:
        """The engine's question, our answer; an empty file for what is refused."""
        content, mime = self._fetch(url)
        if mime == "text/css":
            sheets = self._style.sheets
            if content not in sheets:
                text = content.decode("utf-8", errors="replace")
                sheets[content] = self.with_fonts(text, url).encode("utf-8")
            content = sheets[content]
        elif mime.startswith("font/"):
            content = b""  # it could not be put into a style sheet, see above
        return plutoprint.ResourceData(content, mime, "utf-8")

    def with_fonts(self, css: str, base: str) -> str:
        """The style sheet with its fonts inside."""

        def embed(found: re.Match[str]) -> str:
            content, mime = self._fetch(join(base, found[1]))
            font = self._style.font(content)
            return f"url(data:{mime};base64,{b64encode(font).decode('ascii')})"

        return _FONT.sub(embed, css)


class PlutoPrintRenderer:
    """PlutoPrint behind the interface of ``renderer``."""

    name = "plutoprint"
    version = plutoprint.plutobook_version_string()
    keeps_pictures = True

    def __init__(self) -> None:
        self._on_paper = _Style(unhinted)
        self._in_dots = _Style(bytes)

    def render_pages(self, html: str, size: Size, fetch: Fetch) -> bytes:
        """See ``Renderer``."""
        try:
            book = self._book(html, size, fetch, self._on_paper)
            stream = io.BytesIO()
            book.write_to_pdf_stream(stream)
        except plutoprint.Error as error:
            raise EngineError(str(error)) from error
        return stream.getvalue()

    def rasters(self, html: str, size: Size, cut: float, dpi: float, fetch: Fetch) -> Iterator[Raster]:
        """See ``Renderer``."""
        width, height = (round((side - 2 * cut) / 25.4 * dpi) for side in size)
        shift = -cut / 25.4 * _CSS_DPI
        try:
            book = self._book(html, size, fetch, self._in_dots)
            for page in range(book.get_page_count()):
                with plutoprint.ImageCanvas(width, height) as canvas:
                    canvas.clear_surface(1, 1, 1, 1)
                    canvas.scale(dpi / _CSS_DPI, dpi / _CSS_DPI)
                    canvas.translate(shift, shift)
                    book.render_page(canvas, page)
                    data, stride = bytes(canvas.get_data()), canvas.get_stride()
                rows = (data[row * stride : row * stride + width * 4] for row in range(height))
                yield Raster(width, height, data if stride == width * 4 else b"".join(rows))
        except plutoprint.Error as error:
            raise EngineError(str(error)) from error

    def _book(self, html: str, size: Size, fetch: Fetch, style: _Style) -> plutoprint.Book:
        resources = _Resources(fetch, style)
        book = plutoprint.Book(plutoprint.PageSize(*size.points), plutoprint.PAGE_MARGINS_NONE)
        book.custom_resource_fetcher = resources
        if "@font-face" in html:
            html = resources.with_fonts(html, TEMPLATES_ADDRESS)
        book.load_html(html, base_url=TEMPLATES_ADDRESS)
        # Only a date that is set after loading is kept.
        book.set_metadata(plutoprint.PDF_METADATA_CREATION_DATE, _DATE)
        return book
