"""Laws of the language: what is printed parses to the same tree, and no text makes anything raise."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from tests.dsl_trees import (
    NAMES,
    conditions,
    effects,
    numbers,
    operator_doings,
    pers,
    player_doings,
    sensible,
)
from tests.thoroughness import examples
from toolkit.dsl import tree
from toolkit.dsl.checking import check_effect
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.lalr import terminals_by_word
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import walk
from toolkit.vocabulary import Role

words = st.sampled_from([*terminals_by_word(), "+1AP", "3", '"sniper"', "APP", "\n", "#", '"', "é", "🎯"])


@given(effects())
@examples(400)
def test_printing_and_parsing_give_the_same_tree(effect: tree.Effect) -> None:
    text = print_effect(effect)
    parsed, problems = parse_effect(text)
    assert problems == ()
    assert parsed == effect
    assert print_effect(parsed) == text


@given(sensible())
def test_a_sensible_effect_has_no_problem(pair: tuple[Role, tree.Effect]) -> None:
    role, effect = pair
    assert check_effect(effect, role, NAMES) == ()


@given(st.lists(words, max_size=25), st.sampled_from(Role), st.booleans())
@examples(400)
def test_any_row_of_words_is_answered(row: list[str], role: Role, comments: bool) -> None:
    text = " ".join(row)
    parsed, problems = parse_effect(text, comments)
    assert (parsed is None) == bool(problems)
    if parsed is not None:
        problems = check_effect(parsed, role, NAMES)
    for problem in problems:
        assert 0 <= problem.place[0] <= problem.place[1] <= len(text)
        assert problem.message
        assert problem.next_step


@given(st.text(max_size=300), st.booleans())
@examples(400)
def test_any_text_is_answered(text: str, comments: bool) -> None:
    parsed, problems = parse_effect(text, comments)
    assert (parsed is None) == bool(problems)


@given(effects(), st.data())
@examples(200)
def test_places_are_where_the_words_stand(effect: tree.Effect, data: st.DataObject) -> None:
    del data
    text = print_effect(effect)
    parsed, _ = parse_effect(text)
    assert parsed is not None
    for node in walk(parsed):
        start, end = node.place
        assert 0 <= start < end <= len(text)
        if isinstance(node, tree.Word):
            assert text[start:end].replace("\n", " ") == node.text
        if isinstance(node, (tree.Ref, tree.Player)):
            assert text[start:end] in (("it", "they", "them") if node.name == "it" else (node.name,))


@given(effects())
def test_walking_meets_every_node(effect: tree.Effect) -> None:
    def nodes(value: object) -> int:
        if isinstance(value, tuple):
            return sum(nodes(item) for item in value)
        if not isinstance(value, tree.Node):
            return 0
        return 1 + sum(nodes(getattr(value, name)) for name in value.__struct_fields__)

    assert sum(1 for _ in walk(effect)) == nodes(effect)


CONSTRUCTS = {*get_args(tree.Number), *get_args(tree.Condition), *get_args(tree.Doing)}


def test_random_trees_have_every_construct() -> None:
    drawn: set[type] = set()

    @given(st.one_of(numbers(), conditions(), operator_doings(), player_doings(), pers()))
    @examples(10000)
    def draw(node: tree.Node) -> None:
        drawn.update(type(part) for part in walk(node))

    draw()
    assert {construct.__name__ for construct in CONSTRUCTS - drawn} == set()


def test_deep_nesting_is_refused_and_not_a_crash() -> None:
    for text in (
        f"if {'(' * 500}ROUND > 1{')' * 500}, self gets +1 AP.",
        f"if {'not ' * 400}self is HIT, self gets +1 AP.",
        f"if {'-' * 900}1 > ROUND, self gets +1 AP.",
        f"when played, {'either ' * 250}owner draws 1 card{' or owner draws 1 card' * 250}.",
        "self gets +1 AP. " * 200,
    ):
        parsed, problems = parse_effect(text)
        assert parsed is None
        assert {problem.name for problem in problems} <= {"effect-too-deep", "effect-too-long"}
