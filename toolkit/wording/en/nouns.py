"""OPERATORs, groups and numbers in English."""

from __future__ import annotations

from typing import Literal

from toolkit.dsl.tree import QuantityFilter
from toolkit.vocabulary import STATS
from toolkit.wording import phrases as say
from toolkit.wording.en.cards import card, where
from toolkit.wording.language import formula, is_short_sum, listed, numeral
from toolkit.wording.text import is_marker, quantity_mark, team_mark, trait_mark

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

GroupKind = Literal["all", "one", "another", "each", "plural"]
"""``another``: "another of your OPERATORs", one that is not the one spoken of."""


def is_pronoun(who: say.Mention) -> bool:
    """Whether "it" is clear: beside "its target", which is "it" too, it is not."""
    return who.form == "pronoun" and not who.beside_target


def name(who: say.Mention) -> str:
    """The OPERATOR as subject or object."""
    if is_pronoun(who):
        return "it"
    if who.form in ("its", "that"):
        return "its target" if who.form == "its" else "that OPERATOR"
    if who.noun == "bearer":
        return "the OPERATOR bearing this card" if who.form == "full" else "the bearer"
    if who.noun == "holder":
        return f"the OPERATOR {'at this OBJECTIVE' if who.form == 'full' else 'here'}"
    return _NAMES[who.noun]


def of(who: say.Mention, thing: str) -> str:
    """What belongs to an OPERATOR: "its AP", "the attacker's AP"."""
    if is_pronoun(who):
        return f"its {thing}"
    if who.noun == "holder" or (who.noun == "bearer" and who.form == "full"):
        return f"the {thing} of {name(who)}"
    return f"{name(who)}’s {thing}"


def group(kind: GroupKind, who: say.GroupPhrase) -> str:
    """A group: "all your OPERATORs …", "one of …", "each of …", or bare for a number of them."""
    other = "other " if who.other and kind != "another" else ""
    if who.side == "own":
        head = {"all": "all ", "one": "one of ", "another": "another of ", "each": "each of ", "plural": ""}[
            kind
        ] + f"your {other}OPERATORs"
    else:
        noun = f"{other}enemy OPERATOR" if who.side == "enemy" else f"{other}OPERATOR"
        head = {
            "all": f"all {noun}s",
            "one": f"one {noun} of your choice",
            "another": f"another {noun} of your choice",
            "each": f"each {noun}",
            "plural": f"{noun}s",
        }[kind]
    return head + filters(who, many=kind in ("all", "plural"))


def filters(who: say.GroupPhrase, many: bool) -> str:
    """What stands behind "OPERATORs": TEAM, what they have, where they are, what they are."""
    text = f" from TEAM {team_mark(who.team)}" if who.team is not None else ""
    having = [f"the trait “{trait_mark(who.trait)}”"] if who.trait is not None else []
    lacks = who.quantity is not None and who.quantity.compare == "!="
    having += [_having(who.quantity)] if who.quantity and not lacks else []
    places = [place(somewhere) for somewhere in who.places]
    field = " on the FIELD" if who.on_field else ""
    if who.described:  # one relative clause says all, so that "that" cannot mean what they have
        if who.status:
            places.append(f"{'not ' if who.status.negated else ''}{who.status.status.text}")
        said = [f"{'have' if many else 'has'} {listed(having, 'and')}"] if having else []
        said += (
            [f"{'do' if many else 'does'} not have {_having(who.quantity)}"] if who.quantity and lacks else []
        )
        said += [f"{'are' if many else 'is'} {listed(places, 'and')}"] if places else []
        text += f"{field} that {listed(said, 'and')}"
    else:
        text += f" with {listed(having, 'and')}" if having else ""
        text += field
        text += f" {listed(places, 'and')}" if places else ""
    return text + (f" except {name(who.excepted)}" if who.excepted else "")


_POSITIONS = {
    "=": "on FIELDPOSITION {}",
    "!=": "not on FIELDPOSITION {}",
    "<": "on a FIELDPOSITION lower than {}",
    "<=": "on FIELDPOSITION {} or lower",
    ">": "on a FIELDPOSITION higher than {}",
    ">=": "on FIELDPOSITION {} or higher",
}


def place(somewhere: say.Somewhere | say.Position) -> str:
    """Where: "in RANGE of it", "adjacent to the attacker", "on FIELDPOSITION 1 or 4"."""
    if isinstance(somewhere, say.Position):
        return _POSITIONS[somewhere.compare].format(listed([*map(numeral, somewhere.numbers)], "or"))
    if somewhere.to.form == "bare":
        return "in RANGE"
    joined = {"in RANGE": "in RANGE of", "adjacent": "adjacent to", "opposite": "opposite"}
    return f"{joined[somewhere.relation]} {name(somewhere.to)}"


def _having(quantity: QuantityFilter) -> str:
    """ "at least 3 AP", "a HITCOUNTER of at least 3"; of ``!=`` what they do not have."""
    what, amount = quantity_mark(quantity.quantity), numeral(quantity.number)
    if what in PLURAL or is_marker(what):
        return f"{AMOUNTS[quantity.compare].removeprefix('not ')} {amount} {what}"
    how = "less than" if quantity.compare == "<" else AMOUNTS[quantity.compare].removeprefix("not ")
    article = "an" if what[0] in "AEMO" else "a"
    return f"{article} {what} of {how} {amount}"


def number(said: say.NumberPhrase) -> str:
    """A number as subject or behind "than"."""
    if isinstance(said, say.Formula) and is_short_sum(said):
        return f"{_leaf(said.left)} {'plus' if said.operator == '+' else 'minus'} {_leaf(said.right)}"
    return formula(said, _leaf)


def is_plural(said: say.NumberPhrase) -> bool:
    """Whether the number "are"."""
    return isinstance(said, say.Measure) and said.quantity in PLURAL


def _leaf(said: say.NumberPhrase) -> str:
    match said:
        case say.Integer(value):
            return numeral(value)
        case say.Measure(quantity, owner) if is_marker(quantity):
            return f"the number of {quantity} on {name(owner)}"
        case say.Measure(quantity, owner):
            return of(owner, quantity)
        case say.Count(who):
            return f"the number of {group('plural', who)}"
        case say.Cards(kind=kind):
            return f"the number of {card(kind, one=False)} in {where(said)}"
        case say.Held(marker, side):
            return f"the number of {marker} {_player_has(side)}"
        case say.CapturedNumber(side):
            return f"the number of OBJECTIVEs that {_player_has(side)} CAPTURED"
        case say.DamageNumber():
            return "the DAMAGE"
        case say.RoundNumber():
            return "the ROUND number"
        case _:
            return formula(said, _leaf)


def _player_has(side: str) -> str:
    return "you have" if side == "own" else "your opponent has"


def counted(said: say.Counted) -> str:
    """ "for each …", with its maximum."""
    most = f" (max. {said.maximum}×)" if said.maximum is not None else ""
    beyond = f" beyond the first{f' {said.beyond}' if said.beyond > 1 else ''}" if said.beyond else ""
    return f"for each {_each(said.what)}{beyond}{most}"


def _each(what: say.GroupPhrase | say.NumberPhrase) -> str:
    match what:
        case say.GroupPhrase():
            return group("each", what).removeprefix("each ")
        case say.Measure(quantity, owner) if quantity in PLURAL:
            if is_pronoun(owner):
                return f"of its {quantity}"
            return f"{'SQUADPOINT' if quantity == 'SQUADPOINTS' else quantity} of {name(owner)}"
        case say.Measure(quantity, owner) if is_marker(quantity):
            return f"{quantity} on {name(owner)}"
        case say.Measure():
            return f"point of {_leaf(what)}"
        case say.Cards(kind=kind):
            return f"{card(kind, one=True)} in {where(what)}"
        case say.Held(marker, side):
            return f"{marker} {_player_has(side)}"
        case say.CapturedNumber(side):
            return f"OBJECTIVE that {_player_has(side)} CAPTURED"
        case say.DamageNumber():
            return "point of DAMAGE"
        case say.RoundNumber():
            return "ROUND begun so far"
        case _:
            return f"point of ({formula(what, _leaf)})"
