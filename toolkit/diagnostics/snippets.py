"""The source lines of a span with the exact words underlined, for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from toolkit.source import Span

MOST_LINES = 4
WIDTH = 100


def snippet(span: Span, gutter: int) -> Iterator[tuple[str, str, str]]:
    """For each line (at most four): its number right-aligned in ``gutter``, its text, and the underline.

    Tabs become spaces; long lines are cut around the underlined part; wide characters count double.
    """
    begin, end = span.begin_position, span.end_position
    lines = range(begin.line, min(end.line, begin.line + MOST_LINES - 1) + 1)
    for number in lines:
        text = span.file.line(number)
        first = begin.column - 1 if number == begin.line else len(text) - len(text.lstrip())
        last = end.column - 1 if number == end.line else len(text.rstrip())
        if number != begin.line and last <= first:
            continue
        shown, first, last = _cut(_printable(text), first, last)
        pad, length = _width(shown[:first]), max(1, _width(shown[first:last]))
        yield f"{number:>{gutter}}", shown, " " * pad + "^" * length


def _printable(text: str) -> str:
    """Each character as one character that a terminal prints: tabs as spaces, controls as `·`."""
    if text.isprintable():
        return text
    return "".join(" " if c == "\t" else c if c.isprintable() else "·" for c in text)


def _cut(text: str, first: int, last: int) -> tuple[str, int, int]:
    if len(text) <= WIDTH:
        return text, first, last
    start = max(0, min(first - WIDTH // 3, len(text) - WIDTH))
    shown = text[start : start + WIDTH]
    first, last = first - start, min(last - start, len(shown))
    if start:
        shown = "…" + shown[1:]
    if start + WIDTH < len(text):
        shown = shown[:-1] + "…"
    return shown, first, last


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(_columns(c) for c in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
