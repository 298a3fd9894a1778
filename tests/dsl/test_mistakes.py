"""What is said about sentences that are not valid: honest, right where they stand, and always the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.dsl.wrong_sentences import HELD_OUT, TRAITS, UNSEEN, wrong_sentences
from tests.say.measure import HELD_OUT as HELD_OUT_IDEAS
from tests.say.measure import IDEAS, ideas_in
from tests.thoroughness import THOROUGH
from tests.yaml_files import read_yaml
from toolkit.dsl.checking import check_effect
from toolkit.dsl.effect_objects import compile_effect
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.names import MarkerFacts, Names
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus
from toolkit.dsl.parsing import MAX_CHARACTERS, parse_effect
from toolkit.dsl.tree import Problem
from toolkit.editing.saying import KINDS
from toolkit.lint import EffectContext, check_text
from toolkit.project.effect_proposals import with_what_was_meant
from toolkit.vocabulary import Role
from toolkit.vocabulary.nearest import count_searched, reset_steps

MARKERS = {"intel": MarkerFacts(False, 99), "supply": MarkerFacts(True, 99)}
NAMES = Names(("night-owls", "gambit"), TRAITS, TRAITS, ("steadfast",), MARKERS)
_LINES = (Path(__file__).parent / "said_otherwise.txt").read_text(encoding="utf-8").splitlines()
SAID_OTHERWISE = {wrong: right.strip() for wrong, right in zip(_LINES[::2], _LINES[1::2], strict=True)}
"""Sentences as other games and other languages say them, with the right ones."""
_SENTENCES = re.compile(r"`([^`]+\.)`")


@cache
def told(text: str, role: Role) -> tuple[Problem, ...]:
    """What a check of nothing else says about an effect."""
    reset_steps()
    return told_now(text, role)


def told_now(text: str, role: Role) -> tuple[Problem, ...]:
    """What a check says about an effect with the steps that are left."""
    context = EffectContext(role, markers=MARKERS)
    _, problems = check_text(text, False, NAMES, context)
    return with_what_was_meant(text, problems, False, NAMES, context)


def is_clean(text: str, role: Role) -> bool:
    return check_text(text, False, NAMES, EffectContext(role, markers=MARKERS))[1] == ()


def with_edit(text: str, place: tuple[int, int], replacement: str) -> str:
    return text[: place[0]] + replacement + text[place[1] :]


def role_of(kind: str) -> Role:
    return KINDS[kind] if kind in KINDS else Role(kind)


def role_for(right: str) -> Role:
    """A role in which a right sentence has no error."""
    tree, problems = parse_effect(right)
    assert tree is not None, problems
    return next(role for role in Role if not check_effect(tree, role, NAMES))


def mistakes() -> Iterator[tuple[str, Role]]:
    """All mistakes that there are files of, each with a role."""
    for file in (None, UNSEEN, HELD_OUT):
        for entry in wrong_sentences(file) if file else wrong_sentences():
            yield entry.wrong, role_of(entry.kind)
    for idea in (*ideas_in(IDEAS), *ideas_in(HELD_OUT_IDEAS)):
        yield idea.text, role_of(idea.kind)
    for wrong, right in SAID_OTHERWISE.items():
        yield wrong, role_for(right)


@cache
def some_mistakes() -> list[tuple[str, Role]]:
    return [*mistakes()][:: 1 if THOROUGH else 24]


def test_nothing_is_proposed_that_is_refused_then_or_warned_about() -> None:
    """Neither in a message, nor by a fix or by one of several edits; and never the sentence itself."""
    for text, role in some_mistakes():
        if parse_effect(text)[0] is not None:
            continue
        for problem in told(text, role):
            for sentence in _SENTENCES.findall(f"{problem.message} {problem.next_step}"):
                if " " in sentence and parse_effect(sentence)[0] is not None:
                    assert sentence != text
                    in_its_place = with_edit(text, problem.place, sentence)  # behind `when attacked, `
                    assert is_clean(sentence, role) or is_clean(in_its_place, role), (text, sentence)
            for rewording in problem.alternatives:
                proposed = with_edit(text, rewording.place, rewording.text)
                assert proposed != text
                others = [other for other in told(proposed, role) if other.place[0] >= rewording.place[0]]
                assert not [one for one in others if one.place[0] < rewording.place[1]], (text, proposed)


def test_a_fix_leaves_out_no_word_with_a_meaning() -> None:
    for text, role in some_mistakes():
        for problem in told(text, role):
            if "The nearest is" in problem.next_step:
                assert problem.fix is None, (text, problem)


def test_what_others_say_in_their_words_is_understood() -> None:
    rows = [*SAID_OTHERWISE.items()][:: 1 if THOROUGH else 8]
    understood = 0
    for wrong, right in rows:
        role = role_for(right)
        problem = told(wrong, role)[0]
        proposed = [with_edit(wrong, edit.place, edit.text) for edit in problem.alternatives]
        if problem.fix is not None:
            proposed.append(with_edit(wrong, problem.place, problem.fix))
        understood += _meaning(right, role) in [_meaning(sentence, role) for sentence in proposed]
    assert understood >= 0.8 * len(rows)


def _meaning(text: str, role: Role) -> object:
    tree, _ = parse_effect(text)
    if tree is None:
        return None
    effects = compile_effect(tree, role, "", "")
    return [(effect.hook, effect.condition, effect.actions) for effect in effects]


HONEST: list[list[str]] = read_yaml(Path(__file__).parent / "cases" / "honest.yaml")


@pytest.mark.parametrize(("kind", "wrong", "never", "right"), HONEST)
def test_the_advice_is_honest(kind: str, wrong: str, never: str, right: str) -> None:
    """Whatever the language can say by now: the sentence is valid, or what is proposed means the same."""
    role = role_of(kind)
    if is_clean(wrong, role):
        return
    problem = told(wrong, role)[0]
    proposed = [with_edit(wrong, edit.place, edit.text) for edit in problem.alternatives]
    if never and "The nearest is" not in problem.next_step:
        assert not [sentence for sentence in proposed if never in sentence], problem
    if right and parse_effect(right)[0] is not None and is_clean(right, role):
        assert _meaning(right, role) in [_meaning(sentence, role) for sentence in proposed], problem


def test_what_is_left_out_is_named() -> None:
    (problem,) = told("while attacking, self may reroll 1 purple ATTACK D6.", Role.SKILL)
    assert problem.fix is None
    assert "`purple`" in problem.next_step
    assert problem.next_step.startswith("The nearest is `while attacking, self may reroll")


def test_where_nothing_is_near_there_is_what_the_language_has_about_it() -> None:
    (problem,) = told("philosophers shuffle purple moons.", Role.SKILL)
    assert "`text_only:`" in problem.next_step
    assert "`draws`" in problem.next_step
    assert problem.fix is None


def test_a_german_word_is_told_as_such() -> None:
    (problem,) = told("while attacking, self verdoppelt AP.", Role.SKILL)
    assert (problem.name, problem.fix, problem.safe) == ("german-word", "doubles", True)
    assert problem.message == "Effects are English, and `verdoppelt` is German."


@pytest.mark.parametrize(
    ("wrong", "word", "fix"),
    [
        ("when an attack on self beginnt, owner draws 1 card.", "beginnt", "begins"),
        ("while attacking, self erhält +0 AP.", "erhält", None),
        ("self verliert ITEM.", "verliert", None),
    ],
)
def test_a_german_word_is_one_even_if_the_rest_is_wrong_or_another_word_is_near(
    wrong: str, word: str, fix: str | None
) -> None:
    (problem,) = told(wrong, Role.SKILL)
    assert (problem.name, wrong[slice(*problem.place)], problem.fix) == ("german-word", word, fix)


@pytest.mark.parametrize("cards", ["1 card from own DISCARDZONE", "2 ATTACK cards from own DECK"])
@pytest.mark.parametrize(("takes", "puts"), [("takes", "puts"), ("may take", "may put")])
def test_who_takes_a_card_puts_it_into_the_hand(cards: str, takes: str, puts: str) -> None:
    wrong = f"when the own TURN begins, owner {takes} {cards}."
    (problem,) = told(wrong, Role.SKILL)
    assert problem.fix is not None
    right = f"when the own TURN begins, owner {puts} {cards} into the hand."
    assert with_edit(wrong, problem.place, problem.fix) == right


def test_what_would_be_wrong_as_well_is_told_with_its_reason() -> None:
    (problem,) = told("when attacking, if target isn't OUT, self gets +1 AP.", Role.SKILL)
    assert (problem.fix, problem.alternatives) == (None, ())
    assert problem.next_step.startswith("In the words of the language it would be wrong, too: ")
    assert "OUT OPERATORs take no part in an attack" in problem.next_step


def test_without_steps_left_the_place_is_told_still() -> None:
    text = "each enemy gets -1 EP."
    try:
        before = told(text, Role.SKILL)
        count_searched(10**9)
        (problem,) = told_now(text, Role.SKILL)
        assert problem.alternatives == ()
        assert problem.message
    finally:
        reset_steps()
    assert told(text, Role.SKILL) == before


@pytest.mark.parametrize(
    "words", ["when ", "if ", "unless ", "self and ", "a, ", "self gets +1 AP or ", "is ", "+1/+1 ", "until "]
)
def test_the_longest_text_is_answered(words: str) -> None:
    text = (words * MAX_CHARACTERS)[: MAX_CHARACTERS - 1] + "."
    assert told(text, Role.SKILL)


def test_what_the_thesaurus_is_sure_of_is_said_once() -> None:
    """A phrase that can mean one thing only has no second meaning that is as sure."""
    sure: dict[object, str] = {}
    for phrase in thesaurus().phrases:
        if phrase.is_same:
            assert sure.setdefault(phrase.written, phrase.right) == phrase.right, phrase


def test_a_right_sentence_of_the_file_is_canonical() -> None:
    for right in SAID_OTHERWISE.values():
        tree, problems = parse_effect(right)
        assert tree is not None, problems
        assert parse_effect(print_effect(tree))[0] == tree
