"""From what was found in projects to the report of what a wish asks for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import CATALOGUE, severity_of
from toolkit.diagnostics.report import MOST_IN_FILE, MOST_IN_RUN, Report, in_order, limited
from toolkit.project.checks.options import CheckWish, Refusal
from toolkit.project.checks.projects import Found, found_in, found_of
from toolkit.source.paths import is_below

if TYPE_CHECKING:
    from toolkit.diagnostics.baseline import Baseline
    from toolkit.project.workspace import Workspace


def check(wish: CheckWish) -> Report | Refusal:
    """Check the projects of a wish."""
    unknown = _unknown_name(wish.only)
    if unknown is not None:
        return Refusal(unknown)
    known: dict[Path, Found] = {}
    for project in dict.fromkeys(project for project, _ in wish.targets):
        found = found_in(project, wish)
        if isinstance(found, Refusal):
            return found
        known[project] = found
    report = _report(known, wish)
    listed, left_out = limited(report.findings)
    if left_out and (wish.update or isinstance(wish.baseline, Path)):
        return Refusal(_too_many(report))
    if isinstance(wish.baseline, Path):
        return _with_new(report, known, wish.baseline)
    if wish.baseline is not None:
        report = _with_stale(report, known, wish, wish.baseline)
        listed, left_out = limited(report.findings)
    return replace(report, findings=listed, left_out=left_out)


def _too_many(report: Report) -> str:
    """Why no baseline is made of a report."""
    return (
        f"--update-baseline: there are {len(report.findings)} findings, and only {MOST_IN_FILE} of a file "
        f"and {MOST_IN_RUN} in all are listed. Fix some of them first, or choose fewer with --only or a PATH."
    )


def told_of(workspace: Workspace, wish: CheckWish) -> tuple[Diagnostic, ...]:
    """The findings of a loaded project that a wish asks for, in order."""
    found = found_of(workspace, wish)
    parts = [_below(found, path) for project, path in wish.targets if project == workspace.root]
    return _wanted((one for part in parts for one in part.told), wish)


def _unknown_name(names: Iterable[str]) -> str | None:
    for name in names:
        if name not in CATALOGUE:
            from toolkit.vocabulary.nearest import nearest

            near = nearest(name, CATALOGUE)
            hint = f" Did you mean {near!r}?" if near else " `opforge explain` lists them all."
            return f"There is no finding {name!r}.{hint}"
    return None


def _report(known: dict[Path, Found], wish: CheckWish) -> Report:
    """What lies below the paths of a wish."""
    parts = [_below(known[project], path) for project, path in wish.targets]
    told = _wanted((one for part in parts for one in part.told), wish)
    suppressed = _wanted((one for part in parts for one in part.suppressed), wish)
    held = _wanted((one for part in parts for one in part.held), wish)
    counts = {file: number for part in parts for file, number in part.counts.items()}
    cards = sum(counts.values())
    return Report(told, len(counts), cards, tuple(counts), len(suppressed), len(held))


def _below(found: Found, path: Path | None) -> Found:
    """What lies below a path; None stands for all."""
    if path is None:
        return found
    counts = {file: number for file, number in found.counts.items() if is_below(file, path)}
    return found.only(lambda finding: is_below(finding.span.file.path, path), counts)


def _wanted(findings: Iterable[Diagnostic], wish: CheckWish) -> tuple[Diagnostic, ...]:
    """The findings that a wish asks for, in order."""
    return in_order(finding for finding in findings if _is_wanted(finding, wish))


def _is_wanted(finding: Diagnostic, wish: CheckWish) -> bool:
    if wish.only and finding.name not in wish.only:
        return False
    return wish.level == "warning" or severity_of(finding.name) == "error"


def _with_stale(report: Report, known: dict[Path, Found], wish: CheckWish, baseline: Baseline) -> Report:
    """The report with what the baseline has in vain, or with the baseline that lacks it."""
    from toolkit.diagnostics.baseline import shrunk, stale

    gone = [one for found in known.values() for one in found.gone]
    if wish.update:
        return replace(report, baseline=shrunk(baseline, gone))
    told = _wanted((stale(one) for one in gone), wish)
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
