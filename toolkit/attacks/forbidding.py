"""Which effects forbid an attack, or a DEFENCE card in it (M-8)."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.effects.objects import Origin
from toolkit.engine.attack import begin_attack
from toolkit.engine.board import Board, Holding, made_by
from toolkit.engine.conditions import holds
from toolkit.engine.outcomes import Refusal
from toolkit.engine.rules import START, Rules
from toolkit.engine.scene import Scene
from toolkit.engine.state import GameState, Key


def forbidding(state: GameState, rules: Rules, both: tuple[Key, Key], refused: Refusal) -> Iterator[Origin]:
    """The effects for which the two cannot fight as it was asked for; none if it is no effect that forbids.

    Those that hold in the state, and those that speak of this attack.
    """
    if refused.rule_id != "M-8":
        return
    attack = begin_attack(state, rules, *both)
    board = attack.board(state)
    found = [held for key in both for held in Board(state, rules).held(key)]
    for one in attack.pending:
        scene = Scene(state, rules, board, one.cast)
        if any(time == START for time, _ in one.effect.actions) and holds(one.effect.condition, scene):
            for time, action in one.effect.actions:
                if time == START:
                    made = made_by(action, one.effect, scene, START, "M-8", one.card)
                    found += [held for held in made if isinstance(held, Holding)]
    told = [held.origin for held in found if held.origin is not None and _forbids(held, *both)]
    yield from dict.fromkeys(told)


def _forbids(held: Holding, attacker: Key, attacked: Key) -> bool:
    does = held.does
    if isinstance(does, tree.CannotPerform):
        return held.who == attacker and does.action == "ATTACK"
    return held.who == attacked and isinstance(does, (tree.CannotBeAttacked, tree.CannotHaveDefence))
