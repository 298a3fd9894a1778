"""Font files: completeness, supported characters, and copies without hinting or characters.

The names and formats of tables are those of the OpenType specification.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

SUFFIXES = frozenset({".ttf", ".otf", ".woff", ".woff2"})

_SFNT = (b"\0\1\0\0", b"OTTO", b"true")
_WOFF = (b"wOFF", b"wOF2")
_COLLECTION = b"ttcf"
_CHARACTER_TABLES = (b"cmap", b"post")
"""Tables that map characters to glyphs: by code, by name."""


def is_complete(font: bytes) -> bool:
    """Whether a file begins as a font and is not truncated; the engine checks the content of tables."""
    try:
        if font[:4] in _WOFF:
            return len(font) >= 12 and int.from_bytes(font[8:12], "big") == len(font)
        if font[:4] in _SFNT:
            return all(table.start + table.length <= len(font) for table in tables_of(font))
    except struct.error:
        return False
    return font[:4] == _COLLECTION


def without_characters(font: bytes) -> bytes:
    """Return a font without characters: engines then fall back on the next font family without a warning."""
    changed = bytearray(font)
    for table in tables_of(font):
        if table.tag in _CHARACTER_TABLES:
            changed[table.entry : table.entry + 4] = b"none"  # another tag
    return bytes(changed)


class Table(NamedTuple):
    """A table of a font: its tag, the offset of its entry in the directory, its own offset and length."""

    tag: bytes
    entry: int
    start: int
    length: int


def tables_of(font: bytes) -> Iterator[Table]:
    """Yield the tables of a font. Raises ``struct.error``."""
    (count,) = struct.unpack_from(">H", font, 4)
    for entry in range(12, 12 + 16 * count, 16):
        tag, _, start, length = struct.unpack_from(">4sIII", font, entry)
        yield Table(tag, entry, start, length)


_GLYPH_PROGRAM_TABLES = (b"cvt ", b"fpgm")
"""Tables that only the programs of glyphs need."""

_CONTROL_PROGRAM = b"prep"
"""The program that runs first; it can switch off the programs of glyphs."""

_HINTING_OFF = bytes((0xB1, 1, 1, 0x8E, 0, 0, 0, 0))
"""Push 1 and 1, INSTCTRL: the programs of glyphs are not run. The SVTCA after it have no effect: FreeType
ignores a shorter program, and then uses its autohinter."""


def unhinted(font: bytes) -> bytes:
    """Return the font without its hinting programs; anything but a hinted TrueType font is unchanged.

    Print does not need them, and the layout stays the same, but engines run them for every size of a font.
    """
    unhinted_font = bytearray(font)
    is_hinted = False
    try:
        for tag, entry, start, length in tables_of(font):
            length_field = entry + 12
            if tag == _CONTROL_PROGRAM and length >= len(_HINTING_OFF) and start + length <= len(font):
                unhinted_font[start : start + len(_HINTING_OFF)] = _HINTING_OFF
                struct.pack_into(">I", unhinted_font, length_field, len(_HINTING_OFF))
                is_hinted = True
            elif tag in _GLYPH_PROGRAM_TABLES:
                struct.pack_into(">I", unhinted_font, length_field, 0)  # an empty table counts as none
    except struct.error:
        return font
    return bytes(unhinted_font) if is_hinted else font


_COLOUR_TABLES = {b"COLR", b"CBDT", b"sbix", b"SVG "}


def has_colours(font: Path) -> bool:
    """Whether a font file has glyphs in colour; also if that cannot be seen, as in WOFF."""
    try:
        return any(table.tag in _COLOUR_TABLES for table in tables_of(font.read_bytes()))
    except (OSError, struct.error):
        return True


_UNICODE = {(0, 3), (0, 4), (3, 1), (3, 10)}
"""Platform and encoding of the Unicode subtables."""


@lru_cache(maxsize=16)
def characters_of(font: Path) -> frozenset[int]:
    """Return the code points that a font file draws; none when it cannot be read, or is packed as WOFF."""
    try:
        return frozenset(_characters(font.read_bytes()))
    except (OSError, struct.error):
        return frozenset()


def _characters(font: bytes) -> Iterator[int]:
    """Yield the code points of all maps in the table ``cmap`` that opforge reads."""
    for table in tables_of(font):
        if table.tag == b"cmap":
            (count,) = struct.unpack_from(">H", font, table.start + 2)
            for number in range(count):
                entry = table.start + 4 + 8 * number
                platform, encoding, offset = struct.unpack_from(">HHI", font, entry)
                if (platform, encoding) in _UNICODE:
                    (map_format,) = struct.unpack_from(">H", font, table.start + offset)
                    read_map = {4: format_4, 12: _format_12}.get(map_format)
                    yield from read_map(font, table.start + offset) if read_map else ()


def _format_12(font: bytes, start: int) -> Iterator[int]:
    """Yield the code points of a map in format 12. Raises ``struct.error`` if it is not in order."""
    (groups,) = struct.unpack_from(">I", font, start + 12)
    last_before = -1
    for group in range(groups):
        first, last, glyph = struct.unpack_from(">III", font, start + 16 + 12 * group)
        # otherwise a few bytes could yield any number of codes
        if first <= last_before or last > sys.maxunicode:
            raise struct.error("the groups of a map of characters are not in order")
        last_before = last
        # `glyph` is that of the first code, and counts on with the codes; 0 is none
        yield from (code for code in range(first, last + 1) if glyph + code - first)


def format_4(cmap: bytes, start: int) -> dict[int, int]:
    """Return the glyph of each character in the cmap subtable of format 4 at an offset.

    Its segments are parallel arrays of ends, starts, deltas and offsets, followed by glyphs. Raises
    ``struct.error``.
    """
    (array_size,) = struct.unpack_from(">H", cmap, start + 6)  # in bytes: twice the number of segments
    # An array of ends follows the header of 14 bytes, then two unused bytes, and the other arrays.
    ends_at, starts_at = start + 14, start + 14 + array_size + 2
    offsets_at = starts_at + 2 * array_size
    (ends, starts, deltas, offsets) = (
        struct.unpack_from(f">{array_size // 2}H", cmap, array_start)
        for array_start in (ends_at, starts_at, starts_at + array_size, offsets_at)
    )
    glyphs_by_code = {}
    previous_last = -1
    for number, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        # Otherwise a few bytes could yield any number of characters.
        if first <= previous_last or last < first:
            raise struct.error("the segments of a map of characters are not in order")
        previous_last = last
        codes: Sequence[int] = range(first, min(last, 0xFFFE) + 1)
        glyphs = codes
        if offset:  # which counts from its own place in the array
            glyphs = struct.unpack_from(f">{len(codes)}H", cmap, offsets_at + 2 * number + offset)
        for code, glyph in zip(codes, glyphs, strict=True):
            if glyph and (glyph + delta) & 0xFFFF:
                glyphs_by_code[code] = (glyph + delta) & 0xFFFF
    return glyphs_by_code


_FAMILY_NAMES = frozenset({1, 16})
"""Numbers of the names of a font's family: of up to four styles, and of all its styles."""

_MACINTOSH = 1
"""The platform whose names are not in UTF-16."""


@lru_cache(maxsize=64)
def families_of(font: Path) -> frozenset[str]:
    """Return the names of a font's family in small letters; none when it cannot be read."""
    try:
        return frozenset(_families(font.read_bytes()))
    except (OSError, struct.error):
        return frozenset()


def _families(font: bytes) -> Iterator[str]:
    """Yield the family names in the table ``name`` of a font."""
    for table in tables_of(font):
        if table.tag == b"name":
            count, storage = struct.unpack_from(">HH", font, table.start + 2)
            for number in range(count):
                record = table.start + 6 + 12 * number
                platform, _, _, name_id, length, offset = struct.unpack_from(">6H", font, record)
                start = table.start + storage + offset
                encoding = "latin-1" if platform == _MACINTOSH else "utf-16-be"
                if name_id in _FAMILY_NAMES:
                    yield font[start : start + length].decode(encoding, "replace").lower()
