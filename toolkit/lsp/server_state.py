"""What the server knows: open files, their projects, and which findings the editor shows.

It knows nothing of how messages travel, so that it can be tried without an editor.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from toolkit.diagnostics import Diagnostic
from toolkit.lsp.diagnosing import shown_findings
from toolkit.lsp.documents import Document, Documents
from toolkit.lsp.positions import Encoding
from toolkit.lsp.projects import OpenProject, Projects
from toolkit.lsp.uris import uri_of
from toolkit.source import SourceFile

LOG = logging.getLogger("opforge.lsp")


class Desk:
    """Everything that is open. ``published`` are the findings that the editor has, by project and file."""

    def __init__(self) -> None:
        self.documents = Documents()
        self.published: dict[Path, dict[Path, list[Diagnostic]]] = {}
        self.projects = Projects(self.documents)

    @property
    def encoding(self) -> Encoding:
        """The units in which the editor counts columns."""
        return self.documents.encoding

    def uri_of(self, path: Path) -> str:
        """How the editor calls a file: as it said itself, if it is open."""
        document = self.documents.at(path)
        return document.uri if document is not None else uri_of(path)

    def touch(self, document: Document | None = None) -> None:
        """A file has changed, or nobody knows which: its project is read again before the next answer."""
        path = document.path if document is not None else None
        for root, project in self.projects.by_root.items():
            project.stale |= path is None or path.is_relative_to(root)

    def look_at(self, path: Path | None) -> None:
        """Let the project of a file be known, if it belongs to one."""
        root = self.projects.root_of(path) if path is not None else None
        if root is not None:
            self._up_to_date(root)

    def _up_to_date(self, root: Path) -> OpenProject | None:
        """The project in a folder; as it was when it was last read, if it cannot be read now."""
        try:
            return self.projects.at(root)
        except Exception:
            LOG.exception("the project in %s could not be read", root)
            return self.projects.by_root.get(root)

    def file_of(self, uri: str) -> tuple[OpenProject, SourceFile, Document] | None:
        """An open file of a project, as it stands; None if it belongs to none."""
        document = self.documents.by_uri.get(uri)
        root = self.projects.root_of(document.path) if document is not None and document.path else None
        project = self._up_to_date(root) if root is not None else None
        if document is None or document.path is None or project is None:
            return None
        file = project.file(document.path)
        return (project, file, document) if file is not None else None

    def news(self) -> Iterator[types.PublishDiagnosticsParams]:
        """What the editor has to be told: for each file whose findings have changed, all of them."""
        for root in self.projects.forget_removed():
            for path in self.published.pop(root, {}):
                yield self._message(path, [])
        for root in list(self.projects.by_root):
            project = self._up_to_date(root)
            if project is None:
                continue
            now, before = project.findings(), self.published.get(root, {})
            for path in [*before, *(path for path in now if path not in before)]:
                if now.get(path, []) != before.get(path, []):
                    yield self._message(path, now.get(path, []))
            self.published[root] = now

    def _message(self, path: Path, findings: list[Diagnostic]) -> types.PublishDiagnosticsParams:
        document = self.documents.at(path)
        return types.PublishDiagnosticsParams(
            self.uri_of(path),
            shown_findings(findings, self.encoding, self.uri_of),
            document.version if document is not None else None,
        )
