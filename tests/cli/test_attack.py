"""``opforge attack`` as a designer meets it."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from toolkit.apps.cli import run

DUEL = Path(__file__).parent / "duel"
TIRED = ("--scenario", "scenarios.yaml#a tired crow")

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DUEL)
    monkeypatch.setenv("COLUMNS", "100")


def out(capsys: Capture, *arguments: str, status: int = 0) -> str:
    assert run(["attack", *arguments]) == status
    return capsys.readouterr().out


def err(capsys: Capture, *arguments: str) -> str:
    """What is printed for wrong use."""
    assert run(["attack", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.partition("Error: ")[2]


def data(capsys: Capture, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out(capsys, *arguments, "--format", "json"))
    assert found["version"] == 1
    return found


def entries(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for step in found["steps"] for entry in step["entries"]]


def sums(text: str) -> list[str]:
    """The last two lines that are sums."""
    return [line for line in text.splitlines() if line.startswith(("AP ", "EP ")) and line[3].isdigit()]


# Text


def test_the_whole_page(capsys: Capture) -> None:
    cards = ("--attack-card", "aim", "--defence-card", "mud")
    answers = ("--dice", "6,2,5", "--critical", "double", "--reroll", "2")
    printed = out(capsys, "rook-crow", "bufo", *TIRED, *cards, *answers)
    assert printed == (DUEL / "tired-crow.out").read_text(encoding="utf-8")


def test_no_line_is_longer_than_100_and_none_is_said_twice(capsys: Capture) -> None:
    cards = ("--attack-card", "aim", "--defence-card", "mud", "--dice", "6,2", "--critical", "double")
    lines = out(capsys, "rook-crow", "bufo", *TIRED, *cards).splitlines()
    assert max(map(len, lines)) <= 100
    sentences = [line.strip() for line in lines if line.strip().startswith("when ")]
    assert len(sentences) == len(set(sentences)) == 8


def test_alone_they_stand_opposite_each_other(capsys: Capture) -> None:
    printed = out(capsys, "rook-crow", "bufo", "--dice", "3,2")
    assert "alone and opposite each other" in printed
    assert sums(printed) == ["AP 7 = VALUE 4 + 3 ATTACK D6", "EP 6 = VALUE 4 + 2 DEFENCE D6"]
    assert "does nothing: no own OPERATOR of TEAM crows is in RANGE of rook-crow" in printed
    assert "4 STRATEGY: nothing\n" in printed
    assert "H-1   bufo is not HIT: HITCOUNTER 1 is below its DP 6" in printed


def test_the_same_seed_rolls_the_same_dice_and_says_so(capsys: Capture) -> None:
    first = out(capsys, "rook-crow", "bufo")
    assert first == out(capsys, "rook-crow", "bufo", "--seed", "1")
    found = data(capsys, "rook-crow", "bufo", "--seed", "7")
    assert found["seed"] == 7
    listed = ",".join(map(str, found["dice"]))
    assert f"dice {listed} of seed 7, the same as --dice {listed}" in out(
        capsys, "rook-crow", "bufo", "--seed", "7"
    )
    again = data(capsys, "rook-crow", "bufo", "--dice", listed)
    assert (again["steps"], again["seed"]) == (found["steps"], None)


def test_a_critical_die_is_added_unless_asked_otherwise(capsys: Capture) -> None:
    printed = out(capsys, "rook-crow", "bufo", "--dice", "6,2")
    assert "blue does not double AP, but adds the critical 6" in printed
    assert "note: a critical die is added unless you add --critical double." in printed
    doubled = out(capsys, "rook-crow", "bufo", "--dice", "6,2", "--critical", "double")
    assert "note: " not in doubled
    assert sums(doubled)[0] == "AP 8 = VALUE 4 × 2 CRITICAL"
    assert "EP of bufo       + 2  6 → 8    Add" in doubled  # Thick skin, after CRITICAL
    assert "does nothing: its condition is false: the attack is not CRITICAL" in printed


def test_what_was_given_and_not_needed_is_reported(capsys: Capture) -> None:
    printed = out(capsys, "rook-crow", "bufo", "--dice", "1,2,3", "--critical", "double", "--reroll", "2")
    assert "note: not all of --dice was rolled: 3 left." in printed
    assert "note: --critical answers for 1 die, and 0 dice could be doubled." in printed
    assert "note: --reroll names 2, which could not be rerolled." in printed


def test_a_number_below_the_floor(capsys: Capture) -> None:
    printed = out(capsys, "rook-crow", "bufo", "--scenario", "scenarios.yaml#too dark", "--dice", "1,1")
    assert sums(printed)[0] == (
        "AP 0: VALUE 4 - 9 Night + 1 ATTACK D6 = -4, and no number is read below 0 (N-5)"
    )


def test_stepwise_carries_the_result_of_each_step_on(capsys: Capture) -> None:
    printed = out(
        capsys,
        *("rook-crow", "bufo", "--scenario", "scenarios.yaml#step by step"),
        *("--attack-card", "burst", "--dice", "5,1"),
    )
    assert sums(printed)[0] == "AP 17 = (VALUE 4 + 2 Dive) × 2 Burst + 5 ATTACK D6"
    assert "stacking stepwise" in printed


def test_a_fix_and_the_names_of_cards_in_german(capsys: Capture) -> None:
    printed = out(capsys, "rook-crow", "bufo", "--defence-card", "stump", "--dice", "1,1", "--lang", "de")
    assert sums(printed)[1] == "EP 7 = 6 fixed by Baumstumpf + 1 DEFENCE D6"
    assert "Sturzflug, SKILL of rook-crow" in printed


def test_another_mode(capsys: Capture) -> None:
    printed = out(capsys, "rook-crow", "bufo", "--mode", "loud", "--dice", "1,1")
    assert "mode loud" in printed
    assert "when attacking, self gets +3 AP." in printed


def test_the_same_card_on_both_sides(capsys: Capture) -> None:
    there = ("--scenario", "scenarios.yaml#each side", "--dice", "1,1")
    assert out(capsys, "rook-crow", "rook-crow", "--dice", "1,1").startswith(
        "blue.rook-crow attacks red.rook-crow\n"
    )
    assert out(capsys, "rook-crow", "blue.rook-crow", *there).startswith(
        "red.rook-crow attacks blue.rook-crow\n"
    )
    assert out(capsys, "bufo", "rook-crow", *there, status=1).startswith("refused by R-1")
    assert err(capsys, "rook-crow", "rook-crow", *there).startswith("Both sides field 'rook-crow'")


def test_no_colour_where_nobody_looks(capsys: Capture) -> None:
    assert "\x1b[" not in out(capsys, "rook-crow", "bufo")


# Refusals


def test_what_the_rules_forbid_is_refused_with_rule_and_sentence(capsys: Capture) -> None:
    torch = ("--scenario", "scenarios.yaml#a crow with a torch", "--attack-card", "aim")
    assert out(capsys, "rook-crow", "bufo", *torch, status=1) == (
        "refused by C-1: rook-crow has torch attached already; an OPERATOR bears one card.\n"
    )
    assert out(capsys, "rook-crow", "bufo", "--attack-card", "mud", status=1).startswith("refused by M-5")
    late = ("--late-attack-card", "aim", "--dice", "1,1")
    assert "third window is shut" in out(capsys, "rook-crow", "bufo", *late, status=1)
    assert out(capsys, "rook-crow", "bufo", *late, "--defence-card", "mud").startswith("rook-crow attacks")
    far = ("--scenario", "scenarios.yaml#out of RANGE")
    assert out(capsys, "rook-crow", "bufo", *far, status=1).startswith("refused by R-1")


def test_the_effect_that_forbids_an_attack_is_shown(capsys: Capture) -> None:
    assert out(capsys, "rook-crow", "jackdaw", status=1) == (
        "refused by M-8: jackdaw cannot be attacked by rook-crow.\n"
        "  Not me, SKILL of jackdaw  cards.yaml:27:17\n"
        "    self cannot be attacked.\n"
    )
    found = json.loads(out(capsys, "rook-crow", "jackdaw", "--format", "json", status=1))
    assert found["refused"]["rule"] == "M-8"
    assert found["refused"]["because"][0]["line"] == 27


# Wrong use


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (("rook-corw", "bufo"), "There is no OPERATOR 'rook-corw' in duel. Did you mean 'rook-crow'?"),
        (("rook-crow", "aim"), "'aim' is not an OPERATOR, and only OPERATORs attack and are attacked."),
        (
            ("rook-crow", "bufo", "--attack-card", "aimm"),
            "There is no ATTACK card 'aimm' in duel. Did you mean 'aim'?",
        ),
        (("rook-crow", "bufo", "--dice", "3,7"), "Invalid value for '--dice': a D6 shows 1 to 6, not '7'"),
        (("rook-crow", "bufo", "--dice", ","), "Invalid value for '--dice': list the results"),
        (
            ("rook-crow", "bufo", "--dice", "3"),
            "--dice lists 1, and there is one more to roll: the DEFENCE D6",
        ),
        (("rook-crow", "bufo", "--dice", "3,3", "--seed", "1"), "--dice and --seed exclude each other"),
        (("rook-crow", "bufo", "--critical", "twice"), "Invalid value for '--critical': 'twice' is neither"),
        (("rook-crow", "bufo", "--mode", "opne"), "There is no mode 'opne'. Did you mean 'open'?"),
        (("rook-crow", "bufo", "--lang", "fr"), "There is no language 'fr'"),
        (("rook-crow", "bufo", "--scenario", "none.yaml#x"), "There is no file or folder 'none.yaml'."),
        (("rook-crow", "bufo", "--scenario", "rules.yaml#x"), "There are no scenarios in rules.yaml."),
        (("rook-crow", "bufo", "--scenario", "scenarios.yaml"), "scenarios.yaml has 7 scenarios; name one"),
        (
            ("rook-crow", "bufo", "--scenario", "scenarios.yaml#crow"),
            "3 scenarios of scenarios.yaml fit 'crow':",
        ),
        (
            ("rook-crow", "bufo", "--scenario", "scenarios.yaml#a tired crwo"),
            "There is no scenario 'a tired crwo' in scenarios.yaml; did you mean 'a tired crow'?",
        ),
        (
            ("jackdaw", "bufo", "--scenario", "scenarios.yaml#too dark"),
            "'jackdaw' takes no part in this scenario; there are: rook-crow, bufo.",
        ),
        (("rook-crow", "bufo", *TIRED, "--mode", "loud"), "--scenario and --mode exclude each other"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], reported: str, capsys: Capture) -> None:
    assert err(capsys, *arguments).startswith(reported)


def test_cards_with_errors_are_not_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    project = copytree(DUEL, tmp_path / "duel")
    monkeypatch.chdir(project)
    cards = (project / "cards.yaml").read_text(encoding="utf-8")
    (project / "cards.yaml").write_text(cards.replace("HITCOUNTER of target", "HITCOUNT of target"), "utf-8")
    assert "cards.yaml:13:36" in out(capsys, "rook-crow", "bufo", status=1)
    assert out(capsys, "jackdaw", "bufo").startswith("jackdaw attacks bufo")
    found = json.loads(out(capsys, "rook-crow", "bufo", "--format", "json", status=1))
    assert [finding["card"] for finding in found["findings"]] == ["rook-crow"]


def test_a_scenario_with_errors_is_not_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    project = copytree(DUEL, tmp_path / "duel")
    monkeypatch.chdir(project)
    scenarios = (project / "scenarios.yaml").read_text(encoding="utf-8")
    broken = scenarios.replace(
        "rook-crow: {hitcounter: 1}\n      bufo", "rook-crow: {hitcounter: 1}\n      buffo"
    )
    (project / "scenarios.yaml").write_text(broken, "utf-8")
    assert "buffo" in out(capsys, "rook-crow", "bufo", *TIRED, status=1)


# Answers


FRIENDS = ("red.bufo", "--scenario", "scenarios.yaml#two friends", "--attack-card", "prank", "--dice", "5,1")


def happened(text: str, words: str) -> bool:
    return words in " ".join(text.split())


def test_an_effect_gets_the_choice_it_needs(capsys: Capture) -> None:
    plain = out(capsys, "rook-crow", *FRIENDS)
    assert happened(plain, "note: an effect chose the first possible OPERATOR: --choose ID")
    assert happened(plain, "note: the first branch of either … or … happened")
    reported = out(capsys, "rook-crow", *FRIENDS, "--either", "first", "--choose", "blue.bufo")
    assert reported.count("note: ") == 1  # what is left unsaid is the reward
    assert happened(plain, "EP of jackdaw")
    assert happened(reported, "EP of blue.bufo")


def test_either_takes_the_second(capsys: Capture) -> None:
    first = data(capsys, "rook-crow", *FRIENDS[:-1], "4,1", "--either", "first")
    second = data(capsys, "rook-crow", *FRIENDS[:-1], "4,1", "--either", "second")
    assert (first["result"]["status"], second["result"]["status"]) == ("NORMAL", "HIT")


def test_what_may_be_done(capsys: Capture) -> None:
    toll = [*FRIENDS[:-4], "--attack-card", "toll", *FRIENDS[-2:]]
    plain = out(capsys, "rook-crow", *toll)
    assert happened(plain, "note: what an effect allows was not done: --may yes makes it happen")
    assert not happened(plain, "EP of jackdaw")
    reported = out(capsys, "rook-crow", *toll, "--may", "yes", "--choose", "blue.bufo", "--choose", "~")
    assert happened(reported, "EP of blue.bufo")
    assert not happened(reported, "EP of jackdaw")
    assert not happened(reported, "--may")


def test_the_reward_of_a_performance(capsys: Capture) -> None:
    reported = out(capsys, "rook-crow", *FRIENDS, "--either", "first", "--performance", "blue.bufo")
    assert happened(reported, "torch is attached to blue.bufo")
    assert "note: " not in reported.partition("choose ID")[2]


PROBE = """\
cards:
  - id: probe
    kind: attack
    name: Probe
    effect: >-
      when the attack hits, owner puts 1 card from the top 3 cards of own DECK into the hand, then one random
      enemy OPERATOR becomes EXHAUSTED, then one own OPERATOR in the SAVEZONE enters the FIELD.
scenarios:
  - name: a probe
    field: {blue: [rook-crow, ~, ~, ~], red: [bufo, jackdaw, ~, ~]}
    save_zone: {blue: [jackdaw]}
    decks: {blue: [aim, burst, probe, mud]}
    do: []
    expect: {}
"""


def test_cards_places_and_what_chance_draws(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copytree(Path(), tmp_path / "duel"))
    Path("probe.yaml").write_text(PROBE, encoding="utf-8")
    there = ("bufo", "--scenario", "probe.yaml#probe", "--attack-card", "probe", "--dice", "6,1")
    first = out(capsys, "rook-crow", *there)
    assert happened(first, "puts aim from the top 3 cards")
    assert happened(first, "chance draws bufo")
    assert happened(first, "enters the FIELD at FIELDPOSITION 2")
    assert first.count("note: ") == 4  # the critical die, and three that were not asked for
    chosen = (
        "--cards",
        "burst",
        "--order",
        "probe",
        "--order",
        "aim",
        "--random",
        "red.jackdaw",
        "--place",
        "3",
    )
    asked = out(capsys, "rook-crow", *there, *chosen)
    assert happened(asked, "puts burst from the top 3 cards")
    assert happened(asked, "puts back probe, aim, the first on top")
    assert happened(asked, "chance draws red.jackdaw")
    assert happened(asked, "enters the FIELD at FIELDPOSITION 3")
    assert asked.count("note: ") == 1
    assert "not all of --random was drawn" in out(capsys, "rook-crow", "bufo", "--random", "aim")
    assert "--random rook-crow: it cannot be drawn" in err(
        capsys, "rook-crow", *there, "--random", "rook-crow"
    )
    assert "1 cannot be chosen here" in err(capsys, "rook-crow", *there, "--place", "1")


def test_after_so_many_steps_of_the_scenario(capsys: Capture) -> None:
    begun = data(capsys, "rook-crow", *FRIENDS, "--after", "1")
    fresh = data(capsys, "rook-crow", *FRIENDS)
    assert begun["result"]["ep"] == fresh["result"]["ep"] + 1  # Evade with 1 MP
    assert "after the first step of the scenario" in out(capsys, "rook-crow", *FRIENDS, "--after", "1")
    assert "has 2 steps" in err(capsys, "rook-crow", *FRIENDS, "--after", "3")
    assert "--after needs --scenario" in err(capsys, "rook-crow", "bufo", "--after", "1")


def test_a_name_of_nobody_who_is_there(capsys: Capture) -> None:
    assert "'blue.toad' takes no part" in err(capsys, "rook-crow", *FRIENDS, "--choose", "blue.toad")
    assert "write blue.bufo or red.bufo" in err(capsys, "rook-crow", *FRIENDS, "--performance", "bufo")


# JSON


def test_json_has_the_numbers_and_where_they_come_from(capsys: Capture) -> None:
    found = data(capsys, "rook-crow", "bufo", *TIRED, "--dice", "2,3")
    assert (found["attacker"]["id"], found["attacked"]["id"]) == ("rook-crow", "bufo")
    assert found["scenario"] == {"name": "a tired crow", "file": "scenarios.yaml", "line": 2}
    assert found["dice"] == [2, 3]
    assert found["result"] == {
        "ap": 5,
        "ep": 6,
        "damage": 0,
        "hits": False,
        "critical": False,
        "hitcounter": 0,
        "status": "NORMAL",
    }
    assert found["sums"]["ap"]["text"] == "AP 5 = VALUE 4 ÷ 2 SUPPRESSION + 1 TEAMWORK + 2 ATTACK D6"
    assert [step["step"] for step in found["steps"] if step["step"]] == [1, 2, 3, 4, 5, 6]
    (suppression,) = next(step for step in found["steps"] if step["step"] == 1)["entries"]
    assert suppression["origin"] == {
        "entry": "core",
        "part": "suppression",
        "name": "SUPPRESSION",
        "number": 1,
        "sentence": "when attacking, if DP of self - HITCOUNTER of self < DP VALUE of self, self halves AP.",
        "file": "rules.yaml",
        "line": 3,
        "column": 18,
    }
    assert {
        key: suppression[key] for key in ("rule", "who", "stat", "layer", "before", "after", "skipped")
    } == {
        "rule": "M-1",
        "who": "rook-crow",
        "stat": "AP",
        "layer": "divide",
        "before": 4,
        "after": 2,
        "skipped": False,
    }


def test_json_says_why_an_effect_did_nothing(capsys: Capture) -> None:
    found = data(capsys, "rook-crow", "bufo", "--dice", "2,3")
    why = {entry["origin"]["name"]: entry["why"] for entry in entries(found) if entry["skipped"]}
    assert why["Dive"] == "its condition is false: HITCOUNTER of target is 0"
    assert why["Thick skin"] == "its condition is false: the attack is not CRITICAL"


def test_an_effect_that_waits_for_something_else_says_for_what(capsys: Capture) -> None:
    found = data(capsys, "bufo", "rook-crow", "--dice", "2,3")
    why = {entry["origin"]["name"]: entry["why"] for entry in entries(found) if entry["skipped"]}
    assert why["Thick skin"] == "it acts when attacked, and here bufo attacks"
    assert why["Dive"] == "it acts when attacking, and here rook-crow is attacked"
    dark = data(capsys, "bufo", "rook-crow", "--scenario", "scenarios.yaml#too dark", "--dice", "2,3")
    why = {entry["origin"]["name"]: entry["why"] for entry in entries(dark) if entry["skipped"]}
    assert why["Night"] == "it acts when an enemy OPERATOR attacks, and here an own one attacks"
