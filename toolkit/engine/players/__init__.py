"""Players that need nobody: random, greedy and scripted ones."""

from __future__ import annotations

from toolkit.engine.decisions import Player, RandomPlayer, ScriptedPlayer
from toolkit.engine.players.greedy import GreedyPlayer
from toolkit.engine.rules import Rules

BUILT_IN = ("random", "greedy")
"""Names of the players that ``built_in`` makes."""


def built_in(name: str, rules: Rules, seed: int | str) -> Player:
    """A player by name; the same seed gives the same answers to the same questions."""
    return GreedyPlayer(rules) if name == "greedy" else RandomPlayer(seed)


__all__ = ["BUILT_IN", "GreedyPlayer", "RandomPlayer", "ScriptedPlayer", "built_in"]
