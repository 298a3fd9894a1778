"""Half-typed files, files of no project, broken and vanished projects: the server goes on and answers."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from io import BytesIO
from logging.handlers import BufferingHandler
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor import Editor
from tests.thoroughness import THOROUGH
from toolkit.apps.lsp.server import LOG, MAX_HEADER_BYTES, BoundedInput
from toolkit.resources import cards_folder

PROJECT = Path(__file__).parent / "project"


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    """An editor without a folder."""
    editor = Editor()
    yield editor
    assert editor.leave() == 0


def offered(editor: Editor, uri: str, line: int, character: int) -> list[str]:
    asked = types.CompletionParams(**editor.at(uri, line, character))
    found = editor.wait(editor.client.text_document_completion_async(asked))
    return [item.label for item in found.items] if isinstance(found, types.CompletionList) else []


def everything(editor: Editor, uri: str, line: int, character: int) -> None:
    """Ask all that can be asked about a place; that there are answers is what matters."""
    place = editor.at(uri, line, character)
    item = types.TextDocumentIdentifier(uri)
    here = types.Position(line, character)
    backwards = types.Range(types.Position(line + 9, 9999), types.Position(0, 0))
    client = editor.client
    questions: list[Any] = [
        client.text_document_completion_async(types.CompletionParams(**place)),
        client.text_document_hover_async(types.HoverParams(**place)),
        client.text_document_definition_async(types.DefinitionParams(**place)),
        client.text_document_references_async(
            types.ReferenceParams(context=types.ReferenceContext(True), **place)
        ),
        client.text_document_document_highlight_async(types.DocumentHighlightParams(**place)),
        client.text_document_document_symbol_async(types.DocumentSymbolParams(item)),
        client.text_document_code_lens_async(types.CodeLensParams(item)),
        client.text_document_code_action_async(
            types.CodeActionParams(item, types.Range(here, here), types.CodeActionContext([]))
        ),
        client.text_document_formatting_async(
            types.DocumentFormattingParams(item, types.FormattingOptions(2, True))
        ),
        client.text_document_folding_range_async(types.FoldingRangeParams(item)),
        client.text_document_document_link_async(types.DocumentLinkParams(item)),
        client.text_document_inlay_hint_async(types.InlayHintParams(item, backwards)),
        client.text_document_range_formatting_async(
            types.DocumentRangeFormattingParams(item, backwards, types.FormattingOptions(2, True))
        ),
        client.workspace_symbol_async(types.WorkspaceSymbolParams("a")),
    ]
    for question in questions:
        editor.wait(question)


SHIPPED = sorted(cards_folder().rglob("*.yaml"))
ALIKE = ("defence", "effect", "item", "strategy", "iron-badgers", "night-owls", "river-foxes")
SCENARIOS = [path for path in SHIPPED if path.parent.name == "scenarios"]
TYPED = (
    SHIPPED
    if THOROUGH
    else [path for path in SHIPPED if path.stem not in ALIKE and path not in SCENARIOS[1:]]
)
"""In a quick run one file of each sort."""


@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.name)
def test_prefixes_of_the_shipped_files(
    editor: Editor, tmp_path_factory: pytest.TempPathFactory, path: Path
) -> None:
    """A prefix or two of each file.

    ``python -m tests.benchmarks.lsp --prefixes 1`` types all of them.
    """
    root = tmp_path_factory.getbasetemp() / "shipped"
    if not root.exists():
        # of the scenarios, which take half of the time, only the open file is there
        shutil.copytree(cards_folder(), root, ignore=shutil.ignore_patterns("scenarios"))
    text = path.read_text(encoding="utf-8")
    uri = editor.open(root / path.relative_to(cards_folder()), text)
    chance = random.Random(path.name)
    for version, end in enumerate(sorted(chance.sample(range(len(text)), 2 if THOROUGH else 1)), 2):
        editor.write(uri, text[:end], version)
        lines = text[:end].split("\n")
        everything(editor, uri, len(lines) - 1, len(lines[-1]))
    editor.close(uri)


def test_what_is_known_of_other_files_stays(editor: Editor, project: Path) -> None:
    """While one file is torn, ids of the others are offered, and no findings about them are made up."""
    cards, operators = editor.open(project / "cards.yaml"), (project / "operators.yaml").as_uri()
    text = (project / "cards.yaml").read_text(encoding="utf-8")
    torn = text.replace("operators: [viper]", "operators: [")
    editor.write(cards, torn)
    editor.until(cards, *[str(one.code) for one in editor.wait_for_some(cards)])
    line = torn[: torn.index("operators: [")].count("\n")
    assert offered(editor, cards, line, len("    operators: [")) == ["viper", "reynard"]
    assert not editor.findings.get(operators)
    editor.write(cards, text, 3)
    editor.until(cards)


def test_a_file_of_no_project(editor: Editor, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "compose.yaml", "services:\n  web: {}\n")
    everything(editor, uri, 1, 2)
    assert offered(editor, uri, 1, 2) == []
    assert uri not in editor.findings


def test_a_new_file_without_a_name(editor: Editor) -> None:
    uri = editor.open("untitled:Untitled-1", "cards:\n  - id: x\n    kind: attack\n    effect: self \n")
    everything(editor, uri, 3, 17)
    assert "gets" in offered(editor, uri, 3, 17)
    assert {"missing-key", "unfinished-sentence"} <= {str(one.code) for one in editor.wait_for_some(uri)}
    editor.close(uri)
    editor.until(uri)


def test_a_path_of_windows(editor: Editor) -> None:
    uri = editor.open("file:///c%3A/Users/me/My%20cards/attack.yaml", "cards:\n  - ")
    everything(editor, uri, 1, 4)
    assert "id" in offered(editor, uri, 1, 4)


def test_no_sense_at_all(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "cards.yaml")
    for version, text in enumerate(
        ("\0", "\ud83c", "[" * 60, "é" * 3000, "\ufeffcards:\r- id: x", "%", "{{}}: ]"), 2
    ):
        editor.write(uri, text, version)
        everything(editor, uri, 0, 1)
        everything(editor, uri, 0, 99)
    editor.close(uri)
    editor.until(uri)


def test_a_project_file_that_is_broken_and_mended(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "opforge.yaml")
    text = (project / "opforge.yaml").read_text(encoding="utf-8")
    editor.write(uri, text.replace("languages: [en, de]", "languages: [en"))
    assert "unmatched-bracket" in [one.code for one in editor.wait_for_some(uri)]
    everything(editor, uri, 1, 3)
    editor.write(uri, "", 3)
    editor.until(uri, "empty-file")
    editor.write(uri, text, 4)
    editor.until(uri)


def test_a_folder_that_is_removed_while_a_file_of_it_is_open(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "cards.yaml")
    text = (project / "cards.yaml").read_text(encoding="utf-8")
    editor.write(uri, text.replace("+2 AP", "+2 APP"))
    editor.until(uri, "unknown-stat")
    shutil.rmtree(project)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([]))
    editor.until(uri)
    everything(editor, uri, 3, 3)
    assert "id" in offered(editor, uri, 2, 4)


def test_a_project_file_that_comes_later(editor: Editor, project: Path) -> None:
    settings = (project / "opforge.yaml").read_text(encoding="utf-8")
    (project / "opforge.yaml").unlink()
    uri = editor.open(project / "cards.yaml")
    text = (project / "cards.yaml").read_text(encoding="utf-8")
    editor.write(uri, text.replace("+2 AP", "+2 APP"))
    everything(editor, uri, 3, 3)
    assert uri not in editor.findings
    (project / "opforge.yaml").write_text(settings, encoding="utf-8")
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([]))
    editor.until(uri, "unknown-stat")


def test_a_file_that_changes_on_disk(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "operators.yaml")
    rules = project / "rules.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").replace("id: foxes", "id: wolves"), encoding="utf-8")
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([]))
    editor.until(uri, "unknown-team", "unknown-team")


def test_a_text_that_is_too_large_for_a_file(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "cards.yaml")
    editor.write(uri, "cards: []  # " + "ä" * 1_000_000 + "\n")
    editor.until(uri, "file-too-large")
    editor.close(uri)
    editor.until(uri)


def test_two_projects_in_one_window(editor: Editor, tmp_path: Path) -> None:
    """Each has its own ids, and what is wrong in one is not reported in the other."""
    one, other = (Path(shutil.copytree(PROJECT, tmp_path / name)) for name in ("one", "other"))
    uri, same = editor.open(one / "operators.yaml"), editor.open(other / "operators.yaml")
    text = (one / "operators.yaml").read_text(encoding="utf-8")
    editor.write(uri, text.replace("id: viper", "id: adder"))
    editor.until((one / "cards.yaml").as_uri(), "unknown-card", "unknown-card")
    assert not editor.findings.get(same)
    assert not editor.findings.get((other / "cards.yaml").as_uri())
    cards = editor.open(other / "cards.yaml")
    line = (other / "cards.yaml").read_text(encoding="utf-8").split("operators: [")[0].count("\n")
    assert "viper" in offered(editor, cards, line, len("    operators: ["))


def test_a_project_of_no_folder_is_reported_while_a_file_of_it_is_open(editor: Editor, project: Path) -> None:
    cards = project / "cards.yaml"
    cards.write_text(cards.read_text(encoding="utf-8").replace("+2 AP", "+2 APP"), encoding="utf-8")
    uri = editor.open(project / "operators.yaml")
    editor.until(cards.as_uri(), "unknown-stat")
    editor.close(uri)
    editor.until(cards.as_uri())


HEADERS = {
    "large": (b"Content-Length: 100000000000\r\n\r\n{", "A message is announced that is larger"),
    "many digits": (b"Content-Length: " + b"9" * 900 + b"\r\n\r\n", "A message is announced that is larger"),
    "no end": (b"x" * 2000, "A header is longer"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_that_cannot_be_right_is_the_last(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    log = BufferingHandler(10)
    monkeypatch.setattr(LOG, "handlers", [log])
    header, said = HEADERS[name]
    stream = BytesIO(header + b"\r\nContent-Length: 2\r\n\r\n{}")
    bounded = BoundedInput(stream)
    assert [bounded.readline() for _ in range(3)] == [b""] * 3
    assert bounded.refused
    assert stream.tell() <= MAX_HEADER_BYTES, "the server must not wait for the rest"
    (record,) = log.buffer
    assert re.fullmatch(rf"{said} than [0-9,]+ bytes; the server stops\.", record.getMessage())


def test_the_server_stops_at_a_header_that_cannot_be_right() -> None:
    command = [sys.executable, "-m", "toolkit", "lsp"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stderr is not None
        server.stdin.write(HEADERS["no end"][0])
        server.stdin.flush()  # and it stays open: the server must not wait for the rest
        patience = threading.Timer(60, server.kill)
        patience.start()
        said = server.stderr.read().decode()
        patience.cancel()
        server.stdin.close()
        assert server.wait(60) == 1
    assert re.fullmatch(r"opforge lsp: A header is longer than [0-9,]+ bytes; the server stops\.\n", said)


def test_a_refusal_is_no_fault_for_the_log_and_no_goodbye_is_one_for_the_status(project: Path) -> None:
    """Without a goodbye the protocol asks for the status 1; `Editor.leave` sees the 0 after one."""
    uri = (project / "cards.yaml").as_uri()
    hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    text = json.dumps((project / "cards.yaml").read_text(encoding="utf-8"))
    opened = f'{{"uri":"{uri}","languageId":"yaml","version":1,"text":{text}}}'
    place = f'"textDocument":{{"uri":"{uri}"}},"position":{{"line":0,"character":0}}'
    reported = [
        hello,
        f'{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{opened}}}}}',
        f'{{"jsonrpc":"2.0","id":2,"method":"textDocument/rename","params":{{{place},"newName":"b"}}}}',
        '{"jsonrpc":"2.0","method":"exit"}',
    ]
    sent = "".join(f"Content-Length: {len(one.encode())}\r\n\r\n{one}" for one in reported)
    command = [sys.executable, "-m", "toolkit", "lsp"]
    done = subprocess.run(command, input=sent.encode(), capture_output=True, timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith(b"Content-Length")
    assert b"There is no id" in done.stdout
    assert b"Traceback" not in done.stderr, done.stderr
