"""What `opforge test --coverage` says was reached, and what was not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from toolkit.apps.cli import run
from toolkit.play.scenarios.coverage import RULES_THAT_ACT
from toolkit.vocabulary import ACTIONS
from toolkit.vocabulary.rule_ids import RULES

HERE = Path(__file__).parent
TOOLKIT = Path(__file__).parents[2] / "toolkit"

CARDS = """\
cards:
  - id: veil
    kind: item
    name: Veil
    effect: when attacked, if attacker is not opposite self, self cannot be attacked.
  - {id: boots, kind: item, name: Boots, effect: self cannot perform MOVE. self gets +1 MP.}
  - id: charm
    kind: item
    name: Charm
    effect: when attacked, if HITCOUNTER of self >= 2, self doubles EP.
"""
VEILED = """\
  - name: veiled
    field: {blue: [viper], red: [~, bishop]}
    state: {bishop: {attached: veil}}
    do: [{action: attack, by: viper, on: bishop}]
    expect: {refused: M-8}
"""
BOOTS = """\
  - name: boots
    field: {blue: [viper], red: []}
    state: {viper: {attached: boots}}
    do: []
    expect: {viper: {mp: 3}}
"""
CHARM = """\
  - name: charm
    field: {blue: [viper], red: [bishop]}
    state: {bishop: {attached: charm}}
    do: [{action: attack, by: viper, on: bishop, dice: [1, 1]}]
    expect: {}
"""


def coverage(folder: Path, capsys: pytest.CaptureFixture[str], *scenarios: str) -> dict[str, Any]:
    """The coverage of scenarios in the project of the tests, as JSON."""
    project = copytree(HERE / "project", folder / "project")
    (project / "more.yaml").write_text(CARDS + "scenarios:\n" + "".join(scenarios), encoding="utf-8")
    assert run(["test", str(project / "more.yaml"), "--coverage", "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["coverage"]
    return found


def silent(found: dict[str, Any]) -> dict[tuple[str, int], bool]:
    """The sentences of our cards that never came to effect, and whether they were judged."""
    ours = [one for one in found["sentences"]["never"] if one["card"] in ("veil", "boots", "charm")]
    return {(one["card"], one["sentence"]): one["judged"] for one in ours}


def test_what_no_scenario_reaches_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = coverage(tmp_path, capsys, VEILED)
    assert silent(found) == {("boots", 1): False, ("boots", 2): False, ("charm", 1): False}
    assert {"boots", "charm"} <= set(found["cards"]["never"])
    assert "veil" not in found["cards"]["never"]
    assert "multiplies" in found["verbs"]["never"]
    assert "M-8" not in found["rules"]["never"]
    # nobody is off the FIELD, and no sentence names the highest of something
    assert {"C-3", "E-9"} <= set(found["rules"]["never"])
    assert "M-7" in found["rules"]["never"]


def test_what_holds_without_an_attack_is_reached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = coverage(tmp_path, capsys, BOOTS)
    assert silent(found) == {("veil", 1): False, ("charm", 1): False}
    assert {"cannot", "gets"}.isdisjoint(found["verbs"]["never"])


def test_a_condition_that_never_held_is_judged_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = coverage(tmp_path, capsys, CHARM, VEILED, BOOTS)
    assert silent(found) == {("charm", 1): True}
    (one,) = (one for one in found["sentences"]["never"] if one["card"] == "charm")
    assert one["text"] == "when attacked, if HITCOUNTER of self >= 2, self doubles EP."
    assert (one["file"].endswith("more.yaml"), one["line"]) == (True, 10)


def test_the_numbers_add_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = coverage(tmp_path, capsys, CHARM)
    for part in found.values():
        assert part["reached"] + len(part["never"]) == part["total"]


def test_people_read_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = copytree(HERE / "project", tmp_path / "project")
    (project / "more.yaml").write_text(CARDS + "scenarios:\n" + CHARM, encoding="utf-8")
    assert run(["test", str(project / "more.yaml"), "--coverage"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"(?m)^  cards +3 of \d+$", shown)
    assert re.search(r"more.yaml:10:\d+  charm, effect: when attacked.*\(judged, and its condition", shown)
    assert "1 scenario played: 1 passed, 0 failed." in shown


def test_without_the_flag_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", str(HERE / "project"), "--format", "json"]) == 0
    assert "coverage" not in json.loads(capsys.readouterr().out)


def test_junit_has_no_place_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", str(HERE / "project"), "--format", "junit", "--coverage"]) == 2
    assert "--coverage" in capsys.readouterr().err


def test_the_rules_that_can_act_are_those_that_the_engine_names() -> None:
    # an effect of a step of MODIFY names the rule of that number
    named = {action.rule for action in ACTIONS.values()} | {f"M-{step}" for step in range(1, 6)}
    for room in ("engine", "scenarios"):
        for path in (TOOLKIT / room).rglob("*.py"):
            if path.name != "coverage.py":
                named |= set(re.findall(r'"([A-Z]-\d+[ab]?)"', path.read_text(encoding="utf-8")))
    assert named & RULES.keys() == set(RULES_THAT_ACT) | (named & {"N-3", "E-1"})
