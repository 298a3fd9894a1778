"""What a PDF says, read back: text by way of its fonts' own maps, fonts, and where forms are placed."""

from __future__ import annotations

import io
import re
from functools import lru_cache

import pikepdf

_RANGE = re.compile(rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")
_SINGLE = re.compile(rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")


def opened(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


def text_of(thing: pikepdf.Object, known: dict[tuple[int, int], str] | None = None) -> str:
    """All text of a page or form in drawing order, forms inside it included.

    ``known`` has the text of forms of the same document, for pages that have some in common.
    """
    known = {} if known is None else known
    fonts = {name: _unicode(font) for name, font in thing.Resources.get("/Font", {}).items()}
    parts: list[str] = []
    current: tuple[int, dict[int, str]] = (1, {})
    for operands, operator in pikepdf.parse_content_stream(thing, "Tf Tj TJ Do"):
        match str(operator):
            case "Tf":
                current = fonts[str(operands[0])]
            case "Tj":
                parts.append(_decoded(bytes(operands[0]), *current))
            case "TJ":
                strings = (item for item in operands[0] if isinstance(item, pikepdf.String))
                parts += [_decoded(bytes(item), *current) for item in strings]
            case "Do":
                inner = thing.Resources.XObject[str(operands[0])]
                if inner.get("/Subtype") == "/Form":
                    if inner.objgen not in known:
                        known[inner.objgen] = text_of(inner, known)
                    parts.append(known[inner.objgen])
    return "".join(parts)


def fonts_of(pdf: pikepdf.Pdf) -> dict[str, bool]:
    """Names of all fonts without their subset's prefix, and whether each has its file inside."""
    found = {}
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Dictionary) and thing.get("/Type") == "/FontDescriptor":
            inside = any(f"/FontFile{kind}" in thing for kind in ("", "2", "3"))
            found[str(thing.FontName).split("+")[-1]] = inside
    return found


def sizes_of(thing: pikepdf.Object) -> set[float]:
    """Sizes of type in pt, as set; the text matrix counts."""
    sizes: set[float] = set()
    size, scale = 0.0, 1.0
    for operands, operator in pikepdf.parse_content_stream(thing, "Tf Tm Tj TJ Do"):
        match str(operator):
            case "Tf":
                size = float(operands[1])
            case "Tm":
                scale = abs(complex(float(operands[0]), float(operands[1])))
            case "Tj" | "TJ":
                sizes.add(round(size * scale, 2))
            case "Do":
                inner = thing.Resources.XObject[str(operands[0])]
                if inner.get("/Subtype") == "/Form":
                    sizes |= sizes_of(inner)
    return sizes


def placements(page: pikepdf.Page) -> list[tuple[str, float, float]]:
    """Name and lower left corner, in mm, of everything that is placed on a page."""
    found = []
    x = y = 0.0
    for operands, operator in pikepdf.parse_content_stream(page, "cm Do"):
        if str(operator) == "cm":
            x, y = float(operands[4]) / 72 * 25.4, float(operands[5]) / 72 * 25.4
        elif str(operator) == "Do":
            found.append((str(operands[0]), x, y))
    return found


def _decoded(code: bytes, width: int, letters: dict[int, str]) -> str:
    codes = (int.from_bytes(code[at : at + width], "big") for at in range(0, len(code), width))
    return "".join(letters.get(number, "\ufffd") for number in codes)


def _unicode(font: pikepdf.Object) -> tuple[int, dict[int, str]]:
    """Bytes of a code, and the letter of every code."""
    wide = font.get("/Subtype") == "/Type0"
    return (2 if wide else 1), _letters(wide, font.ToUnicode.read_bytes() if "/ToUnicode" in font else b"")


@lru_cache(256)
def _letters(wide: bool, table: bytes) -> dict[int, str]:
    letters = {} if wide else {number: bytes([number]).decode("cp1252", "replace") for number in range(256)}
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for low, high, first in _RANGE.findall(block):
            for step in range(int(high, 16) - int(low, 16) + 1):
                letters[int(low, 16) + step] = chr(int(first, 16) + step)
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, target in _SINGLE.findall(block):
            letters[int(code, 16)] = bytes.fromhex(target.decode()).decode("utf-16-be")
    return letters
