"""Texts with a mark where the cursor is."""

from __future__ import annotations

MARK = "¦"


def cut(text: str) -> tuple[str, int]:
    """The text without its mark, and the offset of it."""
    offset = text.index(MARK)
    return text.replace(MARK, "", 1), offset
