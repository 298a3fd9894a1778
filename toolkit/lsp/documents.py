"""The files that are open in the editor, with the text that stands there and not on disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types
from msgspec import Struct, field

from toolkit.lsp.positions import Encoding, offset_at
from toolkit.lsp.uris import path_of
from toolkit.source import SourceFile

Change = types.TextDocumentContentChangeEvent
"""A part of a text that is replaced, or a whole new text."""


class Document(Struct):
    """An open file. ``path`` is None where it is none on disk (``untitled:``)."""

    uri: str
    path: Path | None
    version: int | None
    text: str

    @property
    def file(self) -> SourceFile:
        """Its text as a source file."""
        path = self.path or Path(self.uri)
        return SourceFile(path, path.name, self.text)


class Documents(Struct):
    """All open files by URI."""

    encoding: Encoding = types.PositionEncodingKind.Utf16
    by_uri: dict[str, Document] = field(default_factory=dict)

    def open(self, item: types.TextDocumentItem) -> Document:
        """Take in a file that was opened."""
        found = Document(item.uri, path_of(item.uri), item.version, item.text)
        self.by_uri[item.uri] = found
        return found

    def change(self, uri: str, version: int | None, changes: Iterable[Change]) -> Document | None:
        """Edit an open file; the changes come one after the other."""
        document = self.by_uri.get(uri)
        if document is None:
            return None
        for change in changes:
            document.text = _changed(document.file, change, self.encoding)
        document.version = version
        return document

    def close(self, uri: str) -> Document | None:
        """Forget a file: from now on it is what is on disk."""
        return self.by_uri.pop(uri, None)

    def at(self, path: Path) -> Document | None:
        """The open file at a path."""
        return next((one for one in self.by_uri.values() if one.path == path), None)

    def overlay(self) -> dict[Path, str]:
        """The texts of all open files that have a path."""
        return {one.path: one.text for one in self.by_uri.values() if one.path is not None}


def _changed(file: SourceFile, change: Change, encoding: Encoding) -> str:
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    start = offset_at(file, change.range.start, encoding)
    end = max(start, offset_at(file, change.range.end, encoding))
    return file.text[:start] + change.text + file.text[end:]
