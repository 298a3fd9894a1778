"""What is rolled in step 6: how many dice, who may reroll them, which are critical (M-6, M-7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolkit.dsl import tree
from toolkit.engine.fast import arithmetic, logic
from toolkit.engine.fast.nodes import Graph, Node
from toolkit.engine.fast.numbers import Numbers
from toolkit.engine.fast.shapes import Shape
from toolkit.engine.state import Key

ALWAYS_CRITICAL = 6
"""A 6 is critical without any effect (M-7)."""


@dataclass(frozen=True, slots=True)
class Reroll:
    """A permission to reroll dice: whether the attacking player has it, of which dice, and how many (0 where
    its condition does not hold)."""

    attacking: bool
    die: tree.Die
    count: Node


@dataclass(frozen=True, slots=True)
class Opening:
    """What is rolled: so many ATTACK D6 and DEFENCE D6, critical from ``threshold`` on; ``rerolls`` in the
    order in which they are asked."""

    attack_dice: Node
    defence_dice: Node
    threshold: Node
    rerolls: tuple[Reroll, ...]

    @property
    def rolls_nothing(self) -> bool:
        """Whether there certainly are no dice."""
        return self.attack_dice.constant == 0 and self.defence_dice.constant == 0


def opening(
    numbers: Numbers, shape: Shape, critical_by: Numbers | None = None, extra_only: bool = False
) -> Opening:
    """The dice by what ``numbers`` hold, and what is critical by ``critical_by`` (default: the same).

    With ``extra_only`` the one die that everybody has is not among them.
    """
    graph, whole = numbers.facts.graph, critical_by or numbers
    own = 0 if extra_only else 1
    return Opening(
        _dice(graph, numbers, shape.attacker, "ATTACK", own),
        _dice(graph, numbers, shape.attacked, "DEFENCE", own),
        _threshold(graph, whole, shape),
        tuple(_rerolls(graph, numbers, shape)),
    )


def _dice(graph: Graph, numbers: Numbers, key: Key, die: tree.Die, own: int) -> Node:
    extra = [
        arithmetic.amount_if(graph, held.guard, held.does.count)
        for held in numbers.held(key)
        if isinstance(held.does, tree.RollsExtra) and held.does.die == die
    ]
    return arithmetic.add(graph, graph.number(own), *extra)


def _threshold(graph: Graph, numbers: Numbers, shape: Shape) -> Node:
    """The lowest threshold of the attacker's effects; 1 where an effect makes the attack CRITICAL."""
    found: list[tuple[int, Node]] = []
    for held in numbers.held(shape.attacker):
        if isinstance(held.does, tree.MakesDiceCritical):
            found.append((min(held.does.threshold, ALWAYS_CRITICAL), held.guard))
    for key in (shape.attacker, shape.attacked):
        found += [
            (1, held.guard) for held in numbers.held(key) if isinstance(held.does, tree.MakesAttackCritical)
        ]
    lowest = graph.number(ALWAYS_CRITICAL)
    for threshold, guard in sorted(found, key=lambda one: -one[0]):
        lowest = arithmetic.choose(graph, guard, graph.number(threshold), lowest)
    return lowest


def _rerolls(graph: Graph, numbers: Numbers, shape: Shape) -> Iterator[Reroll]:
    for key, own in ((shape.attacker, "ATTACK"), (shape.attacked, "DEFENCE")):
        for held in numbers.held(key):
            does = held.does
            if isinstance(does, tree.MayReroll) and (does.die == own) != does.enemy:
                count = arithmetic.amount_if(graph, held.guard, does.count)
                yield Reroll(key == shape.attacker, does.die, count)


def cannot_have_defence(numbers: Numbers, key: Key) -> Node:
    """Whether an effect says `cannot have DEFENCE cards`."""
    return logic.any_of(
        numbers.facts.graph,
        [held.guard for held in numbers.held(key) if isinstance(held.does, tree.CannotHaveDefence)],
    )
