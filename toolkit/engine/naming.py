"""What OPERATORs are called in traces and questions, so that each is told from the others."""

from __future__ import annotations

from toolkit.engine.state import GameState, Key


def called(state: GameState, key: Key) -> str:
    """The id of an OPERATOR's card; with his side where several have it, and with his place as it is now
    where his own side has several: ``viper``, ``blue.viper``, ``blue.viper at 2``."""
    who = state.operators[key]
    alike = [one for one in state.operators if one.card == who.card]
    if len(alike) == 1:
        return who.card
    named = f"{who.side}.{who.card}"
    return named if sum(one.side == who.side for one in alike) == 1 else f"{named} {_place(state, key)}"


def _place(state: GameState, key: Key) -> str:
    """Where an OPERATOR is; places are counted from 1, as players count them."""
    who = state.operators[key]
    if who.position is not None:
        return f"at {who.position + 1}"
    resting = state.player(who.side).save_zone
    return f"at SAVEZONE {resting.index(key) + 1}" if key in resting else "out of play"
