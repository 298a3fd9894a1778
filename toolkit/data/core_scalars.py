"""What a plain scalar means in YAML 1.2 (core schema): ``no`` and ``on`` are words, ``010`` is 10."""

from __future__ import annotations

import re

_NUMBER_BEGINS = frozenset("0123456789+-.")
WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
"""The words that are no strings."""
_INTEGER = r"[-+]?[0-9]+"
_OCTAL = r"0o[0-7]+"
_HEXADECIMAL = r"0x[0-9a-fA-F]+"
_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_INFINITE = r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_LONGEST_NUMBER = 300


def resolve_plain(text: str) -> str | int | float | bool | None:
    """The value of a plain scalar. What is no number, no true or false and no null is a string."""
    if text[:1] not in _NUMBER_BEGINS:
        return WORDS.get(text, text)
    if len(text) > _LONGEST_NUMBER:  # nobody means such a number, and Python refuses to read very long ones
        return text
    if (text.isdigit() and text.isascii()) or re.fullmatch(_INTEGER, text):
        return int(text)
    if re.fullmatch(_OCTAL, text):
        return int(text[2:], 8)
    if re.fullmatch(_HEXADECIMAL, text):
        return int(text[2:], 16)
    if re.fullmatch(_FLOAT, text):
        return float(text)
    if re.fullmatch(_INFINITE, text):
        return float(text.replace(".", ""))
    return text
