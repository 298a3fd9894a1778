"""The thinker: tries ACTIONs to the end of the TURN before it takes one."""

from __future__ import annotations

from random import Random

from toolkit.engine.actions import GameAction, perform_unchecked
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.compiler import objective_value
from toolkit.engine.decisions import Decision, RandomDice, shuffled
from toolkit.engine.game import Game
from toolkit.engine.greedy import GreedyPlayer, Trial
from toolkit.engine.phases import Verdict, finish_turn
from toolkit.engine.state import GameState, OperatorState, Side, other
from toolkit.engine.state_queries import StateQueries

_CANDIDATES = (5, 3, 2)
"""So many ACTIONs are tried once, the better of them again, and the best of these a third time."""

_WON = 100.0
"""As many OPERATORs on the FIELD as it is worth to have won."""
_WAITING, _CAPTURED, _WAY, _HURT = 0.56, 3.7, 2.6, 0.58
"""The same of one more in the SAVEZONE, of all OBJECTIVEs that a victory needs, of the whole way to those
that are missing, and of no HITCOUNTER where it was as high as DP. They are from a logistic regression of who
won on 4,871 ends of TURNs, in 520 games of greedy and random players."""


class Thinker:
    """Takes the ACTION after which it stands best when the TURN is over, on average over some tries.

    The ACTIONs that gain most for a greedy player are tried, with greedy answers of both players and the same
    dice for all of them; those that are behind are not tried again. In all else it is a greedy player.

    It knows what both SQUADs have and what lies open, but neither the enemy's hand nor the order of a DECK:
    these cards are dealt anew for each try, from the same heap wherever they are. It remembers nothing.
    """

    def __init__(self, rules: Rules, seed: int | str) -> None:
        self.rules, self.seed = rules, seed
        self._greedy = GreedyPlayer(rules)
        self._tried: Trial | None = None

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return its choice."""
        if decision.kind == "action" and len(decision.options) > 1:
            return self._best_action(decision, state)
        return self._greedy.answer(decision, self._imagined(decision, state, 0).state)

    def recall(self, decision: Decision, state: GameState, index: int) -> None:
        """Do nothing: what it has chosen before makes no difference."""

    def _best_action(self, decision: Decision, state: GameState) -> int:
        """The ACTION that is left when the tries are over."""
        merits = self._greedy.merits(decision.options, self._imagined(decision, state, 0).state)
        candidates = sorted(range(len(merits)), key=lambda index: merits[index], reverse=True)
        values = dict.fromkeys(candidates, 0.0)
        for number, count in enumerate(_CANDIDATES):
            candidates = candidates[:count]
            for index in candidates:
                values[index] += self._value_of(decision, index, state, number)
            candidates.sort(key=lambda index: values[index], reverse=True)
        best, *_behind = candidates
        return best

    def _value_of(self, decision: Decision, index: int, state: GameState, number: int) -> float:
        """What a try of an ACTION comes to; passing and what is refused come last."""
        option, side = decision.options[index], decision.whose
        if not isinstance(option, GameAction):
            return -_WON
        game = self._imagined(decision, state, number)
        if game.attempt(perform_unchecked, game, option) is not None:
            return -_WON
        return _value(game, side, finish_turn(game, other(side)))

    def _imagined(self, decision: Decision, state: GameState, number: int) -> Trial:
        """The GAME with all cards that the player does not see dealt anew, and with dice of its own.

        They depend on the moment and the ``number`` of the try only, so every ACTION meets the same.
        """
        trial = self._tried
        if trial is None or not trial.is_of(state):
            trial = self._tried = Trial(self.rules, state, {"blue": self._greedy, "red": self._greedy})
        trial.follow(state)
        moment = f"{self.seed} {state.round} {state.turn} {state.blue.actions} {state.red.actions} {number}"
        _deal(trial.state, decision.whose, Random(f"{moment} cards"))
        trial.dice = RandomDice(f"{moment} dice")
        return trial


def _deal(state: GameState, side: Side, chance: Random) -> None:
    """Deal anew what a player does not see: the enemy's hand and all DECKs."""
    own, enemy = state.player(side), state.player(other(side))
    own.deck = shuffled(sorted(own.deck), chance.random)
    unseen = shuffled(sorted((*enemy.hand, *enemy.deck)), chance.random)
    hand_size = len(enemy.hand)
    enemy.hand, enemy.deck = unseen[:hand_size], unseen[hand_size:]
    for player in (own, enemy):
        player.item_deck = shuffled(sorted(player.item_deck), chance.random)


def _value(game: Game, side: Side, verdict: Verdict | None) -> float:
    """How well a player stands when a TURN is over."""
    if verdict is not None:
        if verdict.winner is None:
            return 0.0
        return _WON if verdict.winner == side else -_WON
    return _standing(game, side) - _standing(game, other(side))


def _standing(game: Game, side: Side) -> float:
    """What a player has."""
    player, operators = game.state.player(side), game.active(side)
    needed = game.rules.mode.victory_objectives_captured or len(game.rules.objectives)
    missing = max(1, needed - len(player.captured))
    ways = [_way(game, operator) for operator in operators]
    hurts = [operator.hitcounter / max(1, game.number(operator, "DP")) for operator in operators]
    longest_ways = sorted(ways)[-missing:]  # of as many OPERATORs as OBJECTIVEs are missing
    return (
        len(operators)
        + _WAITING * len(game.state.in_save_zone(side))
        + _CAPTURED * len(player.captured) / needed
        + _WAY * sum(longest_ways) / missing
        - _HURT * sum(min(1.0, hurt) for hurt in hurts)
    )


def _way(resolver: StateQueries, operator: OperatorState) -> float:
    """How much of the way to its OBJECTIVE an OPERATOR has behind it."""
    value = objective_value(resolver, operator)
    return 0.0 if value is None else min(1.0, operator.objectivecounter / max(1, value))
