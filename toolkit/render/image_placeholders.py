"""Placeholders for drawings, so that each is rendered once, cached, and shared by all cards and runs.

When the engine renders a card, it gets a tiny grey JPEG for each drawing, of the same aspect ratio and with a
key in its comment. The drawing itself is a PDF, cached by content, which replaces its placeholder in the
imposed sheets.

The same is done with inline drawings of the pages, ``<svg class="… shared">``: frames and icons, which are a
third of the engine's work for a card. They are rendered together as the pages of one document for each shape.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
from collections.abc import Iterable
from concurrent.futures import Executor
from fractions import Fraction
from sys import intern
from typing import NamedTuple

import pikepdf
from markupsafe import Markup
from msgspec import Struct, field
from PIL import Image

from toolkit.data.art.drawings import read_drawing
from toolkit.render.fetch import SCHEME, TEMPLATES_ADDRESS, Fetcher
from toolkit.render.pdf import as_form_xobject, pdf_bytes
from toolkit.render.picture_placeholders import PicturePlaceholders
from toolkit.render.raster_art import Resource
from toolkit.render.renderer import EngineError, Fetch, Renderer
from toolkit.render.sizes import Size
from toolkit.source.derived_files import DerivedFile

_FORM_OF_STORED_PAGES = ", packed, whole "
"""Part of the cache keys of pages with drawings: another text where they are stored in another way."""

_MARK = b"opforge-drawing:"
_KEY_LENGTH = 64
_PAGE_SIDE = 100.0
"""The longer side of the page with a drawing, in mm."""

_SHARED = re.compile(r'<svg class="([\w -]*\bshared)"([^>]*)>(.*?)</svg>', re.DOTALL)
_VIEW = re.compile(r'\bviewBox="[-\d.]+ [-\d.]+ (?P<width>[\d.]+) (?P<height>[\d.]+)"')
_STYLE = re.compile(r'\bstyle="(?P<declarations>[^"]*)"')

_INLINE = f"{TEMPLATES_ADDRESS}shared/"
_ADDRESS = re.compile(rf"{SCHEME}://[^\s\"'<>()\\\\]+")

_DEPENDS_ON_PAGE = re.compile(r"<svg|<text|<style|currentColor|href|url\(|\b(?:class|style|id)=")
"""Content that keeps an inline drawing in its page, because its appearance may depend on the page."""

_MAX_SIDE = 64
"""The maximum height of a placeholder in pixels: the aspect ratio is exact to about 1 in 4,000."""


class _Drawing(NamedTuple):
    """A drawing: its address, its size in its own units, and its cache key, or if inline its SVG source."""

    address: str
    size: tuple[float, float]
    code: bytes


class ImagePlaceholders(Struct):
    """Placeholders for the drawings that were prepared, and beside them those for raster pictures.

    ``inline`` says whether inline drawings are shared, too, which requires that no style sheet changes them.
    """

    fetcher: Fetcher
    renderer: Renderer
    pictures: PicturePlaceholders
    enabled: bool = True
    inline: bool = True
    _drawn: dict[bytes, bytes] = field(default_factory=dict)
    _responses: dict[str, Resource] = field(default_factory=dict)
    _sources: list[pikepdf.Pdf] = field(default_factory=list)  # must stay open until the sheets are written
    _shared: dict[str, str] = field(default_factory=dict)  # what replaces an inline drawing in a page
    _requested: dict[str, bytes] = field(default_factory=dict)
    _printed: set[str] = field(default_factory=set)  # addresses
    _tried: set[str] = field(default_factory=set)
    _shown: dict[int, list[str]] = field(default_factory=dict)  # by the number of a card
    _inline: dict[bytes, _Drawing] = field(default_factory=dict)

    def fetch_for(self, html: str) -> Fetch:
        """Return what loads the files of a document, with placeholders for drawings and pictures."""
        fetch_others = self.pictures.fetch_for(html)

        def fetch(address: str) -> Resource:
            placeholder = self._responses.get(address)
            if placeholder is None:
                return fetch_others(address)
            self._requested[address] = _key_in(placeholder.content) or b""
            return placeholder

        return fetch

    @property
    def printed_keys(self) -> set[bytes]:
        """The keys of the printed drawings, without those that only discarded pages contain."""
        only_tried = self._tried - self._printed
        return {key for address, key in self._requested.items() if address not in only_tried}

    def prepare(self, addresses: Iterable[str], pool: Executor) -> None:
        """Render the drawings among these addresses, unless they are cached."""
        if not (self.enabled and self.renderer.keeps_pictures):
            return
        svg_addresses = [address for address in addresses if address.split("?")[0].endswith(".svg")]
        drawings = [drawing for drawing in map(self._shareable, svg_addresses) if drawing is not None]
        for code in {drawing.code for drawing in drawings} - self._drawn.keys():
            stored_page = DerivedFile("drawings", code).load()
            if stored_page is not None:
                self._drawn[code] = stored_page
        new = {drawing.code: drawing for drawing in drawings if drawing.code not in self._drawn}
        for code, page in zip(new, pool.map(self._draw, new.values()), strict=True):
            if page is not None:
                self._drawn[code] = page
        for drawing in drawings:
            if drawing.code in self._drawn:
                jpeg = _placeholder(drawing.size, drawing.code)
                self._responses[drawing.address] = Resource(jpeg, "image/jpeg")

    def share_inline(self, number: int, page: Markup) -> Markup:
        """Return a card's page with placeholders for its shared inline drawings."""
        if not (self.enabled and self.renderer.keeps_pictures):
            return page
        if self.inline:
            page = Markup(_SHARED.sub(self._image_for, page))  # only addresses are new in it
        self._shown[number] = [intern(address) for address in _ADDRESS.findall(page)]
        self._tried.update(self._shown[number])
        return page

    def mark_printed(self, number: int) -> None:
        """Record that the last page of a card is printed; earlier ones were only measured."""
        self._printed.update(self._shown.get(number, ()))

    def _image_for(self, match: re.Match[str]) -> str:
        """Return what replaces an inline drawing: an image, or itself if it cannot be shared."""
        element, (name, attributes, content) = match[0], match.groups()
        if element in self._shared:
            return self._shared[element]
        view, style = _VIEW.search(attributes), _STYLE.search(attributes)
        if view is None or _DEPENDS_ON_PAGE.search(content):
            return self._shared.setdefault(element, element)
        # `_draw_inline` writes the size of the page in the place of `{}`.
        drawing = f"<svg {_STYLE.sub('', attributes)} {{}}>{content}</svg>"
        size = (float(view["width"]), float(view["height"]))
        key = hashlib.sha256(drawing.encode()).hexdigest()
        address = _INLINE + key
        self._inline[key.encode()] = _Drawing(address, size, drawing.encode())
        self._responses[address] = Resource(_placeholder(size, key.encode()), "image/jpeg")
        declarations = style["declarations"] if style else ""
        image = f'<img class="{name}" style="{declarations}" src="{address}">'
        return self._shared.setdefault(element, image)

    def insert_drawings(self, pdf: pikepdf.Pdf) -> set[bytes]:
        """Replace the placeholders in a PDF by their drawings, and return the keys that are not in it.

        Raises ``EngineError``.
        """
        forms: dict[bytes, pikepdf.Object] = {}
        if self._requested:
            inline = self._draw_inline()
            # Placeholders are recognized by the key in their JPEG comment, wherever the engine put them.
            for pdf_object in list(pdf.objects):
                if not isinstance(pdf_object, pikepdf.Stream) or pdf_object.get("/Filter") != "/DCTDecode":
                    continue
                key = _key_in(pdf_object.read_raw_bytes())
                if key in self._drawn or key in inline:
                    if key not in forms:
                        page = inline.get(key) or self._first_page(self._drawn[key])
                        forms[key] = pdf.copy_foreign(as_form_xobject(page))
                    _replace_by_form(pdf_object, forms[key])
        return self.printed_keys - set(forms)

    def _pages(self, pdf: bytes) -> pikepdf.PageList:
        """Return the pages of a document, which stays open."""
        document = pikepdf.open(io.BytesIO(pdf))
        self._sources.append(document)
        return document.pages

    def _first_page(self, pdf: bytes) -> pikepdf.Page:
        first_page: pikepdf.Page = self._pages(pdf)[0]
        return first_page

    def _draw_inline(self) -> dict[bytes, pikepdf.Page]:
        """Render the inline drawings, in one document for each shape."""
        by_shape: dict[Size, list[bytes]] = {}
        for key, drawing in self._inline.items():
            by_shape.setdefault(_page_size(drawing.size), []).append(key)
        pages_by_code: dict[bytes, pikepdf.Page] = {}
        for page_size, keys in by_shape.items():
            style = f'style="display:block;width:{page_size.width}mm;height:{page_size.height}mm"'
            drawings = (self._inline[key].code.decode().replace("{}", style, 1) for key in keys)
            pages = "".join(f'<div style="page-break-after:always">{drawing}</div>' for drawing in drawings)
            html = f'<body style="margin:0">{pages}</body>'
            document = self.renderer.render_pages(html, page_size, self.fetcher)
            pages_by_code.update(zip(keys, self._pages(document), strict=False))
        return pages_by_code

    def _shareable(self, address: str) -> _Drawing | None:
        """Return the drawing at an address if it can be shared by all cards."""
        content, mime = self.fetcher(address)
        size = _size_of(content, mime)
        if size is None or address in self.fetcher.problems or max(size) > _MOST_OBLONG * min(size):
            return None
        drawn_by = f"{self.renderer.name} {self.renderer.version}{_FORM_OF_STORED_PAGES}"
        key = hashlib.sha256(drawn_by.encode() + content)
        return _Drawing(address, size, key.hexdigest().encode())

    def _draw(self, drawing: _Drawing) -> bytes | None:
        """Render a drawing on its own page. It is cached unless it refers to files, which its key ignores."""
        requested: list[str] = []

        def fetch(address: str) -> Resource:
            requested.append(address)
            return self.fetcher(address)

        try:
            page = self._on_page(drawing, fetch)
            if page is None:
                self.fetcher.draw_by_resvg(drawing.address)
                page = self._on_page(drawing, fetch)
        except EngineError:
            return None
        if page is not None and set(requested) == {drawing.address}:
            DerivedFile("drawings", drawing.code).keep(page)
        return page

    def _on_page(self, drawing: _Drawing, fetch: Fetch) -> bytes | None:
        """Return the page with a drawing; None if the engine gives it up. Raises ``EngineError``.

        PlutoBook 0.23 writes nothing after something that it cannot draw, such as a gradient on a flat
        line, and says nothing. So a second page shows whether it came to the end of the first.
        """
        page = _page_size(drawing.size)
        html = (
            f'<body style="margin:0"><img src="{drawing.address}" '
            f'style="display:block;width:{page.width}mm;height:{page.height}mm">'
            '<div style="height:1mm;page-break-before:always"></div></body>'
        )
        with pikepdf.open(io.BytesIO(self.renderer.render_pages(html, page, fetch))) as document:
            if len(document.pages) < 2:
                return None
            del document.pages[1:]
            return pdf_bytes(document)  # with object streams, which are read much faster


def _size_of(content: bytes, mime: str) -> tuple[float, float] | None:
    """Return the size of a drawing in its own units, or in pixels if resvg drew it."""
    if mime == "image/png":
        width, height = struct.unpack(">II", content[16:24])
        return width, height
    drawing = read_drawing(content)
    return drawing.size if drawing is not None else None


_MOST_OBLONG = 1_000
"""A drawing that is longer in relation to its width has no placeholder: no picture has so few pixels."""


def _page_size(size: tuple[float, float]) -> Size:
    """Return the size of the page for a drawing of that shape."""
    width, height = size
    factor = _PAGE_SIDE / max(size)
    return Size(round(width * factor, 3), round(height * factor, 3))


def _placeholder(size: tuple[float, float], key: bytes) -> bytes:
    """Return a JPEG of that aspect ratio with the key in its comment, which engines embed unchanged."""
    width, height = size
    shape = Fraction(width / height).limit_denominator(_MAX_SIDE)
    pixels = (max(1, shape.numerator), shape.denominator)  # what is very tall and narrow rounds to no width
    stream = io.BytesIO()
    Image.new("L", pixels).save(stream, "JPEG", comment=_MARK + key)
    return stream.getvalue()


def _key_in(jpeg: bytes) -> bytes | None:
    start = jpeg.find(_MARK)
    return jpeg[start + len(_MARK) :][:_KEY_LENGTH] if start >= 0 else None


def _replace_by_form(placeholder: pikepdf.Object, form: pikepdf.Object) -> None:
    """Turn an image into a form that draws another one in its place, which is the unit square."""
    _, _, width, height = map(float, form["/BBox"])
    for name in list(placeholder.keys()):
        if name not in ("/Length", "/Type"):
            del placeholder[name]
    placeholder["/Subtype"] = pikepdf.Name("/Form")
    placeholder["/BBox"] = pikepdf.Array([0, 0, 1, 1])
    placeholder["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/D": form}))
    placeholder.write(f"{1 / width:.9f} 0 0 {1 / height:.9f} 0 0 cm /D Do".encode())
