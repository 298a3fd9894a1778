"""Placeholders for drawings, so that each is drawn once, cached, and shared by all cards and runs.

An engine that is asked for a card gets a tiny grey JPEG in place of each drawing, of the same shape and
with a key in its comment. The drawing is a PDF of its own, cached by content; on the finished sheets it takes
the place of its placeholder. So no picture is drawn twice, nor one that was drawn in an earlier run.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from concurrent.futures import Executor
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pikepdf
from msgspec import Struct, field

from toolkit.data.drawings import read_drawing
from toolkit.render.fetch import Fetcher
from toolkit.render.impose import as_form, saved
from toolkit.render.pictures import Resource
from toolkit.render.renderer import EngineError, Renderer
from toolkit.render.sizes import Size
from toolkit.resources import cache_folder
from toolkit.source.writing import write_atomically

_MARK = b"opforge-drawing:"
_KEY_LENGTH = 64
_SIDE = 100.0
"""Longer side in mm of the page on which a drawing is kept."""

_FINEST = 64
"""Placeholders have no more dots a side than this needs: a shape is exact to about 1 in 4,000."""


class _Drawing(NamedTuple):
    """A drawing to prepare: its address, its size in its own units, and its cache key."""

    address: str
    size: tuple[float, float]
    code: bytes


class ImagePlaceholders(Struct):
    """Answers an engine as the fetcher does, with placeholders for the drawings that were prepared."""

    fetcher: Fetcher
    renderer: Renderer
    wanted: bool = True
    given: set[bytes] = field(default_factory=set)
    _drawn: dict[bytes, bytes] = field(default_factory=dict)
    _answers: dict[str, Resource] = field(default_factory=dict)
    _sources: list[pikepdf.Pdf] = field(default_factory=list)  # read until the sheets are written

    def __call__(self, address: str) -> Resource:
        """Return the file at an address, or the placeholder of a drawing."""
        answer = self._answers.get(address)
        if answer is None:
            return self.fetcher(address)
        self.given.add(_key_in(answer.content) or b"")
        return answer

    def prepare(self, addresses: Iterable[str], pool: Executor) -> None:
        """Draw the drawings among these, unless they are cached."""
        if not (self.wanted and self.renderer.keeps_pictures):
            return
        drawings = [address for address in addresses if address.split("?")[0].endswith(".svg")]
        wanted = [one for one in map(self._wanted, drawings) if one is not None]
        self._drawn |= _cached({one.code for one in wanted} - self._drawn.keys())
        new = {one.code: one for one in wanted if one.code not in self._drawn}
        for code, drawn in zip(new, pool.map(self._draw, new.values()), strict=True):
            if drawn is not None:
                self._drawn[code] = drawn
        for one in wanted:
            if one.code in self._drawn:
                self._answers[one.address] = Resource(_placeholder(one.size, one.code), "image/jpeg")

    def put_into(self, pdf: pikepdf.Pdf) -> set[bytes]:
        """Replace the placeholders in a PDF by their drawings; return the keys that are not in it."""
        forms: dict[bytes, pikepdf.Object] = {}
        if self.given:
            for thing in list(pdf.objects):
                key = _key_of(thing)
                if key in self._drawn:
                    if key not in forms:
                        source = pikepdf.open(io.BytesIO(self._drawn[key]))
                        self._sources.append(source)
                        forms[key] = pdf.copy_foreign(as_form(source.pages[0]))
                    _become(thing, forms[key])
        return self.given - set(forms)

    def _wanted(self, address: str) -> _Drawing | None:
        """Return the drawing at an address if it can be shared by all cards."""
        content, mime = self.fetcher(address)
        drawing = read_drawing(content) if mime == "image/svg+xml" else None
        if drawing is None or drawing.size is None or address in self.fetcher.troubles:
            return None
        engine = f"{self.renderer.name} {self.renderer.version}, packed "
        key = hashlib.sha256(engine.encode() + content)
        return _Drawing(address, drawing.size, key.hexdigest().encode())

    def _draw(self, wanted: _Drawing) -> bytes | None:
        """The drawing on a page of its own; kept unless it needs other files, whose changes are not seen."""
        address, size, code = wanted
        asked: list[str] = []

        def fetch(needed: str) -> Resource:
            asked.append(needed)
            return self.fetcher(needed)

        factor = _SIDE / max(size)
        page = Size(round(size[0] * factor, 3), round(size[1] * factor, 3))
        html = (
            f'<body style="margin:0"><img src="{address}" '
            f'style="display:block;width:{page.width}mm;height:{page.height}mm"></body>'
        )
        try:
            with pikepdf.open(io.BytesIO(self.renderer.render_pages(html, page, fetch))) as document:
                drawn = saved(document)  # packed, it is read much faster
        except EngineError:
            return None
        if set(asked) == {address}:
            with suppress(OSError):  # a cache that cannot be written costs time, not the sheet
                _file(code).parent.mkdir(parents=True, exist_ok=True)
                write_atomically(_file(code), drawn)
        return drawn


def _cached(codes: Iterable[bytes]) -> dict[bytes, bytes]:
    """Return the cached drawings that are whole."""
    found = {}
    for code in codes:
        with suppress(OSError):
            kept = _file(code).read_bytes()
            if kept.startswith(b"%PDF") and kept.rstrip().endswith(b"%%EOF"):
                found[code] = kept
    return found


def _file(code: bytes) -> Path:
    return cache_folder() / "drawings" / f"{code.decode()}.pdf"


def _placeholder(size: tuple[float, float], key: bytes) -> bytes:
    """Return a grey JPEG of that shape; every block is empty and takes two bits.

    Not made by Pillow, whose import takes 39 ms of each sheet.
    """
    shape = Fraction(size[0] / size[1]).limit_denominator(_FINEST)
    width, height = shape.numerator or 1, shape.denominator
    blocks = -(-width // 8) * -(-height // 8)
    comment = _MARK + key

    def segment(marker: int, content: bytes) -> bytes:
        return bytes((0xFF, marker)) + (len(content) + 2).to_bytes(2, "big") + content

    one_code = bytes((1, *[0] * 15, 0))
    sides = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return b"".join(
        (
            b"\xff\xd8",
            segment(0xFE, comment),
            segment(0xDB, b"\x00" + b"\x01" * 64),
            segment(0xC0, b"\x08" + sides + b"\x01\x01\x11\x00"),
            segment(0xC4, b"\x00" + one_code),
            segment(0xC4, b"\x10" + one_code),
            segment(0xDA, b"\x01\x01\x00\x00\x3f\x00"),
            bytes(-(-2 * blocks // 8)),
            b"\xff\xd9",
        )
    )


def _key_in(jpeg: bytes) -> bytes | None:
    start = jpeg.find(_MARK)
    return jpeg[start + len(_MARK) :][:_KEY_LENGTH] if start >= 0 else None


def _key_of(thing: pikepdf.Object) -> bytes | None:
    """Return the key if an object of a PDF is a placeholder."""
    if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image":
        return _key_in(thing.read_raw_bytes()) if thing.get("/Filter") == "/DCTDecode" else None
    return None


def _become(placeholder: pikepdf.Object, form: pikepdf.Object) -> None:
    """Turn the image into a form that draws the other one where the image was: in the unit square."""
    width, height = (float(side) for side in list(form["/BBox"])[2:])
    for name in list(placeholder.keys()):
        if name not in ("/Length", "/Type"):
            del placeholder[name]
    placeholder["/Subtype"] = pikepdf.Name("/Form")
    placeholder["/BBox"] = pikepdf.Array([0, 0, 1, 1])
    placeholder["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/D": form}))
    placeholder.write(f"{1 / width:.9f} 0 0 {1 / height:.9f} 0 0 cm /D Do".encode())
