"""Lists of ACTIONs as numbers: what is open, and the places of those who may be chosen, as bits."""

from __future__ import annotations

from functools import lru_cache

from toolkit.engine.swift.codes import ATTACK, EVADE, MEDIC, MOVE, RELOAD, SWAP

Way = int
"""8 * ACTION + the place of whom it chooses."""

MAY_ATTACK, MAY_MOVE, MAY_TREAT, MAY_EVADE, MAY_RELOAD = (1 << number for number in range(5))
PLACES = range(8)
_BESIDE = tuple(sum(1 << other for other in PLACES if abs(other - place) == 1) for place in PLACES)
_NEAR = tuple(_BESIDE[place] | 1 << place for place in PLACES)
DOWN = -1
"""In place of the MP of a FIELDPOSITION where nobody is face up."""
TARGETS, WOUNDED, SWAPS = 8, 16, 24
"""Where the bits of places stand in a number."""
SEEN = tuple(
    MAY_ATTACK | MAY_MOVE | MAY_TREAT | MAY_EVADE | MAY_RELOAD | near << TARGETS | beside << WOUNDED
    for near, beside in zip(_NEAR, _BESIDE, strict=True)
)
"""What concerns an OPERATOR in a place: ACTIONs, the targets in his RANGE and the mates next to him."""
NO_SWAPS = (0,) * len(PLACES)
ALL_PLACES = (1 << len(PLACES)) - 1
KEPT: dict[int, tuple[Way, ...]] = {}
"""Lists of ACTIONs by the numbers that mean them."""
MOST_KEPT = 1 << 16
"""So many lists of ACTIONs are kept."""


@lru_cache(MOST_KEPT)
def swaps_of(needed: int, *moves: int) -> tuple[int, ...]:
    """For each place bits of the places with which it may be swapped (A-2a), from the MP of all places."""
    return tuple(
        sum(
            1 << there + SWAPS
            for there, mate in enumerate(moves)
            if there != place and DOWN not in (one, mate) and one + mate >= needed
        )
        for place, one in enumerate(moves)
    )


def list_ways(bits: int) -> tuple[Way, ...]:
    """The list of ACTIONs that a number means, in the order of ``legal_actions``."""
    found = [8 * ATTACK + place for place in PLACES if bits >> TARGETS >> place & 1]
    if bits & MAY_MOVE:
        found.append(8 * MOVE)
        found += [8 * SWAP + place for place in PLACES if bits >> SWAPS >> place & 1]
    found += [8 * MEDIC + place for place in PLACES if bits >> WOUNDED >> place & 1]
    if bits & MAY_EVADE:
        found.append(8 * EVADE)
    if bits & MAY_RELOAD:
        found.append(8 * RELOAD)
    if len(KEPT) >= MOST_KEPT:
        KEPT.clear()
    KEPT[bits] = tuple(found)
    return KEPT[bits]
