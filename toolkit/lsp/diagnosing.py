"""Findings as the editor shows them, and the fixes that it offers for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from lsprotocol import types

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.report import limited
from toolkit.diagnostics.reporters import left_out_of
from toolkit.lsp.positions import Encoding, range_at
from toolkit.source import Span

UriOf = Callable[[Path], str]
"""How the editor calls a file."""

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
}


def shown_findings(
    findings: Sequence[Diagnostic], encoding: Encoding, uri_of: UriOf
) -> list[types.Diagnostic]:
    """The findings of one file; each once, and not more than a report lists."""
    unique = {(one.name, one.span.start, one.span.end, one.message): one for one in findings}
    listed, left_out = limited(list(unique.values()))
    return [shown(finding, encoding, uri_of) for finding in listed] + [
        types.Diagnostic(
            range=types.Range(types.Position(0, 0), types.Position(0, 0)),
            message=left_out_of(one),
            severity=types.DiagnosticSeverity.Information,
            source="opforge",
        )
        for one in left_out
    ]


def shown(finding: Diagnostic, encoding: Encoding, uri_of: UriOf) -> types.Diagnostic:
    """One finding: the message with the next step, and the related places."""
    related = [
        types.DiagnosticRelatedInformation(location(label.span, encoding, uri_of), label.message)
        for label in finding.labels
    ]
    unused = finding.name.startswith("unused-")
    return types.Diagnostic(
        range=range_at(finding.span, encoding),
        message=f"{finding.message}\n{finding.next_step}" if finding.next_step else finding.message,
        severity=_SEVERITIES[severity_of(finding.name)],
        code=finding.name,
        source="opforge",
        related_information=related or None,
        tags=[types.DiagnosticTag.Unnecessary] if unused else None,
    )


def location(span: Span, encoding: Encoding, uri_of: UriOf) -> types.Location:
    """A stretch with its file."""
    return types.Location(uri_of(span.file.path), range_at(span, encoding))
