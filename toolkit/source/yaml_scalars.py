"""The values of plain YAML scalars, and the one writer of texts as scalars."""

from __future__ import annotations

import re

_NUMBER_BEGINS = frozenset("0123456789+-.")
WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
"""The plain scalars that are not strings, apart from numbers."""
_INTEGER = r"[-+]?[0-9]+"
_OCTAL = r"0o[0-7]+"
_HEXADECIMAL = r"0x[0-9a-fA-F]+"
_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_INFINITE = r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_LONGEST_NUMBER = 300


def resolve_plain(text: str) -> str | int | float | bool | None:
    """Return the value of a plain scalar: a number, a boolean, None, or else the text itself."""
    if text[:1] not in _NUMBER_BEGINS:
        return WORDS.get(text, text)
    if len(text) > _LONGEST_NUMBER:  # not meant as a number; int() raises for more than 4300 digits
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


_NOT_PLAIN = re.compile(r": |:$| #|^[-?:](?: |$)|^[,\[\]{}#&*!|>'\"%@`]|^\s|\s$|[\r\n\t]|^---|^\.\.\.|^$")
"""What a plain scalar cannot hold, or cannot begin or end with."""

_FLOW_SIGN = re.compile(r"[,\[\]{}?]")
"""What a plain scalar in braces or brackets cannot hold. YAML 1.2 allows ``?``, but PyYAML's own parser (6.0)
does not, and with it yamllint and many scripts."""


def can_be_plain(text: str, *, in_flow: bool) -> bool:
    """Whether a text can stand without quotes, whatever it is resolved to."""
    return not _NOT_PLAIN.search(text) and not (in_flow and _FLOW_SIGN.search(text))


def escaped_for(text: str, style: str) -> str:
    """Return a text with the escapes that it needs within a scalar of this style."""
    if style == "'":
        return text.replace("'", "''")
    return text.replace("\\", "\\\\").replace('"', '\\"') if style == '"' else text


def quoted(text: str) -> str:
    """Return a text as a double-quoted scalar."""
    return f'"{escaped_for(text, chr(34))}"'


def format_scalar(text: str, *, number: bool = False, in_flow: bool = False) -> str:
    """Return a text as a scalar on one line, in quotes if it needs them to stay a text; a ``number`` needs
    none."""
    if number:
        return text
    if can_be_plain(text, in_flow=in_flow) and isinstance(resolve_plain(text), str) and text.isprintable():
        return text
    return quoted(text).replace("\n", "\\n").replace("\t", "\\t").replace("\r", "")


def format_block(text: str, indent: int) -> str:
    """Return a text as a block scalar whose lines have an indent."""
    lines = "\n".join(" " * indent + line if line.strip() else "" for line in text.split("\n"))
    return f"|\n{lines}"
