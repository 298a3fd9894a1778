"""What cannot be written is for the user to mend: a sentence with the path and the reason, exit status 2."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from typing import Any

import pytest

from toolkit.apps.cli import run
from toolkit.resources import cards_folder

pytest.importorskip("plutoprint")

ONE = ("--card", "viper")
COMMANDS = {
    "sheet": ("small", *ONE, "-o", "made.pdf"),
    "cards": ("small", *ONE, "--dpi", "40", "-o", "made"),
    "tts": ("small", *ONE, "-o", "made"),
    "contact": ("small", *ONE, "-o", "made.pdf"),
    "showcase": ("viper", "--project", "small", "--width", "200", "-o", "made.png"),
    "reference": ("small", *ONE, "-o", "made.pdf"),
    "counters": ("small", "--only", "bonus", "-o", "made.pdf"),
    "mat": ("small", "-o", "made.pdf"),
    "squads": (str(cards_folder()), "--squad", "lights-out", "-o", "made.pdf"),
    "tuckbox": ("small", *ONE, "-o", "made.pdf"),
    "site": ("small", "--lang", "en", "-o", "made"),
    "print-and-play": ("small", "--lang", "en", "--paper", "a4", "-o", "made"),
    "align": ("-o", "made.pdf"),
    "export": ("made.csv", "small"),
    "check": ("small", "--output", "json:made.json"),
    "new": ("attack", "made", "--project", "small", "--file", "small/made.yaml"),
    "play": (
        "--project",
        str(cards_folder()),
        "--save",
        "made.jsonl",
        "--seed",
        "1",
        "--blue",
        "random",
        "--red",
        "random",
    ),
}


@pytest.mark.usefixtures("small_project", "cards_read_once")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_reported_with_the_path(
    command: str, cache: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tempfile.mkstemp

    def full(*arguments: Any, **options: Any) -> tuple[int, str]:
        if cache in str(options["dir"]):
            return made(*arguments, **options)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    assert run([command, *COMMANDS[command]]) == 2
    reported = capsys.readouterr().err
    assert "made" in reported or command == "new"  # which changes a file of the project
    assert "No space left on device" in reported


@pytest.mark.usefixtures("small_project", "cards_read_once")
def test_a_path_that_can_be_no_output_is_reported_before_anything_is_made(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("made.pdf").mkdir()
    Path("file").touch()
    for command, (*before, output) in COMMANDS.items():
        if "-o" not in before:
            continue
        folder = "." not in output
        assert run([command, *before, "file/made" if folder else f"file/{output}"]) == 2
        reported = capsys.readouterr().err
        assert ("Not a directory" if folder else "There is no folder file") in reported, command
        if output == "made.pdf":
            assert run([command, *before, output]) == 2
            assert "made.pdf is not a file." in capsys.readouterr().err, command
    assert sorted(path.name for path in Path().iterdir()) == ["file", "made.pdf", "small"]
