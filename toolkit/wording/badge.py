"""The badge of a card that is attached: its main change as a figure, such as +2 AP, for a fanned hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope, scope_of
from toolkit.vocabulary import LAYERED, ROLES, STATS, Role
from toolkit.wording.language import signed

Whose = Literal["own", "enemy"]


class Badge(NamedTuple):
    """A change as a figure.

    ``text`` is the figure (``+2``, ``×2``, ``÷3``, ``=5``; ``+X`` if it is counted during the game), ``unit``
    the number that changes (``AP``, ``D6``, ``DAMAGE``), ``icon`` its icon, if it has one. ``enemy`` is the
    printed word for the other OPERATOR of the attack if that is changed, ``max.`` or ``min.`` if the number
    of the bearer is limited (E-26), else empty. ``conditional`` says that the card does not always do it, or
    does more than that: the badge is then marked, because the sentence must be read.
    """

    text: str
    icon: str
    unit: str
    enemy: str = ""
    conditional: bool = False


class _Change(Struct, frozen=True):
    """A change of one number; ``amount`` if a constant is added, ``helps`` if it is good for the bearer.

    ``limit`` is ``max.`` or ``min.`` if the number is limited (E-26).
    """

    text: str
    unit: str
    whose: Whose
    helps: bool
    conditional: bool
    amount: int | None = None
    limit: str = ""


_WITH_BADGE = (Role.ATTACK, Role.DEFENCE, Role.ITEM)
_ATTACKS = tuple(facts.occasion for facts in ROLES.values() if facts.occasion)


def badge_of(effect: tree.Effect, role: Role, enemy: str) -> Badge | None:
    """Return the badge of an effect: its first change that helps the bearer, else its first change.

    None if it changes no number, or is not that of an ATTACK, DEFENCE or ITEM card. ``enemy`` is the word for
    the other OPERATOR of the attack.
    """
    changes = list(_changes(effect, role)) if role in _WITH_BADGE else []
    main_change = next((change for change in changes if change.helps), changes[0] if changes else None)
    if main_change is None:
        return None
    same_number = [
        change for change in changes if (change.unit, change.whose) == (main_change.unit, main_change.whose)
    ]
    text, is_all_of_number = _figure(main_change, same_number)
    does_more = sum(not change.conditional for change in same_number) < _doing_count(effect)
    has_icon = main_change.unit in STATS or main_change.unit.endswith(" D6")
    icon = main_change.unit.lower().replace(" ", "-") if has_icon else ""
    unit = main_change.unit.split()[-1]  # the icon of an `ATTACK D6` says which D6 it is
    is_of_enemy = main_change.whose == "enemy" and main_change.unit != "DAMAGE"
    has_two_words = is_of_enemy and bool(main_change.limit)  # there is place for one
    is_conditional = main_change.conditional or does_more or has_two_words or not is_all_of_number
    return Badge(text, icon, unit, enemy if is_of_enemy else main_change.limit, is_conditional)


def _figure(main_change: _Change, same_number: list[_Change]) -> tuple[str, bool]:
    """Return the figure of the badge, and whether it says all changes of that number.

    Several that always act are added if they can be: +1 and +2, but not +1 and ×2, nor +1 and −1.
    """
    unconditional_changes = [change for change in same_number if not change.conditional]
    if main_change.conditional or len(unconditional_changes) == 1:
        return main_change.text, True
    amounts = [change.amount for change in unconditional_changes if change.amount is not None]
    total = sum(amounts) if len(amounts) == len(unconditional_changes) else 0
    return (signed(total), True) if total else (main_change.text, False)


def _changes(effect: tree.Effect, role: Role) -> Iterator[_Change]:
    """Yield the changes of numbers of attacker and attacked, in the order of the text."""
    for sentence in effect.sentences:
        trigger_name = sentence.when.name if sentence.when else None
        if trigger_name not in (None, "attached", *_ATTACKS):
            continue
        scope = scope_of(sentence, role)
        is_optional = scope.event and any(
            isinstance(clause, tree.Either) or clause.may for clause in sentence.clauses
        )
        is_other_occasion = trigger_name in _ATTACKS and trigger_name != ROLES[role].occasion
        is_conditional = bool(sentence.condition or sentence.limit or is_optional or is_other_occasion)
        for clause in sentence.clauses:
            whose = _whose(clause, scope)
            if whose is None or not isinstance(clause, tree.Act):
                continue
            for doing in clause.doings:
                change = _change(doing, whose, is_conditional)
                if change:
                    yield change


def _whose(clause: tree.Clause, scope: Scope) -> Whose | None:
    """Return which of the two OPERATORs of the attack a clause names; None if it is about anybody else."""
    if isinstance(clause, tree.Either) or not isinstance(clause.who, tree.Ref):
        return None
    if scope.same(clause.who.name, "self"):
        return "own"
    return "enemy" if scope.sides.get(clause.who.name) == "enemy" else None


def _change(doing: tree.Doing, whose: Whose, conditional: bool) -> _Change | None:
    """Return the change that a verb makes, or None if there is no figure for it."""
    amount, is_more, limit = None, True, ""
    match doing:
        case tree.Gets(count, tree.Word(unit), per) if unit in LAYERED:
            text = signed(count) if per is None else "+X" if count > 0 else "−X"
            amount, is_more = None if per else count, count > 0
        case tree.Multiplies(tree.Word(unit), factor):
            text = f"×{factor}"
        case tree.Divides(tree.Word(unit), divisor):
            text, is_more = f"÷{divisor}", False
        case tree.Fixes(tree.Word(unit), value):
            # whether a fixed number is good depends on what it was: assume that the designer means to help
            text, is_more = f"={value}", (whose == "own") != (unit == "DAMAGE")
        case tree.Limits(tree.Word(unit), bound, at_least):
            text = str(bound.value) if isinstance(bound, tree.Constant) else "X"
            is_more, limit = at_least, "min." if at_least else "max."
        case tree.RollsExtra(count, die):
            text, unit, amount = signed(count), f"{die} D6", count
        case tree.MakesDiceCritical(threshold):
            text, unit = f"{threshold}+", "CRITICAL"
        case _:
            return None
    helps_operator = is_more != (unit == "DAMAGE")  # DAMAGE is taken by the named OPERATOR: less is better
    return _Change(text, unit, whose, helps_operator == (whose == "own"), conditional, amount, limit)


def _doing_count(effect: tree.Effect) -> int:
    """Return how many things an effect does, all told."""
    return sum(len(act.doings) for act in tree.walk(effect) if isinstance(act, tree.Act))
