"""A report as SARIF 2.1.0, the format in which code scanning services take findings.

Columns are counted in UTF-16 units, as SARIF does by default; paths are percent-encoded and relative to
``%SRCROOT%``. The help of a rule is the page of the finding.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from toolkit import __version__
from toolkit.diagnostics.catalogue import CATALOGUE, severity_of
from toolkit.diagnostics.escaping import json_text, sarif_message
from toolkit.diagnostics.finding import Diagnostic, Fix
from toolkit.diagnostics.fingerprints import unique_fingerprints
from toolkit.diagnostics.places import path_from, utf16_column
from toolkit.diagnostics.report import LeftOut, Report
from toolkit.diagnostics.reporters import left_out_of
from toolkit.help.pages import page_of_finding
from toolkit.source import SourceFile, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"


def as_sarif(report: Report, base: Path) -> str:
    """The report as a SARIF log with one run; paths are seen from ``base``."""
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
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder that paths are relative to."}}},
        "results": [
            _result(finding, names.index(finding.name), sign, base)
            for finding, sign in zip(report.findings, fingerprints, strict=True)
        ],
    }
    if report.left_out:
        run["invocations"] = [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_left_out(one, base) for one in report.left_out],
            }
        ]
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_text(log)


def _left_out(one: LeftOut, base: Path) -> dict[str, Any]:
    """A notification about the findings of a file that are not listed."""
    return {
        "level": "error" if one.errors else "warning",
        "message": {"text": left_out_of(one)},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(one.file, base)}}],
        "properties": {"notListed": one.number, "errors": one.errors},
    }


def _rule(name: str) -> dict[str, Any]:
    page = page_of_finding(name) or ""
    title = CATALOGUE[name].title
    sentence = next((line for line in page.splitlines()[1:] if line), title)
    return {
        "id": name,
        "shortDescription": {"text": f"{title[0].upper()}{title[1:]}."},
        "fullDescription": {"text": sentence},
        "help": {"text": page or title, "markdown": page or title},
        "defaultConfiguration": {"level": severity_of(name)},
    }


def _result(finding: Diagnostic, rule: int, sign: str, base: Path) -> dict[str, Any]:
    text = sarif_message(finding.message)
    if finding.next_step:
        text += f"\n{sarif_message(finding.next_step)}"
    result: dict[str, Any] = {
        "ruleId": finding.name,
        "ruleIndex": rule,
        "level": severity_of(finding.name),
        "message": {"text": text},
        "locations": [{"physicalLocation": _physical(finding.span, base)}],
        "partialFingerprints": {"opforge/v1": sign},
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


def _fix(fix: Fix, what: str, base: Path) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    change = {"artifactLocation": _artifact(fix.span.file, base), "replacements": [replacement]}
    description = sarif_message(what or f"Write `{fix.replacement}`.")
    return {"description": {"text": description}, "artifactChanges": [change]}


def _physical(span: Span, base: Path) -> dict[str, Any]:
    return {"artifactLocation": _artifact(span.file, base), "region": _region(span)}


def _artifact(file: SourceFile, base: Path) -> dict[str, str]:
    return {"uri": quote(path_from(base, file)), "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    begin, end = span.begin_position, span.end_position
    return {
        "startLine": begin.line,
        "startColumn": utf16_column(span.file, begin),
        "endLine": end.line,
        "endColumn": utf16_column(span.file, end),
    }
