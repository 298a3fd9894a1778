"""From pieces to text: two spaces for each level, one behind a colon, comments where they stood."""

from __future__ import annotations

import re

from toolkit.data.nodes import Scalar, resolve_plain
from toolkit.project.formatting.lines import Line, free_lines, with_remarks, without_spare_blanks
from toolkit.project.formatting.pieces import Block, Flow, Leaf, Part, Pieces
from toolkit.project.formatting.scalars import STEP, header_of, keeps_blank_lines, written
from toolkit.project.formatting.sentences import canonical_lines

_WORD = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_BOOLEANS = ("y", "n", "yes", "no", "on", "off")
"""Words that other readers of YAML take for true and false."""


def print_pieces(pieces: Pieces) -> str:
    """The text of a file, with ``\\n`` at the end of each line."""
    lines = [*free_lines(pieces.head, 0), *_block(pieces.root, 0)]
    return "".join(f"{text}\n" for text in with_remarks(without_spare_blanks(lines)))


# blocks


def _block(block: Block, indent: int) -> list[Line]:
    lines: list[Line] = []
    for number, part in enumerate(block.parts):
        above = part.above
        while number == 0 and above and not above[0]:
            above = above[1:]
        lines += free_lines(above, indent)
        lines += _part(part, indent)
    return lines + free_lines(block.below, indent)


def _part(part: Part, indent: int) -> list[Line]:
    """A key or dash with its value; comments above it are printed already."""
    head = " " * indent + (f"{_key(part.key)}:" if part.key is not None else "-")
    shift = indent - part.column
    value = part.value
    if value is None:
        return [Line(head, part.behind or part.remark, shift)]
    if isinstance(value, Block):
        inner = _block(value, indent + STEP)
        if part.key is None and not part.remark and not inner[0].is_free:
            inner[0].text = f"{head} {inner[0].text[indent + STEP :]}"
            return inner
        return [Line(head, part.remark, shift), *inner]
    if isinstance(value, Leaf):
        lines = _leaf(value, indent)
        if lines[-1].remark is None and part.behind is not None:
            lines[-1].remark, lines[-1].shift = part.behind, shift
    else:
        lines = _flow(value, indent + STEP if _begins_a_line(part) else indent, shift)
        lines[-1].remark = part.behind
    if _begins_a_line(part):
        lines[0].text = " " * (indent + STEP) + lines[0].text
        return [Line(head, part.remark, shift), *free_lines(part.between, indent + STEP), *lines]
    lines[0].text = f"{head} {lines[0].text}"
    return lines


def _begins_a_line(part: Part) -> bool:
    """Whether a value stays below its key; a bracket comes up to it where no comment is between."""
    return part.broken and bool(isinstance(part.value, Leaf) or part.remark or part.between)


def _key(key: Scalar) -> str:
    """A key as it was written, or without quotes that it does not need."""
    is_word = _WORD.fullmatch(key.text) and resolve_plain(key.text) == key.text
    return key.text if is_word and key.text.lower() not in _BOOLEANS else key.file.text[key.start : key.end]


def _leaf(leaf: Leaf, indent: int) -> list[Line]:
    """A value: its first line without indentation, the others with it."""
    sentences = canonical_lines(leaf.scalar) if leaf.is_effect else None
    if sentences is None:
        first, others = written(leaf.scalar, indent)
        lines = [Line(first), *map(Line, others)]
        lines[-1].keeps = keeps_blank_lines(leaf.scalar)
        return lines
    margin = " " * (indent + STEP)
    below = [Line(f"{margin}{line.words}" if line != ("", None) else "", line.remark) for line in sentences]
    if leaf.scalar.style in ("|", ">"):
        sign, remark = header_of(leaf.scalar)
        inner = leaf.scalar.as_text().offsets or (0,)
        column = inner[0] - max(leaf.scalar.file.text.rfind(end, 0, inner[0]) for end in "\r\n") - 1
        for line in below:
            line.shift = len(margin) - column
        below[-1].keeps = keeps_blank_lines(leaf.scalar)
        return [Line(f"{sign}  {remark}" if remark else sign), *below]
    quote = leaf.scalar.style
    below[0].text = quote + below[0].text.lstrip(" ")
    below[-1].text += quote
    return below


# brackets


def _flow(flow: Flow, indent: int, shift: int) -> list[Line]:
    """A mapping or list between brackets; lines are broken where they were."""
    opening, closing = "{}" if flow.is_mapping else "[]"
    # where the first part begins a line, the closing bracket does too
    below = bool(flow.remark) or any(part.broken or part.above for part in flow.parts[:1])
    lines = [Line(opening, flow.remark, shift)]
    for number, part in enumerate(flow.parts):
        lines += free_lines([line for line in part.above if line], indent + STEP)
        begins = part.broken or lines[-1].is_free or bool(lines[-1].remark)
        shift = indent + STEP - part.column if begins else shift
        inner = _flow_part(part, indent + STEP, shift)
        if begins:
            inner[0].text = " " * (indent + STEP) + inner[0].text
            lines += inner
        else:
            lines[-1].text += (" " if number else "") + inner[0].text
            lines[-1].remark = inner[0].remark
            lines += inner[1:]
        lines[-1].text += "," if number + 1 < len(flow.parts) or (flow.comma and below) else ""
        lines[-1].remark = part.behind or lines[-1].remark
        lines[-1].shift = shift
    lines += free_lines([line for line in flow.below if line], indent + STEP)
    if below or lines[-1].is_free or lines[-1].remark:
        lines.append(Line(" " * indent + closing, shift=shift))
    else:
        lines[-1].text += closing
    return lines


def _flow_part(part: Part, indent: int, shift: int) -> list[Line]:
    head = "" if part.key is None else _key(part.key) + (":" if part.has_colon else "")
    if part.value is None:
        return [Line(f"{head} " if part.has_colon and head else head)]  # `a:,` could not be read
    inner = (
        _leaf(part.value, indent) if isinstance(part.value, Leaf) else _flow(part.value, indent, shift)  # type: ignore[arg-type]  # no block stands between brackets
    )
    inner[0].text = f"{head} {inner[0].text}" if head else inner[0].text
    return inner
