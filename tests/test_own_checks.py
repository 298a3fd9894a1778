"""Checks of a team's own: installed functions, each in a process that may do what it wants."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from shutil import copytree

import pytest
from lsprotocol import types

from tests.thoroughness import some
from toolkit import api
from toolkit.apps.lsp.server import Server
from toolkit.diagnostics.catalogue import prevents_use
from toolkit.diagnostics.report import Report
from toolkit.diagnostics.reporters import summary
from toolkit.project import own_checks
from toolkit.project.checks import CheckRequest
from toolkit.project.own_check_process import refusal
from toolkit.resources import help_folder

SMALL = Path(__file__).parent / "projects" / "small"
ENVIRONMENT = Path(__file__).parent / "projects" / "environment"
DAY = "2026-06-01"
LOUD = "cards: [{id: dash, kind: attack, name: 'Dash!', effect: self gets +1 AP.}]\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(own_checks, "environment_folders", lambda: [str(ENVIRONMENT)])
    folder = copytree(SMALL, tmp_path / "small")
    (folder / "more.yaml").write_text(LOUD, encoding="utf-8")
    return folder


def check(project: Path, *names: str, **options: bool) -> Report:
    text = (SMALL / "opforge.yaml").read_text(encoding="utf-8")
    settings = f"{text}checks:\n  plugins: [{', '.join(names)}]\n"
    (project / "opforge.yaml").write_text(settings, encoding="utf-8")
    report = api.check(CheckRequest([(project, None)], DAY, **options))
    assert isinstance(report, Report)
    return report


def own(report: Report) -> list[str]:
    names = ("own-check", "own-advice", "failed-plugin")
    return [f"{one.name} {one.span.text}: {one.message}" for one in report.findings if one.name in names]


def test_what_a_check_finds_is_a_finding_and_is_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = ["own-advice 'Dash!': The name shouts (`loud-names`)."]
    assert own(check(project, "loud-names")) == expected
    monkeypatch.setattr(own_checks, "own_findings", lambda *_: pytest.fail("it is run again"))
    assert own(check(project, "loud-names")) == expected
    without = check(project, "loud-names", plugins=False)
    assert own(without) == []
    assert "Off: plug-in loud-names." in summary(without)
    assert own(check(project, "loud-names", isolated=True)) == []


WRONG = {
    "raises": r"failed: ValueError: no luck \(example_checks\.py, line \d+\)",
    "hangs": "took more than 2 seconds and was stopped",
    "hoards": r"failed: MemoryError \(example_checks\.py, line \d+\)",
    "ends": "ended without an answer",
    "prints": r"failed: SystemExit: 0 \(example_checks\.py, line \d+\)",
    "returns-numbers": r"failed: TypeError: it returns int among its findings, and no OwnFinding.*",
    "of-wrong-types": r"failed: TypeError: `card` of an OwnFinding: expected `str \| null`, got `int` .*",
    "no-such-card": "names the card `nobody`, which does not exist",
    "no-such-module": "cannot be imported: there is no module `no_such_module`",
}


@pytest.mark.parametrize("name", some(list(WRONG), 0, 1))
def test_a_check_that_goes_wrong_is_reported_by_name_and_stops_nothing(
    name: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_checks, "SECONDS", 2.0 if name == "hangs" else 60.0)
    report = check(project, name, "no-such-check")
    failed, *others, missing = [one for one in report.findings if one.name in ("failed-plugin", "own-check")]
    assert re.fullmatch(f"The plug-in `{name}` {WRONG[name]}.", failed.message)
    assert failed.span.text == name
    assert [one.message for one in others] == (
        ["The set is small (`no-such-card`)."] if name == "no-such-card" else []
    )
    assert missing.message.startswith("The plug-in `no-such-check` is not installed")
    assert not prevents_use("failed-plugin")


def test_code_of_the_checked_tree_is_not_run(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copytree(ENVIRONMENT, project / "packages")
    monkeypatch.syspath_prepend(str(project / "packages"))
    tree = project / "packages"
    assert refusal("example_checks:raises", project, []) == (
        "is not run, because its code is in the folder that is checked"
    )
    assert refusal("example_checks:raises", project, [str(tree)]) == "", "an environment in the checkout"
    assert refusal("example_checks:raises", project / "art", []) == ""


def test_only_what_is_installed_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ENVIRONMENT))
    assert own_checks.installed_checks(["loud-names"]) == ()
    assert str(ENVIRONMENT) in sys.path


def test_an_editor_has_them_after_each_save_at_the_place_where_the_card_is_now(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(project, "loud-names", "no-such-check")
    path = project / "more.yaml"

    async def saved() -> Server:
        server, done = Server(), asyncio.Event()
        monkeypatch.setattr(server, "publish_soon", done.set)
        server.state.open(types.TextDocumentItem(path.as_uri(), "yaml", 1, LOUD))
        server.run_own_checks(path.as_uri())
        await asyncio.wait_for(done.wait(), 60)
        return server

    state = asyncio.run(saved()).state

    def places() -> dict[str, list[tuple[object, int]]]:
        messages = {Path(message.uri).name: message.diagnostics for message in state.diagnostics()}
        return {
            name: [
                (one.code, one.range.start.line)
                for one in listed
                if one.code in ("own-advice", "failed-plugin")
            ]
            for name, listed in messages.items()
        }

    lines = (project / "opforge.yaml").read_text("utf-8").count("\n")
    assert places() == {"more.yaml": [("own-advice", 0)], "opforge.yaml": [("failed-plugin", lines - 1)]}
    text = f"# a line more\n{LOUD}"
    state.documents.change(path.as_uri(), 2, [types.TextDocumentContentChangeWholeDocument(text)])
    state.mark_stale()
    assert places()["more.yaml"] == [("own-advice", 1)]
    text = f"# opforge: ignore[own-advice] it may shout\n{LOUD}"
    state.documents.change(path.as_uri(), 3, [types.TextDocumentContentChangeWholeDocument(text)])
    state.mark_stale()
    assert places()["more.yaml"] == []
    path.write_text(text, encoding="utf-8")
    for plugins in (True, False):
        report = check(project, "loud-names", plugins=plugins)
        assert [one.name for one in report.findings if one.span.file.path == path] == [], "nor unused"


def test_the_page_shows_a_check_that_works() -> None:
    page = (help_folder() / "how-to" / "own-checks.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert block is not None
    *_, function = block[1].partition("def ")
    assert function.strip() in (ENVIRONMENT / "example_checks.py").read_text(encoding="utf-8")
    assert f"takes more than {own_checks.SECONDS:.0f} seconds" in page
