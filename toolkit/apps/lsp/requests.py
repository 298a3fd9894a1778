"""The requests of an editor: what is asked, and the answer in the form of the protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from toolkit.apps.lsp import completion, editor_findings, navigation, suppression_completion
from toolkit.apps.lsp.completion_items import Client, completion_list
from toolkit.apps.lsp.document_links import document_links
from toolkit.apps.lsp.editor_documents import Document
from toolkit.apps.lsp.folding import folding_ranges
from toolkit.apps.lsp.formatting import formatting_edits, range_formatting_edits
from toolkit.apps.lsp.hover import hover
from toolkit.apps.lsp.inlay_hints import inlay_hints
from toolkit.apps.lsp.pulled_findings import document_report, workspace_report
from toolkit.apps.lsp.server import Server
from toolkit.apps.lsp.server_state import ServerState
from toolkit.apps.lsp.suppression_completion import OpenComment
from toolkit.apps.lsp.unsaved_files import looks_like_cards
from toolkit.data.model import CardSet
from toolkit.editing.renaming import plan_rename
from toolkit.project.live_project import LiveProject, empty
from toolkit.project.name_references import Occurrence, occurrence_at
from toolkit.project.output import Refusal
from toolkit.project.value_at import place_at
from toolkit.source import Edit, SourceFile

_SHOW_REFERENCES = "opforge.showReferences"
"""A command that an editor may have, which lists places; it says so in the options of `initialize`."""

_REQUEST_FAILED = -32803
"""The protocol's code for a valid request that cannot be fulfilled, whose reason the editor shows."""

_Params = TypeVar("_Params")
_Answer = TypeVar("_Answer")

# completion


def _completion(server: Server, params: types.CompletionParams) -> types.CompletionList | None:
    """Complete with the project as it was last read: reading the latest text first would take too long."""
    document = server.state.documents.by_uri.get(params.text_document.uri)
    if document is None:
        server.file_of(params.text_document.uri)  # raises if it is not known
        return None
    offset = server.offset(document.file, params.position)
    client = Client(server.state.documents.encoding, server.has_snippets)
    comment = suppression_completion.open_comment(document.file, offset)
    if comment is not None:
        return _suppression_completion(server, document, offset, comment, client)
    cards = _completed_cards(server, document)
    return completion.complete(document, offset, cards, client) if cards is not None else None


def _completed_cards(server: Server, document: Document) -> CardSet | None:
    """Return the entries with which a file is completed; None if it is no card file.

    A card file of no project is completed too, with those of the only project if it has no path.
    """
    state = server.state
    project = _last_read_project(state, document)
    if document.path is not None and (project is None or project.file(document.path) is None):
        project = state.load(document.path)  # the file, or its folder, is new
    if project is not None and document.path is not None:
        is_card_file = project.file(document.path) is not None
    else:
        is_card_file = looks_like_cards(document.text)
    if not is_card_file:
        return None
    return project.cards if project is not None else empty(document.file.path.parent)


def _last_read_project(state: ServerState, document: Document) -> LiveProject | None:
    """Return the project of a file as it was last read; for a file without a path the only project."""
    if document.path is None:
        return state.last_read_unsaved(document) or state.only_project()
    root = state.root_of(document.path)
    return state.projects.get(root) if root is not None else None


def _suppression_completion(
    server: Server, document: Document, offset: int, comment: OpenComment, client: Client
) -> types.CompletionList | None:
    """Complete a comment that suppresses findings, with those of the text as it is now."""
    project_and_file = server.state.file_of(document.uri)
    if project_and_file is None:
        return None
    candidates = suppression_completion.items(comment, *project_and_file, offset)
    return completion_list(document.file, offset, candidates, client)


# requests about a file


def _about_file(
    answer: Callable[[Server, LiveProject, SourceFile, _Params], _Answer],
) -> Callable[[Server, _Params], _Answer | None]:
    """Return the handler of a request about a file of a project; of other open files it answers nothing."""

    def handle(server: Server, params: Any) -> _Answer | None:
        project_and_file = server.file_of(params.text_document.uri)
        return answer(server, *project_and_file, params) if project_and_file is not None else None

    return handle


def _code_actions(
    server: Server, project: LiveProject, file: SourceFile, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Return the fixes at a place, and those of the whole file if the editor asks for these by name."""
    documents = server.state.documents
    start, end = server.offsets(file, params.range)
    wanted_kinds = editor_findings.WantedKinds(params.context.only)
    actions: list[types.CodeAction] = []
    if wanted_kinds.includes(types.CodeActionKind.QuickFix):
        file_findings = project.findings().get(file.path, [])
        actions += editor_findings.code_actions(file_findings, project.tree(file), start, end, documents)
    if wanted_kinds.names(editor_findings.FIX_ALL):
        actions += editor_findings.fix_all(project, file, documents)
    return actions


def _formatting(
    server: Server, _: LiveProject, file: SourceFile, _params: types.DocumentFormattingParams
) -> list[types.TextEdit]:
    return _text_edits(server, file, formatting_edits(file))


def _range_formatting(
    server: Server, _: LiveProject, file: SourceFile, params: types.DocumentRangeFormattingParams
) -> list[types.TextEdit]:
    return _text_edits(server, file, range_formatting_edits(file, *server.offsets(file, params.range)))


def _text_edits(server: Server, file: SourceFile, edits: list[Edit] | str) -> list[types.TextEdit]:
    """Return edits in the form of the protocol; a sentence why there are none goes to the editor's log."""
    if isinstance(edits, str):
        message = f"{file.name} is not changed. {edits}"
        server.window_log_message(types.LogMessageParams(types.MessageType.Info, message))
        return []
    return server.state.documents.text_edits(file, edits)


def _folding(
    server: Server, _: LiveProject, file: SourceFile, _params: types.FoldingRangeParams
) -> list[types.FoldingRange]:
    return folding_ranges(file, server.fold_limit)


def _document_links(
    server: Server, project: LiveProject, file: SourceFile, _: types.DocumentLinkParams
) -> list[types.DocumentLink]:
    return list(document_links(project, file, server.state.documents))


def _inlay_hints(
    server: Server, project: LiveProject, file: SourceFile, params: types.InlayHintParams
) -> list[types.InlayHint]:
    """Return the hints in a range of a file."""
    start, end = server.offsets(file, params.range)
    return inlay_hints(project, file, start, end, server.hint_kinds, server.state.documents)


def _outline(
    server: Server, project: LiveProject, file: SourceFile, _: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    return navigation.outline(project.tree(file), server.state.documents)


def _code_lenses(
    server: Server, project: LiveProject, file: SourceFile, params: types.CodeLensParams
) -> list[types.CodeLens]:
    """Return the lenses above the entries of a file."""
    uri = params.text_document.uri
    return [_code_lens(server, uri, lens) for lens in navigation.lenses(project, file)]


def _code_lens(server: Server, uri: str, lens: navigation.Lens) -> types.CodeLens:
    """Return a lens; if the editor has the command, a click on it lists the places."""
    documents = server.state.documents
    lens_range = documents.range(lens.span)
    if not (server.shows_references and lens.places):
        return types.CodeLens(lens_range, types.Command(lens.title, ""))
    places = list(map(documents.location, lens.places))
    command = types.Command(lens.title, _SHOW_REFERENCES, arguments=[uri, lens_range.start, places])
    return types.CodeLens(lens_range, command)


def _symbols(server: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """Return the entries of all projects that a query finds."""
    return [
        symbol
        for project in server.state.up_to_date_projects()
        for symbol in navigation.project_symbols(project, params.query, server.state.documents)
    ]


# findings, for an editor that asks for them


async def _document_findings(
    server: Server, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    """Answer after a pause in typing: an editor asks with each key.

    A file that is not there any more has no findings: editors ask a last time for what they have closed.
    """
    state, uri = server.state, params.text_document.uri
    if uri in state.documents.by_uri and not state.pulled.includes(uri):
        state.pulled.add(uri)
        server.publish_soon()  # what was published of it before is withdrawn
    state.pulled.waiting.append(uri)
    try:
        await server.pause_in_typing()
        findings, previous_id = state.findings_of(uri), params.previous_result_id
        report = document_report(state.pulled, uri, findings, previous_id, state.documents)
    finally:
        state.pulled.waiting.remove(uri)
    return report


async def _workspace_findings(
    server: Server, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """Answer after a pause in typing, with the findings of all files."""
    state = server.state
    if not state.pulled.of_workspace:
        state.pulled.of_workspace = True
        server.publish_soon()  # what was published before is withdrawn
    await server.pause_in_typing()
    findings = state.reported_findings()
    return workspace_report(state.pulled, findings, params.previous_result_ids, state.documents)


# requests about a place


def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    cursor = server.place(params)
    return hover(*cursor, server.state.documents) if cursor is not None else None


def _occurrence_under_cursor(server: Server, params: Any) -> tuple[LiveProject, Occurrence] | None:
    """Return the id or trait at the position of a request, with its project."""
    cursor = server.place(params)
    if cursor is None:
        return None
    project, file, offset = cursor
    value_place = place_at(project.tree(file), offset)
    occurrence = occurrence_at(value_place) if value_place is not None else None
    return (project, occurrence) if occurrence is not None else None


def _definition(server: Server, params: types.DefinitionParams) -> list[types.Location] | None:
    """Return where the id or trait under the cursor is defined; None if there is none."""
    project_and_target = _occurrence_under_cursor(server, params)
    if project_and_target is None:
        return None
    definitions = navigation.definitions_of(*project_and_target)
    return [server.state.documents.location(definition.span) for definition in definitions]


def _references(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    """Return all places of the id or trait under the cursor; None if there is none."""
    project_and_target = _occurrence_under_cursor(server, params)
    if project_and_target is None:
        return None
    project, target = project_and_target
    occurrences = project.places_of(target, with_definitions=params.context.include_declaration)
    return [server.state.documents.location(occurrence.span) for occurrence in occurrences]


def _highlight(server: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    """Return the places in this file of the id or trait under the cursor; None if there is none."""
    project_and_target = _occurrence_under_cursor(server, params)
    if project_and_target is None:
        return None
    project, target = project_and_target
    spans_in_file = [
        occurrence.span
        for occurrence in project.places_of(target)
        if occurrence.span.file is target.span.file
    ]
    return [types.DocumentHighlight(server.state.documents.range(span)) for span in spans_in_file]


def _prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
    """Return the name under the cursor that can be renamed. Raises an error of the protocol."""
    project_and_target = _occurrence_under_cursor(server, params)
    if project_and_target is None or not navigation.definitions_of(*project_and_target):
        raise _request_failed("There is no id or trait of the project here.")
    _, target = project_and_target
    return types.PrepareRenamePlaceholder(server.state.documents.range(target.span), target.word)


def _rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit:
    """Return the edits that rename the id or trait under the cursor everywhere in its project."""
    project_and_target = _occurrence_under_cursor(server, params)
    if project_and_target is None:
        raise _request_failed("There is no id or trait of the project here.")
    project, target = project_and_target
    rename = plan_rename(project, target.kind, target.word, params.new_name)
    if isinstance(rename, Refusal):
        raise _request_failed(rename.message)
    edits = {project.file(path): file_edits for path, file_edits in rename.edits.items()}
    return server.state.documents.workspace_edit(
        {file: file_edits for file, file_edits in edits.items() if file is not None}
    )


def _request_failed(reason: str) -> JsonRpcException:
    return JsonRpcException(reason, code=_REQUEST_FAILED)


REQUESTS: tuple[tuple[str, Any, Any], ...] = (
    (
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[" ", '"', ".", "["]),
        _completion,
    ),
    (types.TEXT_DOCUMENT_HOVER, None, _hover),
    (
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, editor_findings.FIX_ALL]),
        _about_file(_code_actions),
    ),
    (types.TEXT_DOCUMENT_FORMATTING, None, _about_file(_formatting)),
    (types.TEXT_DOCUMENT_RANGE_FORMATTING, None, _about_file(_range_formatting)),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, None, _about_file(_folding)),
    (types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkOptions(), _about_file(_document_links)),
    (types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(), _about_file(_inlay_hints)),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, _about_file(_outline)),
    (types.WORKSPACE_SYMBOL, None, _symbols),
    (types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(), _about_file(_code_lenses)),
    (types.TEXT_DOCUMENT_DEFINITION, None, _definition),
    (types.TEXT_DOCUMENT_REFERENCES, None, _references),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, None, _highlight),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, None, _prepare_rename),
    (types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True), _rename),
)
"""The requests with their options and handlers."""

PULL_REQUESTS: tuple[tuple[str, Any, Any], ...] = (
    (
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(True, True, identifier="opforge"),
        _document_findings,
    ),
    (types.WORKSPACE_DIAGNOSTIC, None, _workspace_findings),
)
"""The requests for findings, for an editor to which they are not published."""
