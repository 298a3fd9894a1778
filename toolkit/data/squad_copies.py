"""How many copies of each card the players of ready SQUADs need at the same time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest

from toolkit.data.model import CardSet, Squad

PLAYERS = 2


def squads_of_first_game(cards: CardSet) -> tuple[str, ...]:
    """Return the ids of the pair that the project recommends, else of all SQUADs."""
    pair = cards.project.first_game
    return pair if pair and all(squad_id in cards.squads for squad_id in pair) else tuple(cards.squads)


def copies_of(cards: CardSet, squad: Squad) -> Counter[str]:
    """Return the copies that one player of a SQUAD needs, with a row of the mode's OBJECTIVEs (F-3)."""
    mode = cards.modes.get(cards.project.mode or "")
    copies: Counter[str] = Counter()
    for card_ids in (squad.operators, squad.deck, squad.item_deck):
        copies.update(card_ids)
    copies.update(mode.objectives[: mode.field_positions] if mode else ())
    return copies


def copies_for_two(cards: CardSet, squad_ids: Iterable[str]) -> Counter[str]:
    """Return the copies with which any two of these SQUADs can play against each other."""
    squads = [cards.squads[squad_id] for squad_id in squad_ids if squad_id in cards.squads]
    copies_by_squad = [copies_of(cards, squad) for squad in squads]
    card_ids = dict.fromkeys(card_id for copies in copies_by_squad for card_id in copies)
    return Counter(
        {card_id: for_two([copies[card_id] for copies in copies_by_squad]) for card_id in card_ids}
    )


def for_two(amounts: Sequence[int]) -> int:
    """Return what any two players need of a thing, from what each SQUAD needs; one SQUAD plays itself."""
    return sum(nlargest(PLAYERS, list(amounts) * PLAYERS if len(amounts) == 1 else amounts))
