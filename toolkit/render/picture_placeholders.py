"""Placeholders for raster pictures, so that each is stored with the resolution of print where it is printed.

How large a picture is printed, only the engine knows: templates and style sheets crop and scale it as they
like. So the engine gets a placeholder of the same shape, which takes little time and memory, and the page
that it wrote says how large the placeholder is drawn. The picture replaces it with 350 dpi of that, no matter
how much of it is clipped, and with no more pixels than it has.

The placeholder is a small grey JPEG with a key in its comment, which the engine embeds unchanged. (A drawing
around a single pixel would have any natural size, but the engine rounds the size of drawings up to pixels.)
"""

from __future__ import annotations

import io
import math
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from hashlib import sha256

import pikepdf
from msgspec import Struct, field
from PIL import Image

from toolkit.render.drawn_pictures import DrawnPicture, drawn_pictures
from toolkit.render.fetch import EMPTY_RESOURCE, Fetcher, box_of
from toolkit.render.pdf import PrintedPage
from toolkit.render.raster_art import DPI, Pixels, Refused, Resource, covering, reduce_to, upright_size
from toolkit.render.renderer import Fetch
from toolkit.render.sizes import CSS_DPI, MM_PER_INCH, POINTS_PER_INCH, Size

_MARK = b"opforge-picture:"
_KEY_LENGTH = 64
_COMMENT_WITHIN = 1024
"""Bytes at the beginning of a placeholder, among which its comment begins."""

_ROUNDING = 0.05
"""The tolerance in pixels, because matrices in a PDF are rounded."""

_WORKERS = 4
"""Pictures that are decoded at the same time; large ones wait for each other (see ``raster_art``)."""

_SVG_MASK = re.compile(r"<(?:svg:)?mask\b", re.IGNORECASE)


class Original(Struct, frozen=True):
    """A picture as its file has it: the address, the key of its content, and its size in pixels, upright."""

    address: str
    key: bytes
    size: tuple[int, int]


class PicturePlaceholders(Struct):
    """Hands placeholders to an engine that keeps them, and replaces them in its PDFs.

    Pictures that turn out to be damaged are recorded by the fetcher when they replace their placeholders.
    """

    fetcher: Fetcher
    enabled: bool = True
    _originals: dict[str, Original | None] = field(default_factory=dict)
    _original_by_key: dict[bytes, Original] = field(default_factory=dict)
    _sides: dict[bytes, tuple[float, float]] = field(default_factory=dict)  # of what ``measure`` saw, in pt
    _decoded: set[bytes] = field(default_factory=set)

    def fetch_for(self, html: str) -> Fetch:
        """Return the function with which the engine loads the files of a document.

        It returns placeholders instead of raster pictures, where the engine embeds these unchanged. It does
        not in a document with SVG masks: the engine turns what is masked into pixels, and a placeholder
        would then be printed.
        """
        if not self.enabled or _SVG_MASK.search(html):
            return self.fetcher

        def fetch(address: str) -> Resource:
            original = self.original(address)
            if original is None:
                return self.fetcher(address)
            self._original_by_key[original.key] = original
            return _placeholder(_natural_size(original.size, box_of(address)), original.key)

        return fetch

    def fetch_reduced(self, dpi: float) -> Fetch:
        """Return what loads the files of pages that are drawn as pixels, after the same pages were measured.

        Pictures have the resolution of print there, too, or a higher ``dpi``.
        """

        def fetch(address: str) -> Resource:
            original = self.known(address)
            if original is None or original.key not in self._sides:
                return self.fetcher(address)
            sides = {original.key: self._sides[original.key]}
            ((_, picture),) = self._reduced_pictures(sides, max(DPI, dpi))
            return picture or EMPTY_RESOURCE

        return fetch

    def original(self, address: str) -> Original | None:
        """Return the raster picture at an address; None if there is none, or it cannot be printed."""
        if address not in self._originals:
            content = self.fetcher.raster(address)
            size = upright_size(content) if content is not None else None
            original_picture = None
            if content is not None and isinstance(size, tuple):
                original_picture = Original(address, sha256(content).hexdigest().encode(), size)
            self._originals[address] = original_picture
        return self._originals[address]

    def known(self, address: str) -> Original | None:
        """Return the picture at an address if its placeholder was handed out."""
        original = self._originals.get(address)
        return original if original is not None and original.key in self._original_by_key else None

    def measure(self, page: PrintedPage) -> list[DrawnPicture]:
        """Return the pictures that a page draws, and note how large placeholders are.

        None without placeholders, if the engine keeps them.
        """
        if self.enabled and not self._original_by_key:
            return []
        drawn = list(drawn_pictures([page.load()]))
        _add_sides(drawn, self._sides)
        return drawn

    def decode_measured(self) -> None:
        """Decode the measured pictures that did not replace a placeholder yet, which finds damaged ones."""
        undecoded = {key: sides for key, sides in self._sides.items() if key not in self._decoded}
        for _key, _picture in self._reduced_pictures(undecoded, DPI):
            pass  # a damaged one is refused while they are made

    def insert(self, pdf: pikepdf.Pdf, scale: float = 1.0) -> None:
        """Replace the placeholders in a PDF, which will be printed at that scale, by their pictures."""
        if not self._original_by_key:
            return
        placeholders: dict[bytes, list[pikepdf.Object]] = {}
        for pdf_object in pdf.objects:
            key = placeholder_key(pdf_object) if isinstance(pdf_object, pikepdf.Stream) else None
            if key in self._original_by_key:
                placeholders.setdefault(key, []).append(pdf_object)
        sides: dict[bytes, tuple[float, float]] = {}
        if placeholders:
            _add_sides(drawn_pictures(pdf.pages), sides)
        sides_by_key = {key: sides.get(key) for key in placeholders}
        for key, picture in self._reduced_pictures(sides_by_key, DPI * scale):
            first, *other_placeholders = placeholders[key]
            _become_image(pdf, first, picture)
            for other in other_placeholders:
                _become_form(other, first)

    def inserted(self, document: bytes) -> bytes:
        """Return a PDF of the engine with pictures instead of placeholders."""
        if not self._original_by_key:
            return document
        with pikepdf.open(io.BytesIO(document)) as pdf:
            self.insert(pdf)
            stream = io.BytesIO()
            pdf.save(stream)
        return stream.getvalue()

    def _reduced_pictures(
        self, sides: Mapping[bytes, tuple[float, float] | None], dpi: float
    ) -> Iterator[tuple[bytes, Resource | None]]:
        """Yield pictures by their keys with that resolution; None for one that cannot be decoded.

        A picture whose sides are unknown covers the box in its address.
        """

        def reduced(key: bytes) -> Resource | Refused:
            """Return the picture of a placeholder, reduced to the largest size at which it was drawn."""
            original, drawn_sides = self._original_by_key[key], sides[key]
            if drawn_sides is None:
                size = covering(original.size, box_of(original.address))
            else:
                width, height = (
                    max(math.ceil(side / POINTS_PER_INCH * dpi - _ROUNDING), 1) for side in drawn_sides
                )
                most_width, most_height = original.size
                size = (min(width, most_width), min(height, most_height))
            return reduce_to(bytes.fromhex(key.decode()), lambda: self.fetcher.raster(original.address), size)

        with ThreadPoolExecutor(_WORKERS) as pool:
            for key, picture in zip(sides, pool.map(reduced, sides), strict=True):
                self._decoded.add(key)
                if isinstance(picture, Resource):
                    yield key, picture
                else:
                    self.fetcher.refuse(self._original_by_key[key].address, picture)
                    yield key, None


def placeholder_key(image: pikepdf.Object) -> bytes | None:
    """Return the key in a placeholder in a PDF; None for any other object."""
    if image.get("/Filter") != "/DCTDecode":
        return None
    jpeg = image.read_raw_bytes()
    start = jpeg.find(_MARK, 0, _COMMENT_WITHIN)
    return jpeg[start + len(_MARK) :][:_KEY_LENGTH] if start >= 0 else None


def _natural_size(size: Pixels, box: Size | None) -> Pixels:
    """Return the size of the placeholder of a picture, by the size of the picture.

    Without a box that is the same. With one, the placeholder covers it with a pixel for each pixel of CSS, so
    that styles such as ``max-width`` do the same. Its shape differs by less than a hundredth of a millimetre.
    """
    if box is None:
        return size
    factor = max(side / MM_PER_INCH * CSS_DPI / pixels for side, pixels in zip(box, size, strict=False))
    if factor >= 1:
        return size
    width, height = size
    shape = Fraction(width, height).limit_denominator(math.ceil(height * factor))
    times = math.ceil(height * factor / shape.denominator)
    return max(shape.numerator, 1) * times, shape.denominator * times


def _placeholder(size: Pixels, key: bytes) -> Resource:
    stream = io.BytesIO()
    Image.new("L", size).save(stream, "JPEG", comment=_MARK + key)
    return Resource(stream.getvalue(), "image/jpeg")


def _add_sides(drawn: Iterable[DrawnPicture], sides: dict[bytes, tuple[float, float]]) -> None:
    """Add the sizes of placeholders by their keys: the largest width and height that each is drawn with."""
    keys: dict[tuple[int, int], bytes | None] = {}
    for image, width, height in drawn:
        if image.objgen not in keys:
            keys[image.objgen] = placeholder_key(image)
        key = keys[image.objgen]
        if key is not None:
            most_width, most_height = sides.get(key, (0.0, 0.0))
            sides[key] = max(most_width, width), max(most_height, height)


def _become_image(pdf: pikepdf.Pdf, placeholder: pikepdf.Object, picture: Resource | None) -> None:
    """Turn a placeholder into the picture; into nothing if there is none."""
    if picture is None:
        _become_form(placeholder, None)
        return
    for name in ("/DecodeParms", "/Decode"):
        if name in placeholder:
            del placeholder[name]
    with Image.open(io.BytesIO(picture.content)) as image:
        placeholder["/Width"], placeholder["/Height"] = image.size
        placeholder["/ColorSpace"], placeholder["/BitsPerComponent"] = pikepdf.Name("/DeviceRGB"), 8
        if picture.mime == "image/jpeg":
            placeholder.write(picture.content, filter=pikepdf.Name("/DCTDecode"))
            return
        pixels, flate = image.convert("RGBA"), pikepdf.Name("/FlateDecode")
    mask = pikepdf.Stream(pdf, b"")
    mask["/Type"], mask["/Subtype"] = pikepdf.Name("/XObject"), pikepdf.Name("/Image")
    mask["/Width"], mask["/Height"] = pixels.size
    mask["/ColorSpace"], mask["/BitsPerComponent"] = pikepdf.Name("/DeviceGray"), 8
    mask.write(zlib.compress(pixels.getchannel("A").tobytes()), filter=flate)
    placeholder.write(zlib.compress(pixels.convert("RGB").tobytes()), filter=flate)
    placeholder["/SMask"] = pdf.make_indirect(mask)


def _become_form(placeholder: pikepdf.Object, image: pikepdf.Object | None) -> None:
    """Turn a placeholder into a form that draws an image in its place, the unit square, or nothing."""
    for name in list(placeholder.keys()):
        if name not in ("/Length", "/Type"):
            del placeholder[name]
    placeholder["/Subtype"] = pikepdf.Name("/Form")
    placeholder["/BBox"] = pikepdf.Array([0, 0, 1, 1])
    if image is not None:
        placeholder["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/D": image}))
    placeholder.write(b"/D Do" if image is not None else b"")
