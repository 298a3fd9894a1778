"""What the editor asks about ids and traits, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from toolkit.lsp.diagnosing import location
from toolkit.lsp.fixing import text_edits
from toolkit.lsp.navigating import CannotRename, definitions_of, occurrence_at, places_of, renamed
from toolkit.lsp.occurrences import Occurrence
from toolkit.lsp.positions import range_at
from toolkit.lsp.projects import OpenProject
from toolkit.lsp.server import Server

_REQUEST_FAILED = -32803


def _named(server: Server, params: Any) -> tuple[OpenProject, Occurrence] | None:
    """The id or trait at the place of a request, with its project."""
    place = server.place(params)
    found = occurrence_at(*place) if place is not None else None
    return (place[0], found) if place is not None and found is not None else None


def _locations(server: Server, found: Sequence[Occurrence]) -> list[types.Location]:
    return [location(one.span, server.desk.encoding, server.desk.uri_of) for one in found]


def _definition(server: Server, params: types.DefinitionParams) -> list[types.Location] | None:
    named = _named(server, params)
    return _locations(server, definitions_of(*named)) if named is not None else None


def _references(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    named = _named(server, params)
    if named is None:
        return None
    return _locations(server, places_of(*named, with_definitions=params.context.include_declaration))


def _highlight(server: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    named = _named(server, params)
    if named is None:
        return None
    file = named[1].span.file
    here = [one.span for one in places_of(*named) if one.span.file is file]
    return [types.DocumentHighlight(range_at(span, server.desk.encoding)) for span in here]


def _prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
    named = _named(server, params)
    if named is None or not definitions_of(*named):
        raise _refusal("There is no id or trait of the project here.")
    return types.PrepareRenamePlaceholder(range_at(named[1].span, server.desk.encoding), named[1].word)


def _rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit:
    named = _named(server, params)
    if named is None:
        raise _refusal("There is no id or trait of the project here.")
    project, wanted = named
    try:
        edits = renamed(project, wanted, params.new_name)
    except CannotRename as error:
        raise _refusal(str(error)) from None
    changes = {
        server.desk.uri_of(path): text_edits(file, some, server.desk.encoding)
        for path, some in edits.items()
        if (file := project.file(path)) is not None
    }
    return types.WorkspaceEdit(changes=changes)


def _refusal(why: str) -> JsonRpcException:
    return JsonRpcException(why, code=_REQUEST_FAILED)


ABOUT_IDS: tuple[tuple[str, Any, Any], ...] = (
    (types.TEXT_DOCUMENT_DEFINITION, None, _definition),
    (types.TEXT_DOCUMENT_REFERENCES, None, _references),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, None, _highlight),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, None, _prepare_rename),
    (types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True), _rename),
)
"""What the server can be asked about ids, with its options and who answers."""
