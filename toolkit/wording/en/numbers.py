"""Numbers and counted amounts in English."""

from __future__ import annotations

from toolkit.wording.en.nouns import PLURAL, group, is_pronoun, name, of
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

_HANDS = {"own": "your hand", "enemy": "your opponent’s hand", "any": "both players’ hands"}


def number(said: NumberPhrase) -> str:
    """A number as subject or behind "than"."""
    if isinstance(said, Formula) and is_short_sum(said):
        return f"{_leaf(said.left)} {'plus' if said.operator == '+' else 'minus'} {_leaf(said.right)}"
    return formula(said, _leaf)


def is_plural(said: NumberPhrase) -> bool:
    """Whether the number "are"."""
    return isinstance(said, Measure) and said.quantity in PLURAL


def _leaf(said: NumberPhrase) -> str:
    match said:
        case Integer(value):
            return numeral(value)
        case Measure(quantity, owner):
            return of(owner, quantity)
        case Count(who):
            return f"the number of {group('plural', who)}"
        case Hand(side):
            return f"the number of cards in {_HANDS[side]}"
        case RoundNumber():
            return "the ROUND number"
        case _:
            return formula(said, _leaf)


def counted(said: Counted) -> str:
    """ "for each …", with its maximum."""
    most = f" (max. {said.maximum}×)" if said.maximum is not None else ""
    beyond = f" beyond the first{f' {said.beyond}' if said.beyond > 1 else ''}" if said.beyond else ""
    return f"for each {_each(said.what)}{beyond}{most}"


def _each(what: GroupPhrase | NumberPhrase) -> str:
    match what:
        case GroupPhrase():
            return group("each", what).removeprefix("each ")
        case Measure(quantity, owner) if quantity in PLURAL:
            if is_pronoun(owner):
                return f"of its {quantity}"
            return f"{'SQUADPOINT' if quantity == 'SQUADPOINTS' else quantity} of {name(owner)}"
        case Measure():
            return f"point of {_leaf(what)}"
        case Hand(side):
            return f"card in {_HANDS[side]}"
        case RoundNumber():
            return "ROUND begun so far"
        case _:
            return f"point of ({formula(what, _leaf)})"
