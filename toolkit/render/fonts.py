"""Fonts that are in a PDF once, though its cards come from several documents.

An engine puts into each document only the glyphs that are used there. The subsets of one font are put
together into one file, to which all its uses then refer; fonts that are equal are one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from hashlib import sha256

import pikepdf
from msgspec import Struct, field

from toolkit.render.truetype import Merger, Subset, read_subset

_NO_NUMBER = (0, 0)
"""What is written in its place has no number of its own."""


class _Use(Struct):
    """A font as something is written with it: with a byte for a letter (simple) or with numbers of glyphs.

    ``holder`` is the dictionary that has the descriptor; ``written`` are the glyphs for the numbers that are
    written, where these are others; ``numbers`` are those of its glyphs in the common file.
    """

    font: pikepdf.Object
    holder: pikepdf.Object
    simple: bool
    subset: Subset
    written: tuple[int, ...] | None = None
    numbers: list[int] = field(default_factory=list)


def share_fonts(pdf: pikepdf.Pdf) -> None:
    """Put each font into the PDF once."""
    places = list(_places(pdf))
    uses: dict[tuple[int, int], _Use] = {}
    for fonts, name in places:
        font = fonts[name]
        if font.objgen not in uses and (use := _use(font)):
            uses[font.objgen] = use
    groups: dict[tuple[str, tuple[bytes, ...]], list[_Use]] = {}
    for use in uses.values():
        groups.setdefault((_family(use.font), use.subset.family), []).append(use)
    for group in groups.values():
        _merge(pdf, group)
    _join_equal(places)


def _places(pdf: pikepdf.Pdf) -> Iterator[tuple[pikepdf.Object, str]]:
    """Every place where something that is drawn names a font."""
    for thing in pdf.objects:
        if isinstance(thing, (pikepdf.Stream, pikepdf.Dictionary)) and "/Resources" in thing:
            fonts = thing["/Resources"].get("/Font")
            if isinstance(fonts, pikepdf.Dictionary):
                for name in sorted(fonts.keys()):
                    yield fonts, name


def _family(font: pikepdf.Object) -> str:
    """The name of the font without the letters that tell its subsets apart."""
    return str(font.get("/BaseFont", "")).split("+")[-1]


def _use(font: pikepdf.Object) -> _Use | None:
    """How a font is used, if its file is a plain subset that can be put together with others."""
    simple = font.get("/Subtype") == "/TrueType" and font.get("/Encoding") == "/WinAnsiEncoding"
    by_number = font.get("/Subtype") == "/Type0" and font.get("/Encoding") == "/Identity-H"
    if not simple and not by_number:
        return None
    holder = font if simple else font["/DescendantFonts"][0]
    descriptor = holder.get("/FontDescriptor")
    if descriptor is None or "/FontFile2" not in descriptor:
        return None
    subset = read_subset(descriptor["/FontFile2"].read_bytes())
    return _Use(font, holder, simple, subset, _written(holder)) if subset else None


def _written(holder: pikepdf.Object) -> tuple[int, ...] | None:
    """The glyph for each number that something is written with; nothing where the two are the same."""
    table = holder.get("/CIDToGIDMap")
    if not isinstance(table, pikepdf.Stream):
        return None
    data = table.read_bytes()
    return struct.unpack(f">{len(data) // 2}H", data[: len(data) // 2 * 2])


def _merge(pdf: pikepdf.Pdf, group: list[_Use]) -> None:
    """One file for all uses of a font; those that contradict the others keep their own."""
    if len(group) < 2:
        return
    merger = Merger(group[0].subset)
    together = []
    for use in group:
        numbers = merger.add(use.subset)
        if numbers is not None:
            use.numbers = numbers
            together.append(use)
    data = merger.font()
    file = pdf.make_stream(data)
    file["/Length1"] = len(data)
    simple = [use for use in together if use.simple]
    widths = _widths(simple)
    for use in together:
        use.holder["/FontDescriptor"]["/FontFile2"] = file
        if use.simple:
            use.font["/FirstChar"], use.font["/LastChar"] = min(widths), max(widths)
            use.font["/Widths"] = [widths.get(code, 0) for code in range(min(widths), max(widths) + 1)]
            if "/ToUnicode" in use.font:  # the encoding says it for all of them
                del use.font["/ToUnicode"]
        else:
            glyphs = use.numbers
            if use.written is not None:
                glyphs = [use.numbers[number] if number < len(use.numbers) else 0 for number in use.written]
            packed = struct.pack(f">{len(glyphs)}H", *glyphs)
            use.holder["/CIDToGIDMap"] = pdf.make_stream(packed)
    _call_alike(simple)


def _widths(simple: list[_Use]) -> dict[int, pikepdf.Object]:
    """The width of each letter that is used somewhere."""
    found: dict[int, pikepdf.Object] = {}
    for use in simple:
        for code, width in enumerate(use.font["/Widths"], int(use.font["/FirstChar"])):
            if width or code not in found:
                found[code] = width
    return found


def _call_alike(simple: list[_Use]) -> None:
    """One descriptor and one name for what now has the same letters."""
    for use in simple[1:]:
        use.font["/FontDescriptor"] = simple[0].font["/FontDescriptor"]
        use.font["/BaseFont"] = simple[0].font["/BaseFont"]


def _join_equal(places: list[tuple[pikepdf.Object, str]]) -> None:
    """Use the first of fonts that are equal in place of the others."""
    first: dict[bytes, pikepdf.Object] = {}
    known: dict[tuple[int, int], bytes] = {}
    for fonts, name in places:
        fonts[name] = first.setdefault(_digest(fonts[name], known), fonts[name])


def _digest(thing: object, known: dict[tuple[int, int], bytes]) -> bytes:
    """What an object and all that it refers to says, in short; ``known`` are those that have a number."""
    if not isinstance(thing, pikepdf.Object):
        return repr(thing).encode() + b" "
    if thing.objgen == _NO_NUMBER:
        return _digest_anew(thing, known)
    if thing.objgen not in known:
        known[thing.objgen] = _digest_anew(thing, known)
    return known[thing.objgen]


def _digest_anew(thing: pikepdf.Object, known: dict[tuple[int, int], bytes]) -> bytes:
    if isinstance(thing, pikepdf.Array):
        return sha256(b"[" + b"".join(_digest(one, known) for one in thing)).digest()
    if isinstance(thing, (pikepdf.Stream, pikepdf.Dictionary)):
        parts = b"".join(key.encode() + _digest(thing[key], known) for key in sorted(thing.keys()))
        content = thing.read_raw_bytes() if isinstance(thing, pikepdf.Stream) else b""
        return sha256(b"<<" + parts + b">>" + content).digest()
    return sha256(repr(thing).encode()).digest()
