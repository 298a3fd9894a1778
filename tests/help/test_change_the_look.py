"""The how-to "change the look of a card", followed to the letter in an empty folder.

Its ``shell`` blocks are run, its blocks with ``file=NAME`` are written (``append``: behind what is there;
``copy=NAME``: behind what is in that file).
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from tests.render.pdf_text import opened, sizes_of, text_of
from toolkit.apps.cli import run
from toolkit.data.schemas.card_schema import card
from toolkit.data.schemas.play_schema import project
from toolkit.diagnostics.help_pages import other_page

_BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_KEYS = {*card("operator")["properties"], *project()["properties"]}


def followed(page: str) -> list[tuple[str, int]]:
    """Do what the page says; the commands with their exit status."""
    done = []
    for step in _BLOCK.finditer(page):
        if step[1] == "shell":
            for command in step[3].strip().splitlines():
                done.append((command, run(shlex.split(command.removeprefix("opforge ")))))
        elif not step[2]:  # keys of a card or of the project file
            assert yaml.safe_load(step[3]).keys() <= _KEYS
        else:
            words = step[2].split()
            path = Path(words[0].removeprefix("file="))
            path.parent.mkdir(parents=True, exist_ok=True)
            copied = [word.removeprefix("copy=") for word in words if word.startswith("copy=")]
            begun = copied[0] if copied else words[0].removeprefix("file=") if "append" in words else None
            before = Path(begun).read_text(encoding="utf-8") if begun else ""
            path.write_text(before + step[3], encoding="utf-8")
    return done


def text_in(pdf: str) -> str:
    return "\n".join(text_of(page.obj) for page in opened(Path(pdf).read_bytes()).pages)


def sizes_in(pdf: str) -> set[float]:
    return {size for page in opened(Path(pdf).read_bytes()).pages for size in sizes_of(page.obj)}


def test_what_the_page_says_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    page = other_page("change-the-look")
    assert page is not None
    done = followed(page)
    assert len(done) >= 5
    assert [(command, status) for command, status in done if status] == [], capsys.readouterr()
    assert Path("before.pdf").read_bytes() != Path("after.pdf").read_bytes()
    assert run(["check", "mine", "--fit", "--strict"]) == 0
    assert run(["sheet", "mine", "-o", "stamp.pdf", "--kind", "defence"]) == 0
    assert text_in("stamp.pdf").count("defence") > text_in("before.pdf").count("defence")
    assert "KESTREL" in text_in("stencil.pdf")
    assert sizes_in("stencil.pdf") == sizes_in("stamp.pdf") | sizes_in("after.pdf") | sizes_in("before.pdf")


def test_the_names_in_its_tables_are_those_that_templates_have() -> None:
    from toolkit.render.template_values import KNOWN_NAMES

    page = other_page("change-the-look") or ""
    functions = set(re.findall(r"`(?:\{\{ )?([a-z_]+)\(", page)) - {"super"}
    assert functions <= set(KNOWN_NAMES)
    assert functions >= {
        "tones",
        "icon",
        "icon_image",
        "gradient",
        "shadow",
        "ink",
        "mix",
        "readable",
        "contrast",
    }
