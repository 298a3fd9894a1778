"""The state of the server: open files, their projects, and the findings that the editor shows.

It is independent of the protocol, so that it can be used without an editor.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from lsprotocol import types
from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.file_entries import FileEntries
from toolkit.data.model import CardSet, Project
from toolkit.data.nodes import Mapping, Node
from toolkit.data.project_files import FolderReader
from toolkit.data.suppression_comments import suppressions_in
from toolkit.data.tree import Tree
from toolkit.diagnostics import Diagnostic, Label
from toolkit.diagnostics.catalogue import OF_PRINT
from toolkit.diagnostics.suppression_filter import filter_suppressed
from toolkit.diagnostics.suppressions import Suppression
from toolkit.lsp.documents import Document, Documents
from toolkit.lsp.findings import shown_findings
from toolkit.lsp.occurrences import Occurrence, in_entry, in_project_file
from toolkit.lsp.places import entries_of
from toolkit.pipeline import Cache, Workspace, open_project
from toolkit.source import SourceFile, Span
from toolkit.source.paths import PROJECT_FILE

LOG = logging.getLogger("opforge.lsp")


class OpenProject(Struct):
    """A project with the texts of the editor. ``stale`` is set when something has changed since it was read.

    ``reported`` are its findings without the suppressed ones.
    """

    root: Path
    reader: FolderReader
    cache: Cache = field(default_factory=lambda: Cache(moving=True))
    workspace: Workspace | None = None
    stale: bool = True
    reported: Sequence[Diagnostic] = ()
    _occurrences: dict[Mapping, list[Occurrence]] = field(default_factory=dict)
    _comments: dict[Path, _Comments] = field(default_factory=dict)

    @property
    def cards(self) -> CardSet:
        """Everything of the project that can be used."""
        return self.workspace.cards if self.workspace else empty(self.root)

    def file(self, path: Path) -> SourceFile | None:
        """A file of the project as it was read."""
        return next((file for file in self.cards.files if file.path == path), None)

    def trees(self) -> Iterator[tuple[SourceFile, Node | None, FileEntries | None]]:
        """Every file with its tree as far as it can be read; the project file has no entries."""
        for file in self.cards.files:
            if file is self.cards.project.file:
                yield file, self.cards.project.node, None
            elif (entries := self.cache.files.get(file.path)) is not None and entries.file.text == file.text:
                yield file, entries.root, entries

    def tree(self, file: SourceFile) -> Node | None:
        """The tree of a file of the project, as far as it can be read."""
        return next((root for one, root, _ in self.trees() if one is file), None)

    def occurrences(self) -> list[Occurrence]:
        """Every id and trait, file by file. Those of an unchanged entry are kept from the last call."""
        before, self._occurrences = self._occurrences, {}
        found: list[Occurrence] = []
        for _, root, entries in self.trees():
            if entries is None:
                found += in_project_file(root)
                continue
            for section, entry in entries_of(root):
                known = before.get(entry)
                known = list(in_entry(section, entry)) if known is None else known
                self._occurrences[entry] = known
                found += known
        return found

    def findings(self) -> dict[Path, list[Diagnostic]]:
        """The reported findings, by file."""
        found: dict[Path, list[Diagnostic]] = {}
        for finding in self.reported:
            found.setdefault(finding.span.file.path, []).append(finding)
        return found

    def apply_suppressions(self) -> None:
        """Filter the findings of the workspace by the suppression comments of all files."""
        files = self.cards.files
        self._comments = {file.path: self._comments_in(file) for file in files}
        remarks = [finding for comments in self._comments.values() for finding in comments.findings]
        suppressions = [one for comments in self._comments.values() for one in comments.suppressions]
        found = [*(self.workspace.findings if self.workspace else ()), *remarks]
        filtered = filter_suppressed(found, suppressions, date.today().isoformat(), OF_PRINT)
        self.reported = [_with_fixed_places(finding) for finding in filtered.reported]

    def _comments_in(self, file: SourceFile) -> _Comments:
        known = self._comments.get(file.path)
        if known is not None and known.text == file.text:
            return known
        entries = self.cache.files.get(file.path)
        tree = Tree(file, entries.root, cut=entries.cut) if entries and entries.file is file else None
        return _Comments(file.text, *suppressions_in(file, tree))


def _with_fixed_places(finding: Diagnostic) -> Diagnostic:
    """The finding with places that do not move with later edits: it is sent again when they change."""
    return replace(
        finding,
        span=_fixed(finding.span),
        labels=tuple([Label(_fixed(label.span), label.message) for label in finding.labels]),
        fix=replace(finding.fix, span=_fixed(finding.fix.span)) if finding.fix is not None else None,
    )


def _fixed(span: Span) -> Span:
    return Span(span.file, span.start, span.end)


class _Comments(Struct, frozen=True):
    """The suppressions in a text, and the findings about them."""

    text: str
    suppressions: list[Suppression]
    findings: list[Diagnostic]


def empty(root: Path) -> CardSet:
    """An empty project, for a file that belongs to none."""
    return CardSet(Project(root, SourceFile(root / PROJECT_FILE, PROJECT_FILE, "")))


class ServerState:
    """Open files, loaded projects by folder, and by project and file the findings that the editor has."""

    def __init__(self) -> None:
        self.documents = Documents()
        self.projects: dict[Path, OpenProject] = {}
        self._published: dict[Path, dict[Path, list[Diagnostic]]] = {}

    def root_of(self, path: Path | None) -> Path | None:
        """The folder of the project of a file: the nearest with a project file, be it open or on disk."""
        return next(filter(self._is_project, path.parents), None) if path is not None else None

    def _is_project(self, folder: Path) -> bool:
        place = folder / PROJECT_FILE
        try:
            return place.is_file() or self.documents.at(place) is not None
        except (OSError, ValueError):
            return False

    def mark_stale(self, document: Document | None = None) -> None:
        """Have the project of a changed file read again before the next answer; without a file, all."""
        path = document.path if document is not None else None
        for root, project in self.projects.items():
            project.stale |= path is None or path.is_relative_to(root)

    def load(self, path: Path | None) -> OpenProject | None:
        """The project of a file, up to date, or as it was last read if it cannot be read now; None without
        a project."""
        root = self.root_of(path)
        if root is None:
            return None
        try:
            if root not in self.projects:
                self.projects[root] = OpenProject(root, FolderReader(root))
            if self.projects[root].stale:
                self._read(self.projects[root])
        except Exception:
            LOG.exception("the project in %s could not be read", root)
        return self.projects.get(root)

    def _read(self, project: OpenProject) -> None:
        """Read a project again, but only the changed parts."""
        texts = self.documents.texts()
        overlay = {path: text for path, text in texts.items() if self.root_of(path) == project.root}
        project.stale = False
        first = project.workspace is None
        project.workspace = open_project(project.root, overlay, project.cache, project.reader.read())
        project.apply_suppressions()
        if first:
            gc.freeze()  # collecting garbage among what stays anyway would make one edit in a hundred slow

    def file_of(self, uri: str) -> tuple[OpenProject, SourceFile] | None:
        """An open file of a project, up to date; None if it belongs to none."""
        document = self.documents.by_uri.get(uri)
        path = document.path if document is not None else None
        project = self.load(path)
        file = project.file(path) if project is not None and path is not None else None
        return (project, file) if project is not None and file is not None else None

    def diagnostics(self) -> Iterator[types.PublishDiagnosticsParams]:
        """For each file whose findings have changed since the last call, all its findings."""
        for root in [root for root in self.projects if not self._is_project(root)]:
            del self.projects[root]
            for path in self._published.pop(root, {}):
                yield self._message(path, [])
        for root in list(self.projects):
            project = self.load(root / PROJECT_FILE)
            if project is None:
                continue
            now, before = project.findings(), self._published.get(root, {})
            for path in [*before, *(path for path in now if path not in before)]:
                if now.get(path, []) != before.get(path, []):
                    yield self._message(path, now.get(path, []))
            self._published[root] = now

    def _message(self, path: Path, findings: list[Diagnostic]) -> types.PublishDiagnosticsParams:
        document = self.documents.at(path)
        return types.PublishDiagnosticsParams(
            self.documents.uri_of(path),
            shown_findings(findings, self.documents),
            document.version if document is not None else None,
        )
