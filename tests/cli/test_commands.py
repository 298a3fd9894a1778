"""The command as a person or a script meets it: what it prints and its exit status."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest

from toolkit.api import help_on_word, help_page
from toolkit.apps.cli import run
from toolkit.apps.cli.program import COMMANDS
from toolkit.diagnostics import help_pages
from toolkit.diagnostics.help_search import HelpIndex
from toolkit.dsl.lalr import terminals_by_word

PROJECTS = Path(__file__).parent.parent / "projects"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(PROJECTS)


def test_no_usage_line_is_broken_within_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def usage(command: str, columns: int) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(columns))
        assert run([command, "--help"]) == 0
        return capsys.readouterr().out.partition("\n\n")[0].split()

    for command in COMMANDS:
        assert usage(command, 60) == usage(command, 300), command


def test_every_command_is_listed_in_full_on_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["--help"]) == 0
    listed = capsys.readouterr().out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in listed] == sorted(COMMANDS)
    assert [line for line in listed if not line.endswith(".") or "..." in line] == []


def test_no_help_names_types_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        assert run([command, "--help"]) == 0
        assert not re.search(r" RANGE  | FLOAT  |\]\.\.\.", capsys.readouterr().out), command


def test_an_option_can_be_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--low-ink"]) == 0
    assert "- `opforge explain 'Less ink, another theme'`: " in capsys.readouterr().out
    assert run(["explain", "--low-inc"]) == 2
    assert "There is nothing about '--low-inc' in the help." in capsys.readouterr().err


def test_export_takes_the_project_as_all_commands_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "cards.csv", tmp_path / "other.csv"
    assert run(["export", str(file), "small"]) == 0
    assert run(["export", str(other), "--project", "small"]) == 0
    assert file.read_bytes() == other.read_bytes()
    assert run(["export", str(tmp_path / "x.csv"), "small", "--project", "small"]) == 2
    assert "Name the project once" in capsys.readouterr().err


def test_a_clean_project(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "small"]) == 0
    assert capsys.readouterr().out == "No findings: 4 cards in 3 files checked.\n"


def test_findings_are_reported_with_the_words_underlined(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "broken"]) == 1
    assert capsys.readouterr().out == (PROJECTS / "broken.out").read_text(encoding="utf-8")


def test_the_second_run_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "broken"]) == 1
    first = capsys.readouterr().out
    assert run(["check", "broken"]) == 1
    assert capsys.readouterr().out == first


def test_a_remembered_check_sees_every_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = copytree(PROJECTS / "small", tmp_path / "small")
    assert run(["check", str(project)]) == 0
    file = project / "cards.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("+2 AP.", "+2 APP."), encoding="utf-8")
    assert run(["check", str(project)]) == 1
    assert capsys.readouterr().out.count("unknown-stat") == 2


def test_only_the_path_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "broken/torn.yaml", "--format", "concise"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("broken/torn.yaml:3:11: error[unclosed-text]: ")
    assert out.count("\n") == 2


def test_json_is_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "broken/effects.yaml", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["version"] == 1
    assert data["summary"] == {"errors": 2, "warnings": 0, "files": 1, "cards": 1}
    first = data["findings"][0]
    assert first["name"] == "unknown-status"
    assert first["severity"] == "error"
    assert (first["file"], first["card"]) == ("broken/effects.yaml", "viper")
    place = [first[key] for key in ("line", "column", "end_line", "end_column")]
    assert place == [13, 46, 13, 55]


def test_warnings_fail_only_when_strict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = copytree(PROJECTS / "small", tmp_path / "small")
    file = project / "cards.yaml"
    text = file.read_text(encoding="utf-8").replace(
        "    kind: attack\n", "    kind: attack\n    art: no.svg\n"
    )
    file.write_text(text, encoding="utf-8")
    assert run(["check", str(project)]) == 0
    assert "missing-picture" in capsys.readouterr().out
    assert run(["check", str(project), "--strict"]) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check", "nowhere"], "There is no file or folder 'nowhere'."),
        (["check", "--format", "xml"], "Invalid value for '--format'"),
        (["chekc"], "No such command 'chekc'"),
        (["explain", "unknown-sta"], "Did you mean 'unknown-stat'?"),
        (["text", "vipr", "--project", "small"], "Did you mean 'viper'?"),
        (["text", "--lang", "fr", "--project", "small"], "the project has en, de"),
        (["sheet", "small"], "Missing option '-o'"),
        (["sheet", "small", "-o", "x.pdf", "--paper", "a44"], "Did you mean 'a4'?"),
        (["sheet", "small", "-o", "x.pdf", "--card", "vipr"], "Did you mean 'viper'?"),
        (["sheet", "small", "-o", "small/cards.yaml"], "must end in .pdf"),
        (["sheet", "small", "-o", "nowhere/x.pdf"], "There is no folder nowhere."),
        (["sheet", "small", "-o", "x.pdf", "--card", "night-owls"], "TEAMs, modes and rulesets are not"),
        (["play", "--project", "small", "--save", "small/cards.yaml"], "is not the log of a GAME"),
        (["init", "small"], "is not an empty folder"),
    ],
)
def test_wrong_use_is_reported(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert says in capsys.readouterr().err


def test_no_project_is_wrong_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["check"]) == 2
    assert "There is no opforge.yaml at or above this folder" in capsys.readouterr().err


def test_what_breaks_is_reported_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("toolkit.api.check", lambda _targets: 1 / 0)
    assert run(["check", "small"]) == 3
    assert "opforge failed: ZeroDivisionError" in capsys.readouterr().err


def test_ctrl_c_is_an_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_targets: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("toolkit.api.check", interrupted)
    assert run(["check", "small"]) == 130
    assert capsys.readouterr().err == ""


def test_compiled_effects_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", "viper", "--project", "small"]) == 0
    assert capsys.readouterr().out == (
        "viper · skill 1\n"
        "  when attacking, if target is SUPPRESSED, self gets +2 AP.\n"
        "    step 2 SKILL, when attacking, if target is SUPPRESSED\n"
        "      self: gets +2 AP  [layer add]\n"
    )


def test_compiled_effects_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", "core", "--project", "small", "--format", "json"]) == 0
    effects = json.loads(capsys.readouterr().out)["effects"]["core"]
    (suppression,) = effects["suppression"]
    assert suppression["hook"] == {
        "is": "step-hook",
        "step": 1,
        "moment": "step",
        "when": "attacking",
        "subject": None,
    }
    (action,) = effects["action evade"][0]["actions"]
    assert (action["layer"], action["duration"], action["does"]["amount"]) == ("add", "TURN", 1)


def test_a_starter_project_is_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", str(tmp_path / "mine")]) == 0
    assert run(["check", str(tmp_path / "mine"), "--strict"]) == 0
    assert "No findings" in capsys.readouterr().out


def test_explain_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "unknown-stat"]) == 0
    assert capsys.readouterr().out.startswith("# unknown-stat\n")
    assert run(["explain"]) == 0
    assert "unknown-stat" in capsys.readouterr().out


def test_every_word_of_the_language_is_explained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(help_pages, "_sections", cache(help_pages._sections))
    index = HelpIndex()
    unknown = [word for word in terminals_by_word() if not (help_page(word) or help_on_word(word))]
    assert [word for word in unknown if not index.search(word)] == []
    assert run(["explain", "--", "="]) == 0
    assert capsys.readouterr().out.startswith("## ")
    for word, heading in (("target", "## WHO"), ("range", "### R-1"), ("CRITICAL", "### M-7")):
        assert run(["explain", word]) == 0
        assert capsys.readouterr().out.startswith(heading), word


def test_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$schema"].endswith("draft-07/schema#")
    assert run(["schema", "--strict"]) == 0
    assert "markdownDescription" not in capsys.readouterr().out


def test_no_colour_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", "broken"])
    assert "\x1b[" not in capsys.readouterr().out


def test_only_a_pdf_is_ever_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.pdf"
    mine.write_text("my notes", encoding="utf-8")
    assert run(["sheet", "small", "-o", str(mine), "--card", "viper"]) == 2
    assert "exists and is not a PDF" in capsys.readouterr().err
    assert mine.read_text(encoding="utf-8") == "my notes"
    link, real = tmp_path / "link.pdf", tmp_path / "real.pdf"
    real.write_bytes(b"%PDF-1.4 old")
    link.symlink_to(real)
    run(["sheet", "small", "-o", str(link), "--card", "viper"])
    assert link.is_symlink()
    assert len(real.read_bytes()) > 1000


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """The small project with a card whose number is wrong and one in a file that cannot be read."""
    project = copytree(PROJECTS / "small", tmp_path / "small")
    wrong = "cards:\n  - {id: magpie, kind: attack, name: M, effect: self gets +1 MP., quantity: -1}\n"
    (project / "wrong.yaml").write_text(wrong, encoding="utf-8")
    (project / "torn.yaml").write_text("cards:\n  - id: peck\n   kind: attack\n", encoding="utf-8")
    return project


@pytest.mark.parametrize(
    ("arguments", "status", "name"),
    [
        (["text", "magpie"], 1, "out-of-range"),
        (["text", "peck"], 1, "wrong-indentation"),
        (["compile", "peck"], 1, "wrong-indentation"),
        (["attack", "viper", "peck"], 1, "wrong-indentation"),
        (["text", "viper"], 0, ""),
    ],
)
def test_a_card_that_cannot_be_read_is_reported_and_not_silently_left_out(
    torn: Path, arguments: list[str], status: int, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--project", str(torn)]) == status
    reported = capsys.readouterr()
    assert name in reported.err + reported.out


@pytest.mark.parametrize(
    "command", [["sheet", "-o", "x.pdf"], ["cards", "-o", "x", "--dpi", "30"], ["attack"]]
)
def test_a_wrong_setting_is_reported_whichever_card_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    project = copytree(PROJECTS / "small", tmp_path / "small")
    with (project / "opforge.yaml").open("a", encoding="utf-8") as file:
        file.write("card_size: 63x88 ells\n")
    monkeypatch.chdir(project)
    choice = ["viper", "viper"] if command == ["attack"] else ["--card", "viper"]
    assert run([*command, *choice]) == 1
    assert "`63x88 ells` is not possible here" in "".join(capsys.readouterr())


@pytest.mark.parametrize("choice", [["--card", "magpie", "--card", "viper"], ["--kind", "attack"], []])
def test_a_sheet_without_a_chosen_card_says_so(
    torn: Path, tmp_path: Path, choice: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sheet", str(torn), "-o", str(tmp_path / "t.pdf"), *choice]) == 1
    assert "out-of-range" in capsys.readouterr().err


@pytest.fixture
def many_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of a card with 501 copies, whose fronts and backs are 1,002 pages, and of 9 with 999."""
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "opforge.yaml").write_text("project: P\nlanguages: [en]\n", "utf-8")
    cards = [
        f"  - {{id: c{n}, kind: attack, name: N, quantity: {copies}, effect: 'self gets +{n} AP.'}}\n"
        for n, copies in enumerate([501] + [999] * 9, 1)
    ]
    (tmp_path / "cards.yaml").write_text("cards:\n" + "".join(cards), "utf-8")
    return tmp_path


def test_many_pages_are_printed_only_if_that_is_meant(
    many_copies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["sheet", str(many_copies), "-o", str(tmp_path / "x.pdf")]
    assert run([*command, "--backs"]) == 2
    assert "9,492 cards take 2,110 pages" in capsys.readouterr().err
    assert run(command) == 2
    assert "9,492 cards take 1,055 pages" in capsys.readouterr().err
    assert not (tmp_path / "x.pdf").exists()
    assert run([*command, "--yes"]) == 0
    assert "9492 cards on 1055 pages" in capsys.readouterr().out


def test_exports_of_many_copies_are_made_only_if_that_is_meant(
    many_copies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pdf = ["cards", str(many_copies), "--service", "drivethrucards", "-o", str(tmp_path / "x.pdf")]
    assert run(pdf) == 2
    assert "9,492 cards take 18,984 pages; the limit is 1,000." in capsys.readouterr().err
    assert run([*pdf, "--card", "c1", "--yes"]) == 0
    assert "501 cards on 1002 pages" in capsys.readouterr().out
    monkeypatch.setattr("toolkit.products.tabletop_simulator.write_decks.MAX_OBJECTS", 500)
    table = ["tts", str(many_copies), "-o", str(tmp_path / "table"), "--card", "c1"]
    assert run(table) == 2
    assert "501 cards take 501 objects; the limit is 500." in capsys.readouterr().err
    assert not (tmp_path / "table").exists()
    assert run([*table, "--yes"]) == 0
