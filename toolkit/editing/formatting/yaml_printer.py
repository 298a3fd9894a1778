"""From a concrete tree to text: two spaces for each level, one behind a colon, comments where they were."""

from __future__ import annotations

import operator
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import dropwhile, groupby
from typing import NamedTuple

from msgspec import Struct

from toolkit.data.yaml.nodes import Scalar
from toolkit.dsl.checking import filter_problems
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.mistakes.typing_mistakes import PIECE
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


def print_concrete_tree(tree: ConcreteTree) -> str:
    """Return the text of a file, with ``\\n`` at the end of each line."""
    lines = [*free_lines(tree.head, 0), *_block(tree.root, 0)]
    return "".join(f"{text}\n" for text in with_comments(without_spare_blanks(lines)))


# blocks


def _block(block: Block, indent: int) -> list[Line]:
    """Return the lines of a block, without blank ones at its beginning."""
    lines: list[Line] = []
    for number, part in enumerate(block.parts):
        is_first = number == 0
        leading = dropwhile(operator.not_, part.leading) if is_first else part.leading
        lines += free_lines(leading, indent)
        lines += _part(part, indent)
    return lines + free_lines(block.dangling, indent)


def _part(part: Part, indent: int) -> list[Line]:
    """Return the lines of a key or dash with its value, without the comments above it."""
    head = " " * indent + (f"{_key(part.key)}:" if part.key is not None else "-")
    shift = indent - part.column
    value = part.value
    if value is None:
        return [Line(head, part.trailing or part.comment, shift)]
    if isinstance(value, Block):
        lines = _block(value, indent + STEP)
        first_line, *_ = lines
        if part.key is None and not part.comment and not first_line.is_free:  # `- key: value`
            first_line.text = f"{head} {first_line.text[indent + STEP :]}"
            return lines
        return [Line(head, part.comment, shift), *lines]
    if isinstance(value, Leaf):
        lines = _value_lines(value, indent)
        last_line = lines[-1]
        if last_line.comment is None and part.trailing is not None:
            last_line.comment, last_line.shift = part.trailing, shift
    else:
        lines = _bracket_lines(value, indent + STEP if _begins_a_line(part) else indent, shift)
        last_line = lines[-1]
        last_line.comment = part.trailing
    first_line, *_ = lines
    if _begins_a_line(part):
        first_line.text = " " * (indent + STEP) + first_line.text
        return [Line(head, part.comment, shift), *free_lines(part.before_value, indent + STEP), *lines]
    first_line.text = f"{head} {first_line.text}"
    return lines


def _begins_a_line(part: Part) -> bool:
    """Whether a value stays on a line below its key; a bracket moves up unless comments are between."""
    return part.on_own_line and bool(isinstance(part.value, Leaf) or part.comment or part.before_value)


def _key(key: Scalar) -> str:
    """Return a key as it was written, or without quotes if it does not need them."""
    is_word = _WORD.fullmatch(key.text) and resolve_plain(key.text) == key.text
    return key.text if is_word and key.text.lower() not in _BOOLEANS else key.file.text[key.start : key.end]


def _value_lines(leaf: Leaf, indent: int) -> list[Line]:
    """Return the lines of a value, the first one without indentation."""
    sentences = canonical_lines(leaf.scalar) if leaf.is_effect else None
    if sentences is None:
        first_text, following_texts = written(leaf.scalar, indent)
        lines = [Line(first_text), *map(Line, following_texts)]
        lines[-1].absorbs_blank_lines = keeps_blank_lines(leaf.scalar)
        return lines
    margin = " " * (indent + STEP)
    body = []
    for sentence in sentences:
        is_blank = not sentence.words and sentence.comment is None
        body.append(Line("" if is_blank else f"{margin}{sentence.words}", sentence.comment))
    first_line, last_line = body[0], body[-1]
    if leaf.scalar.style in ("|", ">"):
        sign, comment = header_of(leaf.scalar)
        text_start, *_ = leaf.scalar.as_text().offsets or (0,)
        column = text_start - line_start(leaf.scalar.file.text, text_start)
        for line in body:
            line.shift = len(margin) - column
        last_line.absorbs_blank_lines = keeps_blank_lines(leaf.scalar)
        return [Line(f"{sign}  {comment}" if comment else sign), *body]
    quote = leaf.scalar.style
    first_line.text = quote + first_line.text.lstrip(" ")
    last_line.text += quote
    return body


# brackets


def _bracket_lines(flow: Flow, indent: int, shift: int) -> list[Line]:
    """Return the lines of a mapping or list in brackets, which are broken where they were.

    ``indent`` is that of its closing bracket; ``shift`` is how far the line moves in which it begins.
    """
    opening, closing = "{}" if flow.is_mapping else "[]"
    # where the first part begins a line, the closing bracket does too
    first_part = next(iter(flow.parts), None)
    first_begins_line = first_part is not None and bool(first_part.on_own_line or first_part.leading)
    is_spread = bool(flow.comment) or first_begins_line
    lines = [Line(opening, flow.comment, shift)]
    for number, part in enumerate(flow.parts):
        lines += free_lines([line for line in part.leading if line], indent + STEP)
        line_before = lines[-1]
        begins_line = part.on_own_line or line_before.is_free or bool(line_before.comment)
        shift = indent + STEP - part.column if begins_line else shift
        first_line, *further_lines = _bracketed_part_lines(part, indent + STEP, shift)
        if begins_line:
            first_line.text = " " * (indent + STEP) + first_line.text
            lines.append(first_line)
        else:
            is_behind_another = number > 0
            line_before.text += f" {first_line.text}" if is_behind_another else first_line.text
            line_before.comment = first_line.comment
        lines += further_lines
        last_line = lines[-1]
        is_last_part = number + 1 == len(flow.parts)
        keeps_final_comma = flow.comma and is_spread
        if not is_last_part or keeps_final_comma:
            last_line.text += ","
        last_line.comment = part.trailing or last_line.comment
        last_line.shift = shift
    lines += free_lines([line for line in flow.dangling if line], indent + STEP)
    last_line = lines[-1]
    if is_spread or last_line.is_free or last_line.comment:
        lines.append(Line(" " * indent + closing, shift=shift))
    else:
        last_line.text += closing
    return lines


def _bracketed_part_lines(part: Part, indent: int, shift: int) -> list[Line]:
    """Return the lines of a part in brackets, with its key."""
    head = "" if part.key is None else _key(part.key) + (":" if part.has_colon else "")
    if part.value is None:
        return [Line(f"{head} " if part.has_colon and head else head)]  # `a:,` could not be read
    if isinstance(part.value, Leaf):
        lines = _value_lines(part.value, indent)
    else:
        lines = _bracket_lines(part.value, indent, shift)  # type: ignore[arg-type]  # no block stands between brackets
    if head:
        first_line, *_ = lines
        first_line.text = f"{head} {first_line.text}"
    return lines


class SentenceLine(NamedTuple):
    """A line of an effect: its words, escaped for the style of the scalar, and the comment behind them."""

    words: str
    comment: Comment | None


class PlacedWord(NamedTuple):
    """A word of an effect, and in which line of the scalar it stands, counted from the first one."""

    word: str
    row: int


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
    old_words = [
        PlacedWord(word.group(), row=bisect_right(breaks, offsets[word.start()]))
        for word in PIECE.finditer(body)
    ]
    texts: dict[int, str] = {}
    for text, row in _on_rows(old_words, print_effect(effect)):
        texts[row] = texts[row] + text if row in texts else text.lstrip(" ")
    comments = dict(_comments_by_row(scalar, body, offsets, breaks))
    lines: list[SentenceLine] = []
    row_before: int | None = None
    for row in sorted(texts.keys() | comments.keys()):
        if row_before is not None and row - row_before > 1:  # of several blank lines one stays
            lines.append(SentenceLine("", None))
        lines.append(SentenceLine(escaped_for(texts.get(row, ""), scalar.style), comments.get(row)))
        row_before = row
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


def _on_rows(old_words: list[PlacedWord], canonical: str) -> Iterator[PlacedWord]:
    """Yield the canonical words, each with its line and with the blank before it."""
    matches = list(PIECE.finditer(canonical))
    rows = _matching_rows(old_words, [match.group() for match in matches])
    end_before = 0
    row = 0
    for match, matching_row in zip(matches, rows, strict=True):
        blank = canonical[end_before : match.start()]
        is_first = end_before == 0
        end_before = match.end()
        if blank or is_first:  # what is glued to the word before it stays on its line
            row = max(row, matching_row)
        yield PlacedWord(blank + match.group(), row)


def _matching_rows(old_words: list[PlacedWord], words: list[str]) -> list[int]:
    """Return for each new word the line of the old word that it matches or replaces.

    Of more new words than they replace the further ones go with the last of those.
    """
    rows: list[int] = []
    matcher = SequenceMatcher(None, [old_word.word for old_word in old_words], words, autojunk=False)
    for _, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        for number in range(new_end - new_start):
            old_index = min(old_start + number, max(old_end - 1, old_start), len(old_words) - 1)
            rows.append(old_words[old_index].row)
    return rows


def _comments(text: str, body: str) -> Iterator[tuple[str, int]]:
    """Yield each comment of a block with its offset; ``body`` is the text with blanks in their place."""
    offset = 0
    for line in text.splitlines(keepends=True):
        blanked = body[offset : offset + len(line)]
        is_blanked = [char != blank for char, blank in zip(line, blanked, strict=True)]
        if True in is_blanked:
            start = is_blanked.index(True)
            yield line[start:].strip(), offset + start
        offset += len(line)


def _comments_by_row(
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
    lines that may go. ``absorbs_blank_lines``: those below it would become a part of its text.
    """

    text: str
    comment: Comment | None = None
    shift: int = 0
    is_free: bool = False
    absorbs_blank_lines: bool = False


def free_lines(lines: Iterable[str], indent: int) -> list[Line]:
    """Return comments and blank lines with an indentation."""
    return [Line(" " * indent + line if line else "", is_free=True) for line in lines]


def without_spare_blanks(lines: list[Line]) -> list[Line]:
    """Return the lines without blank ones at both ends and two in a row, except those inside of texts."""
    result: list[Line] = []
    line_before: Line | None = None
    for line in lines:
        needs_no_other = line_before is None or line_before.absorbs_blank_lines or _is_blank(line_before)
        if needs_no_other and _is_blank(line):
            continue
        result.append(line)
        line_before = line
    while result and _is_blank(result[-1]):
        result.pop()
    return result


def _is_blank(line: Line) -> bool:
    """Whether a line is a blank one that belongs to no text."""
    return line.is_free and not line.text


def with_comments(lines: list[Line]) -> Iterator[str]:
    """Yield the lines with their comments: those that were aligned stay so, at least two blanks away."""

    def comment_column_of(line: Line) -> int | None:
        return line.comment.column if line.comment else None

    for column, group in groupby(lines, key=comment_column_of):
        aligned_lines = list(group)
        if column is None:
            yield from (line.text for line in aligned_lines)
            continue
        longest = max(len(line.text) for line in aligned_lines)
        comment_column = max(column + line.shift for line in aligned_lines)
        comment_column = comment_column if comment_column > longest else longest + 2
        for line in aligned_lines:
            assert line.comment is not None
            gap = comment_column - len(line.text)
            if len(aligned_lines) == 1 and line.comment.gap <= 2:  # it was not aligned but close to its text
                gap = max(line.comment.gap, 1)
            yield (line.text + " " * gap if line.text.strip() else line.text) + line.comment.text
