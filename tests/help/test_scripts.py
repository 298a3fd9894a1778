"""The scripts of the how-to "Script with Python" are run, and print what the page says.

A ``text`` block is what the script before it prints; in it ``…`` stands for any characters. They run in a
folder that has the shipped set as ``cards/``, and as ``printed/`` an older copy of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
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

SLOW = (".picture(", ".changes(", ".games(", "* 1000")
"""Scripts of a thorough run: `tests/test_api.py` does the same with a small project."""


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
        if not THOROUGH and any(slow in script for slow in SLOW):
            continue
        exec(compile(script, "script.py", "exec"), {"__name__": "__main__"})
        pattern = re.escape(printed.strip()).replace("…", ".*")
        seen = capsys.readouterr().out
        assert re.fullmatch(pattern, seen.strip(), re.DOTALL), f"{script}\nprinted:\n{seen}"
    if THOROUGH:
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


@pytest.mark.skipif(not (THOROUGH and shutil.which("pyright")), reason="needs pyright, from npm")
def test_the_scripts_pass_pyright(tmp_path: Path) -> None:
    for number, (script, _) in enumerate(SCRIPTS):
        (tmp_path / f"script_{number}.py").write_text(script, "utf-8")
    root = Path(toolkit.__file__).parent.parent
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(root)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = ["pyright", "--pythonpath", sys.executable]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout


NOTEBOOK = Path(toolkit.__file__).parent / "help" / "how-to" / "scripts.ipynb"


def test_the_notebook_has_no_results_in_it() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []


@pytest.mark.skipif(
    not (THOROUGH and find_spec("nbclient") and find_spec("ipykernel")),
    reason="needs pip install -e '.[thorough]'",
)
def test_the_notebook_runs_and_shows_a_card(beside_the_set: Path) -> None:
    command = [sys.executable, "-c", RUN_NOTEBOOK, str(NOTEBOOK), str(beside_the_set)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    project, card, damages, chances, expected = json.loads(ran.stdout.splitlines()[-1])
    assert "text/html" in project
    assert "image/png" in card
    assert all("text/plain" in shown for shown in (damages, chances, expected))


RUN_NOTEBOOK = """
import json, sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, resources={"metadata": {"path": sys.argv[2]}}, timeout=120).execute()
outputs = [cell.outputs[-1] for cell in notebook.cells if cell.cell_type == "code"]
print(json.dumps([sorted(output["data"]) for output in outputs]))
"""
