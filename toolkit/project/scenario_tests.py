"""Which scenarios of a project are played, and what kept others from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from toolkit.data.scenario_findings import Checked
from toolkit.data.schema import SECTIONS
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import hinders
from toolkit.diagnostics.report import limited
from toolkit.project.scenarios.coverage import Watch, coverage_of
from toolkit.project.scenarios.results import Failure, Result, TestRun
from toolkit.project.scenarios.running import Table
from toolkit.project.workspace import Workspace
from toolkit.source import SourceFile
from toolkit.source.paths import is_below
from toolkit.vocabulary.nearest import nearest

_TOP_KEY = re.compile(r"^[{\"' ]{0,2}([A-Za-z_-]+)[\"']? *:", re.MULTILINE)


def run_scenarios(workspace: Workspace, below: Iterable[Path], coverage: bool = False) -> TestRun:
    """Play the scenarios in files at or below absolute paths; of a file with errors nothing is played.

    With ``coverage`` the run says what they reached of the project.
    """
    roots = list(below)
    errors: dict[SourceFile, list[Diagnostic]] = {}
    for finding in workspace.findings:
        if hinders(finding.name):
            errors.setdefault(finding.span.file, []).append(finding)
    holding = {checked.script.entry.file for checked in workspace.scenarios}
    files = [
        file
        for file in workspace.cards.files
        if any(is_below(file.path, root) for root in roots)
        and (file in holding or (file in errors and (file.path in roots or _means_scenarios(file))))
    ]
    chosen = {file for file in files if file not in errors}
    findings = [finding for file in files for finding in errors.get(file, ())]
    effects = {key: compiled.objects for key, compiled in workspace.effects.items()}
    watch = Watch() if coverage else None
    table = Table(workspace.cards, effects, watch)
    results = []
    for checked in workspace.scenarios:
        if checked.script.entry.file not in chosen:
            continue
        hindering = list(_hindering(workspace, checked, errors))
        findings += hindering
        results.append(_unplayed(checked, hindering) if hindering else table.play(checked))
    unplayed = tuple(file.name for file in files if file in errors)
    reached = () if watch is None else ((coverage_of(watch, workspace.cards, effects), table.origins()),)
    return TestRun(tuple(results), tuple(dict.fromkeys(findings)), unplayed, reached)


def joined(runs: Iterable[TestRun]) -> TestRun:
    """The runs of several projects as one, with as many errors as a report lists."""
    all_runs = list(runs)
    listed, left_out = limited([finding for run in all_runs for finding in run.findings])
    return TestRun(
        tuple(result for run in all_runs for result in run.results),
        listed,
        tuple(name for run in all_runs for name in run.unplayed),
        tuple(reached for run in all_runs for reached in run.coverage),
        left_out,
    )


def _means_scenarios(file: SourceFile) -> bool:
    """Whether a file that cannot be read was meant to hold scenarios: by its top keys, misspelt or not."""
    return any(nearest(key, SECTIONS) == "scenarios" for key in _TOP_KEY.findall(file.text))


def _hindering(
    workspace: Workspace, checked: Checked, errors: dict[SourceFile, list[Diagnostic]]
) -> Iterator[Diagnostic]:
    """Errors of the cards and rules that a scenario plays with."""
    used = set(checked.script.ids())
    if checked.mode is not None:
        used |= {checked.mode.id, *checked.mode.objectives}
    if checked.ruleset is not None:
        used.add(checked.ruleset.id)
    everything = [finding for found in errors.values() for finding in found]
    yield from (finding for finding in everything if finding.card in used)
    if checked.mode is None or checked.ruleset is None or not used <= _known(workspace):
        # which of them it is cannot be told where a file is torn
        torn = [one for one in everything if one.card is None or one.card in workspace.cards.broken_ids]
        yield from torn or everything


def _known(workspace: Workspace) -> set[str]:
    return {entry.id for entry in workspace.cards.entries()}


def _unplayed(checked: Checked, hindering: list[Diagnostic]) -> Result:
    """The result of a scenario whose cards or rules have errors."""
    finding = hindering[0]
    what = f"`{finding.card}`" if finding.card else finding.span.file.name
    got = f"{what} has an error: {finding.message}"
    entry = checked.script.entry
    return Result(entry, (Failure("cards", "without errors", got, entry.id_span, f"not played: {got}"),))
