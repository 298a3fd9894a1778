"""The scenarios that are shipped with the cards pass."""

from __future__ import annotations

import pytest

from toolkit.pipeline import open_project
from toolkit.project.scenarios.playing import Result
from toolkit.project.scenarios.runner import run_scenarios
from toolkit.resources import cards_folder

RUN = run_scenarios(open_project(cards_folder()), [cards_folder()])


def test_all_files_can_be_played() -> None:
    assert RUN.findings == ()
    assert len(RUN.results) >= 60


@pytest.mark.parametrize("result", RUN.results, ids=lambda result: result.scenario.name)
def test_a_shipped_scenario_passes(result: Result) -> None:
    assert result.failures == ()
    assert result.notes == ()
