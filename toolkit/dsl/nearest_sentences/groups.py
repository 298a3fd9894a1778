"""The OPERATORs that several words of a text speak of together: `two of your tired snipers next to him`.

Whatever the order of their words, they are one group: how many, whose, which. The language says it in one
order only, with `one` where it is acted on, with `an` where something happens to it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolkit.dsl.nearest_sentences.pieces import Piece, Reading, pieces_of, words_in

_MOST_GROUPS = 14
"""How many groups that begin at a word are looked at further."""
_MOST_COST = 2.2
_GLUE = 0.03
_NO_COUNT = 0.15
_MORE_PARTS = 0.02
_PARTS_OF_GLUE = frozenset(
    words_in("of the der die das den dem des von vom from out to von's 's there here currently gerade")
)
_STATUSES = frozenset(("SUPPRESSED", "EXHAUSTED", "HIT", "OUT", "NORMAL"))
_REFS = frozenset(("self", "target", "attacker", "attacked", "it"))
_PLACES = ("of TEAM", "in ", "adjacent", "opposite", "with", "that", "chosen")
"""What filters begin with, in the order in which they stand."""
_BEGINS_FILTER = frozenset(("in", "adjacent", "opposite", "with", "that", "chosen"))


_MOST_WORDS_NEGATED = 6
_NEGATED = {
    " is not ": " is ",
    " is ": " is not ",
    " has no ": " has ",
    " has ": " has no ",
    " >= ": " < ",
    " <= ": " > ",
    " > ": " <= ",
    " < ": " >= ",
    " = ": " != ",
}


class Group(NamedTuple):
    """OPERATORs, or with ``ref`` the one of that name.

    ``how_many`` is as the language writes it, empty if it was not said; ``has_noun`` whether there was a word
    for OPERATORs among its words.
    """

    ref: str = ""
    how_many: str = ""
    is_random: bool = False
    is_other: bool = False
    side: str = ""
    filters: tuple[str, ...] = ()
    has_noun: bool = False
    is_many: bool = False

    def acting(self) -> str | None:
        """Return the group as who does something: `one own OPERATOR in RANGE`."""
        if self.ref:
            return self.ref
        is_one = not self.is_many or any(written.startswith("with the ") for written in self.filters)
        count = self.how_many or ("one" if is_one else "all")
        if count == "all" and self.is_random:
            return None
        noun = "OPERATOR" if count == "one" else "OPERATORs"
        return " ".join(filter(None, (count, "random" if self.is_random else "", self._described(noun))))

    def happening(self) -> str | None:
        """Return the group as what something happens to: `another own OPERATOR`."""
        if self.ref:
            return self.ref
        if self.how_many not in ("", "one", "all") or self.is_random:
            return None
        described = self._replace(is_other=False)._described("OPERATOR")  # `another` says it already
        return f"{'another' if self.is_other else 'an'} {described}"

    def counted(self) -> str | None:
        """Return the group as what can be counted: `other own OPERATORs`."""
        return None if self.ref or self.is_random else self._described("OPERATORs")

    def owned(self) -> Group:
        """Return the group as it is meant where somebody has it: `you have a sniper`."""
        return self if self.side or self.ref else self._replace(side="own")

    def said_of(self, ref: str) -> str | None:
        """Return as a condition that an OPERATOR is of the group: `target is HIT and target has no ITEM`."""
        conditions = [_condition(written, ref) for written in self.filters]
        if self.ref or not conditions or None in conditions:
            return None
        return " and ".join(filter(None, conditions)) or None

    def not_said_of(self, ref: str) -> str | None:
        """Return as a condition that an OPERATOR is not of the group, if it takes only one."""
        said = self.said_of(ref)
        if said is None or " and " in said or len(words_in(said)) > _MOST_WORDS_NEGATED:
            return None
        for written, negated in _NEGATED.items():
            if written in said:
                return said.replace(written, negated, 1)
        return None

    def _described(self, noun: str) -> str:
        other = "other" if self.is_other and self.side != "enemy" else ""
        side = self.side or ("own" if "in the SAVEZONE" in self.filters else "")
        return " ".join(filter(None, (other, side, noun, *self.filters)))


class GroupReading(NamedTuple):
    """Words of a text up to ``end`` that speak of a group."""

    end: int
    group: Group
    cost: float


def _condition(written: str, ref: str) -> str | None:
    """Return what a filter says as a condition of one OPERATOR; empty if it goes without saying."""
    words = written.split()
    if words[0] == "that":
        return f"{ref} {' '.join(words[1:])}"
    if words[0] in ("adjacent", "opposite"):
        return f"{ref} is {written}"
    if words[0] == "with" and words[1] in (
        "no",
        "trait",
        "TEAM",
        "KEYWORD",
        "ITEM",
        "ATTACK",
        "DEFENCE",
        "card",
        "cards",
    ):
        return f"{ref} has {' '.join(words[1:])}"
    sign = next((number for number, word in enumerate(words) if word in _COMPARING), None)
    if sign is not None:  # `with AP > 2`
        return f"{' '.join(words[1:sign])} of {ref} {' '.join(words[sign:])}"
    return "" if written == "in RANGE" else None


_COMPARING = frozenset(("=", "!=", "<", "<=", ">", ">="))


@lru_cache(maxsize=8192)
def group_of(pieces: tuple[Piece, ...]) -> Group | None:
    """Return what words of the language say about a group; None if they say anything else."""
    words = [piece.text for piece in pieces]
    if len(words) == 1 and words[0] in _REFS:
        return Group(ref=words[0])
    group = Group()
    position = 0
    while position < len(words):
        step = _part_of(group, words, position)
        if step is None:
            return None
        group, position = step
    return group if words else None


def _part_of(group: Group, words: Sequence[str], position: int) -> tuple[Group, int] | None:
    """Return a group with one more part of its words, and where that ends."""
    word = words[position]
    if word in ("one", "two", "three", "all", "an", "another") and not group.how_many:
        is_other = group.is_other or word == "another"
        return group._replace(
            how_many={"an": "one", "another": "one"}.get(word, word), is_other=is_other
        ), position + 1
    if words[position : position + 2] == ["up", "to"] and len(words) > position + 2:
        return group._replace(how_many=f"up to {words[position + 2]}"), position + 3
    if word in ("own", "enemy", "any") and not group.side:
        return group._replace(side="" if word == "any" else word), position + 1
    if word == "random":
        return group._replace(is_random=True), position + 1
    if word == "other":
        return group._replace(is_other=True), position + 1
    if word in ("OPERATOR", "OPERATORs"):
        return group._replace(has_noun=True, is_many=word[-1] == "s"), position + 1
    if word in _STATUSES:
        return _filtered(group, f"that is {word}"), position + 1
    if word == "not" and position + 1 < len(words) and words[position + 1] in _STATUSES:
        return _filtered(group, f"that is not {words[position + 1]}"), position + 2
    if word in _BEGINS_FILTER or words[position : position + 2] == ["of", "TEAM"]:
        end = position + 1
        while end < len(words) and words[end] not in _BEGINS_FILTER:
            end += 1
        if end - position > 1:
            return _filtered(group, " ".join(words[position:end])), end
    return None


def _filtered(group: Group, written: str) -> Group:
    """Return a group with one more filter, in the order of the language."""
    written = written.replace("that are", "that is").replace("in RANGE of self", "in RANGE")
    filters = {*group.filters, written}
    return group._replace(filters=tuple(sorted(filters, key=_place_of)))


def _place_of(written: str) -> tuple[int, str]:
    return next(number for number, first in enumerate(_PLACES) if written.startswith(first)), written


@lru_cache(maxsize=16384)
def _merged(first: Group, second: Group) -> Group | None:
    """Return a group of which both speak; None if they contradict each other."""
    if (
        first.ref
        or second.ref
        or (first.how_many and second.how_many and {first.how_many, second.how_many} != {"one", "two"})
        or (first.side and second.side and first.side != second.side)
        or (first.has_noun and second.has_noun and second.how_many)
        or (first.has_noun and second == Group(how_many=second.how_many or "all"))
    ):
        return None
    group = Group(
        "",
        first.how_many or second.how_many,
        first.is_random or second.is_random,
        first.is_other or second.is_other,
        first.side or second.side,
        first.filters,
        first.has_noun or second.has_noun,
        first.is_many or second.is_many,
    )
    for written in second.filters:
        group = _filtered(group, written)
    statuses = [written for written in group.filters if written.startswith("that")]
    return None if len(statuses) > 1 else group


def groups_in(readings: Sequence[Sequence[Reading]], spoken: Sequence[str]) -> list[list[GroupReading]]:
    """Return for each word of a text the groups that begin there, the likeliest first.

    What only says which OPERATORs (`exhausted`, `with an ITEM`) is among them.
    """
    partial: list[list[GroupReading]] = [[] for _ in range(len(readings) + 1)]
    for position in reversed(range(len(readings))):
        costs: dict[tuple[int, Group], float] = {}
        for end, group, cost in _longer(readings[position], partial):
            key = (end, group)
            if cost <= _MOST_COST and cost < costs.get(key, _MOST_COST + 1):
                costs[key] = cost
        if spoken[position] in _PARTS_OF_GLUE:
            for end, group, cost in partial[position + 1]:
                costs.setdefault((end, group), cost + _GLUE)
        listed = (GroupReading(end, group, cost) for (end, group), cost in costs.items())
        partial[position] = heapq.nsmallest(
            _MOST_GROUPS, listed, key=lambda reading: cost_for_length(reading.cost, reading.end - position)
        )
    return partial[:-1]


def cost_for_length(cost: float, length: int) -> float:
    """Return by what groups that begin at a word are compared: a longer one leaves less unread."""
    return cost - 0.3 * length


def _longer(
    readings: Iterable[Reading], partial: Sequence[Sequence[GroupReading]]
) -> Iterator[tuple[int, Group, float]]:
    """Yield the groups of which readings speak, alone and with what stands behind them."""
    for reading in readings:
        group = group_of(reading.pieces)
        if group is None:
            continue
        yield reading.end, group, reading.cost
        if group.ref:
            continue
        for end, further, cost in partial[reading.end]:
            merged = _merged(group, further)
            if merged is not None:
                yield end, merged, reading.cost + cost + _MORE_PARTS


def readings_of_groups(groups: Sequence[GroupReading], position: int) -> Iterator[Reading]:
    """Yield the readings of groups that begin at a word, in each way that the language has."""
    for end, group, cost in groups:
        if group.ref or end - position < 2:
            continue
        price = cost if group.how_many else cost + _NO_COUNT
        for words in (group.acting(), group.happening()):
            if words:
                yield Reading(end, pieces_of(words), price)
        if not group.how_many and (counted := group.counted()):
            yield Reading(end, pieces_of(counted), cost)
