"""The language server of one editor: that of pygls, with own documents and bounded input."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Generator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, cast

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from toolkit import __version__
from toolkit.apps.lsp.editor_documents import Document, offset_at, path_of
from toolkit.apps.lsp.inlay_hints import HintKinds
from toolkit.apps.lsp.server_state import ServerState
from toolkit.diagnostics.phrases import counted
from toolkit.project.live_project import LiveProject
from toolkit.project.own_checks import Answer, answers_of, installed_checks
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
        """Yield the call that pygls shall make: a function, its positional and its named arguments."""
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None

    return lsp_method(method)(handle)


_REFUSED = object()
"""Stands for a message that has been answered with an error."""


class Protocol(LanguageServerProtocol):
    """The protocol with an answer to every wrong request, and without the open documents of pygls.

    pygls splits lines at characters that are no line ends for an editor (U+2028, U+0085), so that later edits
    would land in the wrong place (pygls 2.0). Here each text is kept once, in the state of the server.
    """

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as a typed object; a request with wrong parameters is answered with an error.

        pygls only shows a message then, and the editor would wait for the answer (pygls 2.1).
        """
        try:
            return super().structure_message(data)
        except (JsonRpcException, TypeError):
            method, request_id = data.get("method"), data.get("id")
            if method is not None and request_id is not None:
                reason = f"The parameters of {method} are not those of the protocol."
                self.send_error(request_id, JsonRpcInvalidParams(reason))
            return _REFUSED

    def handle_message(self, message: Any) -> None:
        """Handle a message; a request that cannot be sent now, or is none, is answered with an error."""
        if message is _REFUSED:
            return
        if not hasattr(message, "jsonrpc"):
            self.send_error(None, JsonRpcInvalidRequest("This is no message of JSON-RPC 2.0."))
            return
        method = getattr(message, "method", None)
        refusal = self._refusal(method) if method is not None else None
        if refusal is None:
            super().handle_message(message)
        elif (request_id := getattr(message, "id", None)) is not None:
            self.send_error(request_id, refusal)

    def send_error(self, request_id: str | int | None, error: JsonRpcException) -> None:
        """Answer a request, or None if it cannot be told which one, with an error."""
        # not pygls's `_send_response`, which leaves out an id that is null (pygls 2.1)
        error_data = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": request_id, "error": error_data})

    def _refusal(self, method: Any) -> JsonRpcException | None:
        """Return why the method cannot be called in this state of the connection; None if it can."""
        if not isinstance(method, str):
            return JsonRpcInvalidRequest("The method of a request is a text.")
        if method == types.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("The server has been shut down.")
        if method == types.INITIALIZE:
            is_initialized = self._workspace is not None
            return JsonRpcInvalidRequest("The server is initialized already.") if is_initialized else None
        return JsonRpcServerNotInitialized() if self._workspace is None else None

    lsp_text_document__did_open = _forwarded(types.TEXT_DOCUMENT_DID_OPEN)
    lsp_text_document__did_change = _forwarded(types.TEXT_DOCUMENT_DID_CHANGE)
    lsp_text_document__did_close = _forwarded(types.TEXT_DOCUMENT_DID_CLOSE)


class Server(LanguageServer):
    """A server for one editor.

    ``_checked_again`` are the projects whose own checks run now, and whether they are to run once more: then
    something was saved meanwhile. ``_paused`` is set while no change waits for its findings.
    """

    def __init__(self) -> None:
        super().__init__("opforge", __version__, protocol_cls=Protocol, converter_factory=default_converter)
        self.state = ServerState()
        # what the editor can do, until it says so
        self.shows_references = False
        self.has_snippets = False
        self.hint_kinds = HintKinds()
        self.can_refresh_findings = False
        self.can_refresh_hints = False
        self.fold_limit: int | None = None
        # how far it has come with its farewell, which decides about the exit status
        self.got_shutdown = False
        self.got_exit = False
        self._timer: asyncio.TimerHandle | None = None  # that ends the pause in typing
        self._paused = asyncio.Event()
        self._paused.set()
        self._checked_again: dict[Path, bool] = {}

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Answer what is no JSON with an error; show other errors as pygls does."""
        if source is JsonRpcException:
            cast("Protocol", self.protocol).send_error(None, JsonRpcParseError.of(error))
        else:
            super().report_server_error(error, source)

    def publish_soon(self, document: Document | None = None) -> None:
        """Publish findings after a pause in typing; without a document any file may have changed."""
        self.state.mark_stale(document)
        if self._timer is not None:
            self._timer.cancel()
        self._paused.clear()
        self._timer = asyncio.get_running_loop().call_later(PAUSE, self._publish)

    async def pause_in_typing(self) -> None:
        """Wait until the findings of the last change are published."""
        await self._paused.wait()

    def _publish(self) -> None:
        """Publish the findings that have changed; whoever waits for that goes on, also if it fails."""
        try:
            for message in self.state.diagnostics():
                self.text_document_publish_diagnostics(message)
            self._refresh_pulled()
        except Exception:
            LOG.exception("the findings could not be reported")
        finally:
            self._paused.set()

    def _refresh_pulled(self) -> None:
        """Let the editor ask again for open files whose findings have changed by what it did elsewhere."""
        pulled = self.state.pulled
        can_be_asked = self.can_refresh_findings and pulled.has_files()
        if can_be_asked and pulled.take_changes(self.state.reported_findings()):
            self.workspace_diagnostic_refresh(None)

    def run_own_checks(self, uri: str) -> None:
        """Run the own checks of a file's project, which read what is saved, and publish what they find.

        They run in a thread, each project's once at a time: what is saved meanwhile is checked afterwards.
        """
        document = self.state.documents.by_uri.get(uri)
        project = self.state.load(document.path if document is not None else path_of(uri))
        names = project.cards.project.checks.plugins if project is not None else ()
        if project is None or (not names and project.root not in self.state.own_answers):
            return
        if project.root in self._checked_again:
            self._checked_again[project.root] = True
            return
        self._checked_again[project.root] = False
        loop = asyncio.get_running_loop()

        def run(root: Path) -> None:
            answers = answers_of(root, names, installed_checks(names))
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self._own_checks_done, root, uri, answers)

        Thread(target=run, args=(project.root,), daemon=True).start()

    def _own_checks_done(self, root: Path, uri: str, answers: Mapping[str, Answer | None]) -> None:
        """Publish what the checks of a project found, and run them again if something was saved meanwhile."""
        self.state.own_answers[root] = answers
        self.publish_soon()
        if self._checked_again.pop(root):
            self.run_own_checks(uri)

    def file_of(self, uri: str) -> tuple[LiveProject, SourceFile] | None:
        """Return a file with its project, up to date; None if it is open and belongs to none.

        Raises ``JsonRpcInvalidParams`` for a file that is neither open nor part of a project.
        """
        project_and_file = self.state.file_of(uri)
        if project_and_file is None and uri not in self.state.documents.by_uri:
            raise JsonRpcInvalidParams(f"{uri} is neither open nor a file of a card project.")
        return project_and_file

    def place(self, params: Any) -> tuple[LiveProject, SourceFile, int] | None:
        """Return the file of a project and the offset of a request; None outside of all projects.

        Raises ``JsonRpcInvalidParams`` for a file that is not known, and for a line that it does not have.
        """
        project_and_file = self.file_of(params.text_document.uri)
        if project_and_file is None:
            return None
        project, file = project_and_file
        return project, file, self.offset(file, params.position)

    def offsets(self, file: SourceFile, wanted_range: types.Range) -> tuple[int, int]:
        """Return the offsets of a range, the lesser first; behind the end of the file it is the end."""
        encoding = self.state.documents.encoding
        positions = (wanted_range.start, wanted_range.end)
        start, end = sorted(offset_at(file, position, encoding) for position in positions)
        return start, end

    def offset(self, file: SourceFile, position: types.Position) -> int:
        """Return the offset of a position. Raises ``JsonRpcInvalidParams`` if the file has no such line.

        Behind the end of a line it is that end, as the protocol says; the line after the last one is its end.
        """
        line_count = len(file.line_starts())
        if position.line > line_count:
            reason = f"{file.name} has {counted(line_count, 'line')}; there is no line {position.line + 1}."
            raise JsonRpcInvalidParams(reason)
        return offset_at(file, position, self.state.documents.encoding)


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
        match = re.match(rb"Content-Length:\s*0*(?P<length>\d+)\s*$", line, re.IGNORECASE)
        length = match["length"] if match else b"0"
        if len(line) == MAX_HEADER_BYTES:
            return self._refuse(f"A header is longer than {MAX_HEADER_BYTES} bytes")
        # the digits are counted first: `int` takes long for thousands of them
        if len(length) > len(str(MAX_MESSAGE_BYTES)) or int(length) > MAX_MESSAGE_BYTES:
            return self._refuse(f"A message is announced that is larger than {MAX_MESSAGE_BYTES:,} bytes")
        return line

    def read(self, size: int) -> bytes:
        """Return the body of a message."""
        return self._stream.read(size)

    def _refuse(self, reason: str) -> bytes:
        self.refused = True
        LOG.error("%s; the server stops.", reason)
        return b""
