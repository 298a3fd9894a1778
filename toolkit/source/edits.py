"""Text edits, and those of YAML that keep the rest of the file as it is: keys, list items, scalars."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from toolkit.source.files import Span, line_start
from toolkit.source.scalars import ScalarText, scalar_offsets
from toolkit.source.short_repr import short_repr
from toolkit.source.yaml_scalars import can_be_plain, escaped_for, quoted

_KEY_BEFORE = r"""(?<![\w-])["']?{key}["']?[ \t]*:\s*$"""


class Edit(NamedTuple):
    """``replacement`` replaces the characters from ``start`` to ``end``, the end exclusive."""

    start: int
    end: int
    replacement: str

    def __repr__(self) -> str:
        return short_repr(self, self._asdict().items())


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return the text after edits, given in any order. Raises ``ValueError`` if two overlap."""
    parts = []
    offset = 0
    for start, end, replacement in sorted(edits):
        if not offset <= start <= end <= len(text):
            raise ValueError(f"the edit of {start} to {end} overlaps another, or lies outside the text")
        parts += [text[offset:start], replacement]
        offset = end
    return "".join([*parts, text[offset:]])


def overlap(edit: Edit, other_edit: Edit) -> bool:
    """Whether two edits conflict: they share a character, or begin at the same offset."""
    return edit.start == other_edit.start or (edit.start < other_edit.end and other_edit.start < edit.end)


def removal(span: Span) -> Span | None:
    """Return what to delete with a key and its value, or with a list item: the whole line, or one comma.

    None where something else is on the line, such as a comment.
    """
    text = span.file.text
    line_begin = line_start(text, span.start)
    rest_of_line = re.compile(r"[ \t]*(\r\n|\r|\n|\Z)").match(text, span.end)
    before_on_line = text[line_begin : span.start]
    if rest_of_line and re.fullmatch(r"[ \t]*(?:- +)?", before_on_line):
        # the first key of an item shares its line with the dash, which the item's other keys still need
        is_behind_dash = "-" in before_on_line
        has_key = re.search(r":(\s|$)", span.text) is not None
        if is_behind_dash and has_key:
            return None
        return span.at_offsets(line_begin, rest_of_line.end())
    preceding_end = len(text[: span.start].rstrip(" \t"))
    char_before = text[preceding_end - 1 : preceding_end]
    if char_before == ",":
        return span.at_offsets(preceding_end - 1, span.end)
    comma = re.compile(r"[ \t]*,[ \t]*").match(text, span.end)
    is_first_of_several = comma is not None and char_before in ("[", "{")
    return span.at_offsets(span.start, comma.end()) if comma and is_first_of_several else None


def with_key(value: Span, key: str) -> Span | None:
    """Return the span of a value together with its key; None if the key is not right before it."""
    match = re.search(_KEY_BEFORE.format(key=re.escape(key)), value.file.text[: value.start])
    return value.at_offsets(match.start(), value.end) if match else None


def insertion(key: Span, entry: str) -> str:
    """Return the text to insert at the start of ``key`` so that the written key and value come before it."""
    text = key.file.text
    char_before = text[: key.start].rstrip(" \t\r\n")[-1:]
    is_in_braces = char_before in ("{", ",")
    if is_in_braces:
        return f"{entry}, "
    first_line_end = re.search(r"\r\n|\r|\n", text)
    line_end = first_line_end[0] if first_line_end else "\n"
    indent = " " * (key.begin_position.column - 1)
    return f"{entry}{line_end}{indent}"


def rewritten(scalar: ScalarText, start: int, end: int, text: str) -> Edit | None:
    """Return the edit that replaces ``value[start:end]`` by ``text``; None if it cannot be made safely.

    With a deleted word one space is deleted. A plain scalar that cannot hold the new text is put in double
    quotes. The result has been verified: the edited scalar is read again and has exactly the new value.
    """
    if not 0 <= start <= end <= len(scalar.value) or "\n" in text:
        return None
    if not text and start > 0 and scalar.value[start - 1] == " ":
        start -= 1
    elif not text and scalar.value[end : end + 1] == " ":
        end += 1
    new_value = scalar.value[:start] + text + scalar.value[end:]
    span = scalar.locate(start, end)
    edit = Edit(span.start, span.end, escaped_for(text, scalar.style))
    if scalar.style == "" and not _stays_plain(scalar, new_value):
        whole_scalar = Edit(scalar.span.start, scalar.span.end, quoted(new_value))
        return whole_scalar if new_value.isprintable() else None  # a control character would need an escape
    if scalar.offsets is None:  # it is not known where its characters stand in the file
        return None
    file_text = scalar.span.file.text
    text_before = file_text[scalar.span.start : edit.start]
    edited_scalar = text_before + edit.replacement + file_text[edit.end : scalar.parsed_end]
    offsets = scalar_offsets(edited_scalar, 0, len(edited_scalar), scalar.style, new_value)
    return edit if offsets is not None else None


def _stays_plain(scalar: ScalarText, value: str) -> bool:
    """Whether a plain scalar can hold another value where it stands."""
    next_char = scalar.span.file.text[scalar.span.end :].lstrip()[:1]
    return can_be_plain(value, in_flow=next_char in (",", "]", "}"))
