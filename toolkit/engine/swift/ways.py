"""What a player may do in COMBAT as one number, and the list of ACTIONs that belongs to it.

The bits of a number say which ACTIONs are open and which places of the rows have something in them that
counts: enemies who can be attacked, own OPERATORs with a HITCOUNTER, pairs that may be swapped, and what is
forbidden in which place. With the places of those who are NORMAL it means one list of ACTIONs, whatever the
GAME; the list is made once for all GAMEs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from toolkit.engine.swift.codes import ATTACK, EVADE, MEDIC, MOVE, RELOAD, SWAP

Way = tuple[int, int, int, bool]
"""Place of who acts, ACTION, place of whom it chooses, and whether as a BONUS ACTION."""

MAY_ATTACK, MAY_MOVE, MAY_TREAT, MAY_EVADE, MAY_RELOAD = (1 << number for number in range(5))
EVERY_ACTION = 31
PLACES = range(8)
ALL_PLACES = 255
TARGETS, WOUNDED, SWAPS, BARRED = 5, 13, 21, 49
"""Where in a number the places of enemies, those of own OPERATORs with a HITCOUNTER, the pairs that may be
swapped, and for each place the ACTIONs that are forbidden there stand."""
NO_SWAPS = (1 << SWAPS) - 1
"""All bits below those of the swaps."""
DOWN = -1
"""In place of the MP of a FIELDPOSITION where nobody is face up."""


def _pair(one: int, two: int) -> int:
    """The bit of two places that may be swapped; the first bits are those of a short row."""
    low, high = sorted((one, two))
    return 1 << SWAPS + high * (high - 1) // 2 + low


def _seen(ready: int) -> int:
    """What of a number matters to OPERATORs in these places: RANGE (R-1) of each, his swaps, his bans."""
    bits = EVERY_ACTION
    for place in PLACES:
        if ready >> place & 1:
            beside = 1 << place >> 1 | 1 << place + 1 & ALL_PLACES
            bits |= (beside | 1 << place) << TARGETS | beside << WOUNDED
            bits |= sum(_pair(place, there) for there in PLACES if there != place)
            bits |= EVERY_ACTION << BARRED + 5 * place
    return bits


def _idle(actions: int) -> int:
    """What of a number does not matter where only these ACTIONs are open."""
    targets = 0 if actions & MAY_ATTACK else ALL_PLACES << TARGETS
    wounded = 0 if actions & MAY_TREAT else ALL_PLACES << WOUNDED
    swaps = 0 if actions & MAY_MOVE else (1 << BARRED) - (1 << SWAPS)
    return targets | wounded | swaps


_IDLE = tuple(_idle(actions) for actions in range(EVERY_ACTION + 1))
SEEN = tuple(tuple(seen & ~idle for idle in _IDLE) for seen in map(_seen, range(ALL_PLACES + 1)))
"""By the places of who may act, and by the ACTIONs that are open: what of a number matters."""
KEPT: tuple[dict[int, tuple[Way, ...]], ...] = tuple({} for _ in SEEN)
"""By the places of who may act: lists of ACTIONs by the numbers that mean them."""
_MOST_KEPT = 1 << 13
"""So many lists of ACTIONs are kept for the same places."""
_WAYS = {
    (place, action, other): (place, action, other, False)
    for place in PLACES
    for action in (ATTACK, MOVE, MEDIC, EVADE, RELOAD, SWAP)
    for other in PLACES
}


@lru_cache(1 << 16)
def swaps_of(needed: int, *moves: int) -> int:
    """The bits of the pairs that may be swapped (A-2a), from the MP of all places."""
    return sum(
        _pair(place, there)
        for place, one in enumerate(moves)
        for there, mate in enumerate(moves[:place])
        if DOWN not in (one, mate) and one + mate >= needed
    )


def ways_of(ready: int, bits: int) -> tuple[Way, ...]:
    """The ACTIONs that a number means for those in some places, in the order of ``legal_actions``."""
    if not ready:
        return ()
    bits &= SEEN[ready][bits & EVERY_ACTION]
    kept = KEPT[ready]
    found = kept.get(bits)
    if found is None:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        if ready & ready - 1:  # several: the lists of each of them
            last = 1 << ready.bit_length() - 1
            found = ways_of(ready ^ last, bits) + ways_of(last, bits)
        else:
            place = ready.bit_length() - 1
            found = tuple(_WAYS[place, action, other] for action, other in _of_one(place, bits))
        kept[bits] = found
    return found


def _of_one(place: int, bits: int) -> Iterator[tuple[int, int]]:
    """The ACTIONs of one OPERATOR, each with the place of whom it chooses."""
    allowed = bits & ~(bits >> BARRED + 5 * place) & EVERY_ACTION
    near = SEEN[1 << place][allowed] & bits
    if allowed & MAY_ATTACK:
        yield from ((ATTACK, there) for there in PLACES if near >> TARGETS + there & 1)
    if allowed & MAY_MOVE:
        yield MOVE, 0
        yield from ((SWAP, there) for there in PLACES if there != place and bits & _pair(place, there))
    if allowed & MAY_TREAT:
        yield from ((MEDIC, there) for there in PLACES if near >> WOUNDED + there & 1)
    if allowed & MAY_EVADE:
        yield EVADE, 0
    if allowed & MAY_RELOAD:
        yield RELOAD, 0
