"""The check of projects: what is wrong in them, and what of that a wish wants to be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolkit.data.project_files import read_folder
from toolkit.data.text_in_place import put_in_place
from toolkit.diagnostics import Diagnostic, Severity
from toolkit.diagnostics.catalogue import CATALOGUE, severity_of
from toolkit.diagnostics.report import Report, in_order
from toolkit.remembering import Memory
from toolkit.vocabulary.nearest import nearest

if TYPE_CHECKING:
    from toolkit.source import Span
    from toolkit.workspace import Workspace

Target = tuple[Path, Path | None]
"""The folder of a project, and the path below which findings are told; None for all of it."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that counts in place of a file on disk; ``path`` is absolute."""

    path: Path
    data: bytes


@dataclass(frozen=True, slots=True)
class CheckWish:
    """What to check, and what of the findings to tell.

    ``today`` is the date, as 2027-01-31. ``only`` are names of findings and ``cards`` ids of entries; without
    any all are told. ``level`` is the least severity that is told.
    """

    targets: Sequence[Target]
    today: str
    only: Collection[str] = ()
    cards: Collection[str] = ()
    level: Severity = "warning"
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a wish cannot be fulfilled, in a sentence."""

    message: str


@dataclass(frozen=True, slots=True)
class Checked:
    """All of one project: its findings, and the number of cards in each of its files."""

    findings: Sequence[Diagnostic]
    counts: dict[Path, int]


def check(wish: CheckWish) -> Report | Refusal:
    """Check the projects of a wish."""
    unknown = _unknown_name(wish.only)
    if unknown is not None:
        return Refusal(unknown)
    findings: list[Diagnostic] = []
    counts: dict[Path, int] = {}
    known: dict[Path, Checked] = {}
    for project, path in wish.targets:
        if project not in known:
            checked = _checked(project, wish)
            if isinstance(checked, Refusal):
                return checked
            known[project] = checked
        below = path.absolute() if path is not None else project
        findings += [one for one in known[project].findings if _is_below(one.span.file.path, below)]
        counts |= {file: number for file, number in known[project].counts.items() if _is_below(file, below)}
    told = in_order(finding for finding in findings if _is_wanted(finding, wish))
    return Report(told, len(counts), sum(counts.values()), tuple(counts))


def _unknown_name(names: Iterable[str]) -> str | None:
    for name in names:
        if name not in CATALOGUE:
            near = nearest(name, CATALOGUE)
            hint = f" Did you mean {near!r}?" if near else " `opforge explain` lists them all."
            return f"There is no finding {name!r}.{hint}"
    return None


def _is_wanted(finding: Diagnostic, wish: CheckWish) -> bool:
    if wish.only and finding.name not in wish.only:
        return False
    return wish.level == "warning" or severity_of(finding.name) == "error"


def _checked(project: Path, wish: CheckWish) -> Checked | Refusal:
    """All of a project; with cards in the wish only what concerns them."""
    folder = read_folder(project)
    if wish.text is not None:
        refused = put_in_place(folder, project, wish.text.path, wish.text.data)
        if refused is not None:
            return Refusal(refused)
    memory = Memory(project, folder)
    known = None if wish.cards else memory.recall()
    if known is not None:
        return Checked(*known)
    from toolkit.workspace import open_project

    workspace = open_project(project, folder=folder)
    cards = workspace.cards
    counts = {file.path: cards.counts.get(file.path, 0) for file in cards.files}
    memory.keep(workspace.findings, counts)
    if not wish.cards:
        return Checked(workspace.findings, counts)
    unknown = workspace.unknown_ids(wish.cards)
    return Refusal(unknown) if unknown else _about(workspace, wish.cards)


def _about(workspace: Workspace, ids: Collection[str]) -> Checked:
    """What concerns some entries: findings that name them or stand in them. They count as all there is."""
    entries = [entry for entry in workspace.cards.entries() if entry.id in ids]
    findings = [
        finding
        for finding in workspace.findings
        if finding.card in ids or any(_is_in(finding.span, entry.node.span) for entry in entries)
    ]
    return Checked(findings, dict(Counter(entry.file.path for entry in entries)))


def _is_in(inner: Span, outer: Span) -> bool:
    return inner.file is outer.file and outer.start <= inner.start < outer.end


def _is_below(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents
