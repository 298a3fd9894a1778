"""Cards drawn and discarded (T-1, A-5)."""

from __future__ import annotations

from dataclasses import replace

from toolkit.effects.objects import Origin
from toolkit.engine.attaching import discarded, without_card
from toolkit.engine.decisions import Decision
from toolkit.engine.play import Play
from toolkit.engine.state import Side


def draw(play: Play, side: Side, count: int, rule: str, origin: Origin | None = None) -> None:
    """Cards from the top of the DECK to the hand; an empty DECK draws nothing (T-1)."""
    player = play.state.player(side)
    drawn, rest = player.deck[:count], player.deck[count:]
    play.state = play.state.with_player(side, replace(player, deck=rest, hand=(*player.hand, *drawn)))
    text = f"{side} draws {len(drawn)}" if drawn else f"the DECK of {side} is empty"
    play.note("card", rule, text, origin=origin)


def discard(play: Play, side: Side, count: int, rule: str, origin: Origin | None = None) -> None:
    """Cards that the player himself picks go from his hand to the DISCARDZONE; no more than he has."""
    for _ in range(count):
        hand = play.state.player(side).hand
        if not hand:
            play.note("card", rule, f"the hand of {side} is empty", origin=origin)
            return
        card = play.ask(Decision("discard", side, hand, f"{side} discards a card.", origin))
        assert isinstance(card, str)
        player = play.state.player(side)
        play.state = play.state.with_player(side, replace(player, hand=without_card(player.hand, card)))
        play.state = discarded(play.state, play.rules, side, card)
        play.note("card", rule, f"{side} discards {card}", origin=origin)
