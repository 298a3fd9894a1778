"""Conditions in German, as they stand in a subordinate clause: the verb last.

A text may end with a comma, where a relative clause ends it; ``tidy`` takes away what is too much.
"""

from __future__ import annotations

from toolkit.wording import marks
from toolkit.wording.de.groups import AMOUNTS, excepted, head, nearby, relative
from toolkit.wording.de.nouns import name, place
from toolkit.wording.de.numbers import is_plural, number
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

_AMOUNTS_TO = {"=": "genau", "!=": "nicht", "<=": "höchstens", ">=": "mindestens"}
_TO_ANOTHER = {
    "=": "genauso hoch wie",
    "!=": "nicht genauso hoch wie",
    "<": "niedriger als",
    "<=": "höchstens so hoch wie",
    ">": "höher als",
    ">=": "mindestens so hoch wie",
}
_ROUNDS = {
    "=": "ROUND {}",
    "!=": "nicht ROUND {}",
    "<": "vor ROUND {}",
    "<=": "ROUND {} oder früher",
    ">": "nach ROUND {}",
    ">=": "ROUND {} oder später",
}
_WORDS = {"and": "und", "or": "oder"}
_HANDS = {"own": ("du", "hast"), "enemy": ("dein Gegner", "hat"), "any": ("beide Spieler zusammen", "haben")}


def condition(said: ConditionPhrase, inside: bool = False) -> str:
    """A condition behind "wenn …"; ``inside`` another one it gets parentheses where it needs them."""
    match said:
        case Together(word, parts):
            text = listed([condition(part, inside=True) for part in parts], _WORDS[word])
            return f"({text})" if inside else text
        case Compares():
            return _compares(said)
        case CountIs():
            return _count(said)
        case HandIs(side, compare, value):
            who, has = _HANDS[side]
            return f"{who} {_amount(compare, value)} {'Karte' if value == 1 else 'Karten'} auf der Hand {has}"
        case RoundIs(compare, value):
            return f"es {_ROUNDS[compare].format(numeral(value))} ist"
        case StatusIs(who, states, word):
            return f"{name(who)} {listed([_not(no) + status for status, no in states], _WORDS[word])} ist"
        case StandsThere():
            return _stands(said)
        case HasThat():
            return _has(said)
        case CriticalAttack(negated):
            return f"der Angriff {_not(negated)}CRITICAL ist"


def _not(negated: bool) -> str:
    return "nicht " if negated else ""


def _compares(said: Compares) -> str:
    left, many = number(said.left), is_plural(said.left)
    if isinstance(said.right, Integer) and said.compare in _AMOUNTS_TO:
        how = "" if (said.compare, said.right.value) == ("=", 0) else f"{_AMOUNTS_TO[said.compare]} "
        return f"{left} {how}{number(said.right)} {'betragen' if many else 'beträgt'}"
    verb = "sind" if many else "ist"
    how, than = _TO_ANOTHER[said.compare].rsplit(" ", 1)
    if isinstance(said.right, Integer):
        return f"{left} {how} {than} {number(said.right)} {verb}"
    return f"{left} {how} {verb} {than} {number(said.right)}"  # what may be long comes last


def _amount(compare: str, value: int) -> str:
    return "keine" if (compare, value) == ("=", 0) else f"{AMOUNTS[compare]} {numeral(value)}"


def _count(said: CountIs) -> str:
    """ "du mindestens 2 andere OPERATOR in RANGE hast", "es keine feindlichen OPERATOR gibt"."""
    who, one = said.group, said.number == 1
    none = (said.compare, said.number) == ("=", 0)
    noun = head("single" if one else "some", who, whose=False, ending="en" if none else None)
    there, verb = ("du", "hast") if who.side == "own" else ("es", "gibt")
    amount = _amount(said.compare, said.number)
    return f"{there} {amount} {noun}{nearby(who)}{excepted(who)} {verb}{relative(who, many=not one)}"


def _stands(said: StandsThere) -> str:
    who, no = name(said.who), _not(said.negated)
    if said.relation == "opposite":
        return f"{who} {name(said.to, 'dat')} {no}gegenübersteht"
    verb = "steht" if said.relation == "adjacent" else "ist"
    return f"{who} {no}{place(Somewhere(said.relation, said.to))} {verb}"


def _has(said: HasThat) -> str:
    who = name(said.who)
    if said.what == "TEAM":
        return f"{who} {_not(said.negated)}zum TEAM {marks.team(said.name or '')} gehört"
    if said.what == "trait":
        return f"{who} das Merkmal „{marks.trait(said.name or '')}“ {_not(said.negated)}hat"
    no = "k" if said.negated else ""
    if said.what == "ITEM":
        return f"{who} {no}ein ITEM angelegt hat"
    card = "Karte" if said.what == "card" else said.what.replace(" card", "-Karte")
    return f"{who} {no}eine {card} angelegt hat"
