"""The engine as functions from state to state: each plays on a copy, so that a test can look at both."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from toolkit.engine import actions, phases
from toolkit.engine.board import reward
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Dice, NoAnswer, Players
from toolkit.engine.events import run
from toolkit.engine.game import Game
from toolkit.engine.outcomes import AttackResult, EndlessChain, Refusal, TraceEntry
from toolkit.engine.outcomes import Outcome as EngineOutcome
from toolkit.engine.state import GameState, Key, Side
from toolkit.engine.state_queries import StateQueries

T = TypeVar("T")


@dataclass(frozen=True)
class Outcome:
    """What came of it, with the state afterwards."""

    state: GameState
    trace: tuple[TraceEntry, ...] = ()
    attack: AttackResult | None = None
    chain: EndlessChain | None = None


def replace(value: T, **values: object) -> T:
    """The value with other fields, whatever its class is made by."""
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **values)  # type: ignore[return-value]
    return dataclasses.replace(value, **values)  # type: ignore[type-var]


def _played(
    state: GameState,
    rules: Rules,
    players: Players,
    dice: Dice,
    traced: bool,
    do: Callable[[Game], Any],
) -> Any:
    after = state.copy()
    game = Game(rules, after, players, dice, traced=traced)
    done = do(game)
    if isinstance(done, Refusal):
        assert after == state, "nothing of what is refused happens"
        return done
    if not isinstance(done, EngineOutcome):
        done = EngineOutcome(game.take_trace(), None, game.chain)
    return Outcome(after, done.trace, done.attack, done.chain)


def perform(
    state: GameState,
    rules: Rules,
    action: actions.GameAction,
    players: Players,
    dice: Dice,
    *,
    traced: bool = True,
    exhausts: bool = True,
) -> Outcome | Refusal:
    def do(game: Game) -> object:
        return actions.perform(game, action, exhausts=exhausts)

    found: Outcome | Refusal = _played(state, rules, players, dice, traced, do)
    return found


def play_card(
    state: GameState,
    rules: Rules,
    side: Side,
    card: str,
    players: Players,
    dice: Dice,
    *,
    traced: bool = True,
) -> Outcome | Refusal:
    found: Outcome | Refusal = _played(
        state, rules, players, dice, traced, lambda game: phases.play_card(game, side, card)
    )
    return found


def begin_turn(state: GameState, rules: Rules, players: Players, dice: Dice) -> Outcome:
    found: Outcome = _played(state, rules, players, dice, True, phases.begin_turn)
    return found


def close_turn(
    state: GameState,
    rules: Rules,
    players: Players,
    dice: Dice,
    *,
    ends_round: bool,
    lapses_once: bool = False,
) -> Outcome:
    """What comes after SUPPORT: the events, and what lapses; red's TURN ends a ROUND."""

    def do(game: Game) -> object:
        assert ends_round == (game.state.turn == "red")
        game.lapses_once = lapses_once
        return phases.close_turn(game)

    found: Outcome = _played(state, rules, players, dice, True, do)
    return found


def end_turn(state: GameState, rules: Rules, players: Players, dice: Dice) -> Outcome | Refusal:
    found: Outcome | Refusal = _played(state, rules, players, dice, True, phases.end_turn)
    return found


def settle(state: GameState, rules: Rules, players: Players, dice: Dice) -> Outcome:
    found: Outcome = _played(state, rules, players, dice, True, phases.settle)
    return found


def give_reward(state: GameState, rules: Rules, side: Side, players: Players, dice: Dice) -> Outcome:
    def give(game: Game) -> None:
        reward(game, side)
        run(game)

    found: Outcome = _played(state, rules, players, dice, True, give)
    return found


def leave_field(state: GameState, rules: Rules, key: Key) -> GameState:
    after = state.copy()
    phases.leave_field(StateQueries(rules, after), after.operators[key])
    return after


def legal_actions(state: GameState, rules: Rules, side: Side) -> tuple[actions.GameAction, ...]:
    return actions.legal_actions(StateQueries(rules, state), side)


def refusal(state: GameState, rules: Rules, action: actions.GameAction) -> Refusal | None:
    return actions.refusal(StateQueries(rules, state), action)


def current_number(state: GameState, rules: Rules, key: Key, stat: str) -> int:
    return StateQueries(rules, state).number(state.operators[key], stat)


# Dice


class ScriptedDice:
    """Dice from a list, in the order rolled; NoAnswer when it has run out.

    ``drawn`` are the options that chance draws, in order; where it has run out, the first one.
    """

    def __init__(self, results: Iterable[int], drawn: Iterable[object] = ()) -> None:
        self._left = list(results)
        self._drawn = list(drawn)

    def roll(self, purpose: str, whose: Side) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return the next result."""
        if not self._left:
            raise NoAnswer(f"There is no die left for this {purpose}.")
        return self._left.pop(0)

    def pick(self, purpose: str, whose: Side, options: Sequence[object]) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return the next one drawn."""
        if not self._drawn:
            return 0
        drawn = self._drawn.pop(0)
        if drawn not in options:
            raise NoAnswer(f"{drawn!r} cannot be drawn as the {purpose} here.")
        return options.index(drawn)

    def shuffle(self, whose: Side, cards: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 (the protocol's shape)
        """Leave a DECK as it is."""
        return cards

    @property
    def unused(self) -> tuple[int, ...]:
        """Results that were not rolled."""
        return tuple(self._left)


# States that differ in something


def with_operator(state: GameState, key: Key, **values: object) -> GameState:
    after = state.copy()
    for name, value in values.items():
        setattr(after.operators[key], name, value)
    return after


def with_player(state: GameState, side: Side, **values: object) -> GameState:
    after = state.copy()
    for name, value in values.items():
        setattr(after.player(side), name, value)
    return after


def placed(state: GameState, key: Key, position: int | None) -> GameState:
    after = state.copy()
    after.place(after.operators[key], position)
    return after


def fresh_turn(state: GameState, turn: Side, round: int) -> GameState:
    after = state.copy()
    after.begin_turn(turn, round)
    return after
