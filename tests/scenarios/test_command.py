"""``opforge test`` as a person or a script meets it."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copy, copytree
from xml.etree import ElementTree

import pytest

from toolkit.apps.cli import run

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
    assert case.attrib == {"name": 'a < b & "c" 🎯', "classname": "wrong.yaml"}
    (failure,) = case
    assert (failure.tag, failure.get("message")) == ("failure", "viper.ap: expected 5, got 4")
    assert len(suites["right.yaml"][0]) == 0
    (error,) = suites["typo.yaml"][0]
    assert error.tag == "error"
    assert "Did you mean `viper`?" in (error.text or "")


def test_a_workflow_of_github_gets_annotations_and_a_summary(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(project, right=RIGHT, wrong=WRONG.replace("name: wrong", "name: 'a|b'"), typo=TYPO)
    page = project.parent / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    assert run(["test", "--output", "junit:scenarios.xml", "--output", "markdown:scenarios.md"]) == 1
    error, failed, summary = capsys.readouterr().out.splitlines()
    assert error.startswith("::error file=typo.yaml,line=2,endLine=2,col=35,")
    assert failed == (
        "::error file=wrong.yaml,line=2,endLine=2,col=12,endColumn=17,title=a|b::viper.ap: expected 5, got 4"
    )
    assert summary.startswith("2 scenarios played: 1 passed, 1 failed.")
    markdown = page.read_text("utf-8")
    assert markdown == (project / "scenarios.md").read_text("utf-8")
    assert r"| a\|b | <code>wrong.yaml:2:12</code> | viper.ap: expected 5, got 4 |" in markdown
    assert "<br>unknown-card |" in markdown
    assert (project / "scenarios.xml").read_text("utf-8").startswith("<?xml")
    assert run(["test", "--coverage"]) == 1
    assert run(["test", "--format", "github", "--coverage"]) == 2
    assert run(["test", "--output", "sarif:x.json"]) == 2


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


BREAKS = [
    ("cards.yaml", "ap: 4, ep: 3, dp: 6", "ap: 40, ep: 3, dp: 6", "`viper` is broken"),
    ("cards.yaml", "name: Viper", "nam: Viper", "`viper` is broken"),
    ("cards.yaml", "kind: operator, name: Viper", "kind: oprator, name: Viper", "`viper` is broken"),
    ("cards.yaml", "id: viper", "id: Viper", "`Viper` is broken"),
    ("cards.yaml", "id: viper", "id: 7", "cards.yaml is broken"),
    ("cards.yaml", "id: viper", "idd: viper", "cards.yaml is broken"),
    ("cards.yaml", "id: otter", "id: viper", "`viper` is broken"),
    ("cards.yaml", "self gets +1 AP.}", "self gets +1 APP.}", "`scope` is broken"),
    ("cards.yaml", "traits: [sniper]", "traits: [sniper", None),
    ("cards.yaml", "cards:", "crads:", "cards.yaml is broken"),
    ("cards.yaml", "cards:", "cards: [", None),
    ("game.yaml", "id: night-owls, name", "id: night-owls, nam", "`night-owls` is broken"),
    ("game.yaml", "Radio mast, value: 4", "Radio mast, value: x", "`radio-mast` is broken"),
    ("game.yaml", "field_positions: 4", "field_positions: four", "`skirmish` is broken"),
    ("game.yaml", "self halves AP", "self halvs AP", "`core` is broken"),
    ("game.yaml", "attacking, self gets +1 AP", "attacking, self gets +1 APP", "`skirmish` is broken"),
    ("opforge.yaml", "skirmish", "skirmsh", "opforge.yaml is broken"),
    ("opforge.yaml", "mode:", "mod:", "opforge.yaml is broken"),
    ("opforge.yaml", "ruleset: core", "ruleset: [core", "opforge.yaml is broken"),
]  # fmt: skip
"""A mistake in a project (file, what is written, what replaces it), and why scenarios are skipped."""


def test_a_mistake_elsewhere_skips_the_scenarios_that_it_prevents(project: Path, capsys: Capture) -> None:
    scoped = RIGHT.replace("name: right", "name: scoped").replace(
        "field:", "item_decks: {blue: [scope]}, field:"
    )
    add(project, right=scoped, wrong=WRONG.replace("[viper]", "[viper, hawk]"), typo=TYPO)
    for name, old, new, cause in BREAKS:
        path = project / name
        text = path.read_text(encoding="utf-8")
        assert old in text, old
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        assert run(["test", "right.yaml", "wrong.yaml", "--format", "json"]) == 1, new
        data = json.loads(capsys.readouterr().out)
        path.write_text(text, encoding="utf-8")
        right, wrong = data["scenarios"]
        assert cause is None or right["skipped"].startswith(cause), (new, right)
        assert right["skipped"], new
        assert (right["passed"], right["failures"]) == (False, []), new
        assert wrong.get("skipped", "") in ("", right["skipped"]), new
        skipped = 2 if "skipped" in wrong else 1
        assert data["summary"] == {"passed": 0, "failed": 2 - skipped, "skipped": skipped}, new
        assert len({found["line"] for found in data["findings"]}) <= 2, (new, data["findings"])


def test_what_was_skipped_is_one_line_for_each_cause(project: Path, capsys: Capture) -> None:
    other = "  - {name: %s, field: {blue: [hawk]}, do: [], expect: {hawk: {ap: %s}}}\n"
    add(
        project,
        right=RIGHT + RIGHT.removeprefix("scenarios:\n").replace("right", "again"),
        wrong=WRONG + other % ("more", 3) + other % ("bad", 4),
    )
    cards = project / "cards.yaml"
    cards.write_text(
        cards.read_text(encoding="utf-8").replace("ap: 4, ep: 3, dp: 6", "ap: 40, ep: 3, dp: 6"),
        encoding="utf-8",
    )
    assert run(["test", "--coverage"]) == 1
    out = capsys.readouterr().out
    assert out.count("error[out-of-range]") == 1
    assert "failed: bad\n" in out
    assert "without 3 scenarios skipped because of errors" in out
    assert out.endswith(
        "\n\n3 scenarios are skipped: `viper` is broken (cards.yaml:3:84 out-of-range).\n\n"
        "2 scenarios played: 1 passed, 1 failed; 3 skipped.\n"
    )
    assert run(["test", "--coverage", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["coverage"]["skipped"] == 3
    assert run(["test", "--format", "junit"]) == 1
    root = ElementTree.fromstring(capsys.readouterr().out)
    for suites, numbers in ((root, ("6", "1", "1", None)), (root[1], ("3", "1", "0", "1"))):
        assert tuple(suites.get(key) for key in ("tests", "failures", "errors", "skipped")) == numbers
    skipped = {element.get("message") for element in root.findall(".//skipped")}
    assert skipped == {"`viper` is broken (cards.yaml:3:84 out-of-range)"}


def test_a_card_in_the_file_of_scenarios_prevents_only_those_that_use_it(
    project: Path, capsys: Capture
) -> None:
    card = "cards:\n  - {id: charm, kind: item, name: Charm, effect: self gets +1 APP.}\n"
    charmed = "  - {name: charmed, field: {blue: [viper]}, item_decks: {blue: [charm]}, do: [], expect: {}}\n"
    add(project, both=card + RIGHT + charmed)
    assert run(["test"]) == 1
    out = capsys.readouterr().out
    assert "1 scenario is skipped: `charm` is broken (both.yaml:2:63 unknown-stat).\n" in out
    assert "1 scenario played: 1 passed, 0 failed; 1 skipped.\n" in out


@pytest.mark.parametrize("name", ["vipre", "never-existed"])
def test_an_id_that_never_existed_is_a_mistake_of_its_scenario(
    project: Path, capsys: Capture, name: str
) -> None:
    add(
        project,
        own=RIGHT.replace("[viper]", f"[viper, {name}]"),
        other="cards: [{id: x, kind: item, nam: X}]\n",
    )
    assert run(["test", "own.yaml", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [found["name"] for found in data["findings"]] == ["unknown-card"]
    assert data["summary"] == {"passed": 0, "failed": 0}


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
    assert "1 scenario is skipped: `reckless` is broken" in out


def test_a_mode_that_does_not_exist_in_the_project_file(project: Path, capsys: Capture) -> None:
    add(project, right=RIGHT)
    settings = project / "opforge.yaml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("skirmish", "skirmsh"), encoding="utf-8")
    assert run(["test"]) == 1
    out = capsys.readouterr().out
    assert "error[unknown-mode]" in out
    assert "0 scenarios played: 0 passed, 0 failed; 1 skipped." in out


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
    monkeypatch.setattr("toolkit.play.scenarios.reports.MAX_IN_RUN", 1)
    add(project, torn="cards: []\n", other=WRONG, two=WRONG.replace("wrong", "amiss"), three=RIGHT)
    assert run(["test"]) == 1
    assert "\n\n1 more failed and are not listed.\n\n3 scenarios played: 1 passed, 2 failed.\n" in (
        capsys.readouterr().out
    )
