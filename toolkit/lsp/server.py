"""The language server as it runs: one for one editor."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from toolkit import __version__
from toolkit.lsp.documents import Document
from toolkit.lsp.positions import offset_at
from toolkit.lsp.projects import OpenProject
from toolkit.lsp.protocol import Protocol
from toolkit.lsp.server_state import Desk
from toolkit.source import SourceFile

PAUSE = 0.06
"""Seconds without a key press after which the findings are told."""

LOG = logging.getLogger("opforge.lsp")


class Server(LanguageServer):
    """A server for one editor."""

    def __init__(self) -> None:
        super().__init__("opforge", __version__, protocol_cls=Protocol, converter_factory=default_converter)
        self.desk = Desk()
        self.shows_references = False
        self.was_shut_down = False
        self.was_told_to_exit = False
        self._waiting: asyncio.TimerHandle | None = None

    def soon(self, document: Document | None = None) -> None:
        """Tell the findings when nothing was typed for a moment; without a document any file may be new."""
        self.desk.touch(document)
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().call_later(PAUSE, self.tell)

    def tell(self) -> None:
        """Tell the editor which findings have changed."""
        try:
            for message in self.desk.news():
                self.text_document_publish_diagnostics(message)
        except Exception:
            LOG.exception("the findings could not be reported")

    def place(self, params: Any) -> tuple[OpenProject, SourceFile, int] | None:
        """The file of a project and the offset that a request is about."""
        found = self.desk.file_of(params.text_document.uri)
        if found is None:
            return None
        project, file, _ = found
        return project, file, offset_at(file, params.position, self.desk.encoding)
