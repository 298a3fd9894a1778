"""wrong-die: an ATTACK D6 on the attacked side, or a DEFENCE D6 on the attacker's (M-6)."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement
from toolkit.lint.nothing_added import is_nothing
from toolkit.lint.sides import cast, part_of, words_of
from toolkit.vocabulary.triggers import Part


def check(statement: Statement) -> Iterator[Problem]:
    """Dice verbs whose die the OPERATOR certainly does not roll in this attack, at the die."""
    if not statement.is_continuous_attack:
        return
    for act in statement.acts:
        part = part_of(act.who, statement)
        if part is None:
            continue
        for doing in act.doings:
            if not is_nothing(doing):
                yield from _doing(doing, act.who, part, statement)


def _doing(doing: tree.Doing, who: tree.Who, part: Part, statement: Statement) -> Iterator[Problem]:
    if isinstance(doing, (tree.RollsExtra, tree.MayReroll)):
        enemy = isinstance(doing, tree.MayReroll) and doing.enemy
        right = "ATTACK" if (part == "attacker") != enemy else "DEFENCE"
        if doing.die != right:
            yield _wrong(doing, right, who, part, statement)
    elif isinstance(doing, (tree.MakesDiceCritical, tree.MakesAttackCritical)) and part == "attacked":
        yield Problem(
            "wrong-die",
            f"{cast(who, part, statement)} here, and only ATTACK D6 can be CRITICAL.",
            doing.place,
            "Name the attacker, or remove these words.",
        )


def _wrong(
    doing: tree.RollsExtra | tree.MayReroll, right: str, who: tree.Who, part: Part, statement: Statement
) -> Problem:
    place = _die_place(doing)
    if isinstance(doing, tree.MayReroll) and doing.enemy:
        other = "attacked OPERATOR" if part == "attacker" else "attacker"
        message = f"The enemy of {words_of(who)} is the {other} here, and rolls {right} D6."
    else:
        message = f"{cast(who, part, statement)} here, and that side rolls {right} D6."
    return Problem("wrong-die", message, place, f"Write `{right} D6`.")


def _die_place(doing: tree.RollsExtra | tree.MayReroll) -> tree.Place:
    """The words ``ATTACK D6``; all that is done where they are written with other than single spaces."""
    length = len(f"{doing.die} D6")
    between = 1 + (len("enemy ") if isinstance(doing, tree.MayReroll) and doing.enemy else 0)
    begin = doing.place[1] - length
    return (begin, doing.place[1]) if doing.number_place[1] + between == begin else doing.place
