"""Characters that are not what they seem, which pasted text brings along or somebody hides there.

Some look like spaces and are none, where YAML needs spaces. Others have no shape: they turn a line around
(U+202E), or make two words differ that look the same. What languages that are written from right to left
need is left alone in their texts, and so are joiners within a word or an emoji, and soft hyphens.
"""

from __future__ import annotations

import re
import unicodedata

from msgspec.structs import replace

from toolkit.diagnostics import Diagnostic, Fix
from toolkit.source import SourceFile, Span

_NAMES = {
    "\u00a0": "no-break space",
    "\u2002": "en space",
    "\u2003": "em space",
    "\u2007": "figure space",
    "\u2009": "thin space",
    "\u200b": "zero-width space",
    "\u202f": "narrow no-break space",
    "\u3000": "ideographic space",
}
_SIGNS = "".join(_NAMES)

_JOINERS = "\u200b\u200c\u200d\u2060"
"""What joins or parts letters: within a word, or an emoji, it is meant."""

_OPENING = {"\u202a": "\u202c", "\u202b": "\u202c"} | dict.fromkeys("\u2066\u2067\u2068", "\u2069")
_TAGS, _BLACK_FLAG = "\U000e0000", "\U0001f3f4"
"""Flags such as that of Scotland are a black one with letters that cannot be seen."""

_MARKS = "\u200e\u200f\u061c"
_TURNING = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SHAPELESS = re.compile(
    "[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\U000e0000-\U000e0fff]"
)

_FOREIGN = re.compile(r"^(?: *(?://|/\*|--[ \t]|<!--)|```|~~~)", re.MULTILINE)


def may_hide_spaces(text: str) -> bool:
    """Whether there is such a character anywhere: a quick answer, which is no for nearly every file."""
    return not text.isascii() and (any(map(text.__contains__, _SIGNS)) or bool(_SHAPELESS.search(text)))


def may_be_foreign(text: str) -> bool:
    """Whether a line may begin with a comment or fence of another language (see ``foreign_syntax.py``)."""
    return _FOREIGN.search(text) is not None


def shapeless_at(text: str) -> int | None:
    """Where the first character without a shape stands in a line that has no business there."""
    if text.isascii() or not _SHAPELESS.search(text):
        return None
    from_the_right = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text)
    opened: list[tuple[str, int]] = []
    for found in _SHAPELESS.finditer(text):
        sign, at = found[0], found.start()
        if sign in _JOINERS:
            beside = text[at - 1 : at] + text[at + 1 : at + 2]
            fine = len(beside) == 2 and not any(map(str.isspace, beside)) and not _SHAPELESS.search(beside)
        elif sign in _OPENING:
            opened.append((_OPENING[sign], at))
            fine = from_the_right
        elif sign in _OPENING.values():
            fine = bool(opened) and opened.pop()[0] == sign
        elif sign >= _TAGS:
            fine = _BLACK_FLAG in text[:at]
        else:
            fine = sign in _MARKS and from_the_right
        if not fine:
            return at
    return opened[0][1] if opened else None


def shapeless_finding(sign: str, span: Span) -> Diagnostic:
    """The finding about a character without a shape."""
    does = "turns around how the line is shown" if sign in _TURNING else "cannot be seen"
    return Diagnostic(
        "control-character",
        f"An invisible character (U+{ord(sign):04X}) is here, which {does}.",
        span,
        "Delete the character and type the place again.",
    )


def shapeless_findings(file: SourceFile, text: str) -> list[Diagnostic]:
    """A finding for each line with a character without a shape that has no business there."""
    found = []
    begin = 0
    for line in text.splitlines(keepends=True):
        at = shapeless_at(line)
        if at is not None:
            found.append(shapeless_finding(line[at], file.span(begin + at, begin + at + 1)))
        begin += len(line)
    return found


def without_hidden_spaces(file: SourceFile) -> tuple[str, list[Diagnostic]]:
    """The text with spaces in place of such characters before a key or behind its colon, and what is told.

    Offsets stay as they are. A line gives one finding, at the first such character. In texts they may stay.
    """
    begin = re.compile(rf"^(?:[ {_SIGNS}]|-[ {_SIGNS}])*(?:[A-Za-z_][\w-]*:[ {_SIGNS}]*)?", re.MULTILINE)
    ends_right = re.compile(rf"(?:-|:)[ {_SIGNS}]*$")
    signs = list(file.text)
    findings: list[Diagnostic] = []
    for line in begin.finditer(file.text):
        places = [place for place in range(line.start(), line.end()) if file.text[place] in _NAMES]
        if not places or not ends_right.search(line[0]):
            continue
        for place in places:
            signs[place] = " "
        sign = file.text[places[0]]
        span = file.span(places[0], places[0] + 1)
        findings.append(
            Diagnostic(
                "wrong-indentation",
                f"A {_NAMES[sign]} (U+{ord(sign):04X}) looks like a space but is not one.",
                span,
                "Replace it with a space or remove it; check the rest of the pasted text for more.",
                fix=Fix(file.span(line.start(), line.end()), "".join(signs[line.start() : line.end()])),
            )
        )
    return "".join(signs), findings


def told_once(findings: list[Diagnostic]) -> list[Diagnostic]:
    """Without the last finding, a syntax error, if it lies in a line with a hidden space: that is why."""
    *before, error = findings
    line = error.span.begin_position.line
    if all(finding.span.begin_position.line != line for finding in before):
        return findings
    # a space in its place does not do
    return [
        replace(finding, fix=None) if finding.span.begin_position.line == line else finding
        for finding in before
    ]
