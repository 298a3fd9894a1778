"""URIs as editors write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.apps.lsp.editor_documents import path_of


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/me/cards/a.yaml", "/home/me/cards/a.yaml"),
        ("file:///home/me/K%C3%A4rtchen%20%231/a%3Fb.yaml", "/home/me/Kärtchen #1/a?b.yaml"),
        ("file://localhost/cards/a.yaml", "/cards/a.yaml"),
        ("file:///cards/../other/a.yaml", "/other/a.yaml"),
    ],
)
def test_a_file_of_this_machine(uri: str, path: str) -> None:
    assert path_of(uri, windows=False) == Path(path)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/Users/me/cards/a.yaml", "c:/Users/me/cards/a.yaml"),
        ("file:///C:/Users/me/b%20c.yaml", "C:/Users/me/b c.yaml"),
        ("file://server/share/a.yaml", "//server/share/a.yaml"),
    ],
)
def test_a_file_on_windows(uri: str, path: str) -> None:
    assert path_of(uri, windows=True) == Path(path)


@pytest.mark.parametrize(
    "uri",
    ["untitled:Untitled-1", "git:/cards/a.yaml?x", "file:", "file:///a%00b", "file://[x/a", "", "a.yaml"],
)
def test_no_file(uri: str) -> None:
    assert path_of(uri, windows=False) is None


def test_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "Kärtchen #1 🎯%.yaml"
    assert path_of(path.as_uri()) == path
