"""All fixes of a project, made in rounds until nothing more can be fixed.

A round takes the fixes that do not overlap, makes them in memory, opens the project again and looks whether
each did what it was to do. One that did not is taken out and told, and the round begins again without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolkit.data.project_files import Folder, read_folder
from toolkit.diagnostics import Diagnostic
from toolkit.file_changes import Change
from toolkit.fixing.proving import failed, made_fixes, only_edited
from toolkit.source import Edit, SourceFile
from toolkit.source.edits import apply, overlap
from toolkit.workspace import Cache, Workspace, open_project

MOST_ROUNDS = 30
"""A chain of mistakes in one place, each hidden by the one before it, is never as long as this."""

Tell = Callable[[Workspace], Iterable[Diagnostic]]
"""Which findings of a project are to be fixed, of all that it has."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """What fixing came to: the changes of files, and the findings that were fixed.

    ``dropped`` are those whose fix was tried and did not do; ``remaining`` is what is still to be told.
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
    for _ in range(MOST_ROUNDS):
        chosen = fixing.chosen()
        if not chosen:
            break
        fixing.make(chosen)
    return fixing.result()


class _Fixing:
    """A project while it is being fixed: the texts so far, and what is known of it."""

    def __init__(self, root: Path, tell: Tell, unsafe: bool, folder: Folder, cache: Cache) -> None:
        self.root, self.tell, self.unsafe = root, tell, unsafe
        self.folder, self.cache = folder, cache
        self.overlay: dict[Path, str] = {}
        self.workspace = self._opened(self.overlay)
        self.fixed: list[Diagnostic] = []
        self.dropped: dict[tuple[Path, str, str], Diagnostic] = {}

    def chosen(self) -> list[Diagnostic]:
        """Findings with fixes that can be made together; of two that overlap the one that is told first."""
        taken: dict[Path, list[Edit]] = {}
        found = []
        for finding in self.tell(self.workspace):
            fix = finding.fix
            if fix is None or not (fix.safe or self.unsafe) or _key(finding) in self.dropped:
                continue
            others = taken.setdefault(fix.span.file.path, [])
            if fix.span.file.path in self.folder.files and not any(
                overlap(fix.edit, other) for other in others
            ):
                others.append(fix.edit)
                found.append(finding)
        return found

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
                    self.overlay, self.workspace = overlay, workspace
                    self.fixed += chosen
                    return
            self.dropped |= {_key(finding): finding for finding in chosen if id(finding) in wrong}
            chosen = [finding for finding in chosen if id(finding) not in wrong]

    def result(self) -> Fixed:
        """What came of it."""
        before = {path: read for path, read in self.folder.files.items() if isinstance(read, SourceFile)}
        changes = tuple(
            Change(before[path], text) for path, text in self.overlay.items() if text != before[path].text
        )
        remaining = tuple(self.tell(self.workspace))
        still = {_key(finding) for finding in remaining}
        dropped = tuple(finding for key, finding in self.dropped.items() if key in still)
        return Fixed(changes, tuple(self.fixed), dropped, remaining)

    def _opened(self, overlay: dict[Path, str]) -> Workspace:
        return open_project(self.root, overlay, self.cache, self.folder)


def _key(finding: Diagnostic) -> tuple[Path, str, str]:
    return (finding.span.file.path, finding.name, finding.message)


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
        if not only_edited(file, _edits(findings)):
            alone = [finding for finding in findings if not only_edited(file, _edits([finding]))]
            wrong += alone or findings[1:]
    return wrong
