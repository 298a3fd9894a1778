"""Groups of OPERATORs in German."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from toolkit.dsl.tree import QuantityFilter
from toolkit.wording import marks
from toolkit.wording.de.nouns import PLURAL, is_standing, name, place
from toolkit.wording.language import listed, numeral
from toolkit.wording.phrases import GroupPhrase, Position

GroupKind = Literal["all", "one", "each", "of the", "of all", "of one", "some", "single"]
"""``alle …`` and ``ein … deiner Wahl`` (nominative), ``jeden …`` (accusative), ``der …``, ``aller …`` and
``eines … deiner Wahl`` (genitive); without an article in the plural (nominative or accusative), and for the
number 1, accusative."""

_ENDINGS: dict[GroupKind, str] = {
    "all": "en",
    "one": "er",
    "each": "en",
    "of the": "en",
    "of all": "en",
    "of one": "en",
    "some": "e",
    "single": "en",
}
_HEADS: dict[GroupKind, str] = {"all": "alle", "one": "ein", "each": "jeden", "of the": "der"}
_HEADS |= {"of all": "aller", "of one": "eines"}
_SIDES = {"own": "eigen", "enemy": "feindlich"}
AMOUNTS = {
    ">=": "mindestens",
    "<=": "höchstens",
    "=": "genau",
    "!=": "nicht genau",
    "<": "weniger als",
    ">": "mehr als",
}


def group(kind: GroupKind, who: GroupPhrase, before_object: bool = False) -> str:
    """A group with its filters; a relative clause at its end ends with a comma.

    ``before_object``: an amount follows, so that none may end the group ("von genau 1 +1 AP").
    """
    many = kind in ("all", "of the", "of all", "some")
    if before_object and (who.quantity or any(isinstance(place, Position) for place in who.places)):
        return head(kind, who) + _team(who) + _clause(who, many) + excepted(who)
    return head(kind, who) + filters(who, many)


def head(kind: GroupKind, who: GroupPhrase, whose: bool = True, ending: str | None = None) -> str:
    """The group up to "OPERATOR" and whose choice it is."""
    end = _ENDINGS[kind] if ending is None else ending
    words = [_HEADS[kind]] if kind in _HEADS else []
    words += [f"ander{end}"] if who.other else []
    words += [_SIDES[who.side] + end] if who.side in _SIDES and (whose or who.side != "own") else []
    words += ["OPERATOR deiner Wahl" if kind in ("one", "of one") else "OPERATOR"]
    return " ".join(words)


def filters(who: GroupPhrase, many: bool) -> str:
    """What stands behind "OPERATOR", with a comma behind a relative clause."""
    return nearby(who) + relative(who, many) + excepted(who)


def nearby(who: GroupPhrase) -> str:
    """TEAM, and what they have and where they are if no relative clause says it."""
    text, field = _team(who), " auf dem FIELD" if who.on_field else ""
    if who.described:
        return text + field
    having = _having(who, "m")
    text += f" mit {listed(having, 'und')}" if having else ""
    text += field
    places = [place(somewhere) for somewhere in who.places]
    return text + (f" {listed(places, 'und')}" if places else "")


def _team(who: GroupPhrase) -> str:
    return f" aus dem TEAM {marks.team(who.team)}" if who.team is not None else ""


def relative(who: GroupPhrase, many: bool) -> str:
    """The relative clause, in commas, where one is needed; it says all, so that "die" means OPERATOR."""
    return _clause(who, many) if who.described else ""


def _clause(who: GroupPhrase, many: bool) -> str:
    having = listed(_having(who, "n"), "und")
    said = [f"{having} {'haben' if many else 'hat'}"] if having else []
    being = [(place(somewhere), is_standing(somewhere)) for somewhere in who.places]
    being += (
        [(f"{'nicht ' if who.status.negated else ''}{who.status.status.text}", False)] if who.status else []
    )
    for standing, run in groupby(being, key=lambda part: part[1]):
        verb = ("stehen" if many else "steht") if standing else "sind" if many else "ist"
        said.append(f"{listed([text for text, _ in run], 'und')} {verb}")
    return f", {'die' if many else 'der'} {listed(said, 'und')},"


def excepted(who: GroupPhrase) -> str:
    """Who is left out."""
    return f" außer {name(who.excepted, 'dat')}" if who.excepted else ""


def _having(who: GroupPhrase, ending: Literal["m", "n"]) -> list[str]:
    """What they have, in the dative (``m``: dem, einem) or the accusative (``n``: das, einen)."""
    article = "dem" if ending == "m" else "das"
    trait = [f"{article} Merkmal „{marks.trait(who.trait)}“"] if who.trait is not None else []
    return trait + ([_amount(who.quantity, ending)] if who.quantity else [])


def _amount(quantity: QuantityFilter, ending: Literal["m", "n"]) -> str:
    """ "mindestens 3 AP", "einem HITCOUNTER von mindestens 3"."""
    what, amount = quantity.quantity.text, numeral(quantity.number)
    if what in PLURAL:
        return f"{AMOUNTS[quantity.compare]} {amount} {what}"
    feminine = "einer" if ending == "m" else "eine"
    article = feminine if what == "FIELDPOSITION" else f"eine{ending}"
    if quantity.compare == "!=":
        return f"k{article} {what} von genau {amount}"
    return f"{article} {what} von {AMOUNTS[quantity.compare]} {amount}"
