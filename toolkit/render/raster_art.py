"""Raster pictures prepared for print: upright, in sRGB, not larger than needed, cached by content."""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Callable
from contextlib import nullcontext, suppress
from threading import Lock
from typing import Any, Literal, NamedTuple, TypeVar

from PIL import Image, ImageChops, ImageCms, ImageOps

from toolkit.data.art.picture_files import Picture
from toolkit.render.sizes import MM_PER_INCH, Size
from toolkit.source.derived_files import DerivedFile


class Resource(NamedTuple):
    """The content of a file and its media type."""

    content: bytes
    mime: str


DPI = 350
QUALITY = 90
_VERSION = "4"

Pixels = tuple[int, int]
"""Width and height in pixels."""

Refused = Literal["unreadable-picture", "picture-too-large"]
"""Names of findings for a picture that is not printed."""


def prepare_for_print(content: bytes, box: Size | None) -> Resource | Refused:
    """Return the picture with at most 350 dpi in its box (mm), as JPEG, or as PNG if it is transparent.

    An animation becomes its first frame. Results are cached in the user's cache folder.
    """
    size = upright_size(content)
    if not isinstance(size, tuple):
        return size
    return reduce_to(hashlib.sha256(content).digest(), lambda: content, covering(size, box))


def covering(size: Pixels, box: Size | None) -> Pixels:
    """Return the size of a picture that is reduced to cover a box (mm) at the resolution of print."""
    if box is None:
        return size
    factor = max(side / MM_PER_INCH * DPI / pixels for side, pixels in zip(box, size, strict=False))
    width, height = size
    return size if factor >= 1 else (max(1, round(width * factor)), max(1, round(height * factor)))


def reduce_to(digest: bytes, load: Callable[[], bytes | None], size: Pixels) -> Resource | Refused:
    """Return a picture in that size, which is at most its own, as JPEG, or as PNG if it is transparent.

    ``digest`` is the SHA-256 of its content, which ``load`` returns unless the result is cached.
    """
    entry = DerivedFile("pictures", size, QUALITY, _VERSION, digest)
    stored_picture = entry.load()
    if stored_picture is not None:
        return Resource(stored_picture, "image/jpeg" if stored_picture.startswith(_JPEG) else "image/png")
    content = load()
    converted = _convert(content, size) if content is not None else "unreadable-picture"
    if isinstance(converted, Resource):
        entry.keep(converted.content)
    return converted


_JPEG = b"\xff\xd8\xff"
"""How each JPEG begins."""

_LARGE = 6_000_000
"""From so many decoded pixels on, a picture takes so much memory that it is decoded alone."""

_DECODE_LOCK = Lock()


class _Quiet:
    """Ignores warnings while any thread is in the block: about large pictures and recoverable defects.

    ``warnings.catch_warnings`` alone restores the wrong filters when two threads leave in another order.
    """

    def __init__(self) -> None:
        self._lock, self._inside, self._caught = Lock(), 0, warnings.catch_warnings()

    def __enter__(self) -> None:
        """Ignore warnings, if this thread is the first in the block."""
        with self._lock:
            if not self._inside:
                self._caught = warnings.catch_warnings()
                self._caught.__enter__()
                warnings.simplefilter("ignore")
            self._inside += 1

    def __exit__(self, *_error: object) -> None:
        """Restore the filters, if this thread is the last in the block."""
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._caught.__exit__(None, None, None)


_quiet = _Quiet()

Result = TypeVar("Result")


def _read(content: bytes, use: Callable[[Image.Image], Result]) -> Result | Refused:
    """Open a picture at its first frame and return what ``use`` makes of it, or why it cannot be printed."""
    try:
        with _quiet, Image.open(io.BytesIO(content)) as picture:
            if Picture(picture.format or "", picture.size).too_large:
                return "picture-too-large"
            if getattr(picture, "default_image", False):  # of a PNG, for programs that show no animations
                picture.seek(1)
            return use(picture)
    except Image.DecompressionBombError:
        return "picture-too-large"
    except (OSError, ValueError, SyntaxError, EOFError, OverflowError, MemoryError):
        return "unreadable-picture"


def upright_size(content: bytes) -> Pixels | Refused:
    """Return the size of a picture as it is printed, turned by its EXIF data."""

    def size(picture: Image.Image) -> Pixels:
        return picture.size[::-1] if _is_turned(picture, content) else picture.size

    return _read(content, size)


def _is_turned(picture: Image.Image, content: bytes) -> bool:
    """Whether EXIF data turn a picture by a quarter. A TIFF is turned when it is loaded."""
    if picture.format == "TIFF":
        return False
    if picture.format == "PNG" and not any(mark in content for mark in _PNG_EXIF):
        return False  # only a look behind all pixels, which decodes them, would tell
    orientation = picture.getexif().get(_ORIENTATION)
    return isinstance(orientation, int) and orientation in _QUARTER_TURNS


_ORIENTATION, _QUARTER_TURNS = 0x0112, range(5, 9)
"""The number of the orientation in EXIF data, and its values with which width and height are exchanged."""

_PNG_EXIF = (b"eXIf", b"Raw profile type", b"rientation")


def _convert(content: bytes, size: Pixels) -> Resource | Refused:
    """Decode a picture and return it in that size."""

    def convert(picture: Image.Image) -> Resource:
        stored = size[::-1] if _is_turned(picture, content) else size
        picture.draft(None, stored)  # a JPEG can be decoded at a fraction of its size
        is_large = picture.width * picture.height > _LARGE
        with _DECODE_LOCK if is_large else nullcontext():
            decoded = _reduce(_to_8_bits(_with_alpha(picture, content)), stored)
        return _encode(_resize(_to_srgb(ImageOps.exif_transpose(decoded)), size))

    return _read(content, convert)


def _with_alpha(picture: Image.Image, content: bytes) -> Image.Image:
    """Return a PNG in which one colour is transparent (``tRNS``) with an alpha channel instead.

    Pillow (13.0) compares that colour with samples that it has scaled from 1, 2, 4 or 16 to 8 bits, and
    ignores it for 16 bits of grey. Here the samples are compared as they are in the file.
    """
    colour = picture.info.get("transparency")
    is_animated = getattr(picture, "is_animated", False)
    if picture.format != "PNG" or is_animated or not isinstance(colour, (int, tuple)) or picture.mode == "P":
        return picture

    samples = colour if isinstance(colour, tuple) else (colour,)
    bits = content[_PNG_BITS]
    if bits == 16:
        channels = _bytes_of_16_bits(picture, content)
        transparent_bytes = [byte for sample in samples for byte in (sample >> 8, sample & 255)]
    else:
        channels = [*(picture.convert("L") if picture.mode == "1" else picture).split()]
        largest = (1 << bits) - 1
        values = [bool(sample) if bits == 1 else sample & largest for sample in samples]
        transparent_bytes = [value * 255 // largest for value in values]  # as Pillow has scaled the samples
    alpha = Image.new("L", picture.size)
    for channel, byte in zip(channels, transparent_bytes, strict=True):
        # A pixel is opaque where any channel differs from the transparent colour.
        alpha = ImageChops.lighter(alpha, channel.point([255 * (value != byte) for value in range(256)]))
    opaque = _to_8_bits(picture).convert("RGB")
    opaque.putalpha(alpha)
    opaque.info = {key: value for key, value in picture.info.items() if key != "transparency"}
    return opaque


_PNG_BITS = 24
"""Where a PNG says how many bits a sample has."""


def _bytes_of_16_bits(picture: Image.Image, content: bytes) -> list[Image.Image]:
    """Return the high and low bytes of each channel of a PNG with 16 bits."""
    if picture.mode == "I;16":
        low, high = Image.frombytes("LA", picture.size, picture.tobytes()).split()
        return [high, low]
    with Image.open(io.BytesIO(content)) as low_picture:
        # Pillow keeps the high bytes of colours; read in the other order it keeps the low ones.
        low_picture.tile = [tile._replace(args="RGB;16L") for tile in low_picture.tile]
        return [
            byte for channel in zip(picture.split(), low_picture.split(), strict=True) for byte in channel
        ]


def _to_8_bits(picture: Image.Image) -> Image.Image:
    """Return a picture with 8 bits a channel and without a palette.

    Grey of 16 bits is scaled, because ``convert`` would clip it at 255.
    """
    if picture.mode in ("P", "PA"):
        return picture.convert("RGBA" if _is_transparent(picture) else "RGB")
    if not picture.mode.startswith("I"):
        return picture.convert("L") if picture.mode == "1" else picture
    grey = picture.convert("I").point(lambda grey: grey * (255 / 65535)).convert("L")
    grey.info = picture.info
    return grey


def _reduce(picture: Image.Image, size: Pixels) -> Image.Image:
    """Reduce a picture with many more pixels than needed, so that later steps take less memory.

    Half as many again are left in each direction: the exact size is that of a better filter.
    """
    width, height = size
    factor = int(min(picture.width / width, picture.height / height) / 1.5)
    if factor < 2 or picture.mode not in ("L", "LA", "RGB", "RGBA", "CMYK"):
        picture.load()
        return picture
    reduced = picture.reduce(factor)
    reduced.info = picture.info
    return reduced


def _to_srgb(picture: Image.Image) -> Image.Image:
    """Return a picture as sRGB, with alpha if it has some, by its own colour profile or gamma."""
    info = picture.info
    alpha = picture.convert("RGBA").getchannel("A") if _is_transparent(picture) else None
    if picture.mode not in ("L", "CMYK"):
        picture = picture.convert("L" if picture.mode in ("1", "LA") else "RGB")
    opaque = None
    with suppress(ImageCms.PyCMSError, OSError, TypeError, ValueError):  # a profile may be damaged
        profile = ImageCms.ImageCmsProfile(io.BytesIO(info.get("icc_profile") or b""))
        if ImageCms.getProfileDescription(profile).strip().startswith(_SRGB):
            opaque = picture.convert("RGB")
        elif picture.mode == "L" and profile.profile.xcolor_space.strip() == "RGB":
            opaque = _transformed(picture.convert("RGB"), profile)
        else:
            opaque = _transformed(picture, profile)
    if opaque is None:
        opaque = _with_gamma(picture.convert("RGB"), info)
    if alpha is not None:
        opaque.putalpha(alpha)
    return opaque


_SRGB = ("sRGB IEC61966", "sRGB built-in")
"""How the descriptions of common profiles begin that need no conversion; "linear sRGB" does, for example."""


def _transformed(picture: Image.Image, profile: ImageCms.ImageCmsProfile) -> Image.Image | None:
    return ImageCms.profileToProfile(picture, profile, ImageCms.createProfile("sRGB"), outputMode="RGB")


def _with_gamma(picture: Image.Image, info: dict[str | tuple[int, int], Any]) -> Image.Image:
    """Return a picture in sRGB by the gamma that a PNG names (``gAMA``), unless that is the usual one."""
    gamma = info.get("gamma")
    if not isinstance(gamma, float) or "srgb" in info:
        return picture
    is_possible, is_usual = 0.1 < gamma < 5, abs(gamma - 1 / 2.2) < 0.05  # that of sRGB is about 1 / 2.2
    if is_usual or not is_possible:
        return picture
    return picture.point([round(255 * (value / 255) ** (1 / (2.2 * gamma))) for value in range(256)] * 3)


def _resize(picture: Image.Image, size: Pixels) -> Image.Image:
    return picture if picture.size == size else picture.resize(size, Image.Resampling.LANCZOS)


def _is_transparent(picture: Image.Image) -> bool:
    """Whether some pixel is not opaque; an alpha channel alone says little."""
    if picture.mode not in ("RGBA", "LA", "PA") and "transparency" not in picture.info:
        return False
    least_alpha, _ = picture.convert("RGBA").getchannel("A").getextrema()
    return isinstance(least_alpha, (int, float)) and least_alpha < 255


def _encode(picture: Image.Image) -> Resource:
    """Return a picture as JPEG, which is small, or as PNG if some of it is transparent."""
    stream = io.BytesIO()
    if _is_transparent(picture):
        picture.convert("RGBA").save(stream, "PNG")
        return Resource(stream.getvalue(), "image/png")
    picture.convert("RGB").save(stream, "JPEG", quality=QUALITY, optimize=True, subsampling=0)
    return Resource(stream.getvalue(), "image/jpeg")
