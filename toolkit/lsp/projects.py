"""The projects that open files belong to, each loaded once and kept up to date."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

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
from toolkit.diagnostics.suppression_filter import settle
from toolkit.diagnostics.suppressions import Suppression
from toolkit.lsp.documents import Document, Documents
from toolkit.pipeline import Cache, Workspace, open_project
from toolkit.source import SourceFile, Span
from toolkit.source.paths import PROJECT_FILE

if TYPE_CHECKING:
    from toolkit.lsp.occurrences import Occurrence


class OpenProject(Struct):
    """A project as it stands in the editor. ``stale`` tells that something has changed since it was read.

    ``told`` are its findings without those that a comment keeps back. ``named`` are the ids and traits in its
    entries, as far as somebody has asked for them.
    """

    root: Path
    reader: FolderReader
    cache: Cache = field(default_factory=lambda: Cache(moving=True))
    workspace: Workspace | None = None
    stale: bool = True
    told: Sequence[Diagnostic] = ()
    named: dict[Mapping, list[Occurrence]] = field(default_factory=dict)
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

    def findings(self) -> dict[Path, list[Diagnostic]]:
        """What is wrong, by file."""
        found: dict[Path, list[Diagnostic]] = {}
        for finding in self.told:
            found.setdefault(finding.span.file.path, []).append(finding)
        return found

    def settle(self) -> None:
        """Hold what was found against the comments that keep findings back."""
        files = self.cards.files
        self._comments = {file.path: self._comments_in(file) for file in files}
        remarks = [finding for comments in self._comments.values() for finding in comments.findings]
        suppressions = [one for comments in self._comments.values() for one in comments.suppressions]
        found = [*(self.workspace.findings if self.workspace else ()), *remarks]
        told = settle(found, suppressions, date.today().isoformat(), OF_PRINT).told
        self.told = [_as_it_stands(finding) for finding in told]

    def _comments_in(self, file: SourceFile) -> _Comments:
        known = self._comments.get(file.path)
        if known is not None and known.text == file.text:
            return known
        entries = self.cache.files.get(file.path)
        tree = Tree(file, entries.root, cut=entries.cut) if entries and entries.file is file else None
        return _Comments(file.text, *suppressions_in(file, tree))


def _as_it_stands(finding: Diagnostic) -> Diagnostic:
    """A finding whose places stay where they are now: the editor is told of it again when they change."""
    return replace(
        finding,
        span=_fixed(finding.span),
        labels=tuple([Label(_fixed(label.span), label.message) for label in finding.labels]),
        fix=replace(finding.fix, span=_fixed(finding.fix.span)) if finding.fix is not None else None,
    )


def _fixed(span: Span) -> Span:
    return Span(span.file, span.start, span.end)


class _Comments(Struct, frozen=True):
    """The suppressions in a text, and what is wrong with them."""

    text: str
    suppressions: list[Suppression]
    findings: list[Diagnostic]


def empty(root: Path) -> CardSet:
    """A project without anything: for a file that belongs to none."""
    return CardSet(Project(root, SourceFile(root / PROJECT_FILE, PROJECT_FILE, "")))


class Projects(Struct):
    """The loaded projects by folder, and the open files that count in place of those on disk."""

    documents: Documents
    by_root: dict[Path, OpenProject] = field(default_factory=dict)

    def root_of(self, path: Path) -> Path | None:
        """The folder of the project of a file: the nearest with a project file, be it open or on disk."""
        for folder in path.parents:
            if self._is_project(folder):
                return folder
        return None

    def _is_project(self, folder: Path) -> bool:
        place = folder / PROJECT_FILE
        try:
            return place.is_file() or self.documents.at(place) is not None
        except (OSError, ValueError):
            return False

    def of(self, document: Document) -> OpenProject | None:
        """The project of an open file, up to date; None if the file belongs to none."""
        root = self.root_of(document.path) if document.path is not None else None
        return self.at(root) if root is not None else None

    def at(self, root: Path) -> OpenProject:
        """The project in a folder, up to date."""
        project = self.by_root.get(root)
        if project is None:
            project = self.by_root[root] = OpenProject(root, FolderReader(root))
        if project.stale:
            self.refresh(project)
        return project

    def refresh(self, project: OpenProject) -> None:
        """Read a project again, and of it only what has changed."""
        overlay = {
            path: text
            for path, text in self.documents.overlay().items()
            if self.root_of(path) == project.root
        }
        project.stale = False
        first = project.workspace is None
        project.workspace = open_project(project.root, overlay, project.cache, project.reader.read())
        project.settle()
        if first:
            gc.freeze()  # looking for garbage in what stays anyway would make one edit in a hundred slow

    def forget_removed(self) -> list[Path]:
        """Forget the projects whose project file is gone; their folders."""
        gone = [root for root in self.by_root if not self._is_project(root)]
        for root in gone:
            del self.by_root[root]
        return gone
