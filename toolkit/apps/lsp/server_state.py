"""The state of the server: open files, their projects, and the findings that the editor has.

It knows nothing of connections, so that tests use it without an editor.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lsprotocol import types

from toolkit.apps.lsp.editor_documents import Document, Documents, path_of
from toolkit.apps.lsp.editor_findings import published_diagnostics
from toolkit.data.project_files import FolderReader
from toolkit.diagnostics import Diagnostic
from toolkit.project.live_project import LiveProject
from toolkit.project.own_checks import Answer, findings_in
from toolkit.source import SourceFile
from toolkit.source.paths import PROJECT_FILE

LOG = logging.getLogger("opforge.lsp")


class ServerState:
    """Open files, loaded projects by folder, and by project and file the findings that the editor has.

    ``folders`` are those of the workspace, ``removed`` those that were, and have no findings until a file in
    them is opened. ``own_answers`` are those of the projects' own checks, as of the last time they were run.
    """

    def __init__(self) -> None:
        self.documents = Documents()
        self.folders: set[Path] = set()
        self.removed: set[Path] = set()
        self.projects: dict[Path, LiveProject] = {}
        self.own_answers: dict[Path, Mapping[str, Answer | None]] = {}
        self._published: dict[Path, dict[Path, list[Diagnostic]]] = {}

    def root_of(self, path: Path | None) -> Path | None:
        """Return the project folder of a file: the nearest with a project file, open or on disk."""
        return next(filter(self._is_project, path.parents), None) if path is not None else None

    def _is_project(self, folder: Path) -> bool:
        project_file = folder / PROJECT_FILE
        try:
            return project_file.is_file() or self.documents.at(project_file) is not None
        except (OSError, ValueError):
            return False

    def open(self, item: types.TextDocumentItem) -> Document:
        """Add a file that was opened, and read its project."""
        document = self.documents.open(item)
        if document.path is not None:
            self.removed = {folder for folder in self.removed if not document.path.is_relative_to(folder)}
        self.load(document.path)
        return document

    def change_folders(self, added: Iterable[Path], removed: Iterable[Path]) -> None:
        """Add folders to the workspace and read their projects; forget those that were removed."""
        added_folders, removed_folders = list(added), set(removed)
        self.folders = (self.folders - removed_folders).union(added_folders)
        self.removed = (self.removed | removed_folders) - self.folders
        for folder in added_folders:
            for candidate in (folder, folder / "cards"):
                if (candidate / PROJECT_FILE).is_file():
                    self.load(candidate / PROJECT_FILE)

    def _is_gone(self, root: Path) -> bool:
        """Whether a project is no longer there, or was removed from the workspace."""
        return not self._is_project(root) or any(root.is_relative_to(folder) for folder in self.removed)

    def _is_reported(self, root: Path) -> bool:
        """Whether findings of a project are reported: it is in the workspace, or a file of it is open."""
        if self._is_gone(root):
            return False
        if any(root.is_relative_to(folder) or folder.is_relative_to(root) for folder in self.folders):
            return True
        return any(self.root_of(path) == root for path in self.documents.texts())

    def mark_stale(self, document: Document | None = None) -> None:
        """Mark the project of a changed file for reading before the next answer; without a file all."""
        path = document.path if document is not None else None
        for root, project in self.projects.items():
            project.stale |= path is None or path.is_relative_to(root)

    def load(self, path: Path | None) -> LiveProject | None:
        """Return the project of a file, up to date; None if it belongs to none.

        If reading fails, which is a bug, it is the project as it was last read.
        """
        root = self.root_of(path)
        if root is None:
            return None
        try:
            if root not in self.projects:
                self.projects[root] = LiveProject(root, FolderReader(root))
            if self.projects[root].stale:
                texts = self.documents.texts()
                open_texts = {file: text for file, text in texts.items() if self.root_of(file) == root}
                self.projects[root].read(open_texts)
        except Exception:
            LOG.exception("the project in %s could not be read", root)
        return self.projects.get(root)

    def only_project(self) -> LiveProject | None:
        """Return the only project of which findings are reported, or else the only one, as it was read."""
        roots = [root for root in self.projects if self._is_reported(root)] or list(self.projects)
        return self.projects[roots[0]] if len(roots) == 1 else None

    def up_to_date_projects(self) -> list[LiveProject]:
        """Return the projects that are loaded and still there, up to date."""
        roots = [root for root in self.projects if self._is_project(root)]
        return [project for root in roots if (project := self.load(root / PROJECT_FILE)) is not None]

    def file_of(self, uri: str) -> tuple[LiveProject, SourceFile] | None:
        """Return a file, open or on disk, with its project, up to date; None if it belongs to none."""
        document = self.documents.by_uri.get(uri)
        path = document.path if document is not None else path_of(uri)
        project = self.load(path)
        file = project.file(path) if project is not None and path is not None else None
        return (project, file) if project is not None and file is not None else None

    def diagnostics(self) -> Iterator[types.PublishDiagnosticsParams]:
        """Yield all findings of each file whose findings have changed since the last call.

        A project that is reported no longer is forgotten. One that never was, because a request asked for a
        file of it that is not open, stays for the next request.
        """
        unreported = [root for root in self.projects if not self._is_reported(root)]
        for root in unreported:
            if root in self._published or self._is_gone(root):
                del self.projects[root]
            for path in self._published.pop(root, {}):
                yield self._message(path, [])
        for root in [root for root in self.projects if root not in unreported]:
            project = self.load(root / PROJECT_FILE)
            if project is None:
                continue
            findings, published = self._findings(project), self._published.get(root, {})
            for path in {**published, **findings}:
                if findings.get(path, []) != published.get(path, []):
                    yield self._message(path, findings.get(path, []))
            self._published[root] = findings

    def _findings(self, project: LiveProject) -> dict[Path, list[Diagnostic]]:
        """Return the findings of a project by file, with those of its own checks."""
        findings = project.findings()
        answers = self.own_answers.get(project.root)
        for finding in project.without_suppressed(findings_in(project.cards, answers)) if answers else ():
            findings.setdefault(finding.span.file.path, []).append(finding)
        return findings

    def _message(self, path: Path, findings: list[Diagnostic]) -> types.PublishDiagnosticsParams:
        document = self.documents.at(path)
        return types.PublishDiagnosticsParams(
            self.documents.uri_of(path),
            published_diagnostics(findings, self.documents),
            document.version if document is not None else None,
        )
