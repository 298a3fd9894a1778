"""Pages of PDFs as pixels, rasterized by PDFium, and pixels as PNG. PDFium is not thread-safe."""

from __future__ import annotations

import math
import struct
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops
from pypdfium2 import raw

from toolkit.render.renderer import EngineError, Raster
from toolkit.render.sizes import POINTS_PER_INCH, POINTS_PER_MM

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS, _COLOUR_TYPE_RGB = 8, 2
_METHODS = (0, 0, 0)
"""The only methods of compression and filtering that PNG has, and no interlacing."""
_FILTER_UP = 2
_ZLIB_LEVEL = 1
_METRES_PER_INCH = 0.0254
_SOFTWARE_CHUNK = b"Software\0opforge"
"""A ``tEXt`` chunk that names the program; it comes before the pixels."""

_SOFTWARE_WITHIN = 256
"""The chunk lies within so many bytes from the beginning."""


def rasterize(
    page: pypdfium2.PdfPage, size: tuple[int, int], cut: int = 0, until: float = math.inf
) -> Raster:
    """Return a page as a picture of that size, cropped by ``cut`` pixels on every side.

    Raises ``EngineError`` if it takes longer than until the time ``until`` (of ``time.monotonic``).
    """
    width, height = (side - 2 * cut for side in size)
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGRx)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
    # PDFium asks between steps whether to pause; a page that is paused is given up, not resumed.
    is_late = type(raw.IFSDK_PAUSE().NeedToPauseNow)(lambda _pause: time.monotonic() > until)
    pause = raw.IFSDK_PAUSE(version=1, NeedToPauseNow=is_late)
    status = raw.FPDF_RenderPageBitmap_Start(bitmap, page, -cut, -cut, *size, 0, 0, pause)
    raw.FPDF_RenderPage_Close(page)
    if status != raw.FPDF_RENDER_DONE:
        raise EngineError("a page takes too long to draw")
    return Raster(width, height, bytes(bitmap.buffer))


def rasterize_pages(pdf: bytes, dpi: float) -> Iterator[Raster]:
    """Yield the rasterized pages of a document."""
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            yield rasterize(page, pixel_size(page, dpi))


def first_page(pdf: bytes, dpi: float) -> Raster:
    """Return the first page of a document, rasterized."""
    return next(rasterize_pages(pdf, dpi))


def page_png(pdf: bytes, number: int, dpi: int) -> bytes | None:
    """Return a page (by its index) of a document as PNG; None if there is no such page."""
    with pypdfium2.PdfDocument(pdf) as document:
        if not 0 <= number < len(document):
            return None
        page = document[number]
        return encode_png(as_image(rasterize(page, pixel_size(page, dpi))), dpi)


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return the width and height of all pages in mm."""
    with pypdfium2.PdfDocument(pdf) as document:
        sizes = (page.get_size() for page in document)
        return [
            (round(width / POINTS_PER_MM, 2), round(height / POINTS_PER_MM, 2)) for width, height in sizes
        ]


def pixel_size(page: pypdfium2.PdfPage, dpi: float) -> tuple[int, int]:
    """Return the size of a page in pixels, rounded up."""
    return math.ceil(page.get_width() * dpi / POINTS_PER_INCH), math.ceil(
        page.get_height() * dpi / POINTS_PER_INCH
    )


def to_pixels(millimetres: float, dpi: float) -> int:
    """Return a length in pixels."""
    return round(millimetres * POINTS_PER_MM * dpi / POINTS_PER_INCH)


def as_image(raster: Raster) -> Image.Image:
    """Return the pixels as an RGB picture; pages are opaque, so nothing is lost."""
    size = (raster.width, raster.height)
    return Image.frombuffer("RGB", size, raster.bgra, "raw", "BGRX", raster.width * 4, 1)


def encode_png(image: Image.Image, dpi: float) -> bytes:
    """Return an RGB picture as PNG with its resolution.

    With the filter Up for all rows and zlib level 1 this takes about 20 ms for a card at 300 dpi; the
    engine's own encoder takes 88 ms.
    """
    width, height = image.size
    pixels_per_metre = round(dpi / _METRES_PER_INCH)
    above = Image.new("RGB", image.size)
    above.paste(image, (0, 1))
    difference = ImageChops.subtract_modulo(image, above).tobytes()
    # The filter Up: each row minus the one above, after a byte with the number of the filter.
    rows = Image.new("L", (3 * width + 1, height), _FILTER_UP)
    filtered = Image.frombuffer("L", (3 * width, height), difference, "raw", "L", 0, 1)  # a dot for each byte
    rows.paste(filtered, (1, 0))
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, _BITS, _COLOUR_TYPE_RGB, *_METHODS)),
            _chunk(b"sRGB", b"\0"),
            _chunk(b"pHYs", struct.pack(">IIB", pixels_per_metre, pixels_per_metre, 1)),
            _chunk(b"tEXt", _SOFTWARE_CHUNK),
            _chunk(b"IDAT", zlib.compress(rows.tobytes(), _ZLIB_LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def is_our_png(path: Path) -> bool:
    """Whether the file is a picture that ``encode_png`` wrote. Raises ``OSError``."""
    with path.open("rb") as file:
        head = file.read(_SOFTWARE_WITHIN)
    return head.startswith(_SIGNATURE) and _SOFTWARE_CHUNK in head


def _chunk(kind: bytes, content: bytes) -> bytes:
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))
