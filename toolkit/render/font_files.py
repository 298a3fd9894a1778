"""Files of fonts: whether they are whole, and one without letters for those that cannot be had."""

from __future__ import annotations

import struct
from collections.abc import Iterator

SUFFIXES = frozenset({".ttf", ".otf", ".woff", ".woff2"})

_PLAIN = (b"\0\1\0\0", b"OTTO", b"true")
_PACKED = (b"wOFF", b"wOF2")
_COLLECTION = b"ttcf"
_LETTERS = (b"cmap", b"post")
"""Tables that say which glyph a letter has: by its code, by its name."""


def is_whole(font: bytes) -> bool:
    """Whether it begins as fonts do and nothing of it is missing; what is inside is left to the engine."""
    try:
        if font[:4] in _PACKED:
            return len(font) >= 12 and int.from_bytes(font[8:12], "big") == len(font)
        if font[:4] in _PLAIN:
            return all(start + length <= len(font) for _, start, length in _tables(font))
    except struct.error:
        return False
    return font[:4] == _COLLECTION


def without_letters(font: bytes) -> bytes:
    """A plain font with which nothing can be written: an engine quietly takes the next one that is named."""
    changed = bytearray(font)
    for entry, _, _ in _tables(font):
        if font[entry : entry + 4] in _LETTERS:
            changed[entry : entry + 4] = b"none"
    return bytes(changed)


def _tables(font: bytes) -> Iterator[tuple[int, int, int]]:
    """Of each table where its entry is, where it begins, and how long it is."""
    (count,) = struct.unpack_from(">H", font, 4)
    for entry in range(12, 12 + 16 * count, 16):
        start, length = struct.unpack_from(">II", font, entry + 8)
        yield entry, start, length
