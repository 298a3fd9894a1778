"""A key with its value, or an item of a list, taken out of a file or put into it: as whole lines, or as what
stands between two commas."""

from __future__ import annotations

import re

from toolkit.source.files import Span

_KEY_BEFORE = r"""(?<![\w-])["']?{key}["']?[ \t]*:\s*$"""


def removal(span: Span) -> Span | None:
    """What goes with a key and its value, or with an item and its dash: its line, or one comma.

    None where something else stands there too, such as a comment.
    """
    text = span.file.text
    line = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    behind = re.compile(r"[ \t]*(\r\n|\r|\n|\Z)").match(text, span.end)
    if behind and re.fullmatch(r"[ \t]*(?:- +)?", text[line : span.start]):
        is_item = "-" in text[line : span.start]
        return span.beside(line, behind.end()) if not is_item or _is_whole_item(span) else None
    before = len(text[: span.start].rstrip(" \t"))
    if text[before - 1 : before] == ",":
        return span.beside(before - 1, span.end)
    comma = re.compile(r"[ \t]*,[ \t]*").match(text, span.end)
    return span.beside(span.start, comma.end()) if comma and text[before - 1] in "[{" else None


def _is_whole_item(span: Span) -> bool:
    """Whether what stands behind a dash is a word and no key, which others may follow."""
    return not re.search(r":(\s|$)", span.text)


def with_key(value: Span, key: str) -> Span | None:
    """A value together with its key; None if the key cannot be told."""
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
