"""The scenarios that are shipped with the cards pass."""

from __future__ import annotations

from toolkit.pipeline import open_project
from toolkit.project.scenarios.runner import run_scenarios
from toolkit.resources import cards_folder


def test_all_files_can_be_played_and_every_scenario_passes() -> None:
    run = run_scenarios(open_project(cards_folder()), [cards_folder()])
    assert run.findings == ()
    assert len(run.results) >= 60
    for result in run.results:
        assert (result.failures, result.notes) == ((), ()), result.scenario.name
