"""outclassed-card: a card that is in nothing better than another one, and no cheaper.

Said only where it is certain from the two cards alone (``order.py``). OPERATORs of different TEAMs, or with
different traits that some effect asks for, are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from toolkit.data.model import Card
from toolkit.diagnostics import Diagnostic, Label
from toolkit.dsl.printing import print_doing
from toolkit.lint.designs import Design
from toolkit.lint.memory import Memory
from toolkit.lint.order import at_least_as_good, differences
from toolkit.vocabulary import STATS

MOST_COMPARED = 40
"""With so many others, the strongest first, a card is compared; sets with more alike cards are huge."""

MOST_ATOMS = 60
"""A card that does more than so many things is not compared: no card of a game does."""

_STEP = "Make it better in some way, or give the other one a drawback."
_STEP_OF_OPERATOR = "Make it cheaper or better in some way, or make the other one more expensive."


def check(designs: Sequence[Design], memory: Memory) -> Iterator[Diagnostic]:
    """Each outclassed card at its id, with the better one as related place."""
    groups: dict[Hashable, list[Design]] = {}
    for design in (one for one in designs if len(one.atoms) <= MOST_ATOMS):
        card = design.card
        groups.setdefault((card.kind, card.team, design.traits), []).append(design)
    for group in groups.values():
        if len(group) > 1:
            yield from memory.once("outclassed", tuple(group), partial(_among, group, memory))


def _among(group: list[Design], memory: Memory) -> list[Diagnostic]:
    """The outclassed cards of a group in which all are compared with each other."""

    def is_better(one: Design, other: Design) -> bool:
        return memory.once("better", (one, other), partial(_is_better, one, other))

    def outline(design: Design) -> _Outline:
        return memory.once("outline", (design,), partial(_Outline, design))

    findings = []
    operators = group[0].card.kind == "operator"
    for design, candidates in (_operators if operators else _others)(group, outline):
        few = islice(candidates, MOST_COMPARED)
        better = next((one for one in few if is_better(one, design)), None)
        if better is not None:
            findings.append(_finding(better, design))
    return findings


def _is_better(one: Design, other: Design) -> bool:
    """At least as good, and not the same in everything."""
    mine, others = one.card, other.card
    differing: frozenset[str] = frozenset()
    if mine.kind == "operator":
        differing = frozenset(stat for stat in STATS if mine.number(stat) != others.number(stat))
    if not at_least_as_good(one.weighed, other.weighed, differing):
        return False
    cheaper = mine.squadpoints < others.squadpoints
    return bool(differing) or cheaper or not at_least_as_good(other.weighed, one.weighed)


# who is compared with whom

OutlineOf = Callable[[Design], "_Outline"]


def _operators(group: list[Design], outline: OutlineOf) -> Iterator[tuple[Design, Iterable[Design]]]:
    """Each OPERATOR with those who have no number below his and cost no more.

    For every number a bit set of the OPERATORs who have at least as much; their intersection is quickly made.
    """
    reach: dict[str, dict[int, int]] = {}
    for key in (*STATS, "squadpoints"):
        values = [design.card.number(key) for design in group]
        reach[key] = {
            value: sum(1 << n for n, other in enumerate(values) if _no_worse(key, other, value))
            for value in set(values)
        }
    for n, design in enumerate(group):
        found = ~(1 << n)
        for key, sets in reach.items():
            found &= sets[design.card.number(key)]
        if found:
            mine = outline(design)
            yield design, (group[m] for m in _members(found) if outline(group[m]).may_beat(mine))


def _no_worse(key: str, one: int, other: int) -> bool:
    return one <= other if key == "squadpoints" else one >= other


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _others(group: list[Design], outline: OutlineOf) -> Iterator[tuple[Design, Iterable[Design]]]:
    """Each card with those that may beat it (``_Outline.may_beat``), the strongest first.

    They are found by bit sets too, in which the strongest has the lowest bit.
    """
    outlines = list(map(outline, group))
    order = sorted(range(len(group)), key=lambda n: -outlines[n].strength)
    place = {n: bit for bit, n in enumerate(order)}
    good = _reaching([outlines[n].good for n in order])
    bad = _reaching([outlines[n].bad for n in order])
    alike: dict[tuple[str, ...], int] = {}
    for bit, n in enumerate(order):
        alike[outlines[n].doubtful] = alike.get(outlines[n].doubtful, 0) | 1 << bit
    for n, design in enumerate(group):
        mine = outlines[n]
        if not mine.good:
            continue
        found = alike[mine.doubtful] & ~(1 << place[n])
        for shape, level in mine.good.items():
            found &= good[shape][level]
        for shape, reaching in bad.items():
            harmless = reaching[mine.bad[shape]] if shape in mine.bad else 0
            found &= harmless | ~reaching[min(reaching)]
        if found:
            yield design, (group[order[bit]] for bit in _members(found))


def _reaching(some: Sequence[dict[int, int]]) -> dict[int, dict[int, int]]:
    """For every shape and each of its levels the bit set of those who are at that level or above."""
    found: dict[int, dict[int, int]] = {}
    for bit, levels in enumerate(some):
        for shape, level in levels.items():
            sets = found.setdefault(shape, {})
            sets[level] = sets.get(level, 0) | 1 << bit
    for sets in found.values():
        reached = 0
        for level in sorted(sets, reverse=True):
            reached |= sets[level]
            sets[level] = reached
    return found


_NUMBERS: dict[Hashable, int] = {}
"""The shapes that were met, numbered."""


class _Outline:
    """What a card does, at its best and at its worst; quickly compared.

    ``good`` and ``bad`` are levels by the number of their shape: a number is looked up sooner than a shape.
    """

    __slots__ = ("bad", "doubtful", "good", "strength")

    def __init__(self, design: Design) -> None:
        self.good: dict[int, int] = {}
        self.bad: dict[int, int] = {}
        self.strength = 0
        doubtful = []
        for one in design.weighed:
            found = one.benefit
            if found is None:
                doubtful.append(type(one.atom.done).__name__)
                continue
            self.strength += found.level
            shape = _NUMBERS.setdefault(found.shape, len(_NUMBERS))
            if found.good:
                self.good[shape] = max(found.level, self.good.get(shape, found.level))
            else:
                self.bad[shape] = min(found.level, self.bad.get(shape, found.level))
        self.doubtful = tuple(sorted(doubtful))

    def may_beat(self, other: _Outline) -> bool:
        """No is certain: something of the other one is missing here, or a price that it has not."""
        mine, theirs = self.good, other.bad
        if self.doubtful != other.doubtful or len(mine) < len(other.good) or len(self.bad) > len(theirs):
            return False
        for shape, level in other.good.items():
            if shape not in mine or mine[shape] < level:
                return False
        return all(shape in theirs and level >= theirs[shape] for shape, level in self.bad.items())


# what is said


def _finding(better: Design, worse: Design) -> Diagnostic:
    ahead = _ahead(better.card, worse.card) or _does_more(better, worse)
    message = f"`{worse.card.id}` is never better than `{better.card.id}`, which {ahead}."
    label = Label(better.card.id_span, "at least as good in everything")
    step = _STEP_OF_OPERATOR if worse.card.kind == "operator" else _STEP
    return Diagnostic("outclassed-card", message, worse.card.id_span, step, (label,), worse.card.id)


def _ahead(better: Card, worse: Card) -> str:
    """Where an OPERATOR is ahead: "has AP 4, not 3; SQUADPOINTS 3, not 4"."""
    if better.kind != "operator":
        return ""
    told = [
        f"{stat} {better.number(stat)}, not {worse.number(stat)}"
        for stat in STATS
        if better.number(stat) > worse.number(stat)
    ]
    if better.squadpoints < worse.squadpoints:
        told.append(f"SQUADPOINTS {better.squadpoints}, not {worse.squadpoints}")
    return f"has {'; '.join(told)}" if told else ""


def _does_more(better: Design, worse: Design) -> str:
    """The words that only one of the two has: a price of the worse one, or a good thing of the better one."""
    more, less = differences(better.weighed, worse.weighed)
    for wanted, mine, others, words in (
        (False, less, more, "does not have {}"),
        (True, more, less, "has {}"),
    ):
        known = {one.atom.done for one in others}
        for one in mine:
            done = one.atom.done
            if (
                one.benefit
                and one.benefit.good == wanted
                and done not in known
                and not isinstance(done, tuple)
            ):
                return words.format(f"`{print_doing(done)}`")
    return "acts in more situations"
