"""The messages of an editor that are no requests, and the start of the server."""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, BinaryIO, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from toolkit.apps.lsp.editor_documents import path_of
from toolkit.apps.lsp.inlay_hints import wanted_hints
from toolkit.apps.lsp.requests import PULL_REQUESTS, REQUESTS
from toolkit.apps.lsp.server import BoundedInput, Server
from toolkit.data.project_files import PICTURE_ENDINGS
from toolkit.source.paths import YAML_ENDINGS

_STARTED_BY_HAND = """\
opforge lsp is started by an editor and communicates over standard input and output.
`opforge explain editor` explains how to set one up. Ctrl-C ends this.
"""

# lifecycle, folders and files


def _initialize(server: Server, params: types.InitializeParams) -> None:
    """Note what the editor can do and what the user wants, and offer what goes with that."""
    encoding = server.protocol.workspace.position_encoding
    server.state.documents.encoding = encoding or types.PositionEncodingKind.Utf16
    texts, workspace = params.capabilities.text_document, params.capabilities.workspace
    item = texts.completion.completion_item if texts and texts.completion else None
    server.has_snippets = bool(item and item.snippet_support)
    edit = workspace.workspace_edit if workspace else None
    server.state.documents.has_versioned_edits = bool(edit and edit.document_changes)
    options = params.initialization_options
    server.shows_references = isinstance(options, dict) and options.get("showReferences") is True
    server.hint_kinds = wanted_hints(options)
    server.fold_limit = texts.folding_range.range_limit if texts and texts.folding_range else None
    server.can_refresh_hints = bool(
        workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support
    )
    diagnostics = workspace.diagnostics if workspace else None
    server.can_refresh_findings = bool(diagnostics and diagnostics.refresh_support)
    if texts and texts.diagnostic and server.can_refresh_findings:
        _offer_pulled_findings(server)


def _offer_pulled_findings(server: Server) -> None:
    """Let the editor ask for findings.

    Only if it can be told to ask again: an edit changes the findings of other files. Else they are published.
    """
    for method, options, handler in PULL_REQUESTS:
        server.feature(method, options)(handler)


def _initialized(server: Server, _: types.InitializedParams) -> None:
    server.state.change_folders(_paths(server.workspace.folders.values()), ())
    _watch(server)
    server.publish_soon()


def _folders_changed(server: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    server.state.change_folders(_paths(params.event.added), _paths(params.event.removed))
    server.publish_soon()


def _paths(folders: Iterable[types.WorkspaceFolder]) -> list[Path]:
    """Return the paths of those folders that are on disk."""
    return [path for folder in folders if (path := path_of(folder.uri)) is not None]


def _watch(server: Server) -> None:
    """Ask the editor to report files that change on disk, if it can."""
    capabilities = server.client_capabilities.workspace
    capability = capabilities.did_change_watched_files if capabilities else None
    if capability is None or not capability.dynamic_registration:
        return
    patterns = tuple(map(_pattern, (YAML_ENDINGS, PICTURE_ENDINGS)))
    watchers = [types.FileSystemWatcher(pattern) for pattern in patterns]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("opforge-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    server.client_register_capability(types.RegistrationParams([registration]))


def _pattern(endings: tuple[str, ...]) -> str:
    """Return the pattern for files with these endings in upper or lower case."""
    any_case = (re.sub("[a-z]", lambda letter: f"[{letter[0]}{letter[0].upper()}]", end) for end in endings)
    return f"**/*{{{','.join(any_case)}}}"


def _shut_down(server: Server, *_: Any) -> None:
    server.got_shutdown = True


def _exit(server: Server, *_: Any) -> None:
    server.got_exit = True


def _opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    server.publish_soon(server.state.open(params.text_document))
    server.run_own_checks(params.text_document.uri)


def _changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    item = params.text_document
    server.publish_soon(server.state.documents.change(item.uri, item.version, params.content_changes))


def _closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    server.publish_soon(server.state.close(params.text_document.uri))


def _saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    server.publish_soon()
    server.run_own_checks(params.text_document.uri)


def _configuration_changed(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Take over which hints are wanted; settings of others are not about this."""
    settings = params.settings
    own_settings = settings.get("opforge") if isinstance(settings, dict) else None
    if not isinstance(own_settings, dict) or "inlayHints" not in own_settings:
        return
    server.hint_kinds = wanted_hints(own_settings)
    if server.can_refresh_hints:
        server.workspace_inlay_hint_refresh(None)


def _files_changed(server: Server, _: Any) -> None:
    for document in server.state.documents.by_uri.values():
        server.state.load(document.path)  # a project file may be new
    server.publish_soon()


_ANY_FILE = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**"), scheme="file")]
)
"""Files and folders that the editor itself moves or deletes: watchers do not report what is in a folder."""

_FILE_OPERATIONS = (types.WORKSPACE_DID_DELETE_FILES, types.WORKSPACE_DID_RENAME_FILES)

_NOTIFICATIONS: dict[str, Any] = {
    types.INITIALIZE: _initialize,
    types.INITIALIZED: _initialized,
    types.SHUTDOWN: _shut_down,
    types.EXIT: _exit,
    types.TEXT_DOCUMENT_DID_OPEN: _opened,
    types.TEXT_DOCUMENT_DID_CHANGE: _changed,
    types.TEXT_DOCUMENT_DID_CLOSE: _closed,
    types.TEXT_DOCUMENT_DID_SAVE: _saved,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: _configuration_changed,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: _files_changed,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: _folders_changed,
    **dict.fromkeys(_FILE_OPERATIONS, _files_changed),
}


def start() -> int:
    """Serve one editor until it exits; return the exit status, 1 if there was no shutdown request."""
    if sys.stdin.isatty():
        sys.stderr.write(_STARTED_BY_HAND)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="opforge lsp: %(message)s")
    for log_handler in logging.getLogger().handlers:
        log_handler.addFilter(_is_unexpected)
    signal.signal(signal.SIGINT, _exit_on_interrupt)
    server = Server()
    for method, handler in _NOTIFICATIONS.items():
        server.feature(method, _ANY_FILE if method in _FILE_OPERATIONS else None)(handler)
    for method, options, handler in REQUESTS:
        server.feature(method, options)(handler)
    stdin = BoundedInput(sys.stdin.buffer)
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with redirect_stdout(sys.stderr):  # anything printed would break the protocol
        server.start_io(stdin=cast("BinaryIO", stdin), stdout=output)
    return 1 if stdin.refused or (server.got_exit and not server.got_shutdown) else 0


def _is_unexpected(record: logging.LogRecord) -> bool:
    """Whether a record belongs in the log: why a request failed is in its answer."""
    if str(record.msg).startswith("Unable to deserialize message"):
        return False
    _type, error, _traceback = record.exc_info or (None, None, None)
    return not isinstance(error, JsonRpcException)


def _exit_on_interrupt(_number: int, _frame: object) -> None:
    """Exit at once on Ctrl-C: pygls would wait for the editor's next message, and no file is half written."""
    os._exit(130)
