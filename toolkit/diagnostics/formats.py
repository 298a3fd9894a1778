"""The formats of a report, among them those of services for continuous integration.

GitHub Actions reads workflow commands and a summary in Markdown, GitLab its Code Quality JSON, nearly every
service JUnit XML, and services for code scanning SARIF 2.1.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from msgspec import Struct

from toolkit import __version__
from toolkit.diagnostics.catalogue import CATALOGUE, reported_severity, severity_of
from toolkit.diagnostics.escaping import (
    json_text,
    markdown_code,
    markdown_sentence,
    one_line,
    sarif_message,
    workflow_message,
    workflow_property,
    xml,
)
from toolkit.diagnostics.finding import Diagnostic, Fix
from toolkit.diagnostics.help_pages import WEB_ADDRESS, address_of_finding, page_of_finding
from toolkit.diagnostics.locations import path_from, place, unique_fingerprints, utf8_column, utf16_column
from toolkit.diagnostics.report import LeftOut, Report
from toolkit.diagnostics.reporters import (
    Style,
    as_concise,
    as_json,
    as_text,
    finding_text,
    left_out_of,
    summary,
    unstyled,
)
from toolkit.source import SourceFile, Span

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


class FormatOptions(Struct, frozen=True):
    """How to write a report: ``base`` is the folder to which paths for other programs are relative.

    If ``strict``, warnings count as errors; ``style`` colours output for people.
    """

    base: Path
    strict: bool = False
    style: Style = unstyled


def format_report(report: Report, format_name: str, options: FormatOptions) -> str:
    """Return the report in one of ``FORMATS``."""
    return FORMATS[format_name](report, options)


# GitHub Actions

MAX_ROWS = 500
"""How many findings the summary lists: GitHub refuses summaries above 1 MiB."""


def as_github(report: Report, base: Path) -> str:
    """Return an annotation for each finding, at its line in the pull request, and the summary of the run."""
    lines = [_annotation(finding, base) for finding in report.findings]
    for unlisted in report.left_out:
        properties = f"file={workflow_property(path_from(base, unlisted.file.path))},title=not listed"
        lines.append(f"::{unlisted.severity} {properties}::{workflow_message(left_out_of(unlisted))}")
    return "\n".join([*lines, summary(report)]) + "\n"


def _annotation(finding: Diagnostic, base: Path) -> str:
    lines = [finding.message, finding.next_step]
    return annotation(reported_severity(finding), finding.span, finding.name, lines, base)


def annotation(severity: str, span: Span, title: str, lines: Iterable[str], base: Path) -> str:
    """Return an annotation for a place; empty lines of its message are left out."""
    begin, end = span.begin_position, span.end_position
    properties = {"file": path_from(base, span.file.path), "line": begin.line, "endLine": end.line}
    if begin.line == end.line:  # GitHub refuses columns where there are several lines
        properties |= {"col": begin.column, "endColumn": end.column}
    properties["title"] = title
    property_list = ",".join(f"{key}={workflow_property(str(value))}" for key, value in properties.items())
    message = "\n".join(map(one_line, filter(None, lines)))
    return f"::{severity} {property_list}::{workflow_message(message)}"


def as_step_summary(report: Report) -> str:
    """Return the report in Markdown, for the page of the workflow run."""
    lines = ["### Card check", "", markdown_sentence(summary(report)), ""]
    lines += finding_table(report.findings, report.not_listed)
    return "\n".join(lines)


def finding_table(findings: Sequence[Diagnostic], not_listed: int) -> list[str]:
    """Return findings as the lines of a table in Markdown, and how many are not in it."""
    lines = []
    if findings:
        lines += ["| | where | what |", "|---|---|---|"]
        for finding in findings[:MAX_ROWS]:
            next_step = f"<br>{markdown_sentence(finding.next_step)}" if finding.next_step else ""
            description = f"{markdown_sentence(finding.message)}{next_step}<br>{finding.name}"
            lines.append(
                f"| {reported_severity(finding)} | {markdown_code(place(finding.span))} | {description} |"
            )
        lines.append("")
    rows, finding_count = min(MAX_ROWS, len(findings)), len(findings) + not_listed
    if rows < finding_count:
        lines += [f"The first {rows} of {finding_count} are listed.", ""]
    return lines


# GitLab

_GITLAB_SEVERITIES = {"error": "major", "warning": "minor"}


def as_gitlab(report: Report, base: Path) -> str:
    """Return the report for GitLab's Code Quality; fingerprints stay the same when lines move."""
    fingerprints = unique_fingerprints(report.findings, base)
    issues: list[dict[str, Any]] = [
        {
            "description": one_line(finding.message),
            "check_name": finding.name,
            "fingerprint": fingerprint,
            "severity": _GITLAB_SEVERITIES[reported_severity(finding)],
            "location": {
                "path": path_from(base, finding.span.file.path),
                "lines": {
                    "begin": finding.span.begin_position.line,
                    "end": finding.span.end_position.line,
                },
            },
        }
        for finding, fingerprint in zip(report.findings, fingerprints, strict=True)
    ]
    for unlisted in report.left_out:  # one issue for all unlisted findings of a file
        path = path_from(base, unlisted.file.path)
        issues.append(
            {
                "description": one_line(left_out_of(unlisted)),
                "check_name": "not-listed",
                "fingerprint": blake2b(f"not listed\0{path}".encode(), digest_size=8).hexdigest(),
                "severity": _GITLAB_SEVERITIES[unlisted.severity],
                "location": {"path": path, "lines": {"begin": 1, "end": 1}},
            }
        )
    return json_text(issues)


# JUnit


def as_junit(report: Report, base: Path, strict: bool) -> str:
    """Return JUnit XML with a suite for each file: an error is a failing case, no findings a passing one.

    Paths are relative to ``base``. A warning is the output of a passing case, or if ``strict`` a failing
    case.
    """
    findings_by_path: dict[Path, list[Diagnostic]] = {path: [] for path in report.paths}
    unlisted_by_path = {left_out.file.path: left_out for left_out in report.left_out}
    findings_by_path |= {path: [] for path in unlisted_by_path if path not in findings_by_path}
    for finding in report.findings:
        findings_by_path.setdefault(finding.span.file.path, []).append(finding)
    root = Element("testsuites", name="opforge check")
    tests = failures = 0
    outcomes = {"error": "failure", "warning": "failure" if strict else "system-out"}
    for path, findings in findings_by_path.items():
        name = path_from(base, path)
        suite, unlisted = element(root, "testsuite", name=name, file=name), unlisted_by_path.get(path)
        severities = [reported_severity(finding) for finding in findings]
        for finding, severity in zip(findings, severities, strict=True):
            finding_case(suite, name, finding, outcomes[severity])
        if unlisted is not None:
            severities.append(unlisted.severity)
            unlisted_case(suite, name, unlisted, outcomes[unlisted.severity])
        elif not findings:
            element(suite, "testcase", classname=name, name="no findings")
        cases = max(1, len(severities))
        failing = sum(outcomes[severity] == "failure" for severity in severities)
        set_counts(suite, cases, failing, errors=0)
        tests, failures = tests + cases, failures + failing
    set_counts(root, tests, failures, errors=0)
    return document(root)


def finding_case(suite: Element, file: str, finding: Diagnostic, outcome: str) -> None:
    """Add a case for a finding: ``outcome`` is ``error``, ``failure``, or ``system-out`` if it passes."""
    line = finding.span.begin_position.line
    case = element(suite, "testcase", classname=file, name=f"{finding.name} in line {line}")
    if outcome == "system-out":
        output = element(case, outcome)
    else:
        output = element(case, outcome, message=one_line(finding.message), type=finding.name)
    output.text = xml(finding_text(finding))


def unlisted_case(suite: Element, file: str, unlisted: LeftOut, outcome: str) -> None:
    """Add a case for the unlisted findings of a file, with an outcome as for ``finding_case``."""
    case = element(suite, "testcase", classname=file, name="findings that are not listed")
    message = left_out_of(unlisted)
    attributes = {} if outcome == "system-out" else {"message": message, "type": "not-listed"}
    element(case, outcome, **attributes).text = message


def set_counts(suite: Element, tests: int, failures: int, errors: int, skipped: int = 0) -> None:
    """Set the numbers of cases, of failures, of cases that could not be run, and of a suite's skipped ones.

    Jenkins refuses the number of all skipped ones, and attributes of a case that say where it stands.
    """
    numbers = {"tests": tests, "failures": failures, "errors": errors}
    if suite.tag == "testsuite":
        numbers["skipped"] = skipped
    for key, number in numbers.items():
        suite.set(key, str(number))


def element(parent: Element, tag: str, **attributes: str) -> Element:
    """Add an element to ``parent``."""
    return ElementTree.SubElement(parent, tag, {key: xml(value) for key, value in attributes.items()})


def document(root: Element) -> str:
    """Return an XML file, indented."""
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


# SARIF

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_SARIF_ROOT = "%SRCROOT%"


def as_sarif(report: Report, base: Path) -> str:
    """Return a SARIF log with one run; paths are relative to ``base``.

    Columns are in UTF-16 code units, SARIF's default; paths are percent-encoded and relative to
    ``%SRCROOT%``. The help of a rule is the page of the finding.
    """
    names = sorted({finding.name for finding in report.findings})
    fingerprints = unique_fingerprints(report.findings, base)
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "opforge",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(name) for name in names],
            }
        },
        "columnKind": "utf16CodeUnits",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "originalUriBaseIds": {
            _SARIF_ROOT: {
                "description": {"text": "The root of the checkout, or the folder where the command ran."}
            }
        },
        "results": [
            _result(finding, names.index(finding.name), fingerprint, base)
            for finding, fingerprint in zip(report.findings, fingerprints, strict=True)
        ],
    }
    if report.left_out:
        run["invocations"] = [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    _sarif_left_out(unlisted, base) for unlisted in report.left_out
                ],
            }
        ]
    log = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_text(log)


def _sarif_left_out(unlisted: LeftOut, base: Path) -> dict[str, Any]:
    """Return a notification about the unlisted findings of a file."""
    return {
        "level": unlisted.severity,
        "message": {"text": left_out_of(unlisted)},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(unlisted.file, base)}}],
        "properties": {"notListed": unlisted.number, "errors": unlisted.errors},
    }


def _rule(name: str) -> dict[str, Any]:
    """Return the description of a finding as a rule of SARIF."""
    page = page_of_finding(name) or ""
    title = CATALOGUE[name].title
    lines_below_heading = page.splitlines()[1:]
    first_paragraph = next(filter(None, lines_below_heading), title)
    return {
        "id": name,
        "shortDescription": {"text": f"{title[0].upper()}{title[1:]}."},
        "fullDescription": {"text": first_paragraph},
        "helpUri": address_of_finding(name),
        "help": {"text": page or title, "markdown": page or title},
        "defaultConfiguration": {"level": severity_of(name)},
    }


def _result(finding: Diagnostic, rule_index: int, fingerprint: str, base: Path) -> dict[str, Any]:
    """Return a finding as a result of SARIF."""
    text = sarif_message(finding.message)
    if finding.next_step:
        text += f"\n{sarif_message(finding.next_step)}"
    result: dict[str, Any] = {
        "ruleId": finding.name,
        "ruleIndex": rule_index,
        "level": reported_severity(finding),
        "message": {"text": text},
        "locations": [{"physicalLocation": _physical(finding.span, base)}],
        "partialFingerprints": {"opforge/v1": fingerprint},
    }
    if finding.card is not None:
        result["locations"][0]["logicalLocations"] = [{"name": finding.card, "kind": "object"}]
    if finding.labels:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": sarif_message(label.message)},
                "physicalLocation": _physical(label.span, base),
            }
            for number, label in enumerate(finding.labels, 1)
        ]
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.fix, finding.next_step, base)]
    return result


def _fix(fix: Fix, next_step: str, base: Path) -> dict[str, Any]:
    """Return a fix as SARIF describes it: by the text that is deleted and the text in its place."""
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    change = {"artifactLocation": _artifact(fix.span.file, base), "replacements": [replacement]}
    description = sarif_message(next_step or f"Write `{fix.replacement}`.")
    return {"description": {"text": description}, "artifactChanges": [change]}


def _physical(span: Span, base: Path) -> dict[str, Any]:
    return {"artifactLocation": _artifact(span.file, base), "region": _region(span)}


def _artifact(file: SourceFile, base: Path) -> dict[str, str]:
    """Return the place of a file: relative to the base, or absolute if it lies outside of it."""
    path = path_from(base, file.path)
    is_on_other_drive = path == file.path.as_posix()  # on Windows no relative path leads there
    if file.path.is_absolute() and (path.startswith("../") or is_on_other_drive):
        return {"uri": file.path.as_uri()}
    return {"uri": quote(path), "uriBaseId": _SARIF_ROOT}


def _region(span: Span) -> dict[str, int]:
    """Return a span as a region of SARIF."""
    begin, end = span.begin_position, span.end_position
    return {
        "startLine": begin.line,
        "startColumn": utf16_column(span.file, begin),
        "endLine": end.line,
        "endColumn": utf16_column(span.file, end),
    }


# reviewdog

_RD_SEVERITIES = {"error": "ERROR", "warning": "WARNING"}


def as_rdjson(report: Report, base: Path) -> str:
    """Return the report for reviewdog, with fixes as suggestions; columns are in bytes of UTF-8."""
    diagnostics = [_rd_diagnostic(finding, base) for finding in report.findings]
    for unlisted in report.left_out:
        place_of_file = {"path": path_from(base, unlisted.file.path)}
        severity = _RD_SEVERITIES[unlisted.severity]
        message = one_line(left_out_of(unlisted))
        diagnostics.append({"message": message, "location": place_of_file, "severity": severity})
    source = {"name": "opforge", "url": WEB_ADDRESS}
    return json_text({"source": source, "diagnostics": diagnostics})


def _rd_diagnostic(finding: Diagnostic, base: Path) -> dict[str, Any]:
    """Return a finding as a diagnostic of reviewdog, with fixes in its own file only."""
    span = finding.span
    fixes = [finding.fix] if finding.fix is not None else finding.alternatives
    suggestions = [
        {"range": _rd_range(fix.span), "text": fix.replacement}
        for fix in fixes
        if fix.span.file.path == span.file.path
    ]
    return {
        "message": "\n".join(map(one_line, filter(None, (finding.message, finding.next_step)))),
        "location": {"path": path_from(base, span.file.path), "range": _rd_range(span)},
        "severity": _RD_SEVERITIES[reported_severity(finding)],
        "code": {"value": finding.name, "url": address_of_finding(finding.name)},
        **({"suggestions": suggestions} if suggestions else {}),
    }


def _rd_range(span: Span) -> dict[str, dict[str, int]]:
    """Return a span as a range of reviewdog."""
    begin, end = (
        {"line": position.line, "column": utf8_column(span.file, position)}
        for position in (span.begin_position, span.end_position)
    )
    return {"start": begin, "end": end}


FORMATS: Mapping[str, Callable[[Report, FormatOptions], str]] = {
    "text": lambda report, options: as_text(report, options.style),
    "concise": lambda report, options: as_concise(report, options.style),
    "json": lambda report, _: as_json(report),
    "sarif": lambda report, options: as_sarif(report, options.base),
    "github": lambda report, options: as_github(report, options.base),
    "markdown": lambda report, _: as_step_summary(report),
    "rdjson": lambda report, options: as_rdjson(report, options.base),
    "gitlab": lambda report, options: as_gitlab(report, options.base),
    "junit": lambda report, options: as_junit(report, options.base, options.strict),
}
"""The formats by name. To add one, write its function and a row here."""
