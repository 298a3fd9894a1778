"""Merging of font subsets in a PDF whose cards come from several documents.

An engine embeds in each document only the glyphs that are used there. The subsets of one font are merged into
one file, to which all its uses then refer, and equal fonts become one. Fonts that are not plain subsets are
left as they are.

Not by fontTools (4.68): importing it takes 40 ms of each sheet, and it cannot merge subsets by glyph numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise

import pikepdf
from msgspec import Struct, field

from toolkit.render.font_files import format_4, tables_of

_NEEDED = frozenset({"glyf", "head", "hhea", "hmtx", "loca", "maxp"})
_OPTIONAL = frozenset({"cmap", "cvt ", "fpgm", "prep"})
_SHARED_TABLES = ("cvt ", "fpgm", "prep")
"""Tables that all subsets of one font share."""

_WINDOWS = 3
"""The platform of the maps of characters that engines write."""

_HEAD_LENGTH = 54

_MAX_DEPTH = 10
"""Nested components of composite glyphs; fonts have two or three levels."""

_ARGS_ARE_WORDS, _HAS_SCALE, _MORE_COMPONENTS, _HAS_X_AND_Y_SCALE, _HAS_TWO_BY_TWO = (
    0x1,
    0x8,
    0x20,
    0x40,
    0x80,
)
"""Flags of a component of a composite glyph."""


class Subset(Struct, frozen=True):
    """A font subset: its tables, and its glyphs with their metrics by number."""

    tables: Mapping[str, bytes]
    glyphs: tuple[bytes, ...]
    metrics: tuple[bytes, ...]

    @property
    def family(self) -> tuple[bytes, ...]:
        """The content that all subsets of one font share: hinting tables and units per em."""
        return (*(self.tables.get(name, b"") for name in _SHARED_TABLES), self.tables["head"][18:20])

    def characters(self) -> dict[int, int]:
        """Return the glyph of each character, except those without a glyph."""
        if "cmap" not in self.tables:
            return {}
        cmap = self.tables["cmap"]
        (count,) = struct.unpack_from(">H", cmap, 2)
        for number in range(count):
            platform, _, start = struct.unpack_from(">HHI", cmap, 4 + 8 * number)
            (map_format,) = struct.unpack_from(">H", cmap, start) if platform == _WINDOWS else (None,)
            if map_format == 4:
                return format_4(cmap, start)  # the only one that engines write for such fonts
        raise struct.error("no map of characters in format 4")


def read_subset(data: bytes) -> Subset | None:
    """Read a font; return None if it is anything but a plain subset."""
    try:
        tables = {
            table.tag.decode("ascii"): data[table.start : table.start + table.length]
            for table in tables_of(data)
        }
        if not _NEEDED <= tables.keys() <= _NEEDED | _OPTIONAL or len(tables["head"]) < _HEAD_LENGTH:
            return None
        (count,) = struct.unpack_from(">H", tables["maxp"], 4)  # numGlyphs
        (metric_count,) = struct.unpack_from(">H", tables["hhea"], 34)  # numberOfHMetrics
        (long_offsets,) = struct.unpack_from(">h", tables["head"], 50)  # indexToLocFormat
        if metric_count != count:  # the last metric is that of several glyphs
            return None
        offsets = struct.unpack_from(f">{count + 1}{'I' if long_offsets else 'H'}", tables["loca"])
        starts = [offset * (1 if long_offsets else 2) for offset in offsets]  # short ones count in pairs
        glyphs = tuple(tables["glyf"][start:end] for start, end in pairwise(starts))
        metrics = tuple(tables["hmtx"][4 * number : 4 * number + 4] for number in range(count))
        subset = Subset(tables, glyphs, metrics)
        return subset if _is_sound(subset) else None
    except (struct.error, UnicodeDecodeError):
        return None


def _is_sound(subset: Subset) -> bool:
    """Whether characters and composite glyphs refer to existing glyphs, and no glyph contains itself."""
    count = len(subset.glyphs)
    sound: set[int] = set()  # glyphs that are known to be

    def is_sound(number: int, depth: int) -> bool:
        """Whether a glyph and all that it is composed of exist, and not too deep in each other."""
        if number >= count or depth > _MAX_DEPTH:
            return False
        if number not in sound:
            glyph = subset.glyphs[number]
            for component_offset in _component_offsets(glyph):
                (component,) = struct.unpack_from(">H", glyph, component_offset)
                if not is_sound(component, depth + 1):
                    return False
            sound.add(number)
        return True

    return all(is_sound(number, 0) for number in (*range(count), *subset.characters().values()))


class Merger(Struct):
    """Collects the glyphs of subsets of one font."""

    first: Subset
    glyphs: list[bytes] = field(default_factory=list)
    metrics: list[bytes] = field(default_factory=list)
    characters: dict[int, int] = field(default_factory=dict)
    _numbers: dict[tuple[bytes, bytes], int] = field(default_factory=dict)

    def add(self, subset: Subset) -> list[int] | None:
        """Add a subset and return the new number of each glyph; None if a character has another glyph."""
        numbers: dict[int, int] = {}
        renumbered = [self._number(subset, number, numbers) for number in range(len(subset.glyphs))]
        new = {code: renumbered[number] for code, number in subset.characters().items()}
        if any(self.characters.get(code, number) != number for code, number in new.items()):
            return None
        self.characters |= new
        return renumbered

    def _number(self, subset: Subset, number: int, numbers: dict[int, int]) -> int:
        """Return the new number of a glyph; its components are numbered first."""
        if number not in numbers:
            glyph = subset.glyphs[number]
            for component_offset in _component_offsets(glyph):
                (component,) = struct.unpack_from(">H", glyph, component_offset)
                new = struct.pack(">H", self._number(subset, component, numbers))
                glyph = glyph[:component_offset] + new + glyph[component_offset + 2 :]
            key = (glyph, subset.metrics[number])
            if key not in self._numbers:
                self._numbers[key] = len(self.glyphs)
                self.glyphs.append(glyph)
                self.metrics.append(subset.metrics[number])
            numbers[number] = self._numbers[key]
        return numbers[number]

    def font(self) -> bytes:
        """Return the font with all glyphs."""
        tables = {name: self.first.tables[name] for name in _SHARED_TABLES if name in self.first.tables}
        count = len(self.glyphs)
        padded = [glyph + bytes(-len(glyph) % 4) for glyph in self.glyphs]
        ends = [0]
        for glyph in padded:
            ends.append(ends[-1] + len(glyph))
        head, hhea, maxp = (self.first.tables[name] for name in ("head", "hhea", "maxp"))
        # fields of the first font that change: its checksum, the kind of offsets, numbers of glyphs
        no_checksum, long_offsets, packed_count = bytes(4), struct.pack(">h", 1), struct.pack(">H", count)
        tables |= {
            "glyf": b"".join(padded),
            "loca": struct.pack(f">{count + 1}I", *ends),
            "hmtx": b"".join(self.metrics),
            "head": head[:8] + no_checksum + head[12:50] + long_offsets + head[52:],
            "hhea": hhea[:34] + packed_count,
            "maxp": maxp[:4] + packed_count + maxp[6:],
        }
        if self.characters:
            tables["cmap"] = _build_cmap(self.characters)
        return _assemble(tables)


def _component_offsets(glyph: bytes) -> Sequence[int]:
    """Return the offsets of the glyph numbers in a composite glyph; none for a simple one."""
    # The number of contours is negative in a composite glyph. Components follow a header of 10 bytes: flags
    # and the number of a glyph, two bytes each, its position, and perhaps a scale.
    if len(glyph) < 10 or struct.unpack_from(">h", glyph)[0] >= 0:
        return ()
    number_offsets, offset, flags = [], 10, _MORE_COMPONENTS
    while flags & _MORE_COMPONENTS:
        (flags,) = struct.unpack_from(">H", glyph, offset)
        number_offsets.append(offset + 2)
        offset += 4 + (4 if flags & _ARGS_ARE_WORDS else 2)
        if flags & _HAS_SCALE:
            offset += 2
        elif flags & _HAS_X_AND_Y_SCALE:
            offset += 4
        elif flags & _HAS_TWO_BY_TWO:
            offset += 8
    return number_offsets


def _build_cmap(glyph_by_code: Mapping[int, int]) -> bytes:
    """Return a cmap table with one subtable in format 4, as ``format_4`` reads it.

    It has a segment for each character, and the last one, without a glyph, that the format requires. A glyph
    is the sum of a code and the delta of its segment.
    """
    codes = [*sorted(glyph_by_code), 0xFFFF]
    count = len(codes)
    ends = starts = struct.pack(f">{count}H", *codes)
    deltas = struct.pack(f">{count}H", *((glyph_by_code.get(code, 0) - code) & 0xFFFF for code in codes))
    unused, no_offsets, language = bytes(2), bytes(2 * count), 0
    arrays = ends + unused + starts + deltas + no_offsets
    power = 1 << (count.bit_length() - 1)  # the format has fields for a binary search
    search_fields = (2 * power, power.bit_length() - 1, 2 * (count - power))
    header_size = 14
    subtable = struct.pack(">7H", 4, header_size + len(arrays), language, 2 * count, *search_fields) + arrays
    version, subtable_count, windows, unicode_encoding, subtable_offset = 0, 1, 3, 1, 12
    return struct.pack(">4HI", version, subtable_count, windows, unicode_encoding, subtable_offset) + subtable


_SUM_OF_FONT = 0xB1B0AFBA
"""The checksum that a whole font must have."""


def _assemble(tables: Mapping[str, bytes]) -> bytes:
    """Return a font file: sorted tables with their checksums, and that of the file in ``head``."""
    count = len(tables)
    power = 1 << (count.bit_length() - 1)  # the format has fields for a binary search
    directory = struct.pack(
        ">IHHHH", 0x10000, count, 16 * power, power.bit_length() - 1, 16 * (count - power)
    )
    begin, content = 12 + 16 * count, b""
    starts = {}
    for name, table in sorted(tables.items()):
        starts[name] = begin + len(content)
        directory += struct.pack(">4sIII", name.encode("ascii"), _checksum(table), starts[name], len(table))
        content += table + bytes(-len(table) % 4)
    whole = directory + content
    adjustment = struct.pack(">I", (_SUM_OF_FONT - _checksum(whole)) & 0xFFFFFFFF)
    start = starts["head"] + 8  # of checkSumAdjustment
    return whole[:start] + adjustment + whole[start + 4 :]


def _checksum(data: bytes) -> int:
    padded = data + bytes(-len(data) % 4)
    words: tuple[int, ...] = struct.unpack(f">{len(padded) // 4}I", padded)
    return sum(words) & 0xFFFFFFFF


_DIRECT_OBJECT = (0, 0)
"""The number of a direct object."""


class _FontUse(Struct):
    """A font object of a PDF: ``simple`` with a byte for each letter, else with numbers of letters (CIDs).

    ``holder`` is the dictionary with the descriptor; ``glyph_of_cid`` maps the CIDs of the text to glyphs of
    the subset if they differ; ``numbers`` are the numbers of its glyphs in the merged file.
    """

    font: pikepdf.Object
    holder: pikepdf.Object
    simple: bool
    subset: Subset
    glyph_of_cid: tuple[int, ...] | None = None
    numbers: list[int] = field(default_factory=list)


def share_fonts(pdf: pikepdf.Pdf) -> None:
    """Merge the font subsets of a PDF, in place, and let fonts that are equal then be one."""
    references = list(_font_references(pdf))
    uses: dict[tuple[int, int], _FontUse] = {}
    for fonts, name in references:
        font = fonts[name]
        use = _font_use(font) if font.objgen not in uses else None
        if use is not None:
            uses[font.objgen] = use
    groups: dict[tuple[str, tuple[bytes, ...]], list[_FontUse]] = {}
    for use in uses.values():
        _, _, name = str(use.font.get("/BaseFont", "")).rpartition("+")  # without the tag of a subset
        groups.setdefault((name, use.subset.family), []).append(use)
    for group in groups.values():
        _merge(pdf, group)
    first_by_digest: dict[bytes, pikepdf.Object] = {}
    known_digests: dict[tuple[int, int], bytes] = {}
    for fonts, name in references:  # equal fonts are replaced by the first one
        fonts[name] = first_by_digest.setdefault(_digest(fonts[name], known_digests), fonts[name])


def _font_references(pdf: pikepdf.Pdf) -> Iterator[tuple[pikepdf.Object, str]]:
    """Yield every font dictionary with each name in it."""
    for pdf_object in pdf.objects:
        if isinstance(pdf_object, (pikepdf.Stream, pikepdf.Dictionary)) and "/Resources" in pdf_object:
            fonts = pdf_object["/Resources"].get("/Font")
            if isinstance(fonts, pikepdf.Dictionary):
                for name in sorted(fonts.keys()):
                    yield fonts, name


def _font_use(font: pikepdf.Object) -> _FontUse | None:
    """Return the use of a font if its file is a subset that can be merged, else None."""
    simple = font.get("/Subtype") == "/TrueType" and font.get("/Encoding") == "/WinAnsiEncoding"
    by_number = font.get("/Subtype") == "/Type0" and font.get("/Encoding") == "/Identity-H"
    if not simple and not by_number:
        return None
    holder = font if simple else font["/DescendantFonts"][0]  # of which there is always one
    descriptor = holder.get("/FontDescriptor")
    if descriptor is None or "/FontFile2" not in descriptor:
        return None
    subset = read_subset(descriptor["/FontFile2"].read_bytes())
    return _FontUse(font, holder, simple, subset, _cid_to_gid(holder)) if subset else None


def _cid_to_gid(holder: pikepdf.Object) -> tuple[int, ...] | None:
    """Return the glyph for each CID; None if they are the same."""
    table = holder.get("/CIDToGIDMap")
    if not isinstance(table, pikepdf.Stream):
        return None
    content = table.read_bytes()
    count = len(content) // 2  # two bytes each; a last single one counts for nothing
    return struct.unpack_from(f">{count}H", content)


def _merge(pdf: pikepdf.Pdf, group: list[_FontUse]) -> None:
    """Merge the files of all uses of a font; subsets that contradict the others keep their own file."""
    if len(group) < 2:
        return
    first_use, *_ = group
    merger = Merger(first_use.subset)
    merged = []
    for use in group:
        numbers = merger.add(use.subset)
        if numbers is not None:
            use.numbers = numbers
            merged.append(use)
    data = merger.font()
    file = pdf.make_stream(data)
    file["/Length1"] = len(data)
    for use in merged:
        use.holder["/FontDescriptor"]["/FontFile2"] = file
        if not use.simple:
            glyphs = use.numbers
            if use.glyph_of_cid is not None:
                glyphs = [use.numbers[glyph] if glyph < len(use.numbers) else 0 for glyph in use.glyph_of_cid]
            use.holder["/CIDToGIDMap"] = pdf.make_stream(struct.pack(f">{len(glyphs)}H", *glyphs))
    simple_uses = [use for use in merged if use.simple]
    if simple_uses:  # none of a font that only signs beyond WinAnsiEncoding are set in, as arrows
        _make_equal(simple_uses)


def _make_equal(uses: Sequence[_FontUse]) -> None:
    """Let simple fonts of the same file cover the letters of all of them."""
    widths: dict[int, pikepdf.Object] = {}  # by the code of each letter that is used
    for use in uses:
        for code, width in enumerate(use.font["/Widths"], int(use.font["/FirstChar"])):
            if width or code not in widths:  # 0 is that of a letter between two that are used
                widths[code] = width
    for use in uses:
        use.font["/FirstChar"], use.font["/LastChar"] = min(widths), max(widths)
        use.font["/Widths"] = [widths.get(code, 0) for code in range(min(widths), max(widths) + 1)]
        if "/ToUnicode" in use.font:  # covers this subset only; the encoding is enough
            del use.font["/ToUnicode"]
    first_use, *other_uses = uses
    for use in other_uses:  # the fonts are equal now except for the tags in their names
        use.font["/FontDescriptor"] = first_use.font["/FontDescriptor"]
        use.font["/BaseFont"] = first_use.font["/BaseFont"]


def _digest(pdf_object: object, known_digests: dict[tuple[int, int], bytes]) -> bytes:
    """Return a digest of an object and all that it refers to; ``known_digests`` caches numbered objects."""
    if not isinstance(pdf_object, pikepdf.Object):
        return repr(pdf_object).encode() + b" "
    if pdf_object.objgen in known_digests:
        return known_digests[pdf_object.objgen]
    if isinstance(pdf_object, pikepdf.Array):
        content = b"[" + b"".join(_digest(item, known_digests) for item in pdf_object)
    elif isinstance(pdf_object, (pikepdf.Stream, pikepdf.Dictionary)):
        keys = sorted(pdf_object.keys())
        entries = b"".join(key.encode() + _digest(pdf_object[key], known_digests) for key in keys)
        content = b"<<" + entries + b">>"
        if isinstance(pdf_object, pikepdf.Stream):
            content += pdf_object.read_raw_bytes()
    else:
        content = repr(pdf_object).encode()
    digest = sha256(content).digest()
    if pdf_object.objgen != _DIRECT_OBJECT:
        known_digests[pdf_object.objgen] = digest
    return digest
