"""Odds without a choice are those that icepool and dyce find, which other people wrote."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from tests.odds.test_odds_rulings import duel

MATCH_UPS = [
    ("striker", "guard", "", 0),
    ("striker", "guard", "cover", -2),
    ("guard", "striker", "", -1),
    ("striker", "wall", "", -8),
    ("oracle", "medium", "cover", -2),
]
"""Attacker, target, the hand of red, and by how much AP are above EP before the dice.

Nobody gains by doubling a 6, and a DEFENCE card is better than none or does nothing: there is no choice.
"""


def damage_of(above: Iterable[tuple[int, int]]) -> dict[int, Fraction]:
    """The chance of each DAMAGE, from how often AP are so much above EP."""
    counts: dict[int, int] = {}
    for points, count in above:
        counts[max(0, points)] = counts.get(max(0, points), 0) + count
    total = sum(counts.values())
    return {points: Fraction(count, total) for points, count in sorted(counts.items())}


@pytest.mark.parametrize(("attacker", "target", "hand", "above"), MATCH_UPS)
def test_icepool(attacker: str, target: str, hand: str, above: int) -> None:
    icepool = pytest.importorskip("icepool")
    dice = icepool.d6 - icepool.d6 + above
    assert duel(attacker, target, red=hand).damage() == damage_of(dice.items())


@pytest.mark.parametrize(("attacker", "target", "hand", "above"), MATCH_UPS)
def test_dyce(attacker: str, target: str, hand: str, above: int) -> None:
    dyce = pytest.importorskip("dyce")
    dice = dyce.H(6) - dyce.H(6) + above
    assert duel(attacker, target, red=hand).damage() == damage_of(dice.items())
