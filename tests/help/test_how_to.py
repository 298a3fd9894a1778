"""The commands in how-to pages are run, and must print what the pages say.

A ``console`` block is one command and what it prints. A line ``…`` stands for any lines, or none. The
commands run in a folder that has the shipped set as ``cards/``, and as ``printed/`` an older copy of it, in
which a few cards are otherwise.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from shutil import copytree
from textwrap import dedent

import pytest

from toolkit.cli import run
from toolkit.resources import cards_folder

FOLDER = Path(__file__).parent.parent.parent / "toolkit" / "help" / "how-to"
_BLOCK = re.compile(r"^( *)```console\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str, str]]:
    """Page, command and what it is to print."""
    found = []
    for page in sorted(FOLDER.glob("*.md")):
        for _, block in _BLOCK.findall(page.read_text(encoding="utf-8")):
            command, _, printed = dedent(block).partition("\n")
            found.append((page.stem, command.removeprefix("$ opforge "), printed))
    return found


_OLDER = (
    ("operators/night-owls.yaml", "    ap: 4", "    ap: 3"),
    ("operators/night-owls.yaml", "self gets +2 AP.", "self gets +1 AP."),
    ("item.yaml", "{en: Bipod, de: Zweibein}", "{en: Tripod, de: Dreibein}"),
    ("strategy.yaml", "id: crossfire", "id: hot-air"),
    ("strategy.yaml", "{en: Crossfire, de: Kreuzfeuer}", "{en: Hot air, de: Heiße Luft}"),
)
"""What once stood in the shipped set, where ``what-changed`` looks back at it: file, now, then."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the commands run."""
    folder = tmp_path_factory.mktemp("how-to")
    for name in ("cards", "printed"):
        copytree(cards_folder(), folder / name)
    for name, now, then in _OLDER:
        file = folder / "printed" / name
        text = file.read_text(encoding="utf-8")
        assert now in text, (name, now)
        file.write_text(text.replace(now, then, 1), encoding="utf-8")
    return folder


def test_pages_have_commands() -> None:
    assert "why-is-this-5" in {page for page, _, _ in blocks()}


@pytest.mark.parametrize(("page", "command", "printed"), blocks())
def test_a_command_prints_what_its_page_says(
    page: str,
    command: str,
    printed: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    run(shlex.split(command))
    pattern = "".join("(?:.*\n)*" if line == "…" else re.escape(line) + "\n" for line in printed.splitlines())
    assert re.fullmatch(pattern, capsys.readouterr().out), page
