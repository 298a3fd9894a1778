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
from toolkit.apps.lsp.pulled_findings import PulledFindings
from toolkit.apps.lsp.unsaved_files import (
    NOWHERE,
    has_name,
    is_unsaved,
    meant_path,
    unsaved_alone,
    unsaved_within,
)
from toolkit.data.project_files import FolderReader
from toolkit.diagnostics import Diagnostic
from toolkit.project.live_project import LiveProject
from toolkit.project.own_checks import Answer, findings_in
from toolkit.source import SourceFile
from toolkit.source.paths import PROJECT_FILE

LOG = logging.getLogger("opforge.lsp")


class ServerState:
    """Open files, loaded projects by folder, and by URI the findings that the editor has.

    ``folders`` are those of the workspace, ``removed_folders`` those that were, and have no findings until a
    file in them is opened. ``own_answers`` are those of the projects' own checks, as of the last time they
    were run. ``pulled`` is what the editor asks for itself: nothing of that is published.
    """

    def __init__(self) -> None:
        self.documents = Documents()
        self.folders: set[Path] = set()
        self.removed_folders: set[Path] = set()
        self.projects: dict[Path, LiveProject] = {}
        self.own_answers: dict[Path, Mapping[str, Answer | None]] = {}
        self.pulled = PulledFindings()
        self._unsaved: dict[Path, LiveProject] = {}  # projects read together with files that have no path yet
        self._reported_roots: list[Path] = []  # of the projects whose findings were last reported
        self._published: dict[str, list[Diagnostic]] = {}  # by URI, what was published last

    def root_of(self, path: Path | None) -> Path | None:
        """Return the project folder of a file: the nearest with a project file, open or on disk."""
        return next(filter(self._is_project, path.parents), None) if path is not None else None

    def _is_project(self, folder: Path) -> bool:
        """Whether a folder has a project file, open or on disk; not if it cannot be read."""
        project_file = folder / PROJECT_FILE
        try:
            return project_file.is_file() or self.documents.at(project_file) is not None
        except (OSError, ValueError):
            return False

    def open(self, item: types.TextDocumentItem) -> Document:
        """Add a file that was opened, and read its project."""
        document = self.documents.open(item)
        if document.path is not None:
            # a folder that left the workspace has findings again once a file in it is opened
            self.removed_folders = {
                folder for folder in self.removed_folders if not document.path.is_relative_to(folder)
            }
        self.load(document.path)
        return document

    def close(self, uri: str) -> Document | None:
        """Remove a file that was closed; what the editor does not ask for any more is published again."""
        self.pulled.forget(uri)
        document = self.documents.close(uri)
        if not any(map(is_unsaved, self.documents.by_uri.values())):
            self._unsaved.clear()
        return document

    def change_folders(self, added: Iterable[Path], removed: Iterable[Path]) -> None:
        """Add folders to the workspace and read their projects; forget those that were removed."""
        added_folders, removed_folders = list(added), set(removed)
        self.folders = (self.folders - removed_folders).union(added_folders)
        self.removed_folders = (self.removed_folders | removed_folders) - self.folders
        for folder in added_folders:
            for candidate in (folder, folder / "cards"):
                if (candidate / PROJECT_FILE).is_file():
                    self.load(candidate / PROJECT_FILE)

    def _is_gone(self, root: Path) -> bool:
        """Whether a project is no longer there, or was removed from the workspace."""
        is_removed = any(root.is_relative_to(folder) for folder in self.removed_folders)
        return is_removed or not self._is_project(root)

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
            if path is None or path.is_relative_to(root):
                project.stale = True
        for project in self._unsaved.values():
            project.stale = True

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
                self.projects[root].read(self._open_texts(root))
        except Exception:
            LOG.exception("the project in %s could not be read", root)
        return self.projects.get(root)

    def _open_texts(self, root: Path) -> dict[Path, str]:
        """Return the texts of the open files of a project."""
        return {file: text for file, text in self.documents.texts().items() if self.root_of(file) == root}

    def load_unsaved(self, document: Document) -> LiveProject | None:
        """Return the project in which an unsaved card file is read, up to date; None if it is none.

        If reading fails, which is a bug, it is the project as it was last read.
        """
        if not is_unsaved(document):
            return None
        root = self._root_of_unsaved(document)
        project = self._unsaved.get(root)
        was_read = document.stand_in is not None  # that is the path under which the project reads it
        if project is None or project.stale or not was_read:
            try:
                self._unsaved[root] = self._read_unsaved(root)
            except Exception:
                LOG.exception("the unsaved files for %s could not be read", root)
        return self._unsaved.get(root)

    def last_read_unsaved(self, document: Document) -> LiveProject | None:
        """Return the project of an unsaved card file as it was last read."""
        return self._unsaved.get(self._root_of_unsaved(document))

    def _read_unsaved(self, root: Path) -> LiveProject:
        """Read the unsaved files that belong to a project, or those that belong to none."""
        documents = [
            document
            for document in self.documents.by_uri.values()
            if is_unsaved(document) and self._root_of_unsaved(document) == root
        ]
        base = self.load(root / PROJECT_FILE) if root != NOWHERE else None
        return unsaved_within(base, documents, self._open_texts(root)) if base else unsaved_alone(documents)

    def _root_of_unsaved(self, document: Document) -> Path:
        """Return the folder of the project that an unsaved file belongs to."""
        root = self.root_of(meant_path(document))
        if root is None and (project := self.only_project()) is not None:
            root = project.root
        return root if root is not None else NOWHERE

    def only_project(self) -> LiveProject | None:
        """Return the only project of which findings are reported, or else the only one, as it was read."""
        roots = [root for root in self.projects if self._is_reported(root)] or list(self.projects)
        if len(roots) != 1:
            return None
        (only_root,) = roots
        return self.projects[only_root]

    def up_to_date_projects(self) -> list[LiveProject]:
        """Return the projects that are loaded and still there, up to date."""
        roots = [root for root in self.projects if self._is_project(root)]
        return [project for root in roots if (project := self.load(root / PROJECT_FILE)) is not None]

    def file_of(self, uri: str) -> tuple[LiveProject, SourceFile] | None:
        """Return a file, open or on disk, with its project, up to date; None if it belongs to none."""
        document = self.documents.by_uri.get(uri)
        if document is not None and document.path is None:
            project, path = self.load_unsaved(document), document.stand_in
        else:
            path = document.path if document is not None else path_of(uri)
            project = self.load(path)
        file = project.file(path) if project is not None and path is not None else None
        return (project, file) if project is not None and file is not None else None

    def diagnostics(self) -> Iterator[types.PublishDiagnosticsParams]:
        """Yield all findings of each file whose findings have changed since the last call.

        Nothing is published of a file for which the editor asks itself.
        """
        reported = self.reported_findings()
        findings = {uri: reported[uri] for uri in reported if not self.pulled.includes(uri)}
        for uri in {**self._published, **findings}:
            if findings.get(uri, []) != self._published.get(uri, []):
                yield self._message(uri, findings.get(uri, []))
        self._published = findings

    def reported_findings(self) -> dict[str, list[Diagnostic]]:
        """Return the findings of all files that have some, of the projects that are reported.

        A project that is reported no longer is forgotten. One that never was, because a request asked for a
        file of it that is not open, stays for the next request.
        """
        for root in [root for root in self.projects if not self._is_reported(root)]:
            if root in self._reported_roots or self._is_gone(root):
                del self.projects[root]
        self._reported_roots = [root for root in self.projects if self._is_reported(root)]
        findings_by_uri: dict[str, list[Diagnostic]] = {}
        for root in self._reported_roots:
            project = self.load(root / PROJECT_FILE)
            if project is not None:
                for path, findings in self._findings(project).items():
                    findings_by_uri[self.documents.uri_of(path)] = findings
        for document in self.documents.by_uri.values():
            is_reported = is_unsaved(document) and has_name(document)
            if is_reported and (findings := self.findings_of(document.uri)):
                findings_by_uri[document.uri] = findings
        return findings_by_uri

    def findings_of(self, uri: str) -> list[Diagnostic]:
        """Return the findings of a file, up to date; none if it belongs to no project."""
        project_and_file = self.file_of(uri)
        if project_and_file is None:
            return []
        project, file = project_and_file
        return self._findings(project).get(file.path, [])

    def _findings(self, project: LiveProject) -> dict[Path, list[Diagnostic]]:
        """Return the findings of a project by file, with those of its own checks."""
        findings = project.findings()
        own_findings = findings_in(project.cards, self.own_answers.get(project.root, {}))
        if own_findings:
            for finding in project.without_suppressed(own_findings):
                findings.setdefault(finding.span.file.path, []).append(finding)
        return findings

    def _message(self, uri: str, findings: list[Diagnostic]) -> types.PublishDiagnosticsParams:
        """Return what tells the editor the findings of a file."""
        document = self.documents.by_uri.get(uri)
        return types.PublishDiagnosticsParams(
            uri,
            published_diagnostics(findings, self.documents),
            document.version if document is not None else None,
        )
