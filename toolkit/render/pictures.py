"""Raster pictures prepared for print: reduced to the resolution of print, cached by content."""

from __future__ import annotations

import hashlib
import io
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Literal, NamedTuple

from toolkit.data.picture_files import Picture
from toolkit.render.sizes import Size
from toolkit.resources import cache_folder
from toolkit.source.writing import write_atomically

if TYPE_CHECKING:
    from PIL.Image import Image


class Resource(NamedTuple):
    """The content of a file and its media type."""

    content: bytes
    mime: str


DPI = 350
QUALITY = 90
_VERSION = "3"


Refused = Literal["unreadable-picture", "picture-too-large"]
"""Names of findings for a picture that is not printed."""


def prepare_for_print(content: bytes, box: Size | None) -> Resource | Refused:
    """Return the picture with at most 350 dpi in its box (mm), as JPEG, or as PNG if it is transparent.

    An animation becomes its first frame. Results are cached in the user's cache folder.
    """
    sizes = f"{box.width}x{box.height}" if box else "full"
    key = hashlib.sha256(content + f"|{sizes}|{DPI}|{QUALITY}|{_VERSION}".encode()).hexdigest()
    folder = picture_cache_folder()
    for suffix, mime in ((".jpg", "image/jpeg"), (".png", "image/png")):
        with suppress(OSError):
            return Resource((folder / (key + suffix)).read_bytes(), mime)
    with _DECODE_LOCK:
        made = _convert(content, box)
    if isinstance(made, Resource):
        with suppress(OSError):  # if the cache cannot be written, only time is lost
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / (key + (".jpg" if made.mime == "image/jpeg" else ".png")), made.content)
    return made


_DECODE_LOCK = Lock()
"""Only one picture is decoded at a time, because a large one takes much memory."""


def _convert(content: bytes, box: Size | None) -> Resource | Refused:
    import warnings

    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about large pictures (checked below) and recoverable defects
            with Image.open(io.BytesIO(content)) as picture:
                if Picture(picture.format or "", picture.size).too_large:
                    return "picture-too-large"
                if box is not None:  # a JPEG can be decoded at a fraction of its size
                    picture.draft(None, (round(box.width / 25.4 * DPI), round(box.height / 25.4 * DPI)))
                upright = _to_srgb(ImageOps.exif_transpose(_reduce(picture, box)))
                return _encode(_shrink(upright, box))
    except Image.DecompressionBombError:
        return "picture-too-large"
    except (OSError, ValueError, SyntaxError, EOFError, OverflowError, MemoryError):
        return "unreadable-picture"


def _reduce(picture: Image, box: Size | None) -> Image:
    """Reduce a picture with many more pixels than needed, so that later steps take less memory."""
    if box is None or picture.mode not in ("L", "LA", "RGB", "RGBA", "CMYK"):
        return picture
    most = max(box) / 25.4 * DPI  # the longer side, because EXIF data may turn the picture
    factor = int(min(picture.size) / most / 1.5)
    if factor < 2:
        return picture
    less = picture.reduce(factor)
    less.info = picture.info
    return less


def _to_srgb(picture: Image) -> Image:
    """Convert a picture to sRGB or grey, by its own colour profile where it has one."""
    if picture.mode.startswith("I"):  # 16 bits of grey, which `convert` would clip at 255 instead of scaling
        return picture.convert("I").point(lambda grey: grey * (255 / 65535)).convert("L")
    profile = picture.info.get("icc_profile")
    if profile and picture.mode in _PROFILED:
        from PIL import ImageCms

        with suppress(ImageCms.PyCMSError, OSError):
            own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            if "sRGB" not in ImageCms.getProfileDescription(own):
                screen, mode = ImageCms.createProfile("sRGB"), _PROFILED[picture.mode]
                picture = ImageCms.profileToProfile(picture, own, screen, outputMode=mode) or picture
    return picture.convert("RGB") if picture.mode == "CMYK" else picture


_PROFILED = {"CMYK": "RGB", "RGB": "RGB", "RGBA": "RGBA"}
"""Modes of pictures whose profile is applied, and the modes of the result."""


def _shrink(picture: Image, box: Size | None) -> Image:
    """Shrink a picture so that it just covers the box at the resolution of print."""
    if box is None:
        return picture
    dots = [side / 25.4 * DPI for side in box]
    factor = max(dots[0] / picture.width, dots[1] / picture.height)
    if factor >= 1:
        return picture
    from PIL.Image import Resampling

    plain = picture.convert("RGBA" if _is_transparent(picture) else "RGB")
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return plain.resize(size, Resampling.LANCZOS)


def _is_transparent(picture: Image) -> bool:
    if picture.mode not in ("RGBA", "LA", "PA") and "transparency" not in picture.info:
        return False
    low = picture.convert("RGBA").getchannel("A").getextrema()[0]
    return isinstance(low, (int, float)) and low < 255


def _encode(picture: Image) -> Resource:
    stream = io.BytesIO()
    if _is_transparent(picture):
        picture.convert("RGBA").save(stream, "PNG")
        return Resource(stream.getvalue(), "image/png")
    picture.convert("RGB").save(stream, "JPEG", quality=QUALITY, optimize=True, subsampling=0)
    return Resource(stream.getvalue(), "image/jpeg")


def picture_cache_folder() -> Path:
    """Return the cache folder of prepared pictures."""
    return cache_folder() / "pictures"
