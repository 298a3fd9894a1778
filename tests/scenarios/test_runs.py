"""Scenarios played: what passes, what fails and why, and that every expectation can fail."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import copy, copytree

import pytest

from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run
from toolkit.data.scenarios import Given, Script
from toolkit.data.yaml.nodes import Plain
from toolkit.play.scenarios.playing import Result
from toolkit.play.scenarios.reports import difference
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.pipeline import Cache, Workspace, open_project

HERE = Path(__file__).parent
PROJECT = HERE / "project"
CACHE = Cache()


@cache
def workspace() -> Workspace:
    return open_project(PROJECT, cache=CACHE)


@cache
def results() -> dict[str, Result]:
    """What came of each scenario, by its name."""
    return {result.scenario.name: result for result in run_scenarios(workspace(), [PROJECT]).results}


def test_the_project_has_no_findings() -> None:
    found = [finding.name for finding in workspace().findings if "unused" not in finding.name]
    assert found == ["untested-card"]  # the vest


def test_every_scenario_is_played() -> None:
    assert results().keys() == {checked.script.name for checked in workspace().scenarios}


def test_every_right_scenario_passes() -> None:
    assert {name: result.failures for name, result in results().items() if result.failures} == {}


def test_what_is_said_of_scenarios_that_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = copytree(PROJECT, tmp_path / "project")
    copy(HERE / "runs" / "failing.yaml", project)
    monkeypatch.chdir(project)
    assert run(["test", "failing.yaml"]) == 1
    shown = without_traces(capsys.readouterr().out)
    assert shown == (HERE / "runs" / "failing.out").read_text(encoding="utf-8")


def without_traces(text: str) -> str:
    """What is said beside the traces, whose wording is the engine's."""
    blocks = text.split("\n\n")
    parts = (
        re.sub(r"(?s)(\n  the attack of [^\n]*:|\n  step [^\n]*:)\n.*", r"\1", block) for block in blocks
    )
    return "\n\n".join(part for part in parts if not part.startswith("    "))


def test_the_trace_of_an_attack_says_how_its_numbers_came_about() -> None:
    result = played(
        """\
scenarios:
  - name: a suppressed shot
    field: {blue: [viper, hawk], red: [bishop]}
    state: {viper: {hitcounter: 1}}
    hands: {red: [hard-cover]}
    do: [{action: attack, by: viper, on: bishop, defence_card: hard-cover, dice: [6, 2], critical: [double]}]
    expect: {attack: {ap: 4}}
""",
    )
    trace = "\n".join(result.trace)
    assert result.trace[0] == "the attack of viper on bishop (step 1):"
    for said in ("SUPPRESSION", "TEAMWORK", "M-5", "M-7", "A-1", "hard-cover", "core"):
        assert said in trace


SPITE = "when an own OPERATOR becomes HIT, all enemy OPERATORs get +9 HITCOUNTER."


def test_an_item_for_one_player_waits_for_his_performance() -> None:
    text = f"""\
cards:
  - {{id: spite, kind: strategy, name: Spite, effect: "{SPITE}"}}
scenarios:
  - name: both fall
    field: {{blue: [viper], red: [pawn, bishop]}}
    strategies: {{red: [spite]}}
    decks: {{blue: [smoke]}}
    item_decks: {{red: [vest]}}
    do: [{{action: attack, by: viper, on: pawn, dice: [1, 1], performance: {{item: vest, to: bishop}}}}]
    expect: {{blue: {{hand: 1}}, viper: {{status: HIT}}, bishop: {{attached: vest}}}}
"""
    assert played(text).failures == ()
    (failure,) = played(text.replace("strategies: {red: [spite]}", "turn: blue")).failures[:1]
    told = "step 1 (attack): red fulfils no PERFORMANCE, and it gives an ITEM to bishop."
    assert (failure.what, failure.sentence) == ("step 1.performance", told)


LEAP = "when attached, self becomes OUT."


def test_the_last_attack_is_what_is_expected_even_if_nothing_was_compared() -> None:
    text = f"""\
cards:
  - {{id: leap, kind: attack, name: Leap, effect: "{LEAP}"}}
scenarios:
  - name: the second attack breaks off
    field: {{blue: [viper, hawk], red: [rook]}}
    hands: {{blue: [leap]}}
    do:
      - {{action: attack, by: viper, on: rook, dice: [2, 1]}}
      - {{action: attack, by: hawk, on: rook, attack_card: leap}}
    expect: {{hawk: {{status: OUT}}, attack: {{ap: 7}}}}
"""
    (failure,) = played(text).failures
    assert difference(failure) == "attack.ap: expected 7, got nothing: the last attack was not compared"


@dataclass(frozen=True)
class Expectation:
    """One value of `expect`, and another one that is certainly wrong."""

    script: Script
    what: str
    given: Given[Plain] | Given[tuple[Given[str], ...]]
    wrong: str

    def __str__(self) -> str:
        return f"{self.script.name}: {self.what}"


WRONG_WORDS = {
    "HIT": "OUT",
    "OUT": "HIT",
    "NORMAL": "HIT",
    "EXHAUSTED": "NORMAL",
    "REACHED": "CAPTURED",
    "CAPTURED": "REACHED",
}


def wrong(value: object, key: str) -> str:
    """Another value of the same sort."""
    if isinstance(value, bool):
        return "false" if value else "true"
    if isinstance(value, int):
        return str(value + 1)
    if value is None:
        return {"position": "3", "objective": "CAPTURED"}.get(key, "vest")
    return WRONG_WORDS.get(str(value), "burst" if value != "burst" else "aimed-shot")


def expectations(workspace: Workspace) -> Iterator[Expectation]:
    """Every value that a scenario of the tests expects."""
    for checked in workspace.scenarios:
        expected = checked.script.expected
        groups = [("attack", expected.attack or {}), *expected.sides.items()]
        groups += [(person.written, values) for person, values in expected.operators]
        for name, values in groups:
            for key, given in values.items():
                # the FIELD of a mode may end at the right position
                at_place = key == "position" and given.value is not None
                other = ("2" if given.value == 1 else "1") if at_place else wrong(given.value, key)
                yield Expectation(checked.script, f"{name}.{key}", given, other)
        for side, piles in expected.piles.items():
            for key, pile in piles.items():
                other = "[high-ground, high-ground]" if key == "strategies" else "[burst, burst, burst]"
                yield Expectation(checked.script, f"{side}.{key}", pile, other)


PARTS = 10


@pytest.mark.parametrize("part", range(PARTS))
def test_every_expectation_can_fail(part: int) -> None:
    for expectation in [*expectations(workspace())][:: 1 if THOROUGH else 8][part::PARTS]:
        assert_it_can_fail(expectation)


def assert_it_can_fail(expectation: Expectation) -> None:
    span = expectation.given.span
    text = span.file.text[: span.start] + expectation.wrong + span.file.text[span.end :]
    changed = open_project(PROJECT, {span.file.path: text}, CACHE)
    played_again = run_scenarios(changed, [span.file.path]).results
    (result,) = [result for result in played_again if result.scenario.name == expectation.script.name]
    assert [failure.what for failure in result.failures] == [expectation.what]
    value = expectation.given.value
    if isinstance(value, tuple):
        cards = [card.value for card in value]
        value = ", ".join(cards if expectation.what.endswith(".deck") else sorted(cards)) or "none"
    assert result.failures[0].expected != result.failures[0].got == value
    assert result.failures[0].span.text == expectation.wrong


def played(text: str) -> Result:
    """The result of the only scenario of a text, in the project of the tests."""
    path = PROJECT / "scenario.yaml"
    (result,) = run_scenarios(open_project(PROJECT, {path: text}, CACHE), [path]).results
    return result


@pytest.mark.parametrize("rule", ["A-1", "R-2", "M-5"])
def test_the_rule_that_refuses_is_compared(rule: str) -> None:
    result = played(
        f"""\
scenarios:
  - name: out of RANGE
    field: {{blue: [viper], red: [~, ~, bishop]}}
    do: [{{action: attack, by: viper, on: bishop}}]
    expect: {{refused: {rule}}}
""",
    )
    (failure,) = result.failures
    assert (failure.what, failure.expected, failure.got) == ("refused", rule, "R-1")
    assert result.refused == "R-1"


def test_a_refused_step_before_the_last_is_a_failure() -> None:
    result = played(
        """\
scenarios:
  - name: the first step is refused, not the last
    field: {blue: [viper], red: [~, ~, bishop]}
    do:
      - {action: attack, by: viper, on: bishop}
      - {action: evade, by: viper}
    expect: {refused: R-1}
""",
    )
    (failure,) = result.failures
    assert (failure.what, failure.expected, failure.got) == ("refused", None, "R-1")
    assert failure.span.text == "attack"
    assert failure.sentence.endswith(" `refused` speaks of the last step, step 2.")


def test_events_without_end_fail_the_scenario() -> None:
    echo = (
        "when an enemy OPERATOR becomes HIT, if ROUND < 9, all enemy OPERATORs that are HIT become NORMAL, "
        "then all enemy OPERATORs get +9 HITCOUNTER."
    )
    text = f"""\
cards:
  - {{id: echo, kind: strategy, name: Echo, effect: "{echo}"}}
scenarios:
  - name: it goes on
    field: {{blue: [viper], red: [pawn]}}
    strategies: {{blue: [echo]}}
    do: [{{action: attack, by: viper, on: pawn, dice: [1, 1]}}]
    expect: {{pawn: {{status: HIT}}}}
"""
    path = PROJECT / "scenario.yaml"
    (result,) = run_scenarios(open_project(PROJECT, {path: text}, CACHE), [path]).results
    (failure,) = result.failures
    assert failure.what == "step 1"
    assert "without end" in str(failure.got)
    assert f": `{echo}` (echo, " in str(failure.got)
    assert str(failure.got).endswith("scenario.yaml:2:53), and so on.")


def test_what_nobody_asks_for_is_a_failure_with_its_place_for_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = copytree(PROJECT, tmp_path / "project")
    (project / "more.yaml").write_text(
        """\
scenarios:
  - name: too many dice
    field: {blue: [viper], red: [bishop]}
    do: [{action: attack, by: viper, on: bishop, dice: [3, 2, 5, 6], critical: [double]}]
    expect: {attack: {damage: 2}}
""",
        encoding="utf-8",
    )
    assert run(["test", str(project / "more.yaml"), "--format", "json"]) == 1
    (scenario,) = json.loads(capsys.readouterr().out)["scenarios"]
    assert scenario["failures"] == [
        {"what": "step 1.dice", "expected": "5, 6", "got": None},
        {"what": "step 1.critical", "expected": "double", "got": None},
    ]


@pytest.mark.parametrize("counter", [5, 99])
def test_a_hitcounter_that_reaches_dp_is_found_before_anything_is_played(counter: int) -> None:
    text = f"""\
scenarios:
  - name: too many hits
    field: {{blue: [viper], red: [bishop]}}
    state: {{bishop: {{hitcounter: {counter}}}}}
    do: []
    expect: {{viper: {{hitcounter: 0}}}}
"""
    path = PROJECT / "scenario.yaml"
    findings = open_project(PROJECT, {path: text}, CACHE).findings
    found = [(one.name, one.span.text) for one in findings if one.span.file.path == path]
    assert found == [("impossible-state", str(counter))]


@pytest.mark.parametrize("state", ["hitcounter: 4", "hitcounter: 5, dp: 1", "hitcounter: 6, attached: vest"])
def test_a_hitcounter_below_dp_is_fine(state: str) -> None:
    result = played(
        f"""\
scenarios:
  - name: he stands
    field: {{blue: [viper], red: [bishop]}}
    state: {{bishop: {{{state}}}}}
    do: []
    expect: {{bishop: {{status: NORMAL}}}}
""",
    )
    assert result.failures == ()
