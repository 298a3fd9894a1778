"""``opforge check --fix`` and ``--diff``: what is written, what is reported, and how it ends."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.data.projects import CARDS, PLAY, write
from toolkit.apps.cli import run

BOLD = """\
cards:
  - id: bold
    kind: attack
    name: Bold
    effect: when attacking, if SQUADPIONTS of self > 3, self gets +2AP.  # loud
    quantitty: 2
  - id: shy
    kind: attack
    name: Shy
    effect: %s
"""
SURE = 'when attacking, if number of own OPERATORs with trait "sniper" > 1, self gets +2 AP and +1 MP.'
UNSURE = 'when attacking, if number of own OPERATORs with trait "sniper" > 1, self gets 2 AP and +1 MP.'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with three mistakes that can be mended for certain."""
    write(tmp_path, {"cards.yaml": CARDS, "play.yaml": PLAY, "bold.yaml": BOLD % SURE})
    monkeypatch.chdir(tmp_path)
    return tmp_path


RIGHT = BOLD.replace("SQUADPIONTS", "SQUADPOINTS").replace("+2AP.", "+2 AP.").replace("quantitty", "quantity")


def test_what_is_certain_is_mended_and_reported(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--fix"]) == 1, "a comment behind an effect is still a mistake"
    assert (project / "bold.yaml").read_text() == RIGHT % SURE
    out = capsys.readouterr().out
    assert "Fixed bold.yaml:6:5: unknown-key, quantitty → quantity\n" in out
    assert "Fixed bold.yaml:5:67: glued-number, +2AP → +2 AP\n" in out
    assert "error[swallowed-by-comment]" in out


def test_the_status_is_0_when_nothing_is_left(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "bold.yaml").write_text((BOLD % SURE).replace("  # loud", ""))
    assert run(["check", "--fix"]) == 0
    assert run(["check"]) == 0
    assert capsys.readouterr().out.startswith("Fixed bold.yaml")


def test_a_difference_is_shown_and_nothing_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--diff"]) == 1
    reported = capsys.readouterr()
    assert (project / "bold.yaml").read_text() == BOLD % SURE
    assert reported.out.startswith("--- bold.yaml\n+++ bold.yaml\n")
    assert "+    quantity: 2\n" in reported.out
    assert "3 findings would be fixed, 1 finding would remain." in reported.err


def test_what_is_not_certain_is_mended_only_when_asked_for(project: Path) -> None:
    (project / "bold.yaml").write_text(BOLD % UNSURE)
    run(["check", "--fix"])
    assert (project / "bold.yaml").read_text() == RIGHT % UNSURE
    run(["check", "--fix", "--unsafe-fixes"])
    assert (project / "bold.yaml").read_text() == RIGHT % SURE


def test_only_what_would_be_reported_is_mended(project: Path) -> None:
    run(["check", "--fix", "--only", "unknown-key"])
    assert (project / "bold.yaml").read_text() == (BOLD % SURE).replace("quantitty", "quantity")
    (project / "bold.yaml").write_text(BOLD % SURE)
    run(["check", "--fix", "play.yaml"])
    run(["check", "--fix", "--card", "shy"])
    assert (project / "bold.yaml").read_text() == BOLD % SURE


def test_what_a_comment_keeps_back_is_not_mended(project: Path) -> None:
    text = (BOLD % SURE).replace(
        "    quantitty", "    # opforge: ignore[unknown-key] on purpose\n    quantitty"
    )
    (project / "bold.yaml").write_text(text)
    run(["check", "--fix"])
    assert "quantitty" in (project / "bold.yaml").read_text()


@pytest.mark.usefixtures("project")
def test_the_report_for_programs_stays_clean(capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", "--fix", "--format", "json"])
    reported = capsys.readouterr()
    assert [one["name"] for one in json.loads(reported.out)["findings"]] == ["swallowed-by-comment"]
    assert "Fixed bold.yaml" in reported.err


def test_a_read_only_file_stays_and_is_reported(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "bold.yaml").chmod(0o444)
    assert run(["check", "--fix"]) == 2
    reported = capsys.readouterr()
    assert "bold.yaml is read-only; it was not changed." in reported.err
    assert "Fixed" not in reported.out
    assert (project / "bold.yaml").read_text() == BOLD % SURE


def test_wrong_use(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["check", "--unsafe-fixes"]) == 2
    for option, status in (("--fix", 2), ("--diff", 1)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((BOLD % SURE).encode())))
        assert run(["check", option, "-", "--stdin-filename", "bold.yaml"]) == status
    assert (project / "bold.yaml").read_text() == BOLD % SURE
