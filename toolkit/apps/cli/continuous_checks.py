"""Continuous checks of a project after each save: findings, scenarios, the fit of faces, and a sheet.

Each run does only what the save can have changed. A run that is cancelled by a newer save leaves the rest of
its work to the next run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from toolkit.data.checks.scenario_findings import CheckedScenario
from toolkit.data.model import Card, Entry, Objective, Scenario
from toolkit.data.project_files import FolderReader
from toolkit.data.yaml.nodes import Mapping
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import prevents_use
from toolkit.diagnostics.report import Report, make_report
from toolkit.play.scenarios.playing import Result
from toolkit.play.scenarios.runner import ids_played, run_scenarios
from toolkit.products.sheets.write_sheets import SheetRequest, write_sheet
from toolkit.project.faces import by_size, face_options_of, fit_of, roots_of
from toolkit.project.live_project import LiveProject
from toolkit.project.output import Outcome, Refusal, refused_pdf
from toolkit.project.pipeline import Workspace
from toolkit.render.checks.fit_check import printed_key
from toolkit.render.face import Face
from toolkit.render.sizes import Size
from toolkit.source.paths import is_yaml

_BATCH = 24
"""Cards whose faces are made and measured in one step: at most so much work (0.3 s) is lost by cancelling."""

_EVERYTHING = "*"
"""Among ids of changed entries: something changed that may concern every card and scenario. No id has it."""


class WatchRequest(Struct, frozen=True):
    """What is done after the check: play scenarios, measure faces, print changed cards on a sheet."""

    test: bool = True
    fit: bool = True
    sheet: Path | None = None


class ScenarioSummary(Struct, frozen=True):
    """The results of the scenarios: how many passed, those that failed, and how many could not be played.

    ``files`` are the names of files whose scenarios were not played because of errors in them.
    """

    passed: int
    failed: Sequence[Result]
    not_played: int
    files: Sequence[str] = ()


class WatchState(Struct, frozen=True):
    """The results for a project so far.

    ``tests`` is None until scenarios were played. ``changed_faces`` are ids of cards that look different from
    the run before. ``sheet`` is what was written, or why nothing was. ``problem`` is why texts could not be
    measured. ``next_stage`` is "tests", "fit" or "sheet"; empty when the run is complete.
    """

    report: Report
    tests: ScenarioSummary | None = None
    changed_faces: Sequence[str] = ()
    sheet: Outcome | Refusal | None = None
    problem: str | None = None
    next_stage: str = ""

    @property
    def exit_status(self) -> int:
        """Return 1 if there are errors, a scenario failed or was not played, or a stage failed; else 0."""
        tests, sheet = self.tests, self.sheet
        tests_failed = tests is not None and (tests.failed or tests.not_played or tests.files)
        sheet_failed = isinstance(sheet, Refusal) or (sheet is not None and sheet.report.errors)
        return 1 if self.report.errors or tests_failed or sheet_failed or self.problem else 0


class _Cancelled(Exception):
    """The run is cancelled: there is a newer save."""


class ContinuousChecks:
    """The checks of one project: call ``read`` after each save, then iterate over ``run``."""

    def __init__(self, root: Path, request: WatchRequest) -> None:
        self.live = LiveProject(root, FolderReader(root))
        self._request = request
        # of the last reading, to see what the next one changes: entries with their errors, by kind and id
        self._entries: dict[tuple[type[Entry], str], tuple[Mapping, frozenset[str]]] = {}
        self._project_file: object = None
        self._sound: frozenset[str] = frozenset()  # ids of the entries that were sound in the last run
        self._edited: set[str] = set()  # ids of entries that have changed since the first reading
        # scenarios: ids of changed entries that are still to be tested, and what has passed
        self._to_test: set[str] = set()
        self._passed: set[Mapping] = set()
        self._tests: ScenarioSummary | None = None
        # faces: ids of changed entries, then cards whose faces are still to be made, and whose fit is known
        self._to_measure: set[str] = set()
        self._pending: dict[str, None] = {}
        self._measured: set[str] = set()
        self._fit_findings: dict[str | None, list[Diagnostic]] = {}
        self._problem: str | None = None
        # digests of the faces by card, to see which look different from the last run, and from the start
        self._face_keys: dict[str, tuple[str, ...]] = {}
        self._initial_face_keys: dict[str, tuple[str, ...]] = {}
        self._made_all_faces = False
        self._changed_faces: list[str] = []
        self._sheet: Outcome | Refusal | None = None
        self._sheet_due = False
        self._sheet_of_all = False

    def read(self, changed: Collection[Path] = ()) -> bool:
        """Read the project again after files have changed.

        Return False if a card that was sound is gone or broken: its file may be half saved (``HalfSaved``).
        """
        self.live.read()
        self._note_changes()
        if any(not is_yaml(path) for path in changed):
            self._to_measure.add(_EVERYTHING)
        return not self._sound - self.live.sound_ids()

    def redo(self, stages: Collection[str]) -> None:
        """Make the next run do some stages completely: "tests", "fit", "sheet"."""
        if "tests" in stages:
            self._to_test.add(_EVERYTHING)
            self._passed.clear()
        if "fit" in stages:
            self._to_measure.add(_EVERYTHING)
            self._measured.clear()
            self._fit_findings.clear()
        if "sheet" in stages:
            self._sheet_due = self._sheet_of_all = True

    def run(self, is_cancelled: Callable[[], bool] = lambda: False) -> Iterator[WatchState]:
        """Yield the state before each stage and at the end, unless the run is cancelled.

        ``is_cancelled`` is called often; once it returns True, the run ends.
        """
        self._sound = self.live.sound_ids()
        self._changed_faces, self._sheet = [], None

        def check_cancelled() -> None:
            if is_cancelled():
                raise _Cancelled

        stages: dict[str, Callable[[Callable[[], None]], None]] = {}
        if self._request.test:
            stages["tests"] = self._test
        stages["fit"] = self._measure
        if self._request.sheet is not None:
            stages["sheet"] = self._print
        with suppress(_Cancelled):
            for name, stage in stages.items():
                check_cancelled()
                yield self._state(name)
                stage(check_cancelled)
            yield self._state("")

    def _state(self, next_stage: str) -> WatchState:
        """Return what is known so far, and what is checked next."""
        cards = self.live.cards
        fit_findings = [finding for card_findings in self._fit_findings.values() for finding in card_findings]
        report = make_report(
            [*self.live.reported, *self.live.without_suppressed(fit_findings)],
            len(cards.files),
            sum(cards.counts.values()),
        )
        return WatchState(
            report, self._tests, tuple(self._changed_faces), self._sheet, self._problem, next_stage
        )

    # what has changed

    def _note_changes(self) -> None:
        """Note which entries differ from those of the last reading, or have other errors."""
        workspace = self.live.current
        errors_by_id: dict[str | None, set[str]] = {}
        for finding in workspace.findings:
            if prevents_use(finding.name):
                errors_by_id.setdefault(finding.card, set()).add(f"{finding.name} {finding.message}")
        errors_of_no_entry = frozenset(errors_by_id.get(None, ()))
        entries_before, is_first_reading = self._entries, self._project_file is None
        self._entries = {
            (type(entry), entry.id): (entry.node, frozenset(errors_by_id.get(entry.id, ())))
            for entry in workspace.cards.entries()
            if not isinstance(entry, Scenario)
        }
        project_file = (workspace.cards.project.file.text, errors_of_no_entry)
        changed_keys = {key for key, entry in self._entries.items() if entries_before.get(key) != entry}
        changed_keys |= entries_before.keys() - self._entries.keys()
        # a TEAM, a mode or the project file may concern every card
        has_other_changes = any(kind not in (Card, Objective) for kind, _ in changed_keys)
        if project_file != self._project_file or has_other_changes:
            self._to_test.add(_EVERYTHING)
            self._to_measure.add(_EVERYTHING)
        self._project_file = project_file
        changed_ids = {entry_id for _, entry_id in changed_keys}
        if not is_first_reading:
            self._edited |= changed_ids
        self._to_test |= changed_ids
        self._to_measure |= changed_ids

    # scenarios

    def _test(self, check_cancelled: Callable[[], None]) -> None:
        """Play the scenarios that changed, that use what changed, or that did not pass before."""
        workspace = self.live.current
        still_passed: set[Mapping] = set()

        def is_chosen(checked: CheckedScenario) -> bool:
            """Whether a scenario is played again: it did not pass, or a card that it needs has changed."""
            check_cancelled()
            node = checked.script.entry.node
            if node not in self._passed or _EVERYTHING in self._to_test:
                return True
            if self._to_test & ids_played(workspace, checked):
                return True
            still_passed.add(node)
            return False

        scenario_run = run_scenarios(workspace, [workspace.root], is_chosen=is_chosen)
        passed = still_passed | {result.scenario.node for result in scenario_run.results if result.passed}
        self._passed = passed
        self._to_test.clear()
        failed = [result for result in scenario_run.results if result.failed]
        not_played = len(workspace.scenarios) - len(passed) - len(failed)
        self._tests = ScenarioSummary(len(passed), failed, not_played, scenario_run.unplayed)

    # faces

    def _measure(self, check_cancelled: Callable[[], None]) -> None:
        """Make the faces of all cards that may look different, and measure those that do."""
        printed_ids = {entry.id: None for entry in self.live.cards.printed_entries()}
        for gone_id in self._fit_findings.keys() - {None, *printed_ids}:
            del self._fit_findings[gone_id]
        all_ids = printed_ids if _EVERYTHING in self._to_measure else ()
        queued_ids = (*self._to_measure, *all_ids, *self._pending)  # the edited cards come first
        self._pending = dict.fromkeys(card_id for card_id in queued_ids if card_id in printed_ids)
        self._to_measure.clear()
        look_key = _look_key(self.live.current) if self._pending else ""
        while self._pending:
            check_cancelled()
            batch = [*self._pending][:_BATCH]
            self._measure_batch(batch, look_key, check_cancelled)
            for card_id in batch:
                del self._pending[card_id]
        self._made_all_faces = True

    def _measure_batch(self, ids: Sequence[str], look_key: str, check_cancelled: Callable[[], None]) -> None:
        """Make the faces of some cards in all languages, and measure those whose key has changed."""
        workspace = self.live.current
        sized_faces: list[tuple[Size, Face]] = [
            (size, face)
            for language in workspace.cards.project.languages
            for size, faces in by_size(workspace, language, ids).items()
            for face in faces
        ]
        keys: dict[str, tuple[str, ...]] = dict.fromkeys(ids, (look_key,))
        for _, face in sized_faces:
            keys[face.id] += (printed_key(face),)
        unmeasured = self._note_keys(keys)
        if not self._request.fit or not unmeasured:
            return
        faces_by_size: dict[Size, list[Face]] = {}
        for size, face in sized_faces:
            if face.id in unmeasured:
                faces_by_size.setdefault(size, []).append(face)
        self._measure_faces(unmeasured, faces_by_size, check_cancelled)

    def _measure_faces(
        self,
        ids: Sequence[str],
        faces_by_size: dict[Size, list[Face]],
        check_cancelled: Callable[[], None],
    ) -> None:
        """Find out which texts on the faces of some cards do not fit, in place of what was known of them."""
        self._measured -= {*ids}
        workspace = self.live.current
        findings = fit_of(workspace, faces_by_size, lambda _done, _total: check_cancelled())
        self._problem = findings if isinstance(findings, str) else None
        if isinstance(findings, str):
            return
        self._measured |= {*ids}
        for card_id in ids:
            self._fit_findings.pop(card_id, None)
        for finding in findings:
            self._fit_findings.setdefault(finding.card, []).append(finding)

    def _note_keys(self, keys: dict[str, tuple[str, ...]]) -> list[str]:
        """Note which faces look different from the run before; return the ids of those to be measured.

        In the first run, which makes all faces, only those of edited cards count as changed.
        """
        unmeasured: list[str] = []
        for card_id, key in keys.items():
            key_before = self._face_keys.get(card_id)
            is_from_edit = self._made_all_faces or card_id in self._edited
            looks_different = key_before != key and bool(key_before or is_from_edit)
            if looks_different and card_id not in self._changed_faces:
                self._changed_faces.append(card_id)
                self._sheet_due = True
            if key_before != key or card_id not in self._measured:
                unmeasured.append(card_id)
            self._initial_face_keys.setdefault(card_id, () if is_from_edit else key)
            self._face_keys[card_id] = key
        return unmeasured

    # the sheet

    def _print(self, check_cancelled: Callable[[], None]) -> None:
        """Write a sheet of the cards that changed since the first run, or of all if requested."""
        if not self._sheet_due or self._request.sheet is None:
            return
        changed_ids = [
            card_id for card_id, key in self._face_keys.items() if self._initial_face_keys[card_id] != key
        ]
        ids = [card_id for card_id in changed_ids if self.live.cards.printed_entry(card_id)]
        if ids or self._sheet_of_all:
            request = SheetRequest(self._request.sheet, ids=() if self._sheet_of_all else ids)
            if problem := refused_pdf(self._request.sheet):  # something else may have come there
                self._sheet = Refusal(problem)
            else:
                self._sheet = write_sheet(self.live.current, request, lambda _done, _total: check_cancelled())
        self._sheet_due = self._sheet_of_all = False


def _look_key(workspace: Workspace) -> str:
    """Return a key of all that faces depend on beside their texts: templates, fonts, sizes."""
    project, roots = workspace.cards.project, roots_of(workspace)
    return repr((roots.stamp(), roots, face_options_of(workspace), project.card_size, project.card_sizes))
