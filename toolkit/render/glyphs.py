"""Which characters a TrueType font can draw: its table ``cmap``, in the formats 4 and 12 for Unicode."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from toolkit.render.truetype import format_4

_UNICODE = {(0, 3), (0, 4), (3, 1), (3, 10)}
"""Platform and encoding of the Unicode tables."""


@lru_cache(maxsize=16)
def characters_of(font: Path) -> frozenset[int]:
    """The code points that a font file draws; none when it cannot be read."""
    try:
        return frozenset(_characters(font.read_bytes()))
    except (OSError, struct.error):
        return frozenset()


def _characters(font: bytes) -> Iterator[int]:
    (tables,) = struct.unpack_from(">H", font, 4)
    for record in range(tables):
        tag, _, start, _ = struct.unpack_from(">4sIII", font, 12 + 16 * record)
        if tag == b"cmap":
            (count,) = struct.unpack_from(">H", font, start + 2)
            for number in range(count):
                platform, encoding, offset = struct.unpack_from(">HHI", font, start + 4 + 8 * number)
                if (platform, encoding) in _UNICODE:
                    yield from _subtable(font, start + offset)


def _subtable(font: bytes, start: int) -> Iterator[int]:
    (layout,) = struct.unpack_from(">H", font, start)
    if layout == 4:
        yield from format_4(font, start)
    elif layout == 12:
        (groups,) = struct.unpack_from(">I", font, start + 12)
        before = -1
        for group in range(groups):
            first, last, glyph = struct.unpack_from(">III", font, start + 16 + 12 * group)
            if first <= before or last > sys.maxunicode:  # a few bytes could stand for any number of them
                raise struct.error("the groups of a map of characters are not in order")
            before = last
            yield from (code for code in range(first, last + 1) if glyph + code - first)
