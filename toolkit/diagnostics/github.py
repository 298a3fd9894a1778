"""A report for GitHub Actions: a workflow command for each finding, and a summary in Markdown."""

from __future__ import annotations

from pathlib import Path

from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.escaping import (
    markdown_code,
    markdown_sentence,
    one_line,
    workflow_message,
    workflow_property,
)
from toolkit.diagnostics.finding import Diagnostic
from toolkit.diagnostics.places import path_from, place
from toolkit.diagnostics.report import LeftOut, Report
from toolkit.diagnostics.reporters import left_out_of, summary

MOST_ROWS = 500
"""How many findings the summary lists: GitHub takes no summary above 1 MiB."""


def as_github(report: Report, base: Path) -> str:
    """An annotation for each finding, at its line in the pull request, and the summary of the run."""
    lines = [_annotation(finding, base) for finding in report.findings]
    lines += [_left_out(one, base) for one in report.left_out]
    return "\n".join([*lines, summary(report)]) + "\n"


def _left_out(one: LeftOut, base: Path) -> str:
    severity = "error" if one.errors else "warning"
    where = f"file={workflow_property(path_from(base, one.file))},title=not listed"
    return f"::{severity} {where}::{workflow_message(left_out_of(one))}"


def _annotation(finding: Diagnostic, base: Path) -> str:
    begin, end = finding.span.begin_position, finding.span.end_position
    properties = {"file": path_from(base, finding.span.file), "line": begin.line, "endLine": end.line}
    if begin.line == end.line:  # GitHub refuses columns where there are several lines
        properties |= {"col": begin.column, "endColumn": end.column}
    properties["title"] = finding.name
    told = ",".join(f"{key}={workflow_property(str(value))}" for key, value in properties.items())
    message = one_line(finding.message)
    if finding.next_step:
        message += f"\n{one_line(finding.next_step)}"
    return f"::{severity_of(finding.name)} {told}::{workflow_message(message)}"


def as_step_summary(report: Report) -> str:
    """The report in Markdown, for the page of the workflow run."""
    lines = ["### Card check", "", markdown_sentence(summary(report)), ""]
    if report.findings:
        lines += ["| | where | what |", "|---|---|---|"]
        lines += [_row(finding) for finding in report.findings[:MOST_ROWS]]
        lines.append("")
    rows, found = min(MOST_ROWS, len(report.findings)), len(report.findings) + report.not_listed
    if rows < found:
        lines += [f"The first {rows} of {found} are listed.", ""]
    return "\n".join(lines)


def _row(finding: Diagnostic) -> str:
    step = f"<br>{markdown_sentence(finding.next_step)}" if finding.next_step else ""
    where = markdown_code(place(finding.span))
    what = f"{markdown_sentence(finding.message)}{step}<br>{finding.name}"
    return f"| {severity_of(finding.name)} | {where} | {what} |"
