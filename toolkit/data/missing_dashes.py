"""missing-dash where YAML gives up: an entry that stands like others of its list, but for the dash."""

from __future__ import annotations

import re

from toolkit.data.quoting import shown
from toolkit.data.yaml_lines import Line
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.source import Span

_KEY = r"([A-Za-z_][\w-]*)[ \t]*:(?=[ \t\r\n]|$)"

_NOTHING = r"[ \t]*(?:#.*)?\r?\n"
"""The rest of a line, if nothing but a comment stands there."""


def missing_dash(line: Line) -> Diagnostic | None:
    """The finding at a line where YAML gave up, or at the first entry above; None for another slip."""
    return _without_dash(line) or _first_without_dash(line) or _first_in_dash_column(line)


def _without_dash(line: Line) -> Diagnostic | None:
    """The key stands where the dashes of its list stand."""
    key = re.match(rf"( *){_KEY}", line.text)
    if key is None:
        return None
    before = list(re.finditer(rf"(?m)^ {{{line.indent}}}- +({re.escape(key[2])}) *:", _above(line)))
    if not before:
        return None
    other = line.file.span(before[-1].start(1), before[-1].end(1))
    return _finding(line.span(key.start(2), key.end(2)), line.span(key.start(2), key.start(2)), other)


def _first_without_dash(line: Line) -> Diagnostic | None:
    """The first entry of a list has no dash, and the second one has."""
    dash = re.match(rf"( *)- +{_KEY}", line.text)
    if dash is None:
        return None
    column = dash.start(2)
    below_a_key = rf"(?m)^ *{_KEY}{_NOTHING}(?:{_NOTHING})* {{{column}}}({re.escape(dash[2])}) *:"
    first = list(re.finditer(below_a_key, _above(line)))
    if not first or column < 2:
        return None
    file, start, end = line.file, first[-1].start(2), first[-1].end(2)
    other = line.span(dash.start(2), dash.end(2))
    return _finding(file.span(start, end), file.span(start - 2, start), other, after=True)


def _first_in_dash_column(line: Line) -> Diagnostic | None:
    """The first entry of a list has no dash, and its other keys stand where they would with one."""
    above = line.above()
    key = re.match(rf"( *){_KEY}[ \t]*[^\s#]", above.text) if above else None
    if above is None or key is None or above.indent != line.indent - 2:
        return None
    if not re.search(rf"(?m)^( *){_KEY}{_NOTHING}(?:{_NOTHING})*\Z", _above(above)):
        return None
    place = above.span(key.start(2), key.start(2))
    return _finding(above.span(key.start(2), key.end(2)), place, None)


def _above(line: Line) -> str:
    return line.file.text[: line.start]


def _finding(key: Span, place: Span, other: Span | None, after: bool = False) -> Diagnostic:
    label = "the next entry" if after else "an entry of the same list"
    return Diagnostic(
        "missing-dash",
        f"Here a new entry begins with `{shown(key.text)}`, and its dash is missing.",
        key,
        "Write `- ` before it.",
        (Label(other, label),) if other else (),
        fix=Fix(place, "- ", safe=False),
    )
