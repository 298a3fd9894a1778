"""What happens beside ACTIONs: cards played, TURNs that begin and end, durations that lapse."""

from __future__ import annotations

from toolkit.engine.decisions import Dice, Players
from toolkit.engine.outcomes import Outcome, Refusal
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, Side


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
    """Play a STRATEGY or EFFECT card from the hand (T-2, C-4, C-5). Phases are the game flow's."""
    raise NotImplementedError


def begin_turn(
    state: GameState, rules: Rules, players: Players, dice: Dice, *, traced: bool = True
) -> Outcome:
    """The events `when the TURN begins` of both players (M-11), for a state made by ``fresh_turn``."""
    raise NotImplementedError


def end_turn(
    state: GameState, rules: Rules, players: Players, dice: Dice, *, ends_round: bool, traced: bool = True
) -> Outcome:
    """After SUPPORT (M-11): `when the TURN ends` events, then what lasts until end of TURN lapses, then,
    after the second TURN, what lasts until end of ROUND; H-1 is judged whenever something changed."""
    raise NotImplementedError


def settle(state: GameState, rules: Rules, players: Players, dice: Dice, *, traced: bool = True) -> Outcome:
    """Judge H-1 after something was changed from outside (SUPPORT), and play the events that come of it."""
    raise NotImplementedError


def leave_field(state: GameState, rules: Rules, key: Key) -> GameState:
    """The OPERATOR goes to the SAVEZONE: what lasts while on the FIELD ends, his counters and card go."""
    raise NotImplementedError


def current_number(state: GameState, rules: Rules, key: Key, stat: str) -> int:
    """A current number outside an attack (N-1, M-10), never below the floor (N-5)."""
    raise NotImplementedError
