"""A card file cut into its entries by indentation alone, so that one can be read without the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolkit.data.hidden_spaces import may_be_foreign, may_hide_spaces
from toolkit.data.schema import SECTIONS
from toolkit.data.tree import MOST_NODES

MOST_CHARACTERS = 2 * MOST_NODES
"""A longer text may hold too many values, which only a reading of all of it tells: each takes two signs."""

_BEFORE = re.compile(r"(?:---[ ]*\r?\n)?(?:[ ]*(?:#.*)?\r?\n)*")
_TOP = re.compile(r"\n([^ #\r\n-][^\r\n]*)")
_HEADER = re.compile(rf"({'|'.join(SECTIONS)}):[ ]*(?:#.*)?")
_FIRST = re.compile(r"\r?\n(?:[ ]*(?:#.*)?\r?\n)*([ ]*)-(?=[ \r\n])")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_OTHER_BREAKS = "\x85\u2028\u2029"


class Piece(NamedTuple):
    """The lines of one entry with the blank lines and comments behind it; ``indent`` is how deep its dash is.

    Without a ``section`` it is something else at the top of the file: a key with all that is below it. A
    piece that is not ``sound`` may not mean what its lines mean alone.
    """

    section: str
    indent: int
    start: int
    end: int
    sound: bool


class Cut(NamedTuple):
    """A file in pieces, and where the keys of its sections stand: together they are all of it."""

    headers: dict[str, int]
    pieces: list[Piece]


def cut_up(text: str) -> Cut | None:
    """The pieces of a file in order; None where its lines are not what they seem."""
    if len(text) > MOST_CHARACTERS or _may_break_otherwise(text):
        return None
    tops = list(_TOP.finditer(f"\n{text}"))  # so each begins one character before its match does
    if not tops:
        return None
    headers: dict[str, int] = {}
    found: list[Piece] = []
    if not _BEFORE.fullmatch(text, 0, tops[0].start()):
        found.append(Piece("", 0, 0, tops[0].start(), False))
    for top, behind in zip(tops, [*(top.start() for top in tops[1:]), len(text)], strict=True):
        header = _HEADER.fullmatch(top[1])
        first = _FIRST.match(text, top.end() - 1, behind) if header else None
        if header is None or first is None:
            found.append(Piece("", 0, top.start(), behind, True))
        elif header[1] in headers:
            return None
        else:
            headers[header[1]] = top.start()
            found += _entries(text, header[1], len(first[1]), first.start(1), behind)
    return Cut(headers, found)


def _entries(text: str, section: str, indent: int, begin: int, end: int) -> Iterator[Piece]:
    """The entries of a section whose first dash stands at ``begin + indent``."""
    dash = " " * indent + "-"
    start, sound = begin, True
    for line in re.compile(rf"\n[ ]{{0,{indent}}}[^ #\r\n]").finditer(text, begin, end):
        at = line.start() + 1
        is_entry = text.startswith(dash, at) and text[line.end() : line.end() + 1] in " \r\n"
        if is_entry and at > start:
            yield Piece(section, indent, start, at, sound)
            start, sound = at, True
        sound &= is_entry
    yield Piece(section, indent, start, end, sound)


def _may_break_otherwise(text: str) -> bool:
    """Whether YAML may see ends of lines or blanks where they are not looked for here."""
    if "\r" in text and _LONE_RETURN.search(text):
        return True
    if may_be_foreign(text):
        return True
    return not text.isascii() and (may_hide_spaces(text) or any(map(text.__contains__, _OTHER_BREAKS)))


def without(text: str, pieces: Iterable[Piece]) -> str:
    """The text with blanks in place of some entries: everything else stands where it stood."""
    parts, at = [], 0
    for piece in (one for one in pieces if one.section):
        parts += [text[at : piece.start], " " * (piece.end - piece.start - 1), "\n"]
        at = piece.end
    return "".join([*parts, text[at:]])
