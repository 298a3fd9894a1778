"""All that a wish can be told of one project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.project_files import read_folder
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import OF_PRINT
from toolkit.diagnostics.report import in_order
from toolkit.project.checks.options import CheckWish, Refusal
from toolkit.project.result_cache import Checked, Memory

if TYPE_CHECKING:
    from toolkit.diagnostics.baseline import Known
    from toolkit.diagnostics.suppressions import Suppression
    from toolkit.project.workspace import Workspace
    from toolkit.source import SourceFile, Span


class Found(Struct, frozen=True):
    """The findings of a project: to be told, kept back by a comment, and held by the baseline.

    ``gone`` are findings of the baseline that are not there any more; ``counts`` is the number of cards in
    each file.
    """

    told: Sequence[Diagnostic]
    suppressed: Sequence[Diagnostic]
    held: Sequence[Diagnostic]
    gone: Sequence[Known]
    counts: dict[Path, int]

    def only(self, concerns: Callable[[Diagnostic], bool], counts: dict[Path, int]) -> Found:
        """What concerns something, with other numbers of cards."""
        return replace(
            self,
            told=[one for one in self.told if concerns(one)],
            suppressed=[one for one in self.suppressed if concerns(one)],
            held=[one for one in self.held if concerns(one)],
            counts=counts,
        )


def found_in(project: Path, wish: CheckWish) -> Found | Refusal:
    """All of a project; with cards in the wish only what concerns them."""
    folder = read_folder(project)
    if wish.text is not None:
        from toolkit.data.text_in_place import put_in_place

        refused = put_in_place(folder, project, wish.text.path, wish.text.data)
        if refused is not None:
            return Refusal(refused)
    memory = Memory(project, folder)
    checked = None if wish.cards or wish.fit else memory.recall()
    if checked is not None:
        return _settled(project, checked, wish)
    from toolkit.project.workspace import open_project

    workspace = open_project(project, folder=folder)
    checked = check_all(workspace)
    memory.keep(checked)
    if wish.fit:
        from toolkit.project.fitting import fit_findings

        of_print = fit_findings(workspace)
        if isinstance(of_print, str):
            return Refusal(of_print)
        checked = replace(checked, findings=[*checked.findings, *of_print])
    found = _settled(project, checked, wish)
    if not wish.cards:
        return found
    unknown = workspace.unknown_ids(wish.cards)
    return Refusal(unknown) if unknown else _about(workspace, found, wish.cards)


def found_of(workspace: Workspace, wish: CheckWish) -> Found:
    """The same of a project that is loaded, without what is found in print."""
    found = _settled(workspace.root, check_all(workspace), wish)
    return _about(workspace, found, wish.cards) if wish.cards else found


def check_all(workspace: Workspace) -> Checked:
    """All findings of a loaded project, those about its suppressions too, and the suppressions."""
    cards = workspace.cards
    counts = {file.path: cards.counts.get(file.path, 0) for file in cards.files}
    suppressions, remarks = _suppressions(cards.files)
    return Checked([*workspace.findings, *remarks], counts, suppressions)


def _suppressions(files: Iterable[SourceFile]) -> tuple[list[Suppression], list[Diagnostic]]:
    from toolkit.data.suppression_comments import suppressions_in

    suppressions: list[Suppression] = []
    findings: list[Diagnostic] = []
    for file in files:
        found, wrong = suppressions_in(file)
        suppressions += found
        findings += wrong
    return suppressions, findings


def _settled(project: Path, checked: Checked, wish: CheckWish) -> Found:
    """The findings held against the suppressions, and then against the baseline."""
    told: Sequence[Diagnostic] = checked.findings
    unseen = () if wish.fit else OF_PRINT
    suppressed: Sequence[Diagnostic] = ()
    if checked.suppressions:
        from toolkit.diagnostics.suppression_filter import settle

        settled = settle(checked.findings, checked.suppressions, wish.today, unseen)
        told, suppressed = settled.told, settled.suppressed
    if wish.baseline is None or isinstance(wish.baseline, Path):
        return Found(told, suppressed, (), (), checked.counts)
    from toolkit.diagnostics.baseline import hold
    from toolkit.diagnostics.hiding import Hiding

    hiding = Hiding(told)
    held = hold(wish.baseline, project, in_order(told), hiding, unseen)
    return Found(held.told, suppressed, held.held, held.gone, checked.counts)


def _about(workspace: Workspace, found: Found, ids: Collection[str]) -> Found:
    """What concerns some entries: findings that name them or stand in them. They count as all there is."""
    entries = [entry for entry in workspace.cards.entries() if entry.id in ids]

    def concerns(finding: Diagnostic) -> bool:
        return finding.card in ids or any(_is_in(finding.span, entry.node.span) for entry in entries)

    return found.only(concerns, dict(Counter(entry.file.path for entry in entries)))


def _is_in(inner: Span, outer: Span) -> bool:
    return inner.file is outer.file and outer.start <= inner.start < outer.end
