"""Wrong requests, kinds of code actions, edits with versions, folders that come and go."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor import Editor
from tests.lsp.test_editor import applied
from toolkit.apps.lsp.editor_findings import FIX_ALL, WantedKinds

HOVER, HINTS, SYMBOLS = "textDocument/hover", "textDocument/inlayHint", "workspace/symbol"
INITIALIZE: dict[str, Any] = {"id": "hello", "method": "initialize", "params": {"capabilities": {}}}


def at(uri: str, line: Any) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": 0}}


def part(uri: str, line: int) -> dict[str, Any]:
    """A range of one line."""
    start, end = {"line": line, "character": 0}, {"line": line + 1, "character": 0}
    return {"textDocument": {"uri": uri}, "range": {"start": start, "end": end}}


def answers(*messages: Any) -> tuple[dict[Any, Any], int]:
    """What a server answers to each id, and its exit status."""
    written = [json.dumps({"jsonrpc": "2.0", **one}) if isinstance(one, dict) else one for one in messages]
    sent = "".join(f"Content-Length: {len(one.encode())}\r\n\r\n{one}" for one in written)
    command = [sys.executable, "-m", "toolkit", "lsp"]
    done = subprocess.run(command, input=sent.encode(), capture_output=True, timeout=60, check=False)
    received = [json.loads(part[part.index("{") : part.rindex("}") + 1]) for part in parts_of(done.stdout)]
    return {one["id"]: one for one in received if "id" in one}, done.returncode


def parts_of(out: bytes) -> list[str]:
    return out.decode().split("Content-Length: ")[1:]


def test_a_wrong_request_is_answered_with_an_error_and_the_server_goes_on(project: Path) -> None:
    uri = (project / "cards.yaml").as_uri()
    wrong: dict[str, tuple[dict[str, Any], int]] = {
        "no parameters": ({"method": HOVER}, -32602),
        "other parameters": ({"method": HOVER, "params": {"x": 1}}, -32602),
        "a list": ({"method": HOVER, "params": []}, -32602),
        "a line that is no number": ({"method": HOVER, "params": at(uri, "a")}, -32602),
        "a negative line": ({"method": HOVER, "params": at(uri, -1)}, -32602),
        "a line behind the end": ({"method": HOVER, "params": at(uri, 9999)}, -32602),
        "a file that is not there": ({"method": HOVER, "params": at("file:///x.yaml", 0)}, -32602),
        "a path that is none": ({"method": "textDocument/completion", "params": at("%%", 0)}, -32602),
        "hints of a file that is not there": ({"method": HINTS, "params": part("file:///x.yaml", 0)}, -32602),
        "hints of a negative range": ({"method": HINTS, "params": part(uri, -3)}, -32602),
        "folds of nothing": ({"method": "textDocument/foldingRange", "params": {}}, -32602),
        "findings, which are not offered": (
            {"method": "textDocument/diagnostic", "params": at(uri, 0)},
            -32601,
        ),
        "no such method": ({"method": "textDocument/nothing", "params": {}}, -32601),
        "no text": ({"method": 5, "params": {}}, -32600),
        "a second beginning": (INITIALIZE, -32600),
        "no such command": ({"method": "workspace/executeCommand", "params": {"command": "x"}}, -32602),
    }
    numbered = [{**message, "id": name} for name, (message, _) in wrong.items()]
    received, status = answers(
        {"id": "early", "method": SYMBOLS, "params": {"query": ""}},
        {"id": "too early", "method": HINTS, "params": part(uri, 0)},
        {"method": "textDocument/didOpen", "params": {}},
        INITIALIZE,
        {"method": "initialized", "params": {}},
        *numbered,
        {"method": "textDocument/didChange", "params": {"contentChanges": 3}},
        "{no json",
        "[1, 2]",
        "3",
        {"id": "on disk", "method": HOVER, "params": at(uri, 0)},
        {"id": "behind the end", "method": HINTS, "params": part(uri, 90_000)},
        {"id": "folds", "method": "textDocument/foldingRange", "params": at(uri, 0)},
        {"id": "links", "method": "textDocument/documentLink", "params": at(uri, 0)},
        {"id": "alive", "method": SYMBOLS, "params": {"query": "viper"}},
        {"id": "bye", "method": "shutdown"},
        {"id": "late", "method": SYMBOLS, "params": {"query": ""}},
        {"method": "exit"},
    )
    assert status == 0
    assert {name: received[name].get("error", {}).get("code") for name in wrong} == {
        name: code for name, (_, code) in wrong.items()
    }
    assert received["early"]["error"]["code"] == received["too early"]["error"]["code"] == -32002
    assert received["late"]["error"]["code"] == -32600
    assert received[None]["error"]["code"] in (-32700, -32600)
    assert "error" not in received["on disk"], "a file that is not open has answers too"
    assert received["behind the end"]["result"] == received["links"]["result"] == []
    assert received["folds"]["result"]
    assert received["alive"]["result"]


# code actions


@pytest.mark.parametrize(
    ("only", "fixes", "all_of_file"),
    [
        (None, True, False),
        ([], True, False),
        (["quickfix"], True, False),
        (["source.fixAll"], False, True),
        (["source.fixAll.opforge"], False, True),
        (["source"], False, True),
        (["source.fixAll.other"], False, False),
        (["source.fix"], False, False),
        (["refactor", "source.organizeImports"], False, False),
        (["quickfix", "source.fixAll"], True, True),
        ([""], True, True),
    ],
)
def test_the_kinds_of_actions(only: list[str] | None, fixes: bool, all_of_file: bool) -> None:
    wanted = WantedKinds(only)
    assert (wanted.includes("quickfix"), wanted.names(FIX_ALL)) == (fixes, all_of_file)


@pytest.fixture(scope="module")
def versioned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Editor, Path]]:
    """An editor that compares versions and counts in bytes, with a copy of the small project."""
    root = Path(shutil.copytree(Path(__file__).parent / "project", tmp_path_factory.mktemp("versions") / "a"))
    editor = Editor(root, versioned=True, encodings=["utf-8", "utf-16"])
    yield editor, root
    assert editor.leave() == 0


def test_an_editor_that_counts_in_bytes(versioned: tuple[Editor, Path]) -> None:
    editor, root = versioned
    assert editor.answer.capabilities.position_encoding == "utf-8"
    uri = editor.open(root / "operators.yaml")
    text = (root / "operators.yaml").read_text(encoding="utf-8").replace("+2 AP", "+2 APP")
    editor.write(uri, text)
    (finding,) = editor.until(uri, "unknown-stat")
    line = next(line for line in text.split("\n") if "APP" in line)
    before = line[: line.index("APP")]
    assert finding.range.start.character == len(before.encode())
    editor.close(uri)
    editor.until(uri)


def actions(editor: Editor, uri: str, place: types.Range, *only: str) -> list[types.CodeAction]:
    context = types.CodeActionContext([], only=list(only))
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
    return list(editor.wait(editor.client.text_document_code_action_async(params)) or [])  # type: ignore[arg-type]


def document_edits(edit: types.WorkspaceEdit | None) -> list[types.TextDocumentEdit]:
    assert edit is not None
    assert edit.changes is None
    return [one for one in edit.document_changes or () if isinstance(one, types.TextDocumentEdit)]


def test_all_safe_fixes_of_a_file_at_once_and_edits_name_their_version(
    versioned: tuple[Editor, Path],
) -> None:
    editor, root = versioned
    text = (root / "operators.yaml").read_text(encoding="utf-8")
    uri = editor.open(root / "operators.yaml")
    wrong = text.replace("when attacking", "when atacking", 1).replace("kind: operator", "kindd: operator", 1)
    editor.write(uri, wrong, 7)
    editor.wait_for_some(uri)  # one may hide the other, and is fixed all the same
    anywhere = types.Range(types.Position(0, 0), types.Position(0, 0))
    (action,) = actions(editor, uri, anywhere, "source.fixAll")
    assert action.kind == "source.fixAll.opforge"
    (edit,) = document_edits(action.edit)
    assert (edit.text_document.uri, edit.text_document.version) == (uri, 7)
    edits = [one for one in edit.edits if isinstance(one, types.TextEdit)]
    assert applied(wrong, edits) == text
    assert all(one.kind == "quickfix" for one in actions(editor, uri, editor.findings[uri][0].range))
    assert actions(editor, uri, anywhere, "source.organizeImports") == []
    editor.write(uri, text, 8)
    editor.until(uri)
    assert actions(editor, uri, anywhere, "source.fixAll") == []
    line = next(number for number, line in enumerate(text.split("\n")) if "id: viper" in line)
    place = editor.at(uri, line, text.split("\n")[line].index("viper"))
    renamed = editor.wait(
        editor.client.text_document_rename_async(types.RenameParams(new_name="adder", **place))
    )
    versions = {one.text_document.uri: one.text_document.version for one in document_edits(renamed)}
    assert versions == {uri: 8, (root / "cards.yaml").as_uri(): None}, "a closed file has no version"
    editor.close(uri)


# folders and files that come and go


def folders_change(
    editor: Editor, added: list[types.WorkspaceFolder], removed: list[types.WorkspaceFolder]
) -> None:
    event = types.WorkspaceFoldersChangeEvent(added, removed)
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))


def test_what_is_removed_has_no_findings_any_more(versioned: tuple[Editor, Path], tmp_path: Path) -> None:
    editor, _ = versioned
    one, other = (
        Path(shutil.copytree(Path(__file__).parent / "project", tmp_path / name)) for name in ("one", "other")
    )
    for root in (one, other):
        text = (root / "cards.yaml").read_text(encoding="utf-8")
        (root / "cards.yaml").write_text(text.replace("+2 AP", "+2 APP"), encoding="utf-8")
    folder, second = (types.WorkspaceFolder(root.as_uri(), root.name) for root in (one, other))
    folders_change(editor, [folder, second], [])
    client, uri = editor.client, (one / "cards.yaml").as_uri()
    editor.until(uri, "unknown-stat")
    editor.until((other / "cards.yaml").as_uri(), "unknown-stat")

    new = editor.open(one / "new.yaml", "cards:\n  - id: x\n    knd: attack\n")
    assert editor.wait_for_some(new)
    editor.close(new)
    editor.until(new)

    editor.open(one / "cards.yaml")
    folders_change(editor, [], [folder])
    editor.until(uri)
    editor.until((other / "cards.yaml").as_uri(), "unknown-stat")
    folders_change(editor, [folder], [])
    editor.until(uri, "unknown-stat")
    editor.close(uri)

    (one / "cards.yaml").unlink()
    client.workspace_did_delete_files(types.DeleteFilesParams([types.FileDelete(uri)]))
    editor.until(uri)
    shutil.rmtree(other)
    client.workspace_did_delete_files(types.DeleteFilesParams([types.FileDelete(other.as_uri())]))
    editor.until((other / "cards.yaml").as_uri())
