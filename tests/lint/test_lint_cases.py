"""Effects that have a finding and their near misses that must not have one, from files."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from toolkit.data.loading import load_project
from toolkit.data.model import CardSet
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Problem
from toolkit.lint import EffectContext, lint_effect
from toolkit.vocabulary import Role

HERE = Path(__file__).parent
FILES = sorted((HERE / "cases").glob("*.yaml"))


@cache
def project() -> CardSet:
    cards, findings = load_project(HERE / "project")
    assert [finding.name for finding in findings] == ["unknown-ruleset", "unknown-mode"] or not findings
    return cards


def cases(part: str) -> list[tuple[str, str, str]]:
    return [
        (path.stem, who, text)
        for path in FILES
        for case in yaml.safe_load(path.read_text(encoding="utf-8"))[part]
        for who, text in case.items()
    ]


def lint(who: str, text: str) -> tuple[Problem, ...]:
    tree, problems = parse_effect(text)
    assert tree is not None, problems
    operators = tuple(project().cards.values())
    bearer = project().cards.get(who)
    return lint_effect(tree, EffectContext(Role.SKILL if bearer else Role(who), bearer, operators))


@pytest.mark.parametrize(("name", "who", "marked"), cases("found"))
def test_the_finding_is_made_once_at_the_word(name: str, who: str, marked: str) -> None:
    text = re.sub("[‹›]", "", marked)
    begin = marked.index("‹")
    assert [(problem.name, problem.place) for problem in lint(who, text)] == [
        (name, (begin, marked.index("›") - 1))
    ]


@pytest.mark.parametrize(("name", "who", "text"), cases("fine"))
def test_a_near_miss_is_no_finding(name: str, who: str, text: str) -> None:
    assert name not in [problem.name for problem in lint(who, text)]


@pytest.mark.parametrize("case", yaml.safe_load((HERE / "language.yaml").read_text(encoding="utf-8")))
def test_the_effects_of_the_language_page_have_no_finding(case: dict[str, str]) -> None:
    for who, text in case.items():
        assert lint(who, text) == ()


@pytest.mark.parametrize(("name", "who", "marked"), cases("found"))
def test_a_finding_says_why_and_what_to_do(name: str, who: str, marked: str) -> None:
    del name
    for problem in lint(who, re.sub("[‹›]", "", marked)):
        for sentence in (problem.message, problem.next_step):
            assert sentence.endswith(".")
            assert sentence[0].isupper() or sentence[0] == "`"
            assert "None" not in sentence
