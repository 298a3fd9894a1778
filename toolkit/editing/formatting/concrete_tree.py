"""The concrete syntax tree of a YAML file: keys, items and values in file order, with every comment."""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct, field

from toolkit.data.yaml.nodes import Scalar
from toolkit.source.files import line_start


class Comment(NamedTuple):
    """A comment at the end of a line: its text from ``#`` on, its column from 0, the blanks before it."""

    text: str
    column: int
    gap: int


class Leaf(Struct):
    """A single value; ``is_effect`` if it is a text of the effect language."""

    scalar: Scalar
    is_effect: bool = False


class Part(Struct):
    """A key with its value, or an item of a list.

    ``leading`` are the lines of comments above it, ``""`` for blank ones. ``key`` is None for an item;
    ``column`` is where the part begins in its line. If the value begins on a later line, ``comment`` is the
    one behind the key or dash, and ``before_value`` are those on lines of their own before the value.
    ``trailing`` is the comment behind the value. ``on_own_line``: the value begins on a line of its own; in
    brackets the part does.
    """

    leading: list[str]
    column: int
    key: Scalar | None = None
    value: Value | None = None
    comment: Comment | None = None
    before_value: list[str] = field(default_factory=list)
    trailing: Comment | None = None
    on_own_line: bool = False
    has_colon: bool = True


class Block(Struct):
    """A mapping or list by lines and indentation; ``dangling`` are the comment lines behind its last part."""

    parts: list[Part]
    is_mapping: bool
    dangling: list[str]


class Flow(Struct):
    """A mapping or list in brackets.

    ``comment`` stands behind the opening bracket, ``dangling`` are the comments before the closing one;
    ``comma`` says whether there is one behind the last part.
    """

    parts: list[Part]
    is_mapping: bool
    comment: Comment | None = None
    dangling: list[str] = field(default_factory=list)
    comma: bool = False


Value = Leaf | Block | Flow


class ConcreteTree(Struct):
    """A whole file: ``head`` are the lines above its first key, which may include ``---``."""

    head: list[str]
    root: Block


STEP = 2
"""Spaces of indentation for each level."""

BREAK = re.compile(r"\r\n|\r|\n")
_HEADER = re.compile(
    r"(?P<sign>[|>])(?P<chomping>[+-]?)(?P<digit>[1-9]?)(?P<late_chomping>[+-]?)[ \t]*(?P<comment>#[^\r\n]*)?"
)


def end_of(scalar: Scalar) -> int:
    """Return where the text of a scalar ends: behind its last character that is no line end.

    The blank lines at the end of a block with ``+`` belong to its text.
    """
    if scalar.style not in ("|", ">"):
        return scalar.end
    header_end = _header(scalar).end()
    if keeps_blank_lines(scalar):
        return _end_with_blank_lines(scalar, header_end)
    offsets = scalar.as_text().offsets or ()
    text_offsets = [offset for char, offset in zip(scalar.text, offsets, strict=False) if char != "\n"]
    return text_offsets[-1] + 1 if text_offsets else header_end


def _end_with_blank_lines(scalar: Scalar, header_end: int) -> int:
    """Return where a block with ``+`` ends: before the line end of its last line, which may be blank."""
    text, end = scalar.file.text, scalar.parsed_end
    last_line = line_start(text, end)
    if not text[last_line:end].strip(" "):
        end = last_line  # without the indent of what follows
    for line_end in ("\r\n", "\n", "\r"):
        if end > header_end and text.endswith(line_end, 0, end):
            return end - len(line_end)
    return end


def written(scalar: Scalar, indent: int) -> tuple[str, list[str]]:
    """Return a scalar unchanged but for its indentation: the text behind its key or dash, and further lines.

    ``indent`` is the column of the key or dash. Raises ``ValueError`` if its lines cannot be located.
    """
    if scalar.style in ("|", ">"):
        return _block(scalar, indent)
    first_line, *following_lines = BREAK.split(scalar.file.text[scalar.start : scalar.end])
    margin = " " * (indent + STEP)
    if not following_lines:
        return first_line, []
    lines = [f"{margin}{_trimmed(line)}" if line.strip(" \t") else "" for line in following_lines]
    return _trimmed(first_line), lines


def header_of(scalar: Scalar) -> tuple[str, str]:
    """Return the sign and chomping of a block, and the comment behind them."""
    header = _header(scalar)
    chomping = header["chomping"] or header["late_chomping"]
    return f"{header['sign']}{chomping}", (header["comment"] or "").rstrip()


def keeps_blank_lines(scalar: Scalar) -> bool:
    """Whether blank lines behind a scalar are a part of its text."""
    if scalar.style not in ("|", ">"):
        return False
    sign_and_chomping, _comment = header_of(scalar)
    return sign_and_chomping.endswith("+")


def _header(scalar: Scalar) -> re.Match[str]:
    """Return the header of a block scalar. Raises ``ValueError`` if it has none."""
    match = _HEADER.match(scalar.file.text, scalar.start)
    if match is None:
        raise ValueError("a block without its header")
    return match


def _trimmed(line: str) -> str:
    """Return a line of a folded text without blanks at both ends, which YAML ignores unless escaped."""
    short = line.strip(" \t")
    return line.lstrip(" \t") if short.endswith("\\") else short


def _block(scalar: Scalar, indent: int) -> tuple[str, list[str]]:
    """Return the header of a ``|`` or ``>`` block and its lines with their new indentation."""
    header = _header(scalar)
    sign_and_chomping, comment = header_of(scalar)
    digit = header["digit"]
    offsets = scalar.as_text().offsets
    if offsets is None:
        raise ValueError("a block that cannot be read again")
    text = scalar.file.text
    new_indent = indent + (int(digit) if digit else STEP)
    _rest_of_header, *lines = BREAK.split(text[header.end() : end_of(scalar)])
    # A block at the end of a file without a last line end has none either. The formatter adds one to the
    # file, and `-` keeps it out of the text.
    lacks_line_end = scalar.text != "" and not scalar.text.endswith("\n")
    chomping = "-" if lacks_line_end else sign_and_chomping.removeprefix(header["sign"])
    header_text = f"{header['sign']}{digit}{chomping}" + (f"  {comment}" if comment else "")
    text_offsets = (offset for char, offset in zip(scalar.text, offsets, strict=True) if char != "\n")
    text_start = next(text_offsets, None)
    if text_start is None:  # it has blank lines only
        return header_text, [""] * len(lines)
    old_indent = text_start - line_start(text, text_start)
    return header_text, [_reindented(line, old_indent, new_indent) for line in lines]


def _reindented(line: str, old_indent: int, new_indent: int) -> str:
    """Return a line of a block with another indent, blank ones without any; raises ``ValueError``."""
    if line[:old_indent].strip(" "):
        raise ValueError("a line that is indented less than its block")
    return " " * new_indent + line[old_indent:] if line[old_indent:] else ""
