"""Findings for an editor that asks for them (pull diagnostics), in place of those that are published.

An editor that asks for a file, or for all of the workspace, would show its findings twice if they were also
published. So what it has asked for once is not published, while the file is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lsprotocol import types
from msgspec import Struct

from toolkit.apps.lsp.editor_documents import Documents
from toolkit.apps.lsp.editor_findings import published_diagnostics
from toolkit.diagnostics import Diagnostic

_NONE = "none"
"""The id of the answer that a file has no findings."""


class _Answer(Struct, frozen=True):
    """The findings of a file that an editor has, and the id of that answer."""

    result_id: str
    findings: list[Diagnostic]


class PulledFindings:
    """The files for which an editor asks, and what it was answered last.

    ``of_workspace`` says that it asks for all files; ``waiting`` are those of requests without an answer yet.
    """

    def __init__(self) -> None:
        self.of_workspace = False
        self.waiting: list[str] = []
        self._uris: set[str] = set()  # of the open files for which it asks one by one
        self._answers: dict[str, _Answer] = {}  # the last one about each file
        self._answer_count = 0  # the number of the last one, which is its id

    def includes(self, uri: str) -> bool:
        """Whether the editor asks for the findings of a file."""
        return self.of_workspace or uri in self._uris

    def has_files(self) -> bool:
        """Whether the editor asks for any open file."""
        return bool(self._uris)

    def add(self, uri: str) -> None:
        """Note that the editor asks for a file."""
        self._uris.add(uri)

    def forget(self, uri: str) -> None:
        """Note that a file was closed, for which the editor asks no longer."""
        self._uris.discard(uri)
        self._answers.pop(uri, None)

    def answer(self, uri: str, findings: list[Diagnostic], previous_id: str | None) -> tuple[str, bool]:
        """Return the id of the answer with these findings, and whether the editor has it already."""
        if not findings:
            self._answers.pop(uri, None)
            return _NONE, previous_id == _NONE
        known_answer = self._answers.get(uri)
        if known_answer is None or known_answer.findings != findings:
            self._answer_count += 1
            known_answer = self._answers[uri] = _Answer(str(self._answer_count), findings)
        return known_answer.result_id, known_answer.result_id == previous_id

    def take_changes(self, findings_by_uri: Mapping[str, list[Diagnostic]]) -> bool:
        """Return whether an open file has other findings than the editor was told, each change once.

        A file for which a request waits is not meant: it is answered anyway.
        """
        has_changed = False
        for uri in self._uris.difference(self.waiting):
            findings = findings_by_uri.get(uri, [])
            answer = self._answers.get(uri)
            if findings != (answer.findings if answer is not None else []):
                self.answer(uri, findings, None)  # which the editor will get: so this change is taken
                has_changed = True
        return has_changed


def document_report(
    pulled: PulledFindings,
    uri: str,
    findings: list[Diagnostic],
    previous_id: str | None,
    documents: Documents,
) -> types.DocumentDiagnosticReport:
    """Return the findings of one file, or that they are those of an earlier answer."""
    result_id, is_known = pulled.answer(uri, findings, previous_id)
    if is_known:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
    return types.RelatedFullDocumentDiagnosticReport(
        published_diagnostics(findings, documents), result_id=result_id
    )


def workspace_report(
    pulled: PulledFindings,
    findings_by_uri: Mapping[str, list[Diagnostic]],
    previous_ids: Iterable[types.PreviousResultId],
    documents: Documents,
) -> types.WorkspaceDiagnosticReport:
    """Return the findings of all files that have some, or had some when the editor asked before."""
    ids_by_uri = {previous.uri: previous.value for previous in previous_ids}
    reports: list[types.WorkspaceDocumentDiagnosticReport] = []
    for uri in {**ids_by_uri, **findings_by_uri}:
        document = documents.by_uri.get(uri)
        version = document.version if document is not None else None
        findings = findings_by_uri.get(uri, [])
        result_id, is_known = pulled.answer(uri, findings, ids_by_uri.get(uri))
        if is_known:
            reports.append(types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result_id, version=version))
        else:
            diagnostics = published_diagnostics(findings, documents)
            reports.append(
                types.WorkspaceFullDocumentDiagnosticReport(
                    uri, diagnostics, version=version, result_id=result_id
                )
            )
    return types.WorkspaceDiagnosticReport(reports)
