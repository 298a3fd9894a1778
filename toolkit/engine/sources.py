"""Which effects are active in a state, and in which order simultaneous ones act (C-3, M-11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolkit.engine.geometry import in_range
from toolkit.engine.rules import EffectTable, Rules
from toolkit.engine.state import GameState, Key, OperatorState, Side, other


@dataclass(frozen=True, slots=True)
class Source:
    """Effects that are active: whose they are, who bears them (None: a STRATEGY), on which attached card."""

    table: EffectTable
    controller: Side
    bearer: Key | None = None
    card: str | None = None


def active_sources(state: GameState, rules: Rules, first: Side) -> Iterator[Source]:
    """SKILLs, attached cards and STRATEGY cards that act now.

    C-3: of OPERATORs who are face up on the FIELD. M-11: ``first``'s before the other player's, each from
    left to right, an OPERATOR's SKILLs before his card, STRATEGY cards last in the order in which they were
    played.
    """
    cards = rules.cards
    for side in (first, other(first)):
        for who in state.on_field(side):
            if who.is_up:
                yield Source(cards[who.card].effects, side, who.key)
                if who.attached is not None:
                    yield Source(cards[who.attached].effects, side, who.key, who.attached)
        for card in state.player(side).strategies:
            yield Source(cards[card].effects, side)


def active_operators(state: GameState, first: Side) -> Iterator[OperatorState]:
    """The OPERATORs who are face up on the FIELD, ``first``'s first, from left to right."""
    for side in (first, other(first)):
        for who in state.on_field(side):
            if who.is_up:
                yield who


def has_team_mate(state: GameState, rules: Rules, who: OperatorState) -> bool:
    """M-3: whether an own OPERATOR of the same TEAM is in RANGE; how many makes no difference."""
    team = rules.cards[who.card].team
    if team is None or who.position is None:
        return False
    for place in (who.position - 1, who.position + 1):
        mate = state.at(who.side, place)
        if mate is not None and rules.cards[mate.card].team == team and in_range(mate, who):
            return True
    return False


def is_alive(state: GameState, bearer: Key | None, card: str | None) -> bool:
    """Whether what bears an effect is still there: face up on the FIELD (C-3), with that card on him."""
    if bearer is None:
        return True
    who = state.operators[bearer]
    return who.is_active and (card is None or who.attached == card)
