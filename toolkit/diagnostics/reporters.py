"""A report as text for people, a line for each finding, or JSON for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.escaping import json_text, one_line
from toolkit.diagnostics.finding import Diagnostic
from toolkit.diagnostics.places import place
from toolkit.diagnostics.report import LeftOut, Report
from toolkit.source import Span

_MOST_FILES = 5
"""So many files are named with how many of their findings are not listed."""

Style = Callable[[str, str], str]
"""Dresses a piece of text in a colour: ``style("word", "error")``. Kinds: error, warning, place, note."""


def unstyled(text: str, kind: str) -> str:
    """No colour."""
    del kind
    return text


def as_text(report: Report, style: Style = unstyled) -> str:
    """Each finding with its source line, the exact word underlined, and a summary."""
    blocks = [_block(finding, style) for finding in report.findings]
    return "\n\n".join([*blocks, *not_listed(report.left_out), summary(report)]) + "\n"


def finding_text(finding: Diagnostic, style: Style = unstyled) -> str:
    """One finding with its source line, as ``as_text`` prints it."""
    return _block(finding, style)


def as_concise(report: Report, style: Style = unstyled) -> str:
    """One line for each finding, and a summary."""
    lines = []
    for finding in report.findings:
        severity = severity_of(finding.name)
        name = style(f"{severity}[{finding.name}]", severity)
        lines.append(f"{place(finding.span)}: {name}: {one_line(finding.message)}")
    return "\n".join([*lines, *not_listed(report.left_out), summary(report)]) + "\n"


def as_json(report: Report) -> str:
    """The report as JSON, version 1: lines and columns from 1, columns in characters, the end exclusive."""
    return json_text(as_data(report))


def as_data(report: Report) -> dict[str, Any]:
    """What ``as_json`` prints, as plain data."""
    return {
        "version": 1,
        "findings": [finding_data(finding) for finding in report.findings],
        "summary": {
            "errors": report.errors,
            "warnings": report.warnings,
            "files": report.files,
            "cards": report.cards,
        }
        | ({"not_listed": report.not_listed} if report.left_out else {}),
    }


def finding_data(finding: Diagnostic) -> dict[str, Any]:
    """One finding as plain data."""
    begin, end = finding.span.begin_position, finding.span.end_position
    return {
        "name": finding.name,
        "severity": severity_of(finding.name),
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
    """A sentence about the findings that are not listed; nothing if all are."""
    if not left_out:
        return []
    files = [f"{one.number} in {one_line(one.file.name)}" for one in left_out[:_MOST_FILES]]
    more = left_out[_MOST_FILES:]
    files += [f"{sum(one.number for one in more)} in {_count(len(more), 'other file')}"] if more else []
    number = sum(one.number for one in left_out)
    is_are = "is" if number == 1 else "are"
    return [f"{_count(number, 'more finding')} {is_are} not listed: {', '.join(files)}."]


def left_out_of(one: LeftOut) -> str:
    """The same of one file."""
    return (
        f"{_count(one.number, 'more finding')} in this file {'is' if one.number == 1 else 'are'} not listed."
    )


def summary(report: Report) -> str:
    """How many findings, files and cards."""
    found = [_count(report.errors, "error")] if report.errors else []
    found += [_count(report.warnings, "warning")] if report.warnings else []
    where = f"{_count(report.cards, 'card')} in {_count(report.files, 'file')}"
    kept = [f"{report.suppressed} suppressed by comments"] if report.suppressed else []
    kept += [f"{report.baselined} in the baseline"] if report.baselined else []
    back = f" Hidden: {' and '.join(kept)}." if kept else ""
    return f"{' and '.join(found) or 'No findings'}: {where} checked.{back}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _block(finding: Diagnostic, style: Style) -> str:
    severity = severity_of(finding.name)
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
    # loaded only where there is something to show: a clean project ends sooner without
    from toolkit.diagnostics.snippets import snippet

    lines = [f"{' ' * gutter}{style('-->', 'place')} {place(span)}"]
    for number, text, underline in snippet(span, gutter):
        lines.append(f"{style(number + ' |', 'place')} {text}".rstrip())
        mark = underline.lstrip(" ")
        lines.append(
            f"{style(' ' * gutter + ' |', 'place')} {' ' * (len(underline) - len(mark))}{style(mark, kind)}"
        )
    if message:
        lines[-1] += f" {style(message, kind)}"
    return lines
