"""Effects that must work and effects that must be refused, from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.yaml_files import read_yaml
from toolkit.dsl.checking import check_effect
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.names import MarkerFacts, Names
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Problem
from toolkit.lint import EffectContext
from toolkit.project.effect_proposals import with_what_was_meant
from toolkit.vocabulary import Role

CASES = Path(__file__).parent / "cases"
MARKERS = {"intel": MarkerFacts(False, 3), "supply": MarkerFacts(True, 99), "torn": None}
NAMES = Names(("night-owls", "gambit"), ("sniper", "scout"), ("marked",), ("steadfast", "swift"), MARKERS)


def told(text: str, role: str) -> tuple[Problem, ...]:
    """What a check says about an effect."""
    context = EffectContext(Role(role), markers=NAMES.markers)
    tree, problems = parse_effect(text)
    if tree is not None:
        problems = check_effect(tree, Role(role), NAMES)
    return with_what_was_meant(text, problems, False, NAMES, context)


def cases(name: str) -> list[list[str]]:
    loaded: list[list[str]] = read_yaml(CASES / name)
    return loaded


@pytest.mark.parametrize(("role", "text"), cases("language.yaml"))
def test_an_effect_of_the_language_works(role: str, text: str) -> None:
    tree, problems = parse_effect(text)
    assert tree is not None, problems
    assert check_effect(tree, Role(role), NAMES) == ()
    assert print_effect(tree) == text


def test_an_effect_is_refused_once_at_the_word() -> None:
    for role, marked, name, says in cases("refused.yaml"):
        text = marked.replace("‹", "").replace("›", "")
        place = (marked.index("‹"), marked.index("›") - 1)
        problems = told(text, role)
        assert [(problem.name, problem.place) for problem in problems] == [(name, place)], marked
        assert says in f"{problems[0].message} {problems[0].next_step}", marked


@pytest.mark.parametrize(("role", "wrong", "right"), cases("obeyed.yaml"))
def test_a_proposal_that_is_taken_leads_to_what_was_meant(role: str, wrong: str, right: str) -> None:
    text = wrong
    for _ in range(5):
        problems = told(text, role)
        if problems and problems[0].fix is not None:
            start, end = problems[0].place
            text = text[:start] + problems[0].fix + text[end:]
    tree, _ = parse_effect(text)
    assert tree is not None, (text, problems)
    assert check_effect(tree, Role(role), NAMES) == ()
    assert tree == parse_effect(right)[0]


def test_every_wrong_sentence_is_told() -> None:
    text = "when atacking, self gets +1 AP. self gets +1 MP. self dobules AP. self gets +1 EP"
    tree, problems = parse_effect(text)
    assert tree is None
    assert [problem.name for problem in problems] == ["unknown-trigger", "unknown-verb", "missing-full-stop"]


def test_a_comment_in_a_block_is_passed_over() -> None:
    block = 'self gets +1 AP. # a first try\nif self has trait "a#b", self gets +1 EP.\n'
    tree, problems = parse_effect(block, comments=True)
    assert tree is not None, problems
    assert print_effect(tree) == 'self gets +1 AP. if self has trait "a#b", self gets +1 EP.'
    assert block[slice(*tree.sentences[1].place)].startswith("if self has")
