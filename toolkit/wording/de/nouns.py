"""OPERATORs and what belongs to them in German, in all cases."""

from __future__ import annotations

from typing import Literal

from toolkit.vocabulary import STATS
from toolkit.wording.language import listed, numeral
from toolkit.wording.phrases import Mention, Position, Somewhere

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


def name(who: Mention, case: Case = "nom") -> str:
    """The OPERATOR in a case."""
    at = _CASES.index(case)
    if is_pronoun(who, case):
        return _HE[at]
    if who.form in ("its", "that"):
        return (_ITS_TARGET if who.form == "its" else _THAT)[at]
    text = _NAMES[who.noun][at]
    return f"{text} dieser Karte" if who.noun == "bearer" and who.form == "full" else text


def is_pronoun(who: Mention, case: Case) -> bool:
    """Whether a pronoun is clear: beside "sein Ziel" are "er" and "ihn", but not "ihm" and "sein"."""
    return who.form == "pronoun" and (not who.beside_target or case in ("nom", "acc"))


def is_neuter(who: Mention) -> bool:
    """Whether "es" stands for it: das Ziel; everybody else is "er"."""
    return who.form == "its" or who.noun == "target"


def of(who: Mention, quantity: str, case: Literal["nom", "gen"] = "nom") -> str:
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


def is_standing(somewhere: Somewhere | Position) -> bool:
    """Whether one "steht" there, and does not only "ist" in RANGE."""
    return isinstance(somewhere, Position) or somewhere.relation != "in RANGE"


def place(somewhere: Somewhere | Position) -> str:
    """Where: "in seiner RANGE", "neben dem Angreifer", "ihm gegenüber", "auf FIELDPOSITION 1 oder 4"."""
    if isinstance(somewhere, Position):
        return _POSITIONS[somewhere.compare].format(listed([*map(numeral, somewhere.numbers)], "oder"))
    to = somewhere.to
    if somewhere.relation == "adjacent":
        return f"neben {name(to, 'dat')}"
    if somewhere.relation == "opposite":
        return "ihm gegenüber" if is_pronoun(to, "dat") else f"gegenüber {name(to, 'dat')}"
    if to.form == "bare":
        return "in RANGE"
    return "in seiner RANGE" if is_pronoun(to, "gen") else f"in RANGE {name(to, 'gen')}"
