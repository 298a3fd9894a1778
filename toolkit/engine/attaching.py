"""Cards that come onto OPERATORs and leave them (C-1, K-1, T-4)."""

from __future__ import annotations

from dataclasses import replace

from toolkit.engine.play import Play
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, Side


def without_card(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    """A hand with one copy of a card less."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def attach_from_hand(play: Play, bearer: Key, card: str) -> None:
    """M-5: the card goes from its player's hand onto an OPERATOR who has none (C-1)."""
    side = play.operator(bearer).side
    player = play.state.player(side)
    play.state = play.state.with_player(side, replace(player, hand=without_card(player.hand, card)))
    play.note("card", "M-5", f"{card} is attached to {play.name(bearer)}", step=5, who=bearer, after=card)
    attach(play, bearer, card)


def attach(play: Play, bearer: Key, card: str) -> None:
    """The card lies on the OPERATOR, and that is an event."""
    play.change(bearer, attached=card)
    play.push("attached", (bearer,), name_of=card)


def detach(state: GameState, rules: Rules, bearer: Key) -> GameState:
    """The attached card, if any, goes to its player's DISCARDZONE, an ITEM to his ITEMDISCARDZONE."""
    who = state.operators[bearer]
    if who.attached is None:
        return state
    state = state.with_operator(replace(who, attached=None))
    return discarded(state, rules, who.side, who.attached)


def discarded(state: GameState, rules: Rules, side: Side, card: str) -> GameState:
    """The card on top of the DISCARDZONE or ITEMDISCARDZONE."""
    player = state.player(side)
    if rules.cards[card].kind == "item":
        return state.with_player(side, replace(player, item_discard=(*player.item_discard, card)))
    return state.with_player(side, replace(player, discard=(*player.discard, card)))
