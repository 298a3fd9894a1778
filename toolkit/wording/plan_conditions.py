"""Conditions, planned in the order of their printed words."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from msgspec.structs import replace

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
        case tree.HasStatus(ref) | tree.Stands(ref) | tree.Bears(ref):
            return _facts(speech, ref, [condition], "and")
        case tree.AttackIsCritical(no):
            return say.CriticalAttack(no)


def _together(speech: Speech, parts: tuple[tree.Condition, ...], word: _Word) -> say.ConditionPhrase:
    said = _parts(speech, parts, word)
    return said[0] if len(said) == 1 else say.Together(word, said)


def _parts(speech: Speech, parts: tuple[tree.Condition, ...], word: _Word) -> tuple[say.ConditionPhrase, ...]:
    """The parts in order; what neighbours ask of one OPERATOR becomes one part, who is named once."""
    said: list[say.ConditionPhrase] = []
    for ref, run in groupby(parts, key=_asked):
        if ref is None:
            said += [condition_phrase(speech, part) for part in run]
        else:
            said.append(_facts(speech, tree.Ref(ref), list(run), word))
    return tuple(said)


def _asked(part: tree.Condition) -> str | None:
    """Of whom it is asked what he is, where he is or what he has."""
    match part:
        case tree.HasStatus(ref) | tree.Stands(ref) | tree.Bears(ref):
            return ref.name
        case tree.Comparison(tree.QuantityOf(quantity, ref), _, right) if quantity.text == "FIELDPOSITION":
            return ref.name if integer(right) is not None else None
        case _:
            return None


def _facts(speech: Speech, ref: tree.Ref, parts: list[tree.Condition], word: _Word) -> say.Facts:
    who = speech.say(ref)
    facts: list[say.Fact] = []
    for part in parts:
        fact = _fact(speech, who, part)
        match facts[-1:], fact:
            case [say.Stands(say.Position(one, before))], say.Stands(say.Position(other, more)) if (
                one == other == {"and": "!=", "or": "="}[word]
            ):
                facts[-1] = say.Stands(say.Position(one, before + more))
            case _:
                facts.append(fact)
    return say.Facts(who, tuple(facts), word)


def _fact(speech: Speech, who: say.Mention, part: tree.Condition) -> say.Fact:
    match part:
        case tree.HasStatus(_, status, no):
            return say.Has(status.text, no)
        case tree.Stands(_, relation, to, no):
            there = speech.say(to, of_target=who.form == "its")
            return say.Stands(say.Somewhere(relation, there), no)
        case tree.Bears(_, what, name, no):
            return say.Bears(what, name.text if name else None, no)
        case tree.Comparison(_, compare, right):
            return say.Stands(say.Position(compare, (integer(right) or 0,)))
        case _:
            raise ValueError(part)


def _comparison(speech: Speech, comparison: tree.Comparison) -> say.ConditionPhrase:
    compare, value = comparison.compare, integer(comparison.right)
    if value is not None:
        match comparison.left:
            case tree.NumberOf(group):
                counted = say.CountIs(group_phrase(speech, group, counted=True), compare, value)
                if value == 1:
                    speech.mentions.introduce_somebody()  # "it" could be that one
                return counted
            case tree.CardsInHand(side):
                if side == "enemy":
                    speech.mentions.introduce_somebody()
                return say.HandIs(side, compare, value)
            case tree.Round():
                return say.RoundIs(compare, value)
            case tree.QuantityOf(quantity, ref) if quantity.text == "FIELDPOSITION":
                return _facts(speech, ref, [comparison], "and")
            case _:
                pass
    if _same_of_the_other(comparison):
        both: say.Count | say.Hand | None = None
        match comparison.left:
            case tree.NumberOf(group):
                both = say.Count(group_phrase(speech, group, counted=True, named=True))
            case tree.CardsInHand(side):
                both = say.Hand(side)
            case _:
                pass
        if both is not None:
            speech.mentions.introduce_somebody()  # "er" could be the opponent
            return say.CountsCompared(both, compare, None)
    left = number_phrase(speech, comparison.left)
    counts = (say.Count, say.Hand)
    right = number_phrase(speech, comparison.right)
    if isinstance(left, counts) and isinstance(right, counts):
        if any(side == say.Hand("enemy") for side in (left, right)):
            speech.mentions.introduce_somebody()
        return say.CountsCompared(left, compare, right)
    return say.Compares(left, compare, right)


def _same_of_the_other(comparison: tree.Comparison) -> bool:
    """Whether a number of one player is compared with the same of the other."""
    match comparison.left, comparison.right:
        case tree.NumberOf(left), tree.NumberOf(right):
            same = replace(left, side="any") == replace(right, side="any") and not left.other
            return same and {left.side, right.side} == {"own", "enemy"}
        case tree.CardsInHand(left_side), tree.CardsInHand(right_side):
            return {left_side, right_side} == {"own", "enemy"}
        case _:
            return False
