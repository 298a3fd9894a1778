"""Numbers and counted amounts in German."""

from __future__ import annotations

from toolkit.wording.de.groups import group
from toolkit.wording.de.nouns import PLURAL, is_pronoun, name, of
from toolkit.wording.language import formula, is_short_sum, numeral
from toolkit.wording.phrases import (
    Count,
    Counted,
    Formula,
    GroupPhrase,
    Hand,
    Integer,
    Measure,
    NumberPhrase,
    RoundNumber,
)

_HANDS = {
    "own": "auf deiner Hand",
    "enemy": "auf der Hand deines Gegners",
    "any": "auf den Händen beider Spieler",
}


def number(said: NumberPhrase) -> str:
    """A number in the nominative."""
    if isinstance(said, Formula) and is_short_sum(said):
        more = said.operator == "+"
        if isinstance(said.right, Measure):
            right = of(said.right.of, said.right.quantity, "gen")
            return f"{_leaf(said.left)} {'zuzüglich' if more else 'abzüglich'} {right}"
        return f"{_leaf(said.left)} {'plus' if more else 'minus'} {_leaf(said.right)}"
    return formula(said, _leaf)


def is_plural(said: NumberPhrase) -> bool:
    """Whether its verb stands in the plural."""
    first = said.left if isinstance(said, Formula) and is_short_sum(said) else said
    return isinstance(first, Measure) and first.quantity in PLURAL


def _leaf(said: NumberPhrase) -> str:
    match said:
        case Integer(value):
            return numeral(value)
        case Measure(quantity, owner):
            return of(owner, quantity)
        case Count(who):
            return f"die Anzahl {group('of the', who)}"
        case Hand(side):
            return f"die Anzahl der Karten {_HANDS[side]}"
        case RoundNumber():
            return "die Nummer der ROUND"
        case _:
            return formula(said, _leaf)


def counted(said: Counted) -> str:
    """ "für jeden …", with its maximum."""
    each = f"für {_each(said.what)}"
    if said.beyond:
        one = "ersten" if isinstance(said.what, GroupPhrase) else "erste"
        first = f"den {one}" if one == "ersten" else f"die {one}"
        first = first if said.beyond == 1 else f"die ersten {said.beyond}"
        each += f" über {first} hinaus"
    if said.maximum is None:
        return each
    comma = "," if each.endswith(",") else ""  # that of a relative clause comes behind the parenthesis
    return f"{each.removesuffix(',')} (max. {said.maximum}×){comma}"


def _each(what: GroupPhrase | NumberPhrase) -> str:
    match what:
        case GroupPhrase():
            return group("each", what)
        case Measure(quantity, owner) if quantity in PLURAL:
            if is_pronoun(owner, "gen"):
                return f"jeden seiner {quantity}"
            return f"jeden {_one_point(quantity)} {name(owner, 'gen')}"
        case Measure(quantity, owner):
            return f"jeden Punkt {of(owner, quantity, 'gen')}"
        case Hand(side):
            return f"jede Karte {_HANDS[side]}"
        case RoundNumber():
            return "jede bisher begonnene ROUND"
        case _:
            return f"jeden Punkt von ({formula(what, _leaf)})"


def _one_point(quantity: str) -> str:
    return "SQUADPOINT" if quantity == "SQUADPOINTS" else quantity
