"""``opforge test`` as a person or a script meets it."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copy, copytree
from xml.etree import ElementTree

import pytest

from toolkit.cli import run

HERE = Path(__file__).parent
TYPO = "scenarios:\n  - {name: a slip, field: {blue: [vipre]}, do: [], expect: {}}\n"
RIGHT = "scenarios:\n  - {name: right, field: {blue: [viper]}, do: [], expect: {viper: {ap: 4}}}\n"
WRONG = "scenarios:\n  - {name: wrong, field: {blue: [viper]}, do: [], expect: {viper: {ap: 5}}}\n"

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project of the tests without its scenarios, and the current folder."""
    root = copytree(HERE / "project", tmp_path / "project", ignore=lambda *_: ["scenarios"])
    monkeypatch.chdir(root)
    return root


def add(project: Path, **texts: str) -> None:
    for name, text in texts.items():
        (project / f"{name}.yaml").write_text(text, encoding="utf-8")


def names(capsys: Capture) -> list[tuple[str, bool]]:
    """Names of scenarios in the JSON that was printed, with whether they passed."""
    data = json.loads(capsys.readouterr().out)
    return [(scenario["name"], scenario["passed"]) for scenario in data["scenarios"]]


def test_all_pass(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT)
    assert run(["test"]) == 0
    assert capsys.readouterr().out == "1 scenario played: 1 passed, 0 failed.\n"


def test_one_fails(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT, wrong=WRONG)
    assert run(["test"]) == 1
    out = capsys.readouterr().out
    assert "failed: wrong\n  --> wrong.yaml:2:12\n  viper.ap: expected 5, got 4\n" in out
    assert out.endswith("2 scenarios played: 1 passed, 1 failed.\n")


def test_only_the_path_is_played_and_all_is_loaded(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT, wrong=WRONG)
    (project / "more").mkdir()
    add(project / "more", again=RIGHT.replace("name: right", "name: again"))
    assert run(["test", "right.yaml", "--format", "json"]) == 0
    assert names(capsys) == [("right", True)]
    assert run(["test", "more", "--format", "json"]) == 0
    assert names(capsys) == [("again", True)]
    assert run(["test", "more", "right.yaml", "more/again.yaml", "--format", "json"]) == 0
    assert names(capsys) == [("again", True), ("right", True)]
    assert run(["test", "wrong.yaml", "right.yaml", "--format", "json"]) == 1


def test_file_names_are_relative_to_the_current_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    add(project, wrong=WRONG)
    monkeypatch.chdir(project.parent)
    assert run(["test", "project"]) == 1
    assert "project/wrong.yaml:2:12" in capsys.readouterr().out
    assert run(["test", "project/../project/wrong.yaml"]) == 1
    assert "1 failed" in capsys.readouterr().out


def test_json_is_the_contract(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT, typo=TYPO)
    refused = "{action: attack, by: viper, on: pawn}"
    field = "{blue: [viper], red: [~, ~, pawn]}"
    add(
        project,
        wrong=WRONG + f"  - {{name: far, field: {field}, do: [{refused}], expect: {{refused: R-1}}}}\n",
    )
    assert run(["test", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["version", "scenarios", "findings", "summary"]
    assert data["version"] == 1
    assert data["scenarios"] == [
        {"name": "right", "file": "right.yaml", "line": 2, "passed": True, "failures": [], "refused": None},
        {
            "name": "wrong",
            "file": "wrong.yaml",
            "line": 2,
            "passed": False,
            "failures": [{"what": "viper.ap", "expected": 5, "got": 4}],
            "refused": None,
        },
        {"name": "far", "file": "wrong.yaml", "line": 3, "passed": True, "failures": [], "refused": "R-1"},
    ]
    (finding,) = data["findings"]
    assert (finding["name"], finding["file"], finding["line"], finding["column"]) == (
        "unknown-card",
        "typo.yaml",
        2,
        35,
    )
    assert data["summary"] == {"passed": 2, "failed": 1}


def test_junit_can_be_read_by_machines(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT, wrong=WRONG.replace("name: wrong", "name: 'a < b & \"c\" 🎯'"), typo=TYPO)
    assert run(["test", "--format", "junit"]) == 1
    root = ElementTree.fromstring(capsys.readouterr().out)
    assert root.tag == "testsuites"
    assert {key: root.get(key) for key in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["right.yaml", "wrong.yaml", "typo.yaml"]
    (case,) = suites["wrong.yaml"]
    assert (case.get("name"), case.get("classname"), case.get("line")) == (
        'a < b & "c" 🎯',
        "wrong.yaml",
        "2",
    )
    (failure,) = case
    assert (failure.tag, failure.get("message")) == ("failure", "viper.ap: expected 5, got 4")
    assert len(suites["right.yaml"][0]) == 0
    (error,) = suites["typo.yaml"][0]
    assert error.tag == "error"
    assert "Did you mean `viper`?" in (error.text or "")


def test_nothing_of_a_file_with_errors_is_played(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT, typo=RIGHT + TYPO.removeprefix("scenarios:\n"))
    assert run(["test", "--format", "json"]) == 1
    assert names(capsys) == [("right", True)]
    assert run(["test", "typo.yaml"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("error[unknown-card]: There is no OPERATOR with the id `vipre`.\n")
    assert "= Did you mean `viper`?" in out
    assert out.endswith(
        "0 scenarios played: 0 passed, 0 failed."
        " Nothing of typo.yaml was played, because of the errors above.\n"
    )


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (RIGHT.replace("scenarios:", "scenario:"), "unknown-key"),
        (RIGHT.replace("scenarios:", "Scenarios:"), "unknown-key"),
        (RIGHT.replace("]}", "}"), "unmatched-bracket"),
        (RIGHT.replace("do:", "od:"), "unknown-key"),
        ("scenarios: yes\n", "wrong-type"),
        ("scenarios:\n  - name: nothing else\n", "missing-key"),
    ],
)
def test_a_scenario_file_that_cannot_be_read_does_not_pass(
    project: Path, capsys: Capture, text: str, finding: str
) -> None:
    add(project, broken=text)
    for arguments in (["test"], ["test", "broken.yaml"]):
        assert run([*arguments, "--format", "json"]) == 1
        data = json.loads(capsys.readouterr().out)
        assert finding in {found["name"] for found in data["findings"]}
        assert data["scenarios"] == []


def test_errors_elsewhere_do_not_matter(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT, other="cards: [{id: x, kind: item, name: X, effect: self gets +1 APP.}]\n")
    assert run(["test"]) == 0
    assert "1 passed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("ap: 4, ep: 3, dp: 6", "ap: 40, ep: 3, dp: 6", "out-of-range"),
        ("id: viper, kind: operator, name: Viper", "id: viper, kind: operator, nam: Viper", "unknown-key"),
    ],
)
def test_a_card_with_errors_is_not_played_with(
    project: Path, capsys: Capture, old: str, new: str, told: str
) -> None:
    add(project, right=RIGHT)
    cards = project / "cards.yaml"
    text = cards.read_text(encoding="utf-8")
    assert old in text
    cards.write_text(text.replace(old, new), encoding="utf-8")
    assert run(["test", "right.yaml", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [found["name"] for found in data["findings"]] == [told]
    assert [failure["what"] for failure in data["scenarios"][0]["failures"]] == ["cards"]
    assert "`viper` has an error" in data["scenarios"][0]["failures"][0]["got"]


@pytest.mark.parametrize(
    "torn", ["cards: [", "- x\n", "\0", "cards:\n  - {kind: operator}\n", "cards:\n\t- x\n"]
)
def test_cards_that_cannot_be_read_are_not_played_with(project: Path, capsys: Capture, torn: str) -> None:
    add(project, right=RIGHT, cards=torn)
    assert run(["test", "right.yaml", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["findings"]
    assert data["summary"]["passed"] == 0


def test_an_effect_with_errors_is_not_passed_over(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT.replace("[viper]", "[viper, reckless]"))
    cards = project / "cards.yaml"
    text = cards.read_text(encoding="utf-8").replace("RULEVIOLATION 3+", "RULEVIOLATION 9+")
    cards.write_text(text, encoding="utf-8")
    assert run(["test"]) == 1
    out = capsys.readouterr().out
    assert "threshold" in out
    assert "not played: `reckless` has an error" in out


def test_a_mode_that_does_not_exist_in_the_project_file(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT)
    settings = project / "opforge.yaml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("skirmish", "skirmsh"), encoding="utf-8")
    assert run(["test"]) == 1
    out = capsys.readouterr().out
    assert "error[unknown-mode]" in out
    assert "failed: right" in out


@pytest.mark.usefixtures("project")
def test_no_scenarios(capsys: Capture) -> None:
    assert run(["test", "cards.yaml"]) == 0
    assert capsys.readouterr().out == "No scenarios found.\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["test", "nowhere.yaml"], "There is no file or folder 'nowhere.yaml'."),
        (["test", "--format", "xml"], "Invalid value for '--format'"),
        (["test", "--strict"], "No such option"),
    ],
)
@pytest.mark.usefixtures("project")
def test_wrong_use_is_told(capsys: Capture, arguments: list[str], says: str) -> None:
    assert run(arguments) == 2
    assert says in capsys.readouterr().err


def test_no_project_is_wrong_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["test"]) == 2
    assert "There is no opforge.yaml" in capsys.readouterr().err


def test_check_tells_of_scenarios_too(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    copy(HERE / "runs" / "failing.yaml", project)
    add(project, typo=TYPO)
    assert run(["check", "--format", "concise"]) == 1
    assert "typo.yaml:2:35: error[unknown-card]" in capsys.readouterr().out
    assert run(["check", "failing.yaml"]) == 0


def test_many_errors_and_failures_are_counted(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(project, torn=TYPO.rstrip("\n") + "\n" + f"  - {{{', '.join(f'k{n}: 1' for n in range(300))}}}\n")
    assert run(["test"]) == 1
    out = capsys.readouterr().out
    assert out.count("-->") == 200
    assert " more findings are not listed: 1" in out
    assert run(["test", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert len(data["findings"]) == 200
    assert data["summary"]["not_listed"] > 100
    assert run(["test", "--format", "junit"]) == 1
    suites = ElementTree.fromstring(capsys.readouterr().out)
    assert (suites.get("errors"), len(suites.findall(".//error"))) == ("201", 201)
    monkeypatch.setattr("toolkit.project.scenarios.reports.MAX_IN_RUN", 1)
    add(project, torn="cards: []\n", one=WRONG, two=WRONG.replace("wrong", "amiss"), three=RIGHT)
    assert run(["test"]) == 1
    assert "\n\n1 more failed and are not listed.\n\n3 scenarios played: 1 passed, 2 failed.\n" in (
        capsys.readouterr().out
    )
