"""The edit of a file after which a scalar says something else, in the style in which it is written."""

from __future__ import annotations

import re

from toolkit.source.edits import Edit
from toolkit.source.scalars import ScalarText, scalar_offsets

_NOT_PLAIN = r": |:$| #|^[-?:] |^[,\[\]{}#&*!|>'\"%@`]|^\s|\s$|[\r\n\t]"
_FLOW_SIGNS = r"[,\[\]{}]"


def rewritten(scalar: ScalarText, start: int, end: int, text: str) -> Edit | None:
    """The edit after which ``value[start:end]`` is ``text``; None where that cannot be told.

    A word that is taken away takes one space along. A plain scalar that could not hold the new text is put
    in double quotes. The edit was tried: read again, the scalar has exactly the new value.
    """
    if not 0 <= start <= end <= len(scalar.value) or "\n" in text:
        return None
    if not text:
        start, end = _with_space(scalar.value, start, end)
    wanted = scalar.value[:start] + text + scalar.value[end:]
    place = scalar.locate(start, end)
    edit = Edit(place.start, place.end, in_style(text, scalar.style))
    if scalar.style == "" and not _stays_plain(scalar, wanted, text):
        return Edit(scalar.span.start, scalar.span.end, quoted(wanted)) if wanted.isprintable() else None
    return edit if scalar.offsets is not None and _is_read_as(scalar, edit, wanted) else None


def in_style(text: str, style: str) -> str:
    """How a piece of text is written within a scalar of a style."""
    if style == "'":
        return text.replace("'", "''")
    return text.replace("\\", "\\\\").replace('"', '\\"') if style == '"' else text


def quoted(text: str) -> str:
    """A text as a scalar between double quotes."""
    return f'"{in_style(text, chr(34))}"'


def _with_space(value: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with a space before it, or else behind it."""
    if start > 0 and value[start - 1] == " ":
        return start - 1, end
    return (start, end + 1) if value[end : end + 1] == " " else (start, end)


def _stays_plain(scalar: ScalarText, wanted: str, text: str) -> bool:
    """Whether a plain scalar can hold the new text where it stands."""
    if not wanted or re.search(_NOT_PLAIN, wanted):
        return False
    behind = scalar.span.file.text[scalar.span.end :].lstrip()[:1]
    return behind not in (",", "]", "}") or not re.search(_FLOW_SIGNS, text)


def _is_read_as(scalar: ScalarText, edit: Edit, wanted: str) -> bool:
    """Whether the scalar is read as ``wanted`` after the edit."""
    begin, reach = scalar.span.start, scalar.reach
    after = (
        scalar.span.file.text[begin : edit.start] + edit.replacement + scalar.span.file.text[edit.end : reach]
    )
    return scalar_offsets(after, 0, len(after), scalar.style, wanted) is not None
