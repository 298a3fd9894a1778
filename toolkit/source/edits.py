"""Edits of a text: stretches and what replaces them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


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
