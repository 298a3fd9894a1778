"""Markers, KEYWORDs and traits of a designer's own, and OBJECTIVEs with effects, as scenarios show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.pipeline import open_project
from toolkit.project.scenarios.playing import play
from toolkit.project.scenarios.runner import run_scenarios

PROJECT = Path(__file__).parent / "own_words"
WORKSPACE = open_project(PROJECT)
RESULTS = {result.scenario.name: result for result in run_scenarios(WORKSPACE, [PROJECT]).results}


def test_the_project_has_no_findings() -> None:
    assert WORKSPACE.findings == ()


@pytest.mark.parametrize("name", RESULTS)
def test_rules_e_11_e_12_and_e_18_hold(name: str) -> None:
    assert RESULTS[name].failures == ()


def traced(name: str) -> list[tuple[str, str, str]]:
    checked = next(one for one in WORKSPACE.scenarios if one.script.name == name)
    assert checked.mode is not None
    assert checked.ruleset is not None
    played = play(checked.script, WORKSPACE.rules(checked.mode, checked.ruleset))
    return [(entry.kind, entry.rule, entry.text) for entry in played.last_trace]


def test_markers_are_traced_as_counters_of_e_11() -> None:
    found = traced("what a spy learns is counted and makes it stronger")
    assert ("counter", "E-11", 'MARKER "intel" of spy: 2 → 3') in found
    assert ("counter", "E-11", 'MARKER "supply" of blue: 0 → 1') in found


def test_what_is_given_is_noted_by_e_12() -> None:
    assert ("note", "E-12", 'grump gains KEYWORD "steadfast"') in traced(
        "an ITEM gives a KEYWORD as long as it is attached"
    )
    assert ("note", "E-12", 'captain gains trait "led" until end of TURN') in traced(
        "a trait is given until the end of the TURN"
    )
