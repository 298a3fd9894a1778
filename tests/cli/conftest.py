"""What tests of printing commands share."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

SMALL = Path(__file__).parent.parent / "projects" / "small"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One cache for all tests of a module: drawings are drawn once."""
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def small_project(tmp_path: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The small project as ``small`` in a folder of the test's own, which is the current one."""
    monkeypatch.setenv("OPFORGE_CACHE", cache)
    monkeypatch.chdir(tmp_path)
    copytree(SMALL, "small")
