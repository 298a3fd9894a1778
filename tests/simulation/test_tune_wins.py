"""``opforge tune --target win=…``: single numbers of a card, tried in games."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.simulation.short_games import FOLDER
from toolkit.apps.cli import run

Capture = pytest.CaptureFixture[str]


def tuned(capsys: Capture, *arguments: str) -> dict[str, Any]:
    options = ("--project", str(FOLDER), "--players", "random", "--jobs", "1", "--format", "json")
    assert run(["tune", *arguments, *options]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_single_changes_are_ranked_by_size_where_the_rate_may_be_the_wanted_one(capsys: Capture) -> None:
    before = (FOLDER / "cards.yaml").read_bytes()
    data = tuned(capsys, "rain", "--target", "win=0.5", "--games", "16")
    assert {change["set"]: change["step"] for change in data["tried"]} == {
        f"rain.effect=when played, all OPERATORs get {number} AP until end of TURN.": step
        for number, step in (("-2", -1), ("-3", -2), ("+1", 2))
    }, "one without an effect is none"
    for change in data["tried"]:
        assert change["games"] == 16
        assert change["wins"]["low"] <= change["wins"]["value"] <= change["wins"]["high"]
        shift = change["wins"]["value"] - data["wins"]["value"]
        assert change["difference"]["value"] == pytest.approx(shift, abs=1e-5)
    possible = [change["wins"]["low"] <= 0.5 <= change["wins"]["high"] for change in data["tried"]]
    assert possible == sorted(possible, reverse=True)
    steps = [
        abs(change["step"])
        for change, is_possible in zip(data["tried"], possible, strict=True)
        if is_possible
    ]
    assert steps == sorted(steps)
    assert (FOLDER / "cards.yaml").read_bytes() == before


def test_a_target_that_nothing_reaches_puts_the_nearest_first(capsys: Capture) -> None:
    data = tuned(capsys, "badger", "--target", "win=1", "--games", "8")
    distances = [1 - change["wins"]["value"] for change in data["tried"] if change["wins"]["high"] < 1]
    assert distances == sorted(distances)
    assert not any("squadpoints" in change["set"] for change in data["tried"]), "no game knows the price"


@pytest.mark.parametrize("target", ["win=2", "win=nan", "wins=0.5", "bark"])
def test_bad_targets(target: str, capsys: Capture) -> None:
    arguments = ["bark", "--target", "win=0.5"] if target == "bark" else ["rain", "--target", target]
    assert run(["tune", *arguments, "--project", str(FOLDER)]) == 2
    assert "Error" in capsys.readouterr().err


def test_changes_that_few_games_do_not_tell_apart(capsys: Capture) -> None:
    options = ("--project", str(FOLDER), "--players", "random", "--jobs", "1")
    assert run(["tune", "rain", "--target", "win=0.5", "--games", "8", *options]) == 0
    text = "Too few games to tell: each may be what is wanted. ±5 % needs up to 385 games (--games)."
    assert text in capsys.readouterr().out
