"""What the editor tells: hello and goodbye, and which files are opened, edited, saved and closed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types

from toolkit.lsp.server import Server
from toolkit.lsp.uris import path_of
from toolkit.source.paths import PROJECT_FILE


def _initialize(server: Server, params: types.InitializeParams) -> None:
    encoding = server.protocol.workspace.position_encoding
    server.desk.documents.encoding = encoding or types.PositionEncodingKind.Utf16
    options = params.initialization_options
    server.shows_references = isinstance(options, dict) and options.get("showReferences") is True


def _initialized(server: Server, _: types.InitializedParams) -> None:
    _look_into(server, server.workspace.folders.values())
    _watch(server)
    server.soon()


def _folders_changed(server: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    _look_into(server, params.event.added)
    server.soon()


def _look_into(server: Server, folders: Iterable[types.WorkspaceFolder]) -> None:
    """Let the projects be known that are in folders themselves, or in `cards` below them."""
    for folder in folders:
        path = path_of(folder.uri)
        for below in (path, path / "cards") if path is not None else ():
            if (below / PROJECT_FILE).is_file():
                server.desk.look_at(below / PROJECT_FILE)


def _watch(server: Server) -> None:
    """Ask the editor to tell of files that change on disk, where it can."""
    capabilities = server.client_capabilities.workspace
    watching = capabilities.did_change_watched_files if capabilities else None
    if watching is None or not watching.dynamic_registration:
        return
    patterns = ("**/*.{yaml,yml}", "**/*.{svg,png,jpg,jpeg,webp,gif}")
    watchers = [types.FileSystemWatcher(pattern) for pattern in patterns]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("opforge-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    server.client_register_capability(types.RegistrationParams([registration]))


def _shut_down(server: Server, *_: Any) -> None:
    server.was_shut_down = True


def _exit(server: Server, *_: Any) -> None:
    server.was_told_to_exit = True


# open files


def _opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    document = server.desk.documents.open(params.text_document)
    server.desk.look_at(document.path)
    server.soon(document)


def _changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    item = params.text_document
    server.soon(server.desk.documents.change(item.uri, item.version, params.content_changes))


def _closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    server.soon(server.desk.documents.close(params.text_document.uri))


def _saved(server: Server, _: types.DidSaveTextDocumentParams) -> None:
    server.soon()


def _files_changed(server: Server, _: types.DidChangeWatchedFilesParams) -> None:
    for document in server.desk.documents.by_uri.values():
        server.desk.look_at(document.path)  # a project file may be new
    server.soon()


TOLD: dict[str, Any] = {
    types.INITIALIZE: _initialize,
    types.INITIALIZED: _initialized,
    types.SHUTDOWN: _shut_down,
    types.EXIT: _exit,
    types.TEXT_DOCUMENT_DID_OPEN: _opened,
    types.TEXT_DOCUMENT_DID_CHANGE: _changed,
    types.TEXT_DOCUMENT_DID_CLOSE: _closed,
    types.TEXT_DOCUMENT_DID_SAVE: _saved,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: _files_changed,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: _folders_changed,
}
"""Who is told what."""
