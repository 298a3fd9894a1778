"""Whether a condition holds, how much a number is, and who belongs to a group."""

from __future__ import annotations

import operator
from collections.abc import Callable

from toolkit.dsl import tree
from toolkit.engine.geometry import adjacent, in_range, opposite, stands_as
from toolkit.engine.scene import Cast, Scene
from toolkit.engine.state import Key, OperatorState, other

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_KIND_OF_CARD = {"ATTACK card": "attack", "DEFENCE card": "defence", "ITEM": "item"}


def holds(condition: tree.Condition | None, scene: Scene) -> bool:
    """Whether a condition holds; no condition always does.

    An OPERATOR who does not exist here is nothing of what is asked about him, and does not become so by a
    `not`: `target is not HIT` is false where there is no target.
    """
    match condition:
        case None:
            return True
        case tree.Comparison(left, compare, right):
            return COMPARE[compare](amount(left, scene), amount(right, scene))
        case tree.HasStatus(ref, status, negated):
            who = scene.operator(ref.name)
            return who is not None and has_status(who, status.text, scene) != negated
        case tree.Stands(ref, relation, to, negated):
            who, there = scene.operator(ref.name), scene.operator(to.name)
            return who is not None and there is not None and _stands(who, relation, there) != negated
        case tree.Bears(ref, _, _, negated):
            who = scene.operator(ref.name)
            return who is not None and _bears(who, condition, scene) != negated
        case tree.AllOf(parts):
            return all(holds(part, scene) for part in parts)
        case tree.AnyOf(parts):
            return any(holds(part, scene) for part in parts)
        case tree.Not(part):
            return not holds(part, scene)
        case tree.AttackIsCritical(negated):
            return scene.critical != negated


def _stands(who: OperatorState, relation: str, to: OperatorState) -> bool:
    if relation == "in RANGE":
        return in_range(who, to)
    return adjacent(who, to) if relation == "adjacent" else opposite(who, to)


def _bears(who: OperatorState, asked: tree.Bears, scene: Scene) -> bool:
    cards = scene.rules.cards
    if asked.name is not None:
        card = cards[who.card]
        return card.team == asked.name.text if asked.what == "TEAM" else asked.name.text in card.traits
    if who.attached is None:
        return False
    return asked.what == "card" or cards[who.attached].kind == _KIND_OF_CARD[asked.what]


def has_status(who: OperatorState, status: str, scene: Scene) -> bool:
    """C-2, and SUPPRESSED: a condition of the ruleset's SUPPRESSION holds for him (M-1)."""
    return is_suppressed(who.key, scene) if status == "SUPPRESSED" else who.status == status


def is_suppressed(key: Key, scene: Scene) -> bool:
    """Whether a condition of SUPPRESSION holds for an OPERATOR, on the numbers that count in this scene."""
    if scene.within_suppression:
        return False
    cast = scene.cast
    who = scene.state.operators[key]
    facing = cast.attacked if key == cast.attacker else cast.attacker if key == cast.attacked else None
    his = Cast(who.side, key, facing, cast.attacker, cast.attacked)
    within = Scene(scene.state, scene.rules, scene.numbers, his, scene.critical, True)
    return any(holds(condition, within) for condition in scene.rules.suppressed)


def amount(number: tree.Number, scene: Scene) -> int:
    """The value of a number; a quantity of an OPERATOR who does not exist here is 0."""
    match number:
        case tree.Constant(value):
            return value
        case tree.QuantityOf(quantity, ref):
            key = scene.cast.key(ref.name)
            return 0 if key is None else quantity_of(key, quantity.text, scene)
        case tree.Binary(sign, left, right):
            one, two = amount(left, scene), amount(right, scene)
            return one + two if sign == "+" else one - two if sign == "-" else one * two
        case tree.Negative(inner):
            return -amount(inner, scene)
        case tree.NumberOf(group):
            return len(members(group, scene))
        case tree.CardsInHand(side):
            controller = scene.cast.controller
            return len(scene.state.player(controller if side == "own" else other(controller)).hand)
        case tree.Round():
            return scene.state.round


def quantity_of(key: Key, quantity: str, scene: Scene) -> int:
    """A QUANTITY of an OPERATOR: a stat's current number or VALUE (N-1), a counter, or a fact."""
    who = scene.state.operators[key]
    if quantity == "HITCOUNTER":
        return who.hitcounter
    if quantity == "OBJECTIVECOUNTER":
        return who.objectivecounter
    if quantity == "SQUADPOINTS":
        return scene.rules.cards[who.card].squadpoints
    if quantity == "FIELDPOSITION":
        return 0 if who.position is None else who.position + 1
    if quantity.endswith(" VALUE"):
        return scene.rules.cards[who.card].values[quantity[:2]]
    return scene.numbers.number(key, quantity)


def members(group: tree.Group, scene: Scene) -> tuple[Key, ...]:
    """The OPERATORs of a group: the controller's from left to right, then the enemy's.

    They stand on FIELDPOSITIONs; HIT or OUT ones belong to it only if `that are HIT` or `that are OUT` says
    so.
    """
    controller = scene.cast.controller
    found: list[Key] = []
    for side in (controller, other(controller)):
        if (group.side == "own" and side != controller) or (group.side == "enemy" and side == controller):
            continue
        found += [who.key for who in scene.state.on_field(side) if belongs(who, group, scene)]
    return tuple(found)


def belongs(who: OperatorState, group: tree.Group, scene: Scene) -> bool:
    """Whether all filters of a group hold for an OPERATOR of the right side."""
    status = group.status
    if not who.is_up and (status is None or status.negated or status.status.text != who.status):
        return False
    if group.other and who.key == scene.cast.bearer:
        return False
    if status is not None and has_status(who, status.status.text, scene) == status.negated:
        return False
    card = scene.rules.cards[who.card]
    if group.team is not None and card.team != group.team.text:
        return False
    if group.trait is not None and group.trait.text not in card.traits:
        return False
    if not stands_as(who, group, scene.operator):
        return False
    asked = group.quantity
    if asked is None:
        return True
    return COMPARE[asked.compare](quantity_of(who.key, asked.quantity.text, scene), asked.number)


def times(per: tree.Per | None, scene: Scene) -> int:
    """How often a counted amount counts: `for each …`, at most its `max`, never less than 0."""
    if per is None:
        return 1
    what = per.what
    count = len(members(what, scene)) if isinstance(what, tree.Group) else amount(what, scene)
    return max(0, count if per.maximum is None else min(count, per.maximum))
