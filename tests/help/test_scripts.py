"""The scripts of the how-to "Script with Python" are run, and print what the page says.

A ``text`` block is what the script before it prints; in it ``…`` stands for any characters. They run in a
folder that has the shipped set as ``cards/``, and as ``printed/`` an older copy of it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest

import toolkit
from tests.thoroughness import THOROUGH
from toolkit.diagnostics.help_pages import other_page
from toolkit.project.pipeline import Cache, open_project
from toolkit.resources import cards_folder

PAGE = other_page("scripts") or ""
SCRIPTS = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def beside_the_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    quick = partial(open_project, cache=Cache())  # each script opens the same project
    monkeypatch.setattr("toolkit.scripting.project.open_project", quick)
    for name in ("cards", "printed"):
        copytree(cards_folder(), tmp_path / name)
    file = tmp_path / "printed" / "operators" / "night-owls.yaml"
    file.write_text(file.read_text("utf-8").replace("    ap: 4", "    ap: 3", 1), "utf-8")
    return tmp_path


def test_every_script_prints_what_the_page_says(
    beside_the_set: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(SCRIPTS) >= 10
    for script, printed in SCRIPTS:
        exec(compile(script, "script.py", "exec"), {"__name__": "__main__"})
        pattern = re.escape(printed.strip()).replace("…", ".*")
        seen = capsys.readouterr().out
        assert re.fullmatch(pattern, seen.strip(), re.DOTALL), f"{script}\nprinted:\n{seen}"
    assert (beside_the_set / "viper.png").read_bytes().startswith(b"\x89PNG")
    assert (beside_the_set / "balance.csv").stat().st_size > 500
    owls = (beside_the_set / "cards" / "operators" / "night-owls.yaml").read_text("utf-8")
    assert "name: {en: Viper, de: Natter}" in owls


@pytest.mark.skipif(not THOROUGH, reason="mypy takes ten seconds")
def test_the_scripts_pass_mypy_as_strict_as_it_can_be(tmp_path: Path) -> None:
    for number, (script, _) in enumerate(SCRIPTS):
        (tmp_path / f"script_{number}.py").write_text(script, "utf-8")
    options = ["--strict", "--no-incremental", "--follow-imports=silent"]
    command = [sys.executable, "-m", "mypy", *options, *map(str, tmp_path.iterdir())]
    surroundings = {**os.environ, "MYPYPATH": str(Path(toolkit.__file__).parent.parent)}
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=surroundings)
    assert ran.returncode == 0, ran.stdout
