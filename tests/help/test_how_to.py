"""The commands in how-to pages are run, and must print what the pages say.

A ``console`` block is one command and what it prints. A line ``…`` stands for any lines, or none. The
commands run in a folder that has the shipped set as ``cards/``, and as ``printed/`` an older copy of it, in
which a few cards are otherwise. ``draft/`` has two cards that were written in a hurry; each command finds
them so.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from shutil import copytree
from textwrap import dedent

import pytest

from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run
from toolkit.resources import cards_folder

FOLDER = Path(__file__).parent.parent.parent / "toolkit" / "help" / "how-to"
_BLOCK = re.compile(r"^( *)```console\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


_LONG = (
    *("site cards", "print-and-play cards", "cards cards -o shop.pdf", "contact -o wall.png"),
    *("watch cards --once", "sheet -o sheet.pdf --layout poker-a4-bleed", "showcase --project cards"),
    *("learn cards", "squads cards", "fmt --check cards", "cards cards -o pictures"),
    *(
        "tune hawk",
        "odds --matrix --hits",
        "power viper hawk",
        "worth scouting-party",
        "simulate owls-at-dusk lights-out --games 8 --players random --set",
    ),
)
"""Commands that draw, play or read the whole set: other tests run them, most with a small one."""

_ALIKE = (
    *("cards cards -o crafter", "cards cards -o playing", "tts cards -o table --kind item --url-base"),
    *("reference cards -o rules.pdf --lang de", "mat cards -o small-mat.pdf", "sheet cards -o player.pdf"),
    "tuckbox cards -o box.pdf --for 54",
)
"""Commands that draw the same cards of the set as one before them, only otherwise."""


def commands_by_page() -> dict[str, list[tuple[str, str]]]:
    """The commands of each page, and what they are to print."""
    commands: dict[str, list[tuple[str, str]]] = {}
    for page in sorted(FOLDER.glob("*.md")):
        for _, block in _BLOCK.findall(page.read_text(encoding="utf-8")):
            command, _, printed = dedent(block).removeprefix("$ opforge ").partition("\n")
            if THOROUGH or not command.startswith((*_LONG, *_ALIKE)):
                commands.setdefault(page.stem, []).append((command, printed))
    return commands


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


_DRAFT = {
    "opforge.yaml": "project: Draft\nlanguages: [en]\n",
    "cards.yaml": (
        "cards:\n- kind: attack\n  id: quick-shot\n  nmae: Quick shot  # or Snap shot?\n"
        "  effect: when atacking, self get +2AP\n- kind: defence\n  id: wild-duck\n  name: Wild duck\n"
        "  effect: when attacked, self gets 3 EP.\n"
    ),
}
"""What ``fix-and-format`` mends and tidies."""


def write_draft(folder: Path) -> None:
    """Write the draft anew."""
    (folder / "draft").mkdir(exist_ok=True)
    for name, text in _DRAFT.items():
        (folder / "draft" / name).write_text(text, encoding="utf-8")


def test_the_draft_is_what_its_page_shows() -> None:
    page = (FOLDER / "fix-and-format.md").read_text(encoding="utf-8")
    assert f"```yaml\n{_DRAFT['cards.yaml']}```\n" in page


def test_pages_have_commands() -> None:
    assert "why-is-this-5" in commands_by_page()


@pytest.mark.usefixtures("cards_read_once")
@pytest.mark.parametrize("page", commands_by_page())
def test_the_commands_print_what_their_page_says(
    page: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In their order, in one process: some need the files that one before them has written."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("OPFORGE_CONFIG", str(folder / "config"))
    for command, printed in commands_by_page()[page]:
        write_draft(folder)
        run(shlex.split(command))
        lines = printed.splitlines()
        pattern = "".join("(?:.*\n)*" if line == "…" else re.escape(line) + "\n" for line in lines)
        assert re.fullmatch(pattern, capsys.readouterr().out), command
