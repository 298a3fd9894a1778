"""Which projects the server keeps, and of which it reports findings, without an editor."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from lsprotocol import types

from toolkit.apps.lsp.requests import REQUESTS
from toolkit.apps.lsp.server import Server
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


def symbols(server: Server, query: str) -> list[str]:
    """What the server answers to a search for entries."""
    (answer,) = [handler for name, _, handler in REQUESTS if name == types.WORKSPACE_SYMBOL]
    return [symbol.name for symbol in answer(server, types.WorkspaceSymbolParams(query))]


def test_a_project_that_a_hover_loaded_is_not_reported_and_stays(cards: Path) -> None:
    server = Server()
    assert server.state.file_of(cards.as_uri()) is not None
    assert symbols(server, "aimed") == ["aimed-shot"]
    assert reported(server.state) == {}
    assert symbols(server, "aimed") == ["aimed-shot"]


def test_a_project_that_stays_is_searched_as_its_files_are_now(cards: Path) -> None:
    server = Server()
    assert server.state.file_of(cards.as_uri()) is not None
    text = cards.read_text(encoding="utf-8")
    cards.write_text(text.replace("id: aimed-shot", "id: lucky-shot"), encoding="utf-8")
    server.state.mark_stale()
    assert reported(server.state) == {}
    assert symbols(server, "shot") == ["lucky-shot"]
    (cards.parent / "opforge.yaml").unlink()
    server.state.mark_stale()
    assert symbols(server, "shot") == []
    assert reported(server.state) == {}
    assert server.state.projects == {}


def test_a_file_without_a_path_belongs_to_the_only_project_that_is_reported(
    cards: Path, tmp_path: Path
) -> None:
    state = ServerState()
    assert state.only_project() is None
    assert state.file_of(cards.as_uri()) is not None
    assert state.only_project() is state.projects[cards.parent]
    other = Path(shutil.copytree(cards.parent, tmp_path / "other"))
    state.change_folders([other], [])
    assert state.projects.keys() == {cards.parent, other}
    assert state.only_project() is state.projects[other]
    state.change_folders([cards.parent], [])
    assert state.only_project() is None


def test_a_project_whose_last_file_is_closed_has_no_findings_any_more(cards: Path) -> None:
    state, uri = ServerState(), cards.as_uri()
    state.open(types.TextDocumentItem(uri, "yaml", 1, cards.read_text(encoding="utf-8")))
    assert reported(state) == {uri: ["unknown-stat"]}
    state.documents.close(uri)
    assert reported(state) == {uri: []}
    assert state.projects == {}


@pytest.mark.parametrize("kind", [list, iter])
def test_folders_that_are_added_are_read(kind: Callable[[list[Path]], Iterable[Path]], cards: Path) -> None:
    state = ServerState()
    state.change_folders(kind([cards.parent]), kind([]))
    assert state.folders == {cards.parent}
    assert reported(state) == {cards.as_uri(): ["unknown-stat"]}
    state.change_folders(kind([]), kind([cards.parent]))
    assert reported(state) == {cards.as_uri(): []}
