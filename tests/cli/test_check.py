"""``opforge check``: which findings it tells, in which format, and where they go."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import pytest

from toolkit.apps.cli import run

PROJECTS = Path(__file__).parent.parent / "projects"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(PROJECTS)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small project, as ``small`` in the current folder."""
    monkeypatch.chdir(tmp_path)
    return copytree(PROJECTS / "small", tmp_path / "small")


def reported(out: str) -> list[str]:
    """The names of the findings in a concise report."""
    return re.findall(r"^\S+: \w+\[([a-z-]+)\]", out, re.MULTILINE)


def concise(*arguments: str) -> list[str]:
    return ["check", "--format", "concise", *arguments]


def test_several_formats_in_one_run(tmp_path: Path, capsys: Capture) -> None:
    files = {
        form: tmp_path / f"report.{form}" for form in ("sarif", "gitlab", "junit", "json", "github", "text")
    }
    options = [f"--output={form}:{file}" for form, file in files.items()]
    assert run([*concise("broken"), *options]) == 1
    assert len(reported(capsys.readouterr().out)) == 8
    assert len(json.loads(files["sarif"].read_text("utf-8"))["runs"][0]["results"]) == 8
    assert len(json.loads(files["gitlab"].read_text("utf-8"))) == 8
    assert len(json.loads(files["json"].read_text("utf-8"))["findings"]) == 8
    assert ElementTree.parse(files["junit"]).getroot().get("failures") == "8"
    assert files["github"].read_text("utf-8").count("::error ") == 8
    assert files["text"].read_text("utf-8") == (PROJECTS / "broken.out").read_text("utf-8")


def test_an_output_may_be_standard_output(tmp_path: Path, capsys: Capture) -> None:
    assert run(["check", "broken", "--output", "json:-", "--output", f"text:{tmp_path / 'x.txt'}"]) == 1
    assert len(json.loads(capsys.readouterr().out)["findings"]) == 8


def test_a_report_replaces_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text("old", encoding="utf-8")
    run(["check", "small", "--output", f"json:{file}"])
    assert json.loads(file.read_text("utf-8"))["findings"] == []
    assert {path.name for path in tmp_path.iterdir()} == {"report.json", "cache"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["xml:a.xml"], "there is no format 'xml'. Known: text, "),
        (["sarf:a.sarif"], "Did you mean 'sarif'?"),
        (["json"], "write json:FILE"),
        (["json:"], "write json:FILE"),
        (["json:nowhere/a.json"], "there is no folder nowhere"),
        (["json:small"], "small is a folder"),
        (["json:small/cards.yaml"], "would be read as a card file"),
        (["json:a.json", "gitlab:./a.json"], "a.json is named twice"),
        (["json:-", "sarif:-"], "Only one format can be printed, not json and sarif."),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_anything_is_written(
    options: list[str], says: str, capsys: Capture
) -> None:
    before = (PROJECTS / "small" / "cards.yaml").read_bytes()
    assert run(["check", "small", *(f"--output={option}" for option in options)]) == 2
    assert says in capsys.readouterr().err
    assert (PROJECTS / "small" / "cards.yaml").read_bytes() == before
    assert not Path("a.json").exists()


def test_a_folder_without_rights_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert run(["check", "small", f"--output=json:{tmp_path / 'a.json'}"]) == 2
    assert "a.json cannot be written: Permission denied." in capsys.readouterr().err


def test_github_actions_gets_annotations_and_a_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("of another step\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(PROJECTS.parent))
    assert run(["check", "broken"]) == 1
    assert "::error file=projects/broken/effects.yaml,line=13," in capsys.readouterr().out
    lines = summary.read_text("utf-8").splitlines()
    assert lines[:2] == ["of another step", "### Card check"]
    assert sum(line.startswith("| error |") for line in lines) == 8
    assert run(["check", "broken", "--format", "text"]) == 1
    assert run(["check", "broken", "--statistics"]) == 1
    assert "::error" not in capsys.readouterr().out


def test_every_format_for_services_has_paths_from_the_root_of_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    cards = copytree(PROJECTS / "broken", tmp_path / "Die Käuze")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(cards)
    shown = {}
    for form in ("sarif", "gitlab", "github", "junit"):
        assert run(["check", "--format", form]) == 1
        shown[form] = capsys.readouterr().out
    (sarif,) = json.loads(shown["sarif"])["runs"]
    places = [one["locations"][0]["physicalLocation"]["artifactLocation"] for one in sarif["results"]]
    assert {"uri": "Die%20K%C3%A4uze/effects.yaml", "uriBaseId": "%SRCROOT%"} in places
    path = "Die Käuze/effects.yaml"
    assert path in [one["location"]["path"] for one in json.loads(shown["gitlab"])]
    assert f"file={path}," in shown["github"]
    assert f'file="{path}"' in shown["junit"]


def test_a_summary_that_cannot_be_written_is_only_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    assert run(["check", "small"]) == 0
    assert "The step summary was not written" in capsys.readouterr().err


def test_a_level_and_names_choose_findings(small: Path, capsys: Capture) -> None:
    text = (small / "cards.yaml").read_text("utf-8")
    text = text.replace("    kind: attack\n", "    kind: attack\n    art: no.svg\n").replace(
        "+2 AP.", "+2 APP."
    )
    (small / "cards.yaml").write_text(text, encoding="utf-8")
    assert run(concise("small")) == 1
    assert set(reported(capsys.readouterr().out)) == {"unknown-stat", "missing-picture"}
    assert run(concise("small", "--level", "error", "--strict")) == 1
    assert set(reported(capsys.readouterr().out)) == {"unknown-stat"}
    assert run(concise("small", "--only", "missing-picture")) == 0
    assert set(reported(capsys.readouterr().out)) == {"missing-picture"}
    assert run(concise("small", "--only", "missing-picture", "--only", "unknown-stat")) == 1
    assert set(reported(capsys.readouterr().out)) == {"unknown-stat", "missing-picture"}


def test_a_card_can_be_chosen(capsys: Capture) -> None:
    assert run(concise("broken", "--card", "smoke")) == 1
    out = capsys.readouterr().out
    assert reported(out) == ["unknown-kind"]
    assert run(concise("small", "--card", "viper")) == 0
    assert capsys.readouterr().out == "No findings: 1 card in 1 file checked.\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["small", "--only", "unkown-stat"],
            "There is no finding 'unkown-stat'. Did you mean 'unknown-stat'?",
        ),
        (
            ["small", "--only", "unknown-stat,unknown-verb"],
            "There is no finding 'unknown-stat,unknown-verb'.",
        ),
        (["small", "--card", "vipr"], "Did you mean 'viper'?"),
        (["small", "--statistics", "--format", "junit"], "--statistics are printed as text, concise, json"),
        (["-"], "`-` needs --stdin-filename FILE"),
        (["-", "small", "--stdin-filename", "small/cards.yaml"], "cannot be combined with other PATHs"),
        (["small", "--stdin-filename", "small/cards.yaml"], "--stdin-filename belongs to the PATH `-`"),
        (["-", "--stdin-filename", "/cards.yaml"], "There is no opforge.yaml"),
        (["-", "--stdin-filename", "small/cards.txt"], "small/cards.txt is not a card file"),
        (["-", "--stdin-filename", "small/.git/cards.yaml"], "is not a card file"),
    ],
)
def test_wrong_use_is_reported(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    give(monkeypatch, b"cards: []\n")
    assert run(["check", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_statistics_count(capsys: Capture) -> None:
    assert run(["check", "broken", "--statistics"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1  error[duplicate-id]       an id that is used twice"
    assert lines[-1] == "8 errors: 5 cards in 4 files checked."
    assert run(["check", "broken", "--statistics", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert {row["name"]: row["count"] for row in data["statistics"]}["unknown-verb"] == 1
    assert data["summary"]["errors"] == 8


def give(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Let bytes come from standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input_stands_in_place_of_a_file(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    text = (PROJECTS / "small" / "cards.yaml").read_text("utf-8")
    for _ in range(2):  # remembered the second time
        give(monkeypatch, text.replace("+2 AP.", "+2 APP.").encode())
        assert run(concise("-", "--stdin-filename", "small/cards.yaml")) == 1
        out = capsys.readouterr().out
        assert set(reported(out)) == {"unknown-stat"}
        assert out.startswith("small/cards.yaml:")
    assert run(concise("small")) == 0  # what is on disk


def test_standard_input_may_be_a_file_that_is_not_there_yet(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    card = "cards:\n  - {id: new, kind: attack, name: {en: N, de: N}, effect: 'self gets +1 XP.'}\n"
    give(monkeypatch, card.encode())
    assert run(concise("-", "--stdin-filename", "small/new/new.yaml")) == 1
    assert reported(capsys.readouterr().out) == ["unknown-stat"]
    assert not (PROJECTS / "small" / "new").exists()


@pytest.mark.parametrize(
    ("data", "name"),
    [(b"", "empty-file"), (b"cards: \xff\xfe\n", "wrong-encoding"), (b"x" * 2_000_001, "file-too-large")],
)
def test_standard_input_may_hold_anything(
    data: bytes, name: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    give(monkeypatch, data)
    assert run(concise("-", "--stdin-filename", "small/cards.yaml")) == 1
    assert reported(capsys.readouterr().out) == [name]


def test_whole_projects_of_what_has_changed(small: Path, capsys: Capture) -> None:
    settings = small / "opforge.yaml"
    settings.write_text(settings.read_text("utf-8").replace("[en, de]", "[en]"), encoding="utf-8")
    Path("notes.yaml").write_text("not: a card\n", encoding="utf-8")
    changed = ["small/opforge.yaml", "notes.yaml"]
    assert run(concise(*changed)) == 2
    capsys.readouterr()
    assert run(concise(*changed, "--whole-project")) == 1
    out = capsys.readouterr().out
    assert "small/cards.yaml:" in out
    assert set(reported(out)) == {"unknown-language"}
    assert run(concise("notes.yaml", "--whole-project")) == 0
