"""A server without its connection, for tests that ask one thing: it costs no process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from toolkit.apps.lsp.requests import REQUESTS
from toolkit.apps.lsp.server import Server

HANDLERS = {method: handler for method, _, handler in REQUESTS}
EVERYWHERE = types.Range(types.Position(0, 0), types.Position(99_999, 0))


class Asked:
    """A server, and what it answers about files that are open in it."""

    def __init__(self, *folders: Path) -> None:
        self.server = Server()
        self.server.state.change_folders(folders, ())

    def open(self, file: Path | str, text: str | None = None) -> str:
        """Open a file on disk, or one of which there is only the URI; its URI."""
        uri = file if isinstance(file, str) else file.as_uri()
        if text is None:
            assert isinstance(file, Path)
            text = file.read_text(encoding="utf-8")
        document = self.server.state.open(types.TextDocumentItem(uri, "yaml", 1, text))
        self.server.state.mark_stale(document)
        return uri

    def write(self, uri: str, text: str) -> None:
        """Replace the text of an open file."""
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.server.state.mark_stale(self.server.state.documents.change(uri, 2, [change]))

    def findings(self) -> dict[str, list[str]]:
        """The findings that are published since the last call, by URI."""
        news = self.server.state.diagnostics()
        return {message.uri: [str(one.code) for one in message.diagnostics] for message in news}

    def about_file(self, method: str, uri: str, **more: Any) -> Any:
        """The answer to a question about a file, or with a range about a part of it."""
        sort: Any = types.METHOD_TO_TYPES[method][2]
        return HANDLERS[method](self.server, sort(text_document=types.TextDocumentIdentifier(uri), **more))

    def at(self, method: str, uri: str, line: int, character: int) -> Any:
        """The answer to a question about a position."""
        return self.about_file(method, uri, position=types.Position(line, character))
