"""Conditions, planned in the order of their printed words."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from toolkit.dsl import tree
from toolkit.wording import phrases as say
from toolkit.wording.canonical import integer, negated
from toolkit.wording.mentions import Speech
from toolkit.wording.plan_numbers import group_phrase, number_phrase

_Word = Literal["and", "or"]


def conditions(speech: Speech, condition: tree.Condition | None) -> tuple[say.ConditionPhrase, ...]:
    """What must hold, part by part: trigger and parts are said in one list."""
    if condition is None:
        return ()
    parts = condition.parts if isinstance(condition, tree.AllOf) else (condition,)
    return _parts(speech, parts, "and")


def condition_phrase(speech: Speech, condition: tree.Condition) -> say.ConditionPhrase:
    """A condition, its parts in the order in which they are said."""
    match condition:
        case tree.AllOf(parts):
            return _together(speech, parts, "and")
        case tree.AnyOf(parts):
            return _together(speech, parts, "or")
        case tree.Not(part):
            return condition_phrase(speech, negated(part))
        case tree.Comparison():
            return _comparison(speech, condition)
        case tree.HasStatus():
            return _statuses(speech, [condition], "and")
        case tree.Stands(ref, relation, to, no):
            who = speech.say(ref)
            there = speech.say(to, of_target=who.form == "its")
            return say.StandsThere(who, relation, there, no)
        case tree.Bears(ref, what, name, no):
            return say.HasThat(speech.say(ref), what, name.text if name else None, no)
        case tree.AttackIsCritical(no):
            return say.CriticalAttack(no)


def _together(speech: Speech, parts: tuple[tree.Condition, ...], word: _Word) -> say.ConditionPhrase:
    said = _parts(speech, parts, word)
    return said[0] if len(said) == 1 else say.Together(word, said)


def _parts(speech: Speech, parts: tuple[tree.Condition, ...], word: _Word) -> tuple[say.ConditionPhrase, ...]:
    """The parts in order; neighbouring statuses of one OPERATOR become one part."""
    said: list[say.ConditionPhrase] = []
    for ref, run in groupby(parts, key=lambda p: p.ref.name if isinstance(p, tree.HasStatus) else None):
        if ref is None:
            said += [condition_phrase(speech, part) for part in run]
        else:
            said.append(_statuses(speech, [part for part in run if isinstance(part, tree.HasStatus)], word))
    return tuple(said)


def _statuses(speech: Speech, parts: list[tree.HasStatus], word: _Word) -> say.StatusIs:
    states = tuple((part.status.text, part.negated) for part in parts)
    return say.StatusIs(speech.say(parts[0].ref), states, word)


def _comparison(speech: Speech, comparison: tree.Comparison) -> say.ConditionPhrase:
    compare, value = comparison.compare, integer(comparison.right)
    if value is not None:
        match comparison.left:
            case tree.NumberOf(group):
                return say.CountIs(group_phrase(speech, group), compare, value)
            case tree.CardsInHand(side):
                return say.HandIs(side, compare, value)
            case tree.Round():
                return say.RoundIs(compare, value)
            case _:
                pass
    left = number_phrase(speech, comparison.left)
    return say.Compares(left, compare, number_phrase(speech, comparison.right))
