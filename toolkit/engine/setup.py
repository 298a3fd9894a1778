"""The beginning of a GAME: two squads laid out as the mode says (RULES.md §8)."""

from __future__ import annotations

from typing import Protocol, TypeVar

from toolkit.data.model import Squad
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, OperatorState, PlayerState, Side


class Chance(Protocol):
    """Where the order of shuffled cards comes from, such as ``random.Random``."""

    def random(self) -> float:
        """The next number, from 0 to below 1."""


def new_game(rules: Rules, blue: Squad, red: Squad, chance: Chance) -> GameState:
    """The state before the first PREPARATION; blue is the first-named squad and begins.

    Each squad's first OPERATORs stand on the FIELD from left to right, the others in the SAVEZONE; decks are
    shuffled, blue's first, and each player has his starting hand. The squads must
    fit the mode and name cards that can be played (``toolkit.data.squad_limits``).
    """
    fields = rules.field_positions
    operators: list[OperatorState] = []
    players: list[PlayerState] = []
    sides: tuple[tuple[Side, Squad], ...] = (("blue", blue), ("red", red))
    for side, squad in sides:
        keys = range(len(operators), len(operators) + len(squad.operators))
        for place, (key, card) in enumerate(zip(keys, squad.operators, strict=True)):
            operators.append(OperatorState(key, card, side, position=place if place < fields else None))
        standing = tuple(keys[:fields])
        deck = shuffled(squad.deck, chance)
        hand = rules.mode.starting_hand
        players.append(
            PlayerState(
                field=standing + (None,) * (fields - len(standing)),
                save_zone=tuple(keys[fields:]),
                hand=deck[:hand],
                deck=deck[hand:],
                item_deck=shuffled(squad.item_deck, chance),
                objectives=rules.objectives,
            )
        )
    return GameState(tuple(operators), players[0], players[1])


Card = TypeVar("Card", str, int)
"""A card by its id, or by a number that stands for it."""


def shuffled(copies: dict[Card, int], chance: Chance) -> tuple[Card, ...]:
    """A deck, top first, in any order with equal chances."""
    deck = [card for card, number in copies.items() for _ in range(number)]
    # written out, so that a seed means the same deck in every version of Python
    for last in range(len(deck) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)
