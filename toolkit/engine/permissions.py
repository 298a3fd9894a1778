"""What effects forbid (M-8), and which BONUS ACTIONs an OPERATOR has (K-3, T-5)."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.engine.attack import begin_attack
from toolkit.engine.board import Board, Holding, made_by
from toolkit.engine.conditions import holds
from toolkit.engine.rules import START, Rules
from toolkit.engine.scene import Scene
from toolkit.engine.state import GameState, Key, OperatorState


def cannot_perform(board: Board, key: Key, action: str) -> bool:
    """Whether an effect says `cannot perform` that ACTION (in lower case).

    **Ruling** on N-6, "one forbids what another requires": no effect requires an ACTION, a BONUS only allows
    one, so what is forbidden stays forbidden.
    """
    name = action.upper()
    found = board.held(key, tree.CannotPerform)
    return bool(found) and any(
        isinstance(held.does, tree.CannotPerform) and held.does.action == name for held in found
    )


def cannot_be_attacked(board: Board, key: Key) -> bool:
    """Whether an effect says `cannot be attacked`."""
    return bool(board.held(key, tree.CannotBeAttacked))


def forbidden_in_attack(state: GameState, rules: Rules, attacker: Key, attacked: Key) -> bool:
    """Whether an effect that speaks of this very attack forbids it, from its start (M-8).

    For example `when attacked, if attacker is not opposite self, self cannot be attacked`.
    """
    if not rules.attack_can_be_forbidden:
        return False
    attack = begin_attack(state, rules, attacker, attacked)
    board = attack.board(state)
    for one in attack.pending:
        scene = Scene(state, rules, board, one.cast)
        forbidding = [
            action
            for time, action in one.effect.actions
            if time == START and isinstance(action.does, (tree.CannotBeAttacked, tree.CannotPerform))
        ]
        if forbidding and holds(one.effect.condition, scene):
            for action in forbidding:
                for made in made_by(action, one.effect, scene, START, "M-8", one.card):
                    if isinstance(made, Holding) and _forbids(made, attacker, attacked):
                        return True
    return False


def _forbids(held: Holding, attacker: Key, attacked: Key) -> bool:
    does = held.does
    if isinstance(does, tree.CannotBeAttacked):
        return held.who == attacked
    return isinstance(does, tree.CannotPerform) and does.action == "ATTACK" and held.who == attacker


def has_bonus(board: Board, who: OperatorState, action: str) -> bool:
    """K-3: whether an effect gives him a BONUS ACTION that may be this ACTION (in lower case).

    T-5, at most one for each OPERATOR and TURN, is not asked here.
    """
    fitting = ("ANY", action.upper())
    return any(bonus in fitting for bonus in who.bonuses) or any(
        isinstance(held.does, tree.GainsBonus) and held.does.action in fitting
        for held in board.held(who.key, tree.GainsBonus)
    )
