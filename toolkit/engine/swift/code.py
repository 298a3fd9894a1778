"""The functions of all cards of a match, and what is known of them before anything is played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from toolkit.engine.swift.codes import InAttack, OfEvent

Placed = list[list[tuple[int, InAttack]]]
"""Functions of an attack by card, each with its bucket (``timing``)."""
Waiting = tuple[InAttack, int, int, int]
"""An effect that waits for its time in an attack: function, controller, bearer, card."""
Cast = tuple[tuple[int, Waiting], ...]
"""What waits with an OPERATOR who bears a card, each with its bucket."""
Bucketed = tuple[tuple[int, list[Waiting]], ...]
"""The same together in buckets."""


@dataclass(slots=True)
class Code:
    """Functions by number of card (0 is no card), where nothing else is said.

    Effects without `when`: ``own`` by aspect and card concern their bearer alone, and ``own_list`` and
    ``own_aspects`` are these aspects, as numbers and as bits; ``auras`` concern others too, each with its
    aspect. ``aura_keys`` are the OPERATORs whose SKILLs have one, ``aura_attached`` says that a card which is
    attached may have one.

    Of an attack: ``in_attack`` by the part that the bearer has in it (``waiting``); ``borne`` by part and
    OPERATOR what his SKILLs make wait; ``alone`` the same with SUPPRESSION, ``teamed`` with TEAMWORK too;
    ``worn`` what cards that are attached make wait, as far as it has been asked for.
    ``suppression``, ``teamwork`` and ``performance`` are numbers as if these were cards. ``meddlers`` are
    OPERATORs by player who may act beside one of the two; ``in_row_order`` says that it matters who of them
    comes first. The buckets before and after the windows of M-5, and after M-7, each with whether it is
    careful.

    ``events`` by the trigger's name, "becomes HIT" for what hears that others do; ``heard`` are the names of
    those that anything hears. ``bearers`` by name and player: of an event that many may hear the OPERATOR
    whose SKILLs do, None where the row has to be looked through. ``fulfils_hits`` says that the mode's
    PERFORMANCE hears who becomes HIT; ``ends`` is what hears that an ACTION ends, if anything does;
    ``performed`` by ACTION. ``lapses`` are, by duration, the stats to which something may be added for so
    long, with the place in ``Table.sums`` of what lasts longer.
    """

    own: list[list[list[Any]]] = field(default_factory=list)
    own_list: list[tuple[int, ...]] = field(default_factory=list)
    own_aspects: list[int] = field(default_factory=list)
    auras: list[list[tuple[int, Any]]] = field(default_factory=list)
    aura_keys: tuple[int, ...] = ()
    aura_attached: bool = False

    in_attack: list[Placed] = field(default_factory=list)
    borne: list[list[Cast]] = field(default_factory=list)
    worn: dict[int, Cast] = field(default_factory=dict)
    alone: list[list[Bucketed]] = field(default_factory=list)
    teamed: list[list[Bucketed]] = field(default_factory=list)
    suppression: int = 0
    teamwork: int = 0
    performance: int = 0
    meddlers: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    in_row_order: bool = False
    before_windows: tuple[tuple[int, bool], ...] = ()
    after_windows: tuple[tuple[int, bool], ...] = ()
    at_last: tuple[int, bool] = (0, False)

    events: dict[str, list[list[OfEvent]]] = field(default_factory=dict)
    heard: frozenset[str] = frozenset()
    bearers: dict[str, list[tuple[int, ...] | None]] = field(default_factory=dict)
    fulfils_hits: bool = False
    ends: list[list[OfEvent]] = field(default_factory=list)
    performed: list[list[OfEvent]] = field(default_factory=list)
    lapses: list[list[tuple[int, int]]] = field(default_factory=list)

    known: Known = field(default_factory=lambda: Known())


Asked = tuple[tuple[int, int, bool], ...]
"""Aspects, each with an OPERATOR's key, ATTACHED or NOBODY, and whether only his own player's matter."""


@dataclass(slots=True)
class Known:
    """What need not be asked while a GAME is played, because no card of the match can make it matter.

    By aspect: ``kept`` if what stands of it is kept, which needs that it depends on nothing but who stands
    where with which card. By card: ``stands`` if it has effects without `when`, ``reaches`` if they concern
    others than its bearer, ``opens`` and ``weakens`` if they can change which ACTIONs are open, or DP. Of
    aspects, in pairs with the OPERATOR concerned (ATTACHED or NOBODY where it may be any): ``asks``, kept and
    something stands of them that asks for others than its bearer or for a place; ``asks_places`` those of
    them that ask for a place; ``opens_by_others`` and ``opens_by_place`` the same of those, kept or not,
    which can change what ACTIONs are open. ``standing`` are all kept aspects of which something stands.

    Whether there is anything that: ``restless``, opens ACTIONs and is not settled; ``watches_dp``, changes DP
    and is not settled; ``fixes``, stands and is a Fix; ``bonus``, ``dice``, gives without an event BONUS
    ACTIONs or dice; ``forbids_defence``; ``changes_dp`` and ``ignores`` in an attack, and ``spreads``,
    changes more in it than the attacker's AP and the attacked OPERATOR's EP; ``dp_by_place``, stands and
    changes DP of others, or by where or how somebody stands.

    ``adds`` are, by duration, the stats to which events may add something for so long.
    """

    kept: list[bool] = field(default_factory=list)
    stands: list[bool] = field(default_factory=list)
    reaches: list[bool] = field(default_factory=list)
    opens: list[bool] = field(default_factory=list)
    weakens: list[bool] = field(default_factory=list)
    standing: tuple[int, ...] = ()
    asks: Asked = ()
    asks_places: Asked = ()
    opens_by_place: Asked = ()
    opens_by_others: Asked = ()
    restless: bool = False
    watches_dp: bool = False
    fixes: bool = False
    bonus: bool = False
    dice: bool = False
    forbids_defence: bool = False
    changes_dp: bool = False
    ignores: bool = False
    spreads: bool = False
    dp_by_place: bool = False
    adds: tuple[tuple[int, ...], ...] = ()
