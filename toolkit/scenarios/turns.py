"""The step `end-turn`: SUPPORT, the end of the TURN, and the other player's PREPARATION."""

from __future__ import annotations

from toolkit.engine.decisions import Dice, Players
from toolkit.engine.outcomes import Outcome, Refusal, Stopped
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState


def end_turn(state: GameState, rules: Rules, players: Players, dice: Dice) -> Outcome | Refusal:
    """End the TURN and begin the next one."""
    del state, rules, players, dice
    return Stopped("", "`end-turn` cannot be played yet")
