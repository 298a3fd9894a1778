"""A report as GitLab's Code Quality takes it."""

from __future__ import annotations

from pathlib import Path

from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.escaping import json_text, one_line
from toolkit.diagnostics.fingerprints import unique_fingerprints
from toolkit.diagnostics.places import path_from
from toolkit.diagnostics.report import Report

_SEVERITY = {"error": "major", "warning": "minor"}


def as_gitlab(report: Report, base: Path) -> str:
    """The report as a list of issues; fingerprints stay the same when lines move."""
    fingerprints = unique_fingerprints(report.findings, base)
    issues = [
        {
            "description": one_line(finding.message),
            "check_name": finding.name,
            "fingerprint": sign,
            "severity": _SEVERITY[severity_of(finding.name)],
            "location": {
                "path": path_from(base, finding.span.file),
                "lines": {
                    "begin": finding.span.begin_position.line,
                    "end": finding.span.end_position.line,
                },
            },
        }
        for finding, sign in zip(report.findings, fingerprints, strict=True)
    ]
    return json_text(issues)
