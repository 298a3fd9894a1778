"""A baseline: what an old set had is not told, what is new is, and what is gone leaves it for good."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree

import pytest

from toolkit.apps.cli import run

SMALL = Path(__file__).parent.parent / "projects" / "small"
Capture = pytest.CaptureFixture[str]
NAME = "ep-when-attacking"
ONE = "when attacking, self gets +1 EP."
NAMES = [NAME, "unknown-stat", "stale-baseline", "unused-trait", "wrong-indentation", "missing-reason"]
ONLY = [word for name in NAMES for word in ("--only", name)]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small project as ``small`` in the current folder; the baseline is beside it."""
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return copytree(SMALL, tmp_path / "small")


def write(*effects: str, above: str = "") -> None:
    cards = [
        f"  - id: dash-{number}\n    kind: attack\n    name: {{en: D, de: D}}\n    effect: {effect}\n"
        for number, effect in enumerate(effects, 1)
    ]
    Path("small/more.yaml").write_text(f"{above}cards:\n{''.join(cards)}", encoding="utf-8")


def check(capsys: Capture, *arguments: str) -> tuple[int, list[str], str]:
    """Exit status, names of the findings told, and the last line."""
    status = run(["check", "small", "--format", "concise", *ONLY, "--baseline", "old.json", *arguments])
    out = capsys.readouterr().out
    return status, re.findall(r"^\S+: \w+\[([a-z-]+)\]", out, re.MULTILINE), out.splitlines()[-1]


def known() -> list[tuple[str, str]]:
    """Name and card of what the baseline holds."""
    data = json.loads(Path("old.json").read_text("utf-8"))
    assert data["version"] == 1
    assert {entry["project"] for entry in data["findings"]} <= {"small"}
    return [(entry["name"], entry["card"]) for entry in data["findings"]]


def test_a_check_is_adopted_on_an_old_set(capsys: Capture) -> None:
    write(ONE, "self gets +1 XP.")
    status, told, summary = check(capsys, "--update-baseline")
    assert (status, told) == (0, [])
    assert summary == "No findings: 6 cards in 4 files checked. Hidden: 2 in the baseline."
    assert known() == [(NAME, "dash-1"), ("unknown-stat", "dash-2")]
    assert check(capsys)[:2] == (0, [])


def test_lines_may_move_and_files_be_renamed(capsys: Capture) -> None:
    write(ONE, ONE)
    check(capsys, "--update-baseline")
    write(f"|\n      # a remark\n      {ONE}", ONE, above="# moved\n\n\n")
    Path("small/more.yaml").rename("small/other.yaml")
    assert check(capsys)[:2] == (0, [])


def test_what_is_new_is_told_and_taken_in_only_on_request(capsys: Capture) -> None:
    write(ONE)
    check(capsys, "--update-baseline")
    write(ONE, ONE, f"{ONE} self gets +1 XP.")
    for _ in range(2):
        status, told, _ = check(capsys)
        assert (status, sorted(told)) == (1, [NAME, "unknown-stat"])
    assert known() == [(NAME, "dash-1")]
    assert check(capsys, "--update-baseline")[:2] == (0, [])
    assert len(known()) == 3
    assert check(capsys)[:2] == (0, [])


def test_parts_are_added_and_the_rest_stays() -> None:
    write(ONE, ONE, "self gets +1 XP.")
    cards = Path("small/more.yaml").read_text("utf-8")
    Path("small/others.yaml").write_text(cards.replace("dash-", "duck-"), encoding="utf-8")
    update = ["--baseline", "old.json", "--update-baseline"]
    assert run(["check", "small/more.yaml", *update, "--only", NAME]) == 0
    assert known() == [(NAME, "dash-1"), (NAME, "dash-2")]
    assert run(["check", "small/others.yaml", *update, "--only", "unknown-stat"]) == 0
    assert known() == [(NAME, "dash-1"), (NAME, "dash-2"), ("unknown-stat", "duck-3")]
    write(ONE)
    assert run(["check", "small", *update, "--only", "unknown-stat"]) == 0
    assert known() == [(NAME, "dash-1"), (NAME, "dash-2"), ("unknown-stat", "duck-3")]
    assert run(["check", "small/more.yaml", *update, "--only", NAME]) == 0
    assert known() == [(NAME, "dash-1"), ("unknown-stat", "duck-3")]


def test_more_findings_than_are_listed_are_taken_in(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolkit.diagnostics.report.MAX_IN_FILE", 10)
    write(*["self gets +1 XP."] * 15)
    status, told, summary = check(capsys, "--update-baseline")
    assert (status, told) == (0, [])
    assert summary.endswith("Hidden: 15 in the baseline.")
    assert check(capsys)[:2] == (0, [])


def test_there_is_a_limit(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("diagnostics.baseline", "project.checks"):
        monkeypatch.setattr(f"toolkit.{module}.MAX_ENTRIES", 2)
    write(ONE, ONE)
    assert check(capsys, "--update-baseline")[0] == 0
    before = Path("old.json").read_bytes()
    write(ONE, ONE, ONE)
    assert run(["check", "small", "--baseline", "old.json", "--update-baseline", *ONLY]) == 2
    assert "a baseline holds at most 2 findings" in capsys.readouterr().err
    assert Path("old.json").read_bytes() == before


def test_a_second_mistake_of_the_same_kind_in_one_card_is_new(capsys: Capture) -> None:
    write(ONE)
    check(capsys, "--update-baseline")
    write(f"{ONE} {ONE}")
    assert check(capsys)[1] == [NAME]


def test_what_is_gone_is_told_until_it_is_taken_out(capsys: Capture) -> None:
    write(ONE, ONE)
    check(capsys, "--update-baseline")
    write(ONE)
    status, told, _ = check(capsys)
    assert (status, told) == (0, ["stale-baseline"])
    assert check(capsys, "--strict")[0] == 1
    run(["check", "small", "--baseline", "old.json", "--format", "json", "--only", "stale-baseline"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["file"], finding["line"]) == ("old.json", 5)
    assert "dash-2" in Path("old.json").read_text("utf-8").splitlines()[4]
    assert check(capsys, "--update-baseline")[:2] == (0, [])
    assert known() == [(NAME, "dash-1")]
    write(ONE, ONE)
    assert check(capsys)[1] == [NAME]


def test_what_an_error_may_hide_stays_in(capsys: Capture) -> None:
    write(ONE, "self gets +1 MP.")
    check(capsys, "--update-baseline")
    write("when attacking, self gets +1 EP. self gets +1 XP.", "self gets +1 MP.")
    check(capsys, "--update-baseline")
    Path("small/more.yaml").write_text("cards:\n  - id: x\n   kind: y\n", encoding="utf-8")
    assert check(capsys, "--update-baseline")[:2] == (0, [])
    assert set(known()) >= {(NAME, "dash-1")}


def test_a_project_that_is_not_checked_stays_in(project: Path, capsys: Capture) -> None:
    write(ONE)
    check(capsys, "--update-baseline")
    copytree(project, project.parent / "second")
    arguments = ["check", "second", "--baseline", "old.json", "--update-baseline", *ONLY]
    assert run(arguments) == 0
    assert "Hidden: 1 in the baseline" in capsys.readouterr().out
    data = json.loads(Path("old.json").read_text("utf-8"))
    assert [entry["project"] for entry in data["findings"]] == ["second", "small"]


def test_only_the_adopted_check_may_be_taken_in(capsys: Capture) -> None:
    write(ONE, "self gets +1 XP.")
    run(["check", "small", "--baseline", "old.json", "--update-baseline", "--only", "unknown-stat"])
    capsys.readouterr()
    assert known() == [("unknown-stat", "dash-2")]
    assert check(capsys)[1] == [NAME]


def test_findings_about_suppressions_are_not_taken_in(capsys: Capture) -> None:
    write(f"{ONE}  # opforge: ignore[{NAME}]")
    _, told, summary = check(capsys, "--update-baseline")
    assert told == ["missing-reason"]
    assert summary.endswith("Hidden: 1 suppressed by comments.")
    assert known() == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "old.json is not a baseline: it is not JSON."),
        (b"{", "old.json is not a baseline: it is not JSON."),
        (b"[" * 100_000, "old.json is not a baseline: it is not JSON."),
        (b"\xff", "is not UTF-8"),
        (b"[]", "old.json is not a baseline of this version of opforge."),
        (b'{"version": 2, "findings": []}', "old.json is not a baseline of this version of opforge."),
        (
            b'{"version": 1, "findings": [{"name": "x"}]}',
            "its finding 1 lacks a project, name or fingerprint",
        ),
        (b'{"version": 1, "findings": [7]}', "its finding 1 lacks a project, name or fingerprint"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused_and_left_alone(
    content: bytes, says: str, capsys: Capture
) -> None:
    Path("old.json").write_bytes(content)
    assert run(["check", "small", "--baseline", "old.json", "--update-baseline"]) == 2
    assert says in capsys.readouterr().err
    assert Path("old.json").read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--update-baseline"], "--update-baseline needs --baseline FILE."),
        (["--baseline", ""], "--baseline needs the name of a file."),
        (["--baseline", "none.json"], "there is no file none.json; --update-baseline creates it"),
        (["--baseline", "no/old.json", "--update-baseline"], "there is no folder no"),
        (["--baseline", "small", "--update-baseline"], "small is a folder"),
        (["--baseline", "small/new.yaml", "--update-baseline"], "would be read as a card file"),
        (["--baseline", "small/cards.yaml", "--update-baseline"], "small/cards.yaml is not a baseline"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], says: str, capsys: Capture) -> None:
    assert run(["check", "small", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_what_was_written_before_is_read_whatever_its_layout(capsys: Capture) -> None:
    write(ONE, ONE)
    check(capsys, "--update-baseline")
    data = json.loads(Path("old.json").read_text("utf-8"))
    Path("old.json").write_text(json.dumps(data), encoding="utf-8")
    write(ONE)
    assert check(capsys)[1] == ["stale-baseline"]
