"""The commands in how-to pages are run, and must print what the pages say.

A ``console`` block is one command and what it prints. A line ``…`` stands for any lines, or none. The
commands run in a folder that has the shipped set as ``cards/``.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
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


def test_pages_have_commands() -> None:
    assert "why-is-this-5" in {page for page, _, _ in blocks()}


@pytest.mark.parametrize(("page", "command", "printed"), blocks())
def test_a_command_prints_what_its_page_says(
    page: str,
    command: str,
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(cards_folder().parent)
    monkeypatch.setenv("COLUMNS", "100")
    run(shlex.split(command))
    pattern = "".join("(?:.*\n)*" if line == "…" else re.escape(line) + "\n" for line in printed.splitlines())
    assert re.fullmatch(pattern, capsys.readouterr().out), page
