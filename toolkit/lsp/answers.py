"""What the editor asks about a place or a file, and the answers; those about ids are in ``ids.py``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from toolkit.lsp import code_lens as lenses
from toolkit.lsp import completing, fixing, hovering, outlining, tidying
from toolkit.lsp.diagnosing import location
from toolkit.lsp.documents import Document
from toolkit.lsp.positions import offset_at, range_at
from toolkit.lsp.projects import OpenProject, empty
from toolkit.lsp.server import Server

_SHOW_REFERENCES = "opforge.showReferences"
"""A command that an editor may have, which lists places; it says so when it says hello."""


def _completion(server: Server, params: types.CompletionParams) -> types.CompletionList | None:
    document = server.desk.documents.by_uri.get(params.text_document.uri)
    if document is None or not _is_ours(server, document):
        return None
    offset = offset_at(document.file, params.position, server.desk.encoding)
    project = _last_known(server, document)
    cards = project.cards if project is not None else empty(document.file.path.parent)
    return completing.complete(document, offset, cards, server.desk.encoding)


def _last_known(server: Server, document: Document) -> OpenProject | None:
    """The project as it was last read: what is typed just now is not waited for.

    A new file that has no name yet is meant for the only project, if there is only one.
    """
    known = server.desk.projects.by_root
    if document.path is None:
        return next(iter(known.values())) if len(known) == 1 else None
    root = server.desk.projects.root_of(document.path)
    return known.get(root) if root is not None else None


def _is_ours(server: Server, document: Document) -> bool:
    """Whether a file belongs to a project, or is new and looks like a card file."""
    project = _last_known(server, document)
    if project is not None and document.path is not None:
        return project.file(document.path) is not None
    return completing.looks_like_cards(document.text)


def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    place = server.place(params)
    found = hovering.about(*place) if place is not None else None
    return hovering.as_hover(found, range_at(found.span, server.desk.encoding)) if found else None


def _code_actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    found = server.desk.file_of(params.text_document.uri)
    if found is None:
        return None
    project, file, _ = found
    encoding = server.desk.encoding
    start, end = (offset_at(file, place, encoding) for place in (params.range.start, params.range.end))
    findings = project.findings().get(file.path, [])
    return list(fixing.fixes(findings, project.tree(file), start, end, encoding, server.desk.uri_of))


def _formatting(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    found = server.desk.file_of(params.text_document.uri)
    if found is None:
        return None
    edits = tidying.tidied(found[1])
    if isinstance(edits, str):
        message = f"{found[1].name} is not changed. {edits}"
        server.window_log_message(types.LogMessageParams(types.MessageType.Info, message))
        return []
    return fixing.text_edits(found[1], edits, server.desk.encoding)


def _outline(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
    found = server.desk.file_of(params.text_document.uri)
    if found is None:
        return None
    project, file, _ = found
    return outlining.outline(project.tree(file), server.desk.encoding)


def _symbols(server: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    desk = server.desk
    return [
        symbol
        for project in desk.projects.by_root.values()
        for symbol in outlining.project_symbols(project, params.query, desk.encoding, desk.uri_of)
    ]


def _lenses(server: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    found = server.desk.file_of(params.text_document.uri)
    if found is None:
        return None
    project, file, _ = found
    return [_lens(server, params.text_document.uri, lens) for lens in lenses.lenses(project, file)]


def _lens(server: Server, uri: str, lens: lenses.Lens) -> types.CodeLens:
    """A lens; in an editor that has the command, a click on it lists the places."""
    place = range_at(lens.span, server.desk.encoding)
    if not (server.shows_references and lens.places):
        return types.CodeLens(place, types.Command(lens.title, ""))
    places = [location(span, server.desk.encoding, server.desk.uri_of) for span in lens.places]
    return types.CodeLens(
        place, types.Command(lens.title, _SHOW_REFERENCES, arguments=[uri, place.start, places])
    )


ASKED: tuple[tuple[str, Any, Any], ...] = (
    (
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[" ", '"', "."]),
        _completion,
    ),
    (types.TEXT_DOCUMENT_HOVER, None, _hover),
    (
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
        _code_actions,
    ),
    (types.TEXT_DOCUMENT_FORMATTING, None, _formatting),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, _outline),
    (types.WORKSPACE_SYMBOL, None, _symbols),
    (types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(), _lenses),
)
"""What the server can be asked, with its options and who answers."""
