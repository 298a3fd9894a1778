"""The beginning of a GAME: two squads laid out as the mode says (RULES.md §8), and what forbids a squad."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Protocol

from toolkit.data.model import CardSet, Mode, Squad
from toolkit.diagnostics import Diagnostic
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, OperatorState, PlayerState, Side


class Chance(Protocol):
    """Where the order of shuffled cards comes from, such as ``random.Random``."""

    def random(self) -> float:
        """The next number, from 0 to below 1."""


def new_game(rules: Rules, blue: Squad, red: Squad, chance: Chance) -> GameState:
    """The state before the first PREPARATION; blue is the first-named squad and begins.

    Each squad's first OPERATORs stand on the FIELD from left to right, the others in the SAVEZONE; decks are
    shuffled, blue's first, and each player has his starting hand. The squads must have no ``squad_findings``.
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


def shuffled(copies: dict[str, int], chance: Chance) -> tuple[str, ...]:
    """A deck, top first, in any order with equal chances."""
    deck = [card for card, number in copies.items() for _ in range(number)]
    # written out, so that a seed means the same deck in every version of Python
    for last in range(len(deck) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def squad_findings(squad: Squad, mode: Mode, cards: CardSet) -> list[Diagnostic]:
    """What forbids a squad in a mode, each with its place; none if it may be played."""
    return [*_of_operators(squad, mode, cards), *_of_decks(squad, mode, cards)]


def _of_operators(squad: Squad, mode: Mode, cards: CardSet) -> Iterator[Diagnostic]:
    size = len(squad.operators)
    places = mode.field_positions + mode.save_zone
    if size != mode.squad_operators or size > places:
        most = min(mode.squad_operators, places)
        message = f"The squad has {size} OPERATORs; the mode `{mode.id}` wants {most}."
        yield _finding(squad, message, "operators")
    for index, name in enumerate(squad.operators):
        if name not in cards.cards:
            message = f"`{name}` is no OPERATOR that can be played."
            yield _finding(squad, message, "operators", index, name="unknown-card")
        elif squad.operators[:index].count(name) == mode.squad_copies:
            number = squad.operators.count(name)
            message = f"`{name}` is {number} times in the squad; {_allowed(mode.squad_copies)}."
            yield _finding(squad, message, "operators", index)
    points = sum(cards.cards[name].squadpoints for name in squad.operators if name in cards.cards)
    if points > mode.squad_squadpoints:
        message = f"The squad has {points} SQUADPOINTS; the mode `{mode.id}` allows {mode.squad_squadpoints}."
        yield _finding(squad, message, "operators")


def _of_decks(squad: Squad, mode: Mode, cards: CardSet) -> Iterator[Diagnostic]:
    number = sum(squad.deck.values())
    if not mode.deck_minimum <= number <= mode.deck_maximum:
        bounds = f"{mode.deck_minimum} to {mode.deck_maximum}"
        yield _finding(squad, f"The DECK has {number} cards; the mode `{mode.id}` wants {bounds}.", "deck")
    for name, copies in squad.deck.items():
        if copies > mode.deck_copies:
            message = f"`{name}` is {copies} times in the DECK; {_allowed(mode.deck_copies)}."
            yield _finding(squad, message, "deck", name)
    items = sum(squad.item_deck.values())
    if items > mode.item_deck_maximum:
        message = f"The ITEMDECK has {items} cards; the mode `{mode.id}` allows {mode.item_deck_maximum}."
        yield _finding(squad, message, "item_deck")
    for key, names in (("deck", Counter(squad.deck)), ("item_deck", Counter(squad.item_deck))):
        for name in names:
            if name not in cards.cards:
                yield _finding(
                    squad, f"`{name}` is no card that can be played.", key, name, name="unknown-card"
                )


def _allowed(copies: int) -> str:
    return "one is allowed" if copies == 1 else f"{copies} are allowed"


def _finding(squad: Squad, message: str, *path: str | int, name: str = "out-of-range") -> Diagnostic:
    return Diagnostic(
        name, message, squad.span_of(*path), "Change the squad, or play another mode.", card=squad.id
    )
