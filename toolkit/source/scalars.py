"""The exact map from the characters of a YAML scalar to the places in the file they came from.

A scalar is read again by the rules of its style, noting the file offset of every character. The map counts
only if the text rebuilt in this way equals the value that the YAML parser gave; otherwise there is none, and
places fall back to the whole scalar: vague perhaps, never wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct, field

from toolkit.source.files import Span

_BREAKS = "\r\n\x85\u2028\u2029"
_BLANKS = " \t"
_HEADER = r"[|>]([+-]?)([1-9]?)([+-]?)[ \t]*(?:#[^\r\n\x85\u2028\u2029]*)?"
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}

Piece = tuple[str, int]
"""One character of the value and the file offset it came from."""


class ScalarText(Struct, frozen=True):
    """The text of a scalar, with the way back to the file.

    ``span`` never holds the blank lines behind a block scalar. ``style`` is ``""`` for a plain scalar, else
    the sign that begins it. ``whole_to`` is where the YAML parser says that it ends, blank lines included,
    counted from the span's anchor.
    """

    value: str
    span: Span
    style: str
    whole_to: int
    _known: list[tuple[int, tuple[int, ...] | None]] = field(default_factory=list)

    @property
    def reach(self) -> int:
        """Where the YAML parser says that it ends, blank lines included."""
        return self.span.anchor.base + self.whole_to

    @property
    def offsets(self) -> tuple[int, ...] | None:
        """For each character of the value its file offset; None if it is unknown. Computed once."""
        base = self.span.anchor.base
        if not self._known:
            file = self.span.file
            found = scalar_offsets(file.text, self.span.start, self.reach, self.style, self.value)
            self._known.append((base, found))
        then, offsets = self._known[0]
        if then != base and offsets is not None:
            offsets = tuple([offset + base - then for offset in offsets])
            self._known[0] = base, offsets
        return offsets

    def locate(self, start: int, end: int) -> Span:
        """The place in the file of ``value[start:end]``; the whole scalar if that is unknown."""
        offsets = self.offsets
        if offsets is None or not 0 <= start <= end <= len(offsets):
            return self.span
        if not offsets:
            return self.span
        last = self.span.end
        if start == end:
            after = offsets[start] if start < len(offsets) else self._behind(offsets[-1])
            return self.span.beside(min(after, last), min(after, last))
        return self.span.beside(min(offsets[start], last), min(self._behind(offsets[end - 1]), last))

    def index_at(self, offset: int) -> int | None:
        """The index in the value of what stands at a file offset; None outside or if it is unknown."""
        offsets = self.offsets
        if not offsets or not self.span.start <= offset <= self.span.end:
            return None
        if offset < offsets[0]:
            return None
        index = bisect_right(offsets, offset) - 1
        return index + 1 if offset >= self._behind(offsets[index]) else index

    def _behind(self, offset: int) -> int:
        """The offset behind the one character of the value that was written at ``offset``."""
        text = self.span.file.text
        if text.startswith("\r\n", offset):
            return offset + 2
        if self.style == "'" and text.startswith("''", offset):
            return offset + 2
        if self.style == '"' and text[offset] == "\\":
            return offset + 2 + _HEX_DIGITS.get(text[offset + 1], 0)
        return offset + 1


def scalar_offsets(text: str, start: int, end: int, style: str | None, value: str) -> tuple[int, ...] | None:
    """For each character of ``value`` the offset in ``text`` it came from, or None if that is unknown.

    ``text[start:end]`` is the scalar as the parser marks it, in ``style`` ``""`` or None (plain), ``'``,
    ``"``, ``|`` or ``>``. The offsets grow strictly. A folded line break is the space it became.
    """
    if not style:
        return _checked(_flow(text, start, end), value)
    if text[start : start + 1] != style:
        return None
    if style in "'\"":
        return _checked(_flow(text, start + 1, end - 1, style), value)
    header = re.compile(_HEADER).match(text, start, end)  # only where there is something to place
    if not header:
        return None
    chomp = header[1] or header[3]
    for indent in _indents(text, header.end(), end, header[2]):
        offsets = _checked(_block(text, header.end(), end, indent, chomp, style == ">"), value)
        if offsets is not None:
            return offsets
    return None


def _checked(pieces: Iterator[Piece], value: str) -> tuple[int, ...] | None:
    """The offsets, if the rebuilt text is the value."""
    offsets = []
    index, length = 0, len(value)
    for sign, offset in pieces:
        if index >= length or value[index] != sign:
            return None
        offsets.append(offset)
        index += 1
    return tuple(offsets) if index == length else None


def _flow(text: str, at: int, end: int, quote: str = "") -> Iterator[Piece]:
    """Read a plain or quoted scalar: runs of spaces stay, line breaks are folded."""
    while at < end:
        sign = text[at]
        if sign in _BLANKS or sign in _BREAKS:
            pieces, at = _fold(text, at, end)
            yield from pieces
        elif quote == '"' and sign == "\\":
            pieces, at = _escape(text, at, end)
            yield from pieces
        else:
            yield sign, at
            at += 2 if quote == sign == "'" else 1


def _fold(text: str, at: int, end: int, escaped: bool = False) -> tuple[list[Piece], int]:
    """Blanks and line breaks between two words: one break is a space, n blank lines are n breaks.

    After an escaped line break (``escaped``) there is no first break: blanks go and blank lines stay.
    """
    blanks: list[Piece] = []
    breaks: list[Piece] = []
    while at < end and (text[at] in _BLANKS or text[at] in _BREAKS):
        if text[at] in _BREAKS:
            sign, after = _line_break(text, at, end)
            breaks.append((sign, at))
            at = after
        else:
            blanks += [] if breaks or escaped else [(text[at], at)]
            at += 1
    if escaped:
        return breaks, at
    if not breaks:
        return blanks, at
    first, where = breaks[0]
    if first != "\n":
        return breaks, at
    return breaks[1:] or [(" ", where)], at


def _escape(text: str, at: int, end: int) -> tuple[list[Piece], int]:
    """One escape of a double-quoted scalar; a backslash before a line end joins the lines."""
    sign = text[at + 1 : at + 2]
    if not sign or at + 1 >= end:
        return [("\\", at)], end
    if sign in _BREAKS:
        return _fold(text, _line_break(text, at + 1, end)[1], end, escaped=True)
    digits = _HEX_DIGITS.get(sign)
    if digits is None:
        return [(_ESCAPES.get(sign, sign), at)], at + 2
    try:
        written = chr(int(text[at + 2 : at + 2 + digits], 16))
    except (ValueError, OverflowError):
        written = sign
    return [(written, at)], at + 2 + digits


def _line_break(text: str, at: int, end: int) -> tuple[str, int]:
    """What a line break becomes in the value, and the offset behind it."""
    if text[at] == "\r" and text[at + 1 : at + 2] == "\n" and at + 1 < end:
        return "\n", at + 2
    return (text[at] if text[at] in "\u2028\u2029" else "\n"), at + 1


def _indents(text: str, at: int, end: int, digit: str) -> Iterator[int]:
    """The indents that a block scalar may have.

    Without a digit it is that of the first line with text, or of a longer blank line before it. A digit
    counts from the indent of the parent, which is not known here, so every possible one is offered.
    """
    widest = 0
    deepest = 0
    found = False
    for line in re.split(f"\r\n|[{_BREAKS}]", text[at:end])[1:]:
        spaces = len(line) - len(line.lstrip(" "))
        deepest = max(deepest, spaces)
        if not found:
            widest = max(widest, spaces)
            found = spaces < len(line)
    if digit:
        yield from range(int(digit), max(int(digit), deepest) + 1)
    else:
        yield max(widest, 1)


def _block(text: str, at: int, end: int, indent: int, chomp: str, folded: bool) -> Iterator[Piece]:
    """Read a block scalar from the end of its header on; ``chomp`` is ``+``, ``-`` or nothing."""
    first: list[Piece] = []
    if at < end:
        at = _line_break(text, at, end)[1]
    blank_lines, at, inside = _blank_lines(text, at, end, indent)
    spaced = False
    while inside:
        starts_spaced = text[at] in _BLANKS
        if folded and first and first[0][0] == "\n" and not spaced and not starts_spaced:
            yield from [] if blank_lines else [(" ", first[0][1])]
        else:
            yield from first
        yield from blank_lines
        spaced = starts_spaced
        while at < end and text[at] not in _BREAKS:
            yield text[at], at
            at += 1
        first = []
        if at < end:
            sign, after = _line_break(text, at, end)
            first = [(sign, at)]
            at = after
        blank_lines, at, inside = _blank_lines(text, at, end, indent)
    if chomp != "-":
        yield from first
    if chomp == "+":
        yield from blank_lines


def _blank_lines(text: str, at: int, end: int, indent: int) -> tuple[list[Piece], int, bool]:
    """Step over blank lines and the indent of the next line; the last value: whether that line belongs."""
    breaks: list[Piece] = []
    while True:
        column = 0
        while column < indent and at < end and text[at] == " ":
            at += 1
            column += 1
        if at >= end or text[at] not in _BREAKS:
            return breaks, at, column == indent and at < end
        sign, after = _line_break(text, at, end)
        breaks.append((sign, at))
        at = after
