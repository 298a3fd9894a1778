"""The check of projects: all findings, held against suppressions and a baseline, and reported as asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.project_files import Target, read_folder
from toolkit.diagnostics import Diagnostic, Severity
from toolkit.diagnostics.catalogue import CATALOGUE, OF_PRINT, severity_of
from toolkit.diagnostics.report import MOST_IN_FILE, MOST_IN_RUN, Report, in_order, limited
from toolkit.project.result_cache import Checked, ResultCache
from toolkit.source.paths import is_below

if TYPE_CHECKING:
    from toolkit.diagnostics.baseline import Baseline, Known
    from toolkit.diagnostics.suppressions import Suppression
    from toolkit.pipeline import Workspace
    from toolkit.source import SourceFile, Span


class Text(Struct, frozen=True):
    """A text that counts in place of a file on disk; ``path`` is absolute."""

    path: Path
    data: bytes


class CheckRequest(Struct, frozen=True):
    """What to check, and what of the findings to tell.

    ``today`` is the date, as 2027-01-31. ``only`` are names of findings and ``cards`` ids of entries; without
    any all are told. ``level`` is the least severity that is told. ``text`` is what is piped in.

    What is in ``baseline`` is not told. A path alone stands for a baseline that is to be made of all that
    would be told; with ``update`` what is gone is taken out of the baseline. ``fit`` asks whether the texts
    of all cards fit in print, too.
    """

    targets: Sequence[Target]
    today: str
    only: Collection[str] = ()
    cards: Collection[str] = ()
    level: Severity = "warning"
    text: Text | None = None
    baseline: Baseline | Path | None = None
    update: bool = False
    fit: bool = False


def check(request: CheckRequest) -> Report | str:
    """Check the projects of a request."""
    unknown = _unknown_name(request.only)
    if unknown is not None:
        return unknown
    known: dict[Path, Found] = {}
    for project in dict.fromkeys(project for project, _ in request.targets):
        found = found_in(project, request)
        if isinstance(found, str):
            return found
        known[project] = found
    report = _report(known, request)
    listed, left_out = limited(report.findings)
    if left_out and (request.update or isinstance(request.baseline, Path)):
        return _too_many(report)
    if isinstance(request.baseline, Path):
        return _with_new(report, known, request.baseline)
    if request.baseline is not None:
        report = _with_stale(report, known, request, request.baseline)
        listed, left_out = limited(report.findings)
    return replace(report, findings=listed, left_out=left_out)


def _too_many(report: Report) -> str:
    """Why no baseline is made of a report."""
    return (
        f"--update-baseline: there are {len(report.findings)} findings, and only {MOST_IN_FILE} of a file "
        f"and {MOST_IN_RUN} in all are listed. Fix some of them first, or choose fewer with --only or a PATH."
    )


def told_of(workspace: Workspace, request: CheckRequest) -> tuple[Diagnostic, ...]:
    """The findings of a loaded project that a request asks for, in order."""
    found = found_of(workspace, request)
    parts = [_below(found, path) for project, path in request.targets if project == workspace.root]
    return _wanted((one for part in parts for one in part.told), request)


def _unknown_name(names: Iterable[str]) -> str | None:
    for name in names:
        if name not in CATALOGUE:
            from toolkit.vocabulary.nearest import nearest

            near = nearest(name, CATALOGUE)
            hint = f" Did you mean {near!r}?" if near else " `opforge explain` lists them all."
            return f"There is no finding {name!r}.{hint}"
    return None


def _report(known: dict[Path, Found], request: CheckRequest) -> Report:
    """What lies below the paths of a request."""
    parts = [_below(known[project], path) for project, path in request.targets]
    told = _wanted((one for part in parts for one in part.told), request)
    suppressed = _wanted((one for part in parts for one in part.suppressed), request)
    held = _wanted((one for part in parts for one in part.held), request)
    counts = {file: number for part in parts for file, number in part.counts.items()}
    cards = sum(counts.values())
    return Report(told, len(counts), cards, tuple(counts), len(suppressed), len(held))


def _below(found: Found, path: Path | None) -> Found:
    """What lies below a path; None stands for all."""
    if path is None:
        return found
    counts = {file: number for file, number in found.counts.items() if is_below(file, path)}
    return found.only(lambda finding: is_below(finding.span.file.path, path), counts)


def _wanted(findings: Iterable[Diagnostic], request: CheckRequest) -> tuple[Diagnostic, ...]:
    """The findings that a request asks for, in order."""
    return in_order(finding for finding in findings if _is_wanted(finding, request))


def _is_wanted(finding: Diagnostic, request: CheckRequest) -> bool:
    if request.only and finding.name not in request.only:
        return False
    return request.level == "warning" or severity_of(finding.name) == "error"


def _with_stale(
    report: Report, known: dict[Path, Found], request: CheckRequest, baseline: Baseline
) -> Report:
    """The report with what the baseline has in vain, or with the baseline that lacks it."""
    from toolkit.diagnostics.baseline import shrunk, stale

    gone = [one for found in known.values() for one in found.gone]
    if request.update:
        return replace(report, baseline=shrunk(baseline, gone))
    told = _wanted((stale(one) for one in gone), request)
    return replace(report, findings=in_order([*report.findings, *told]))


def _with_new(report: Report, known: dict[Path, Found], path: Path) -> Report:
    """The report with a new baseline of what it would tell."""
    from toolkit.diagnostics.baseline import may_be_held, written

    taken = [finding for finding in report.findings if may_be_held(finding)]
    left = tuple(finding for finding in report.findings if not may_be_held(finding))
    roots = [(_root_of(finding, known), finding) for finding in taken]
    return replace(report, findings=left, baselined=len(taken), baseline=written(path, roots))


def _root_of(finding: Diagnostic, projects: Iterable[Path]) -> Path:
    """The project of a finding: the innermost folder that it is in."""
    return max((root for root in projects if is_below(finding.span.file.path, root)), key=_depth)


def _depth(folder: Path) -> int:
    return len(folder.parts)


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


def found_in(project: Path, request: CheckRequest) -> Found | str:
    """All of a project; with cards in the request only what concerns them."""
    folder = read_folder(project)
    if request.text is not None:
        from toolkit.data.project_files import put_in_place

        refused = put_in_place(folder, project, request.text.path, request.text.data)
        if refused is not None:
            return refused
    cache = ResultCache(project, folder)
    checked = None if request.cards or request.fit else cache.load()
    if checked is not None:
        return _settled(project, checked, request)
    from toolkit.pipeline import open_project

    workspace = open_project(project, folder=folder)
    checked = check_all(workspace)
    cache.store(checked)
    if request.fit:
        from toolkit.project.faces import fit_findings

        of_print = fit_findings(workspace)
        if isinstance(of_print, str):
            return of_print
        checked = replace(checked, findings=[*checked.findings, *of_print])
    found = _settled(project, checked, request)
    if not request.cards:
        return found
    unknown = workspace.unknown_ids(request.cards)
    return unknown if unknown else _about(workspace, found, request.cards)


def found_of(workspace: Workspace, request: CheckRequest) -> Found:
    """The same of a project that is loaded, without what is found in print."""
    found = _settled(workspace.root, check_all(workspace), request)
    return _about(workspace, found, request.cards) if request.cards else found


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


def _settled(project: Path, checked: Checked, request: CheckRequest) -> Found:
    """The findings held against the suppressions, and then against the baseline."""
    told: Sequence[Diagnostic] = checked.findings
    unseen = () if request.fit else OF_PRINT
    suppressed: Sequence[Diagnostic] = ()
    if checked.suppressions:
        from toolkit.diagnostics.suppression_filter import settle

        settled = settle(checked.findings, checked.suppressions, request.today, unseen)
        told, suppressed = settled.told, settled.suppressed
    if request.baseline is None or isinstance(request.baseline, Path):
        return Found(told, suppressed, (), (), checked.counts)
    from toolkit.diagnostics.baseline import hold
    from toolkit.diagnostics.hiding import Hiding

    hiding = Hiding(told)
    held = hold(request.baseline, project, in_order(told), hiding, unseen)
    return Found(held.told, suppressed, held.held, held.gone, checked.counts)


def _about(workspace: Workspace, found: Found, ids: Collection[str]) -> Found:
    """What concerns some entries: findings that name them or stand in them. They count as all there is."""
    entries = [entry for entry in workspace.cards.entries() if entry.id in ids]

    def concerns(finding: Diagnostic) -> bool:
        return finding.card in ids or any(_is_in(finding.span, entry.node.span) for entry in entries)

    return found.only(concerns, dict(Counter(entry.file.path for entry in entries)))


def _is_in(inner: Span, outer: Span) -> bool:
    return inner.file is outer.file and outer.start <= inner.start < outer.end
