"""Places as an editor counts them: lines from 0, columns in the units that were agreed with it.

The units are those of UTF-16 unless the editor offers others: an emoji is two of them, an umlaut one. Inside
opforge a place is an offset in characters.
"""

from __future__ import annotations

from lsprotocol import types

from toolkit.source import SourceFile, Span

Encoding = types.PositionEncodingKind | str
"""``utf-8``, ``utf-16`` or ``utf-32``."""


def units(text: str, encoding: Encoding) -> int:
    """How many units a piece of text has."""
    if text.isascii() or encoding == types.PositionEncodingKind.Utf32:
        return len(text)
    if encoding == types.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(sign > "\uffff" for sign in text)


def position_at(file: SourceFile, offset: int, encoding: Encoding) -> types.Position:
    """The position of an offset; behind the end of the file it is the end."""
    line, column = file.position(max(offset, 0))
    start = file.line_starts()[line - 1]
    return types.Position(line - 1, units(file.text[start : start + column - 1], encoding))


def range_at(span: Span, encoding: Encoding) -> types.Range:
    """The range of a stretch."""
    return types.Range(
        position_at(span.file, span.start, encoding), position_at(span.file, span.end, encoding)
    )


def offset_at(file: SourceFile, position: types.Position, encoding: Encoding) -> int:
    """The offset of a position. Behind the end of a line it is its end, within a character its beginning."""
    starts = file.line_starts()
    if position.line >= len(starts):
        return len(file.text)
    start = starts[position.line]
    line = file.line(position.line + 1)
    if line.isascii() or encoding == types.PositionEncodingKind.Utf32:
        return start + min(position.character, len(line))
    left = position.character
    for index, sign in enumerate(line):
        left -= units(sign, encoding)
        if left < 0:
            return start + index
    return start + len(line)
