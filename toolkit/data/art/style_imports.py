"""The style sheets that a style sheet imports, as an engine reads them, whatever disguises them.

An engine loads what is imported as CSS, also a picture or a file of another kind, and again at each import.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

_SPACE = r"(?:\r\n|[ \t\n\f\r])"


def _letters(word: str) -> str:
    """Return a pattern for a word of which each letter may be escaped, as in ``\\69mport``."""
    return "".join(
        rf"(?:{letter}|\\{letter}|\\0{{0,4}}(?:{ord(letter):x}|{ord(letter.upper()):x}){_SPACE}?)"
        for letter in word
    )


_STRING = r""""((?:[^"\\\n\r\f]|\\[\s\S])*)|'((?:[^'\\\n\r\f]|\\[\s\S])*)"""
_IMPORT = re.compile(
    rf"""@{_letters("import")}(?=(?:{_SPACE}|/\*[\s\S]*?(?:\*/|\Z))*
    (?:{_letters("url")}\({_SPACE}*(?:{_STRING}|((?:[^\s"'()\\]|\\[\s\S])*))|{_STRING}))""",
    re.IGNORECASE | re.VERBOSE,
)
"""What follows is looked at and not passed over: a quotation mark in a comment could hide an import."""

_IN_ADDRESS = r"[!#-&*-.0-\[\]-~]"
_CERTAIN = re.compile(
    rf"""
    (?P<comment>/\*[^*\0\ufffd]*\*+(?:[^/*\0\ufffd][^*\0\ufffd]*\*+)*/)
    | [^"'\\/(\0\ufffd]+ | /(?!\*) | \((?<!url\()
    | \((?<=url\(){_SPACE}*(?:(?=["'])|{_IN_ADDRESS}*(?:/(?!\*){_IN_ADDRESS}*)*{_SPACE}*\))
    | "[^"\\\n\r\f\0\ufffd]*(?:\\[^\n\r\f\0\ufffd][^"\\\n\r\f\0\ufffd]*)*"
    | '[^'\\\n\r\f\0\ufffd]*(?:\\[^\n\r\f\0\ufffd][^'\\\n\r\f\0\ufffd]*)*'
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A comment, or what is none to any engine: plain text, an address, or a text in quotation marks."""

_ENCODED = re.compile(r'@charset "(?!utf-8";)', re.IGNORECASE)

_MOST = 100
"""Imports that are looked for, more than any sheet may have: each may be followed by much text to look at."""

_ESCAPE = re.compile(
    r"\\(?:(?P<code>[0-9a-f]{1,6})(?:\r\n|[ \t\n\f\r])?|\r\n|[\n\r\f]|(?P<char>.))", re.IGNORECASE
)

_STYLE_SHEET = re.compile(r"(?:(?:opforge:)?//\w+/)?[^\\\x00-\x1f:?#]+\.css(?:[?#].*)?", re.IGNORECASE)
_ELSEWHERE = re.compile(r"(?!opforge)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Import(NamedTuple):
    """An ``@import`` of a style sheet: its offset in the text, and what it names."""

    at: int
    reference: str

    @property
    def is_style_sheet(self) -> bool:
        """Whether it names a ``.css`` file, or a file of another scheme, which is never loaded."""
        return bool(_STYLE_SHEET.fullmatch(self.reference) or _ELSEWHERE.match(self.reference))


def imports_in_use(css: str) -> list[Import]:
    """Return what the style sheet in a file imports, as ``imports_of``, but nothing within its comments.

    From the first doubt on where comments begin and end, what looks like one is read as if it were none.
    """
    if "@" not in css or "/*" not in css or _ENCODED.match(css):
        return imports_of(css)
    parts, end = list[str](), 0
    while certain := _CERTAIN.match(css, end):
        parts.append(" " * len(certain[0]) if certain["comment"] else certain[0])
        end = certain.end()
    return imports_of("".join(parts) + css[end:])


def imports_of(css: str) -> list[Import]:
    """Return what a style sheet imports, at most ``_MOST``; in doubt too much, as within a comment."""
    if "@" not in css:
        return []
    imports = []
    for written in islice(_IMPORT.finditer(css), _MOST):
        reference = next((text for text in written.groups() if text is not None), "")
        imports.append(Import(written.start(), _ESCAPE.sub(_unescaped, reference).strip()))
    return imports


def _unescaped(escape: re.Match[str]) -> str:
    """Return the character of an escape; an escaped line end is nothing."""
    if escape["code"]:
        number = int(escape["code"], 16)
        return chr(number) if number < 0x110000 else "\ufffd"
    return escape["char"] or ""
