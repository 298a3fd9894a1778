"""Edits of a text: stretches and what replaces them; keys put in or taken out, and scalars rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from toolkit.source.files import Span
from toolkit.source.scalars import ScalarText, scalar_offsets

_KEY_BEFORE = r"""(?<![\w-])["']?{key}["']?[ \t]*:\s*$"""
_NOT_PLAIN = r": |:$| #|^[-?:] |^[,\[\]{}#&*!|>'\"%@`]|^\s|\s$|[\r\n\t]"
_FLOW_SIGNS = r"[,\[\]{}]"


class Edit(NamedTuple):
    """``replacement`` comes in place of the characters from ``start`` to ``end``, the end exclusive."""

    start: int
    end: int
    replacement: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap, in any order. Raises ``ValueError`` where two overlap."""
    parts = []
    at = 0
    for start, end, replacement in sorted(edits):
        if not at <= start <= end <= len(text):
            raise ValueError(f"the edit of {start} to {end} overlaps another, or lies outside the text")
        parts += [text[at:start], replacement]
        at = end
    return "".join([*parts, text[at:]])


def overlap(one: Edit, other: Edit) -> bool:
    """Whether two edits touch the same place: they share a character, or one begins where the other does."""
    return one.start == other.start or (one.start < other.end and other.start < one.end)


def removal(span: Span) -> Span | None:
    """What goes with a key and its value, or with an item and its dash: its line, or one comma.

    None where something else stands there too, such as a comment.
    """
    text = span.file.text
    line = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    behind = re.compile(r"[ \t]*(\r\n|\r|\n|\Z)").match(text, span.end)
    if behind and re.fullmatch(r"[ \t]*(?:- +)?", text[line : span.start]):
        is_item = "-" in text[line : span.start]
        has_key = re.search(r":(\s|$)", span.text)  # which other keys may follow
        return span.beside(line, behind.end()) if not is_item or not has_key else None
    before = len(text[: span.start].rstrip(" \t"))
    if text[before - 1 : before] == ",":
        return span.beside(before - 1, span.end)
    comma = re.compile(r"[ \t]*,[ \t]*").match(text, span.end)
    return span.beside(span.start, comma.end()) if comma and text[before - 1] in "[{" else None


def with_key(value: Span, key: str) -> Span | None:
    """A value together with its key; None if the key is not found."""
    found = re.search(_KEY_BEFORE.format(key=re.escape(key)), value.file.text[: value.start])
    return value.beside(found.start(), value.end) if found else None


def insertion(key: Span, written: str) -> str:
    """What to write at the place of a key so that another key with its value stands before it."""
    text = key.file.text
    before = text[: key.start].rstrip(" \t\r\n")[-1:]
    if before in ("{", ","):
        return f"{written}, "
    column = key.begin_position.column - 1
    found = re.search(r"\r\n|\r|\n", text)
    return f"{written}{found[0] if found else chr(10)}{' ' * column}"


def rewritten(scalar: ScalarText, start: int, end: int, text: str) -> Edit | None:
    """The edit after which ``value[start:end]`` is ``text``; None where no such edit is certain.

    A word that is taken away takes one space along. A plain scalar that could not hold the new text is put
    in double quotes. The edit was tried: read again, the scalar has exactly the new value.
    """
    if not 0 <= start <= end <= len(scalar.value) or "\n" in text:
        return None
    if not text and start > 0 and scalar.value[start - 1] == " ":
        start -= 1
    elif not text and scalar.value[end : end + 1] == " ":
        end += 1
    wanted = scalar.value[:start] + text + scalar.value[end:]
    place = scalar.locate(start, end)
    edit = Edit(place.start, place.end, in_style(text, scalar.style))
    if scalar.style == "" and not _stays_plain(scalar, wanted, text):
        return Edit(scalar.span.start, scalar.span.end, quoted(wanted)) if wanted.isprintable() else None
    if scalar.offsets is None:
        return None
    file = scalar.span.file.text
    after = file[scalar.span.start : edit.start] + edit.replacement + file[edit.end : scalar.reach]
    return edit if scalar_offsets(after, 0, len(after), scalar.style, wanted) is not None else None


def in_style(text: str, style: str) -> str:
    """How a piece of text is written within a scalar of a style."""
    if style == "'":
        return text.replace("'", "''")
    return text.replace("\\", "\\\\").replace('"', '\\"') if style == '"' else text


def quoted(text: str) -> str:
    """A text as a scalar between double quotes."""
    return f'"{in_style(text, chr(34))}"'


def _stays_plain(scalar: ScalarText, wanted: str, text: str) -> bool:
    """Whether a plain scalar can hold the new text where it stands."""
    if not wanted or re.search(_NOT_PLAIN, wanted):
        return False
    behind = scalar.span.file.text[scalar.span.end :].lstrip()[:1]
    return behind not in (",", "]", "}") or not re.search(_FLOW_SIGNS, text)
