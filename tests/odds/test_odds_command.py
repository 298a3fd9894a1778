"""``opforge odds`` as a designer meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolkit.apps.cli import run

FOLDER = Path(__file__).parent / "project"

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("COLUMNS", "100")


def data(capsys: Capture, *arguments: str, status: int = 0) -> Any:
    assert run(["odds", *arguments, "--format", "json"]) == status
    return json.loads(capsys.readouterr().out)


def wrong(capsys: Capture, *arguments: str) -> str:
    """What is printed for wrong use."""
    assert run(["odds", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.partition("Error: ")[2].strip()


def test_json_has_fractions_in_lowest_terms_in_ascending_order(capsys: Capture) -> None:
    odds = data(capsys, "striker", "guard")
    assert (odds["version"], odds["goal"], odds["not_played"]) == (1, "damage", [])
    assert list(odds["damage"].items()) == [
        ("0", "7/12"), ("1", "5/36"), ("2", "1/9"), ("3", "1/12"), ("4", "1/18"), ("5", "1/36"),
    ]  # fmt: skip
    assert (odds["hits"], odds["becomes_hit"], odds["critical"]) == ("5/12", "1/12", "0")
    assert odds["expected_damage"] == "35/36"
    (decision,) = odds["policy"]
    assert (decision["decision"], decision["chance"], decision["taken"]) == (
        "critical",
        "1/6",
        {"add": "1/6"},
    )
    assert decision["cases"][0] == {
        "attack_dice": [6],
        "defence_dice": [1],
        "chance": "1/36",
        "taken": "add",
        "options": {
            "add": {"expected_damage": "5", "becomes_hit": "1", "hits": "1"},
            "double 6": {"expected_damage": "3", "becomes_hit": "0", "hits": "1"},
        },
    }


def test_hands_and_what_is_spent(capsys: Capture) -> None:
    odds = data(capsys, "striker", "guard", "--blue-hand", "even, idle", "--red-hand", "helmet,mirror")
    assert odds["policy"][0]["taken"] == {"no card": "1"}
    assert set(odds["spent"]) == {"blue_hand", "red_hand", "blue_discarded", "red_discarded"}


def test_several_scenarios_are_a_list(capsys: Capture) -> None:
    names = ("a neighbour of the target", "the target is HIT already")
    scenarios = [argument for name in names for argument in ("--scenario", f"scenarios.yaml#{name}")]
    first, refused = data(capsys, *scenarios, status=1)
    assert first["scenario"] == "a neighbour of the target is hit by chance"
    assert (refused["scenario"], refused["refused"]) == ("the target is HIT already", "R-2")


def test_the_text_of_a_refusal_names_the_rule(capsys: Capture) -> None:
    assert run(["odds", "striker", "saint"]) == 1
    assert "refused by M-8: saint cannot be attacked" in capsys.readouterr().out


def test_more_cards_than_are_printed_are_allowed_and_said(capsys: Capture) -> None:
    assert run(["odds", "striker", "guard", "--blue-hand", "even,even"]) == 0
    assert "note: even is 2 times in the hand of blue, and 1 is printed." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "Name the attacker and the target, or a scenario that ends with an attack."),
        ("striker", "Name the attacker and the target, or a scenario that ends with an attack."),
        ("striker even", "'even' is not an OPERATOR, and only OPERATORs attack and are attacked."),
        ("striker gard", "There is no OPERATOR 'gard' in project. Did you mean 'guard'?"),
        ("striker guard --blue-hand scope", "'scope' is an ITEM, which is never in a hand."),
        ("striker guard --red-hand guard", "'guard' is an OPERATOR, which is never in a hand."),
        ("striker guard --red-hand covr", "There is no card 'covr' for the hand of red. Did you mean 'cover'?"),  # noqa: E501
        ("striker guard --after 1", "--after needs --scenario and the names of two OPERATORs."),
        ("--scenario scenarios.yaml#whose --mode duel", "--scenario and --mode exclude each other: the scenario sets the mode."),  # noqa: E501
        ("striker guard --limit 9", "There are more than 9 ways through an attack; --limit allows more."),
    ],
)  # fmt: skip
def test_bad_input_is_told(capsys: Capture, arguments: str, sentence: str) -> None:
    assert wrong(capsys, *arguments.split()) == sentence
