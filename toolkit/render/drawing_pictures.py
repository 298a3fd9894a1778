"""Drawings as an engine gets them: as they are, rewritten, or drawn by resvg at the size of print.

This is the only place where the content of a drawing becomes what is printed. Pictures inside of it are
prepared as those of cards are.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote_to_bytes

from msgspec import Struct, field
from PIL import Image

from toolkit.data.art.drawing_rewriting import rewritten
from toolkit.data.art.drawings import Drawing, in_utf_8, read_drawing
from toolkit.data.art.picture_files import MAX_PIXELS
from toolkit.render import resvg
from toolkit.render.raster_art import DPI, Resource, prepare_for_print
from toolkit.render.resvg import DrawingFailed, Impatient
from toolkit.render.sizes import CSS_DPI, MM_PER_INCH, Size
from toolkit.source.derived_files import DerivedFile

SVG = "image/svg+xml"
FAMILY = "Barlow Semi Condensed"
"""The shipped family that stands for all that a drawing names and the project does not have."""

_LONGEST_SIDE = 8192
"""Limit of width and height in pixels, about eight times those of a card."""

_DEEPEST = 8
"""Limit of drawings inside of drawings."""

_VERSION = "1"

Load = Callable[[str, str], "tuple[bytes, str] | None"]
"""Returns the content of a file, and its address, by a reference and the address of the file with it."""


class DrawingPreparer(Struct):
    """Prepares drawings; ``load`` reads the files that they refer to, ``fonts`` are those for their words."""

    load: Load
    fonts: Callable[[], tuple[Path, ...]]

    def prepare(
        self, content: bytes, drawing: Drawing, address: str, box: Size | None, by_resvg: bool
    ) -> Resource:
        """Return what is printed for a drawing that fills a box (mm). Raises ``DrawingFailed``.

        That is the drawing itself, or, ``by_resvg``, a picture of it.
        """
        text = in_utf_8(content) or content
        if by_resvg:
            rewriter = _Rewriter(self.load, sealed=True)
            svg = rewriter.rewrite(text, address, _natural_size(drawing, box))
            fonts = self.fonts() if drawing.words else ()
            return Resource(_png_of(svg, _longer_side(drawing, box), fonts), "image/png")
        if drawing.choices or drawing.embeds:
            text = _Rewriter(self.load, sealed=False).rewrite(text, address, None)
        return Resource(text, SVG)


class _Rewriter(Struct):
    """Rewrites a drawing and those inside of it. A ``sealed`` one gets all files that it refers to."""

    load: Load
    sealed: bool
    depth: int = 0
    _embedded: dict[str, str | None] = field(default_factory=dict)

    def rewrite(self, text: bytes, base: str, size: tuple[float, float] | None) -> bytes:
        """Return a drawing in UTF-8 with that size, if one is given, and with its pictures inside.

        Raises ``DrawingFailed``.
        """

        def resolve(element: str, address: str) -> str | None:
            """Return the address for an element of a drawing: itself, or the embedded picture; None if it may
            have none."""
            if address.startswith("#"):
                return address
            if element not in ("image", "feImage"):
                return None
            if not _is_data(address) and not self.sealed:
                return address
            if address not in self._embedded:
                self._embedded[address] = self._prepared(address, base)
            return self._embedded[address]

        return rewritten(text, resolve, size)

    def _prepared(self, address: str, base: str) -> str | None:
        """Return a picture as a ``data:`` address, prepared for print; None if it is not there."""
        if _is_data(address):
            content: bytes | None = _decoded(address)
        else:
            content, base = self.load(address, base) or (None, base)
        if not content:
            return None
        drawing = read_drawing(content)
        if drawing is not None:
            if drawing.excess or self.depth >= _DEEPEST:
                raise DrawingFailed("embeds a drawing that is too large")
            inner = _Rewriter(self.load, sealed=True, depth=self.depth + 1)
            return _address(inner.rewrite(in_utf_8(content) or content, base, None), SVG)
        picture = prepare_for_print(content, None)
        if not isinstance(picture, Resource):
            raise DrawingFailed("embeds a picture that cannot be read")
        return _address(picture.content, picture.mime)


def _is_data(address: str) -> bool:
    return address[:5].lower() == "data:"


def _decoded(address: str) -> bytes:
    """Return the content of a ``data:`` address; nothing if it is damaged."""
    head, _, body = address.partition(",")
    content = unquote_to_bytes(body)
    if head.lower().rstrip().endswith(";base64"):
        with suppress(ValueError):
            return base64.b64decode(content + b"===")  # padding that may lack; more than enough is ignored
        return b""
    return content


def _address(content: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(content).decode('ascii')}"


def _natural_size(drawing: Drawing, box: Size | None) -> tuple[float, float] | None:
    """Return the size in pixels of CSS for a drawing that has none, which fills its box; else None."""
    if drawing.size is not None:
        return None
    box = box or Size(100, 100)
    return box.width / MM_PER_INCH * CSS_DPI, box.height / MM_PER_INCH * CSS_DPI


def _longer_side(drawing: Drawing, box: Size | None) -> tuple[str, int]:
    """Return the longer side of a drawing, and its pixels: 350 dpi where it covers its box."""
    width, height = drawing.size or _natural_size(drawing, box) or (1.0, 1.0)
    factor = DPI / CSS_DPI
    if box is not None:
        factor = DPI / MM_PER_INCH * max(box.width / width, box.height / height)
    factor = min(factor, (MAX_PIXELS / (width * height)) ** 0.5, _LONGEST_SIDE / max(width, height))
    name, length = ("width", width) if width >= height else ("height", height)
    return name, max(round(length * factor), 1)


def _png_of(svg: bytes, side: tuple[str, int], fonts: Sequence[Path]) -> bytes:
    """Return a drawing as PNG, from the cache if it was drawn before. Raises ``DrawingFailed``.

    A drawing that failed is not tried again, unless it was only given up for the time that others took.
    """
    entry = DerivedFile("drawings", svg, side, resvg.version(), _VERSION, *map(_font_digest, fonts))
    stored_png = entry.load()
    if stored_png is not None:
        return stored_png
    if entry.key in _FAILED:
        raise DrawingFailed(_FAILED[entry.key])
    try:
        png = _without_alpha(resvg.draw(svg, side, tuple(fonts), FAMILY))
    except Impatient:
        raise
    except DrawingFailed as error:
        _FAILED[entry.key] = str(error)
        raise
    entry.keep(png)
    return png


_FAILED: dict[str, str] = {}
"""Why drawings failed, by key: each is tried once, because it may take as long as it is allowed to."""


@lru_cache(maxsize=64)
def _font_digest(font: Path) -> bytes:
    """Return a digest of a font file; an empty one if it cannot be read."""
    with suppress(OSError):
        return hashlib.sha256(font.read_bytes()).digest()
    return b""


def _without_alpha(png: bytes) -> bytes:
    """Return a PNG without its alpha channel if it is opaque: engines write it into the PDF faster."""
    with Image.open(io.BytesIO(png)) as picture:
        least_alpha, _ = picture.getchannel("A").getextrema()
        if not isinstance(least_alpha, (int, float)) or least_alpha < 255:
            return png
        stream = io.BytesIO()
        picture.convert("RGB").save(stream, "PNG")
        return stream.getvalue()
