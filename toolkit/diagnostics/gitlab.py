"""A report as GitLab's Code Quality takes it."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Any

from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.escaping import json_text, one_line
from toolkit.diagnostics.fingerprints import unique_fingerprints
from toolkit.diagnostics.places import path_from
from toolkit.diagnostics.report import LeftOut, Report
from toolkit.diagnostics.reporters import left_out_of

_SEVERITY = {"error": "major", "warning": "minor"}


def as_gitlab(report: Report, base: Path) -> str:
    """The report as a list of issues; fingerprints stay the same when lines move."""
    fingerprints = unique_fingerprints(report.findings, base)
    issues: list[dict[str, Any]] = [
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
    issues += [_left_out(one, base) for one in report.left_out]
    return json_text(issues)


def _left_out(one: LeftOut, base: Path) -> dict[str, Any]:
    """An issue that stands for the findings of a file that are not listed."""
    path = path_from(base, one.file)
    return {
        "description": one_line(left_out_of(one)),
        "check_name": "not-listed",
        "fingerprint": blake2b(f"not listed\0{path}".encode(), digest_size=8).hexdigest(),
        "severity": _SEVERITY["error" if one.errors else "warning"],
        "location": {"path": path, "lines": {"begin": 1, "end": 1}},
    }
