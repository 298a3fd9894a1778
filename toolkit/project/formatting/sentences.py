"""An effect in canonical words, line for line where its words stood, with its comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from toolkit.data.nodes import Scalar
from toolkit.dsl.naming import filter_problems
from toolkit.dsl.parsing import parse_effect, without_comments
from toolkit.dsl.printing import print_effect
from toolkit.dsl.stops import PIECE
from toolkit.dsl.tree import Effect
from toolkit.dsl.walking import walk
from toolkit.project.formatting.pieces import Remark
from toolkit.source.rewriting import in_style

_BREAK = re.compile(r"\r\n|\r|\n")


class SentenceLine(NamedTuple):
    """One line of an effect: its words as they are written in the file, and the comment behind them."""

    words: str
    remark: Remark | None


def canonical_lines(scalar: Scalar) -> list[SentenceLine] | None:
    """The lines of an effect; None if it is to be left as it is, for it has mistakes.

    Words stay on the line on which they stood, so that nobody's way of breaking lines is undone.
    """
    effect = readable(scalar)
    offsets = scalar.as_text().offsets
    if effect is None or offsets is None:
        return None
    breaks = [found.start() for found in _BREAK.finditer(scalar.file.text, scalar.start, scalar.reach)]
    body = without_comments(scalar.text) if scalar.style == "|" else scalar.text
    old = [(piece.group(), bisect_right(breaks, offsets[piece.start()])) for piece in PIECE.finditer(body)]
    words: dict[int, str] = {}
    for line, text in _on_lines(old, print_effect(effect)):
        words[line] = words[line] + text if line in words else text.lstrip(" ")
    remarks = dict(_remarks(scalar, body, offsets, breaks))
    rows = sorted(words.keys() | remarks.keys())
    lines: list[SentenceLine] = []
    for row, before in zip(rows, [rows[0], *rows], strict=False):
        if row - before > 1:
            lines.append(SentenceLine("", None))
        lines.append(SentenceLine(in_style(words.get(row, ""), scalar.style), remarks.get(row)))
    return lines


def readable(scalar: Scalar) -> Effect | None:
    """The tree of an effect that can be printed again without loss; None if it has mistakes."""
    effect, _ = parse_effect(scalar.text, scalar.style == "|")
    if effect is None or any(filter_problems(list(walk(effect)))):
        return None
    return effect


def comments_of(scalar: Scalar) -> list[str]:
    """The comments inside an effect."""
    if scalar.style != "|":
        return []
    body = without_comments(scalar.text)
    return [found for found, _ in _comments(scalar.text, body)]


def _on_lines(old: list[tuple[str, int]], canonical: str) -> Iterator[tuple[int, str]]:
    """The canonical words, each with the blank before it and the line on which it is to stand."""
    pieces = list(PIECE.finditer(canonical))
    new = [piece.group() for piece in pieces]
    before = 0
    line = old[0][1]
    places = _places(old, new)
    for number, piece in enumerate(pieces):
        blank = canonical[before : piece.start()]
        before = piece.end()
        if blank or number == 0:  # what is glued to the word before it stays on its line
            line = max(line, places[number])
        yield line, blank + piece.group()


def _places(old: list[tuple[str, int]], new: list[str]) -> list[int]:
    """For each new word the line of the old one that it replaces."""
    places: list[int] = []
    matcher = SequenceMatcher(None, [word for word, _ in old], new, autojunk=False)
    for _, first, last, begin, end in matcher.get_opcodes():
        for number in range(begin, end):
            at = min(first + number - begin, max(last - 1, first))
            places.append(old[min(at, len(old) - 1)][1])
    return places


def _comments(text: str, body: str) -> Iterator[tuple[str, int]]:
    """Each comment of a block with its offset in the text; ``body`` is the text without them."""
    at = 0
    for line in text.splitlines(keepends=True):
        bare = body[at : at + len(line)]
        start = next((n for n, (a, b) in enumerate(zip(line, bare, strict=True)) if a != b), None)
        if start is not None:
            yield line[start:].strip(), at + start
        at += len(line)


def _remarks(
    scalar: Scalar, body: str, offsets: tuple[int, ...], breaks: list[int]
) -> Iterator[tuple[int, Remark]]:
    """The comments of an effect by line."""
    if scalar.style != "|":
        return
    text = scalar.file.text
    for comment, index in _comments(scalar.text, body):
        offset = offsets[index]
        row = bisect_right(breaks, offset)
        start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
        gap = offset - start - len(text[start:offset].rstrip(" \t"))
        yield row, Remark(comment, offset - start, gap)
