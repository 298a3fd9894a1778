"""What comes of an attack, how much of it there is on average, and which of it is better (O-1, O-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from toolkit.engine.decisions import DieOption

Goal = Literal["damage", "becomes-hit", "hits"]
GOALS: dict[Goal, tuple[int, int, int]] = {"damage": (0, 1, 2), "becomes-hit": (1, 0, 2), "hits": (2, 0, 1)}
"""O-1: what an attack is about, as the order in which the three measures are compared."""

NOTHING_SPENT = (0, 0, 0, 0)
SPENT = ("blue_hand", "red_hand", "blue_discarded", "red_discarded")
"""O-4: cards that were attached from the hand of either player, and the other cards that left its hand or its
strategy positions."""


class Outcome(NamedTuple):
    """What came of an attack: DAMAGE, whether it hit, whether the attacked OPERATOR became HIT, whether it
    was CRITICAL, and the cards that were ``SPENT``."""

    damage: int
    hits: bool
    becomes_hit: bool
    critical: bool
    spent: tuple[int, int, int, int] = NOTHING_SPENT


Distribution = Mapping[Outcome, Fraction]
"""The chance of each outcome; together they are 1."""

Measures = tuple[Fraction, Fraction, Fraction]
"""Expected DAMAGE, the chance that the attacked OPERATOR becomes HIT, and that the attack hits."""


def measures_of(distribution: Distribution) -> Measures:
    """Return the three measures of a distribution."""
    damage = becomes_hit = hits = Fraction(0)
    for outcome, chance in distribution.items():
        damage += chance * outcome.damage
        if outcome.becomes_hit:
            becomes_hit += chance
        if outcome.hits:
            hits += chance
    return damage, becomes_hit, hits


def preferred_order(options: Sequence[object]) -> list[int]:
    """Return the indices of options in the order in which equally good ones are taken (O-2).

    Nothing is spent for nothing: no card, no reroll and nobody (None) come first, then the lowest die; all
    else stays in its order, in which the engine puts *add*, *no* and the first card of the hand first.
    """

    def rank(index: int) -> tuple[bool, int, int]:
        option = options[index]
        return option is not None, option.result if isinstance(option, DieOption) else 0, index

    return sorted(range(len(options)), key=rank)
