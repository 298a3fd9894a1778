"""One form for what says the same: it means what was written, and once there it stays."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests import dsl_trees
from tests.thoroughness import examples
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import print_condition, print_number
from toolkit.vocabulary import Role
from toolkit.wording.normalise import blocks, negated

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
CALCULATE: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda dividend, divisor: int(dividend / divisor),
}


class World:
    """A field as far as conditions can see it: whatever is asked has some answer, and keeps it."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def _answer(self, question: str, upto: int) -> int:
        asked = question.replace("in RANGE of self", "in RANGE")  # the same, seen from self
        asked = asked.replace("other enemy", "enemy")  # self is none of them
        return (sum(ord(sign) * (at + 7) for at, sign in enumerate(asked)) * (self._seed + 1) // 5) % upto

    def value(self, number: Any) -> int:
        match number:
            case tree.Constant(value):
                return value
            case tree.Negative(inner):
                return -self.value(inner)
            case tree.Binary(sign, left, right):
                return CALCULATE[sign](self.value(left), self.value(right))
            case _:
                return self._answer(print_number(number), 4)

    def holds(self, condition: Any) -> bool:
        match condition:
            case tree.AllOf(parts):
                return all(self.holds(part) for part in parts)
            case tree.AnyOf(parts):
                return any(self.holds(part) for part in parts)
            case tree.Not(part):
                return not self.holds(part)
            case tree.Comparison(left, compare, right):
                return COMPARE[compare](self.value(left), self.value(right))
            case tree.TurnIs(side, negated):
                return (bool(self._answer("own TURN", 2)) == (side == "own")) != negated
            case _:
                said = print_condition(condition)
                plain = said.replace(" not ", " ").replace(" has no ", " has ")
                return bool(self._answer(plain, 2)) != condition.negated


def canonical(condition: tree.Condition) -> tree.Condition:
    """The one form of a condition where no attack makes two names one OPERATOR."""
    act = tree.Act(tree.Ref("self"), (tree.Ignores("TEAMWORK"),))
    (block,) = blocks(tree.Effect((tree.Sentence((act,), None, condition),)), Role.SKILL)
    assert block.condition is not None
    return block.condition


@given(dsl_trees.conditions(), st.integers(0, 50))
@examples(500)
def test_the_one_form_holds_when_the_written_one_does(condition: tree.Condition, seed: int) -> None:
    world = World(seed)
    assert world.holds(canonical(condition)) == world.holds(condition)


@given(dsl_trees.conditions(), st.integers(0, 50))
@examples(300)
def test_what_is_negated_holds_when_it_does_not(condition: tree.Condition, seed: int) -> None:
    world = World(seed)
    assert world.holds(negated(canonical(condition))) != world.holds(condition)


@given(dsl_trees.conditions())
@examples(200)
def test_the_one_form_stays(condition: tree.Condition) -> None:
    once = canonical(condition)
    assert canonical(once) == once
    assert "not (" not in print_condition(once)


def test_sentences_are_joined_where_nothing_changes() -> None:
    def act(who: str, stat: str) -> tree.Act:
        return tree.Act(tree.Ref(who), (tree.Gets(1, tree.Word(stat)),))

    def sentence(when: str | None, act: tree.Act) -> tree.Sentence:
        return tree.Sentence((act,), tree.When(when) if when else None)

    def count(*sentences: tree.Sentence) -> list[int]:
        return [len(block.clauses) for block in blocks(tree.Effect(sentences), Role.SKILL)]

    own, other = act("self", "AP"), act("target", "EP")
    assert count(sentence("attacking", own), sentence("attacking", own)) == [1]
    assert count(sentence("attacking", own), sentence("attacking", other)) == [2]
    assert count(sentence("attacking", own), sentence("attacked", own)) == [1, 1]
    assert count(sentence(None, own), sentence("attacking", own)) == [1, 1]
    assert count(*[sentence("attacking", act) for act in (own, other, own)]) == [2, 1]
