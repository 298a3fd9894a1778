"""The protocol as pygls speaks it, with opforge's own open documents.

pygls keeps documents too, but splits lines at characters that are no line ends for an editor (U+2028,
U+0085), so that later edits would land in the wrong place. Here each text is kept once, and rightly.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol, lsp_method

Handling = Generator[Any, Any, None]


class Protocol(LanguageServerProtocol):
    """Hands changes of documents to the server and does nothing else with them."""

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Handling:
        """A file was opened."""
        yield from self._hand_on(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Handling:
        """A file was edited."""
        yield from self._hand_on(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Handling:
        """A file was closed."""
        yield from self._hand_on(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def _hand_on(self, method: str, params: Any) -> Handling:
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None
