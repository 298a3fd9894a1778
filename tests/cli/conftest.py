"""What tests of printing commands share."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree, rmtree

import pytest

from tests.engine.test_recorded import write_cards

SMALL = Path(__file__).parent.parent / "projects" / "small"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One cache for all tests of commands: drawings are drawn once."""
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def small_project(tmp_path: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The small project as ``small`` in a folder of the test's own, which is the current one."""
    monkeypatch.setenv("OPFORGE_CACHE", cache)
    monkeypatch.chdir(tmp_path)
    copytree(SMALL, "small")


@pytest.fixture(scope="session")
def games_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


@pytest.fixture
def short_games(games_folder: Path, cards_read_once: None, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: ARG001
    """The shipped set as it was recorded, with GAMEs of one ROUND, as ``cards`` in an empty current folder.

    It is always the same folder, so that the set is read once.
    """
    rmtree(games_folder)
    project = write_cards("shipped", games_folder / "cards")
    modes = project / "modes.yaml"
    text = modes.read_text(encoding="utf-8").replace("max_rounds: 12", "max_rounds: 1")
    modes.write_text(text, encoding="utf-8")
    monkeypatch.chdir(games_folder)
    return project
