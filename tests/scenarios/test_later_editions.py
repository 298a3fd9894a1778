"""Scenarios of the second and third edition of the language, as a designer writes them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.yaml_files import parse_yaml
from toolkit.diagnostics.catalogue import severity_of
from toolkit.play.scenarios.playing import Result
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.pipeline import Workspace, open_project

PROJECTS = {edition: Path(__file__).parent / edition for edition in ("second", "third")}


def names_in(project: Path) -> list[str]:
    """The names of all scenarios in the files of a project, of which nothing else is read."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(project.glob("**/*.yaml"))]
    return [
        parse_yaml(name) for text in texts for name in re.findall(r"^  - name: (.+)$", text, re.MULTILINE)
    ]


SCENARIOS = [(edition, name) for edition, project in PROJECTS.items() for name in names_in(project)]


@cache
def workspace(edition: str) -> Workspace:
    return open_project(PROJECTS[edition])


@cache
def results(edition: str) -> dict[str, Result]:
    """What came of each scenario, by its name."""
    played = run_scenarios(workspace(edition), [PROJECTS[edition]]).results
    return {result.scenario.name: result for result in played}


@pytest.mark.parametrize("edition", PROJECTS)
def test_the_projects_have_no_errors(edition: str) -> None:
    assert [one for one in workspace(edition).findings if severity_of(one.name) == "error"] == []


@pytest.mark.parametrize("edition", PROJECTS)
def test_every_scenario_is_played(edition: str) -> None:
    assert sorted(results(edition)) == sorted(name for of, name in SCENARIOS if of == edition)


@pytest.mark.parametrize("edition", PROJECTS)
def test_every_scenario_passes(edition: str) -> None:
    failures = {name: result.failures for name, result in results(edition).items() if result.failures}
    assert failures == {}
