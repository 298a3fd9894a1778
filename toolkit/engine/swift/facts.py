"""What is fixed in a match beside effects: mode and ruleset in numbers, and what the squads bring."""

from __future__ import annotations

from dataclasses import dataclass

NEVER = 10**9
"""More than any counter."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a mode and a ruleset say.

    ``limits`` by ACTION, -1 for unlimited, 0 where there is no such ACTION; ``open`` are the ACTIONs that may
    be performed at the beginning of a TURN and ``existing`` all that there are, as bits. ``objectives`` by
    FIELDPOSITION are places in the mode's list, NOBODY where there is none, and ``objective_values`` what it
    takes to have REACHED them, NEVER where there is none. ``counters_stay``: in a swap, with their position
    (A-2a).
    """

    fields: int
    save_zone: int
    strategy_positions: int
    starting_hand: int
    hand_limit: int
    max_rounds: int
    objectives_captured: int | None
    operators_out_or_hit: bool
    tie_break: tuple[str, ...]
    rounding: str
    floor: int
    counters_stay: bool
    swap_mp: int
    limits: tuple[int, ...]
    existing: int
    open: int
    objectives: tuple[int, ...]
    objective_values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a squad brings: keys of its OPERATORs in order, and cards with their numbers of copies."""

    operators: tuple[int, ...]
    deck: dict[int, int]
    item_deck: dict[int, int]
