"""Scenarios of the second and third edition of the language, as a designer writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.diagnostics.catalogue import severity_of
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.pipeline import open_project

PROJECTS = [Path(__file__).parent / edition for edition in ("second", "third")]
WORKSPACES = [open_project(project) for project in PROJECTS]
RESULTS = {
    result.scenario.name: result
    for workspace, project in zip(WORKSPACES, PROJECTS, strict=True)
    for result in run_scenarios(workspace, [project]).results
}


def test_the_projects_have_no_errors() -> None:
    for workspace in WORKSPACES:
        assert [one for one in workspace.findings if severity_of(one.name) == "error"] == []


def test_every_scenario_is_played() -> None:
    scripts = [checked.script.name for workspace in WORKSPACES for checked in workspace.scenarios]
    assert sorted(RESULTS) == sorted(scripts)


@pytest.mark.parametrize("name", RESULTS)
def test_a_scenario_passes(name: str) -> None:
    assert RESULTS[name].failures == ()
