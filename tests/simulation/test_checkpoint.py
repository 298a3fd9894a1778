"""``--save`` and ``--resume`` of ``simulate`` and ``worth``: what is interrupted goes on where it was."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from tests.simulation.short_games import FOLDER
from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run, simulation_runs
from toolkit.play.simulation import simulating, versions
from toolkit.play.simulation.games import Chunk, Counts, GameSetup
from toolkit.play.simulation.workers import ThisProcess, WorkersLost

Capture = pytest.CaptureFixture[str]
COMMAND = ["simulate", "hunters", "family", "--players", "random", "--games", "32"]


@pytest.fixture(autouse=True)
def _in_project_with_small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    monkeypatch.setattr(simulating, "NUMBERS_A_CHUNK", {"random": 4})
    monkeypatch.setattr(simulation_runs, "local_workers", lambda _jobs: ThisProcess())


class Stopped(ThisProcess):
    """Raises an exception instead of a chunk, after some."""

    def __init__(self, error: BaseException, after: int) -> None:
        self.error, self.left = error, after

    def submit(self, setup: GameSetup, chunk: Chunk) -> Future[Counts]:
        if not self.left:
            raise self.error
        self.left -= 1
        return super().submit(setup, chunk)


def whole(capsys: Capture) -> str:
    assert run(COMMAND) == 0
    return capsys.readouterr().out


def stop(monkeypatch: pytest.MonkeyPatch, error: BaseException, after: int, *options: str) -> int:
    with monkeypatch.context() as patch:
        patch.setattr(simulation_runs, "local_workers", lambda _jobs: Stopped(error, after))
        return run([*COMMAND, *options])


def test_ctrl_c_prints_what_there_is_and_it_goes_on(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "simulation.jsonl"
    assert stop(monkeypatch, KeyboardInterrupt(), 3, "--save", str(file)) == 130
    printed = capsys.readouterr()
    assert "UNFINISHED: not all games were played.\n" in printed.out
    assert printed.out.startswith("24 games")
    assert f"Go on with: opforge simulate --resume {file}\n" in printed.err
    saved_lines = file.read_text(encoding="utf-8").splitlines()
    assert len(saved_lines) == 4
    assert run(["simulate", "--resume", str(file)]) == 0
    assert capsys.readouterr().out == whole(capsys)
    assert file.read_text(encoding="utf-8").splitlines()[: len(saved_lines)] == saved_lines


def test_it_goes_on_wherever_the_file_was_cut(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "simulation.jsonl"
    assert run([*COMMAND, "--save", str(file)]) == 0
    expected, content = capsys.readouterr().out, file.read_bytes()
    for length in (len(content), len(content) - 1, len(content) - 100, content.index(b"\n") + 1):
        file.write_bytes(content[:length])
        assert run(["simulate", "--resume", str(file)]) == 0
        assert capsys.readouterr().out == expected
        assert file.read_bytes() == content


def test_more_games_go_on_behind_those_that_were_played(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "simulation.jsonl"
    assert run([*COMMAND[:-1], "20", "--save", str(file)]) == 0
    capsys.readouterr()
    assert run(["simulate", "--resume", str(file), "--games", "32"]) == 0
    assert capsys.readouterr().out == whole(capsys)


def test_any_number_of_games_begins_at_once(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "simulation.jsonl"
    assert run([*COMMAND, "--save", str(file)]) == 0
    capsys.readouterr()
    monkeypatch.setattr(simulation_runs, "local_workers", lambda _jobs: Stopped(KeyboardInterrupt(), 1))
    assert run(["simulate", "--resume", str(file), "--games", str(10**15)]) == 130
    assert capsys.readouterr().out.startswith("40 games")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--seed", "3"], "was saved with seed 0, not 3."),
        (["--players", "greedy"], "was saved with players random, random, not greedy, greedy."),
        (["family", "diggers"], "was saved with squads hunters, family, not family, diggers."),
        (["--set", "cub.ap=4"], "was saved with other values for --set or --compare."),
        (["--save", "new.jsonl"], "omit --save"),
    ],
)
def test_other_games_are_refused(options: list[str], sentence: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "simulation.jsonl"
    assert run([*COMMAND[:-1], "2", "--save", str(file)]) == 0
    content = file.read_bytes()
    assert run(["simulate", "--resume", str(file), *options]) == 2
    assert sentence in capsys.readouterr().err
    assert file.read_bytes() == content


def test_other_cards_and_other_versions_are_refused(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "simulation.jsonl"
    assert run([*COMMAND[:-1], "2", "--save", str(file)]) == 0
    head, *lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    header = json.loads(head)
    for key, value, sentence in (
        ("fingerprints", ["0123456789ab"], "was saved with other cards: 0123456789ab, not "),
        ("opforge", "0.0.1", "is of opforge 0.0.1, and this is "),
        ("simulation", 2, "it has no header of format 1"),
        ("unknown", 2, "it has no header of format 1"),
    ):
        file.write_text(json.dumps({**header, key: value}) + "\n" + "".join(lines), encoding="utf-8")
        assert run(["simulate", "--resume", str(file)]) == 2
        assert sentence in capsys.readouterr().err


def test_a_changed_line_is_refused(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "simulation.jsonl"
    assert run([*COMMAND, "--save", str(file)]) == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    for changed in (
        lines[2].replace('"outcomes":"', '"outcomes":"w'),
        re.sub('"outcomes":"[wdl]', '"outcomes":"x', lines[2]),
        lines[2].replace('"bounded":0', '"bounded":-1'),
        lines[2].replace('"bounded":0', '"bounded":"none"'),
        lines[2][:-5],
        "[" * 100_000,
        "",
    ):
        file.write_text("\n".join([*lines[:2], changed, *lines[3:]]) + "\n", encoding="utf-8")
        assert run(["simulate", "--resume", str(file)]) == 2
        assert "line 3 is no chunk of games" in capsys.readouterr().err, changed


def test_what_is_no_checkpoint_is_neither_read_nor_replaced(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine\n", encoding="utf-8")
    for option, sentence in (("--save", "exists"), ("--resume", "it has no header of format 1")):
        assert run(["simulate", "hunters", "family", option, str(file)]) == 2
        assert sentence in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "mine\n"
    assert run(["simulate", "--resume", str(tmp_path / "none")]) == 2
    assert run(["simulate", "--save", str(tmp_path / "none" / "file")]) == 2


def test_a_full_disk_and_lost_workers_lose_nothing_that_was_played(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_file = Path.open

    def full(file: Path, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if mode == "ab":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return open_file(file, mode, *arguments, **options)

    file = tmp_path / "simulation.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", full)
        assert run([*COMMAND, "--save", str(file)]) == 2
    printed = capsys.readouterr()
    assert f"{file} cannot be written: {os.strerror(errno.ENOSPC)}." in printed.err
    assert "UNFINISHED" in printed.out
    assert stop(monkeypatch, WorkersLost("All have gone."), 3) == 2
    printed = capsys.readouterr()
    assert "Error: All have gone.\n" in printed.err
    assert "UNFINISHED" in printed.out


@pytest.mark.skipif(not THOROUGH or sys.platform == "win32", reason="it starts processes")
def test_a_real_interrupt_ends_all_processes(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "simulation.jsonl"
    command = [*COMMAND[:-1], "2000"]
    arguments = [sys.executable, "-m", "toolkit", *command, "--jobs", "2", "--save", str(file)]
    running = subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background ignore it
    )
    while not file.exists() or file.read_bytes().count(b"\n") < 3:
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert "UNFINISHED" in out
    for arguments in (["simulate", "--resume", str(file)], command):
        assert run(arguments) == 0
    first, second = capsys.readouterr().out.split("2000 games")[1:]
    assert first == second


WORTH = ["worth", "rain", "--players", "random", "--games", "32"]


def test_worth_goes_on_where_it_was(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "NUMBERS_A_CHUNK", {"random": 4})
    assert run(WORTH) == 0
    expected = capsys.readouterr().out
    file = tmp_path / "worth.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(simulation_runs, "local_workers", lambda _jobs: Stopped(KeyboardInterrupt(), 3))
        assert run([*WORTH, "--save", str(file)]) == 130
    assert f"Go on with: opforge worth --resume {file}\n" in capsys.readouterr().err
    saved_lines = file.read_text(encoding="utf-8").splitlines()
    assert len(saved_lines) == 4
    file.write_text("\n".join([*saved_lines, saved_lines[-1], "{cut off"]), encoding="utf-8")
    assert run(["worth", "--resume", str(file)]) == 0
    assert capsys.readouterr().out == expected
    assert run(["worth", "--resume", str(file), "--games", "16"]) == 0, "what is beyond that is left out"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["badger"], "was saved with cards rain, not badger."),
        (["--seed", "3"], "was saved with seed 0, not 3."),
        (["--set", "cub.ap=4"], "was saved with other values for --set or --compare."),
    ],
)
def test_worth_of_other_games_is_refused(
    tmp_path: Path, capsys: Capture, options: list[str], why: str
) -> None:
    file = tmp_path / "worth.jsonl"
    assert run([*WORTH[:-1], "2", "--save", str(file)]) == 0
    assert run(["worth", "--resume", str(file), *options]) == 2
    assert why in " ".join(capsys.readouterr().err.split())
    assert run(["simulate", "--resume", str(file)]) == 2
    assert "was not saved by opforge simulate" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("part", [0, 3, 4, 5])
def test_draws_that_cannot_be_are_refused(tmp_path: Path, capsys: Capture, part: int) -> None:
    file = tmp_path / "worth.jsonl"
    assert run([*WORTH[:-1], "2", "--save", str(file)]) == 0
    head, line, *others = file.read_text(encoding="utf-8").splitlines()
    chunk = json.loads(line)
    parts = next(iter(chunk["counts"]["draws"])).split(" ")
    parts[part] = "-1"
    chunk["counts"]["draws"] = {" ".join(parts): 1}
    file.write_text("\n".join([head, json.dumps(chunk), *others, ""]), encoding="utf-8")
    assert run(["worth", "--resume", str(file)]) == 2
    assert "line 2 is no chunk of games; the file was changed." in " ".join(capsys.readouterr().err.split())
