"""What is known of the state of a match-up, and what is read from it each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from toolkit.engine.fast import arithmetic, logic
from toolkit.engine.fast.nodes import Graph, Node
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, Side, other

What = Literal["hitcounter", "objectivecounter", "exhausted", "added", "hand", "round"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A number that generated functions are given.

    ``what`` of the OPERATOR ``who``: his HITCOUNTER, his OBJECTIVECOUNTER, whether he is EXHAUSTED, or the
    sum of what lasts and adds to or subtracts from ``stat``; the number of cards in the hand of ``side``; or
    the ROUND. OPERATORs and sides are those of the match-up: blue attacks.
    """

    what: What
    who: Key = 0
    stat: str = ""
    side: Side = "blue"


@dataclass(slots=True)
class Readings:
    """The inputs of one fused attack; their names are counted up as they are asked for."""

    graph: Graph
    by_name: dict[str, Reading] = field(default_factory=dict)
    _names: dict[Reading, str] = field(default_factory=dict)

    def node(self, reading: Reading) -> Node:
        """The input for a reading."""
        name = self._names.get(reading)
        if name is None:
            name = self._names[reading] = f"i{len(self._names)}"
            self.by_name[name] = reading
        if reading.what == "exhausted":
            return self.graph.truth_input(name)
        return self.graph.number_input(name) if reading.what == "added" else self.graph.number_input(name, 0)


@dataclass(frozen=True, slots=True)
class Facts:
    """The state of a match-up with inputs in place of what changes often.

    ``state`` holds what is fixed: who stands where with which card. ``played`` names a side for each card
    that has left its hand since. ``counted`` is what was added to the HITCOUNTER of ``wounded``.
    """

    rules: Rules
    readings: Readings
    state: GameState
    played: tuple[Side, ...] = ()
    wounded: Key | None = None
    counted: Node | None = None

    @property
    def graph(self) -> Graph:
        """Where expressions are built."""
        return self.readings.graph

    def counter(self, key: Key, what: Literal["hitcounter", "objectivecounter"]) -> Node:
        """A counter as it is read."""
        found = self.readings.node(Reading(what, key))
        if what == "hitcounter" and key == self.wounded and self.counted is not None:
            return arithmetic.add(self.graph, found, self.counted)
        return found

    def has_status(self, key: Key, status: str) -> Node:
        """C-2; that he is up or down is fixed, whether he is EXHAUSTED is not."""
        who = self.state.operators[key]
        if not who.is_up:
            return self.graph.truth(who.status == status)
        if status not in ("NORMAL", "EXHAUSTED"):
            return self.graph.truth(False)
        exhausted = self.readings.node(Reading("exhausted", key))
        return exhausted if status == "EXHAUSTED" else logic.negate(self.graph, exhausted)

    def hand(self, side: Side) -> Node:
        """How many cards a player has in his hand."""
        held = self.readings.node(Reading("hand", side=side))
        return arithmetic.total(self.graph, -self.played.count(side), ((held, 1),))

    def round(self) -> Node:
        """The ROUND."""
        return self.readings.node(Reading("round"))

    def added(self, key: Key, stat: str) -> Node:
        """What lasts and adds to a stat or subtracts from it."""
        return self.readings.node(Reading("added", key, stat))


def read(readings: Sequence[Reading], state: GameState, who: Sequence[Key], blue: Side) -> list[int]:
    """The values of inputs in a state: ``who`` are the OPERATORs of the match-up, ``blue`` attacks."""
    return [_value(reading, state, who, blue) for reading in readings]


def _value(reading: Reading, state: GameState, who: Sequence[Key], blue: Side) -> int:
    what = reading.what
    if what == "round":
        return state.round
    if what == "hand":
        return len(state.player(blue if reading.side == "blue" else other(blue)).hand)
    one = state.operators[who[reading.who]]
    if what == "hitcounter":
        return one.hitcounter
    if what == "objectivecounter":
        return one.objectivecounter
    if what == "exhausted":
        return one.status == "EXHAUSTED"
    stat = reading.stat
    return sum(last.amount for last in one.lasting if last.stat == stat and last.layer in ADDING)


ADDING = ("add", "subtract")
"""Layers of what lasts that is read as one number; the others are part of the match-up."""
