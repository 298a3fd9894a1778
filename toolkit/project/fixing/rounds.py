"""All fixes of a project, made in rounds until nothing more can be fixed.

A round takes the fixes that do not overlap, makes them in memory, opens the project again and looks whether
each did what it was to do. One that did not is taken out and reported, and the round begins again without it.

A sentence of an effect is fixed as a whole or not at all: where an error is left in one that was edited, in
whichever rounds, all begins again and that sentence is left as it was.
"""

from __future__ import annotations

import sys
from bisect import bisect, bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from toolkit.data.project_files import Folder, put_in_place, read_folder
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.parsing import sentence_ends, without_comments
from toolkit.effects.sources import EffectSource, effect_sources
from toolkit.pipeline import Cache, Workspace, open_project
from toolkit.project.checks import CheckRequest, told_of
from toolkit.project.fixing.proving import Before, failed, made_fixes, only_edited
from toolkit.project.output import Change
from toolkit.source import Edit, SourceFile, Span
from toolkit.source.edits import apply, overlap

MOST_ROUNDS = 30
"""A chain of mistakes in one place, each hidden by the one before it, is never as long as this."""

_Stretch = tuple[Path, int, int]
"""A part of a file before anything was fixed in it."""

Tell = Callable[[Workspace], Iterable[Diagnostic]]
"""Which findings of a project are to be fixed, of all that it has."""


class Fixed(Struct, frozen=True):
    """What fixing came to: the changes of files, and the findings that were fixed.

    ``dropped`` are those whose fix was tried and would have left or made another mistake; ``remaining`` is
    what is still to be reported.
    """

    changes: tuple[Change, ...]
    fixed: tuple[Diagnostic, ...]
    dropped: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...]


def fix_project(
    root: Path,
    tell: Tell,
    *,
    unsafe: bool = False,
    folder: Folder | None = None,
    cache: Cache | None = None,
) -> Fixed:
    """Fix what can be fixed in the project in ``root``, in memory; nothing is written.

    ``folder`` is what was read of it just before; ``cache`` is filled, and makes the next opening quick.
    """
    fixing = _Fixing(root, tell, unsafe, folder or read_folder(root), Cache() if cache is None else cache)
    fixing.make_rounds()
    while sentences := fixing.unfinished():
        fixing.begin_again(sentences)
        fixing.make_rounds()
    return fixing.result()


class _Fixing:
    """A project while it is being fixed: the texts so far, and what is known of it."""

    def __init__(self, root: Path, tell: Tell, unsafe: bool, folder: Folder, cache: Cache) -> None:
        self.root, self.tell, self.unsafe = root, tell, unsafe
        self.folder, self.cache = folder, cache
        self.dropped: dict[tuple[Path, str, str], Diagnostic] = {}
        self.kept_back: dict[_Stretch, Diagnostic] = {}
        self.closed: set[_Stretch] = set()
        self.begin_again(set())

    def begin_again(self, closed: set[_Stretch]) -> None:
        """Forget what was fixed; in some sentences, named by their places in the files, nothing is fixed."""
        self.closed |= closed
        self.overlay: dict[Path, str] = {}
        self.before: dict[Path, list[Before]] = {}
        self.places: list[_Stretch] = []
        self.workspace = self._opened(self.overlay)
        self.fixed: list[Diagnostic] = []

    def make_rounds(self) -> None:
        """Fix until nothing more can be fixed."""
        for _ in range(MOST_ROUNDS):
            chosen = self.chosen()
            if not chosen:
                break
            self.make(chosen)

    def chosen(self) -> list[Diagnostic]:
        """Findings with fixes that can be made together; of two that overlap the one that is told first."""
        taken: dict[Path, _Edits] = {}
        found = []
        for finding in self.tell(self.workspace):
            fix = finding.fix
            if fix is None or not (fix.safe or self.unsafe) or _key(finding) in self.dropped:
                continue
            path = fix.span.file.path
            if path in self.folder.files and taken.setdefault(path, _Edits()).add(fix.edit):
                found.append(finding)
        if self.closed:
            closed = _Stretches(self.closed)
            for finding, place in self._in_effects(found):
                if closed.meet(place):
                    self.kept_back[place] = finding
        back = {id(finding) for finding in self.kept_back.values()}
        return [finding for finding in found if id(finding) not in back]

    def make(self, chosen: list[Diagnostic]) -> None:
        """Make fixes; those that did not do are dropped, and the others are made without them."""
        while chosen:
            wrong = {id(finding) for finding in _misread(chosen)}
            overlay = self.overlay | _texts(chosen)
            if not wrong:
                workspace = self._opened(overlay)
                made = [one for _, findings in _by_file(chosen) for one in made_fixes(findings)]
                bad = failed(made, self.workspace.findings, workspace.findings)
                wrong = {id(one.finding) for one in bad}
                if not wrong:
                    self.places += [place for _, place in self._in_effects(chosen)]
                    self.overlay, self.workspace = overlay, workspace
                    for file, findings in _by_file(chosen):
                        self.before.setdefault(file.path, []).append(Before(_edits(findings)))
                    self.fixed += chosen
                    return
            self.dropped |= {_key(finding): finding for finding in chosen if id(finding) in wrong}
            chosen = [finding for finding in chosen if id(finding) not in wrong]

    def unfinished(self) -> set[_Stretch]:
        """The sentences in which something was fixed and an error is left, where they were in the files."""
        errors = [one.span for one in self.workspace.findings if severity_of(one.name) == "error"]
        wrong = _Stretches(
            (span.file.path, span.start, span.end) for span in errors if span.file.path in self.before
        )
        fixed = _Stretches(self.places)
        scalars = ((source, source.scalar.span) for source in effect_sources(self.workspace.cards))
        return {
            first
            for source, span in scalars
            if wrong.meet((span.file.path, span.start, span.end))
            for first, now in self._sentences(source)
            if wrong.meet(now) and fixed.meet(first)
        } - self.closed

    def _sentences(self, source: EffectSource) -> list[tuple[_Stretch, _Stretch]]:
        """Each sentence of an effect, where it was at first and where it is now.

        Two that were one at first, because the full stop between them is new, count as one.
        """
        path, text = source.scalar.span.file.path, source.scalar.value
        text = without_comments(text) if source.scalar.style == "|" else text
        file = self.folder.files[path]
        assert isinstance(file, SourceFile), "what was edited was read"
        found: list[tuple[_Stretch, _Stretch]] = []
        start = 0
        for end in (*(stop.end() for stop in sentence_ends(text)), len(text)):
            begin = start + len(text[start:end]) - len(text[start:end].lstrip())
            start = end
            if begin == end:
                continue
            now = source.scalar.locate(begin, end)
            first = self._at_first(now)
            since = now.start
            if found and file.text[found[-1][0][2] - 1] != ".":
                before, (_, since, _) = found.pop()
                first = (path, before[1], first[2])
            found.append((first, (path, since, now.end)))
        return found

    def _at_first(self, span: Span) -> _Stretch:
        """Where something was before anything was fixed."""
        path, (start, end) = span.file.path, (span.start, span.end)
        for before in reversed(self.before.get(path, [])):
            start, end = before.place(start, end)
        return path, start, end

    def _in_effects(self, findings: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, _Stretch]]:
        """The findings whose fix lies within an effect, and where it was at first."""
        scalars: dict[Path, list[tuple[int, int]]] = {}
        for source in effect_sources(self.workspace.cards):
            span = source.scalar.span
            scalars.setdefault(span.file.path, []).append((span.start, span.end))
        for places in scalars.values():
            places.sort()
        for finding in findings:
            span = finding.fix.span if finding.fix is not None else finding.span
            places = scalars.get(span.file.path, [])
            index = bisect_right(places, (span.start, sys.maxsize)) - 1
            if index >= 0 and span.end <= places[index][1]:
                yield finding, self._at_first(span)

    def result(self) -> Fixed:
        """What came of it."""
        before = {path: read for path, read in self.folder.files.items() if isinstance(read, SourceFile)}
        changes = tuple(
            Change(before[path], text) for path, text in self.overlay.items() if text != before[path].text
        )
        remaining = tuple(self.tell(self.workspace))
        still = {_key(finding) for finding in remaining}
        tried = (*self.dropped.values(), *self.kept_back.values())
        dropped = tuple(finding for finding in tried if _key(finding) in still)
        return Fixed(changes, tuple(self.fixed), dropped, remaining)

    def _opened(self, overlay: dict[Path, str]) -> Workspace:
        return open_project(self.root, overlay, self.cache, self.folder)


class _Edits:
    """Edits of one file that do not overlap, in order."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []

    def add(self, edit: Edit) -> bool:
        """Take an edit in, unless it overlaps another one; whether it was."""
        index = bisect(self._edits, edit)
        neighbours = self._edits[max(0, index - 1) : index + 1]
        if any(overlap(edit, other) for other in neighbours):
            return False
        self._edits.insert(index, edit)
        return True


def _key(finding: Diagnostic) -> tuple[Path, str, str]:
    return (finding.span.file.path, finding.name, finding.message)


class _Stretches:
    """Parts of files; they tell whether one of them meets another part."""

    def __init__(self, stretches: Iterable[_Stretch]) -> None:
        self._starts: dict[Path, list[int]] = {}
        self._ends: dict[Path, list[int]] = {}
        """The end of the part with that start, or of an earlier one if it ends later."""
        for path, start, end in sorted(stretches):
            ends = self._ends.setdefault(path, [])
            ends.append(max(start + 1, end, *ends[-1:]))
            self._starts.setdefault(path, []).append(start)

    def meet(self, stretch: _Stretch) -> bool:
        path, start, end = stretch
        index = bisect_left(self._starts.get(path, []), max(end, start + 1))
        return index > 0 and self._ends[path][index - 1] > start


def _by_file(chosen: Iterable[Diagnostic]) -> list[tuple[SourceFile, list[Diagnostic]]]:
    found: dict[Path, tuple[SourceFile, list[Diagnostic]]] = {}
    for finding in chosen:
        if finding.fix is not None:
            file = finding.fix.span.file
            found.setdefault(file.path, (file, []))[1].append(finding)
    return list(found.values())


def _texts(chosen: Iterable[Diagnostic]) -> dict[Path, str]:
    """The texts of files after fixes."""
    return {file.path: apply(file.text, _edits(findings)) for file, findings in _by_file(chosen)}


def _edits(findings: Iterable[Diagnostic]) -> Sequence[Edit]:
    return [finding.fix.edit for finding in findings if finding.fix is not None]


def _misread(chosen: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Fixes after which a file would say something else in another place too; alone, or only together."""
    wrong: list[Diagnostic] = []
    for file, findings in _by_file(chosen):
        wrong += _misread_in(file, findings)
    return wrong


def _misread_in(file: SourceFile, findings: list[Diagnostic]) -> list[Diagnostic]:
    """Those of one file, found by halves: each time the file is read again."""
    if only_edited(file, _edits(findings)):
        return []
    if len(findings) == 1:
        return findings
    middle = len(findings) // 2
    first, second = findings[:middle], findings[middle:]
    return _misread_in(file, first) + _misread_in(file, second) or second


def fix_requested(request: CheckRequest, *, unsafe: bool = False) -> Fixed | str:
    """Fix what a check with this request would tell, in memory, in all its projects; nothing is written."""
    results = []
    for project in dict.fromkeys(project for project, _ in request.targets):
        fixed = _fixed(project, request, unsafe)
        if isinstance(fixed, str):
            return fixed
        results.append(fixed)
    return Fixed(
        tuple(change for one in results for change in one.changes),
        tuple(finding for one in results for finding in one.fixed),
        tuple(finding for one in results for finding in one.dropped),
        tuple(finding for one in results for finding in one.remaining),
    )


def _fixed(project: Path, request: CheckRequest, unsafe: bool) -> Fixed | str:
    folder = read_folder(project)
    if request.text is not None:
        refused = put_in_place(folder, project, request.text.path, request.text.data)
        if refused is not None:
            return refused
    return fix_project(project, lambda workspace: told_of(workspace, request), unsafe=unsafe, folder=folder)
