"""The state of a GAME as lists of whole numbers that are changed in place."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Any

from toolkit.engine.swift.code import Code, Waiting
from toolkit.engine.swift.codes import (
    ASPECTS,
    DURATIONS,
    KINDS,
    NOBODY,
    Change,
    Held,
    Lasting,
    StandingHeld,
)
from toolkit.engine.swift.facts import Dealt, Numbers
from toolkit.engine.swift.ways import DOWN, TARGETS

Event = tuple[str, tuple[int, ...], tuple[int, ...], int, int, int]
"""Name, OPERATORs concerned, cards that lay on them, side, card, depth in a chain of events."""

Aura = tuple[Any, int, int]
"""A function of an effect that concerns others than its bearer, with its controller and its bearer."""

Bucket = list[Waiting]
"""Effects that act together; times that do not see each other's work are one bucket (``timing``)."""
Buckets = list[Bucket]

BOTH = 3
"""Both players, as bits."""
EVERYTHING = 7
"""The same with the MP of all."""

AWAY = -100
"""Where those are who stand on no FIELDPOSITION; each has a place of his own and nobody is near him."""


@dataclass(slots=True, eq=False)
class Table:
    """One GAME. OPERATORs are keys, players are 0 (blue) and 1, cards are numbers, 0 is no card.

    Fixed: ``side``, ``card``, ``squadpoints`` and ``mates`` (own of the same TEAM) by key, ``values`` by stat
    and key, ``kinds`` by card. By key: ``pos`` (below 0: on no FIELDPOSITION), ``status``, ``hit``, ``obj``,
    ``att`` the attached card, ``bonuses`` as bits of ACTIONs, ``used`` whether he has performed a BONUS
    ACTION. Of what lasts: ``added`` by stat and key is the sum of what is added; ``sums`` by stat begin with
    it, then come sums of what lasts longer than one duration and another (``Code.lapses``); ``lasting`` is
    everything else, ``heavy`` whether a stat is multiplied, divided or fixed, ``bound`` the aspects, as bits,
    of what holds; ``ends``, by duration, who has it so long, and until end of ATTACK also who has something
    added. By player: ``rows`` and the zones; ``playable`` is the hand by kind of card, ``decks`` and
    ``item_decks`` have their top last. ``objectives`` are places of the mode's list, NOBODY where there is
    none, ``needed`` by place the OBJECTIVECOUNTER for which they are REACHED; ``done`` counts ACTIONs that
    have a limit. ``chance`` and ``dice`` are where random numbers come from; ``randoms``, seeded anew for
    each GAME, are of the decks, the dice, blue and red. ``queue`` holds the events that wait, ``depth`` is
    that of a new one.

    What follows from all this and is kept: ``marked``, who has a HITCOUNTER; ``given``, those of a player who
    have been given a BONUS ACTION in this TURN and may still perform it; ``aspects``, what an OPERATOR's own
    effects make; ``auras`` by aspect, those aspects as bits in ``aura_aspects``; ``kept``, what stands, by
    aspect and OPERATOR. ``unjudged`` says that H-1 may find somebody.

    For ``options``, by player: ``ready``, the places as bits of those who are NORMAL, and as bits of ``ways``
    ``up``, those who are face up, and ``open``: ACTIONs within their limits, own OPERATORs with a HITCOUNTER,
    pairs that may be swapped. ``barred``, what is forbidden, and ``elusive``, who may be protected, must be
    found anew where ``stale`` says so; ``moves`` are the MP of each place, ``unpaced`` those whose MP may be
    others, or NOBODY if only a place is another.

    ``tactics`` are what STRATEGY cards make wait in an attack (``waiting``), by player and role.

    Of an attack, empty outside of one: ``a``, ``d`` and its side ``s``; ``made`` by 4 * key + stat, ``held``;
    ``shaken`` says that somebody or a card has gone since it began; lasting modifications later than
    ``since_windows`` stand in step 5, those later than ``since_compared`` behind all steps.
    """

    code: Code
    rules: Numbers
    side: list[int]
    card: list[int]
    mates: list[frozenset[int]]
    squadpoints: list[int]
    values: list[list[int]]
    kinds: list[int]
    pos: list[int] = field(default_factory=list)
    status: list[int] = field(default_factory=list)
    hit: list[int] = field(default_factory=list)
    obj: list[int] = field(default_factory=list)
    att: list[int] = field(default_factory=list)
    marked: set[int] = field(default_factory=set)
    given: list[list[int]] = field(default_factory=lambda: [[], []])
    used: list[bool] = field(default_factory=list)
    bonuses: list[list[int]] = field(default_factory=list)
    lasting: list[list[Lasting]] = field(default_factory=list)
    added: list[list[int]] = field(default_factory=lambda: [[], [], [], []])
    heavy: list[bool] = field(default_factory=list)
    bound: list[int] = field(default_factory=list)
    sums: list[list[list[int]]] = field(default_factory=list)
    ends: list[set[int]] = field(default_factory=lambda: [set() for _ in DURATIONS])
    rows: list[list[int]] = field(default_factory=lambda: [[], []])
    saved: list[list[int]] = field(default_factory=lambda: [[], []])
    gone: list[list[int]] = field(default_factory=lambda: [[], []])
    hands: list[list[int]] = field(default_factory=lambda: [[], []])
    playable: list[list[list[int]]] = field(default_factory=lambda: [[], []])
    decks: list[list[int]] = field(default_factory=lambda: [[], []])
    discards: list[list[int]] = field(default_factory=lambda: [[], []])
    item_decks: list[list[int]] = field(default_factory=lambda: [[], []])
    item_discards: list[list[int]] = field(default_factory=lambda: [[], []])
    strategies: list[list[int]] = field(default_factory=lambda: [[], []])
    objectives: list[list[int]] = field(default_factory=lambda: [[], []])
    needed: list[list[int]] = field(default_factory=lambda: [[], []])
    captured: list[list[int]] = field(default_factory=lambda: [[], []])
    done: list[list[int]] = field(default_factory=lambda: [[], []])
    turn: int = 0
    round: int = 1
    serial: int = 0
    randoms: list[Random] = field(default_factory=lambda: [Random(0) for _ in range(4)])
    chance: list[Callable[[], float]] = field(default_factory=list)
    dice: Callable[[], float] = float
    queue: deque[Event] = field(default_factory=deque)
    depth: int = 0
    effects_done: int = 0
    aspects: list[int] = field(default_factory=list)
    kept: list[dict[int, list[Any]]] = field(default_factory=lambda: [{} for _ in range(ASPECTS)])
    auras: dict[int, list[Aura]] = field(default_factory=dict)
    aura_aspects: int = 0
    auras_stale: bool = True
    unjudged: bool = False
    stale: int = EVERYTHING
    unpaced: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    open: list[int] = field(default_factory=lambda: [0, 0])
    up: list[int] = field(default_factory=lambda: [0, 0])
    ready: list[int] = field(default_factory=lambda: [0, 0])
    barred: list[int] = field(default_factory=lambda: [0, 0])
    moves: list[list[int]] = field(default_factory=lambda: [[], []])
    elusive: list[list[tuple[int, list[StandingHeld]]]] = field(default_factory=lambda: [[], []])
    attacking: bool = False
    in_modify: bool = False
    critical: bool = False
    shaken: bool = False
    a: int = NOBODY
    d: int = NOBODY
    s: int = 0
    since_windows: int = 0
    since_compared: int | None = None
    tactics: list[list[list[tuple[int, Waiting]]]] = field(default_factory=lambda: [[[], []], [[], []]])
    waiting: Buckets = field(default_factory=list)
    made: list[list[Change]] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    verdicts: dict[tuple[int, int, int], bool] = field(default_factory=dict)

    def take(self, side: int, card: int) -> None:
        """A card comes to a player's hand."""
        self.hands[side].append(card)
        self.playable[side][self.kinds[card]].append(card)

    def give(self, side: int, card: int) -> None:
        """A card leaves it."""
        self.hands[side].remove(card)
        self.playable[side][self.kinds[card]].remove(card)

    def doubt(self, key: int) -> None:
        """What effects make open to an OPERATOR, or against him, may be other things."""
        self.stale |= 1 << self.side[key]
        self.unpaced[self.side[key]].add(key)

    def unpace(self, key: int) -> None:
        """An OPERATOR's MP may be others, so that others may be swapped."""
        self.unpaced[self.side[key]].add(key)

    def forget_all(self) -> None:
        """Nothing that stands is known any more."""
        for aspect in self.code.known.standing:
            self.kept[aspect].clear()

    def lay_out(
        self, dealt: Sequence[Dealt], decks: Sequence[list[int]], item_decks: Sequence[list[int]]
    ) -> None:
        """The beginning of a GAME (``engine.setup``); ``decks`` and ``item_decks`` are shuffled, top last.

        The lists stay the same, for generated functions know them.
        """
        number = len(self.side)
        zeros = [0] * number
        flat = (self.status, self.hit, self.obj, self.att, self.bound)
        for by_key in (*flat, *chain(*self.sums)):
            by_key[:] = zeros
        for flags in (self.used, self.heavy):
            flags[:] = [False] * number
        self.aspects[:] = [self.code.own_aspects[card] for card in self.card]
        self.bonuses[:] = [[] for _ in range(number)]
        self.lasting[:] = [[] for _ in range(number)]
        self.pos[:] = [AWAY * (1 + key) for key in range(number)]
        hand, fields = self.rules.starting_hand, self.rules.fields
        for side in (0, 1):
            keys = list(dealt[side].operators)
            standing = keys[:fields]
            for place, key in enumerate(standing):
                self.pos[key] = place
            self.rows[side][:] = standing + [NOBODY] * (fields - len(standing))
            self.ready[side] = (1 << len(standing)) - 1
            self.up[side] = self.ready[side] << TARGETS
            self.open[side] = self.rules.open
            self.moves[side][:] = [DOWN] * fields
            self.tactics[side] = [[], []]
            self.saved[side][:] = keys[fields:]
            left = max(0, len(decks[side]) - hand)
            self.decks[side][:] = decks[side][:left]
            self.hands[side].clear()
            self.playable[side] = [[] for _ in range(KINDS)]
            for card in decks[side][: left - 1 if left else None : -1]:
                self.take(side, card)
            self.item_decks[side][:] = item_decks[side]
            self.objectives[side][:] = self.rules.objectives
            self.needed[side][:] = self.rules.objective_values
            self.done[side][:] = [0] * 5
            zones = (self.gone, self.discards, self.item_discards, self.strategies, self.captured)
            for zone in (*zones, self.given):
                zone[side].clear()
        self.turn, self.round, self.serial = 0, 1, 0
        self.attacking = self.in_modify = self.critical = self.shaken = False
        self.marked.clear()
        for found in (*self.unpaced, *self.ends):
            found.clear()
        self.queue.clear()
        self.made[:] = [[] for _ in range(4 * number)]
        self.held.clear()
        self.verdicts.clear()
        self.depth = 0
        self.forget_all()
        self.auras_stale = self.unjudged = True
        self.stale = EVERYTHING
