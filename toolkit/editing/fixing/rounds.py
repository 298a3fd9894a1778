"""Rounds of fixes, until nothing more can be fixed.

A round takes the fixes that do not overlap, makes them in memory, opens the project again and verifies that
each did what it was meant to. One that did not is dropped and reported, and the round is made without it.

A sentence of an effect is fixed completely or not at all: if an error remains in an edited sentence, all
rounds are made again without any fix in that sentence.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from toolkit.data.effect_sources import EffectSource, effect_sources
from toolkit.data.project_files import Folder, read_folder
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.parsing import sentence_ends, without_comments
from toolkit.editing.fixing.verification import (
    OriginalPlaces,
    Ranges,
    applied_fixes,
    failed_fixes,
    identity,
    only_edited,
)
from toolkit.project.checks import CheckRequest, read_project_files, reported_findings
from toolkit.project.output import Change
from toolkit.project.pipeline import Cache, Workspace, open_project
from toolkit.source import Edit, SourceFile, Span
from toolkit.source.edits import apply, overlap
from toolkit.source.short_repr import PublicValue

MAX_ROUNDS = 30
"""Rounds, at most: a chain of errors in one place, each hidden by the one before it, is never that long."""

_FileRange = tuple[Path, int, int]
"""A file and a range in it."""

Select = Callable[[Workspace], Iterable[Diagnostic]]
"""Chooses the findings to fix from all findings of a project."""


class Fixed(PublicValue, Struct, frozen=True):
    """The result of fixing: the changes of files, and the findings that were fixed.

    ``dropped`` are findings whose fix was tried and would have left or caused another error; ``remaining``
    are those that are still to be reported.
    """

    changes: tuple[Change, ...]
    fixed: tuple[Diagnostic, ...]
    dropped: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...]


def fix_project(
    root: Path,
    select: Select,
    *,
    unsafe: bool = False,
    folder: Folder | None = None,
    cache: Cache | None = None,
) -> Fixed:
    """Fix what can be fixed in the project in ``root``, in memory; nothing is written.

    ``folder`` has its files as read just before; ``cache`` is filled, and makes the next opening quick.
    """
    run = _FixRun(root, select, unsafe, folder or read_folder(root), Cache() if cache is None else cache)
    run.make_rounds()
    while sentences := run.half_fixed_sentences():
        run.restart(sentences)
        run.make_rounds()
    return run.result()


class _FixRun:
    """A project while it is being fixed: the texts so far (``overlay``), and what they are read as.

    ``dropped`` are the findings whose fix failed, by identity. ``excluded`` are sentences without fixes,
    ``withheld`` the findings that would have been fixed there. ``places`` are those of fixes in effects.
    All these places are original ones: those in the files before anything was fixed.
    """

    def __init__(self, root: Path, select: Select, unsafe: bool, folder: Folder, cache: Cache) -> None:
        self.root, self.select, self.unsafe = root, select, unsafe
        self.folder, self.cache = folder, cache
        self.dropped: dict[tuple[Path, str, str], Diagnostic] = {}
        self.withheld: dict[_FileRange, Diagnostic] = {}
        self.excluded: set[_FileRange] = set()
        self.restart(set())

    def restart(self, excluded: set[_FileRange]) -> None:
        """Undo all fixes, and exclude some sentences, given by their original places, from now on."""
        self.excluded |= excluded
        self.overlay: dict[Path, str] = {}
        self.before: dict[Path, list[OriginalPlaces]] = {}
        self.places: list[_FileRange] = []
        self.workspace = self._open(self.overlay)
        self.fixed: list[Diagnostic] = []

    def make_rounds(self) -> None:
        """Fix until nothing more can be fixed."""
        for _ in range(MAX_ROUNDS):
            chosen = self.next_fixes()
            if not chosen:
                break
            self.apply_fixes(chosen)

    def next_fixes(self) -> list[Diagnostic]:
        """Return the findings with fixes that can be made together: of two that overlap the first."""
        edits_by_path: dict[Path, _DisjointEdits] = {}
        candidates = []
        for finding in self.select(self.workspace):
            fix = finding.fix
            if fix is None or not (fix.safe or self.unsafe) or identity(finding) in self.dropped:
                continue
            path = fix.span.file.path
            if path not in self.folder.files:
                continue
            if edits_by_path.setdefault(path, _DisjointEdits()).add(fix.edit):
                candidates.append(finding)
        withheld_ids = set()
        if self.excluded:
            excluded = _RangesByFile(self.excluded)
            for finding, file_range in self._in_effects(candidates):
                if excluded.overlap(file_range):
                    self.withheld[file_range] = finding
                    withheld_ids.add(id(finding))
        return [finding for finding in candidates if id(finding) not in withheld_ids]

    def apply_fixes(self, chosen: list[Diagnostic]) -> None:
        """Make fixes; drop those that fail, and make the others without them."""
        while chosen:
            failed_ids = set(map(id, self._apply_or_return_failed(chosen)))
            if not failed_ids:
                return
            self.dropped |= {identity(finding): finding for finding in chosen if id(finding) in failed_ids}
            chosen = [finding for finding in chosen if id(finding) not in failed_ids]

    def _apply_or_return_failed(self, chosen: list[Diagnostic]) -> list[Diagnostic]:
        """Make all fixes if none fails, else none of them; return the findings whose fix failed."""
        by_file = _by_file(chosen)
        misread = [finding for file, findings in by_file for finding in _misread_fixes(file, findings)]
        if misread:
            return misread
        texts = {file.path: apply(file.text, _edits(findings)) for file, findings in by_file}
        overlay = self.overlay | texts
        workspace = self._open(overlay)
        applied = [fix for _, findings in by_file for fix in applied_fixes(findings)]
        failed = failed_fixes(applied, self.workspace.findings, workspace.findings)
        if failed:
            return [fix.finding for fix in failed]
        self.places += [file_range for _, file_range in self._in_effects(chosen)]
        self.overlay, self.workspace = overlay, workspace
        for file, findings in by_file:
            self.before.setdefault(file.path, []).append(OriginalPlaces(_edits(findings)))
        self.fixed += chosen
        return []

    def half_fixed_sentences(self) -> set[_FileRange]:
        """Return the original places of sentences in which something was fixed and an error remains."""
        errors = [finding.span for finding in self.workspace.findings if severity_of(finding.name) == "error"]
        error_ranges = _RangesByFile(
            (span.file.path, span.start, span.end) for span in errors if span.file.path in self.before
        )
        fixed_ranges = _RangesByFile(self.places)
        half_fixed: set[_FileRange] = set()
        for source in effect_sources(self.workspace.cards):
            span = source.scalar.span
            if not error_ranges.overlap((span.file.path, span.start, span.end)):
                continue
            for original_range, current_range in self._sentences(source):
                if error_ranges.overlap(current_range) and fixed_ranges.overlap(original_range):
                    half_fixed.add(original_range)
        return half_fixed - self.excluded

    def _sentences(self, source: EffectSource) -> list[tuple[_FileRange, _FileRange]]:
        """Return the original and the current place of each sentence of an effect.

        Two that were one originally, because the full stop between them is new, count as one.
        """
        path, text = source.scalar.span.file.path, source.scalar.value
        text = without_comments(text) if source.scalar.style == "|" else text
        file = self.folder.files[path]
        assert isinstance(file, SourceFile), "what was edited was read"
        ranges: list[tuple[_FileRange, _FileRange]] = []
        end_before = 0
        for end in (*(match.end() for match in sentence_ends(text)), len(text)):
            sentence = text[end_before:end]
            begin = end - len(sentence.lstrip())
            end_before = end
            if begin == end:
                continue
            span = source.scalar.locate(begin, end)
            current_start = span.start
            _, original_start, original_end = self._original(span)
            if ranges:
                (_, earlier_start, earlier_end), (_, earlier_current_start, _) = ranges[-1]
                if file.text[earlier_end - 1] != ".":
                    original_start, current_start = earlier_start, earlier_current_start
                    ranges.pop()
            ranges.append(((path, original_start, original_end), (path, current_start, span.end)))
        return ranges

    def _original(self, span: Span) -> _FileRange:
        """Return where a span was before anything was fixed."""
        path, (start, end) = span.file.path, (span.start, span.end)
        for earlier_places in reversed(self.before.get(path, [])):
            start, end = earlier_places.place(start, end)
        return path, start, end

    def _in_effects(self, findings: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, _FileRange]]:
        """Yield the findings whose fix is in an effect, with the original place of the fix."""
        spans = [source.scalar.span for source in effect_sources(self.workspace.cards)]
        effects = _RangesByFile((span.file.path, span.start, span.end) for span in spans)
        for finding in findings:
            span = finding.fix.span if finding.fix is not None else finding.span
            if effects.contain((span.file.path, span.start, span.end)):
                yield finding, self._original(span)

    def result(self) -> Fixed:
        """Return the result."""
        files_before = {
            path: content for path, content in self.folder.files.items() if isinstance(content, SourceFile)
        }
        changes = tuple(
            Change(files_before[path], text)
            for path, text in self.overlay.items()
            if text != files_before[path].text
        )
        remaining = tuple(self.select(self.workspace))
        remaining_identities = set(map(identity, remaining))
        rejected = (*self.dropped.values(), *self.withheld.values())
        dropped = tuple(finding for finding in rejected if identity(finding) in remaining_identities)
        return Fixed(changes, tuple(self.fixed), dropped, remaining)

    def _open(self, overlay: dict[Path, str]) -> Workspace:
        return open_project(self.root, overlay, self.cache, self.folder)


class _DisjointEdits:
    """Edits of one file that do not overlap, in order."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []

    def add(self, edit: Edit) -> bool:
        """Add an edit unless it overlaps another one; return whether it was added."""
        index = bisect(self._edits, edit)
        neighbours = self._edits[max(0, index - 1) : index + 1]
        if any(overlap(edit, other) for other in neighbours):
            return False
        self._edits.insert(index, edit)
        return True


class _RangesByFile:
    """Ranges of several files."""

    def __init__(self, ranges: Iterable[_FileRange]) -> None:
        ranges_by_path: dict[Path, list[tuple[int, int]]] = {}
        for path, start, end in ranges:
            ranges_by_path.setdefault(path, []).append((start, max(start + 1, end)))
        self._by_path = {path: Ranges(file_ranges) for path, file_ranges in ranges_by_path.items()}

    def overlap(self, file_range: _FileRange) -> bool:
        """Whether one of them shares a character with a range."""
        path, start, end = file_range
        return path in self._by_path and self._by_path[path].overlap(start, end)

    def contain(self, file_range: _FileRange) -> bool:
        """Whether a range is inside of one of them."""
        path, start, end = file_range
        return path in self._by_path and self._by_path[path].contain(start, end)


def _by_file(chosen: Iterable[Diagnostic]) -> list[tuple[SourceFile, list[Diagnostic]]]:
    """Return the findings that have a fix, by the file that it changes."""
    file_and_findings: dict[Path, tuple[SourceFile, list[Diagnostic]]] = {}
    for finding in chosen:
        if finding.fix is not None:
            file = finding.fix.span.file
            _, findings_of_file = file_and_findings.setdefault(file.path, (file, []))
            findings_of_file.append(finding)
    return list(file_and_findings.values())


def _edits(findings: Iterable[Diagnostic]) -> Sequence[Edit]:
    return [finding.fix.edit for finding in findings if finding.fix is not None]


def _misread_fixes(file: SourceFile, findings: list[Diagnostic]) -> list[Diagnostic]:
    """Return the fixes that would also change values elsewhere in the file, alone or only together.

    They are found by bisection, since the file must be read again for each set of fixes.
    """
    if only_edited(file, _edits(findings)):
        return []
    if len(findings) == 1:
        return findings
    middle = len(findings) // 2
    first, second = findings[:middle], findings[middle:]
    misread = _misread_fixes(file, first) + _misread_fixes(file, second)
    return misread or second  # each half does no harm alone: the second waits for the next round


def fix_requested(request: CheckRequest, unsafe: bool = False) -> Fixed | str:
    """Fix in memory what a check with this request would report in all its projects; nothing is written."""
    results = []
    for project in dict.fromkeys(project for project, _ in request.targets):
        folder = read_project_files(project, request)
        if isinstance(folder, str):
            return folder
        select: Select = partial(reported_findings, request=request)
        results.append(fix_project(project, select, unsafe=unsafe, folder=folder))
    return Fixed(
        tuple(change for result in results for change in result.changes),
        tuple(finding for result in results for finding in result.fixed),
        tuple(finding for result in results for finding in result.dropped),
        tuple(finding for result in results for finding in result.remaining),
    )
