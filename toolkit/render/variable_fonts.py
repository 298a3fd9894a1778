"""Variable fonts: one file with many weights, of which each face of print gets its own static copy.

An engine keeps one setting of a font for all faces. So the faces of a style sheet name the weight in the
address of their file (``with_styles_in_addresses``), and what is loaded from there is a static font of that
weight. It is made by fontTools in a process that is stopped if it takes too long, and cached in the user's
cache folder.

The metadata of packages are imported only where a version is needed: they take 20 ms of every sheet.
"""

from __future__ import annotations

import math
import re
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import util
from pathlib import Path
from threading import Lock
from urllib.parse import parse_qs, urlencode, urlsplit

from msgspec import Struct

from toolkit.render import variable_font_worker
from toolkit.render.font_files import tables_of
from toolkit.source.derived_files import DerivedFile

SECONDS = 20.0
"""Limit for one face. A font of 2,500 glyphs (Inter) takes 3 seconds."""

_USUAL, _PATIENCE = 5.0, 60.0
"""Seconds that a face may take, and all seconds beyond that in a process before no further face is made."""

_MAX_BYTES, _MAX_STATIC_BYTES = 16 << 20, 64 << 20
_VERSION = "1"

_FACE = re.compile(r"@font-face\s*\{(?P<declarations>[^{}]*)\}", re.IGNORECASE)
_WEIGHT = re.compile(r"font-weight\s*:\s*(?P<lightest>[\w.]+)(?:\s+(?P<boldest>[\w.]+))?", re.IGNORECASE)
_ITALIC = re.compile(r"font-style\s*:\s*(?:italic|oblique)", re.IGNORECASE)
_FONT = re.compile(r"""(url\(\s*["']?[^"')?#]+\.(?:ttf|otf|woff2?))(["']?\s*\))""", re.IGNORECASE)
_NAMED = {"normal": 400, "bold": 700}
_MAX_FACES = 20
"""Faces of a style sheet whose weight counts; of more the engine decides."""

_WOFF2_GLYPHS, _WOFF2_FVAR, _WOFF2_OTHER_TAG = (10, 11), 47, 63  # numbers of tables: glyf and loca, fvar


class FaceStyle(Struct, frozen=True):
    """What a face of a style sheet says about itself."""

    weight: float = 400
    italic: bool = False

    @classmethod
    def of(cls, address: str) -> FaceStyle | None:
        """Return the style that an address names; None if it names none."""
        query = parse_qs(urlsplit(address).query)
        with suppress(KeyError, ValueError):
            weight, *_ = query["wght"]
            return cls(float(weight), "ital" in query)
        return None

    @property
    def query(self) -> str:
        """The part of an address that names it."""
        return urlencode({"wght": f"{self.weight:g}"} | ({"ital": "1"} if self.italic else {}))


class FontFailed(Exception):
    """There is no static copy of a font; the message says why, as a phrase after its name."""


def with_styles_in_addresses(css: str) -> str:
    """Return a style sheet, or a document, in which the files of its faces are named with weight and style.

    A face for a range of weights becomes one for each hundred.
    """
    return _FACE.sub(_with_styles, css, count=_MAX_FACES)


def _with_styles(face: re.Match[str]) -> str:
    """Return a face with its style in the address of its file; a range of weights becomes several faces.

    For example ``font-weight: 300 500`` becomes three faces, of the weights 300, 400 and 500.
    """
    declared = _WEIGHT.search(face["declarations"])
    lightest = (_weight(declared["lightest"]) if declared else None) or _NAMED["normal"]
    boldest = _weight(declared["boldest"]) if declared else None
    italic = _ITALIC.search(face["declarations"]) is not None
    if declared is None or boldest is None or not 1 <= lightest < boldest <= 1000:
        return _FONT.sub(rf"\1?{FaceStyle(lightest, italic).query}\2", face[0])
    faces = []
    hundreds = range(math.ceil(lightest / 100) * 100, int(boldest) + 1, 100)
    for weight in sorted({lightest, boldest, *hundreds}):
        block = face[0].replace(declared[0], f"font-weight: {weight:g}")
        faces.append(_FONT.sub(rf"\1?{FaceStyle(weight, italic).query}\2", block))
    return "\n".join(faces)


def _weight(word: str | None) -> float | None:
    with suppress(ValueError):
        return _NAMED.get(word.lower()) or float(word) if word else None
    return None


def is_variable(font: bytes) -> bool:
    """Whether a font has axes: a table `fvar`. One that is truncated counts as having none."""
    with suppress(struct.error, IndexError):
        if font.startswith(b"wOFF"):  # a header of 44 bytes, and 20 bytes for each table, its tag first
            (count,) = struct.unpack_from(">H", font, 12)
            entries = (44 + 20 * number for number in range(count))
            return any(font[entry : entry + 4] == b"fvar" for entry in entries)
        if font.startswith(b"wOF2"):
            return _WOFF2_FVAR in _woff2_tables(font)
        return any(table.tag == b"fvar" for table in tables_of(font))
    return False


def _woff2_tables(font: bytes) -> Iterator[int]:
    """Yield the numbers of the tables of a font in WOFF2. Raises ``IndexError`` if it is truncated."""
    (count,) = struct.unpack_from(">H", font, 12)
    offset = 48  # behind the header
    for _ in range(count):
        number, version = font[offset] & 63, font[offset] >> 6  # six and two bits of a byte
        offset += 5 if number == _WOFF2_OTHER_TAG else 1  # a tag of four letters follows
        is_transformed = version == 0 if number in _WOFF2_GLYPHS else version != 0
        for _ in range(2 if is_transformed else 1):  # a length, and that of the transformed table
            while font[offset] & 0x80:  # the last byte of a number has no such bit
                offset += 1
            offset += 1
        yield number


class _Maker:
    """Makes static fonts, one at a time, so that what one thread made another finds in the cache."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._excess_seconds = 0.0  # beyond what a face may take
        self._spent = 0.0
        self._begin: float | None = None  # while a font is made

    @property
    def seconds(self) -> float:
        """The time that was needed so far."""
        begin = self._begin
        return self._spent + (time.monotonic() - begin if begin is not None else 0.0)

    def static_font(self, font: bytes, style: FaceStyle) -> bytes:
        """Return the static copy of a variable font for a face. Raises ``FontFailed``. Deterministic."""
        if len(font) > _MAX_BYTES:
            raise FontFailed(f"is a variable font of more than {_MAX_BYTES >> 20} MB")
        package = util.find_spec("fontTools")
        if package is None or package.origin is None:
            raise FontFailed("is a variable font, for which the package fonttools is needed")
        if font.startswith(b"wOF2") and util.find_spec("brotli") is None:
            raise FontFailed("is a variable font that is packed as WOFF2")
        from importlib import metadata

        version = metadata.version("fonttools")
        entry = DerivedFile("fonts", _VERSION, version, style, font)
        with self._lock:
            font_bytes = entry.load()
            if font_bytes is None:
                if self._excess_seconds > _PATIENCE:
                    raise FontFailed("is a variable font, and others took too much time")
                self._begin = time.monotonic()
                try:
                    font_bytes = _instanced(font, style, Path(package.origin).parent.parent)
                finally:
                    seconds = time.monotonic() - self._begin
                    self._begin, self._spent = None, self._spent + seconds
                    self._excess_seconds += max(seconds - _USUAL, 0.0)
                entry.keep(font_bytes)
        return font_bytes


_MAKER = _Maker()
static_font = _MAKER.static_font


def seconds_spent() -> float:
    """Return the time that making static fonts took in this process so far."""
    return _MAKER.seconds


def _instanced(font: bytes, style: FaceStyle, packages: Path) -> bytes:
    """Return the static copy that another process makes. Raises ``FontFailed``."""
    command = [sys.executable, "-I", "-S", variable_font_worker.__file__, str(packages)]
    command += [f"{style.weight:g}", "italic" if style.italic else "upright"]
    try:
        finished = subprocess.run(command, input=font, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise FontFailed("is a variable font that takes too much time") from error
    except OSError as error:
        raise FontFailed(f"is a variable font, and {error.strerror}") from error
    if finished.returncode or not 0 < len(finished.stdout) <= _MAX_STATIC_BYTES:
        raise FontFailed("is a variable font that is damaged or too large")
    return finished.stdout
