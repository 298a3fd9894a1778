"""Text-only rules (E-1): printed, never played, and every part of the toolkit that meets them says so."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from markupsafe import Markup

from toolkit.api import rules_plain
from toolkit.apps.cli import run
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import make_report
from toolkit.editing.formatting.formatter import Formatted, format_file
from toolkit.engine.decisions import RandomDice
from toolkit.engine.phases import GameStep, new_game, play_game
from toolkit.engine.players import built_in
from toolkit.play.playable_game import text_only_warnings
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.products.changes.change_model import Changes
from toolkit.products.changes.comparison import changes_since
from toolkit.project.faces import faces, fit_findings
from toolkit.project.name_references import in_entry
from toolkit.project.pipeline import Workspace, open_project
from toolkit.project.value_at import entries_of
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.pages import Pages
from toolkit.render.sizes import CARD_SIZES
from toolkit.wording.text import plain

PROJECT = Path(__file__).parent / "projects" / "text_only"
TEXT_ONLY = ["kestrel", "aimed-shot", "old-friends", "truce"]
TRUCE = "    text_only: {en: Both players drink some water., de: Beide trinken etwas Wasser.}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copytree(PROJECT, tmp_path / "project")


def changed(project: Path, old: str, new: str, file: str = "cards.yaml") -> Workspace:
    path = project / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return open_project(project)


def warned(error: str) -> list[str]:
    """The cards that warnings on standard error name."""
    lines = [line for line in error.splitlines() if line.startswith("warning[text-only]")]
    return [line.split("`")[1] for line in lines]


@pytest.mark.parametrize("arguments", [(), ("--strict",)])
def test_a_check_counts_them_and_reports_nothing(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(PROJECT), *arguments]) == 0
    expected = "No findings: 8 cards in 5 files checked, 4 with text-only rules not compared.\n"
    assert capsys.readouterr().out == expected
    assert run(["check", str(PROJECT), *arguments]) == 0  # from the cache
    assert capsys.readouterr().out == expected
    assert run(["check", str(PROJECT), "--card", "truce", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["text_only"] == 1


def test_the_cache_keeps_their_number_beside_suppressions(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(project, "  - id: truce", "  # opforge: ignore[unused-art] nothing here\n  - id: truce")
    for _ in range(2):
        assert run(["check", str(project)]) == 0
        out = capsys.readouterr().out
        assert "unused-suppression" in out
        assert out.endswith("8 cards in 5 files checked, 4 with text-only rules not compared.\n")


def test_even_a_strict_report_of_them_is_no_failure() -> None:
    cards = open_project(PROJECT).cards
    report = make_report(text_only_warnings(cards, cards.cards), 5, 8)
    assert (report.warnings, report.exit_status(strict=True)) == (4, 0)


def test_they_are_printed_behind_what_is_generated(project: Path) -> None:
    workspace = open_project(project)
    printed = rules_plain(workspace, ["aimed-shot", "kestrel", "truce"], "de").splitlines()
    assert printed[3:5] == [
        "  Rütteln:",
        "  Sieh deinem Gegner ins Gesicht, bevor du sagst, was dieser OPERATOR tut.",
    ]
    assert printed[-3:] == ["", "Waffenruhe", "  Beide trinken etwas Wasser."]
    assert printed[-5].startswith("  Wenn der Träger angreift")
    assert printed[-4] == "  Sage dann „peng“."


def test_they_are_printed_behind_a_hand_written_text(project: Path) -> None:
    text = "    text: {en: One AP more., de: Eine AP mehr.}\n    text_only:\n      en: Then say"
    workspace = changed(project, "    text_only:\n      en: Then say", text)
    assert rules_plain(workspace, ["aimed-shot"], "en") == "Aimed shot\n  One AP more.\n  Then say “bang”.\n"
    text = "    text: {en: It hovers., de: Er rüttelt.}\n    skills:\n      - name: {en: Patience"
    workspace = changed(project, "    skills:\n      - name: {en: Patience", text)
    lines = rules_plain(workspace, ["kestrel"], "en").splitlines()
    assert lines[1:] == [
        "  It hovers.",
        "  Look at your opponent’s face before you say what this OPERATOR does.",
    ]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["test", "."], TEXT_ONLY),
        (["test", ".", "--format", "json"], TEXT_ONLY),
        (["attack", "kestrel", "brock", "--dice", "2,3"], ["kestrel"]),
        (["attack", "brock", "kestrel", "--dice", "2,3", "--format", "json"], ["kestrel"]),
        (["attack", "brock", "brock", "--attack-card", "aimed-shot", "--dice", "1,1"], ["aimed-shot"]),
        (["play", "--blue", "greedy", "--red", "random", "--seed", "3", "--save", "game"], TEXT_ONLY),
        (["play", "--replay", "game"], TEXT_ONLY),
    ],
    ids=lambda value: " ".join(value[:2]),
)
def test_what_plays_warns_once_of_each_card(
    arguments: list[str],
    named: list[str],
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(project)
    if "--replay" in arguments:
        run(["play", "--blue", "greedy", "--red", "random", "--seed", "3", "--save", "game"])
        capsys.readouterr()
    assert run(arguments) == 0
    printed = capsys.readouterr()
    assert warned(printed.err) == named
    if "json" in arguments:
        json.loads(printed.out)


def test_a_scenario_expects_what_is_not_played(project: Path) -> None:
    workspace = open_project(project)
    assert [result.passed for result in run_scenarios(workspace, [project]).results] == [True]
    workspace = changed(project, "      - {action: play, by: blue, card: truce}\n", "", "scenarios.yaml")
    workspace = changed(project, "hand: 0, discard: 1", "hand: 1, discard: 0", "scenarios.yaml")
    (result,) = run_scenarios(workspace, [project]).results
    assert [(failure.what, failure.expected) for failure in result.failures] == [("not_played", "truce")]


def test_what_is_in_play_when_a_scenario_begins_counts_as_well(project: Path) -> None:
    scenario = """scenarios:
  - name: all of it is there
    field: {blue: [kestrel, ~], red: [brock, ~]}
    strategies: {red: [old-friends]}
    state: {kestrel: {attached: aimed-shot}}
    do: []
    expect: {not_played: [old-friends, aimed-shot, kestrel]}
"""
    (project / "scenarios.yaml").write_text(scenario, encoding="utf-8")
    (result,) = run_scenarios(open_project(project), [project]).results
    assert result.failures == ()


class Steps:
    def __init__(self) -> None:
        self.steps: list[GameStep] = []

    def observe(self, step: GameStep) -> None:
        self.steps.append(step)


def test_the_trace_notes_a_skill_once_in_a_game_and_a_card_each_time(project: Path) -> None:
    workspace = open_project(project)
    cards = workspace.cards
    rules = workspace.rules(cards.modes["skirmish"], cards.rulesets["core"])
    played, notes = [], []
    for seed in range(6):
        observer = Steps()
        state = new_game(rules, cards.squads["blue"], cards.squads["red"], Random(seed))
        players = {side: built_in("random", rules, f"{seed} {side}") for side in ("blue", "red")}
        play_game(state, rules, players, RandomDice(seed), observer)  # type: ignore[arg-type]
        trace = [entry for step in observer.steps for entry in step.outcome.trace]
        assert [entry.after for entry in trace if entry.rule == "E-1"].count("kestrel") == 1
        assert {entry.kind for entry in trace if entry.rule == "E-1"} == {"skipped"}
        notes += [entry.after for entry in trace if entry.rule == "E-1" and entry.after != "kestrel"]
        texts = [entry.text for entry in trace if entry.kind == "card"]
        played += [text for text in texts if " plays " in text or text.startswith("aimed-shot is attached")]
    assert len(notes) == len(played) > 10


BAD = [
    ("text_only: []", "wrong-type", "[]"),
    ("text_only: 5", "wrong-type", "5"),
    ("text_only: {}", "empty-text", "{}"),
    ("text_only: ''", "empty-text", "''"),
    ("text_only: {en: '', de: x}", "empty-text", "''"),
    ("text_only: {en: Drink.}", "missing-language", "{en: Drink.}"),
    ("text_only: {en: Drink., de: Trinkt., fr: Buvez.}", "unknown-language", "fr"),
    ("text_onyl: {en: Drink., de: Trinkt.}", "unknown-key", "text_onyl"),
    ("flavour: Nothing here.", "missing-key", "truce"),
]


@pytest.mark.parametrize(("line", "name", "underlined"), BAD, ids=[case[0] for case in BAD])
def test_a_mistake_in_it_is_one_finding_at_the_word(
    line: str, name: str, underlined: str, project: Path
) -> None:
    found = [
        one
        for one in changed(project, TRUCE, f"    {line}\n").findings
        if one.span.file.path.name == "cards.yaml"
    ]
    assert [(one.name, one.span.text) for one in found] == [(name, underlined)]


def test_a_card_without_effect_and_text_only_is_reported_with_both_ways_out(project: Path) -> None:
    (found,) = (one for one in changed(project, TRUCE, "").findings if one.name == "missing-key")
    assert found.message == "This EFFECT card has no `effect`."
    assert "`effect: …`" in found.next_step
    assert "`text_only: …`" in found.next_step


def test_an_operator_has_it_in_its_skills(project: Path) -> None:
    workspace = changed(project, "    traits: [sniper]\n", "    traits: [sniper]\n    text_only: Hello.\n")
    found = [one for one in workspace.findings if one.name == "unknown-key"]
    assert [one.span.text for one in found] == ["text_only"]
    assert "SKILL" in found[0].next_step


def expectation_finding(project: Path, name: str) -> Diagnostic:
    workspace = changed(project, "not_played: [old-friends", f"not_played: [{name}", "scenarios.yaml")
    (found,) = (one for one in workspace.findings if one.span.text == name)
    return found


def test_a_card_that_is_not_played_must_exist_and_have_such_rules(project: Path) -> None:
    assert expectation_finding(project, "sandbags").name == "impossible-expectation"
    again = copytree(PROJECT, project.parent / "again")
    assert expectation_finding(again, "old-freinds").name == "unknown-card"


def test_how_strong_a_card_is_is_not_judged(project: Path) -> None:
    worse = """
  - id: bags
    kind: defence
    name: {en: Bags, de: Säcke}
    effect: when attacked, self gets +1 EP.
"""
    cards = (project / "cards.yaml").read_text(encoding="utf-8")
    (project / "cards.yaml").write_text(cards + worse, encoding="utf-8")
    reported = {one.name for one in open_project(project).findings}
    assert "outclassed-card" in reported
    only = "    text_only: {en: And more., de: Und mehr.}\n"
    (project / "cards.yaml").write_text(cards + worse + only, encoding="utf-8")
    assert "outclassed-card" not in {one.name for one in open_project(project).findings}


def test_markup_is_printed_as_it_is_written(project: Path) -> None:
    tag = "<b>Drink</b> & <img src=x> {{ 7*7 }}"
    workspace = changed(project, "en: Both players drink some water.", f"en: '{tag}'")
    (face,) = faces(workspace, "en", ["truce"])
    page = Pages(CARD_SIZES["poker"], Fetcher(Roots(project))).card(face, 0, {})
    assert isinstance(page, Markup)
    assert "&lt;b&gt;Drink&lt;/b&gt; &amp; &lt;img src=x&gt; {{ 7*7 }}" in page


def test_a_text_that_is_too_long_is_reported_where_it_stands(project: Path) -> None:
    workspace = changed(project, "en: Both players drink some water.", f"en: {'Drink water. ' * 90}")
    found = fit_findings(workspace)
    assert not isinstance(found, str)
    assert [(one.name, one.card) for one in found] == [("text-overflow", "truce")]
    assert found[0].span.text.startswith("Drink water. Drink")


def test_the_formatter_puts_it_behind_the_effect(project: Path) -> None:
    workspace = changed(project, TRUCE, f"{TRUCE}    effect: when played, owner draws 1 card.\n")
    file = next(file for file in workspace.cards.files if file.name.endswith("cards.yaml"))
    formatted = format_file(file)
    assert isinstance(formatted, Formatted)
    text = formatted.text
    assert text.index("owner draws 1 card.") < text.index("Both players drink")


def test_another_text_is_another_behaviour(project: Path) -> None:
    now = changed(project, "Look at your opponent’s face", "Look at your own cards")
    found = changes_since(now, str(PROJECT), "en")
    assert isinstance(found, Changes)
    (card,) = found.cards
    (difference,) = card.differences
    assert (card.id, difference.category, difference.what) == ("kestrel", "behaviour", "skill 2")
    assert difference.after is not None
    assert difference.after.startswith("Look at your own cards")


def test_the_report_of_what_is_tested_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", str(PROJECT), "--coverage"]) == 0
    listed = (
        "cards with text-only rules, which no scenario plays\n  kestrel, aimed-shot, old-friends, truce\n"
    )
    assert listed in capsys.readouterr().out


def test_the_editor_knows_the_cards_that_are_not_played() -> None:
    """So a rename reaches them, and their definition is found."""
    workspace = open_project(PROJECT)
    file = next(file for file in workspace.cards.files if file.path.name == "scenarios.yaml")
    found = [one for section, entry in entries_of(parse_tree(file).root) for one in in_entry(section, entry)]
    lines = [one.span.begin_position.line for one in found if one.word == "truce"]
    assert lines == [4, 7, 13]


def test_its_words_count_for_house_rules(project: Path) -> None:
    rule = "project: Field exercise\nhouse_rules:\n  - {rule: text_words <= 4, kinds: [effect]}\n"
    (found,) = (
        one
        for one in changed(project, "project: Field exercise\n", rule, "opforge.yaml").findings
        if one.name == "house-rule"
    )
    assert found.card == "truce"
    assert "`text_words` is 5 in `en`" in found.message


def with_objective_and_keyword(project: Path) -> Workspace:
    """The OBJECTIVE `hill` and a KEYWORD of `brock` have rules that no program plays."""
    only = "    text_only: {en: Stay calm., de: Ruhe bewahren.}\n"
    keyword = f"keywords:\n  - id: calm\n    name: {{en: Calm, de: Ruhig}}\n{only}"
    (project / "keywords.yaml").write_text(keyword, encoding="utf-8")
    changed(project, "    dp: 7\n    mp: 1\n", "    dp: 7\n    mp: 1\n    keywords: [calm]\n")
    objective = (
        "  - id: hill\n    name: {en: Hill, de: Hügel}\n    value: 3\n    quantity: 2\n"
        + only.replace("Stay", "Be")
    )
    hill = "  - {id: hill, name: {en: Hill, de: Hügel}, value: 3, quantity: 2}\n"
    return changed(project, hill, objective, "game.yaml")


def test_objectives_and_keywords_may_have_it(project: Path) -> None:
    workspace = with_objective_and_keyword(project)
    assert workspace.findings == ()
    assert rules_plain(workspace, ["brock"], "de").splitlines()[1] == "  Ruhig (Ruhe bewahren.)"
    (hill,) = faces(workspace, "en", ["hill"])
    assert [plain(one.paragraphs) for one in hill.skills] == ["Be calm."]


def test_they_are_warned_of_and_expected_like_other_cards(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_objective_and_keyword(project)
    expected = "not_played: [hill, brock, "
    workspace = changed(project, "not_played: [", expected, "scenarios.yaml")
    assert workspace.findings == ()
    assert run(["test", str(project)]) == 0
    assert warned(capsys.readouterr().err) == ["kestrel", "brock", *TEXT_ONLY[1:], "hill"]
    assert run(["check", str(project)]) == 0
    assert "8 cards in 6 files checked, 6 with text-only rules" in capsys.readouterr().out
