"""OPERATORs, what belongs to them, and groups of them, in English."""

from __future__ import annotations

from typing import Literal

from toolkit.dsl.tree import QuantityFilter
from toolkit.vocabulary import STATS
from toolkit.wording import marks
from toolkit.wording.language import listed, numeral
from toolkit.wording.phrases import GroupPhrase, Mention, Somewhere

PLURAL = (*STATS, "SQUADPOINTS")
"""What is counted in points, so that it "are"."""

_NAMES = {
    "this": "this OPERATOR",
    "operator": "the OPERATOR",
    "actor": "the acting OPERATOR",
    "attacker": "the attacker",
    "attacked": "the attacked OPERATOR",
    "chosen": "the chosen OPERATOR",
    "target": "the target",
}
AMOUNTS = {
    ">=": "at least",
    "<=": "at most",
    "=": "exactly",
    "!=": "not exactly",
    "<": "fewer than",
    ">": "more than",
}

GroupKind = Literal["all", "one", "each", "plural"]


def name(who: Mention) -> str:
    """The OPERATOR as subject or object."""
    if who.form == "pronoun":
        return "it"
    if who.form == "its":
        return "its target"
    if who.noun == "bearer":
        return "the bearer" if who.form == "short" else "the OPERATOR bearing this card"
    return _NAMES[who.noun]


def of(who: Mention, thing: str) -> str:
    """What belongs to an OPERATOR: "its AP", "the attacker's AP"."""
    if who.form == "pronoun":
        return f"its {thing}"
    if who.noun == "bearer" and who.form == "full":
        return f"the {thing} of {name(who)}"
    return f"{name(who)}’s {thing}"


def group(kind: GroupKind, who: GroupPhrase) -> str:
    """A group: "all your OPERATORs …", "one of …", "each of …", or bare for a number of them."""
    other = "other " if who.other else ""
    if who.side == "own":
        head = {"all": "all ", "one": "one of ", "each": "each of ", "plural": ""}[
            kind
        ] + f"your {other}OPERATORs"
    else:
        noun = f"{other}enemy OPERATOR" if who.side == "enemy" else f"{other}OPERATOR"
        head = {
            "all": f"all {noun}s",
            "one": f"one {noun} of your choice",
            "each": f"each {noun}",
            "plural": f"{noun}s",
        }[kind]
    return head + filters(who, many=kind in ("all", "plural"))


def filters(who: GroupPhrase, many: bool) -> str:
    """What stands behind "OPERATORs": TEAM, what they have, where they are, what they are."""
    text = f" from TEAM {marks.team(who.team)}" if who.team is not None else ""
    having = [f"the trait “{marks.trait(who.trait)}”"] if who.trait is not None else []
    having += [_having(who.quantity)] if who.quantity else []
    places = [place(somewhere) for somewhere in who.places]
    if who.status:  # one relative clause says all, so that "that" cannot mean what they have
        has = f"{'have' if many else 'has'} {listed(having, 'and')} and " if having else ""
        state = f"{'not ' if who.status.negated else ''}{who.status.status.text}"
        text += f" that {has}{'are' if many else 'is'} {listed([*places, state], 'and')}"
    else:
        text += f" with {listed(having, 'and')}" if having else ""
        text += f" {listed(places, 'and')}" if places else ""
    return text + (f" except {name(who.excepted)}" if who.excepted else "")


def place(somewhere: Somewhere) -> str:
    """Where: "in RANGE of it", "adjacent to the attacker"."""
    if somewhere.to.form == "bare":
        return "in RANGE"
    joined = {"in RANGE": "in RANGE of", "adjacent": "adjacent to", "opposite": "opposite"}
    return f"{joined[somewhere.relation]} {name(somewhere.to)}"


def _having(quantity: QuantityFilter) -> str:
    """ "at least 3 AP", "a HITCOUNTER of at least 3"."""
    what, amount = quantity.quantity.text, numeral(quantity.number)
    if what in PLURAL:
        return f"{AMOUNTS[quantity.compare]} {amount} {what}"
    how = "less than" if quantity.compare == "<" else AMOUNTS[quantity.compare]
    article = "an" if what[0] in "AEMO" else "a"
    return f"{article} {what} of {how} {amount}"
