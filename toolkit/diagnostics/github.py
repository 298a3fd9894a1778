"""A report for GitHub Actions: a workflow command for each finding, and a summary in Markdown."""

from __future__ import annotations

import re
from pathlib import Path

from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.finding import Diagnostic
from toolkit.diagnostics.places import path_from, place
from toolkit.diagnostics.report import Report
from toolkit.diagnostics.reporters import summary

MOST_ROWS = 500
"""How many findings the summary lists: GitHub takes no summary above 1 MiB."""
_MARKS = re.compile(r"([\\`*_\[\]|~$])")


def as_github(report: Report, base: Path) -> str:
    """An annotation for each finding, at its line in the pull request, and the summary of the run."""
    return "\n".join([*(_annotation(finding, base) for finding in report.findings), summary(report)]) + "\n"


def _annotation(finding: Diagnostic, base: Path) -> str:
    begin, end = finding.span.begin_position, finding.span.end_position
    properties = {"file": path_from(base, finding.span.file), "line": begin.line, "endLine": end.line}
    if begin.line == end.line:  # GitHub refuses columns where there are several lines
        properties |= {"col": begin.column, "endColumn": end.column}
    properties["title"] = finding.name
    told = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    message = f"{finding.message}\n{finding.next_step}" if finding.next_step else finding.message
    return f"::{severity_of(finding.name)} {told}::{_data(message)}"


def _data(text: str) -> str:
    """The text of a workflow command: the line ends and the sign of the escapes are escaped."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_step_summary(report: Report) -> str:
    """The report in Markdown, for the page of the workflow run."""
    lines = ["### Card check", "", _markdown(summary(report)), ""]
    if report.findings:
        lines += ["| | where | what |", "|---|---|---|"]
        lines += [_row(finding) for finding in report.findings[:MOST_ROWS]]
        lines.append("")
    if len(report.findings) > MOST_ROWS:
        lines += [f"The first {MOST_ROWS} of {len(report.findings)} are listed.", ""]
    return "\n".join(lines)


def _row(finding: Diagnostic) -> str:
    step = f"<br>{_markdown(finding.next_step)}" if finding.next_step else ""
    where = f"<code>{_plain(place(finding.span))}</code>"
    what = f"{_markdown(finding.message)}{step}<br>{_plain(finding.name)}"
    return f"| {severity_of(finding.name)} | {where} | {what} |"


def _markdown(text: str) -> str:
    """A sentence; what is in backticks is shown as code, and nothing else in it is Markdown."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _plain(text)
    return "".join(
        f"<code>{_plain(part)}</code>" if number % 2 else _plain(part) for number, part in enumerate(parts)
    )


def _plain(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"\s+", " ", _MARKS.sub(r"\\\1", text))
