"""An editor for tests: pygls's client, speaking over stdio with a server that is a process of its own."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.client import LanguageClient

T = TypeVar("T")
PATIENCE = 30


class Editor:
    """One editor with one server. Its methods wait for the answers."""

    def __init__(
        self,
        *folders: Path,
        encodings: list[str] | None = None,
        options: Any = None,
        versioned: bool = False,
        pulls: bool = False,
    ) -> None:
        self.findings: dict[str, list[types.Diagnostic]] = {}
        self.told: dict[str, int] = {}
        self._news = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.client = LanguageClient("test-editor", "1")
        self._add_features()
        self.wait(self.client.start_io(sys.executable, "-m", "toolkit", "lsp"))
        general = types.GeneralClientCapabilities(position_encodings=encodings)
        watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        workspace = types.WorkspaceClientCapabilities(
            did_change_watched_files=watching,
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=versioned),
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=pulls),
        )
        texts = types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities())
        self.answer = self.wait(
            self.client.initialize_async(
                types.InitializeParams(
                    capabilities=types.ClientCapabilities(
                        general=general, workspace=workspace, text_document=texts
                    ),
                    workspace_folders=[types.WorkspaceFolder(path.as_uri(), path.name) for path in folders],
                    initialization_options=options,
                )
            )
        )
        self.client.initialized(types.InitializedParams())

    def _add_features(self) -> None:
        """What the server may send."""
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._published(params))
        self.client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: None)

    def wait(self, answer: Coroutine[Any, Any, T]) -> T:
        """What comes of a request."""
        return asyncio.run_coroutine_threadsafe(answer, self._loop).result(PATIENCE)

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        with self._news:
            self.findings[params.uri] = list(params.diagnostics)
            self.told[params.uri] = self.told.get(params.uri, 0) + 1
            self._news.notify_all()

    def until(self, uri: str, *names: str) -> list[types.Diagnostic]:
        """The findings of a file, as soon as they have these names."""

        def right() -> bool:
            return sorted(str(one.code) for one in self.findings.get(uri, [])) == sorted(names)

        with self._news:
            assert self._news.wait_for(right, PATIENCE), self.findings.get(uri)
            return self.findings.get(uri, [])  # nothing was wrong, and nothing reported yet

    def wait_for_some(self, uri: str) -> list[types.Diagnostic]:
        """The findings of a file, as soon as there are any."""
        with self._news:
            assert self._news.wait_for(lambda: self.findings.get(uri), PATIENCE)
            return self.findings[uri]

    def open(self, path: Path | str, text: str | None = None) -> str:
        """Open a file; its URI."""
        uri = path if isinstance(path, str) else path.as_uri()
        if text is None:
            assert isinstance(path, Path)
            text = path.read_text(encoding="utf-8")
        item = types.TextDocumentItem(uri, "yaml", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def write(self, uri: str, text: str, version: int = 2) -> None:
        """Replace the whole text."""
        self.edit(uri, types.TextDocumentContentChangeWholeDocument(text), version=version)

    def edit(self, uri: str, *changes: types.TextDocumentContentChangeEvent, version: int = 2) -> None:
        """Edit parts of a text."""
        item = types.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(item, list(changes)))

    def close(self, uri: str) -> None:
        """Close a file."""
        item = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(item))

    def at(self, uri: str, line: int, character: int) -> dict[str, Any]:
        """The arguments of a request about a position."""
        return {
            "text_document": types.TextDocumentIdentifier(uri),
            "position": types.Position(line, character),
        }

    def leave(self) -> int:
        """Say goodbye; the exit status of the server."""
        self.wait(self.client.shutdown_async(None))
        self.client.exit(None)
        server = self.client._server
        assert server is not None
        status = self.wait(server.wait())
        self.wait(self.client.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        return status
