"""``opforge init``: what is made is clean, and so is what it is made from."""

from __future__ import annotations

import errno
import filecmp
import os
import re
from pathlib import Path

import pytest

from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.project.pipeline import open_project
from toolkit.resources import cards_folder, templates_folder

LOOKS = ("", "--with-templates", "--theme tournament", "--with-templates --theme tournament")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("look", some(LOOKS, 1, 2))
def test_the_small_starter_is_clean_and_its_scenario_passes(tmp_path: Path, look: str) -> None:
    mine = str(tmp_path / "mine")
    assert run(["init", mine, *look.split()]) == 0
    assert run(["check", mine, "--strict", "--fit"]) == 0
    assert run(["test", mine]) == 0
    workspace = open_project(Path(mine))
    assert 3 <= len(workspace.cards.cards) <= 5
    assert len(workspace.cards.teams) == 2
    assert workspace.cards.project.theme == ("tournament" if "--theme" in look else "classic")


def test_the_whole_set_is_copied_when_it_is_wanted(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path / "mine"), "--example", "full"]) == 0
    assert filecmp.dircmp(cards_folder(), tmp_path / "mine").diff_files == []
    assert len(open_project(tmp_path / "mine").cards.cards) > 60


@pytest.mark.parametrize("languages", some(["en", "de", "de,en"], 1, 2))
def test_a_project_has_the_languages_that_are_wanted(tmp_path: Path, languages: str) -> None:
    mine = tmp_path / "mine"
    assert run(["init", str(mine), "--lang", languages]) == 0
    assert run(["check", str(mine), "--strict", "--fit"]) == 0
    assert run(["test", str(mine)]) == 0
    assert run(["fmt", "--check", str(mine)]) == 0
    project = open_project(mine).cards
    assert project.project.languages == tuple(languages.split(","))
    name = {"en": "name: Kestrel", "de": "name: Turmfalke"}.get(
        languages, "name: {en: Kestrel, de: Turmfalke}"
    )
    assert f"    {name}\n" in (mine / "cards.yaml").read_text(encoding="utf-8")
    shown = project.project.languages[0]
    assert (
        project.cards["kestrel"].name.in_language(shown).value == {"en": "Kestrel", "de": "Turmfalke"}[shown]
    )


def test_the_whole_set_in_one_language_is_clean(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path / "mine"), "--example", "full", "--lang", "de"]) == 0
    assert open_project(tmp_path / "mine").findings == ()


@pytest.mark.parametrize("arguments", [["--lang", "fr"], ["--lang", "en", "--lang", "nl"], ["--lang", ","]])
def test_a_language_of_which_there_are_no_cards_is_refused(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", str(tmp_path / "mine"), *arguments]) == 2
    assert "are written in en and de, not in" in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()


def test_a_project_that_exists_gets_the_templates_that_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing that is there is changed, and a link is neither followed nor replaced."""
    mine = tmp_path / "mine"
    assert run(["init", str(mine), "--theme", "tournament"]) == 0
    theme = mine / "templates" / "themes" / "tournament"
    theme.mkdir(parents=True)
    (theme / "attack.html.jinja").write_text("mine")
    (theme / "item.html.jinja").symlink_to(tmp_path / "nowhere")
    before = (mine / "opforge.yaml").read_bytes()
    assert run(["init", str(mine), "--with-templates"]) == 0
    assert (theme / "attack.html.jinja").read_text() == "mine"
    assert (theme / "card.css").is_file()
    assert (theme / "item.html.jinja").is_symlink()
    assert not (tmp_path / "nowhere").exists()
    assert not (mine / "templates" / "attack.html.jinja").exists()
    assert (mine / "opforge.yaml").read_bytes() == before
    assert re.search(r"Copied \d+ templates to ", capsys.readouterr().out)
    assert run(["init", str(mine), "--with-templates"]) == 0
    assert "Nothing was copied: " in capsys.readouterr().out
    assert run(["init", str(mine), "--with-templates", "--theme", "classic"]) == 0
    assert (mine / "templates" / "attack.html.jinja").is_file()
    assert run(["init", str(mine)]) == 2
    assert run(["init", str(mine), "--with-templates", "--lang", "en"]) == 2


def test_templates_are_not_copied_through_a_link_that_leads_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, outside = tmp_path / "mine", tmp_path / "outside"
    assert run(["init", str(mine)]) == 0
    outside.mkdir()
    (mine / "templates").symlink_to(outside)
    assert run(["init", str(mine), "--with-templates"]) == 2
    assert "leads out" in capsys.readouterr().err
    assert list(outside.iterdir()) == []


def test_the_templates_are_copied_without_fonts(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path / "mine"), "--with-templates"]) == 0
    copied = tmp_path / "mine" / "templates"
    assert (copied / "attack.html.jinja").read_text() == (
        templates_folder() / "attack.html.jinja"
    ).read_text()
    assert (copied / "icons" / "ap.svg").is_file()
    folders = {path.name for path in templates_folder().iterdir() if path.is_dir()}
    assert {path.name for path in copied.iterdir() if path.is_dir()} == folders - {"fonts", "themes"}


def test_nothing_is_written_into_a_folder_that_has_something(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("mine")
    assert run(["init", str(tmp_path), "--with-templates"]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_full_disk_is_one_message_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if path.suffix == ".svg":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    mine = tmp_path / "games" / "mine"
    assert run(["init", str(mine)]) == 2
    assert capsys.readouterr().err == f"Error: No space left on device: {mine}\n"
    assert not (tmp_path / "games").exists()
    mine.mkdir(parents=True)
    assert run(["init", str(mine)]) == 2
    assert list(mine.iterdir()) == []
