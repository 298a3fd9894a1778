"""PERFORMANCE and its reward (K-1)."""

from __future__ import annotations

from dataclasses import replace

from toolkit.effects.objects import Origin
from toolkit.engine.attaching import attach, detach
from toolkit.engine.decisions import Decision
from toolkit.engine.falling import judge_hits
from toolkit.engine.hands import draw
from toolkit.engine.play import Event, Play
from toolkit.engine.state import Key, Side, other


def fulfil(play: Play, event: Event) -> None:
    """K-1: an enemy OPERATOR became HIT, by whatever cause, or an own one REACHED his OBJECTIVE.

    **Ruling:** each of several OPERATORs who become HIT together fulfils it once; the reward comes after the
    effects that react to the event.
    """
    if event.name == "becomes HIT":
        sides = [other(play.operator(key).side) for key in event.who]
        for side in sorted(sides, key=lambda side: side != play.first):
            reward(play, side)
    elif event.name == "reaches":
        for key in event.who:
            reward(play, play.operator(key).side)


def reward(play: Play, side: Side, origin: Origin | None = None) -> None:
    """K-1: draw a card, or draw the top ITEM of the ITEMDECK and attach it at once.

    **Ruling:** the player first says which of the two, then, seeing the ITEM, onto whom.
    """
    bearers = item_bearers(play, side)
    can_have_item = bool(play.state.player(side).item_deck and bearers)
    options = ("draw", "item") if can_have_item else ("draw",)
    play.note("event", "K-1", f"{side} fulfils PERFORMANCE", origin=origin)
    why = "PERFORMANCE: draw a card, or an ITEM for one of your OPERATORs?"
    if play.ask(Decision("performance", side, options, why, origin)) == "draw":
        draw(play, side, 1, "K-1", origin)
        judge_hits(play)
        return
    player = play.state.player(side)
    item = player.item_deck[0]
    why = f"Who gets the {item}?"
    bearer = play.ask(Decision("item_to", side, bearers, why, origin, item))
    assert isinstance(bearer, int)
    play.state = play.state.with_player(side, replace(player, item_deck=player.item_deck[1:]))
    _give(play, bearer, item)


def item_bearers(play: Play, side: Side) -> tuple[Key, ...]:
    """Who may get an ITEM: own OPERATORs face up on the FIELD without a card, and EXHAUSTED ones with an
    ATTACK or DEFENCE card, which is then discarded."""
    found = []
    for who in play.state.on_field(side):
        if not who.is_up:
            continue
        replaceable = who.attached is not None and play.rules.cards[who.attached].kind != "item"
        if who.attached is None or (who.status == "EXHAUSTED" and replaceable):
            found.append(who.key)
    return tuple(found)


def _give(play: Play, bearer: Key, item: str) -> None:
    before = play.operator(bearer).attached
    if before is not None:
        play.state = detach(play.state, play.rules, bearer)
        play.note("card", "K-1", f"{before} is discarded from {play.name(bearer)}", who=bearer)
    play.note("card", "K-1", f"{item} is attached to {play.name(bearer)}", who=bearer)
    attach(play, bearer, item)
    judge_hits(play)
