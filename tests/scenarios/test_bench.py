"""The attack bench: what it plays is what `opforge attack` and `opforge test` play, whatever is answered."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.tables import SHIPPED, shipped
from tests.tables.test_tables import run
from tests.thoroughness import THOROUGH, examples
from toolkit.data.model import Scenario
from toolkit.diagnostics.catalogue import prevents_use
from toolkit.editing.formatting.formatter import Formatted, format_file
from toolkit.play.attack.attack_report import attack_data
from toolkit.play.attack.request import AttackRequest, PlayedAttack, Refused
from toolkit.play.attack.run import play_attack
from toolkit.play.attack_bench import MAX_STEPS, play_bench
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.play.scenarios.scenario_writer import scenario_data
from toolkit.project.pipeline import Cache, Workspace, open_project
from toolkit.source import SourceFile

UNSAID = ("item_stays", "fill", "performance", "at_once", "attack_card", "defence_card", "late_attack_card")
"""Decisions that a scenario cannot answer in every way: the keys of a step do not say which of several."""
OWN = Path(__file__).parent / "project"
SUPPRESSED: dict[str, Any] = {
    "field": {"blue": ["viper", "hawk", None, None], "red": ["bishop", None, "pawn", None]},
    "state": {"viper": {"hitcounter": 1}, "bishop": {"ep": -1}},
    "hands": {"blue": ["aimed-shot"], "red": ["hard-cover"]},
    "do": [
        {
            "action": "attack",
            "by": "viper",
            "on": "bishop",
            "attack_card": "aimed-shot",
            "defence_card": "hard-cover",
        }
    ],
}


@cache
def own() -> Workspace:
    """The project of the scenario tests."""
    return open_project(OWN)


@cache
def scenarios() -> list[tuple[Workspace, Scenario]]:
    """Every scenario of the shipped set and of the tests that has no errors."""
    found = []
    for workspace in (shipped(), own()):
        broken = {finding.span.file for finding in workspace.findings if prevents_use(finding.name)}
        found += [(workspace, one) for one in workspace.cards.scenarios if one.file not in broken]
    return found


CACHES = defaultdict[Path, Cache](Cache)
EVERY = 1 if THOROUGH else 15
PARTS = 12
"""How many tests go through the scenarios: the files are not read to collect a test for each."""


def played(workspace: Workspace, scenario: dict[str, Any], seed: int = 1) -> dict[str, Any]:
    """What comes of a scenario without mistakes."""
    found = play_bench(workspace, scenario, seed)
    assert not isinstance(found, str), found
    assert not found.findings, (found.findings[0], found.text)
    return found.data


def passes(workspace: Workspace, text: str) -> bool:
    """Whether a file with one scenario passes as a test of the project, and the formatter leaves it alone."""
    path = workspace.root / "copied.yaml"
    tested = run_scenarios(open_project(workspace.root, {path: text}, CACHES[workspace.root]), [path])
    formatted = format_file(SourceFile(path, "copied.yaml", text))
    assert isinstance(formatted, Formatted)
    assert formatted.text == text
    return tested.passed == 1 and not tested.failed and not tested.findings


def test_a_situation_is_played_with_the_dice_of_its_seed() -> None:
    data = played(shipped(), {**SUPPRESSED, "do": [{**SUPPRESSED["do"][0], "dice": [6, 2]}]})
    formula = "AP 11 = VALUE 4 ÷ 2 SUPPRESSION + 1 TEAMWORK + 2 Aimed shot + 6 ATTACK D6"
    assert data["sums"]["ap"]["text"] == formula
    (asked,) = data["asked"]
    assert (asked["what"], asked["of"], asked["taken"]) == ("critical", "blue", 0)
    assert data["yaml"].split("    expect:\n")[1] == (
        "      attack: {ap: 11, ep: 6, damage: 5, critical: false}\n"
        "      viper: {attached: aimed-shot, ep: 2}\n"
        "      bishop: {hitcounter: 5, status: NORMAL, attached: hard-cover}\n"
        "      blue: {hand: 0}\n"
        "      red: {hand: 0}\n"
    )
    rolled = played(shipped(), SUPPRESSED, 7)
    assert rolled["seed"] == 7
    assert rolled["rolled"] == [rolled["dice"]]
    assert played(shipped(), rolled["scenario"])["result"] == rolled["result"]
    first, second = rolled["dice"]
    other = {**SUPPRESSED["do"][0], "dice": [first % 6 + 1]}
    assert played(shipped(), {**SUPPRESSED, "do": [other]}, 7)["dice"] == [first % 6 + 1, second]


@pytest.mark.parametrize("part", range(PARTS))
def test_a_copied_scenario_passes(part: int) -> None:
    for workspace, scenario in scenarios()[::EVERY][part::PARTS]:
        data = played(workspace, scenario_data(scenario))
        assert data["yaml"] is not None, data["notes"]
        assert passes(workspace, data["yaml"]), data["yaml"]


@cache
def attacks() -> list[tuple[Workspace, Scenario]]:
    """Those with one attack that the command can play too: it does not exhaust, and draws without a list."""
    names = [one.id for _, one in scenarios()]
    found = []
    for workspace, scenario in scenarios():
        said = scenario.node.value
        step = said["do"][0] if len(said["do"]) == 1 else {}
        # the command names dice to reroll, declines nothing, and sets no dice
        has_more = not step.keys().isdisjoint(("random", "set", "at_once"))
        is_sayable = not has_more and None not in step.get("reroll", ())
        if step.get("action") == "attack" and is_sayable and not said.get("strict"):
            found += [(workspace, scenario)] if names.count(scenario.id) == 1 else []
    return found


def requested(scenario: Scenario) -> AttackRequest:
    """What the command is asked for the attack of a scenario."""
    (step,) = scenario.node.value["do"]
    answers: dict[str, Any] = {}
    for key in ("dice", "critical", "reroll", "choose", "either", "may", "performance"):
        if key in step:
            listed = step[key] if isinstance(step[key], list) else [step[key]]
            words = ["~" if one is None else one for one in listed]
            answers[key] = tuple([one["to"] if isinstance(one, dict) else one for one in words])
    for key in ("attack_card", "defence_card", "late_attack_card"):
        answers[key] = step.get(key)
    return AttackRequest(step["by"], step["on"], (scenario.file.path, scenario.id), **answers)


@pytest.mark.parametrize("part", range(PARTS))
def test_it_plays_what_the_command_attack_plays(part: int) -> None:
    for workspace, scenario in attacks()[::EVERY][part::PARTS]:
        assert_it_plays_what_the_command_plays(workspace, scenario)


def assert_it_plays_what_the_command_plays(workspace: Workspace, scenario: Scenario) -> None:
    data = played(workspace, scenario_data(scenario))
    attack = play_attack(workspace, requested(scenario))
    if data["refused"]:
        gives_cards = any(
            "in hand" in note for note in data["notes"]
        )  # the command does, a scenario does not
        assert gives_cards or isinstance(attack, Refused)
        assert gives_cards or data["refused"]["rule"] == attack.refusal.rule_id
        return
    assert isinstance(attack, PlayedAttack), attack
    wanted = attack_data(attack)
    for step in data["steps"]:
        for entry in step["entries"]:
            assert set(entry.pop("said")) == {*workspace.cards.project.languages}
    left_out = ("scenario", "notes", "seed")
    assert [key for key in wanted if key not in left_out and wanted[key] != data[key]] == []


def test_every_decision_can_be_made_otherwise() -> None:
    changed = 0
    for workspace, scenario in scenarios()[::EVERY]:
        data = played(workspace, scenario_data(scenario))
        for at, asked in enumerate(data["asked"] if not data["refused"] else ()):
            for index, option in enumerate(asked["offered"]):
                if option["answer"] is None:
                    assert asked["what"] in UNSAID, (scenario.id, asked)
                    continue
                steps = [dict(step) for step in data["scenario"]["do"]]
                step = {**steps[asked["step"]], **option["answer"]}
                steps[asked["step"]] = {key: value for key, value in step.items() if value is not None}
                other = played(workspace, {**data["scenario"], "do": steps})
                assert other["asked"][at]["taken"] == index, (scenario.id, asked, option)
                assert other["asked"][at]["why"] == asked["why"]
                assert other["yaml"] is not None, (scenario.id, other["notes"])
                changed += index != asked["taken"]
    assert changed > (10 if THOROUGH else 0)


def test_an_answer_that_cannot_be_taken_is_passed_over() -> None:
    step = {**SUPPRESSED["do"][0], "dice": [3, 2, 5], "critical": ["double"], "choose": ["hawk"]}
    data = played(shipped(), {**SUPPRESSED, "do": [step]})
    assert data["dice"] == [3, 2]
    assert data["notes"][0].startswith("step 1 (attack): its `dice` has results that are not rolled: 5")
    assert passes(shipped(), data["yaml"])


def test_a_refusal_has_its_rule_and_effect() -> None:
    far = {**SUPPRESSED, "field": {"blue": ["viper"], "red": [None, None, None, "bishop"]}}
    data = played(shipped(), {key: far[key] for key in far if key != "hands"})
    assert data["refused"]["rule"] == "R-1"
    assert data["refused"]["step"] == 0
    assert "refused: R-1" in data["yaml"]
    data = played(shipped(), {**SUPPRESSED, "hands": {}})
    assert data["refused"]["rule"] == "M-5"
    assert data["notes"][0] == "blue has no `aimed-shot` in hand; `hands: {blue: [aimed-shot]}` would give it"


def test_mistakes_are_placed_in_the_scenario() -> None:
    wrong = {**SUPPRESSED, "field": {"blue": ["vipr"], "red": ["bishop"]}, "state": {}}
    found = play_bench(shipped(), wrong)
    assert not isinstance(found, str)
    first = found.findings[0]
    assert (first.name, first.span.file.name, first.span.text) == ("unknown-card", "bench.yaml", "vipr")
    assert found.text.split("\n")[first.span.begin_position.line - 1].startswith("    field: {blue: [vipr]")


def test_errors_of_cards_prevent_it_in_their_files() -> None:
    file = SHIPPED / "attack.yaml"
    text = file.read_text(encoding="utf-8").replace("self gets +2 AP", "self gets +2 APP", 1)
    workspace = open_project(SHIPPED, {file: text}, CACHES[SHIPPED])
    wrong = next(finding for finding in workspace.findings if prevents_use(finding.name))
    step = {**SUPPRESSED["do"][0], "attack_card": wrong.card}
    found = play_bench(workspace, {**SUPPRESSED, "do": [step]})
    assert not isinstance(found, str)
    assert [finding.card for finding in found.findings] == [wrong.card]
    assert played(
        workspace, {**SUPPRESSED, "hands": {}, "do": [{"action": "attack", "by": "viper", "on": "bishop"}]}
    )


@pytest.mark.usefixtures("cards_read_once")
def test_the_commands_attack_and_test_say_the_same(tmp_path: Path) -> None:
    project = copytree(SHIPPED, tmp_path / "cards")
    data = played(shipped(), {**SUPPRESSED, "do": [{**SUPPRESSED["do"][0], "critical": ["double"]}]}, 5)
    copied = project / "copied.yaml"
    copied.write_text(data["yaml"], encoding="utf-8")
    assert "1 scenario" in run("test", copied).output
    dice = ",".join(map(str, data["dice"]))
    cards = ["--attack-card", "aimed-shot", "--defence-card", "hard-cover", "--dice", dice]
    printed = json.loads(
        run("attack", "viper", "bishop", "--scenario", copied, *cards, "--format", "json").output
    )
    same = ("attacker", "attacked", "result", "sums", "dice", "mode", "ruleset", "options")
    assert {key: printed[key] for key in same} == {key: data[key] for key in same}


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
WORDS = st.sampled_from(
    ["viper", "blue.viper", "bishop", "smoke", "blue", "~", "attack", "double", "\ud800", "a: b #"]
)


@examples(300)
@given(st.data())
def test_no_request_makes_it_raise(data: st.DataObject) -> None:
    given_scenario: Any = json.loads(json.dumps(SUPPRESSED))
    for _ in range(data.draw(st.integers(1, 4))):
        place: Any = given_scenario
        key = data.draw(st.sampled_from(["name", "mode", "options", "turn", "strict", *SUPPRESSED]))
        while isinstance(place.get(key) if isinstance(place, dict) else place[key], (dict, list)):
            inner = place[key]
            if not inner or data.draw(st.booleans()):
                break
            place, key = (
                inner,
                data.draw(st.sampled_from(list(inner) if isinstance(inner, dict) else range(len(inner)))),
            )
        place[key] = data.draw(WORDS | PLAIN)
    found = play_bench(shipped(), given_scenario, data.draw(st.integers()))
    if not isinstance(found, str):
        assert found.findings or found.data
        json.dumps(found.data)
        for finding in found.findings:
            assert 0 <= finding.span.start <= finding.span.end <= len(finding.span.file.text)


def test_long_and_deep_scenarios_are_refused() -> None:
    step = {"action": "attack", "by": "viper", "on": "bishop"}
    many = play_bench(shipped(), {**SUPPRESSED, "do": [step] * (MAX_STEPS + 1)})
    assert many == f"The scenario has {MAX_STEPS + 1} steps, and the bench plays {MAX_STEPS}."
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert "deep" in str(play_bench(shipped(), {**SUPPRESSED, "state": deep}))
    assert "letters" in str(play_bench(shipped(), {**SUPPRESSED, "name": "x" * 60_000}))
    turns = [{"action": "end-turn"}] * (MAX_STEPS - 1)
    assert played(shipped(), {**SUPPRESSED, "do": [*turns, step]})["at"] == MAX_STEPS - 1
