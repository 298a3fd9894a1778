"""Metadata of picture files: format, size, whether they are animated or truncated.

Only the beginning, the end and the headers of segments are read, so that checking a thousand pictures is
fast. Whether the data between is intact is only found when the picture is printed.
"""

from __future__ import annotations

import os
import struct
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from toolkit.source.paths import Stamp, stamp_of

MAX_PIXELS = 25_000_000
"""Limit of pixels: decoding a larger picture would take more memory than all cards. A JPEG may have twice as
many, because it can be decoded at a smaller size."""

LONGEST_SIDE = 16_000
"""Limit of width and height, in pixels."""

MAX_BYTES = 64 * 1024 * 1024


_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD_LENGTH = 32


class Picture(Struct, frozen=True):
    """A raster picture: ``size`` in pixels, if it is known; ``whole`` unless it is truncated."""

    format: str
    size: tuple[int, int] | None = None
    animated: bool = False
    whole: bool = True

    @property
    def max_pixels(self) -> int:
        """The limit of pixels for its format."""
        return MAX_PIXELS * (2 if self.format == "JPEG" else 1)

    @property
    def too_large(self) -> bool:
        """Whether it has more pixels than are decoded."""
        if self.size is None:
            return False
        width, height = self.size
        return max(width, height) > LONGEST_SIDE or width * height > self.max_pixels


def read_picture(path: Path) -> Picture | None:
    """Return the picture in a file; None if it is not a raster picture. Raises ``OSError`` if unreadable."""
    return _read(str(path), stamp_of(path.stat()))


@lru_cache(maxsize=4096)
def _read(path: str, stamp: Stamp) -> Picture | None:
    """Return a picture, read again only if its stamp is another."""
    _modified, size, *_ = stamp
    with open(path, "rb") as file:
        return picture_in(file, size)


def picture_in(file: BinaryIO, size: int) -> Picture | None:
    """Return the picture in an open file of ``size`` bytes; None if it is not a raster picture."""
    head = file.read(_HEAD_LENGTH)
    for signature, read in _FORMATS:
        if head.startswith(signature):
            try:
                return read(file, head, size)
            except (struct.error, IndexError):  # the file ends within what is read
                letters = signature[1:4].decode("ascii", "replace").strip()
                return Picture(letters or "picture", whole=False)
    return None


def _png(file: BinaryIO, head: bytes, size: int) -> Picture:
    """Return the size of a PNG, whether it is animated, and whether its end is there.

    After the signature it has chunks: length, name, content, checksum. The first one begins with the size.
    """
    width, height = struct.unpack(">II", head[16:24])
    offset, animated = len(_PNG_SIGNATURE), False
    while offset + 8 <= size:
        file.seek(offset)
        content_length, name = struct.unpack(">I4s", file.read(8))
        if name in (b"acTL", b"IDAT"):  # an animation's acTL chunk comes before the first data chunk
            animated = name == b"acTL"
            break
        offset += 12 + content_length
    return Picture("PNG", (width, height), animated, b"IEND" in _tail(file, size, 64))


def _jpeg(file: BinaryIO, _head: bytes, size: int) -> Picture:
    """Search the segments of a JPEG for the frame header (SOF), which has height and width.

    A segment is a marker of two bytes, the length of the rest in two more, and the rest.
    """
    offset, pixels = 2, None
    while offset + 9 <= size and pixels is None:
        file.seek(offset)
        first_byte, code, length, _precision, height, width = struct.unpack(">BBHBHH", file.read(9))
        if first_byte != 0xFF:  # no marker
            break
        if 0xC0 <= code <= 0xCF and code not in (0xC4, 0xC8, 0xCC):  # SOF; those three are DHT, JPG, DAC
            pixels = (width, height)
        offset += 2 + length if code != 0xFF else 1  # 0xFF: fill byte before a marker
    # some cameras append data after the end marker, so it is searched in a quarter of a megabyte
    return Picture("JPEG", pixels, whole=pixels is not None and b"\xff\xd9" in _tail(file, size, 1 << 18))


def _gif(file: BinaryIO, head: bytes, size: int) -> Picture:
    """Count the frames of a GIF, up to two: more than one is an animation."""
    width, height, packed = struct.unpack("<HHB", head[6:11])
    offset = 13 + _colour_table_size(packed)
    frames = 0
    while offset < size and frames < 2:
        file.seek(offset)
        block = file.read(10)
        if block[0] == 0x2C:  # an image; behind its descriptor comes one byte for the size of LZW codes
            frames += 1
            offset += 11 + _colour_table_size(block[9])
        elif block[0] == 0x21:  # an extension
            offset += 2
        else:
            break
        offset = _end_of_sub_blocks(file, offset, size)
    return Picture("GIF", (width, height), animated=frames > 1, whole=frames > 0 and offset <= size)


def _colour_table_size(packed: int) -> int:
    """Return the bytes of a colour table: three for each of 2 ** (n + 1) colours, none without the flag."""
    return 3 << (packed & 7) + 1 if packed & 0x80 else 0


def _end_of_sub_blocks(file: BinaryIO, offset: int, size: int) -> int:
    """Return the end of a GIF's chain of sub-blocks; a place after the file if it is not terminated."""
    while offset < size:
        file.seek(offset)
        length = file.read(1)[0]
        offset += 1 + length
        if not length:
            return offset
    return size + 1


def _webp(_file: BinaryIO, head: bytes, size: int) -> Picture | None:
    """Read the size from the first chunk of a WebP: extended (VP8X), lossless (VP8L) or lossy (VP8).

    The file is a RIFF container: "RIFF", the length of the rest, "WEBP", then the chunk with its name.
    """
    if head[8:12] != b"WEBP":
        return None
    chunk_name, whole = head[12:16], int.from_bytes(head[4:8], "little") + 8 <= size
    if chunk_name == b"VP8X":  # sides less 1, of three bytes each
        width, height = (1 + int.from_bytes(side, "little") for side in (head[24:27], head[27:30]))
        is_animated = bool(head[20] & 2)
        return Picture("WebP", (width, height), animated=is_animated, whole=whole)
    if chunk_name == b"VP8L":  # sides less 1, of 14 bits each
        bits = int.from_bytes(head[21:25], "little")
        return Picture("WebP", (1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)), whole=whole)
    width, height = struct.unpack("<HH", head[26:30])  # the upper two bits are a scale
    return Picture("WebP", (width & 0x3FFF, height & 0x3FFF), whole=whole)


def _tail(file: BinaryIO, size: int, length: int) -> bytes:
    """Return the last bytes of a file."""
    file.seek(max(0, size - length), os.SEEK_SET)
    return file.read(length)


_FORMATS = (
    (_PNG_SIGNATURE, _png),
    (b"\xff\xd8\xff", _jpeg),
    (b"GIF8", _gif),
    (b"RIFF", _webp),
)
