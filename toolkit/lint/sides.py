"""Which side of an attack a sentence speaks of."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope
from toolkit.lint.context import Statement
from toolkit.vocabulary.triggers import Part


def side_of(who: tree.Who, scope: Scope) -> str | None:
    """The side of those who are meant, seen from the controller; None where it may be either."""
    if isinstance(who, tree.Ref):
        return scope.sides.get(who.name)
    if isinstance(who, (tree.One, tree.Every)):
        return None if who.group.side == "any" else who.group.side
    return None


def part_of(who: tree.Who, statement: Statement) -> Part | None:
    """The only part that those who are meant can play in the attack: that of their side.

    None where it is not certain, or where no attack is going on all the while.
    """
    side = side_of(who, statement.scope) if statement.is_continuous_attack else None
    if side is None:
        return None
    return "attacker" if side == statement.scope.sides.get("attacker") else "attacked"


def words_of(who: tree.Who) -> str:
    """Those who are meant, for a message: the name, or "those OPERATORs"."""
    return f"`{who.name}`" if isinstance(who, (tree.Ref, tree.Player)) else "those OPERATORs"


def cast(who: tree.Who, part: Part, statement: Statement) -> str:
    """What they are in the attack, as the beginning of a sentence."""
    if not isinstance(who, tree.Ref):
        return f"Those OPERATORs are on the {'attacking' if part == 'attacker' else 'attacked'} side"
    if statement.scope.parts.get(who.name) != part:
        return f"`{who.name}` is on the {'attacking' if part == 'attacker' else 'attacked'} side"
    return f"`{who.name}` {'attacks' if part == 'attacker' else 'is attacked'}"
