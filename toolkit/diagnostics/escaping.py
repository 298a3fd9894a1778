"""Escaping of strings from a project for each output medium.

Names, texts and file names may come from strangers. Unescaped, they could move the cursor, reverse a line
(U+202E), start a command of a GitHub workflow or add a link to a page. Invisible characters are escaped in
JSON's notation, ``\\u202e``, so that escaped JSON is still the same JSON.
"""

from __future__ import annotations

import json
import re
from typing import Any

_STYLED = re.compile("(\x1b\\[(?:0|1|3[0-7])m)")
"""The styles that `toolkit.apps.cli` itself prints to a terminal: colours, bold, reset."""

_HIDDEN = re.compile(
    "\r(?!\n)"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, among them ESC
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls
    "\u2028\u2029"  # line ends that editors do not count
    "\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # zero width
    "\ud800-\udfff"  # lone surrogates, from file names that are not UTF-8
    "\U000e0000-\U000e0fff]"  # tags and other characters without a glyph
)
_LINE_END = re.compile("\r?\n|\t")
_COMMAND = re.compile(r"^(?P<indent>[^\S\n]*):(?=:)|#(?=#[a-z]*\[)", re.MULTILINE)
"""A command to a CI service: ``::`` at the start of a line (GitHub), ``##[`` or ``##vso[`` in it (Azure)."""

_MARKS = re.compile(r"([\\`*_\[\]|~$]|(?<=http):(?=//)|(?<=https):(?=//)|(?<=www)\.)")
_LINE_MARKS = re.compile(r"^(?P<indent>[^\S\n]*)(?P<mark>[-=+#]|\d+(?=[.)]))", re.MULTILINE)


def visible(text: str) -> str:
    """Return a text with invisible and bidirectional characters escaped; line ends and tabs are kept."""
    if text.replace("\n", "").isprintable():
        return text
    return _HIDDEN.sub(_escape, text)


def one_line(text: str) -> str:
    """Return the same on one line, for a name or sentence within a line."""
    if text.isprintable():
        return text
    return visible(_LINE_END.sub(" ", text))


def terminal(text: str, *, coloured: bool = False, commands: bool = False) -> str:
    """Return lines for a terminal or the log of a CI service.

    Unless ``commands`` is set, commands to that service are escaped. If ``coloured``, colours are kept.
    """
    if not coloured:
        text = visible(text)
    else:
        # every second segment is what separates the others: a colour
        segments = enumerate(_STYLED.split(text))
        text = "".join(segment if number % 2 else visible(segment) for number, segment in segments)
    return text if commands else _COMMAND.sub(lambda match: (match["indent"] or "") + _escape(match), text)


def json_text(data: Any, indent: int | None = 2) -> str:
    """Return plain data as JSON with a final line end, on one line if ``indent`` is None."""
    return visible(json.dumps(data, ensure_ascii=False, indent=indent)) + "\n"


def workflow_message(text: str) -> str:
    """Return text escaped as the message of a GitHub workflow command; it may have several lines."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def workflow_property(text: str) -> str:
    """Return text escaped as the value of a property of a GitHub workflow command."""
    return workflow_message(text).replace(":", "%3A").replace(",", "%2C")


def html(text: str) -> str:
    """Return text escaped for HTML, outside of tags."""
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def markdown(text: str) -> str:
    """Return text escaped for Markdown: none of it is markup, a link or HTML; line breaks are kept."""
    return _LINE_MARKS.sub(_escaped_line_mark, _MARKS.sub(r"\\\1", html(text)))


def markdown_sentence(text: str) -> str:
    """Return a sentence on one line of Markdown; what it has in backticks becomes code."""
    segments = one_line(text).split("`")
    if len(segments) % 2 == 0:  # a backtick without a partner
        return markdown("`".join(segments))
    # every second segment stands between two backticks
    return "".join(
        markdown_code(segment) if number % 2 else markdown(segment) for number, segment in enumerate(segments)
    )


def markdown_code(text: str) -> str:
    """Return a word as code, for Markdown that allows HTML."""
    return f"<code>{markdown(one_line(text))}</code>"


def sarif_message(text: str) -> str:
    """Return a message for SARIF, which would read ``[text](address)`` as a link."""
    return visible(text).replace("](", "] (")


def xml(text: str) -> str:
    """Return text for an XML library, without the characters that XML cannot represent."""
    return re.sub("[\ufffe\uffff]", "?", visible(text))


def _escape(match: re.Match[str]) -> str:
    """Return the last character of a match escaped as in JSON, beyond U+FFFF as a surrogate pair."""
    character = match[0][-1]
    code = ord(character)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)  # as in UTF-16
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def _escaped_line_mark(match: re.Match[str]) -> str:
    """Return ``-``, ``=``, ``+``, ``#`` or a number escaped so that the line begins no list or heading."""
    indent, mark = match["indent"], match["mark"]
    return f"{indent}{mark}\\" if mark.isdigit() else f"{indent}\\{mark}"
