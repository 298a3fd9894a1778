"""What a verb makes, in whole numbers."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.effects.objects import Action, Origin
from toolkit.engine.numbers import CARD_ROLES, IGNORED_AS
from toolkit.engine.rules import aspect_of
from toolkit.engine.swift import codes
from toolkit.engine.swift.expressions import Reading, product

HELD: dict[type, int] = {
    tree.Ignores: codes.IGNORES,
    tree.RollsExtra: codes.ROLLS,
    tree.MayReroll: codes.REROLLS,
    tree.MakesDiceCritical: codes.DICE_CRITICAL,
    tree.MakesAttackCritical: codes.ATTACK_CRITICAL,
    tree.CannotPerform: codes.CANNOT,
    tree.CannotBeAttacked: codes.NOT_ATTACKED,
    tree.CannotHaveDefence: codes.NO_DEFENCE,
    tree.GainsRuleviolation: codes.VIOLATION,
    tree.GainsBonus: codes.BONUS,
}
"""The aspects of verbs that change no number."""
_DIE = {"ATTACK": 0, "DEFENCE": 1}
_ALWAYS_CRITICAL = 6


def aspect(action: Action) -> int:
    """The stat that it changes, or what it makes hold."""
    found = aspect_of(action.does, action.layer)
    return codes.STAT[found] if isinstance(found, str) else HELD[found]


def duration(action: Action) -> int:
    """How long it lasts, if it lasts."""
    return codes.DURATION[action.duration or "TURN"]


def payload(does: tree.Doing) -> str:
    """The three numbers of a verb that makes something hold."""
    match does:
        case tree.Ignores(what):
            three = (codes.IGNORED[what], 0, 0)
        case tree.RollsExtra(count, die):
            three = (count, _DIE[die], 0)
        case tree.MayReroll(count, die, enemy):
            three = (count, _DIE[die], int(enemy))
        case tree.MakesDiceCritical(threshold):
            three = (min(threshold, _ALWAYS_CRITICAL), 0, 0)
        case tree.CannotPerform(action) | tree.GainsBonus(action):
            three = (codes.ACTION_BIT[action], 0, 0)
        case tree.GainsRuleviolation(threshold):
            three = (threshold, 0, 0)
        case _:
            three = (0, 0, 0)
    return ", ".join(str(number) for number in three)


def amount(does: tree.Doing, reading: Reading) -> str:
    """By how much a verb changes a stat or a counter."""
    match does:
        case tree.Gets(number, _, per):
            return product(number, per, reading)
        case tree.Multiplies(_, number) | tree.Divides(_, number) | tree.Fixes(_, number):
            return f"{number:d}"
        case _:
            raise TypeError(f"{does!r} has no amount")


def ignored_as(origin: Origin) -> int:
    """The bit of what an OPERATOR must ignore so that a change does not count; 0 if it always counts."""
    name = IGNORED_AS.get(origin.role)
    return 0 if name is None else codes.IGNORED[name]


def by_card(origin: Origin) -> int:
    """Whether a card makes it, not ruleset or mode (N-6)."""
    return int(origin.role in CARD_ROLES)
