"""A project that stays open while its files are edited: its changed parts are read again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.file_entries import FileEntries
from toolkit.data.loading import without_garbage_collection
from toolkit.data.model import CardSet, Project
from toolkit.data.project_files import Folder, FolderReader
from toolkit.data.yaml.nodes import Mapping, Node
from toolkit.data.yaml.suppression_comments import suppressions_in
from toolkit.data.yaml.yaml_tree import Tree, parse_tree
from toolkit.diagnostics import Diagnostic, Label
from toolkit.diagnostics.catalogue import NOT_LIVE, prevents_use
from toolkit.diagnostics.suppressions import Suppression, filter_suppressed
from toolkit.project.name_references import Occurrence, in_entry, in_project_file
from toolkit.project.pipeline import Cache, Workspace, open_project
from toolkit.project.value_at import entries_of
from toolkit.source import ReadProblem, SourceFile, Span
from toolkit.source.paths import PROJECT_FILE


class LiveProject(Struct):
    """A project that is edited while it is open.

    ``stale`` says that something has changed since it was read; ``reported`` are its findings without the
    hidden ones.
    """

    root: Path
    reader: FolderReader
    cache: Cache = field(default_factory=lambda: Cache(incremental=True))
    workspace: Workspace | None = None
    stale: bool = True
    reported: Sequence[Diagnostic] = ()
    _occurrences: dict[Mapping, list[Occurrence]] = field(default_factory=dict)
    _comments: dict[Path, _Comments] = field(default_factory=dict)

    @property
    def current(self) -> Workspace:
        """The project as it was last read; it must have been read."""
        assert self.workspace is not None, "read it first"
        return self.workspace

    @property
    def cards(self) -> CardSet:
        """The entries of the project that can be used."""
        return self.workspace.cards if self.workspace else empty(self.root)

    def read(self, overlay: dict[Path, str] | None = None) -> Workspace:
        """Read the changed parts of the project again; an overlay's texts count in place of files.

        What was read before must not be used any more: its spans have moved.
        """
        self.stale = False
        is_first = self.workspace is None
        # What stays open anyway: collections over it would make one edit in a hundred slow, and the first
        # takes 0.3 of 2.9 s with 5,000 cards.
        with without_garbage_collection(for_good=is_first):
            workspace = open_project(self.root, overlay or {}, self.cache, self.reader.read())
            self.workspace = workspace
            self._apply_suppressions()
        return workspace

    def copy(self) -> LiveProject:
        """Return a copy to be read with other texts, while this project and its spans stay as they are.

        What both have in common is not read again. The copy is valid until this project is read again.
        """
        broken = self.cache.broken.copy() if self.cache.broken is not None else None
        cache = Cache(
            incremental=False, files=dict(self.cache.files), whole=self.cache.whole.copy(), broken=broken
        )
        return LiveProject(
            self.root,
            self.reader,
            cache,
            self.workspace,
            _occurrences=dict(self._occurrences),
            _comments=dict(self._comments),
        )

    def folder(self) -> Folder:
        """Return the folder of the project as it is now, with the texts as they were read."""
        folder = self.reader.read()
        files_by_path = {
            file.path: file
            for file in self.cards.files
            # the file of one that cannot be read is empty; taken for its text, its ids would be unknown
            if file.text or not isinstance(folder.files.get(file.path), ReadProblem)
        }
        new_paths = [path for path in files_by_path if path not in folder.files]
        listing = replace(folder.found, yaml_files=[*folder.found.yaml_files, *new_paths])
        return Folder(listing, {**folder.files, **files_by_path})

    def file(self, path: Path) -> SourceFile | None:
        """Return a file of the project as it was read."""
        return next((file for file in self.cards.files if file.path == path), None)

    def trees(self) -> Iterator[tuple[SourceFile, Node | None, FileEntries | None]]:
        """Yield every file with its tree as far as it can be read; the project file has no entries."""
        for file in self.cards.files:
            if file is self.cards.project.file:
                yield file, self.cards.project.node, None
            elif (entries := self.cache.files.get(file.path)) is not None and entries.file.text == file.text:
                yield file, entries.root, entries

    def tree(self, file: SourceFile) -> Node | None:
        """Return the tree of a file of the project, as far as it can be read."""
        return next((root for source_file, root, _ in self.trees() if source_file is file), None)

    def parsed(self, file: SourceFile) -> Tree:
        """Return the tree of a file of the project with the offset from which it could not be parsed."""
        return self._known_tree(file) or parse_tree(file)

    def _known_tree(self, file: SourceFile) -> Tree | None:
        entries = self.cache.files.get(file.path)
        return Tree(file, entries.root, cut=entries.cut) if entries and entries.file is file else None

    def suppressions(self, file: SourceFile) -> Sequence[Suppression]:
        """Return the comments of a file of the project that suppress findings, those without effect too."""
        comments = self._comments.get(file.path)
        return comments.suppressions if comments is not None and comments.text == file.text else ()

    def occurrences(self) -> list[Occurrence]:
        """Return every id and trait, file by file. Those of unchanged entries are kept from the last call."""
        known_occurrences, self._occurrences = self._occurrences, {}
        occurrences: list[Occurrence] = []
        for _, root, entries in self.trees():
            if entries is None:
                occurrences += in_project_file(root)
                continue
            for section, entry in entries_of(root):
                entry_occurrences = known_occurrences.get(entry)
                if entry_occurrences is None:
                    entry_occurrences = list(in_entry(section, entry))
                self._occurrences[entry] = entry_occurrences
                occurrences += entry_occurrences
        return occurrences

    def uses(self) -> dict[str, list[Occurrence]]:
        """Return where each id is used, without its definition."""
        uses_by_word: dict[str, list[Occurrence]] = {}
        for occurrence in self.occurrences():
            if occurrence.kind == "id" and not occurrence.defines:
                uses_by_word.setdefault(occurrence.word, []).append(occurrence)
        return uses_by_word

    def sound_ids(self) -> frozenset[str]:
        """Return the ids of the entries that can be used and have no errors.

        An id that was among them at the last reading may be missing because its file is half saved
        (``watching.HalfSaved``).
        """
        broken_ids = {finding.card for finding in self.reported if prevents_use(finding.name)}
        return frozenset(entry.id for entry in self.cards.entries()) - broken_ids

    def places_of(self, target: Occurrence, *, with_definitions: bool = True) -> list[Occurrence]:
        """Return all places that name the same thing, with or without its definitions."""
        return [
            occurrence
            for occurrence in self.occurrences()
            if (occurrence.kind, occurrence.word) == (target.kind, target.word)
            and (with_definitions or not occurrence.defines)
        ]

    def without_suppressed(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Return findings from outside the workspace, such as those of print, without hidden ones."""
        suppressions = [
            suppression for comments in self._comments.values() for suppression in comments.suppressions
        ]
        filtered = filter_suppressed(findings, suppressions, date.today().isoformat(), NOT_LIVE)
        # the filter also reports suppressions that these findings do not need; the others may need them
        given_ids = set(map(id, findings))
        reported = [finding for finding in filtered.reported if id(finding) in given_ids]
        return self.cards.project.checks.applied(reported, self.root)

    def findings(self) -> dict[Path, list[Diagnostic]]:
        """Return the reported findings by file."""
        findings_by_file: dict[Path, list[Diagnostic]] = {}
        for finding in self.reported:
            findings_by_file.setdefault(finding.span.file.path, []).append(finding)
        return findings_by_file

    def _apply_suppressions(self) -> None:
        """Set the reported findings: those of the workspace, filtered by the comments of all files."""
        files = self.cards.files
        self._comments = {file.path: self._comments_in(file) for file in files}
        comment_findings = [finding for comments in self._comments.values() for finding in comments.findings]
        suppressions = [
            suppression for comments in self._comments.values() for suppression in comments.suppressions
        ]
        findings = [*self.current.findings, *comment_findings]
        filtered = filter_suppressed(findings, suppressions, date.today().isoformat(), NOT_LIVE)
        chosen_findings = self.cards.project.checks.applied(filtered.reported, self.root)
        self.reported = [_with_fixed_places(finding) for finding in chosen_findings]

    def _comments_in(self, file: SourceFile) -> _Comments:
        """Return the suppressions of a file: as last reported, or read again if its text has changed."""
        known_comments = self._comments.get(file.path)
        if known_comments is not None and known_comments.text == file.text:
            return known_comments
        return _Comments(file.text, *suppressions_in(file, self._known_tree(file)))


def _with_fixed_places(finding: Diagnostic) -> Diagnostic:
    """Return a finding whose spans do not move with later edits, so that a move counts as a change."""
    return replace(
        finding,
        span=_fixed(finding.span),
        labels=tuple([Label(_fixed(label.span), label.message) for label in finding.labels]),
        fix=replace(finding.fix, span=_fixed(finding.fix.span)) if finding.fix is not None else None,
        alternatives=tuple([replace(fix, span=_fixed(fix.span)) for fix in finding.alternatives]),
    )


def _fixed(span: Span) -> Span:
    return Span(span.file, span.start, span.end)


class _Comments(Struct, frozen=True):
    """The suppressions in the text of a file, and the findings about them."""

    text: str
    suppressions: list[Suppression]
    findings: list[Diagnostic]


def empty(root: Path) -> CardSet:
    """Return the entries of an empty project, for a file that belongs to none."""
    return CardSet(Project(root, SourceFile(root / PROJECT_FILE, PROJECT_FILE, "")))
