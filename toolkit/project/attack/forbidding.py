"""Which effects forbid an attack, or a DEFENCE card in it (M-8)."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.effects.objects import Origin
from toolkit.engine.actions import made_at_start
from toolkit.engine.board import Board
from toolkit.engine.numbers import Holding
from toolkit.engine.outcomes import Refusal
from toolkit.engine.rules import START
from toolkit.engine.state import Key


def forbidding(board: Board, both: tuple[Key, Key], refused: Refusal) -> Iterator[Origin]:
    """The effects for which the two cannot fight as it was asked for; none if it is no effect that forbids.

    Those that hold in the state, and those that speak of this attack.
    """
    if refused.rule_id != "M-8":
        return
    attacker, attacked = (board.state.operators[key] for key in both)
    found = [*board.held(attacker), *board.held(attacked)]
    for one in board.begin_attack(attacker, attacked).pending:
        condition = one.effect.condition
        if one.effect.times >> START & 1 and (condition is None or condition.holds(one.context)):
            found += made_at_start(one)
    origins = [held.origin for held in found if held.origin is not None and _forbids(held, *both)]
    yield from dict.fromkeys(origins)


def _forbids(held: Holding, attacker: Key, attacked: Key) -> bool:
    does = held.does
    if isinstance(does, tree.CannotPerform):
        return held.who == attacker and does.action == "ATTACK"
    return held.who == attacked and isinstance(does, (tree.CannotBeAttacked, tree.CannotHaveDefence))
