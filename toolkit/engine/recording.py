"""Playing a GAME into its log: players and dice whose answers and results are written down."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import Decision, Dice, DieOption, Player, RandomDice
from toolkit.engine.game import Ending, Watcher, play_game
from toolkit.engine.log import GameLog, Line, Match
from toolkit.engine.setup import new_game
from toolkit.engine.state import SIDES, GameState, Side


def play_match(
    match: Match, players: dict[Side, Player], log: GameLog, watcher: Watcher | None = None
) -> Ending:
    """Play a GAME from its beginning to its end and write it into the log.

    Decks and dice come from the seed. An exception of a player (one who leaves) goes through; the log holds
    everything up to then.
    """
    state = new_game(match.rules, match.blue, match.red, Random(f"{match.seed} decks"))
    recorded: dict[Side, Player] = {side: _Recorded(players[side], log.lines) for side in SIDES}
    dice = _RecordedDice(RandomDice(f"{match.seed} dice"), log.lines)
    ending = play_game(state, match.rules, recorded, dice, watcher)
    if ending.verdict is not None:
        verdict = ending.verdict
        told: Line = {"winner": verdict.winner, "by": verdict.by, "sentence": verdict.sentence}
        log.lines.append({"ending": told, "round": ending.state.round})
    return ending


@dataclass(slots=True)
class _Recorded:
    """A player whose answers are written down."""

    player: Player
    lines: list[Line]

    def answer(self, decision: Decision, state: GameState) -> int:
        index = self.player.answer(decision, state)
        if 0 <= index < len(decision.options):
            _tell_turn(state, self.lines)
            self.lines.append(
                {
                    "decision": decision.kind,
                    "by": decision.whose,
                    "of": len(decision.options),
                    "answer": index,
                    "means": described(decision, decision.options[index], state),
                }
            )
        return index


@dataclass(slots=True)
class _RecordedDice:
    """Dice whose results are written down."""

    dice: Dice
    lines: list[Line]

    def roll(self, purpose: str, whose: Side) -> int:
        result = self.dice.roll(purpose, whose)
        self.lines.append({"die": purpose, "by": whose, "shows": result})
        return result


def _tell_turn(state: GameState, lines: list[Line]) -> None:
    """A line for the TURN, before its first decision."""
    turn: Line = {"turn": state.turn, "round": state.round}
    if next((line for line in reversed(lines) if "turn" in line), None) != turn:
        lines.append(turn)


_ABOUT_OPERATORS = frozenset(("choose", "item_to", "substitute", "exchange", "retreat", "fill"))


def described(decision: Decision, option: object, state: GameState) -> str | None:
    """An option in a few words that do not change: ids of cards, with the side where both field them."""
    if isinstance(option, GameAction):
        words = [name_of(state, option.by), option.name]
        words += ["on", name_of(state, option.on)] if option.on is not None else []
        words += ["with", name_of(state, option.swap)] if option.swap is not None else []
        return " ".join([*words, "as BONUS"] if option.bonus else words)
    if isinstance(option, DieOption):
        return f"{option.die} D6 number {option.number}: {option.result}"
    if isinstance(option, int) and decision.kind in _ABOUT_OPERATORS:
        return name_of(state, option)
    return None if option is None else str(option)


def name_of(state: GameState, key: int) -> str:
    """The id of an OPERATOR's card, with his side in front where there are several of them."""
    who = state.operators[key]
    alone = sum(one.card == who.card for one in state.operators) == 1
    return who.card if alone else f"{who.side}.{who.card}"
