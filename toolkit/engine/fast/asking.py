"""Conditions, numbers and groups of the language as expressions: the twin of ``engine.conditions``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from toolkit.dsl import tree
from toolkit.engine.fast import arithmetic, logic
from toolkit.engine.fast.comparing import compare
from toolkit.engine.fast.facts import Facts
from toolkit.engine.fast.nodes import Graph, Node
from toolkit.engine.geometry import adjacent, in_range, opposite, stands_as
from toolkit.engine.scene import Cast
from toolkit.engine.state import Key, OperatorState, other

_KIND_OF_CARD = {"ATTACK card": "attack", "DEFENCE card": "defence", "ITEM": "item"}


class Numbers(Protocol):
    """Where current numbers are read from."""

    def number(self, key: Key, stat: str) -> Node:
        """The number as it is read, never below the floor (N-5)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a sentence is read in; as ``engine.scene.Scene``, with ``critical`` an expression."""

    facts: Facts
    numbers: Numbers
    cast: Cast
    critical: Node
    within_suppression: bool = False

    @property
    def graph(self) -> Graph:
        """Where expressions are built."""
        return self.facts.graph

    def operator(self, name: str) -> OperatorState | None:
        """The OPERATOR that a name means here."""
        key = self.cast.key(name)
        return None if key is None else self.facts.state.operators[key]


def holds(condition: tree.Condition | None, asked: Asked) -> Node:
    """Whether a condition holds. One who does not exist here is nothing of what is asked about him."""
    graph = asked.graph
    match condition:
        case None:
            return graph.truth(True)
        case tree.Comparison(left, sign, right):
            return compare(graph, sign, amount(left, asked), amount(right, asked))
        case tree.HasStatus(ref, status, negated):
            who = asked.operator(ref.name)
            if who is None:
                return graph.truth(False)
            return _turned(graph, has_status(who, status.text, asked), negated)
        case tree.Stands(ref, relation, to, negated):
            one, two = asked.operator(ref.name), asked.operator(to.name)
            return graph.truth(one is not None and two is not None and _stands(one, relation, two) != negated)
        case tree.Bears(ref, _, _, negated):
            who = asked.operator(ref.name)
            return graph.truth(who is not None and _bears(who, condition, asked) != negated)
        case tree.AllOf(parts):
            return logic.both(graph, *[holds(part, asked) for part in parts])
        case tree.AnyOf(parts):
            return logic.any_of(graph, [holds(part, asked) for part in parts])
        case tree.Not(part):
            return logic.negate(graph, holds(part, asked))
        case tree.AttackIsCritical(negated):
            return _turned(graph, asked.critical, negated)


def _turned(graph: Graph, truth: Node, negated: bool) -> Node:
    return logic.negate(graph, truth) if negated else truth


def _stands(who: OperatorState, relation: str, to: OperatorState) -> bool:
    if relation == "in RANGE":
        return in_range(who, to)
    return adjacent(who, to) if relation == "adjacent" else opposite(who, to)


def _bears(who: OperatorState, bears: tree.Bears, asked: Asked) -> bool:
    cards = asked.facts.rules.cards
    if bears.name is not None:
        card = cards[who.card]
        return card.team == bears.name.text if bears.what == "TEAM" else bears.name.text in card.traits
    if who.attached is None:
        return False
    return bears.what == "card" or cards[who.attached].kind == _KIND_OF_CARD[bears.what]


def has_status(who: OperatorState, status: str, asked: Asked) -> Node:
    """C-2, and SUPPRESSED by the ruleset's conditions (M-1)."""
    if status == "SUPPRESSED":
        return is_suppressed(who.key, asked)
    return asked.facts.has_status(who.key, status)


def is_suppressed(key: Key, asked: Asked) -> Node:
    """Whether a condition of SUPPRESSION holds for an OPERATOR; never within that condition itself."""
    if asked.within_suppression:
        return asked.graph.truth(False)
    cast = asked.cast
    who = asked.facts.state.operators[key]
    facing = cast.attacked if key == cast.attacker else cast.attacker if key == cast.attacked else None
    his = Cast(who.side, key, facing, cast.attacker, cast.attacked)
    within = Asked(asked.facts, asked.numbers, his, asked.critical, True)
    return logic.any_of(asked.graph, [holds(condition, within) for condition in asked.facts.rules.suppressed])


def amount(number: tree.Number, asked: Asked) -> Node:
    """The value of a number; a quantity of an OPERATOR who does not exist here is 0."""
    graph = asked.graph
    match number:
        case tree.Constant(value):
            return graph.number(value)
        case tree.QuantityOf(quantity, ref):
            key = asked.cast.key(ref.name)
            return graph.number(0) if key is None else quantity_of(key, quantity.text, asked)
        case tree.Binary(sign, left, right):
            one, two = amount(left, asked), amount(right, asked)
            if sign == "*":
                return arithmetic.product(graph, one, two)
            return arithmetic.total(graph, 0, ((one, 1), (two, 1 if sign == "+" else -1)))
        case tree.Negative(inner):
            return arithmetic.total(graph, 0, ((amount(inner, asked), -1),))
        case tree.NumberOf(group):
            return arithmetic.count(graph, [truth for _, truth in members(group, asked)])
        case tree.CardsInHand(side):
            controller = asked.cast.controller
            return asked.facts.hand(controller if side == "own" else other(controller))
        case tree.Round():
            return asked.facts.round()


def quantity_of(key: Key, quantity: str, asked: Asked) -> Node:
    """A QUANTITY of an OPERATOR."""
    facts, who = asked.facts, asked.facts.state.operators[key]
    card = facts.rules.cards[who.card]
    if quantity == "HITCOUNTER":
        return facts.counter(key, "hitcounter")
    if quantity == "OBJECTIVECOUNTER":
        return facts.counter(key, "objectivecounter")
    if quantity == "SQUADPOINTS":
        return asked.graph.number(card.squadpoints)
    if quantity == "FIELDPOSITION":
        return asked.graph.number(0 if who.position is None else who.position + 1)
    if quantity.endswith(" VALUE"):
        return asked.graph.number(card.values[quantity[:2]])
    return asked.numbers.number(key, quantity)


def members(group: tree.Group, asked: Asked) -> list[tuple[Key, Node]]:
    """The OPERATORs who may belong to a group, each with the condition on which he does."""
    controller, state = asked.cast.controller, asked.facts.state
    found: list[tuple[Key, Node]] = []
    for side in (controller, other(controller)):
        if (group.side == "own" and side != controller) or (group.side == "enemy" and side == controller):
            continue
        for who in state.on_field(side):
            truth = _belongs(who, group, asked)
            if truth.constant != 0:
                found.append((who.key, truth))
    return found


def _belongs(who: OperatorState, group: tree.Group, asked: Asked) -> Node:
    graph, status = asked.graph, group.status
    if not _belongs_by_card(who, group, asked) or not stands_as(who, group, asked.operator):
        return graph.truth(False)
    truth = graph.truth(True)
    if status is not None:
        truth = _turned(graph, has_status(who, status.status.text, asked), status.negated)
    if group.quantity is not None and truth.constant != 0:
        measured = quantity_of(who.key, group.quantity.quantity.text, asked)
        by_quantity = compare(graph, group.quantity.compare, measured, graph.number(group.quantity.number))
        truth = logic.both(graph, truth, by_quantity)
    return truth


def _belongs_by_card(who: OperatorState, group: tree.Group, asked: Asked) -> bool:
    status, card = group.status, asked.facts.rules.cards[who.card]
    if not who.is_up and (status is None or status.negated or status.status.text != who.status):
        return False
    if group.other and who.key == asked.cast.bearer:
        return False
    if group.team is not None and card.team != group.team.text:
        return False
    return group.trait is None or group.trait.text in card.traits


def times(per: tree.Per | None, asked: Asked) -> Node:
    """How often a counted amount counts; never less than 0."""
    graph = asked.graph
    if per is None:
        return graph.number(1)
    what = per.what
    if isinstance(what, tree.Group):
        counted = arithmetic.count(graph, [truth for _, truth in members(what, asked)])
    else:
        counted = amount(what, asked)
    if per.maximum is not None:
        counted = arithmetic.smallest(graph, counted, per.maximum)
    return arithmetic.largest(graph, counted, 0)
