"""What the attacker or the attacked side of an attack does not use.

wrong-die: an ATTACK D6 for the attacked side, or a DEFENCE D6 for the attacker's (M-6). ap-when-attacked and
ep-when-attacking: a change of a number that this attack does not compare (A-1).
"""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement, changed_stat, side_of
from toolkit.lint.pointless_numbers import is_nothing
from toolkit.vocabulary import TRIGGERS
from toolkit.vocabulary.triggers import Part

_CRITICAL = (tree.MakesDiceCritical, tree.MakesAttackCritical, tree.CannotMakeCritical)
_OTHER_PART = {
    "attacking": "attacked",
    "attacked": "attacking",
    "own-attacks": "own-is-attacked",
    "own-is-attacked": "own-attacks",
    "enemy-attacks": "enemy-is-attacked",
    "enemy-is-attacked": "enemy-attacks",
}
"""The trigger under which the same OPERATOR plays the other part."""


def check(statement: Statement) -> Iterator[Problem]:
    """Dice that the OPERATOR certainly does not roll, and stats that are not compared, each at its word."""
    if not statement.scope.attack:
        return
    for act in statement.acts:
        attack_part = _part_of(act.who, statement)
        if attack_part is None or not _is_for_attack(act, statement):
            continue
        for doing in act.doings:
            if not is_nothing(doing):
                yield from _wrong_die(doing, act.who, attack_part, statement)
                yield from _unused_stat(doing, act.who, attack_part, statement)


def _is_for_attack(act: tree.Act, statement: Statement) -> bool:
    """Whether it holds for this attack and no longer: in a sentence that holds while it goes on, or from its
    beginning to its end (E-21)."""
    trigger, lasts_to_end = statement.scope.trigger, act.duration == tree.Duration("ATTACK")
    is_before_dice = trigger is not None and trigger.precedes_dice
    return statement.is_continuous_attack or (lasts_to_end and is_before_dice)


def _part_of(acting: tree.Who, statement: Statement) -> Part | None:
    """Return the part that somebody plays in the attack, if any: with no name for it, that of its side.

    Whether one of a group takes part is not known, but it could not play the other part. None if it is not
    known of the side either.
    """
    scope = statement.scope
    if isinstance(acting, tree.Ref) and acting.name in scope.parts:
        return "attacker" if scope.parts[acting.name] == "attacker" else "attacked"
    side, attacking_side = side_of(acting, scope), scope.sides.get("attacker")
    if side is None or attacking_side is None:
        return None
    return "attacker" if side == attacking_side else "attacked"


def _subject(acting: tree.Who, attack_part: Part, statement: Statement) -> str:
    """Return the beginning of a sentence that says what somebody is in the attack."""
    side = "attacking" if attack_part == "attacker" else "attacked"
    if not isinstance(acting, tree.Ref):
        return f"Those OPERATORs are on the {side} side"
    if statement.scope.parts.get(acting.name) != attack_part:
        return f"`{acting.name}` is on the {side} side"
    return f"`{acting.name}` {'attacks' if attack_part == 'attacker' else 'is attacked'}"


def _wrong_die(
    doing: tree.Doing, acting: tree.Who, attack_part: Part, statement: Statement
) -> Iterator[Problem]:
    """Dice that this part of the attack does not roll, or that cannot be CRITICAL."""
    if isinstance(doing, (tree.RollsExtra, tree.MayReroll, tree.KeepsDice, tree.SetsDice)):
        of_enemy = isinstance(doing, (tree.MayReroll, tree.SetsDice)) and doing.enemy
        is_attackers_die = attack_part == ("attacked" if of_enemy else "attacker")
        right_die = "ATTACK" if is_attackers_die else "DEFENCE"
        if doing.die == right_die:
            return
        if of_enemy:
            other_part = "attacked OPERATOR" if attack_part == "attacker" else "attacker"
            whose = f"`{acting.name}`" if isinstance(acting, (tree.Ref, tree.Player)) else "those OPERATORs"
            message = f"The enemy of {whose} is the {other_part} here, and rolls {right_die} D6."
        else:
            message = f"{_subject(acting, attack_part, statement)} here, and that side rolls {right_die} D6."
        # at `ATTACK D6`; at all that is done where its words have more than single spaces between them
        _, end = doing.place
        _, end_of_number = doing.number_place
        die_begin = end - len(f"{doing.die} D6")
        has_single_spaces = end_of_number + len(" enemy " if of_enemy else " ") == die_begin
        span = (die_begin, end) if has_single_spaces else doing.place
        yield Problem("wrong-die", message, span, f"Write `{right_die} D6`.")
    elif isinstance(doing, _CRITICAL) and attack_part == "attacked":
        yield Problem(
            "wrong-die",
            f"{_subject(acting, attack_part, statement)} here, and only ATTACK D6 can be CRITICAL.",
            doing.place,
            "Name the attacker, or remove these words.",
        )


def _unused_stat(
    doing: tree.Doing, acting: tree.Who, attack_part: Part, statement: Statement
) -> Iterator[Problem]:
    """AP of the attacked OPERATOR and EP of the attacker, which nothing is compared with."""
    stat = changed_stat(doing)
    if stat is None or stat.text != ("AP" if attack_part == "attacked" else "EP"):
        return
    trigger = _OTHER_PART.get(statement.trigger, "")
    other_trigger = f", or write `when {TRIGGERS[trigger].words}`." if trigger else "."
    name, compared, right_stat = {
        "attacked": ("ap-when-attacked", "attacker's AP", "EP"),
        "attacker": ("ep-when-attacking", "attacked OPERATOR's EP", "AP"),
    }[attack_part]
    message = f"{_subject(acting, attack_part, statement)} here, and only the {compared} are compared."
    yield Problem(name, message, stat.place, f"Change {right_stat}{other_trigger}")
