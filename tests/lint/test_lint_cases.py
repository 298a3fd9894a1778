"""Effects that have a finding and their near misses that must not have one, from files."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path

import pytest

from tests.yaml_files import read_yaml
from toolkit.data.loading import load_project
from toolkit.data.model import CardSet
from toolkit.dsl.names import MarkerFacts
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Problem
from toolkit.lint import EffectContext, lint_effect
from toolkit.lint.context import Given
from toolkit.lint.groups import nobody_of_the_project
from toolkit.vocabulary import Role

HERE = Path(__file__).parent
MARKERS = {"intel": MarkerFacts(False, 3), "heat": MarkerFacts(False, 99)}
FILES = sorted((HERE / "cases").glob("*.yaml"))


@cache
def project() -> CardSet:
    cards, findings = load_project(HERE / "project")
    assert [finding.name for finding in findings] == ["unknown-ruleset", "unknown-mode"] or not findings
    return cards


def cases(part: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(who, text) for case in part for who, text in case.items()]


def lint(who: str, text: str) -> tuple[Problem, ...]:
    tree, problems = parse_effect(text)
    assert tree is not None, problems
    why_nobody = partial(nobody_of_the_project, operators=tuple(project().cards.values()))
    bearer = project().cards.get(who)
    role = Role.SKILL if bearer else Role(who)
    given = Given(keywords=frozenset())
    return lint_effect(tree, EffectContext(role, bearer, why_nobody, markers=MARKERS, given=given))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_finding_is_made_once_at_the_word_and_a_near_miss_is_none(path: Path) -> None:
    name, read = path.stem, read_yaml(path)
    for who, marked in cases(read["found"]):
        text, place = re.sub("[‹›]", "", marked), (marked.index("‹"), marked.index("›") - 1)
        problems = lint(who, text)
        assert [(problem.name, problem.place) for problem in problems] == [(name, place)], marked
        for sentence in (problems[0].message, problems[0].next_step):
            assert re.fullmatch(r"[A-Z`].*\.", sentence), sentence
            assert "None" not in sentence
    for who, text in cases(read["fine"]):
        assert name not in [problem.name for problem in lint(who, text)], text


def test_the_reason_is_that_of_the_condition() -> None:
    (problem,) = lint("skill", "when attacking, if self has TEAM of self, self gets +1 AP.")
    assert problem.message == "`self has TEAM of self` always holds: both are the same OPERATOR."


def test_the_effects_of_the_language_page_have_no_finding() -> None:
    for who, text in cases(read_yaml(HERE / "language.yaml")):
        assert lint(who, text) == (), text


def test_where_an_effect_changes_range_nothing_is_concluded_from_a_range_of_1() -> None:
    for text in (
        "while attacking, if target is in RANGE of self, self gets +1 AP.",
        "while attacking, if FIELDPOSITION of target <= FIELDPOSITION of self + 1, self gets +1 AP.",
        "if number of enemy OPERATORs in RANGE > 3, self gets +1 AP.",
        "self gets +1 AP for each own OPERATOR in RANGE (max 7).",
    ):
        tree, problems = parse_effect(text)
        assert tree is not None, problems
        assert lint_effect(tree, EffectContext(Role.SKILL)) != ()
        assert lint_effect(tree, EffectContext(Role.SKILL, given=Given(fixed_range=False))) == ()
