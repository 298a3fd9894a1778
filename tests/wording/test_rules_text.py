"""Runs, names, languages and what a reader must never find in a text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import toolkit.wording
from toolkit.dsl import tree
from toolkit.dsl.effect_objects import all_actions, compile_effect
from toolkit.dsl.parsing import parse_effect
from toolkit.vocabulary import Role
from toolkit.wording.card_text import CardEffect, KeywordRules, card_rules
from toolkit.wording.card_text import rules_text as rules
from toolkit.wording.language import Language
from toolkit.wording.languages import LANGUAGES
from toolkit.wording.plan_nodes import SentencePlan
from toolkit.wording.text import Names, Run, plain


def effect(text: str) -> tree.Effect:
    parsed, problems = parse_effect(text)
    assert parsed is not None, problems
    return parsed


def text_of(text: str, role: Role = Role.SKILL, lang: str = "en", names: Names | None = None) -> str:
    paragraphs = rules(effect(text), role, lang, names)
    assert isinstance(paragraphs, tuple)
    return plain(paragraphs)


def test_stats_dice_and_keywords_are_runs_of_their_own() -> None:
    said = effect("when attacking, if target is HIT, self gets +1 AP and rolls +1 ATTACK D6.")
    paragraphs = rules(said, Role.SKILL, "de")
    assert paragraphs == (
        (
            Run("text", "Wenn dieser OPERATOR angreift und sein Ziel "),
            Run("keyword", "HIT"),
            Run("text", " ist, erhält er +1 "),
            Run("stat", "AP", "ap"),
            Run("text", " und würfelt 1 zusätzlichen "),
            Run("die", "ATTACK D6", "attack-d6"),
            Run("text", "."),
        ),
    )


def test_cards_and_values_are_no_keywords_and_counters_are_like_stats() -> None:
    said = effect("when attacking, if HITCOUNTER of self > 1 and self has ATTACK card, self gets +1 AP.")
    paragraphs = rules(said, Role.SKILL, "en")
    assert isinstance(paragraphs, tuple)
    assert [run for run in paragraphs[0] if run.kind != "text"] == [
        Run("stat", "HITCOUNTER", "hitcounter"),
        Run("stat", "AP", "ap"),
    ]


def test_a_name_is_never_taken_for_a_word_of_the_rules() -> None:
    names = Names(teams={"ap": {"en": "AP HIT, ATTACK D6, ."}}, traits={"hit": {"en": "HIT"}})
    said = effect('all own OPERATORs of TEAM "ap" with trait "hit" get +1 EP.')
    paragraphs = rules(said, Role.STRATEGY, "en", names)
    assert isinstance(paragraphs, tuple)
    assert [run.text for run in paragraphs[0] if run.kind != "text"] == ["EP"]
    assert plain(paragraphs) == (
        "All your OPERATORs from TEAM AP HIT, ATTACK D6, . with the trait “HIT” get +1 EP."
    )


@pytest.mark.parametrize("name", ["\ue000x\ue001", "a\ue001b", "TEAM:x", "{0}", "\\1", ""])
def test_any_name_is_printed(name: str) -> None:
    said = tree.Effect(
        (
            tree.Sentence(
                (tree.Act(tree.Every(tree.Group("own", team=tree.Word(name))), (tree.Ignores("SKILLs"),)),)
            ),
        )
    )
    for lang in LANGUAGES:
        paragraphs = rules(said, Role.STRATEGY, lang)
        assert isinstance(paragraphs, tuple)
        assert plain(paragraphs).endswith(".")


def test_what_acts_once_is_compiled_without_the_duration_that_its_text_does_not_say() -> None:
    said = effect(
        "when the attack hits, self gets +1 HITCOUNTER and +1 AP and gains BONUS (ANY) until end of ROUND."
    )
    (compiled,) = compile_effect(said, Role.SKILL, "viper", "skill 1")
    assert [action.duration for action in all_actions(compiled.actions)] == [
        None,
        "ROUND",
        None,
    ]


def test_names_come_in_the_language_of_the_text() -> None:
    names = Names({"owls": {"en": "Owls", "de": "Eulen"}}, {"sniper": {"de": "Scharfschütze"}})
    said = 'all own OPERATORs of TEAM "owls" with trait "sniper" get +1 EP.'
    assert "TEAM Owls with the trait “sniper”" in text_of(said, Role.STRATEGY, "en", names)
    assert "TEAM Eulen mit dem Merkmal „Scharfschütze“" in text_of(said, Role.STRATEGY, "de", names)


def test_a_name_that_is_missing_in_a_language_is_the_id() -> None:
    names = Names({"owls": {"en": "Owls"}})
    assert "TEAM owls" in text_of('all own OPERATORs of TEAM "owls" get +1 EP.', Role.STRATEGY, "de", names)


# ----------------------------------------------------------------------------------------------- languages


def test_there_is_no_text_in_a_language_that_has_none() -> None:
    assert rules(effect("self gets +1 AP."), Role.SKILL, "fr") is None
    assert card_rules([], "DE") is None


def test_a_language_is_a_module_that_says_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    def say(plan: SentencePlan) -> str:
        return f"Mi {len(plan.clauses)} AP."

    monkeypatch.setitem(LANGUAGES, "eo", Language("eo", say, lambda reminder: f"({reminder.keyword}.)"))
    said = CardEffect("", effect("self gains BONUS (ANY)."), Role.SKILL)
    result = card_rules([said], "eo")
    assert isinstance(result, tuple)
    assert plain(result[0].paragraphs) == "Mi 1 AP. (BONUS.)"


def test_only_the_languages_know_words() -> None:
    folder = Path(toolkit.wording.__file__).parent
    for path in folder.rglob("*.py"):
        tree_of_file = ast.parse(path.read_text(encoding="utf-8"))
        languages = {part for part in path.relative_to(folder).parts[:-1] if part in LANGUAGES}
        for node in ast.walk(tree_of_file):
            if isinstance(node, ast.ImportFrom) and node.module and "toolkit.wording." in node.module:
                used = {part for part in node.module.split(".") if part in LANGUAGES}
                assert used <= languages or path.name == "languages.py", path


# ----------------------------------------------------------------------------------------------- reminders


def test_reminders_are_the_last_runs_of_their_paragraph() -> None:
    said = CardEffect("", effect("self gains RULEVIOLATION 3+. self gets +1 AP."), Role.SKILL)
    result = card_rules([said], "en")
    assert isinstance(result, tuple)
    (paragraph,) = result[0].paragraphs
    assert [run.kind for run in paragraph][-1] == "reminder"
    assert paragraph[-1].text.startswith(" (RULEVIOLATION 3+: ")


def reminders(said: list[CardEffect], lang: str, rules_of: KeywordRules | None = None) -> list[str]:
    result = card_rules(said, lang, keyword_rules=rules_of)
    assert isinstance(result, tuple)
    lines = [line for part in result for line in part.paragraphs]
    return [run.text for line in lines for run in line if run.kind == "reminder"]


def test_a_card_without_keywords_has_no_reminders() -> None:
    assert reminders([CardEffect("", effect("self gets +1 AP."), Role.SKILL)], "de") == []


def test_a_suppression_without_condition_is_explained_by_the_ruleset() -> None:
    said = [CardEffect("", effect("when attacking, if target is SUPPRESSED, self gets +1 AP."), Role.SKILL)]
    found = reminders(said, "en", KeywordRules(effect("when attacking, self halves AP.")))
    assert found == reminders(said, "en") != []


@pytest.mark.parametrize(
    ("counted", "rounding", "lang", "said"),
    [
        ("EP of self / 2", "up", "en", "each half of its EP (rounded up)"),
        ("(EP of self + 1) / 2", "up", "en", "each half of (its EP + 1) (rounded up)"),
        ("(EP of self + 1) / 2", "up", "de", "jede Hälfte (seiner EP + 1) (aufgerundet)"),
        ("EP of self * 2 / 3", "nearest", "en", "each third of (its EP × 2) (rounded)"),
        ("EP of self * 2 / 3", "nearest", "de", "jedes Drittel (seiner EP × 2) (gerundet)"),
    ],
)
def test_a_part_that_is_not_rounded_down_is_one_of_the_whole_sum(
    counted: str, rounding: str, lang: str, said: str
) -> None:
    """E-27: without parentheses it would be half of the first number only."""
    written = effect(f"while attacking, self gets +1 AP for each {counted}.")
    paragraphs = rules(written, Role.SKILL, lang, None, rounding)
    assert isinstance(paragraphs, tuple)
    assert said in plain(paragraphs)
