"""The check of projects: their findings, filtered by suppressions, a baseline and the request.

The pipeline is imported only if something has changed: it takes 0.06 s, and a check without it 0.08 s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.project_files import Folder, Target, overlay_file, read_folder
from toolkit.diagnostics import Diagnostic, Severity
from toolkit.diagnostics.baseline import (
    MAX_ENTRIES,
    apply_baseline,
    may_be_baselined,
    stale_finding,
    updated_baseline_text,
)
from toolkit.diagnostics.catalogue import CATALOGUE, About, findings_about, reported_severity
from toolkit.diagnostics.locations import path_from
from toolkit.diagnostics.report import Report, limited, sorted_findings
from toolkit.diagnostics.selection import (
    COMMAND_LINE,
    GROUPS,
    CheckSettings,
    Choice,
    Level,
    choices_of,
    matches,
)
from toolkit.diagnostics.suppressions import BlindSpots, filter_suppressed
from toolkit.project.check_cache import Checked, ResultCache
from toolkit.source.paths import is_below
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary.nearest import nearest

if TYPE_CHECKING:
    from toolkit.diagnostics.baseline import Baseline, BaselineEntry
    from toolkit.diagnostics.suppressions import Suppression
    from toolkit.project.pipeline import Workspace


class Text(PublicValue, Struct, frozen=True):
    """The content of a file in place of that on disk; ``path`` is absolute."""

    path: Path
    data: bytes


class CheckRequest(PublicValue, Struct, frozen=True):
    """What to check, and which findings to report.

    ``today`` is the date, as 2027-01-31. ``only`` are names of findings and ``cards`` ids of entries; without
    any, all are reported. ``level`` is the least severity that is reported. ``text`` is standard input.
    ``fit`` also checks whether the texts of all cards fit in print, in ``theme`` and
    the shipped ``look``, or the project's.

    ``select``, ``ignore`` and ``severity`` name findings or groups, as `checks` of a project does, and beat
    it; with ``isolated`` the project's choices do not count at all. Without ``plugins`` its own checks are
    not run, nor where standard input has a file that they cannot read. Without ``cache`` nothing of an
    earlier check is used.

    Findings in ``baseline`` are not reported. A path is that of a baseline to create from all findings that
    would be reported; ``update`` adds them to an existing one, and removes those that no longer occur.
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
    theme: str | None = None
    look: str | None = None
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    severity: Mapping[str, Level] = {}
    isolated: bool = False
    plugins: bool = True
    cache: bool = True

    @property
    def runs_plugins(self) -> bool:
        """Whether the project's own checks are run."""
        return self.plugins and not self.isolated and self.text is None

    def choices(self) -> tuple[Choice, ...]:
        """What the request chooses, whatever a project chooses."""
        severity = {(name, COMMAND_LINE): level for name, level in self.severity.items()}
        select = [(name, COMMAND_LINE) for name in self.select]
        ignore = [(name, COMMAND_LINE) for name in self.ignore]
        return tuple(choices_of(select, ignore, severity))


FurtherCheck = Callable[["Workspace"], Sequence[Diagnostic]]
"""A check from a room below, of a loaded project."""


def check(request: CheckRequest, further: FurtherCheck | None = None) -> Report | str:
    """Check the requested projects, with a further check; return a sentence if the request cannot be
    fulfilled."""
    problem = _unknown_name(request.only, CATALOGUE) or _unknown_name(
        (*request.select, *request.ignore, *request.severity), [*CATALOGUE, *GROUPS]
    )
    if problem is not None:
        return problem
    projects: dict[Path, ProjectFindings] = {}
    for project in dict.fromkeys(project for project, _ in request.targets):
        findings = _check_project(project, request, further)
        if isinstance(findings, str):
            return findings
        projects[project] = findings
    report = _report(projects, request)
    if isinstance(request.baseline, Path) or (request.baseline is not None and request.update):
        updated = _with_updated_baseline(report, projects, request)
        if isinstance(updated, str):
            return updated
        report = updated
    elif request.baseline is not None:
        report = _with_stale(report, projects, request)
    listed, left_out = limited(report.findings)
    return replace(report, findings=listed, left_out=left_out)


def files_to_check(request: CheckRequest) -> list[Path] | str:
    """Return the files that a check reads and reports about, in order; a sentence if it cannot be made."""
    from toolkit.project.pipeline import open_project

    files: dict[Path, None] = {}
    for project in dict.fromkeys(project for project, _ in request.targets):
        folder = read_project_files(project, request)
        if isinstance(folder, str):
            return folder
        findings = _filtered(project, check_all(open_project(project, folder=folder)), request)
        for root, path in request.targets:
            if root == project:
                files |= dict.fromkeys(_below(findings, path).counts)
    return list(files)


def _unknown_name(names: Iterable[str], known_names: Collection[str]) -> str | None:
    """Return a sentence about the first name that is not known."""
    for name in names:
        if name not in known_names:
            suggestion = nearest(name, known_names)
            hint = f" Did you mean {suggestion!r}?" if suggestion else " `opforge findings` lists them all."
            return f"There is no finding {name!r}.{hint}"
    return None


def reported_findings(workspace: Workspace, request: CheckRequest) -> tuple[Diagnostic, ...]:
    """Return the requested findings of a loaded project, in order; those of print are not among them."""
    findings = _filtered(workspace.root, check_all(workspace), request)
    if request.cards:
        findings = _about(workspace, findings, request.cards)
    results = [_below(findings, path) for project, path in request.targets if project == workspace.root]
    return _selected((finding for result in results for finding in result.reported), request)


def _report(projects: dict[Path, ProjectFindings], request: CheckRequest) -> Report:
    """Return the report of what is below the requested paths."""
    results = [_below(projects[project], path) for project, path in request.targets]
    reported = _selected((finding for result in results for finding in result.reported), request)
    suppressed = _selected((finding for result in results for finding in result.suppressed), request)
    baselined = _selected((finding for result in results for finding in result.baselined), request)
    counts = {file: number for result in results for file, number in result.counts.items()}
    text_only = {file: number for result in results for file, number in result.text_only.items()}
    return Report(
        reported,
        len(counts),
        sum(counts.values()),
        tuple(counts),
        len(suppressed),
        len(baselined),
        text_only=sum(text_only.values()),
        off=tuple(dict.fromkeys(note for result in results for note in result.settings.notes())),
    )


def _below(findings: ProjectFindings, path: Path | None) -> ProjectFindings:
    """Return the findings below a path; all without one."""
    if path is None:
        return findings
    counts = {file: number for file, number in findings.counts.items() if is_below(file, path)}
    text_only = {file: number for file, number in findings.text_only.items() if is_below(file, path)}
    return findings.only(lambda finding: is_below(finding.span.file.path, path), counts, text_only)


def _selected(findings: Iterable[Diagnostic], request: CheckRequest) -> tuple[Diagnostic, ...]:
    """Return the findings with a requested name and level, in order."""
    return sorted_findings(
        finding
        for finding in findings
        if (not request.only or finding.name in request.only)
        and (request.level == "warning" or reported_severity(finding) == "error")
    )


def _with_stale(report: Report, projects: dict[Path, ProjectFindings], request: CheckRequest) -> Report:
    """Return the report with the findings of the baseline that no longer occur."""
    stale_findings = [
        finding
        for root, project_findings in projects.items()
        for finding in project_findings.settings.applied(map(stale_finding, project_findings.gone), root)
    ]
    reported = _selected(stale_findings, request)
    return replace(report, findings=sorted_findings([*report.findings, *reported]))


def _with_updated_baseline(
    report: Report, projects: dict[Path, ProjectFindings], request: CheckRequest
) -> Report | str:
    """Return the report with a baseline that also has its findings, and no longer those that are gone.

    With ``only`` in the request, entries with other names stay. A sentence if there are too many findings.
    """
    remaining: list[Diagnostic] = []
    additions: list[tuple[Path, Diagnostic]] = []
    for finding in report.findings:
        if may_be_baselined(finding):
            additions.append((_innermost_root(finding, projects), finding))
        else:
            remaining.append(finding)
    baseline = request.baseline
    assert baseline is not None, "the caller has a baseline"
    path, entries = (baseline, ()) if isinstance(baseline, Path) else (baseline.path, baseline.entries)
    gone_entries = (entry for project_findings in projects.values() for entry in project_findings.gone)
    removed = {entry.span for entry in gone_entries if not request.only or entry.name in request.only}
    kept_entries = [entry for entry in entries if entry.span not in removed]
    text = updated_baseline_text(path, kept_entries, additions)
    if text is None:
        return (
            f"--update-baseline: a baseline holds at most {MAX_ENTRIES:,} findings, and it would have more. "
            "Fix some of them first, or choose fewer with --only or a PATH."
        )
    baselined = report.baselined + len(additions)
    return replace(report, findings=tuple(remaining), baselined=baselined, baseline=text)


def _innermost_root(finding: Diagnostic, roots: Iterable[Path]) -> Path:
    """Return the folder of the project that a finding is in: a project may be within another one."""
    roots_around = (root for root in roots if is_below(finding.span.file.path, root))
    return max(roots_around, key=lambda root: len(root.parts))


class ProjectFindings(Struct, frozen=True):
    """The findings of a project: those to report, those suppressed by a comment, and those in the baseline.

    ``gone`` are findings of the baseline that no longer occur; ``counts`` are the numbers of cards by file,
    ``text_only`` of those with text-only rules. ``settings`` say which findings are reported.
    """

    reported: Sequence[Diagnostic]
    suppressed: Sequence[Diagnostic]
    baselined: Sequence[Diagnostic]
    gone: Sequence[BaselineEntry]
    counts: dict[Path, int]
    text_only: dict[Path, int]
    settings: CheckSettings = CheckSettings()

    def only(
        self, concerns: Callable[[Diagnostic], bool], counts: dict[Path, int], text_only: dict[Path, int]
    ) -> ProjectFindings:
        """Return the findings for which a condition holds, with other numbers of cards."""
        return replace(
            self,
            reported=list(filter(concerns, self.reported)),
            suppressed=list(filter(concerns, self.suppressed)),
            baselined=list(filter(concerns, self.baselined)),
            counts=counts,
            text_only=text_only,
        )


def read_project_files(project: Path, request: CheckRequest) -> Folder | str:
    """Return the files of a project with the request's text in place, or a sentence if that has no place."""
    folder = read_folder(project)
    text = request.text
    problem = overlay_file(folder, project, text.path, text.data) if text is not None else None
    return problem or folder


def _check_project(
    project: Path, request: CheckRequest, further: FurtherCheck | None
) -> ProjectFindings | str:
    """Return all findings of a project; with cards in the request only those about them."""
    folder = read_project_files(project, request)
    if isinstance(folder, str):
        return folder
    cache = ResultCache(project, folder)
    needs_workspace = request.cards or request.fit
    checked = cache.load() if request.cache and not needs_workspace else None
    if checked is not None:
        return _filtered(project, _with_own_checks(checked, None, request, cache), request)
    from toolkit.project.pipeline import open_project

    workspace = open_project(project, folder=folder)
    checked = check_all(workspace)
    if further is not None:
        checked = replace(checked, findings=[*checked.findings, *further(workspace)])
    if request.cache:
        cache.store(checked)
    checked = _with_own_checks(checked, workspace, request, cache)
    if request.fit:
        from toolkit.project.faces import fit_findings, unknown_look, unknown_theme

        refused = unknown_theme(project, request.theme) or unknown_look(request.look)
        print_findings = refused or fit_findings(workspace, request.theme, request.look)
        if isinstance(print_findings, str):
            return print_findings
        checked = replace(checked, findings=[*checked.findings, *print_findings])
    filtered = _filtered(project, checked, request)
    if not request.cards:
        return filtered
    return workspace.unknown_ids(request.cards) or _about(workspace, filtered, request.cards)


def _with_own_checks(
    checked: Checked, workspace: Workspace | None, request: CheckRequest, cache: ResultCache
) -> Checked:
    """Return a result with what the project's own checks find; without a workspace it is loaded if needed."""
    if not (checked.settings.plugins and request.runs_plugins):
        return checked
    from toolkit.project.own_checks import installed_checks, own_findings

    checks = installed_checks(checked.settings.plugins)
    stamps = [check.stamp for check in checks]
    findings = cache.load_own(stamps) if request.cache else None
    if findings is None:
        from toolkit.project.pipeline import open_project

        workspace = workspace or open_project(cache.root, folder=cache.folder)
        findings = own_findings(workspace.cards, checks)
        has_failed = any(finding.name == "failed-plugin" for finding in findings)
        if request.cache and not has_failed:  # it may not fail the next time
            cache.store_own(findings, stamps)
    return replace(checked, findings=[*checked.findings, *findings])


def check_all(workspace: Workspace) -> Checked:
    """Return all findings of a loaded project, those about its suppressions too, and the suppressions."""
    from toolkit.data.yaml.suppression_comments import suppressions_in

    findings = list(workspace.findings)
    suppressions: list[Suppression] = []
    for file in workspace.cards.files:
        file_suppressions, comment_findings = suppressions_in(file)
        suppressions += file_suppressions
        findings += comment_findings
    settings = workspace.cards.project.checks
    return Checked(findings, workspace.card_counts, suppressions, workspace.text_only_counts, settings)


def _filtered(project: Path, checked: Checked, request: CheckRequest) -> ProjectFindings:
    """Return the findings, filtered by the suppressions, by the baseline, and then by what is chosen.

    In this order, so that a comment or an entry of the baseline is not unused because its finding is off.
    """
    reported: Sequence[Diagnostic] = checked.findings
    unchecked_subjects: list[About] = []
    if not request.fit:
        unchecked_subjects.append("print")
    if not request.runs_plugins:
        unchecked_subjects.append("plugin")
    unchecked = findings_about(*unchecked_subjects)
    suppressed: Sequence[Diagnostic] = ()
    baselined: Sequence[Diagnostic] = ()
    gone: Sequence[BaselineEntry] = ()
    if checked.suppressions:
        filtered = filter_suppressed(checked.findings, checked.suppressions, request.today, unchecked)
        reported, suppressed = filtered.reported, filtered.suppressed
    if request.baseline is not None and not isinstance(request.baseline, Path):
        result = apply_baseline(
            request.baseline, project, sorted_findings(reported), BlindSpots(reported), unchecked
        )
        reported, baselined, gone = result.reported, result.baselined, result.gone
    settings = _settings(project, checked, request)
    return ProjectFindings(
        settings.applied(reported, project),
        settings.applied(suppressed, project),
        settings.applied(baselined, project),
        gone,
        _without_excluded(checked.counts, settings, project),
        _without_excluded(checked.text_only, settings, project),
        settings,
    )


def _without_excluded(numbers: dict[Path, int], settings: CheckSettings, project: Path) -> dict[Path, int]:
    """Return numbers by file without those of files in which nothing is reported."""
    if not settings.excluded:
        return numbers
    return {
        path: number for path, number in numbers.items() if not settings.excludes(path_from(project, path))
    }


def _settings(project: Path, checked: Checked, request: CheckRequest) -> CheckSettings:
    """Return what the project chose and what is requested; a file that is named itself is not excluded."""
    own_settings = CheckSettings() if request.isolated else checked.settings
    named_paths = [path_from(project, path) for root, path in request.targets if root == project and path]

    def is_named(choice: Choice) -> bool:
        return any(matches(choice.pattern, path) for path in named_paths)

    excluded = [choice for choice in own_settings.excluded if not is_named(choice)]
    skipped = () if request.runs_plugins else checked.settings.plugins
    return CheckSettings((*own_settings.choices, *request.choices()), tuple(excluded), skipped=skipped)


def _about(workspace: Workspace, findings: ProjectFindings, ids: Collection[str]) -> ProjectFindings:
    """Return the findings about some entries or inside of them; only these entries are counted."""
    entries = [entry for entry in workspace.cards.entries() if entry.id in ids]

    def concerns(finding: Diagnostic) -> bool:
        """Whether a finding is about one of the cards, or stands in its entry."""
        return finding.card in ids or any(
            finding.span.file is entry.file and entry.node.start <= finding.span.start < entry.node.end
            for entry in entries
        )

    text_only_cards = [card for card in workspace.cards.text_only_cards() if card.id in ids]
    counts = Counter(entry.file.path for entry in entries)
    text_only = Counter(card.file.path for card in text_only_cards)
    return findings.only(concerns, dict(counts), dict(text_only))
