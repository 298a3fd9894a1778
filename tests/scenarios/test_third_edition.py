"""Scenarios of the third edition of the language, as a designer writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.diagnostics.catalogue import severity_of
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.pipeline import open_project

PROJECT = Path(__file__).parent / "third"
WORKSPACE = open_project(PROJECT)
RESULTS = {result.scenario.name: result for result in run_scenarios(WORKSPACE, [PROJECT]).results}


def test_the_project_has_no_errors() -> None:
    assert [one for one in WORKSPACE.findings if severity_of(one.name) == "error"] == []


def test_every_scenario_is_played() -> None:
    assert RESULTS.keys() == {checked.script.name for checked in WORKSPACE.scenarios}


@pytest.mark.parametrize("name", RESULTS)
def test_a_scenario_passes(name: str) -> None:
    assert RESULTS[name].failures == ()
