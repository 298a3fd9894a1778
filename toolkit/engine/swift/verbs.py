"""What events and ACTIONs do to the table: the twin of ``happenings``, ``falling`` and their like."""

from __future__ import annotations

from toolkit.engine.swift.codes import (
    ADD,
    DP,
    EXHAUSTED,
    HIT,
    ITEM_CARD,
    MP,
    NORMAL,
    OUT,
    PERMANENTLY,
    UNTIL_ATTACK,
)
from toolkit.engine.swift.numbers import gather_auras, number
from toolkit.engine.swift.table import BOTH, Table


def pick(t: Table, side: int, options: int) -> int:
    """A player's choice of so many options: as ``RandomPlayer`` chooses."""
    return int(t.chance[side]() * options)


def one(t: Table, side: int, found: list[int]) -> list[int]:
    """`one GROUP`: asked also when there is only one."""
    return [found[int(t.chance[side]() * len(found))]] if found else found


def push(
    t: Table,
    name: str,
    who: tuple[int, ...] = (),
    cards: tuple[int, ...] = (),
    side: int = 0,
    card: int = 0,
) -> None:
    """An event, after those that are waiting already."""
    t.queue.append((name, who, cards, side, card, t.depth))


# What lasts


def last(
    t: Table, key: int, duration: int, stat: int, layer: int, amount: int, controller: int, by_card: int
) -> None:
    """A change of a stat that lasts. **Ruling:** one who is HIT or OUT takes only what lasts
    `permanently`."""
    if t.status[key] >= 2 and duration != PERMANENTLY:
        return
    t.serial += 1
    t.lasting[key].append((t.serial, duration, stat, layer, amount, controller, by_card, 0, 0, 0, 0))
    if duration == UNTIL_ATTACK:
        t.brief = True
    if layer == ADD:
        t.added[stat][key] += amount
        if stat == DP and amount < 0 and t.hit[key]:
            may_fall(t, key)
        elif stat == MP:
            t.stale = BOTH
    else:
        t.settle_lasting(key)


def hold(
    t: Table,
    key: int,
    duration: int,
    aspect: int,
    first: int,
    second: int,
    third: int,
    controller: int,
    by_card: int,
) -> None:
    """Something else that lasts."""
    if t.status[key] >= 2 and duration != PERMANENTLY:
        return
    t.serial += 1
    one = (t.serial, duration, -1, 0, 0, controller, by_card, aspect, first, second, third)
    t.lasting[key].append(one)
    if duration == UNTIL_ATTACK:
        t.brief = True
    t.settle_lasting(key)


def lapse(t: Table, duration: int) -> None:
    """End a duration for everyone at once."""
    for key, lasting in enumerate(t.lasting):
        if lasting:
            kept = [one for one in lasting if one[1] != duration]
            if len(kept) != len(lasting):
                t.keep_lasting(key, kept)


# Statuses, BONUS and H-1


def gain(t: Table, key: int, bits: int, _second: int = 0, _third: int = 0) -> None:
    """K-3: one more ACTION, which lapses at the end of the TURN."""
    t.bonuses[key].append(bits)
    t.given |= 1 << t.side[key]


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
    elif status == NORMAL:
        if before in (EXHAUSTED, HIT):
            t.status[key] = NORMAL
            if before == HIT:
                t.moved(t.side[key])
    elif before != OUT:
        fall(t, key, OUT)


def fall(t: Table, key: int, status: int) -> None:
    """H-2: HIT or OUT takes counters, card, BONUS ACTIONs and all that does not last `permanently`."""
    detach(t, key)
    if t.lasting[key]:
        t.keep_lasting(key, [one for one in t.lasting[key] if one[1] == PERMANENTLY])
    t.status[key], t.hit[key], t.obj[key] = status, 0, 0
    t.marked.discard(key)
    t.bonuses[key].clear()
    t.shaken = True
    t.moved(t.side[key])


def may_fall(t: Table, key: int) -> None:
    """Have H-1 judged if the HITCOUNTER of an OPERATOR has come up to his DP, or may have in this attack."""
    if (t.attacking and (t.code.known.changes_dp or t.held)) or t.hit[key] >= number(t, key, DP):
        t.unjudged = True


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


# Counters and OBJECTIVEs


def has_reached(t: Table, key: int) -> bool:
    """A-2b: whether he has REACHED the OBJECTIVE of his FIELDPOSITION."""
    place = t.pos[key]
    if place < 0 or t.status[key] >= 2:
        return False
    objective = t.objectives[t.side[key]][place]
    return objective >= 0 and t.obj[key] >= t.rules.objective_values[objective]


def set_hitcounter(t: Table, key: int, value: int) -> None:
    """The HITCOUNTER gets a new number; ``marked`` are those who have one."""
    t.hit[key] = value
    if value:
        t.marked.add(key)
    else:
        t.marked.discard(key)


def set_objectivecounter(t: Table, key: int, value: int) -> None:
    """The OBJECTIVECOUNTER gets a new number; an OBJECTIVE may be REACHED thereby."""
    reached = has_reached(t, key)
    t.obj[key] = value
    if not reached and has_reached(t, key):
        push(t, "reaches", (key,))


def count(t: Table, key: int, objective: int, amount: int) -> None:
    """A counter grows or shrinks, never below 0; none lies on one who is HIT or OUT."""
    if t.status[key] >= 2:
        return
    if objective:
        set_objectivecounter(t, key, max(0, t.obj[key] + amount))
    else:
        set_hitcounter(t, key, max(0, t.hit[key] + amount))
        t.unjudged = True


# Cards


def draw(t: Table, side: int, number_of_cards: int) -> None:
    """Cards from the top of the DECK to the hand; an empty DECK draws nothing (T-1)."""
    deck, hand = t.decks[side], t.hands[side]
    for _ in range(number_of_cards):
        if deck:
            hand.append(deck.pop())


def discard(t: Table, side: int, number_of_cards: int) -> None:
    """Cards that the player himself picks go from his hand to the DISCARDZONE."""
    hand = t.hands[side]
    for _ in range(number_of_cards):
        if hand:
            card = hand[int(t.chance[side]() * len(hand))]
            hand.remove(card)
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
        t.laid(card, key)


def attach(t: Table, key: int, card: int) -> None:
    """The card lies on the OPERATOR, and that is an event."""
    t.att[key] = card
    t.aspects[key] |= t.code.own_aspects[card]
    t.laid(card, key)
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
        return
    bearer = bearers[int(t.chance[side]() * len(bearers))]
    item = items.pop()
    detach(t, bearer)
    attach(t, bearer, item)
    judge(t)
