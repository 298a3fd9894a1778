"""From a concrete tree to text: two spaces for each level, one behind a colon, comments where they were."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from msgspec import Struct

from toolkit.data.yaml.nodes import Scalar
from toolkit.dsl.checking import filter_problems
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.mistakes.syntax_hints import PIECE
from toolkit.dsl.parsing import parse_effect, without_comments
from toolkit.dsl.tree import Effect, walk
from toolkit.editing.formatting.concrete_tree import (
    BREAK,
    STEP,
    Block,
    Comment,
    ConcreteTree,
    Flow,
    Leaf,
    Part,
    header_of,
    keeps_blank_lines,
    written,
)
from toolkit.source.files import line_start
from toolkit.source.yaml_scalars import escaped_for, resolve_plain

_WORD = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_BOOLEANS = ("y", "n", "yes", "no", "on", "off")
"""Words that YAML 1.1 parsers take for true and false."""


def print_concrete_tree(pieces: ConcreteTree) -> str:
    """Return the text of a file, with ``\\n`` at the end of each line."""
    lines = [*free_lines(pieces.head, 0), *_block(pieces.root, 0)]
    return "".join(f"{text}\n" for text in with_comments(without_spare_blanks(lines)))


# blocks


def _block(block: Block, indent: int) -> list[Line]:
    lines: list[Line] = []
    for number, block_part in enumerate(block.parts):
        above = block_part.leading
        while number == 0 and above and not above[0]:
            above = above[1:]
        lines += free_lines(above, indent)
        lines += _part(block_part, indent)
    return lines + free_lines(block.dangling, indent)


def _part(block_part: Part, indent: int) -> list[Line]:
    """Return the lines of a key or dash with its value, without the comments above it."""
    head = " " * indent + (f"{_key(block_part.key)}:" if block_part.key is not None else "-")
    shift = indent - block_part.column
    value = block_part.value
    if value is None:
        return [Line(head, block_part.trailing or block_part.comment, shift)]
    if isinstance(value, Block):
        inner = _block(value, indent + STEP)
        if block_part.key is None and not block_part.comment and not inner[0].is_free:
            inner[0].text = f"{head} {inner[0].text[indent + STEP :]}"
            return inner
        return [Line(head, block_part.comment, shift), *inner]
    if isinstance(value, Leaf):
        lines = _leaf(value, indent)
        if lines[-1].comment is None and block_part.trailing is not None:
            lines[-1].comment, lines[-1].shift = block_part.trailing, shift
    else:
        lines = _flow(value, indent + STEP if _begins_a_line(block_part) else indent, shift)
        lines[-1].comment = block_part.trailing
    if _begins_a_line(block_part):
        lines[0].text = " " * (indent + STEP) + lines[0].text
        return [
            Line(head, block_part.comment, shift),
            *free_lines(block_part.before_value, indent + STEP),
            *lines,
        ]
    lines[0].text = f"{head} {lines[0].text}"
    return lines


def _begins_a_line(block_part: Part) -> bool:
    """Whether a value stays on a line below its key; a bracket moves up unless comments are between."""
    return block_part.on_own_line and bool(
        isinstance(block_part.value, Leaf) or block_part.comment or block_part.before_value
    )


def _key(key: Scalar) -> str:
    """Return a key as it was written, or without quotes if it does not need them."""
    is_word = _WORD.fullmatch(key.text) and resolve_plain(key.text) == key.text
    return key.text if is_word and key.text.lower() not in _BOOLEANS else key.file.text[key.start : key.end]


def _leaf(leaf: Leaf, indent: int) -> list[Line]:
    """Return the lines of a value, the first one without indentation."""
    sentences = canonical_lines(leaf.scalar) if leaf.is_effect else None
    if sentences is None:
        first, following_lines = written(leaf.scalar, indent)
        lines = [Line(first), *map(Line, following_lines)]
        lines[-1].keeps = keeps_blank_lines(leaf.scalar)
        return lines
    margin = " " * (indent + STEP)
    below = [Line(f"{margin}{line.words}" if line != ("", None) else "", line.comment) for line in sentences]
    if leaf.scalar.style in ("|", ">"):
        sign, comment = header_of(leaf.scalar)
        inner = leaf.scalar.as_text().offsets or (0,)
        column = inner[0] - line_start(leaf.scalar.file.text, inner[0])
        for line in below:
            line.shift = len(margin) - column
        below[-1].keeps = keeps_blank_lines(leaf.scalar)
        return [Line(f"{sign}  {comment}" if comment else sign), *below]
    quote = leaf.scalar.style
    below[0].text = quote + below[0].text.lstrip(" ")
    below[-1].text += quote
    return below


# brackets


def _flow(flow: Flow, indent: int, shift: int) -> list[Line]:
    """Return the lines of a mapping or list in brackets, which are broken where they were."""
    opening, closing = "{}" if flow.is_mapping else "[]"
    # where the first part begins a line, the closing bracket does too
    below = bool(flow.comment) or any(
        flow_part.on_own_line or flow_part.leading for flow_part in flow.parts[:1]
    )
    lines = [Line(opening, flow.comment, shift)]
    for number, flow_part in enumerate(flow.parts):
        lines += free_lines([line for line in flow_part.leading if line], indent + STEP)
        begins = flow_part.on_own_line or lines[-1].is_free or bool(lines[-1].comment)
        shift = indent + STEP - flow_part.column if begins else shift
        inner = _flow_part(flow_part, indent + STEP, shift)
        if begins:
            inner[0].text = " " * (indent + STEP) + inner[0].text
            lines += inner
        else:
            lines[-1].text += (" " if number else "") + inner[0].text
            lines[-1].comment = inner[0].comment
            lines += inner[1:]
        lines[-1].text += "," if number + 1 < len(flow.parts) or (flow.comma and below) else ""
        lines[-1].comment = flow_part.trailing or lines[-1].comment
        lines[-1].shift = shift
    lines += free_lines([line for line in flow.dangling if line], indent + STEP)
    if below or lines[-1].is_free or lines[-1].comment:
        lines.append(Line(" " * indent + closing, shift=shift))
    else:
        lines[-1].text += closing
    return lines


def _flow_part(flow_part: Part, indent: int, shift: int) -> list[Line]:
    head = "" if flow_part.key is None else _key(flow_part.key) + (":" if flow_part.has_colon else "")
    if flow_part.value is None:
        return [Line(f"{head} " if flow_part.has_colon and head else head)]  # `a:,` could not be read
    inner = (
        _leaf(flow_part.value, indent)
        if isinstance(flow_part.value, Leaf)
        else _flow(flow_part.value, indent, shift)  # type: ignore[arg-type]  # no block stands between brackets
    )
    inner[0].text = f"{head} {inner[0].text}" if head else inner[0].text
    return inner


class SentenceLine(NamedTuple):
    """A line of an effect: its words, escaped for the style of the scalar, and the comment behind them."""

    words: str
    comment: Comment | None


def canonical_lines(scalar: Scalar) -> list[SentenceLine] | None:
    """Return the formatted lines of an effect; None if it has errors, and so is left as it is.

    Words stay on their lines, so that the designer's line breaks are kept.
    """
    effect = readable(scalar)
    offsets = scalar.as_text().offsets
    if effect is None or offsets is None:
        return None
    breaks = [match.start() for match in BREAK.finditer(scalar.file.text, scalar.start, scalar.parsed_end)]
    body = without_comments(scalar.text) if scalar.style == "|" else scalar.text
    old = [(piece.group(), bisect_right(breaks, offsets[piece.start()])) for piece in PIECE.finditer(body)]
    words: dict[int, str] = {}
    for line, text in _on_lines(old, print_effect(effect)):
        words[line] = words[line] + text if line in words else text.lstrip(" ")
    comments = dict(_comments_by_line(scalar, body, offsets, breaks))
    rows = sorted(words.keys() | comments.keys())
    lines: list[SentenceLine] = []
    for row, row_before in zip(rows, [rows[0], *rows], strict=False):
        if row - row_before > 1:
            lines.append(SentenceLine("", None))
        lines.append(SentenceLine(escaped_for(words.get(row, ""), scalar.style), comments.get(row)))
    return lines


def readable(scalar: Scalar) -> Effect | None:
    """Return the tree of an effect that can be printed again without loss; None if it has errors."""
    effect, _ = parse_effect(scalar.text, scalar.style == "|")
    if effect is None or any(filter_problems(list(walk(effect)))):
        return None
    return effect


def comments_of(scalar: Scalar) -> list[str]:
    """Return the comments inside an effect."""
    if scalar.style != "|":
        return []
    body = without_comments(scalar.text)
    return [comment for comment, _ in _comments(scalar.text, body)]


def _on_lines(old: list[tuple[str, int]], canonical: str) -> Iterator[tuple[int, str]]:
    """Yield the canonical words, each with its line and with the blank before it."""
    pieces = list(PIECE.finditer(canonical))
    new = [piece.group() for piece in pieces]
    end_before = 0
    line = old[0][1]
    places = _places(old, new)
    for number, piece in enumerate(pieces):
        blank = canonical[end_before : piece.start()]
        end_before = piece.end()
        if blank or number == 0:  # what is glued to the word before it stays on its line
            line = max(line, places[number])
        yield line, blank + piece.group()


def _places(old: list[tuple[str, int]], new: list[str]) -> list[int]:
    """Return for each new word the line of the old word that it matches or replaces."""
    places: list[int] = []
    matcher = SequenceMatcher(None, [word for word, _ in old], new, autojunk=False)
    for _, first, last, begin, end in matcher.get_opcodes():
        for number in range(begin, end):
            line_index = min(first + number - begin, max(last - 1, first))
            places.append(old[min(line_index, len(old) - 1)][1])
    return places


def _comments(text: str, body: str) -> Iterator[tuple[str, int]]:
    """Yield each comment of a block with its offset; ``body`` is the text with blanks in their place."""
    offset = 0
    for line in text.splitlines(keepends=True):
        bare = body[offset : offset + len(line)]
        start = next((n for n, (a, b) in enumerate(zip(line, bare, strict=True)) if a != b), None)
        if start is not None:
            yield line[start:].strip(), offset + start
        offset += len(line)


def _comments_by_line(
    scalar: Scalar, body: str, offsets: tuple[int, ...], breaks: list[int]
) -> Iterator[tuple[int, Comment]]:
    """Yield the comments of an effect with their lines."""
    if scalar.style != "|":
        return
    text = scalar.file.text
    for comment, index in _comments(scalar.text, body):
        offset = offsets[index]
        row = bisect_right(breaks, offset)
        start = line_start(text, offset)
        gap = offset - start - len(text[start:offset].rstrip(" \t"))
        yield row, Comment(comment, offset - start, gap)


class Line(Struct):
    """A line without its end.

    ``shift`` is how far its comment moves with the indentation. ``is_free`` lines are comments, and blank
    lines that may go. Below a line that ``keeps`` them, blank lines would become a part of its text.
    """

    text: str
    comment: Comment | None = None
    shift: int = 0
    is_free: bool = False
    keeps: bool = False


def free_lines(lines: list[str], indent: int) -> list[Line]:
    """Return comments and blank lines with an indentation."""
    return [Line(" " * indent + line if line else "", is_free=True) for line in lines]


def without_spare_blanks(lines: list[Line]) -> list[Line]:
    """Return the lines without blank ones at both ends and two in a row, except those inside of texts."""
    kept_lines: list[Line] = []
    for line in lines:
        line_before = kept_lines[-1] if kept_lines else None
        spare = line_before is None or line_before.keeps or (line_before.is_free and not line_before.text)
        if not (spare and line.is_free and not line.text):
            kept_lines.append(line)
    while kept_lines and kept_lines[-1].is_free and not kept_lines[-1].text:
        kept_lines.pop()
    return kept_lines


def with_comments(lines: list[Line]) -> Iterator[str]:
    """Yield the lines with their comments: those that were aligned stay so, at least two blanks away."""
    for column, group in groupby(lines, key=lambda line: line.comment.column if line.comment else -1):
        together = list(group)
        if column < 0:
            yield from (line.text for line in together)
            continue
        longest = max(len(line.text) for line in together)
        comment_column = max(column + line.shift for line in together)
        comment_column = comment_column if comment_column > longest else longest + 2
        for line in together:
            assert line.comment is not None
            gap = comment_column - len(line.text)
            if len(together) == 1 and line.comment.gap <= 2:
                gap = max(line.comment.gap, 1)
            yield (line.text + " " * gap if line.text.strip() else line.text) + line.comment.text
