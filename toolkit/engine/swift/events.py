"""Events: which effects react to them, and in which order (M-11): the twin of ``engine.events``."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.engine.play import MOST_EFFECTS, MOST_LINKS
from toolkit.engine.swift.codes import DEFENCE_CARD, NOBODY, OfEvent
from toolkit.engine.swift.standing import active, alive
from toolkit.engine.swift.table import Event, Table
from toolkit.engine.swift.verbs import judge, reward

Reaction = tuple[OfEvent, int, int, int, int, int, int, bool]
"""Function, controller, bearer, target, attacker, attacked, the card that must still be attached, and whether
its bearer acts although he is HIT (C-3)."""


class Endless(Exception):
    """A chain of events went beyond its bounds; what comes of that only the reference says."""


def run(t: Table) -> None:
    """Play the events that wait, in the order in which they happened, and those that come of them."""
    outer, queue = t.depth, t.queue
    while queue:
        event = queue.popleft()
        depth = event[5]
        t.depth = depth + 1
        name = event[0]
        if name in t.code.heard:
            for function, controller, bearer, target, a, d, card, fallen in _REACTIONS[name](t, event):
                t.effects_done += 1
                if depth >= MOST_LINKS or t.effects_done > MOST_EFFECTS:
                    raise Endless
                if fallen or alive(t, bearer, card):
                    function(controller, bearer, target, a, d)
        if name == "becomes HIT":
            _fulfil_by_fall(t, event)
        elif name == "reaches":
            reward(t, t.side[event[1][0]])
    t.depth = outer


def settle(t: Table) -> None:
    """Judge H-1 after a change from outside, and play what comes of it."""
    t.effects_done = 0
    judge(t)
    if t.queue:
        run(t)


def _fulfil_by_fall(t: Table, event: Event) -> None:
    """K-1: an enemy OPERATOR became HIT, by whatever cause."""
    first = t.s if t.attacking else t.turn
    sides = [1 - t.side[key] for key in event[1]]
    for side in sorted(sides, key=lambda side: side != first):
        reward(t, side)


def is_heard(t: Table, name: str) -> bool:
    """Whether an effect may react to an event of the attack, if nothing happens before it."""
    if name not in t.code.heard:
        return False
    functions, card, att = t.code.events[name], t.card, t.att
    if functions[card[t.a]] or functions[att[t.a]] or functions[att[t.d]] or functions[t.code.performance]:
        return True
    for strategy in t.strategies[t.s]:  # noqa: SIM110 (a loop is quicker)
        if functions[strategy]:
            return True
    return False


def _of_card(t: Table, event: Event) -> list[Reaction]:
    """An EFFECT or STRATEGY card that was played."""
    return [
        (one, event[3], NOBODY, NOBODY, NOBODY, NOBODY, 0, False) for one in t.code.events["played"][event[4]]
    ]


def _of_attached(t: Table, event: Event) -> list[Reaction]:
    bearer, card = event[1][0], event[4]
    side = t.side[bearer]
    return [
        (one, side, bearer, NOBODY, NOBODY, NOBODY, card, False) for one in t.code.events["attached"][card]
    ]


def _of_attack(t: Table, event: Event) -> list[Reaction]:
    """In a SKILL, ITEM, ATTACK card and PERFORMANCE self attacks, in a DEFENCE card he is attacked; a
    STRATEGY speaks of an attack by an own OPERATOR."""
    if not t.attacking:
        return []
    functions = t.code.events[event[0]]
    a, d, s = t.a, t.d, t.s
    found: list[Reaction] = []
    if t.status[a] < 2:
        for one in functions[t.card[a]]:
            found.append((one, s, a, d, a, d, 0, False))
        card = t.att[a]
        if t.kinds[card] != DEFENCE_CARD:
            for one in functions[card]:
                found.append((one, s, a, d, a, d, card, False))
    for card in t.strategies[s]:
        for one in functions[card]:
            found.append((one, s, NOBODY, NOBODY, a, d, 0, False))
    card = t.att[d]
    if t.kinds[card] == DEFENCE_CARD and t.status[d] < 2:
        for one in functions[card]:
            found.append((one, 1 - s, d, a, a, d, card, False))
    for one in functions[t.code.performance]:
        found.append((one, s, a, d, a, d, 0, False))
    return found


def _sources(t: Table, side: int, name: str) -> list[tuple[int, int, int]]:
    """A player's cards that act and react, from left to right: bearer, card, and that card if attached."""
    found = []
    functions, keys = t.code.events[name], t.code.bearers[name][side]
    card_of, att, status = t.card, t.att, t.status
    for key in t.rows[side] if keys is None else keys:
        if key >= 0 and status[key] < 2 and t.pos[key] >= 0:
            card = card_of[key]
            if functions[card]:
                found.append((key, card, 0))
            card = att[key]
            if card and functions[card]:
                found.append((key, card, card))
    for card in t.strategies[side]:
        if functions[card]:
            found.append((NOBODY, card, 0))
    return found


def _of_hit(t: Table, event: Event) -> list[Reaction]:
    """C-3: of those who became HIT their own `when self becomes HIT`, also that of the card which lay on
    them until then. They and the others of their side, from left to right (M-11)."""
    events, nobody, pos = t.code.events, NOBODY, t.pos
    own, others = events["self-becomes-hit"], (events["enemy-becomes-hit"], events["own-becomes-hit"])
    first = t.s if t.attacking else t.turn
    found: list[Reaction] = []
    for side in (first, 1 - first):
        fallen = [
            (
                key,
                [(one, side, key, nobody, nobody, nobody, 0, True) for one in (*own[t.card[key]], *own[lay])],
            )
            for key, lay in zip(event[1], event[2], strict=True)
            if t.side[key] == side
        ]
        for bearer, card, attached in _sources(t, side, "becomes HIT"):
            while fallen and (bearer < 0 or 0 <= pos[fallen[0][0]] < pos[bearer]):
                found += fallen.pop(0)[1]
            for key in event[1]:
                for one in others[t.side[key] == side][card]:
                    found.append((one, side, bearer, nobody, nobody, nobody, attached, False))
        for _, reactions in fallen:
            found += reactions
        if t.code.fulfils_hits:
            found += _performance_of_hit(t, event, side)
    return found


def _performance_of_hit(t: Table, event: Event, side: int) -> list[Reaction]:
    """PERFORMANCE of the mode: self is who became HIT, or for the other player the attacker, if he
    attacks."""
    found: list[Reaction] = []
    code = t.code
    for key in event[1]:
        bearer, names = key, ["self-becomes-hit", "own-becomes-hit"]
        if t.side[key] != side:
            bearer, names = (t.a if t.attacking and t.s == side else NOBODY), ["enemy-becomes-hit"]
        for name in names:
            for one in code.events[name][code.performance]:
                found.append((one, side, bearer, NOBODY, NOBODY, NOBODY, 0, True))
    return found


def _of_operator(t: Table, event: Event) -> list[Reaction]:
    """What the OPERATOR concerned bears, and the mode's PERFORMANCE."""
    functions, key = t.code.events[event[0]], event[1][0]
    side = t.side[key]
    found: list[Reaction] = []
    if active(t, key):
        for card, attached in ((t.card[key], 0), (t.att[key], t.att[key])):
            found += [(one, side, key, NOBODY, NOBODY, NOBODY, attached, False) for one in functions[card]]
    for one in functions[t.code.performance]:
        found.append((one, side, key, NOBODY, NOBODY, NOBODY, 0, False))
    return found


def _of_turn(t: Table, event: Event) -> list[Reaction]:
    """Either player's TURN begins or ends (M-11)."""
    functions = t.code.events[event[0]]
    return [
        (one, side, bearer, NOBODY, NOBODY, NOBODY, attached, False)
        for side in (t.turn, 1 - t.turn)
        for bearer, card, attached in _sources(t, side, event[0])
        for one in functions[card]
    ]


_REACTIONS: dict[str, Callable[[Table, Event], list[Reaction]]] = {
    "played": _of_card,
    "attached": _of_attached,
    "hits": _of_attack,
    "misses": _of_attack,
    "critical": _of_attack,
    "becomes HIT": _of_hit,
    "reaches": _of_operator,
    "captures": _of_operator,
    "action-ends": _of_operator,
    "turn-begins": _of_turn,
    "turn-ends": _of_turn,
}
