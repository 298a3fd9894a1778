"""Which times of MODIFY can be played together, because nothing in them reads what another changes (M-8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from toolkit.dsl import tree
from toolkit.dsl.walking import walk
from toolkit.engine.rules import AFTER_CRITICAL, START, Continuous
from toolkit.vocabulary import STATS

_BEFORE_WINDOWS, _AFTER_WINDOWS = (1, 2, 3, 4), (5, 6)


@dataclass(frozen=True, slots=True)
class Timing:
    """The buckets of an attack in order, each with the times in it and whether it is careful: something in it
    may read what something else at the same time changes."""

    buckets: tuple[tuple[tuple[int, ...], bool], ...]

    @property
    def of_time(self) -> tuple[int, ...]:
        """The bucket of each time."""
        found = {time: number for number, (times, _) in enumerate(self.buckets) for time in times}
        return tuple(found[time] for time in range(AFTER_CRITICAL + 1))


def timing(effects: Iterable[Continuous], suppressed: tuple[tree.Condition | None, ...]) -> Timing:
    """The timing of attacks in which only these effects act."""
    reads: dict[int, set[str]] = {time: set() for time in range(AFTER_CRITICAL + 1)}
    writes: dict[int, set[str]] = {time: set() for time in range(AFTER_CRITICAL + 1)}
    within = frozenset[str]().union(*[_read(one, frozenset()) for one in suppressed if one is not None])
    for effect in effects:
        if effect.condition is not None:
            reads[effect.judged] |= _read(effect.condition, within)
        for time, action in effect.actions:
            reads[time] |= _read(action.target, within) | _read(action.does, within)
            if action.layer is not None:
                writes[time] |= {stat for stat in effect.makes if isinstance(stat, str)}
            elif isinstance(action.does, tree.Ignores):
                writes[time] |= set(STATS)
    groups = [[START], *_merged(_BEFORE_WINDOWS, reads, writes), *_merged(_AFTER_WINDOWS, reads, writes)]
    groups.append([AFTER_CRITICAL])
    return Timing(tuple((tuple(times), any(reads[one] & writes[one] for one in times)) for times in groups))


def _merged(
    times: tuple[int, ...], reads: dict[int, set[str]], writes: dict[int, set[str]]
) -> list[list[int]]:
    groups = [[times[0]]]
    for time in times[1:]:
        together = [*groups[-1], time]
        if any(reads[one] & writes[two] for one in together for two in together if one != two):
            groups.append([time])
        else:
            groups[-1] = together
    return groups


def _read(root: object, within: frozenset[str]) -> frozenset[str]:
    """The stats whose current numbers are read; ``within`` are those that SUPPRESSION reads."""
    found: set[str] = set()
    for node in walk(root):
        if isinstance(node, (tree.QuantityOf, tree.QuantityFilter)):
            found.add(node.quantity.text)
        elif isinstance(node, (tree.HasStatus, tree.StatusFilter)) and node.status.text == "SUPPRESSED":
            found |= within
    return frozenset(found & set(STATS))
