"""How modifications are put together, with expressions: the twin of ``engine.numbers`` (N-2 to N-6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from toolkit.data.model import Options
from toolkit.effects.objects import Layer
from toolkit.engine.fast import arithmetic, logic
from toolkit.engine.fast.nodes import Graph, Node
from toolkit.engine.state import Key


@dataclass(frozen=True, slots=True)
class Modification:
    """A change of one stat of one OPERATOR, if ``guard`` holds.

    ``amount`` as in ``engine.numbers.Change``; under the layer ``double`` it is how often the number is
    doubled (M-7). ``attacking`` and ``by_card`` decide between Fixes (N-6).
    """

    who: Key
    stat: str
    layer: Layer | Literal["double"]
    amount: Node
    step: int
    guard: Node
    attacking: bool
    by_card: bool = False
    ignored_as: str | None = None


def put_together(graph: Graph, value: Node, changes: Sequence[Modification], options: Options) -> Node:
    """The number as it is carried (N-3): one pile under ``layered``, under ``stepwise`` one for each step."""
    if options.stacking == "layered":
        return _pile(graph, value, changes, options.rounding)
    for _, pile in groupby(sorted(changes, key=_step), key=_step):
        value = _pile(graph, value, list(pile), options.rounding)
    return value


def _step(change: Modification) -> int:
    return change.step


def _pile(graph: Graph, value: Node, changes: Sequence[Modification], rounding: str) -> Node:
    """N-2: Fix, Multiply, Divide (rounded once, N-4), Add and Subtract."""
    one, none = graph.number(1), graph.number(0)
    for fix in sorted((change for change in changes if change.layer == "fix"), key=_strength):
        value = arithmetic.choose(graph, fix.guard, fix.amount, value)
    divisor = one
    for change in changes:
        if change.layer == "multiply":
            factor = arithmetic.choose(graph, change.guard, change.amount, one)
            value = arithmetic.product(graph, value, factor)
        elif change.layer == "divide":
            by = arithmetic.choose(graph, change.guard, change.amount, one)
            divisor = arithmetic.product(graph, divisor, by)
    for change in changes:
        if change.layer == "double":
            value = arithmetic.doubled(graph, value, change.amount)
    value = arithmetic.quotient(graph, value, divisor, rounding)
    added = [
        arithmetic.choose(graph, change.guard, change.amount, none)
        for change in changes
        if change.layer in ("add", "subtract")
    ]
    return arithmetic.add(graph, value, *added)


def _strength(fix: Modification) -> tuple[bool, bool, int, int]:
    """N-6: cards before ruleset and mode, the attacking player's, the later step's, the higher; the
    strongest is put on last."""
    assert fix.amount.constant is not None, "a Fix is at a number"
    return fix.by_card, fix.attacking, fix.step, fix.amount.constant


def counting(graph: Graph, change: Modification, ignored: Node) -> Modification:
    """The modification as it counts for one who ignores it on a condition."""
    guard = logic.both(graph, change.guard, logic.negate(graph, ignored))
    return Modification(
        change.who,
        change.stat,
        change.layer,
        change.amount,
        change.step,
        guard,
        change.attacking,
        change.by_card,
        change.ignored_as,
    )
