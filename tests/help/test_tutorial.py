"""The tutorial, done as it is written: its commands are run, its files written, and what it says comes out.

In a ``console`` block each line with ``$`` is a command, and what follows is printed by it; ``…`` stands for
any lines, or none. ``yaml add=FILE`` is added to a file, ``diff file=FILE`` replaces a line.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from shutil import copytree

import pytest

from toolkit.apps.cli import run
from toolkit.diagnostics.help_pages import other_page
from toolkit.resources import cards_folder

_BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def console(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = step.partition("\n")
        program, *arguments = shlex.split(command)
        if program == "cd":
            os.chdir(arguments[0])
            continue
        assert program == "opforge"
        run(arguments)
        lines = printed.splitlines()
        pattern = "".join("(?:.*\n)*" if line == "…" else re.escape(line) + "\n" for line in lines)
        reported = capsys.readouterr().out
        assert re.fullmatch(pattern, reported), f"{command}:\n{reported}"


def edit(kind: str, words: str, block: str) -> None:
    file = Path(words.partition("=")[2])
    text = file.read_text(encoding="utf-8")
    if kind == "yaml":
        file.write_text(text + block, encoding="utf-8")
        return
    old, new = (line[1:] for line in block.splitlines())
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_tutorial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # and back at the end
    monkeypatch.setenv("COLUMNS", "100")
    page = other_page("tutorial") or ""
    steps = _BLOCK.findall(page)
    assert len(steps) >= 10
    for kind, words, block in steps:
        if kind == "console":
            console(block, capsys)
        else:
            edit(kind, words, block)
    assert Path("sheet.pdf").read_bytes().startswith(b"%PDF-")


def test_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its card is the shipped one, the mistake is reported as it says, and its scenario passes."""
    readme = Path(__file__).parent.parent.parent / "README.md"
    card, reported, scenario = (
        block for kind, _, block in _BLOCK.findall(readme.read_text()) if kind != "sh"
    )
    monkeypatch.chdir(tmp_path)
    owls = copytree(cards_folder(), Path("cards")) / "operators" / "night-owls.yaml"
    text = owls.read_text(encoding="utf-8")
    shown = card.removeprefix("cards:\n")
    assert shown in re.sub(r" +#.*", "", text)
    Path("cards/scenarios/readme.yaml").write_text(scenario, encoding="utf-8")
    assert run(["test", "cards/scenarios/readme.yaml"]) == 0
    assert capsys.readouterr().out.startswith("1 scenario played: 1 passed")
    owls.write_text(text.replace("gets +2 AP.", "gets +2 APP.", 1), encoding="utf-8")
    assert run(["check", "--level", "error"]) == 1
    assert capsys.readouterr().out.startswith(reported)
