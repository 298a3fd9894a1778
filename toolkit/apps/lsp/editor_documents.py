"""The files that are open in the editor, their URIs, and positions as the protocol has them.

Lines count from 0, columns in code units of the negotiated encoding: UTF-16 unless the editor offers others
(an emoji is two units, an umlaut one). Inside opforge a place is an offset in characters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from msgspec import Struct, field

from toolkit.data.project_files import can_be_source
from toolkit.source import Edit, SourceFile, Span
from toolkit.source.paths import PROJECT_FILE, absolute, named_alike

Encoding = types.PositionEncodingKind | str
"""``utf-8``, ``utf-16`` or ``utf-32``."""


def code_units(text: str, encoding: Encoding) -> int:
    """Return the length of a text in code units of an encoding."""
    if text.isascii() or encoding == types.PositionEncodingKind.Utf32:
        return len(text)
    if encoding == types.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


def position_at(file: SourceFile, offset: int, encoding: Encoding) -> types.Position:
    """Return the position of an offset; behind the end of the file it is the end."""
    line, column = file.position(max(offset, 0))
    start = file.line_starts()[line - 1]
    return types.Position(line - 1, code_units(file.text[start : start + column - 1], encoding))


def range_at(span: Span, encoding: Encoding) -> types.Range:
    """Return the range of a span."""
    return types.Range(
        position_at(span.file, span.start, encoding), position_at(span.file, span.end, encoding)
    )


def offset_at(file: SourceFile, position: types.Position, encoding: Encoding) -> int:
    """Return the offset of a position: behind a line its end, within a character that character's."""
    starts = file.line_starts()
    if position.line >= len(starts):
        return len(file.text)
    start = starts[position.line]
    line = file.line(position.line + 1)
    if line.isascii() or encoding == types.PositionEncodingKind.Utf32:
        return start + min(position.character, len(line))
    remaining = position.character
    for index, character in enumerate(line):
        remaining -= code_units(character, encoding)
        if remaining < 0:
            return start + index
    return start + len(line)


_DRIVE = re.compile(r"/[A-Za-z]:(?=/|$)")


def path_of(uri: str, *, windows: bool = os.name == "nt") -> Path | None:
    """Return the absolute path of a ``file:`` URI; None for any other (``untitled:`` …) or a broken one.

    Editors escape more than they must (``file:///c%3A/cards``), and on Windows name a drive or a server.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if parts.scheme != "file" or not path.startswith("/") or "\0" in path:
        return None
    server = "" if parts.netloc in ("", "localhost") else unquote(parts.netloc)
    if windows:
        path = path[1:] if _DRIVE.match(path) else path
        return Path(f"//{server}{path}" if server else path)
    return None if server else Path(os.path.abspath(path))


def listed_path(path: Path) -> Path:
    """Return the path under which the project lists a file: a link to another file of it is that file."""
    root = _project_around(path)
    if root is None:
        return path
    real_path, real_root = absolute(named_alike(path)), absolute(root)
    if real_path == path or not real_path.is_relative_to(real_root):
        return path
    listed = root / real_path.relative_to(real_root)
    is_file_of_project = can_be_source(listed, root) and _project_around(listed) == root
    return listed if is_file_of_project else path  # the project has some files by a link only


def _project_around(path: Path) -> Path | None:
    """Return the nearest folder around a file that has a project file, if there is one."""
    return next(filter(_has_project, path.parents), None)


def _has_project(folder: Path) -> bool:
    """Whether a folder has a project file; not if it cannot be read."""
    try:
        return (folder / PROJECT_FILE).is_file()
    except (OSError, ValueError):
        return False


Change = types.TextDocumentContentChangeEvent
"""A part of a text that is replaced, or a whole new text."""


class Document(Struct):
    """An open file.

    ``path`` is None for a file without a place on disk (``untitled:``); ``stand_in`` is then the path under
    which a project last read it.
    """

    uri: str
    path: Path | None
    version: int | None
    text: str
    stand_in: Path | None = None

    @property
    def file(self) -> SourceFile:
        """Its text as a source file."""
        path = self.path or Path(self.uri)
        return SourceFile(path, path.name, self.text)


class Documents(Struct):
    """All open files by URI; ``has_versioned_edits`` says that edits can name the version they are for."""

    encoding: Encoding = types.PositionEncodingKind.Utf16
    has_versioned_edits: bool = False
    by_uri: dict[str, Document] = field(default_factory=dict)

    def open(self, item: types.TextDocumentItem) -> Document:
        """Add a file that was opened."""
        path = path_of(item.uri)
        path = None if path is None else listed_path(path)
        document = Document(item.uri, path, item.version, item.text)
        self.by_uri[item.uri] = document
        return document

    def change(self, uri: str, version: int | None, changes: Iterable[Change]) -> Document | None:
        """Apply changes to an open file, in order: each counts in the text that the one before left."""
        document = self.by_uri.get(uri)
        if document is None:
            return None
        for change in changes:
            document.text = _text_after(document.file, change, self.encoding)
        document.version = version
        return document

    def close(self, uri: str) -> Document | None:
        """Remove a file that was closed: from now on its text is that on disk."""
        return self.by_uri.pop(uri, None)

    def at(self, path: Path) -> Document | None:
        """Return the open file at a path; a file without one is at that under which it was read."""
        return next(
            (document for document in self.by_uri.values() if (document.path or document.stand_in) == path),
            None,
        )

    def texts(self) -> dict[Path, str]:
        """Return the texts of all open files that have a path."""
        return {
            document.path: document.text for document in self.by_uri.values() if document.path is not None
        }

    # what is sent to the editor

    def uri_of(self, path: Path) -> str:
        """Return the URI of an absolute path: of an open file as the editor wrote it, which may differ."""
        document = self.at(path)
        return document.uri if document is not None else path.as_uri()

    def position(self, file: SourceFile, offset: int) -> types.Position:
        """Return the position of an offset."""
        return position_at(file, offset, self.encoding)

    def range(self, span: Span) -> types.Range:
        """Return the range of a span."""
        return range_at(span, self.encoding)

    def location(self, span: Span) -> types.Location:
        """Return the file and range of a span."""
        return types.Location(self.uri_of(span.file.path), self.range(span))

    def text_edits(self, file: SourceFile, edits: Iterable[Edit]) -> list[types.TextEdit]:
        """Return edits of a file in the form of the protocol."""
        return [
            types.TextEdit(self.range(Span(file, edit.start, edit.end)), edit.replacement) for edit in edits
        ]

    def workspace_edit(self, edits: Mapping[SourceFile, Iterable[Edit]]) -> types.WorkspaceEdit:
        """Return edits of files, for an editor that can compare it with the version that each is for."""
        by_uri = {
            self.uri_of(file.path): self.text_edits(file, file_edits) for file, file_edits in edits.items()
        }
        if not self.has_versioned_edits:
            return types.WorkspaceEdit(changes=by_uri)
        changes = []
        for uri, file_edits in by_uri.items():
            version = document.version if (document := self.by_uri.get(uri)) is not None else None
            identifier = types.OptionalVersionedTextDocumentIdentifier(uri, version)
            changes.append(types.TextDocumentEdit(identifier, file_edits))
        return types.WorkspaceEdit(document_changes=changes)


def _text_after(file: SourceFile, change: Change, encoding: Encoding) -> str:
    """Return the text of a file after a change: of a part of it, or of the whole."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    start = offset_at(file, change.range.start, encoding)
    end = max(start, offset_at(file, change.range.end, encoding))
    return file.text[:start] + change.text + file.text[end:]
