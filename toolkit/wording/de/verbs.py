"""What is done, in German: each verb in the forms that rules text needs, and what goes with it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.wording.de.numbers import counted
from toolkit.wording.language import listed, signed
from toolkit.wording.phrases import (
    CannotPerformAny,
    Change,
    DoingPhrase,
    EachAttack,
    IgnoresAll,
    MakesItsAttacksCritical,
)

FORMS = {
    "betragen": ("betragen", "betragen", "betragen"),
    "erhält": ("erhält", "erhalten", "erhältst"),
    "verdoppelt": ("verdoppelt", "verdoppeln", "verdoppelst"),
    "multipliziert": ("multipliziert", "multiplizieren", "multiplizierst"),
    "halbiert": ("halbiert", "halbieren", "halbierst"),
    "teilt": ("teilt", "teilen", "teilst"),
    "ignoriert": ("ignoriert", "ignorieren", "ignorierst"),
    "würfelt": ("würfelt", "würfeln", "würfelst"),
    "darf": ("darf", "dürfen", "darfst"),
    "wertet": ("wertet", "werten", "wertest"),
    "macht": ("macht", "machen", "machst"),
    "kann": ("kann", "können", "kannst"),
    "erfüllt": ("erfüllt", "erfüllen", "erfüllst"),
    "zieht": ("zieht", "ziehen", "ziehst"),
    "wirft": ("wirft", "werfen", "wirfst"),
    "wird": ("wird", "werden", "wirst"),
}
"""er/sie/es, several, du."""

ORDERS = {"zieht": "ziehe", "wirft": "wirf", "erfüllt": "erfülle"}
"""What a card that is played tells its player to do."""


_IGNORED = {
    "STRATEGY": "STRATEGY-Karten",
    "SKILLs": "alle SKILL",
    "ATTACK cards": "ATTACK-Karten",
    "DEFENCE cards": "DEFENCE-Karten",
}


class Predicate(Struct, frozen=True):
    """A verb (a key of ``FORMS``), what follows it, and what closes the clause: "wirft … ab".

    ``shared``: a neighbour with the same verb may leave its verb out.
    """

    verb: str
    rest: str = ""
    closing: str = ""
    shared: bool = False


def predicate(doing: DoingPhrase, own: str) -> Predicate:
    """The words for one doing; ``own`` is "seine", "ihre" or "deine"."""
    match doing:
        case Change(amount, what, by):
            text = f"{signed(amount)} {what}"
            return (
                Predicate("erhält", f"{text} {counted(by)}") if by else Predicate("erhält", text, shared=True)
            )
        case tree.Multiplies(stat, factor):
            if factor == 2:
                return Predicate("verdoppelt", f"{own} {stat.text}")
            return Predicate("multipliziert", f"{own} {stat.text} mit {factor}")
        case tree.Divides(stat, divisor):
            if divisor == 2:
                return Predicate("halbiert", f"{own} {stat.text}")
            return Predicate("teilt", f"{own} {stat.text} durch {divisor}")
        case tree.Fixes(_, value):
            return Predicate("betragen", str(value))
        case EachAttack(dice, attacking):
            said = predicate(dice, own)
            attacks = f"jedem {own}r Angriffe" if attacking else "jedem Angriff auf sich"
            return replace(said, rest=f"bei {attacks} {said.rest}")
        case IgnoresAll(steps):
            return Predicate("ignoriert", listed([_IGNORED.get(step, step) for step in steps], "und"))
        case tree.RollsExtra(count, die):
            return Predicate("würfelt", f"{count} zusätzliche{'n' if count == 1 else ''} {die} D6")
        case tree.MayReroll(count, die, enemy):
            whose = f"feindliche{'n' if count == 1 else ''} " if enemy else ""
            return Predicate("darf", f"{count} {whose}{die} D6", "neu würfeln")
        case tree.MakesDiceCritical(threshold):
            return Predicate("wertet", f"{own} ATTACK D6 bei {threshold}+ als CRITICAL")
        case tree.MakesAttackCritical():
            return Predicate("macht", "den Angriff CRITICAL")
        case MakesItsAttacksCritical():
            return Predicate("macht", f"{own} Angriffe CRITICAL")
        case CannotPerformAny((action,)):
            return Predicate("kann", f"die {action} ACTION nicht", "durchführen")
        case CannotPerformAny(actions):
            neither = " noch ".join(f"die {action} ACTION" for action in actions)
            return Predicate("kann", f"weder {neither}", "durchführen")
        case tree.CannotBeAttacked():
            return Predicate("kann", "nicht", "angegriffen werden")
        case tree.CannotHaveDefence():
            return Predicate("kann", "keine DEFENCE-Karten", "haben")
        case tree.GainsRuleviolation(threshold):
            return Predicate("erhält", f"RULEVIOLATION {threshold}+", shared=True)
        case tree.GainsBonus(action):
            return Predicate("erhält", f"BONUS ({action})", shared=True)
        case tree.FulfilsPerformance():
            return Predicate("erfüllt", "PERFORMANCE")
        case tree.Draws(count):
            return Predicate("zieht", _cards(count))
        case tree.Discards(count):
            return Predicate("wirft", _cards(count), "ab")
        case tree.Becomes(status):
            return Predicate("wird", status)


def _cards(count: int) -> str:
    return f"{count} {'Karte' if count == 1 else 'Karten'}"
