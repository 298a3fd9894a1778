"""One editor with the small project, for all tests that only look."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsp.editor import Editor

PROJECT = Path(__file__).parent / "project"


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Editor, Path]]:
    root = tmp_path_factory.mktemp("editor") / "Kärtchen #1"
    shutil.copytree(PROJECT, root)
    editor = Editor(root)
    yield editor, root
    assert editor.leave() == 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the small project."""
    return Path(shutil.copytree(PROJECT, tmp_path / "project"))
