"""Which projects the server keeps, and of which it reports findings, without an editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from lsprotocol import types

from toolkit.apps.lsp.server_state import ServerState


def reported(state: ServerState) -> dict[str, list[object]]:
    """The findings of each file of which the editor is told."""
    return {message.uri: [found.code for found in message.diagnostics] for message in state.diagnostics()}


@pytest.fixture
def cards(project: Path) -> Path:
    """A file of the small project with a mistake."""
    path = project / "cards.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("+2 AP", "+2 APP"), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", [list, iter])
def test_folders_that_are_added_are_read(kind: Callable[[list[Path]], Iterable[Path]], cards: Path) -> None:
    state = ServerState()
    state.change_folders(kind([cards.parent]), kind([]))
    assert state.folders == {cards.parent}
    assert reported(state) == {cards.as_uri(): ["unknown-stat"]}
    state.change_folders(kind([]), kind([cards.parent]))
    assert reported(state) == {cards.as_uri(): []}
