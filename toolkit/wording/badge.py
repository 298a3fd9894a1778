"""The badge of an ATTACK or DEFENCE card: what it changes, in figures, to be read in a fanned hand: +2 AP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope, scope_of
from toolkit.vocabulary import LAYERED, STATS, Role
from toolkit.wording.language import signed

Whose = Literal["own", "enemy"]


class Badge(NamedTuple):
    """A change in figures.

    ``text`` is the figure (``+2``, ``×2``, ``÷3``, ``=5``; ``+X`` where it is counted during the game);
    ``unit`` says of what (``AP``, ``D6``, ``DAMAGE``) and ``icon`` is its icon, empty where there is
    none. ``enemy`` is the printed word for the other OPERATOR of the attack, empty where the bearer is
    changed. ``conditional`` says that the card does not always do it, or does something else to the same
    number too: then the badge is marked, for the sentence has to be read.
    """

    text: str
    icon: str
    unit: str
    enemy: str = ""
    conditional: bool = False


class _Change(Struct, frozen=True):
    """A change of one number; ``amount`` where a constant is added, ``helps`` whether the bearer profits."""

    text: str
    unit: str
    whose: Whose
    helps: bool
    conditional: bool
    amount: int | None = None


_OCCASIONS = {Role.ATTACK: "attacking", Role.DEFENCE: "attacked"}
"""The kinds of card that have a badge, and when they act."""


def badge_of(effect: tree.Effect, role: Role, enemy: str) -> Badge | None:
    """Return the badge of an effect: its first change in favour of the bearer, else its first change.

    None for a card that changes no number, and for those that are neither ATTACK nor DEFENCE cards.
    ``enemy`` is the word for the other OPERATOR of the attack.
    """
    changes = list(_changes(effect, role)) if role in _OCCASIONS else []
    first = next((change for change in changes if change.helps), changes[0] if changes else None)
    if first is None:
        return None
    text, conditional = first.text, first.conditional or _by_groups(effect, first)
    always = [
        one for one in changes if (one.unit, one.whose) == (first.unit, first.whose) and not one.conditional
    ]
    if len(always) > 1 and not conditional:
        amounts = [one.amount for one in always if one.amount is not None]
        conditional = len(amounts) < len(always) or not sum(amounts)  # no figure says +1 and ×2
        text = text if conditional else signed(sum(amounts))
    known = first.unit in STATS or first.unit.endswith(" D6")
    icon = first.unit.lower().replace(" ", "-") if known else ""
    unit = first.unit.rpartition(" ")[2]
    other = enemy if first.whose == "enemy" and first.unit != "DAMAGE" else ""
    return Badge(text, icon, unit, other, conditional)


def _changes(effect: tree.Effect, role: Role) -> Iterator[_Change]:
    """Yield the changes of numbers of attacker and attacked, in the order of the text."""
    for sentence in effect.sentences:
        name = sentence.when.name if sentence.when else None
        if name not in (None, "attached", *_OCCASIONS.values()):
            continue
        scope = scope_of(sentence, role)
        asked = scope.event and any(isinstance(part, tree.Either) or part.may for part in sentence.clauses)
        elsewhere = name in _OCCASIONS.values() and name != _OCCASIONS[role]
        conditional = bool(sentence.condition or sentence.limit or asked or elsewhere)
        for clause in sentence.clauses:
            whose = _whose(clause, scope)
            for doing in clause.doings if whose and isinstance(clause, tree.Act) else ():
                change = whose and _change(doing, whose, conditional)
                if change:
                    yield change


def _whose(clause: tree.Clause, scope: Scope) -> Whose | None:
    """Return which of the two OPERATORs of the attack a clause names."""
    if isinstance(clause, tree.Either) or not isinstance(clause.who, tree.Ref):
        return None
    if scope.same(clause.who.name, "self"):
        return "own"
    return "enemy" if scope.sides.get(clause.who.name) == "enemy" else None


def _change(doing: tree.Doing, whose: Whose, conditional: bool) -> _Change | None:
    """Return the change that a verb makes, if a figure says it."""
    amount, more = None, True
    match doing:
        case tree.Gets(count, tree.Word(unit), per) if unit in LAYERED:
            text = signed(count) if per is None else "+X" if count > 0 else "−X"
            amount, more = None if per else count, count > 0
        case tree.Multiplies(tree.Word(unit), factor):
            text = f"×{factor}"
        case tree.Divides(tree.Word(unit), divisor):
            text, more = f"÷{divisor}", False
        case tree.Fixes(tree.Word(unit), value):
            text, more = f"={value}", (whose == "own") != (unit == "DAMAGE")  # meant well
        case tree.RollsExtra(count, die):
            text, unit, amount = signed(count), f"{die} D6", count
        case tree.MakesDiceCritical(threshold):
            text, unit = f"{threshold}+", "CRITICAL"
        case _:
            return None
    better = more != (unit == "DAMAGE")  # which is done to the OPERATOR that is named
    return _Change(text, unit, whose, better == (whose == "own"), conditional, amount)


def _by_groups(effect: tree.Effect, change: _Change) -> bool:
    """Whether a group that the OPERATOR may belong to gets a change of the same number."""
    for clause in tree.walk(effect):
        group = clause.who.group if isinstance(clause, tree.Act) and hasattr(clause.who, "group") else None
        if group is None or group.side not in (change.whose, "any") or group.other:
            continue
        without_self = change.whose == "own" and (group.in_range or group.adjacent or group.opposite)
        if not without_self and any(
            one is not None and one.unit == change.unit
            for one in (_change(doing, change.whose, True) for doing in clause.doings)
        ):
            return True
    return False
