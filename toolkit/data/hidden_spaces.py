"""Characters that look like spaces and are none, where YAML needs spaces: pasted text brings them along."""

from __future__ import annotations

import re
from dataclasses import replace

from toolkit.diagnostics import Diagnostic, Fix
from toolkit.source import SourceFile

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


def may_hide_spaces(text: str) -> bool:
    """Whether there is such a character anywhere: a quick answer, which is no for nearly every file."""
    return not text.isascii() and any(map(text.__contains__, _SIGNS))


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
