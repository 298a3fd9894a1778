"""Reports as text for people and as JSON for programs, and statistics in both forms."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from toolkit.diagnostics.catalogue import CATALOGUE, reported_severity
from toolkit.diagnostics.escaping import json_text, one_line
from toolkit.diagnostics.finding import Diagnostic
from toolkit.diagnostics.locations import place
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import LeftOut, Report
from toolkit.source import Span

_MAX_FILES = 5
"""How many files with unlisted findings are named."""
_MAX_LINES = 4
_WIDTH = 100
"""How many characters of a source line are shown."""

Style = Callable[[str, str], str]
"""A function that colours text: ``style("word", "error")``. Kinds: error, warning, place, note."""


def unstyled(text: str, kind: str) -> str:
    """Return the text without colour."""
    del kind
    return text


def as_text(report: Report, style: Style = unstyled) -> str:
    """Return each finding with its source line, the exact word underlined, and a summary."""
    blocks = [finding_text(finding, style) for finding in report.findings]
    return "\n\n".join([*blocks, *not_listed(report.left_out), summary(report)]) + "\n"


def as_concise(report: Report, style: Style = unstyled) -> str:
    """Return one line for each finding, and a summary."""
    lines = []
    for finding in report.findings:
        severity = reported_severity(finding)
        name = style(f"{severity}[{finding.name}]", severity)
        lines.append(f"{place(finding.span)}: {name}: {one_line(finding.message)}")
    return "\n".join([*lines, *not_listed(report.left_out), summary(report)]) + "\n"


def as_json(report: Report) -> str:
    """Return JSON, version 1: lines and columns from 1, columns in characters, the end exclusive."""
    return json_text(as_data(report))


def as_data(report: Report) -> dict[str, Any]:
    """Return what ``as_json`` prints, as plain data."""
    return {
        "version": 1,
        "findings": [finding_data(finding) for finding in report.findings],
        "summary": {
            "errors": report.errors,
            "warnings": report.warnings,
            "files": report.files,
            "cards": report.cards,
        }
        | ({"not_listed": report.not_listed} if report.left_out else {})
        | ({"text_only": report.text_only} if report.text_only else {})
        | ({"off": list(report.off)} if report.off else {}),
    }


def finding_data(finding: Diagnostic) -> dict[str, Any]:
    """Return one finding as plain data."""
    begin, end = finding.span.begin_position, finding.span.end_position
    return {
        "name": finding.name,
        "severity": reported_severity(finding),
        "message": finding.message,
        "file": finding.span.file.name,
        "line": begin.line,
        "column": begin.column,
        "end_line": end.line,
        "end_column": end.column,
        "card": finding.card,
        "next_step": finding.next_step,
        "related": [
            {"message": label.message, "file": label.span.file.name}
            | dict(zip(("line", "column"), label.span.begin_position, strict=True))
            for label in finding.labels
        ],
    }


def not_listed(left_out: Sequence[LeftOut]) -> list[str]:
    """Return a list with the sentence about unlisted findings; an empty one if all are listed."""
    if not left_out:
        return []
    files = [f"{unlisted.number} in {one_line(unlisted.file.name)}" for unlisted in left_out[:_MAX_FILES]]
    more_files = left_out[_MAX_FILES:]
    if more_files:
        number_in_more = sum(unlisted.number for unlisted in more_files)
        files.append(f"{number_in_more} in {counted(len(more_files), 'other file')}")
    number = sum(unlisted.number for unlisted in left_out)
    is_are = "is" if number == 1 else "are"
    return [f"{counted(number, 'more finding')} {is_are} not listed: {', '.join(files)}."]


def left_out_of(unlisted: LeftOut) -> str:
    """Return the sentence about the unlisted findings of one file."""
    is_are = "is" if unlisted.number == 1 else "are"
    return f"{counted(unlisted.number, 'more finding')} in this file {is_are} not listed."


def summary(report: Report) -> str:
    """Return what was found and checked, in numbers, what is hidden, and what is off."""
    counts = [counted(report.errors, "error")] if report.errors else []
    counts += [counted(report.warnings, "warning")] if report.warnings else []
    checked_counts = f"{counted(report.cards, 'card')} in {counted(report.files, 'file')}"
    hidden = [f"{report.suppressed} suppressed by comments"] if report.suppressed else []
    hidden += [f"{report.baselined} in the baseline"] if report.baselined else []
    hidden_note = f" Hidden: {' and '.join(hidden)}." if hidden else ""
    text_only_note = f", {report.text_only} with text-only rules not compared" if report.text_only else ""
    off_note = f" Off: {one_line('; '.join(report.off))}." if report.off else ""
    findings = " and ".join(counts) or "No findings"
    return f"{findings}: {checked_counts} checked{text_only_note}.{hidden_note}{off_note}"


def finding_text(finding: Diagnostic, style: Style = unstyled) -> str:
    """Return one finding with its source line, as ``as_text`` prints it."""
    severity = reported_severity(finding)
    spans = [finding.span, *(label.span for label in finding.labels)]
    gutter = max(len(str(span.end_position.line)) for span in spans)
    lines = [style(f"{severity}[{finding.name}]", severity) + f": {one_line(finding.message)}"]
    lines += _excerpt(finding.span, gutter, style, severity)
    for label in finding.labels:
        lines += _excerpt(label.span, gutter, style, "note", one_line(label.message))
    if finding.next_step:
        lines.append(f"{' ' * gutter} {style('=', 'place')} {one_line(finding.next_step)}")
    return "\n".join(lines)


def _excerpt(span: Span, gutter: int, style: Style, kind: str, message: str = "") -> list[str]:
    """Return the lines of a span with underlines; a message stands behind the last."""
    lines = [f"{' ' * gutter}{style('-->', 'place')} {place(span)}"]
    for number, text, underline in _snippet(span, gutter):
        lines.append(f"{style(number + ' |', 'place')} {text}".rstrip())
        carets = underline.lstrip(" ")
        pad = " " * (len(underline) - len(carets))
        lines.append(f"{style(' ' * gutter + ' |', 'place')} {pad}{style(carets, kind)}")
    if message:
        lines[-1] += f" {style(message, kind)}"
    return lines


# source lines with the exact words underlined


def _snippet(span: Span, gutter: int) -> Iterator[tuple[str, str, str]]:
    """Yield number, text and underline of each line of a span, at most four; ``gutter`` is a number's width.

    Tabs become spaces; long lines are cut around the underlined part; wide characters count double.
    """
    begin, end = span.begin_position, span.end_position
    lines = range(begin.line, min(end.line, begin.line + _MAX_LINES - 1) + 1)
    for number in lines:
        text = span.file.line(number)
        start_index = begin.column - 1 if number == begin.line else len(text) - len(text.lstrip())
        end_index = end.column - 1 if number == end.line else len(text.rstrip())
        if number != begin.line and end_index <= start_index:  # an empty line, or the span ends before it
            continue
        without_tabs = text.replace("\t", " ")
        printable = "".join(char if char.isprintable() else "·" for char in without_tabs)
        shown, start_index, end_index = _cut(printable, start_index, end_index)
        pad, length = width(shown[:start_index]), max(1, width(shown[start_index:end_index]))
        yield f"{number:>{gutter}}", shown, " " * pad + "^" * length


def _cut(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Return at most ``_WIDTH`` characters of a line around ``text[start:end]``, and its bounds in them."""
    if len(text) <= _WIDTH:
        return text, start, end
    # a third of the window stands before the part, less where the line ends earlier
    window_start = max(0, min(start - _WIDTH // 3, len(text) - _WIDTH))
    shown = text[window_start : window_start + _WIDTH]
    start, end = start - window_start, min(end - window_start, len(shown))
    if window_start:
        shown = "…" + shown[1:]
    if window_start + _WIDTH < len(text):
        shown = shown[:-1] + "…"
    return shown, start, end


def width(text: str) -> int:
    """Return how many columns a text takes in a terminal: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    spacing_characters = [character for character in text if not unicodedata.combining(character)]
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in spacing_characters
    )


# statistics


def statistics_text(report: Report, style: Style = unstyled) -> str:
    """Return a line for each finding by name, the most frequent first, and the summary."""
    rows = _counts(report)
    count_width = max((len(str(count)) for *_, count in rows), default=0)
    label_width = max((len(f"{severity}[{name}]") for severity, name, _ in rows), default=0)
    lines = []
    for severity, name, count in rows:
        label = f"{severity}[{name}]"
        gap = " " * (label_width - len(label))
        lines.append(f"{count:>{count_width}}  {style(label, severity)}{gap}  {CATALOGUE[name].title}")
    return "\n".join([*lines, summary(report)]) + "\n"


def statistics_json(report: Report) -> str:
    """Return the same as JSON, version 1."""
    data: dict[str, Any] = {
        "version": 1,
        "statistics": [
            {"name": name, "severity": severity, "count": count} for severity, name, count in _counts(report)
        ],
        "summary": as_data(report)["summary"],
    }
    return json_text(data)


def _counts(report: Report) -> list[tuple[str, str, int]]:
    """Return severity, name and number of each kind of finding, the most frequent first."""
    rows = [(*kind, number) for kind, number in report.kinds.items()]
    return sorted(rows, key=lambda row: (-row[2], row[1], row[0]))
