"""Conditions in English."""

from __future__ import annotations

from toolkit.wording import marks
from toolkit.wording.en.nouns import AMOUNTS, filters, name, place
from toolkit.wording.en.numbers import is_plural, number
from toolkit.wording.language import listed, numeral
from toolkit.wording.phrases import (
    Compares,
    ConditionPhrase,
    CountIs,
    CriticalAttack,
    HandIs,
    HasThat,
    Integer,
    RoundIs,
    Somewhere,
    StandsThere,
    StatusIs,
    Together,
)

_TO_A_NUMBER = {
    "=": "exactly",
    "!=": "not",
    "<": "lower than",
    "<=": "at most",
    ">": "higher than",
    ">=": "at least",
}
_TO_ANOTHER = {
    "=": "equal to",
    "!=": "not equal to",
    "<": "lower than",
    "<=": "at most as high as",
    ">": "higher than",
    ">=": "at least as high as",
}
_HANDS = {"own": ("you", False), "enemy": ("your opponent", True), "any": ("both players together", False)}
_ROUNDS = {
    "=": "ROUND {}",
    "!=": "not ROUND {}",
    "<": "before ROUND {}",
    "<=": "ROUND {} or earlier",
    ">": "after ROUND {}",
    ">=": "ROUND {} or later",
}


def condition(said: ConditionPhrase, inside: bool = False) -> str:
    """A condition behind "when …"; ``inside`` another one it gets parentheses where it needs them."""
    match said:
        case Together(word, parts):
            text = f" {word} ".join(condition(part, inside=True) for part in parts)
            return f"({text})" if inside else text
        case Compares(left, compare, right):
            verb = "are" if is_plural(left) else "is"
            if (compare, right) == ("=", Integer(0)):
                return f"{number(left)} {verb} 0"
            words = _TO_A_NUMBER if isinstance(right, Integer) else _TO_ANOTHER
            return f"{number(left)} {verb} {words[compare]} {number(right)}"
        case CountIs():
            return _count(said)
        case HandIs(side, compare, value):
            cards = "card" if value == 1 else "cards"
            return f"{_has_so_many(_HANDS[side], compare)} {_amount(compare, value)} {cards} in hand"
        case RoundIs(compare, value):
            return f"it is {_ROUNDS[compare].format(numeral(value))}"
        case StatusIs(who, states, word):
            return f"{name(who)} is {listed([_not(no) + status for status, no in states], word)}"
        case StandsThere(who, relation, to, negated):
            return f"{name(who)} is {_not(negated)}{place(Somewhere(relation, to))}"
        case HasThat():
            return _has(said)
        case CriticalAttack(negated):
            return f"the attack is {_not(negated)}CRITICAL"


def _not(negated: bool) -> str:
    return "not " if negated else ""


def _amount(compare: str, value: int) -> str:
    return (
        "no" if (compare, value) == ("=", 0) else f"{AMOUNTS[compare].removeprefix('not ')} {numeral(value)}"
    )


def _has_so_many(who: tuple[str, bool], compare: str) -> str:
    """ "you have", "your opponent does not have" (exactly 3 cards)."""
    subject, one = who
    if compare == "!=":
        return f"{subject} {'does' if one else 'do'} not have"
    return f"{subject} {'has' if one else 'have'}"


def _count(said: CountIs) -> str:
    one = said.number == 1
    other = "other " if said.group.other else ""
    noun = f"{other}{'enemy ' if said.group.side == 'enemy' else ''}{'OPERATOR' if one else 'OPERATORs'}"
    there = "there is" if one else "there are"
    if said.group.side == "own":
        there = _has_so_many(_HANDS["own"], said.compare)
    elif said.compare == "!=":
        there += " not"
    return f"{there} {_amount(said.compare, said.number)} {noun}{filters(said.group, many=not one)}"


def _has(said: HasThat) -> str:
    who = name(said.who)
    if said.what == "TEAM":
        verb = "does not belong to" if said.negated else "belongs to"
        return f"{who} {verb} TEAM {marks.team(said.name or '')}"
    if said.what == "trait":
        verb = "does not have" if said.negated else "has"
        return f"{who} {verb} the trait “{marks.trait(said.name or '')}”"
    article = "no" if said.negated else "an" if said.what[0] in "AI" else "a"
    return f"{who} has {article} {said.what} attached"
