"""The exact map from each character of a YAML scalar to its offset in the file.

A YAML parser gives only the bounds of a scalar. Here it is read a second time by the rules of its style, and
the file offset of every character is recorded. The map is used only if the text rebuilt in this way equals
the parser's value; otherwise positions fall back to the whole scalar, so they may be vague but never wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from unicodedata import combining, normalize

from msgspec import Struct, field

from toolkit.source.files import Span
from toolkit.source.short_repr import PublicValue

_BREAKS = "\r\n"
_BLANKS = " \t"
_HEADER = r"[|>](?P<chomp>[+-]?)(?P<indent>[1-9]?)(?P<late_chomp>[+-]?)[ \t]*(?:#[^\r\n]*)?"
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_PAIR = r"\\(?:u|U0000)(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\(?:u|U0000)(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
"""One character as JSON escapes it: the two halves of a surrogate pair."""

Mapped = tuple[str, int]
"""One character of the value, and its file offset."""


class ScalarText(PublicValue, Struct, frozen=True):
    """The value of a scalar, with the map back to the file.

    ``span`` excludes the blank lines after a block scalar. ``style`` is ``""`` for a plain scalar, else the
    character that begins it. ``parsed_to`` is the end according to the YAML parser, blank lines included,
    relative to the span's anchor.
    """

    value: str
    span: Span
    style: str
    parsed_to: int
    # the offsets and the anchor's base that they are for; in a list, because the struct itself is frozen
    _cache: list[tuple[int, tuple[int, ...] | None]] = field(default_factory=list)

    @property
    def parsed_end(self) -> int:
        """The end according to the YAML parser, blank lines included, as a file offset."""
        return self.span.anchor.base + self.parsed_to

    @property
    def offsets(self) -> tuple[int, ...] | None:
        """The file offset of each character of the value; None if it is unknown. Computed once."""
        base = self.span.anchor.base
        if not self._cache:
            file = self.span.file
            new_offsets = scalar_offsets(file.text, self.span.start, self.parsed_end, self.style, self.value)
            self._cache.append((base, new_offsets))
        cached_base, offsets = self._cache[0]
        if cached_base != base and offsets is not None:  # the anchor has moved since
            offsets = tuple([offset + base - cached_base for offset in offsets])
            self._cache[0] = base, offsets
        return offsets

    def locate(self, start: int, end: int) -> Span:
        """Return the span of ``value[start:end]`` in the file; the whole scalar if it is unknown."""
        offsets = self.offsets
        if not offsets or not 0 <= start <= end <= len(offsets):
            return self.span
        if start < end:
            begin_offset, end_offset = offsets[start], self._end_of(offsets[end - 1])
        elif start < len(offsets):
            begin_offset = end_offset = offsets[start]
        else:
            begin_offset = end_offset = self._end_of(offsets[-1])
        # the line end behind a block belongs to its value, but not to its span
        scalar_end = self.span.end
        return self.span.at_offsets(min(begin_offset, scalar_end), min(end_offset, scalar_end))

    def index_at(self, offset: int) -> int | None:
        """Return the index in the value of the character at a file offset; None outside or if unknown."""
        offsets = self.offsets
        if not offsets or not self.span.start <= offset <= self.span.end or offset < offsets[0]:
            return None
        index = bisect_right(offsets, offset) - 1
        # between two characters, where the file has an indent that the value has not, it is the next one
        return index + 1 if offset >= self._end_of(offsets[index]) else index

    def _end_of(self, offset: int) -> int:
        """Return the end in the file of the character of the value that is written at ``offset``."""
        text = self.span.file.text
        end = self._end_of_one(offset)
        while end < len(text) and not text[end].isascii() and combining(text[end]):
            end += 1
        return end

    def _end_of_one(self, offset: int) -> int:
        """Return the end of the character at an offset, without marks behind it."""
        text = self.span.file.text
        if text.startswith("\r\n", offset):
            return offset + 2
        if self.style == "'" and text.startswith("''", offset):
            return offset + 2
        if self.style == '"' and text[offset] == "\\":
            pair = re.compile(_PAIR).match(text, offset)
            return pair.end() if pair else offset + 2 + _HEX_DIGITS.get(text[offset + 1], 0)
        return offset + 1


def scalar_offsets(text: str, start: int, end: int, style: str | None, value: str) -> tuple[int, ...] | None:
    """Return the offset in ``text`` of each character of ``value``, or None if that is unknown.

    ``text[start:end]`` is the scalar as the parser marks it, in ``style`` ``""`` or None (plain), ``'``,
    ``"``, ``|`` or ``>``. The offsets are strictly increasing. A folded line break has the offset of the
    break, of which the value has a space.
    """
    if not style:
        return _checked(_flow(text, start, end), value)
    if text[start : start + 1] != style:
        return None
    if style in "'\"":
        return _checked(_flow(text, start + 1, end - 1, style), value)
    header = re.compile(_HEADER).match(text, start, end)  # compiled here: most runs never get to this
    if not header:
        return None
    chomp = header["chomp"] or header["late_chomp"]
    for indent in _indents(text, header.end(), end, header["indent"]):
        offsets = _checked(_block(text, header.end(), end, indent, chomp, style == ">"), value)
        if offsets is not None:
            return offsets
    return None


def _checked(mapped: Iterator[Mapped], value: str) -> tuple[int, ...] | None:
    """Return the offsets if the rebuilt text is the value, else None."""
    offsets = []
    index, length = 0, len(value)
    rebuilt = mapped if value.isascii() else _composed(mapped)
    for char, offset in rebuilt:
        if index >= length or value[index] != char:
            return None
        offsets.append(offset)
        index += 1
    return tuple(offsets) if index == length else None


def _composed(mapped: Iterator[Mapped]) -> Iterator[Mapped]:
    """Yield the characters of the composed text (NFC), each at the offset where it begins."""
    pending: list[Mapped] = []
    for char, offset in mapped:
        # two are enough: a Korean syllable is composed of at most three letters
        last_chars = "".join(pending_char for pending_char, _ in pending[-2:])
        if pending and not combining(char) and not _joins(last_chars, char):
            yield from _composition(pending)
            pending = []
        pending.append((char, offset))
    yield from _composition(pending)


def _joins(text_before: str, char: str) -> bool:
    """Whether a character that is no mark is composed with those before it, as Korean letters are."""
    return not char.isascii() and normalize("NFC", text_before + char) != normalize("NFC", text_before) + char


def _composition(pending: list[Mapped]) -> Iterator[Mapped]:
    """Yield what a letter and its marks are composed to: fewer characters, with the offsets of the first."""
    composed = normalize("NFC", "".join(char for char, _ in pending))
    yield from zip(composed, (offset for _, offset in pending), strict=False)


def _flow(text: str, offset: int, end: int, quote: str = "") -> Iterator[Mapped]:
    """Read a plain or quoted scalar: runs of spaces are kept, line breaks are folded."""
    while offset < end:
        char = text[offset]
        if char in _BLANKS or char in _BREAKS:
            mapped, offset = _fold(text, offset, end)
            yield from mapped
        elif quote == '"' and char == "\\":
            mapped, offset = _escape(text, offset, end)
            yield from mapped
        else:
            yield char, offset
            is_doubled = quote == char == "'"  # as a quote within single quotes is written
            offset += 2 if is_doubled else 1


def _fold(text: str, offset: int, end: int, escaped: bool = False) -> tuple[list[Mapped], int]:
    """Read the blanks and line breaks between two words: one break is a space, n blank lines are n breaks.

    After an escaped line break (``escaped``) the first break is gone already: blanks are dropped, and blank
    lines are kept.
    """
    blanks: list[Mapped] = []
    breaks: list[Mapped] = []
    while offset < end and (text[offset] in _BLANKS or text[offset] in _BREAKS):
        if text[offset] in _BREAKS:
            breaks.append(("\n", offset))
            offset = _after_break(text, offset, end)
        else:
            blanks.append((text[offset], offset))
            offset += 1
    if escaped:
        return breaks, offset
    if not breaks:
        return blanks, offset
    (_, first_break), *further_breaks = breaks
    return further_breaks or [(" ", first_break)], offset


def _escape(text: str, offset: int, end: int) -> tuple[list[Mapped], int]:
    """Read one escape of a double-quoted scalar; a backslash before a line end joins the lines."""
    char = text[offset + 1 : offset + 2]
    is_cut_off = not char or offset + 1 >= end
    if is_cut_off:
        return [("\\", offset)], end
    if char in _BREAKS:
        return _fold(text, _after_break(text, offset + 1, end), end, escaped=True)
    if char in "uU" and (pair := re.compile(_PAIR).match(text, offset, end)):
        halves = bytes.fromhex(pair["high"] + pair["low"])
        return [(halves.decode("utf-16-be"), offset)], pair.end()
    digit_count = _HEX_DIGITS.get(char)
    if digit_count is None:
        return [(_ESCAPES.get(char, char), offset)], offset + 2
    try:
        decoded_char = chr(int(text[offset + 2 : offset + 2 + digit_count], 16))
    except (ValueError, OverflowError):  # no digits, or no such character
        decoded_char = char
    return [(decoded_char, offset)], offset + 2 + digit_count


def _after_break(text: str, offset: int, end: int) -> int:
    """Return the offset after the line break at ``offset``."""
    return offset + (2 if text.startswith("\r\n", offset, end) else 1)


def _indents(text: str, offset: int, end: int, digit: str) -> Iterator[int]:
    """Yield the indents that a block scalar may have.

    Without an indentation indicator it is that of the first line with text, or of a longer blank line before
    it. An indicator is relative to the parent's indent, which is not known here, so every possible indent is
    tried; only one rebuilds the value.
    """
    widest_before_text = 0
    deepest = 0
    has_text = False
    _rest_of_header, *lines = re.split(f"\r\n|[{_BREAKS}]", text[offset:end])
    for line in lines:
        spaces = len(line) - len(line.lstrip(" "))
        deepest = max(deepest, spaces)
        if not has_text:
            widest_before_text = max(widest_before_text, spaces)
            has_text = spaces < len(line)
    if digit:
        yield from range(int(digit), max(int(digit), deepest) + 1)
    else:
        yield max(widest_before_text, 1)


def _block(text: str, offset: int, end: int, indent: int, chomp: str, folded: bool) -> Iterator[Mapped]:
    """Read a block scalar from the end of its header; ``chomp`` is ``+``, ``-`` or nothing."""
    break_before: int | None = None  # the offset of the break behind the line before
    if offset < end:
        offset = _after_break(text, offset, end)
    blank_lines, offset, is_inside = _blank_lines(text, offset, end, indent)
    was_more_indented = False
    while is_inside:
        # a line that begins with a blank is "more indented" (YAML 1.2, 8.1.3): breaks beside it are kept
        is_more_indented = text[offset] in _BLANKS
        if break_before is not None:
            if not folded or was_more_indented or is_more_indented:
                yield "\n", break_before
            elif not blank_lines:
                yield " ", break_before
        yield from blank_lines
        was_more_indented = is_more_indented
        while offset < end and text[offset] not in _BREAKS:
            yield text[offset], offset
            offset += 1
        break_before = None
        if offset < end:
            break_before = offset
            offset = _after_break(text, offset, end)
        blank_lines, offset, is_inside = _blank_lines(text, offset, end, indent)
    if chomp != "-" and break_before is not None:
        yield "\n", break_before
    if chomp == "+":
        yield from blank_lines


def _blank_lines(text: str, offset: int, end: int, indent: int) -> tuple[list[Mapped], int, bool]:
    """Return the breaks of blank lines, the offset behind them and the indent of the next line, and whether
    that line belongs to the scalar."""
    breaks: list[Mapped] = []
    while True:
        column = 0
        while column < indent and offset < end and text[offset] == " ":
            offset += 1
            column += 1
        if offset >= end or text[offset] not in _BREAKS:
            return breaks, offset, column == indent and offset < end
        breaks.append(("\n", offset))
        offset = _after_break(text, offset, end)
