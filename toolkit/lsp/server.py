"""The language server of one editor: that of pygls, with own documents and bounded input."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Generator
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from toolkit import __version__
from toolkit.lsp.documents import Document, offset_at
from toolkit.lsp.server_state import ServerState
from toolkit.project.live_project import LiveProject
from toolkit.source import SourceFile

PAUSE = 0.06
"""Seconds without a key press after which the findings are published."""

MAX_MESSAGE_BYTES = 100_000_000
"""Bytes of a message, at most: a card file has 2 MB, six times that in JSON; pygls reads any size."""

MAX_HEADER_BYTES = 1000
"""Bytes of a header line, at most."""

LOG = logging.getLogger("opforge.lsp")


def _forwarded(method: str) -> Any:
    """Return a handler that only calls the server's feature, without what pygls does before it."""

    def handle(self: LanguageServerProtocol, params: Any) -> Generator[Any, Any, None]:
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None

    return lsp_method(method)(handle)


class Protocol(LanguageServerProtocol):
    """The protocol without the open documents of pygls.

    pygls splits lines at characters that are no line ends for an editor (U+2028, U+0085), so that later edits
    would land in the wrong place (pygls 2.0). Here each text is kept once, in the state of the server.
    """

    lsp_text_document__did_open = _forwarded(types.TEXT_DOCUMENT_DID_OPEN)
    lsp_text_document__did_change = _forwarded(types.TEXT_DOCUMENT_DID_CHANGE)
    lsp_text_document__did_close = _forwarded(types.TEXT_DOCUMENT_DID_CLOSE)


class Server(LanguageServer):
    """A server for one editor."""

    def __init__(self) -> None:
        super().__init__("opforge", __version__, protocol_cls=Protocol, converter_factory=default_converter)
        self.state = ServerState()
        self.shows_references = False
        self.has_snippets = False
        self.got_shutdown = False
        self.got_exit = False
        self._timer: asyncio.TimerHandle | None = None

    def publish_soon(self, document: Document | None = None) -> None:
        """Publish findings after a pause in typing; without a document any file may have changed."""
        self.state.mark_stale(document)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PAUSE, self._publish)

    def _publish(self) -> None:
        try:
            for message in self.state.diagnostics():
                self.text_document_publish_diagnostics(message)
        except Exception:
            LOG.exception("the findings could not be reported")

    def place(self, params: Any) -> tuple[LiveProject, SourceFile, int] | None:
        """Return the file of a project and the offset of a request; None outside of all projects."""
        found = self.state.file_of(params.text_document.uri)
        if found is None:
            return None
        project, file = found
        return project, file, offset_at(file, params.position, self.state.documents.encoding)


class BoundedInput:
    """Standard input that ends at a header that announces more than any editor sends."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.refused = False

    def readline(self) -> bytes:
        """Return a line of a header; nothing, as at the end, once a header was refused."""
        if self.refused:
            return b""
        line = self._stream.readline(MAX_HEADER_BYTES)
        found = re.match(rb"Content-Length:\s*(\d+)\s*$", line, re.IGNORECASE)
        length = found[1].lstrip(b"0") if found else b""
        # the digits are counted first: `int` takes long for thousands of them
        if len(line) == MAX_HEADER_BYTES:
            return self._refuse(f"A header is longer than {MAX_HEADER_BYTES} bytes")
        if len(length) > len(str(MAX_MESSAGE_BYTES)) or int(length or b"0") > MAX_MESSAGE_BYTES:
            return self._refuse(f"A message is announced that is larger than {MAX_MESSAGE_BYTES:,} bytes")
        return line

    def read(self, size: int) -> bytes:
        """Return the body of a message."""
        return self._stream.read(size)

    def _refuse(self, why: str) -> bytes:
        self.refused = True
        LOG.error("%s; the server stops.", why)
        return b""
