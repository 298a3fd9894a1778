"""A file that is opened through a link is the file that it leads to, and is in the project once."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from toolkit.apps.lsp.server_state import ServerState

CARD = "cards:\n  - {id: a, kind: attack, name: A, effect: 'while attacking, self gets +2 AP.'}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a link to a file, one to a folder, and one to a hidden file."""
    root = tmp_path / "project"
    for name, text in {
        "opforge.yaml": "project: X\nlanguages: [en]\n",
        "real/c.yaml": CARD,
        ".store/h.yaml": CARD.replace("id: a", "id: h"),
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / "l.yaml").symlink_to("real/c.yaml")
    (root / "folder").symlink_to("real")
    (root / "hidden.yaml").symlink_to(".store/h.yaml")
    return root


def opened(root: Path, name: str, text: str) -> dict[str, list[str]]:
    """The findings by URI while a file is open with another text."""
    state = ServerState()
    uri = (root / name).as_uri()
    state.documents.open(types.TextDocumentItem(uri, "yaml", 1, text))
    state.load(root / "opforge.yaml")
    return {
        message.uri: [str(finding.code) for finding in message.diagnostics] for message in state.diagnostics()
    }


def test_a_file_opened_through_a_link_is_not_there_twice(root: Path) -> None:
    for name, text in (
        ("l.yaml", CARD),
        ("folder/c.yaml", CARD),
        ("hidden.yaml", CARD.replace("id: a", "id: h")),
        ("real/c.yaml", CARD),
    ):
        findings = opened(root, name, text.replace("AP", "APP"))
        assert findings.get((root / name).as_uri()) == ["unknown-stat"], findings
        assert "duplicate-id" not in [code for codes in findings.values() for code in codes]


def test_so_it_is_in_a_folder_that_is_itself_reached_by_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(root)
    findings = opened(tmp_path / "way", "l.yaml", CARD.replace("AP", "APP"))
    assert findings.get((tmp_path / "way" / "l.yaml").as_uri()) == ["unknown-stat"]
    assert "duplicate-id" not in [code for codes in findings.values() for code in codes]
