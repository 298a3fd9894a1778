"""What events and ACTIONs do to OPERATORs and cards: the twin of ``falling``, ``hands``, ``performance``."""

from __future__ import annotations

from toolkit.engine.swift.asking import push
from toolkit.engine.swift.changing import came, fell, laid, show
from toolkit.engine.swift.codes import (
    DP,
    EXHAUSTED,
    HIT,
    ITEM_CARD,
    NORMAL,
    OUT,
)
from toolkit.engine.swift.lasting import lapse_of
from toolkit.engine.swift.numbers import number
from toolkit.engine.swift.standing import gather_auras
from toolkit.engine.swift.table import Table

# Statuses, BONUS and H-1


def gain(t: Table, key: int, bits: int, _second: int = 0, _third: int = 0) -> None:
    """K-3: one more ACTION, which lapses at the end of the TURN."""
    t.bonuses[key].append(bits)
    if not t.used[key]:
        t.given[t.side[key]].append(key)


def lose_bonus(t: Table, key: int) -> None:
    """T-5: he performs no BONUS ACTION any more in this TURN, unless he gains another."""
    given = t.given[t.side[key]]
    while key in given:
        given.remove(key)


def gain_if_up(t: Table, key: int, bits: int, _second: int = 0, _third: int = 0) -> None:
    """The same from an event: only for one who is face up."""
    if t.status[key] < 2:
        gain(t, key, bits)


def become(t: Table, key: int, status: int) -> None:
    """`becomes EXHAUSTED`, `NORMAL` or `OUT` (``happenings._MAY_BECOME``)."""
    before = t.status[key]
    if status == EXHAUSTED:
        if before == NORMAL:
            t.status[key] = EXHAUSTED
            show(t, key)
    elif status == NORMAL:
        if before in (EXHAUSTED, HIT):
            t.status[key] = NORMAL
            if before == HIT:
                came(t, key)
            else:
                show(t, key)
    elif before != OUT:
        fall(t, key, OUT)


def fall(t: Table, key: int, status: int) -> None:
    """H-2: HIT or OUT takes counters, card, BONUS ACTIONs and all that does not last `permanently`."""
    t.status[key], t.hit[key], t.obj[key] = status, 0, 0
    t.marked.discard(key)
    detach(t, key)
    lapse_of(t, key)
    if t.bonuses[key]:
        t.bonuses[key].clear()
        lose_bonus(t, key)
    t.shaken = True
    fell(t, key)


def judge(t: Table) -> None:
    """H-1: whoever has a HITCOUNTER equal to or above his DP is HIT at once, all of them together.

    Nothing is to be judged unless ``unjudged`` says so.
    """
    while t.unjudged and not t.in_modify:
        t.unjudged = t.code.known.watches_dp
        if not t.marked:
            return
        fallen = []
        hit, values, added, aspects, heavy = t.hit, t.values[DP], t.added[DP], t.aspects, t.heavy
        if t.auras_stale:
            gather_auras(t)
        # a HITCOUNTER is 1 or more, so that a floor up to there makes no difference (N-5)
        looked_up = (t.attacking and t.code.known.changes_dp) or t.rules.floor > 1
        for_all = -1 if looked_up else t.aura_aspects
        for key in t.marked:  # nobody else has a HITCOUNTER, and they are face up on the FIELD (H-2, T-4)
            plain = not ((aspects[key] | for_all) >> DP & 1 or heavy[key])
            dp = values[key] + added[key] if plain else number(t, key, DP)
            if hit[key] >= dp:
                fallen.append(key)
        if not fallen:
            return
        if len(fallen) > 1:
            first = t.s if t.attacking else t.turn
            fallen.sort(key=lambda key: (t.side[key] != first, t.pos[key]))
        cards = tuple([t.att[key] for key in fallen])
        for key in fallen:
            fall(t, key, HIT)
        push(t, "becomes HIT", tuple(fallen), cards)


# Cards


def draw(t: Table, side: int, number_of_cards: int) -> None:
    """Cards from the top of the DECK to the hand; an empty DECK draws nothing (T-1)."""
    deck = t.decks[side]
    for _ in range(number_of_cards):
        if deck:
            t.take(side, deck.pop())


def discard(t: Table, side: int, number_of_cards: int) -> None:
    """Cards that the player himself picks go from his hand to the DISCARDZONE."""
    hand = t.hands[side]
    for _ in range(number_of_cards):
        if hand:
            card = hand[int(t.chance[side]() * len(hand))]
            t.give(side, card)
            put_down(t, side, card)


def put_down(t: Table, side: int, card: int) -> None:
    """The card on top of the DISCARDZONE or ITEMDISCARDZONE."""
    (t.item_discards if t.kinds[card] == ITEM_CARD else t.discards)[side].append(card)


def detach(t: Table, key: int) -> None:
    """The attached card, if any, is discarded."""
    card = t.att[key]
    if card:
        t.att[key] = 0
        t.aspects[key] = t.code.own_aspects[t.card[key]]
        put_down(t, t.side[key], card)
        t.shaken = True
        laid(t, card, key)


def attach(t: Table, key: int, card: int) -> None:
    """The card lies on the OPERATOR, and that is an event."""
    t.att[key] = card
    t.aspects[key] |= t.code.own_aspects[card]
    laid(t, card, key)
    if t.code.events["attached"][card]:
        push(t, "attached", (key,), (), 0, card)


def reward(t: Table, side: int) -> None:
    """K-1: draw a card, or draw the top ITEM of the ITEMDECK and attach it at once."""
    status, att, kinds = t.status, t.att, t.kinds
    items = t.item_decks[side]
    bearers = []
    if items:
        for key in t.rows[side]:
            if key >= 0 and status[key] < 2:
                card = att[key]
                if not card or (status[key] == EXHAUSTED and kinds[card] != ITEM_CARD):
                    bearers.append(key)
    if not int(t.chance[side]() * (2 if bearers else 1)):
        draw(t, side, 1)
        if t.unjudged:
            judge(t)
        return
    bearer = bearers[int(t.chance[side]() * len(bearers))]
    item = items.pop()
    detach(t, bearer)
    attach(t, bearer, item)
    if t.unjudged:
        judge(t)
