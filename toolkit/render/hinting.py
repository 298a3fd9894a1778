"""Type for paper: a font without the programs that fit its letters to the dots of a screen.

A page for print is drawn without them, and its words stand exactly where they stood; the engine only runs
them, for every size of every font, to find the same numbers. The tables are those of the OpenType
specification.
"""

from __future__ import annotations

import struct

_PROGRAMS = (b"cvt ", b"fpgm")
"""What only the programs of single letters need."""

_SWITCH = b"prep"
"""The program that is run first; it may switch all the others off."""

_OFF = bytes((0xB1, 1, 1, 0x8E, 0, 0, 0, 0))
"""Push 1 and 1, INSTCTRL: the programs of letters are not run. Behind it SVTCA, to no effect: FreeType takes
a shorter program for none, and then fits letters to dots by itself."""


def unhinted(font: bytes) -> bytes:
    """The same letters without their programs; what is no TrueType font with programs is left as it is."""
    changed = bytearray(font)
    found = set()
    try:
        (count,) = struct.unpack_from(">H", font, 4)
        for place in range(12, 12 + 16 * count, 16):
            name, _, start, length = struct.unpack_from(">4sIII", font, place)
            if name == _SWITCH and length >= len(_OFF) and start + length <= len(font):
                changed[start : start + len(_OFF)] = _OFF
                struct.pack_into(">I", changed, place + 12, len(_OFF))
                found.add(name)
            elif name in _PROGRAMS:
                struct.pack_into(">I", changed, place + 12, 0)  # an empty table counts as none
    except struct.error:
        return font
    return bytes(changed) if found else font
