"""``opforge simulate``."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.simulation.short_games import FOLDER
from toolkit.apps.cli import run
from toolkit.apps.cli.simulation_runs import one_interrupt
from toolkit.play.simulation.simulating import scores_of
from toolkit.play.simulation.statistics import mcnemar

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _in_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


def simulated(capsys: Capture, *arguments: str) -> dict[str, Any]:
    assert run(["simulate", *arguments, "--players", "random", "--jobs", "1", "--format", "json"]) == 0
    simulation: dict[str, Any] = json.loads(capsys.readouterr().out)
    return simulation


def test_two_squads(capsys: Capture) -> None:
    simulation = simulated(capsys, "hunters", "family", "--games", "40", "--seed", "3")
    assert {name: simulation[name] for name in ("version", "unfinished", "mode", "seed", "players")} == {
        "version": 1,
        "unfinished": False,
        "mode": "short",
        "seed": 3,
        "players": ["random", "random"],
    }
    (pair,) = simulation["pairs"]
    outcomes = pair["outcomes"]
    assert len(outcomes) == pair["games"] == 40
    score = outcomes.count("w") + outcomes.count("d") / 2
    assert pair["first_wins"]["value"] == pytest.approx(score / 40)
    wins = [simulation["squads"][squad]["wins"] for squad in ("hunters", "family")]
    assert wins[0]["value"] + wins[1]["value"] == pytest.approx(1)
    assert wins[0]["low"] < wins[0]["value"] < wins[0]["high"]
    won_by_blue = outcomes[::2].count("w") + outcomes[1::2].count("l") + outcomes.count("d") / 2
    assert simulation["first_player_wins"]["value"] == pytest.approx(won_by_blue / 40)
    assert simulation["draws"] == outcomes.count("d") == simulation["endings"].get("draw", 0)
    assert simulation["never_used"]["actions"] == ["medic", "reload"]
    assert sum(simulation["rounds"].values()) == 40


def test_all_squads_of_a_folder_play_all_others(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER.parent)
    simulation = simulated(capsys, "project", "--games", "4")
    assert [pair["squads"] for pair in simulation["pairs"]] == [
        ["hunters", "family"],
        ["hunters", "diggers"],
        ["family", "diggers"],
    ]
    assert [squad["games"] for squad in simulation["squads"].values()] == [8, 8, 8]
    assert run(["simulate", "project", "--games", "4", "--jobs", "1"]) == 0
    text = capsys.readouterr().out
    assert "How often the SQUAD of a row wins against that of a column, in %:\n" in text
    assert "\n3 diggers  " in text


def test_until_a_width_each_pair_has_its_own_interval(capsys: Capture) -> None:
    command = ["simulate", "--until-width", "0.5", "--games", "120", "--players", "random", "--jobs", "1"]
    assert run(command) == 0
    text = capsys.readouterr().out
    assert re.search(r"^hunters +\d+\.\d % +- +\d+$", text, re.MULTILINE)
    assert re.search(r"^hunters - family +\d+\.\d % +\d+\.\d to \d+\.\d % +\d+$", text, re.MULTILINE)
    assert re.search(r"^Who begins wins \d+\.\d %\.$", text, re.MULTILINE)
    assert "Too few games" not in text


def test_a_width_that_is_not_reached_is_told(capsys: Capture) -> None:
    command = [
        "simulate",
        "hunters",
        "diggers",
        "--until-width",
        "0.03",
        "--games",
        "8",
        "--players",
        "random",
    ]
    assert run([*command, "--jobs", "1"]) == 0
    assert "Too few games to tell as exactly as asked for: hunters - diggers;" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_processes(capsys: Capture) -> None:
    for seed in ("1", "2"):
        command = ["simulate", "hunters", "diggers", "--games", "44", "--players", "random", "--seed", seed]
        assert run([*command, "--jobs", "1"]) == 0
        one_process = capsys.readouterr().out
        if seed == "1":
            assert run([*command, "--jobs", "2"]) == 0
            assert capsys.readouterr().out == one_process
            first_seed = one_process
    assert one_process != first_seed


def test_a_value_can_be_tried(capsys: Capture) -> None:
    before, after_ = (
        simulated(capsys, "hunters", "family", "--games", "40", *options)
        for options in ((), ("--set", "cub.ap=12"))
    )
    assert before["fingerprint"] != after_["fingerprint"]
    assert before["pairs"] != after_["pairs"]
    assert run(["simulate", "hunters", "family", "--set", "cub.ap=99"]) == 1
    assert "AP must be from 0 to 20" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("hunters", "Name two SQUADs, or the folder of a project."),
        ("hunters hunters", "A simulation needs two different SQUADs."),
        ("hunters famly", "There is no squad 'famly'. Did you mean 'family'?"),
        ("--games 0", "0 is not in the range x>=2"),
        ("--games 7", "each game is played twice, with sides changed; write 8, an even number"),
        ("--jobs 0", "0 is not in the range x>=1"),
        ("--until-width 0", "0.0 is not in the range 0<x<=1"),
        ("--until-width nan", "'nan' is not a valid number"),
        ("--players genius", "write one of random, greedy"),
        ("--players greedy,greedy,greedy", "or two: NAME,NAME"),
        ("--mode shrt", "There is no mode 'shrt'."),
    ],
)
def test_wrong_use(arguments: str, sentence: str, capsys: Capture) -> None:
    assert run(["simulate", *arguments.split()]) == 2
    assert sentence in capsys.readouterr().err


def test_compared_with_the_files_on_the_same_games(capsys: Capture) -> None:
    compared = simulated(capsys, "hunters", "family", "--games", "40", "--set", "cub.ap=9", "--compare")
    outcomes = {
        value: simulated(capsys, "hunters", "family", "--games", "40", "--set", f"cub.ap={value}")["pairs"][0]
        for value in (2, 9)
    }
    (pair,) = compared["pairs"]
    scores = [scores_of(outcomes[value]["outcomes"]) for value in (2, 9)]
    better, worse = (
        sum(sign * (later - earlier) > 0 for earlier, later in zip(*scores, strict=True)) for sign in (1, -1)
    )
    assert pair["outcomes"] == outcomes[9]["outcomes"]
    assert pair["first_won_before"] == outcomes[2]["first_wins"]
    assert (pair["better"], pair["worse"]) == (better, worse)
    assert pair["mcnemar"] == pytest.approx(mcnemar(better, worse), abs=1e-6)
    assert pair["difference"]["value"] == pytest.approx((sum(scores[1]) - sum(scores[0])) / 40)
    assert run(["simulate", "hunters", "family", "--compare"]) == 2
    assert "--compare needs an older version, or --set" in capsys.readouterr().err


def test_compared_with_an_older_copy(tmp_path: Path, capsys: Capture) -> None:
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8").replace("ap: 2, ep: 2", "ap: 9, ep: 2")
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    compare = ["--compare", str(tmp_path)]
    (pair,) = simulated(capsys, "hunters", "family", "--games", "8", *compare)["pairs"]
    (as_it_was,) = simulated(capsys, "hunters", "family", "--games", "8", "--set", "cub.ap=9")["pairs"]
    assert pair["first_won_before"] == as_it_was["first_wins"]
    assert run(["simulate", "hunters", "family", "--compare", "nowhere"]) == 2
    assert "There is no folder and no git revision 'nowhere'." in capsys.readouterr().err


def test_a_squad_that_breaks_the_mode_is_not_played(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8").replace("[badger, cub], deck", "[badger, badger, cub], deck")
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["simulate", "hunters", "diggers"]) == 1
    assert "squad-" in capsys.readouterr().out
    assert run(["simulate", "hunters", "family", "--games", "2", "--jobs", "1"]) == 0


@pytest.mark.skipif(
    sys.platform == "win32", reason="there Ctrl-C is no signal that a process can send itself"
)
def test_a_ctrl_c_that_is_sent_twice_interrupts_once() -> None:
    interrupts = 0
    with one_interrupt():
        for _ in range(2):
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                interrupts += 1
    assert interrupts == 1
