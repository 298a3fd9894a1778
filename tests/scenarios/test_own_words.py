"""Markers, KEYWORDs and traits of a designer's own, and OBJECTIVEs with effects, as scenarios show them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest

from toolkit.data.model import Squad
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.diagnostics.help_pages import other_page
from toolkit.engine.log import fingerprints
from toolkit.play.scenarios.playing import play
from toolkit.play.scenarios.reports import difference
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.name_references import in_entry
from toolkit.project.pipeline import Workspace, open_project
from toolkit.project.value_at import entries_of
from toolkit.source import SourceFile

PROJECT = Path(__file__).parent / "own_words"


@cache
def workspace() -> Workspace:
    return open_project(PROJECT)


def test_the_project_has_no_findings() -> None:
    assert workspace().findings == ()


def test_rules_e_11_e_12_and_e_18_hold() -> None:
    results = run_scenarios(workspace(), [PROJECT]).results
    assert results
    assert {result.scenario.name: result.failures for result in results if result.failures} == {}


def traced(name: str) -> list[tuple[str, str, str]]:
    checked = next(one for one in workspace().scenarios if one.script.name == name)
    assert checked.mode is not None
    assert checked.ruleset is not None
    played = play(checked.script, workspace().rules(checked.mode, checked.ruleset))
    return [(entry.kind, entry.rule, entry.text) for entry in played.last_trace]


def test_markers_are_traced_as_counters_of_e_11() -> None:
    found = traced("what a spy learns is counted and makes it stronger")
    assert ("counter", "E-11", 'MARKER "intel" of spy: 2 → 3') in found
    assert ("counter", "E-11", 'MARKER "supply" of blue: 0 → 1') in found


def test_what_is_given_is_noted_by_e_12() -> None:
    assert ("note", "E-12", 'grump gains KEYWORD "steadfast"') in traced(
        "an ITEM gives a KEYWORD as long as it is attached"
    )
    assert ("note", "E-12", 'captain gains trait "led" until end of TURN') in traced(
        "a trait is given until the end of the TURN"
    )


WRONG = {
    "state: {spy: {markers: {‹intell›: 1}}}": "unknown-marker",
    "state: {spy: {markers: {‹supply›: 1}}}": "wrong-bearer",
    "state: {spy: {markers: {‹intel›: 4}}}": "impossible-state",
    "markers: {blue: {‹intel›: 1}}": "wrong-bearer",
    "expect: {blue: {markers: {‹grudge›: 1}}}": "wrong-bearer",
    "expect: {spy: {keywords: [‹stedfast›]}}": "unknown-keyword",
    "expect: {spy: {traits: [‹lad›]}}": "unknown-trait",
}


@pytest.mark.parametrize(("line", "name"), WRONG.items())
def test_a_word_that_does_not_exist_is_a_finding_at_its_place(line: str, name: str, tmp_path: Path) -> None:
    project = copytree(PROJECT, tmp_path / "project")
    rest = [] if line.startswith("expect") else ["expect: {spy: {ap: 4}}"]
    lines = ["name: one", "field: {blue: [spy], red: [rhino]}", "do: []", line, *rest]
    text = "scenarios:\n  - " + "\n    ".join(lines) + "\n"
    (project / "scenarios.yaml").write_text(re.sub("[‹›]", "", text), encoding="utf-8")
    (finding,) = (
        one for one in open_project(project).findings if one.span.file.path.name == "scenarios.yaml"
    )
    assert finding.name == name
    assert finding.span.text == line[line.index("‹") + 1 : line.index("›")]


@pytest.mark.parametrize(
    ("key", "got"),
    [
        ("markers: {intel: 2}", "expected 2, got 0"),
        ("keywords: [steadfast]", "expected steadfast, got none"),
        ("traits: [led]", "expected led, got none"),
        ("range: 2", "expected 2, got 1"),
    ],
)
def test_an_expectation_can_fail(key: str, got: str, tmp_path: Path) -> None:
    project = copytree(PROJECT, tmp_path / "project")
    text = "scenarios:\n  - {name: one, field: {blue: [spy], red: [rhino]}, do: [], expect: {spy: {%s}}}\n"
    (project / "scenarios.yaml").write_text(text % key, encoding="utf-8")
    (result,) = run_scenarios(open_project(project), [project]).results
    (failure,) = result.failures
    assert got in difference(failure)


def test_an_error_in_a_keyword_stops_the_scenarios_that_play_with_it(tmp_path: Path) -> None:
    project = copytree(PROJECT, tmp_path / "project")
    cards = project / "cards.yaml"
    cards.write_text(
        cards.read_text(encoding="utf-8").replace("self gets +1 RANGE", "self gets +0 RANGE"),
        encoding="utf-8",
    )
    results = run_scenarios(open_project(project), [project]).results
    stopped = {result.scenario.name for result in results if result.cause is not None}
    assert stopped == {"a KEYWORD has a limit of its own", "a KEYWORD gives a longer arm"}


def test_the_log_of_a_game_knows_keywords_markers_and_what_objectives_do() -> None:
    mode, ruleset = workspace().cards.modes["hill"], workspace().cards.rulesets["core"]
    rules, cards = workspace().rules(mode, ruleset), workspace().cards
    squad = Squad(
        "all", cards.project.node or cards.cards["spy"].node, cards.cards["spy"].name, ("rhino", "spy")
    )
    known = fingerprints(rules, [squad])
    assert {"steadfast", "avenged", "intel", "supply", "watchtower"} <= known.keys()
    assert "commander" not in known
    assert "grudge" not in known


def test_the_examples_of_the_how_to_page_are_right(tmp_path: Path) -> None:
    page = other_page("own-words") or ""
    project = copytree(Path(__file__).parents[1] / "help" / "base", tmp_path / "project")
    for number, block in enumerate(re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)):
        (project / f"page-{number}.yaml").write_text(block, encoding="utf-8")
    workspace = open_project(project)
    assert {finding.name for finding in workspace.findings} <= {"unused-objective", "untested-card"}
    assert [result.failures for result in run_scenarios(workspace, [project]).results] == [()]


def test_an_editor_finds_a_keyword_and_a_marker_wherever_they_are_named() -> None:
    found: dict[str, list[tuple[str, str, bool]]] = {}
    for name in ("cards.yaml", "scenarios.yaml"):
        path = PROJECT / name
        root = parse_tree(SourceFile(path, name, path.read_text(encoding="utf-8"))).root
        for section, entry in entries_of(root):
            for one in in_entry(section, entry):
                assert one.span.text == one.word
                found.setdefault(one.word, []).append((section, one.entry, one.defines))
    assert [one for one in found["steadfast"] if one[0] != "scenarios"] == [
        ("keywords", "steadfast", True),
        ("cards", "rhino", False),
        ("cards", "sergeant", False),
        ("cards", "captain", False),
        ("cards", "mask", False),
    ]
    assert [one[:2] for one in found["grudge"] if one[0] == "cards"] == [
        ("cards", name) for name in ("grump", "dossier", "old-scores")
    ]
    assert ("scenarios", "HIT takes the markers but for those that stay", False) in found["grudge"]
