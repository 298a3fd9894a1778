"""What effects without `when` make for an OPERATOR, and what holds for him (M-10, C-3)."""

from __future__ import annotations

from typing import Any

from toolkit.engine.swift.codes import IGNORES, NOBODY, REROLLS, Held
from toolkit.engine.swift.table import Aura, Table

_NOTHING: list[Any] = []


def active(t: Table, key: int) -> bool:
    """Whether he is face up on a FIELDPOSITION (C-3)."""
    return t.pos[key] >= 0 and t.status[key] < 2


def alive(t: Table, bearer: int, card: int) -> bool:
    """Whether what bears an effect is still there: face up on the FIELD, with that card on him."""
    if bearer < 0:
        return True
    return t.pos[bearer] >= 0 and t.status[bearer] < 2 and (card == 0 or t.att[bearer] == card)


def standing(t: Table, key: int, aspect: int) -> list[Any]:
    """What effects without `when` make for an OPERATOR, not to be changed; of numbers in any order.

    What is settled by who stands where is kept until somebody moves.
    """
    kept = t.kept[aspect].get(key)
    if kept is not None:
        return kept
    found: list[Any] = []
    stand(t, key, aspect, found)
    if t.code.known.kept[aspect]:
        t.kept[aspect][key] = found
    return found


def stand(t: Table, key: int, aspect: int, found: list[Any]) -> None:
    """Find the same anew."""
    if t.aspects[key] >> aspect & 1 and t.pos[key] >= 0 and t.status[key] < 2:
        own = t.code.own[aspect]
        for function in own[t.card[key]]:
            function(t.side[key], key, key, found)
        for function in own[t.att[key]]:
            function(t.side[key], key, key, found)
    if t.aura_aspects >> aspect & 1:
        for function, controller, bearer in t.auras[aspect]:
            function(controller, bearer, key, found)


def gather_auras(t: Table) -> None:
    """Find the effects without `when` that concern others than their bearer and act now."""
    found: dict[int, list[Aura]] = {}
    auras = t.code.auras
    for key in t.code.aura_keys:
        if t.status[key] < 2 and t.pos[key] >= 0:
            for aspect, function in auras[t.card[key]]:
                found.setdefault(aspect, []).append((function, t.side[key], key))
    if t.code.aura_attached:
        for key, card in enumerate(t.att):
            for aspect, function in auras[card]:
                found.setdefault(aspect, []).append((function, t.side[key], key))
    for side in (0, 1):
        for card in t.strategies[side]:
            for aspect, function in auras[card]:
                found.setdefault(aspect, []).append((function, side, NOBODY))
    t.auras = found
    t.aura_aspects = sum([1 << aspect for aspect in found])
    t.auras_stale = False


def may_hold(t: Table, key: int, aspect: int) -> bool:
    """Whether something that lasts or stands may make something of this aspect for an OPERATOR."""
    if t.auras_stale:
        gather_auras(t)
    return (t.bound[key] | t.aspects[key] | t.aura_aspects) >> aspect & 1 == 1


def _standing_in_order(t: Table, key: int, aspect: int) -> list[Held]:
    """The same in the order of M-11, where it matters who is asked first."""
    found: list[Held] = []
    own, first = t.code.own[aspect], t.s if t.attacking else t.turn
    aura = [[function for one, function in auras if one == aspect] for auras in t.code.auras]
    for player in (first, 1 - first):
        for bearer in t.rows[player]:
            if bearer >= 0 and t.status[bearer] < 2:
                for card in (t.card[bearer], t.att[bearer]):
                    for function in (*(own[card] if bearer == key else ()), *aura[card]):
                        function(player, bearer, key, found)
        for card in t.strategies[player]:
            for function in aura[card]:
                function(player, NOBODY, key, found)
    return found


def holding(t: Table, key: int, aspect: int) -> list[Held]:
    """What holds for an OPERATOR, not to be changed: what lasts, what always holds, what the attack has
    made."""
    found: list[Held] = _NOTHING
    if t.auras_stale:
        gather_auras(t)
    if (t.aspects[key] | t.aura_aspects) >> aspect & 1:
        found = standing(t, key, aspect) if aspect != REROLLS else _standing_in_order(t, key, aspect)
    if t.bound[key]:
        found = [
            (key, aspect, one[8], one[9], one[10], NOBODY, 0) for one in t.lasting[key] if one[7] == aspect
        ] + found
    if t.held:
        found = found + [
            one
            for one in t.held
            if one[0] == key and one[1] == aspect and (not t.shaken or alive(t, one[5], one[6]))
        ]
    return found


def ignores(t: Table, key: int) -> int:
    """What an OPERATOR ignores, as bits."""
    bits = 0
    if t.bound[key] or (t.aspects[key] | t.aura_aspects) >> IGNORES & 1:
        for one in holding(t, key, IGNORES):
            bits |= one[2]
        return bits
    for one in t.held:
        if one[1] == IGNORES and one[0] == key and (not t.shaken or alive(t, one[5], one[6])):
            bits |= one[2]
    return bits
