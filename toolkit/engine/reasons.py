"""Why a condition is false, in plain words with the numbers that made it so."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.dsl.printing import print_condition, print_number
from toolkit.engine.conditions import amount, holds
from toolkit.engine.scene import Scene


def why_false(condition: tree.Condition, scene: Scene) -> str:
    """``its condition is false: HITCOUNTER of target is 0``."""
    return f"its condition is false: {_facts(condition, scene, False)}"


def _facts(condition: tree.Condition, scene: Scene, wanted: bool) -> str:
    """What is so, of a condition that is ``wanted`` (true under a `not`)."""
    match condition:
        case tree.AllOf(parts) | tree.AnyOf(parts):
            deciding = [part for part in parts if holds(part, scene) == wanted] or list(parts)
            if isinstance(condition, tree.AllOf) and not wanted:
                deciding = deciding[:1]
            return ", ".join(_facts(part, scene, wanted) for part in deciding)
        case tree.Not(part):
            return _facts(part, scene, not wanted)
        case tree.Comparison(left, _, right):
            sides = [_measured(side, scene) for side in (left, right) if not isinstance(side, tree.Constant)]
            return " and ".join(sides) or print_condition(condition)
        case _:
            return print_condition(condition if wanted else _turned(condition))


def _measured(number: tree.Number, scene: Scene) -> str:
    return f"{print_number(number)} is {amount(number, scene)}"


def _turned(
    condition: tree.HasStatus | tree.Stands | tree.Bears | tree.AttackIsCritical,
) -> tree.Condition:
    """The opposite of one fact, as the language says it."""
    match condition:
        case tree.HasStatus(ref, status, negated):
            return tree.HasStatus(ref, status, not negated)
        case tree.Stands(ref, relation, to, negated):
            return tree.Stands(ref, relation, to, not negated)
        case tree.Bears(ref, what, name, negated):
            return tree.Bears(ref, what, name, not negated)
        case tree.AttackIsCritical(negated):
            return tree.AttackIsCritical(not negated)
