"""OPERATORs, groups and numbers in German."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from toolkit.dsl.tree import QuantityFilter
from toolkit.vocabulary import STATS
from toolkit.wording import phrases as say
from toolkit.wording.de.cards import card, where
from toolkit.wording.language import formula, is_short_sum, listed, numeral
from toolkit.wording.text import is_marker, quantity_mark, team_mark, trait_mark

Case = Literal["nom", "gen", "dat", "acc"]
PLURAL = (*STATS, "SQUADPOINTS")
"""What is counted in points and stands in the plural."""

_CASES: tuple[Case, ...] = ("nom", "gen", "dat", "acc")
_NAMES = {
    "this": ("dieser OPERATOR", "dieses OPERATOR", "diesem OPERATOR", "diesen OPERATOR"),
    "bearer": ("der Träger", "des Trägers", "dem Träger", "den Träger"),
    "operator": ("der OPERATOR", "des OPERATOR", "dem OPERATOR", "den OPERATOR"),
    "actor": (
        "der ausführende OPERATOR",
        "des ausführenden OPERATOR",
        "dem ausführenden OPERATOR",
        "den ausführenden OPERATOR",
    ),
    "attacker": ("der Angreifer", "des Angreifers", "dem Angreifer", "den Angreifer"),
    "attacked": (
        "der angegriffene OPERATOR",
        "des angegriffenen OPERATOR",
        "dem angegriffenen OPERATOR",
        "den angegriffenen OPERATOR",
    ),
    "chosen": (
        "der gewählte OPERATOR",
        "des gewählten OPERATOR",
        "dem gewählten OPERATOR",
        "den gewählten OPERATOR",
    ),
    "target": ("das Ziel", "des Ziels", "dem Ziel", "das Ziel"),
}
_ITS_TARGET = ("sein Ziel", "seines Ziels", "seinem Ziel", "sein Ziel")
_THAT = ("das Ziel", "des Ziels", "dem Ziel", "das Ziel")
_HE = ("er", "seiner", "ihm", "ihn")
_ARTICLES = {"m": ("der", "des"), "f": ("die", "der"), "pl": ("die", "der")}
_OWN_ENDINGS = {"m": ("", "es"), "f": ("e", "er"), "pl": ("e", "er")}


def name(who: say.Mention, case: Case = "nom") -> str:
    """The OPERATOR in a case."""
    at = _CASES.index(case)
    if is_pronoun(who, case):
        return _HE[at]
    if who.form in ("its", "that"):
        return (_ITS_TARGET if who.form == "its" else _THAT)[at]
    if who.noun == "holder":
        return f"{_NAMES['operator'][at]} {'an diesem OBJECTIVE' if who.form == 'full' else 'hier'}"
    text = _NAMES[who.noun][at]
    return f"{text} dieser Karte" if who.noun == "bearer" and who.form == "full" else text


def is_pronoun(who: say.Mention, case: Case) -> bool:
    """Whether a pronoun is clear: beside "sein Ziel" are "er" and "ihn", but not "ihm" and "sein"."""
    return who.form == "pronoun" and (not who.beside_target or case in ("nom", "acc"))


def is_neuter(who: say.Mention) -> bool:
    """Whether "es" stands for it: das Ziel; everybody else is "er"."""
    return who.form == "its" or who.noun == "target"


def of(who: say.Mention, quantity: str, case: Literal["nom", "gen"] = "nom") -> str:
    """What belongs to an OPERATOR: "seine AP", "der HITCOUNTER des Angreifers"."""
    gender, at = _gender(quantity), 0 if case == "nom" else 1
    if is_pronoun(who, "gen"):
        return f"sein{_OWN_ENDINGS[gender][at]} {quantity}"
    return f"{_ARTICLES[gender][at]} {quantity} {name(who, 'gen')}"


def _gender(quantity: str) -> str:
    if quantity in PLURAL:
        return "pl"
    return "f" if quantity in ("FIELDPOSITION", "ACTION") else "m"


_POSITIONS = {
    "=": "auf FIELDPOSITION {}",
    "!=": "nicht auf FIELDPOSITION {}",
    "<": "auf einer FIELDPOSITION unter {}",
    "<=": "auf FIELDPOSITION {} oder niedriger",
    ">": "auf einer FIELDPOSITION über {}",
    ">=": "auf FIELDPOSITION {} oder höher",
}


def is_standing(somewhere: say.Somewhere | say.Position) -> bool:
    """Whether one "steht" there, and does not only "ist" in RANGE."""
    return isinstance(somewhere, say.Position) or somewhere.relation != "in RANGE"


def place(somewhere: say.Somewhere | say.Position) -> str:
    """Where: "in seiner RANGE", "neben dem Angreifer", "ihm gegenüber", "auf FIELDPOSITION 1 oder 4"."""
    if isinstance(somewhere, say.Position):
        return _POSITIONS[somewhere.compare].format(listed([*map(numeral, somewhere.numbers)], "oder"))
    to = somewhere.to
    if somewhere.relation == "adjacent":
        return f"neben {name(to, 'dat')}"
    if somewhere.relation == "opposite":
        return "ihm gegenüber" if is_pronoun(to, "dat") else f"gegenüber {name(to, 'dat')}"
    if to.form == "bare":
        return "in RANGE"
    return "in seiner RANGE" if is_pronoun(to, "gen") else f"in RANGE {name(to, 'gen')}"


GroupKind = Literal["all", "one", "each", "of the", "of all", "of one", "with one", "some", "single"]
"""``alle …`` and ``ein … deiner Wahl`` (nominative), ``jeden …`` (accusative), ``der …``, ``aller …`` and
``eines … deiner Wahl`` (genitive), ``einem … deiner Wahl`` (dative); without an article in the plural
(nominative or accusative), and for the number 1, accusative."""

_ENDINGS: dict[GroupKind, str] = {"one": "er", "some": "e"}
"""Of an adjective; all others end in "en"."""

_HEADS: dict[GroupKind, str] = {"all": "alle", "one": "ein", "each": "jeden", "of the": "der"}
_HEADS |= {"of all": "aller", "of one": "eines", "with one": "einem"}
_SIDES = {"own": "eigen", "enemy": "feindlich"}
AMOUNTS = {
    ">=": "mindestens",
    "<=": "höchstens",
    "=": "genau",
    "!=": "nicht genau",
    "<": "weniger als",
    ">": "mehr als",
}


def group(kind: GroupKind, who: say.GroupPhrase, before_object: bool = False) -> str:
    """A group with its filters; a relative clause at its end ends with a comma.

    ``before_object``: an amount follows, so that none may end the group ("von genau 1 +1 AP").
    """
    many = kind in ("all", "of the", "of all", "some")
    if before_object and (who.quantity or any(isinstance(place, say.Position) for place in who.places)):
        return head(kind, who) + _team(who) + _clause(who, many) + excepted(who)
    return head(kind, who) + filters(who, many)


def head(kind: GroupKind, who: say.GroupPhrase, whose: bool = True, ending: str | None = None) -> str:
    """The group up to "OPERATOR" and whose choice it is."""
    end = _ENDINGS.get(kind, "en") if ending is None else ending
    words = [_HEADS[kind]] if kind in _HEADS else []
    words += [f"ander{end}"] if who.other else []
    words += [_SIDES[who.side] + end] if who.side in _SIDES and (whose or who.side != "own") else []
    words += ["OPERATOR deiner Wahl" if kind in ("one", "of one", "with one") else "OPERATOR"]
    return " ".join(words)


def filters(who: say.GroupPhrase, many: bool) -> str:
    """What stands behind "OPERATOR", with a comma behind a relative clause."""
    return nearby(who) + relative(who, many) + excepted(who)


def nearby(who: say.GroupPhrase) -> str:
    """TEAM, and what they have and where they are if no relative clause says it."""
    text, field = _team(who), " auf dem FIELD" if who.on_field else ""
    if who.described:
        return text + field
    having = _having(who, "m")
    text += f" mit {listed(having, 'und')}" if having else ""
    text += field
    places = [place(somewhere) for somewhere in who.places]
    return text + (f" {listed(places, 'und')}" if places else "")


def _team(who: say.GroupPhrase) -> str:
    return f" aus dem TEAM {team_mark(who.team)}" if who.team is not None else ""


def relative(who: say.GroupPhrase, many: bool) -> str:
    """The relative clause, in commas, where one is needed; it says all, so that "die" means OPERATOR."""
    return _clause(who, many) if who.described else ""


def _clause(who: say.GroupPhrase, many: bool) -> str:
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


def excepted(who: say.GroupPhrase) -> str:
    """Who is left out."""
    return f" außer {name(who.excepted, 'dat')}" if who.excepted else ""


def _having(who: say.GroupPhrase, ending: Literal["m", "n"]) -> list[str]:
    """What they have, in the dative (``m``: dem, einem) or the accusative (``n``: das, einen)."""
    article = "dem" if ending == "m" else "das"
    trait = [f"{article} Merkmal „{trait_mark(who.trait)}“"] if who.trait is not None else []
    return trait + ([_amount(who.quantity, ending)] if who.quantity else [])


def _amount(quantity: QuantityFilter, ending: Literal["m", "n"]) -> str:
    """ "mindestens 3 AP", "einem HITCOUNTER von mindestens 3"."""
    what, amount = quantity_mark(quantity.quantity), numeral(quantity.number)
    if what in PLURAL or is_marker(what):
        return f"{AMOUNTS[quantity.compare]} {amount} {what}"
    feminine = "einer" if ending == "m" else "eine"
    article = feminine if what == "FIELDPOSITION" else f"eine{ending}"
    if quantity.compare == "!=":
        return f"k{article} {what} von genau {amount}"
    return f"{article} {what} von {AMOUNTS[quantity.compare]} {amount}"


_AT_PLAYER = {"own": "bei dir", "enemy": "bei deinem Gegner"}
_HAS_CAPTURED = {"own": "du CAPTURED hast", "enemy": "dein Gegner CAPTURED hat"}


def number(said: say.NumberPhrase) -> str:
    """A number in the nominative."""
    if isinstance(said, say.Formula) and is_short_sum(said):
        more = said.operator == "+"
        if isinstance(said.right, say.Measure):
            right = of(said.right.of, said.right.quantity, "gen")
            return f"{_leaf(said.left)} {'zuzüglich' if more else 'abzüglich'} {right}"
        return f"{_leaf(said.left)} {'plus' if more else 'minus'} {_leaf(said.right)}"
    return formula(said, _leaf)


def is_plural(said: say.NumberPhrase) -> bool:
    """Whether its verb stands in the plural."""
    first = said.left if isinstance(said, say.Formula) and is_short_sum(said) else said
    return isinstance(first, say.Measure) and first.quantity in PLURAL


def _leaf(said: say.NumberPhrase) -> str:
    match said:
        case say.Integer(value):
            return numeral(value)
        case say.Measure(quantity, owner) if is_marker(quantity):
            return f"die Anzahl {quantity} auf {name(owner, 'dat')}"
        case say.Measure(quantity, owner):
            return of(owner, quantity)
        case say.Count(who):
            return f"die Anzahl {group('of the', who)}"
        case say.Cards(kind=kind):
            return f"die Anzahl der {card(kind, one=False)} {where(said)}"
        case say.Held(marker, side):
            return f"die Anzahl {marker} {_AT_PLAYER[side]}"
        case say.CapturedNumber(side):
            return f"die Anzahl der OBJECTIVE, die {_HAS_CAPTURED[side]},"
        case say.DamageNumber():
            return "der DAMAGE"
        case say.RoundNumber():
            return "die Nummer der ROUND"
        case _:
            return formula(said, _leaf)


def counted(said: say.Counted) -> str:
    """ "für jeden …", with its maximum."""
    each = _each(said.what)
    each = each if each.startswith("je ") else f"für {each}"
    if said.beyond:
        one = "ersten" if isinstance(said.what, say.GroupPhrase) else "erste"
        first = f"den {one}" if one == "ersten" else f"die {one}"
        first = first if said.beyond == 1 else f"die ersten {said.beyond}"
        each += f" über {first} hinaus"
    if said.maximum is None:
        return each
    comma = "," if each.endswith(",") else ""  # that of a relative clause comes behind the parenthesis
    return f"{each.removesuffix(',')} (max. {said.maximum}×){comma}"


def _each(what: say.GroupPhrase | say.NumberPhrase) -> str:
    match what:
        case say.GroupPhrase():
            return group("each", what)
        case say.Measure(quantity, owner) if quantity in PLURAL:
            if is_pronoun(owner, "gen"):
                return f"jeden seiner {quantity}"
            return f"jeden {_one_point(quantity)} {name(owner, 'gen')}"
        case say.Measure(quantity, owner) if is_marker(quantity):
            return f"je {quantity} auf {name(owner, 'dat')}"
        case say.Measure(quantity, owner):
            return f"jeden Punkt {of(owner, quantity, 'gen')}"
        case say.Cards(kind=kind):
            return f"jede {card(kind, one=True)} {where(what)}"
        case say.Held(marker, side):
            return f"je {marker} {_AT_PLAYER[side]}"
        case say.CapturedNumber(side):
            return f"jedes OBJECTIVE, das {_HAS_CAPTURED[side]},"
        case say.DamageNumber():
            return "jeden Punkt DAMAGE"
        case say.RoundNumber():
            return "jede bisher begonnene ROUND"
        case _:
            return f"jeden Punkt von ({formula(what, _leaf)})"


def _one_point(quantity: str) -> str:
    return "SQUADPOINT" if quantity == "SQUADPOINTS" else quantity
