"""Findings for an editor that asks for them: once, those of now, and those of other files too."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from tests.lsp.editor import PATIENCE, Editor
from tests.lsp.in_process import Asked
from tests.lsp.test_incremental import edited
from tests.thoroughness import share, some
from toolkit.apps.lsp.editor_documents import Documents
from toolkit.apps.lsp.editor_findings import published_diagnostics
from toolkit.apps.lsp.pulled_findings import PulledFindings, document_report, workspace_report
from toolkit.diagnostics import Diagnostic
from toolkit.source import SourceFile

MISSPELT = ("+2 AP", "+2 APP")


class Asking(Editor):
    """An editor that asks for findings, and can be told to ask again."""

    def __init__(self, *folders: Path) -> None:
        self.refreshed = threading.Semaphore(0)
        super().__init__(*folders, pulls=True)

    def _add_features(self) -> None:
        super()._add_features()
        self.client.feature(types.WORKSPACE_DIAGNOSTIC_REFRESH)(lambda _: self.refreshed.release())

    def ask(self, uri: str, previous: str | None = None) -> types.DocumentDiagnosticReport:
        item = types.TextDocumentIdentifier(uri)
        params = types.DocumentDiagnosticParams(item, previous_result_id=previous)
        return self.wait(self.client.text_document_diagnostic_async(params))

    def ask_all(self, *previous: types.PreviousResultId) -> types.WorkspaceDiagnosticReport:
        params = types.WorkspaceDiagnosticParams(list(previous))
        return self.wait(self.client.workspace_diagnostic_async(params))


@pytest.fixture(scope="module")
def asking() -> Iterator[Asking]:
    """An editor without a folder, which has findings of a project while a file of it is open."""
    editor = Asking()
    yield editor
    assert editor.leave() == 0


def codes(report: object) -> list[str]:
    assert isinstance(
        report, (types.RelatedFullDocumentDiagnosticReport, types.WorkspaceFullDocumentDiagnosticReport)
    )
    return [str(finding.code) for finding in report.items]


def test_an_open_file_is_asked_for_and_not_published(asking: Asking, project: Path) -> None:
    provider = asking.answer.capabilities.diagnostic_provider
    assert isinstance(provider, types.DiagnosticOptions)
    assert provider.inter_file_dependencies
    assert provider.workspace_diagnostics
    uri = asking.open(project / "cards.yaml")
    text = (project / "cards.yaml").read_text(encoding="utf-8")
    first = asking.ask(uri)
    assert codes(first) == []
    assert first.result_id is not None
    assert isinstance(asking.ask(uri, first.result_id), types.RelatedUnchangedDocumentDiagnosticReport)
    asking.write(uri, text.replace(*MISSPELT))
    second = asking.ask(uri, first.result_id)
    assert codes(second) == ["unknown-stat"]
    unchanged = asking.ask(uri, second.result_id)
    assert isinstance(unchanged, types.RelatedUnchangedDocumentDiagnosticReport)
    assert unchanged.result_id == second.result_id
    assert codes(asking.ask(uri, "of another server")) == ["unknown-stat"]
    asking.write(uri, "# one line more\n" + text.replace(*MISSPELT), 3)
    third = asking.ask(uri, second.result_id)
    assert codes(third) == ["unknown-stat"], "it has moved"
    assert not asking.findings.get(uri)
    asking.close(uri)
    asking.until(uri)


def test_a_change_in_one_file_lets_the_editor_ask_for_another(asking: Asking, project: Path) -> None:
    cards, rules = asking.open(project / "cards.yaml"), asking.open(project / "rules.yaml")
    operators = (project / "operators.yaml").as_uri()
    assert codes(asking.ask(cards)) == codes(asking.ask(rules)) == []
    text = (project / "rules.yaml").read_text(encoding="utf-8")
    asking.write(rules, text.replace("id: foxes", "id: wolves"))
    asking.ask(rules)
    assert asking.refreshed.acquire(timeout=PATIENCE)
    assert codes(asking.ask(cards)) == ["unknown-team"]
    asking.until(operators, "unknown-team", "unknown-team")  # it is not open, so it is published
    asking.write(rules, text, 3)
    assert asking.refreshed.acquire(timeout=PATIENCE)
    assert codes(asking.ask(cards)) == []
    asking.until(operators)


def test_all_files_of_the_workspace(project: Path) -> None:
    asking = Asking(project)
    cards = project / "cards.yaml"
    text = cards.read_text(encoding="utf-8")
    uri = asking.open(cards)
    asking.write(uri, text.replace(*MISSPELT))
    asking.until(uri, "unknown-stat")
    (report,) = asking.ask_all().items
    assert (report.uri, report.version, codes(report)) == (uri, 2, ["unknown-stat"])
    asking.until(uri)  # what was published is withdrawn: the editor has it from its answer
    known = types.PreviousResultId(uri, report.result_id or "")
    (again,) = asking.ask_all(known).items
    assert isinstance(again, types.WorkspaceUnchangedDocumentDiagnosticReport)
    asking.write(uri, text, 3)
    (mended,) = asking.ask_all(known).items
    assert codes(mended) == []
    assert not asking.ask_all().items
    assert asking.leave() == 0


def test_a_file_of_no_project_and_one_that_is_closed(asking: Asking, tmp_path: Path) -> None:
    uri = asking.open(tmp_path / "compose.yaml", "services: {}\n")
    assert codes(asking.ask(uri)) == []
    unsaved = asking.open("untitled:Untitled-1", "cards:\n  - {id: a, kind: atack}\n")
    assert "unknown-kind" in codes(asking.ask(unsaved))
    asking.close(unsaved)
    assert codes(asking.ask(unsaved)) == [], "an editor asks a last time"
    assert codes(asking.ask("file:///nowhere/x.yaml")) == []


def test_a_request_that_is_withdrawn_while_it_waits(asking: Asking, project: Path) -> None:
    uri = asking.open(project / "cards.yaml")
    text = (project / "cards.yaml").read_text(encoding="utf-8")
    item = types.TextDocumentIdentifier(uri)
    for version in range(2, 6):
        asking.write(uri, text.replace(*MISSPELT), version)
        answer = asking.client.protocol.send_request(
            types.TEXT_DOCUMENT_DIAGNOSTIC, types.DocumentDiagnosticParams(item), msg_id=f"asked {version}"
        )
        asking.client.cancel_request(types.CancelParams(f"asked {version}"))
        with pytest.raises(JsonRpcRequestCancelled):
            answer.result(PATIENCE)
    assert codes(asking.ask(uri)) == ["unknown-stat"]
    asking.close(uri)
    asking.until(uri)


def test_an_editor_that_cannot_be_told_to_ask_again_is_not_asked_to(shared: tuple[Editor, Path]) -> None:
    editor, _ = shared
    assert editor.answer.capabilities.diagnostic_provider is None


# without a connection


class Pulling(Asked):
    """An editor that asks for its open files, after each edit for the one that was edited."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.published: dict[str, list[types.Diagnostic]] = {}
        self.pulled: dict[str, tuple[str | None, list[types.Diagnostic]]] = {}

    def ask(self, uri: str) -> None:
        state = self.server.state
        state.pulled.add(uri)
        known_id, known = self.pulled.get(uri, (None, []))
        report = document_report(state.pulled, uri, state.findings_of(uri), known_id, state.documents)
        is_full = isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        self.pulled[uri] = report.result_id, list(report.items) if is_full else known  # type: ignore[union-attr]

    def pause(self) -> None:
        """What is published after a pause in typing; told to ask again, the editor does."""
        state = self.server.state
        self.published |= {message.uri: list(message.diagnostics) for message in state.diagnostics()}
        if state.pulled.take_changes(state.reported_findings()):
            for uri in self.pulled:
                self.ask(uri)

    def close(self, uri: str) -> None:
        self.pulled.pop(uri)
        self.server.state.mark_stale(self.server.state.close(uri))

    def shown(self) -> dict[str, list[str]]:
        """All that the editor shows, wherever it has it from."""
        shown: dict[str, list[str]] = {}
        pulled = {uri: findings for uri, (_, findings) in self.pulled.items()}
        for uri, findings in (*self.published.items(), *pulled.items()):
            shown.setdefault(uri, []).extend(map(repr, findings))
        return {uri: sorted(findings) for uri, findings in shown.items() if findings}


@pytest.mark.parametrize("seed", some(range(2), 0))
def test_each_finding_is_shown_once_whoever_asked(project: Path, seed: int) -> None:
    chance = random.Random(f"pulled {seed}")
    editor = Pulling(project)
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(project.glob("*.yaml"))}
    unsaved = "cards:\n  - {id: viper, kind: attack, name: A, effect: self gets +0 AP.}\n"
    for step in range(share(200)):
        path = chance.choice(list(texts))
        uri = path.as_uri()
        match chance.randrange(4):
            case 0 if editor.pulled:
                editor.close(chance.choice(list(editor.pulled)))
            case 1:
                editor.open("untitled:1", unsaved)
                editor.ask("untitled:1")
            case _:
                text = texts[path] if chance.random() < 0.4 else edited(texts[path], chance)
                if uri not in editor.pulled:
                    editor.open(path, text)
                editor.write(uri, text)
                editor.ask(uri)
        editor.pause()
        state = editor.server.state
        expected = {
            uri: sorted(map(repr, published_diagnostics(findings, state.documents)))
            for uri, findings in state.reported_findings().items()
        }
        assert editor.shown() == expected, (seed, step)


FILE = SourceFile(Path("/a.yaml"), "a.yaml", "cards: x\n")
URI = "file:///a.yaml"


def finding(start: int) -> Diagnostic:
    return Diagnostic("adds-nothing", "It adds nothing.", FILE.span(start, start + 1))


def test_the_editor_is_told_of_each_change_once() -> None:
    pulled = PulledFindings()
    assert not pulled.take_changes({URI: [finding(0)]}), "it has not asked for the file"
    pulled.add(URI)
    assert pulled.take_changes({URI: [finding(0)]})
    assert not pulled.take_changes({URI: [finding(0)]})
    pulled.waiting.append(URI)
    assert not pulled.take_changes({URI: [finding(1)]}), "it waits for an answer"
    pulled.waiting.remove(URI)
    assert pulled.take_changes({})
    pulled.forget(URI)
    assert not pulled.take_changes({URI: [finding(0)]})


def test_an_answer_is_known_by_its_id_while_the_findings_are_the_same() -> None:
    pulled = PulledFindings()
    first, is_known = pulled.answer(URI, [finding(0)], None)
    assert not is_known
    assert pulled.answer(URI, [finding(0)], first) == (first, True)
    second, is_known = pulled.answer(URI, [finding(1)], first)
    assert (second != first, is_known) == (True, False)
    none, is_known = pulled.answer(URI, [], second)
    assert not is_known
    assert pulled.answer(URI, [], none) == (none, True)
    report = workspace_report(pulled, {}, [types.PreviousResultId("file:///gone.yaml", "7")], Documents())
    assert [(one.uri, codes(one)) for one in report.items] == [("file:///gone.yaml", [])]
