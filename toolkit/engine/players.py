"""Players that need nobody, by their names."""

from __future__ import annotations

from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Player, RandomPlayer
from toolkit.engine.greedy import GreedyPlayer
from toolkit.engine.thinker import Thinker

BUILT_IN = ("random", "greedy", "thinker")
"""Names of the players that ``built_in`` makes."""


def built_in(name: str, rules: Rules, seed: int | str) -> Player:
    """Return a player by name; the same seed gives the same answers to the same questions."""
    if name == "thinker":
        return Thinker(rules, seed)
    return GreedyPlayer(rules) if name == "greedy" else RandomPlayer(seed)
