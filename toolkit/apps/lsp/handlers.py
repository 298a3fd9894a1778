"""The handlers of the editor's messages, and the start of the server with all of them."""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, BinaryIO, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from toolkit.apps.lsp import completion, editor_findings, navigation, suppression_completion
from toolkit.apps.lsp.completion_items import Client, completion_list
from toolkit.apps.lsp.document_links import document_links
from toolkit.apps.lsp.editor_documents import Document, path_of
from toolkit.apps.lsp.folding import folding_ranges
from toolkit.apps.lsp.formatting import formatting_edits, range_formatting_edits
from toolkit.apps.lsp.hover import hover
from toolkit.apps.lsp.inlay_hints import inlay_hints, wanted_hints
from toolkit.apps.lsp.pulled_findings import document_report, workspace_report
from toolkit.apps.lsp.server import BoundedInput, Server
from toolkit.apps.lsp.server_state import ServerState
from toolkit.apps.lsp.suppression_completion import OpenComment
from toolkit.apps.lsp.unsaved_files import looks_like_cards
from toolkit.data.model import CardSet
from toolkit.data.project_files import PICTURE_ENDINGS
from toolkit.editing.renaming import plan_rename
from toolkit.project.live_project import LiveProject, empty
from toolkit.project.name_references import Occurrence, occurrence_at
from toolkit.project.output import Refusal
from toolkit.project.value_at import place_at
from toolkit.source import Edit, SourceFile
from toolkit.source.paths import YAML_ENDINGS

_STARTED_BY_HAND = """\
opforge lsp is started by an editor and communicates over standard input and output.
`opforge explain editor` explains how to set one up. Ctrl-C ends this.
"""

_SHOW_REFERENCES = "opforge.showReferences"
"""A command that an editor may have, which lists places; it says so in the options of `initialize`."""

_REQUEST_FAILED = -32803
"""The protocol's code for a valid request that cannot be fulfilled, whose reason the editor shows."""

# lifecycle, folders and files


def _initialize(server: Server, params: types.InitializeParams) -> None:
    encoding = server.protocol.workspace.position_encoding
    server.state.documents.encoding = encoding or types.PositionEncodingKind.Utf16
    texts, workspace = params.capabilities.text_document, params.capabilities.workspace
    item = texts.completion.completion_item if texts and texts.completion else None
    server.has_snippets = bool(item and item.snippet_support)
    edit = workspace.workspace_edit if workspace else None
    server.state.documents.has_versioned_edits = bool(edit and edit.document_changes)
    options = params.initialization_options
    server.shows_references = isinstance(options, dict) and options.get("showReferences") is True
    server.hint_kinds = wanted_hints(options)
    server.fold_limit = texts.folding_range.range_limit if texts and texts.folding_range else None
    server.can_refresh_hints = bool(
        workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support
    )
    diagnostics = workspace.diagnostics if workspace else None
    server.can_refresh_findings = bool(diagnostics and diagnostics.refresh_support)
    if texts and texts.diagnostic and server.can_refresh_findings:
        _offer_pulled_findings(server)


def _offer_pulled_findings(server: Server) -> None:
    """Let the editor ask for findings.

    Only if it can be told to ask again: an edit changes the findings of other files. Else they are published.
    """
    options = types.DiagnosticOptions(True, True, identifier="opforge")
    server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(_document_findings)
    server.feature(types.WORKSPACE_DIAGNOSTIC)(_workspace_findings)


def _initialized(server: Server, _: types.InitializedParams) -> None:
    server.state.change_folders(_paths(server.workspace.folders.values()), ())
    _watch(server)
    server.publish_soon()


def _folders_changed(server: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    server.state.change_folders(_paths(params.event.added), _paths(params.event.removed))
    server.publish_soon()


def _paths(folders: Iterable[types.WorkspaceFolder]) -> list[Path]:
    return [path for folder in folders if (path := path_of(folder.uri)) is not None]


def _watch(server: Server) -> None:
    """Ask the editor to report files that change on disk, if it can."""
    capabilities = server.client_capabilities.workspace
    capability = capabilities.did_change_watched_files if capabilities else None
    if capability is None or not capability.dynamic_registration:
        return
    patterns = tuple(map(_pattern, (YAML_ENDINGS, PICTURE_ENDINGS)))
    watchers = [types.FileSystemWatcher(pattern) for pattern in patterns]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("opforge-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    server.client_register_capability(types.RegistrationParams([registration]))


def _pattern(endings: tuple[str, ...]) -> str:
    """Return the pattern for files with these endings in upper or lower case."""
    any_case = (re.sub("[a-z]", lambda letter: f"[{letter[0]}{letter[0].upper()}]", end) for end in endings)
    return f"**/*{{{','.join(any_case)}}}"


def _shut_down(server: Server, *_: Any) -> None:
    server.got_shutdown = True


def _exit(server: Server, *_: Any) -> None:
    server.got_exit = True


def _opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    server.publish_soon(server.state.open(params.text_document))
    server.run_own_checks(params.text_document.uri)


def _changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    item = params.text_document
    server.publish_soon(server.state.documents.change(item.uri, item.version, params.content_changes))


def _closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    server.publish_soon(server.state.close(params.text_document.uri))


def _saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    server.publish_soon()
    server.run_own_checks(params.text_document.uri)


def _configuration_changed(server: Server, params: types.DidChangeConfigurationParams) -> None:
    settings = params.settings
    own_settings = settings.get("opforge") if isinstance(settings, dict) else None
    if not isinstance(own_settings, dict) or "inlayHints" not in own_settings:
        return
    server.hint_kinds = wanted_hints(own_settings)
    if server.can_refresh_hints:
        server.workspace_inlay_hint_refresh(None)


def _files_changed(server: Server, _: Any) -> None:
    for document in server.state.documents.by_uri.values():
        server.state.load(document.path)  # a project file may be new
    server.publish_soon()


# requests about a place or a file


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
    items = suppression_completion.items(comment, *project_and_file, offset)
    return completion_list(document.file, offset, items, client)


def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    cursor = server.place(params)
    return hover(*cursor, server.state.documents) if cursor is not None else None


def _code_actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    project_and_file = server.file_of(params.text_document.uri)
    if project_and_file is None:
        return None
    project, file = project_and_file
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


def _formatting(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    project_and_file = server.file_of(params.text_document.uri)
    if project_and_file is None:
        return None
    _, file = project_and_file
    return _text_edits(server, file, formatting_edits(file))


def _range_formatting(
    server: Server, params: types.DocumentRangeFormattingParams
) -> list[types.TextEdit] | None:
    project_and_file = server.file_of(params.text_document.uri)
    if project_and_file is None:
        return None
    _, file = project_and_file
    return _text_edits(server, file, range_formatting_edits(file, *server.offsets(file, params.range)))


def _text_edits(server: Server, file: SourceFile, edits: list[Edit] | str) -> list[types.TextEdit]:
    """Return edits in the form of the protocol; a sentence why there are none goes to the editor's log."""
    if isinstance(edits, str):
        message = f"{file.name} is not changed. {edits}"
        server.window_log_message(types.LogMessageParams(types.MessageType.Info, message))
        return []
    return server.state.documents.text_edits(file, edits)


def _folding(server: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    project_and_file = server.file_of(params.text_document.uri)
    return folding_ranges(project_and_file[1], server.fold_limit) if project_and_file is not None else None


def _document_links(server: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    project_and_file = server.file_of(params.text_document.uri)
    if project_and_file is None:
        return None
    return list(document_links(*project_and_file, server.state.documents))


def _inlay_hints(server: Server, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    project_and_file = server.file_of(params.text_document.uri)
    if project_and_file is None:
        return None
    project, file = project_and_file
    start, end = server.offsets(file, params.range)
    return inlay_hints(project, file, start, end, server.hint_kinds, server.state.documents)


async def _document_findings(
    server: Server, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    """Answer after a pause in typing: an editor asks with each key."""
    state, uri = server.state, params.text_document.uri
    if uri in state.documents.by_uri and not state.pulled.includes(uri):
        state.pulled.add(uri)
        server.publish_soon()  # what was published of it before is withdrawn
    state.pulled.waiting.append(uri)
    try:
        await server.pause_in_typing()
        server.file_of(uri)  # raises if it is not known
        findings, previous_id = state.findings_of(uri), params.previous_result_id
        report = document_report(state.pulled, uri, findings, previous_id, state.documents)
    finally:
        state.pulled.waiting.remove(uri)
    return report


async def _workspace_findings(
    server: Server, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    state = server.state
    if not state.pulled.of_workspace:
        state.pulled.of_workspace = True
        server.publish_soon()  # what was published before is withdrawn
    await server.pause_in_typing()
    findings = state.reported_findings()
    return workspace_report(state.pulled, findings, params.previous_result_ids, state.documents)


def _outline(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
    project_and_file = server.file_of(params.text_document.uri)
    if project_and_file is None:
        return None
    project, file = project_and_file
    return navigation.outline(project.tree(file), server.state.documents)


def _symbols(server: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    return [
        symbol
        for project in server.state.up_to_date_projects()
        for symbol in navigation.project_symbols(project, params.query, server.state.documents)
    ]


def _code_lenses(server: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    project_and_file = server.file_of(params.text_document.uri)
    if project_and_file is None:
        return None
    return [
        _code_lens(server, params.text_document.uri, lens) for lens in navigation.lenses(*project_and_file)
    ]


def _code_lens(server: Server, uri: str, lens: navigation.Lens) -> types.CodeLens:
    """Return a lens; if the editor has the command, a click on it lists the places."""
    documents = server.state.documents
    lens_range = documents.range(lens.span)
    if not (server.shows_references and lens.places):
        return types.CodeLens(lens_range, types.Command(lens.title, ""))
    places = list(map(documents.location, lens.places))
    command = types.Command(lens.title, _SHOW_REFERENCES, arguments=[uri, lens_range.start, places])
    return types.CodeLens(lens_range, command)


# requests about ids and traits


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
    project_and_target = _occurrence_under_cursor(server, params)
    if project_and_target is None:
        return None
    definitions = navigation.definitions_of(*project_and_target)
    return [server.state.documents.location(definition.span) for definition in definitions]


def _references(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    project_and_target = _occurrence_under_cursor(server, params)
    if project_and_target is None:
        return None
    project, target = project_and_target
    occurrences = project.places_of(target, with_definitions=params.context.include_declaration)
    return [server.state.documents.location(occurrence.span) for occurrence in occurrences]


def _highlight(server: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
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
    project_and_target = _occurrence_under_cursor(server, params)
    if project_and_target is None or not navigation.definitions_of(*project_and_target):
        raise _request_failed("There is no id or trait of the project here.")
    _, target = project_and_target
    return types.PrepareRenamePlaceholder(server.state.documents.range(target.span), target.word)


def _rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit:
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


_ANY_FILE = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**"), scheme="file")]
)
"""Files and folders that the editor itself moves or deletes: watchers do not report what is in a folder."""

_FILE_OPERATIONS = (types.WORKSPACE_DID_DELETE_FILES, types.WORKSPACE_DID_RENAME_FILES)

_NOTIFICATIONS: dict[str, Any] = {
    types.INITIALIZE: _initialize,
    types.INITIALIZED: _initialized,
    types.SHUTDOWN: _shut_down,
    types.EXIT: _exit,
    types.TEXT_DOCUMENT_DID_OPEN: _opened,
    types.TEXT_DOCUMENT_DID_CHANGE: _changed,
    types.TEXT_DOCUMENT_DID_CLOSE: _closed,
    types.TEXT_DOCUMENT_DID_SAVE: _saved,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: _configuration_changed,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: _files_changed,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: _folders_changed,
    **dict.fromkeys(_FILE_OPERATIONS, _files_changed),
}

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
        _code_actions,
    ),
    (types.TEXT_DOCUMENT_FORMATTING, None, _formatting),
    (types.TEXT_DOCUMENT_RANGE_FORMATTING, None, _range_formatting),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, None, _folding),
    (types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkOptions(), _document_links),
    (types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(), _inlay_hints),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, _outline),
    (types.WORKSPACE_SYMBOL, None, _symbols),
    (types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(), _code_lenses),
    (types.TEXT_DOCUMENT_DEFINITION, None, _definition),
    (types.TEXT_DOCUMENT_REFERENCES, None, _references),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, None, _highlight),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, None, _prepare_rename),
    (types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True), _rename),
)
"""The requests with their options and handlers."""


def start() -> int:
    """Serve one editor until it exits; return the exit status, 1 if there was no shutdown request."""
    if sys.stdin.isatty():
        sys.stderr.write(_STARTED_BY_HAND)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="opforge lsp: %(message)s")
    for log_handler in logging.getLogger().handlers:
        log_handler.addFilter(_is_unexpected)
    signal.signal(signal.SIGINT, _exit_on_interrupt)
    server = Server()
    for method, handler in _NOTIFICATIONS.items():
        server.feature(method, _ANY_FILE if method in _FILE_OPERATIONS else None)(handler)
    for method, options, handler in REQUESTS:
        server.feature(method, options)(handler)
    stdin = BoundedInput(sys.stdin.buffer)
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with redirect_stdout(sys.stderr):  # anything printed would break the protocol
        server.start_io(stdin=cast("BinaryIO", stdin), stdout=output)
    return 1 if stdin.refused or (server.got_exit and not server.got_shutdown) else 0


def _is_unexpected(record: logging.LogRecord) -> bool:
    """Whether a record belongs in the log: why a request failed is in its answer."""
    if str(record.msg).startswith("Unable to deserialize message"):
        return False
    return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))


def _exit_on_interrupt(_number: int, _frame: object) -> None:
    """Exit at once on Ctrl-C: pygls would wait for the editor's next message, and no file is half written."""
    os._exit(130)
