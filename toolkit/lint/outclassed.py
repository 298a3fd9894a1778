"""outclassed-card: a card that is in nothing better than another one, and no cheaper.

Said only where it is certain from the two cards alone (``order.py``). OPERATORs of different TEAMs, or with
different traits that some effect asks for, are not compared.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from toolkit.data.model import Card
from toolkit.diagnostics import Diagnostic, Label
from toolkit.lint.designs import Design
from toolkit.lint.order import at_least_as_good
from toolkit.vocabulary import STATS

NAMES = ("outclassed-card",)

MOST_COMPARED = 40
"""With so many others, the strongest first, a card is compared; sets with more alike cards are huge."""

_STEP = "Make it cheaper or better in something, or give the other one a price."


def check(designs: Sequence[Design]) -> Iterator[Diagnostic]:
    """Each outclassed card at its id, with the better one as related place."""
    groups: dict[Hashable, list[Design]] = {}
    for design in designs:
        card = design.card
        groups.setdefault((card.kind, card.team, design.traits), []).append(design)
    for group in groups.values():
        operators = group[0].card.kind == "operator"
        for design, candidates in _operators(group) if operators else _others(group):
            better = next((one for one in candidates if _is_better(one, design)), None)
            if better is not None:
                yield _finding(better.card, design.card)


def _is_better(one: Design, other: Design) -> bool:
    """At least as good, and not the same in everything."""
    differing = frozenset(stat for stat in STATS if _value(one.card, stat) != _value(other.card, stat))
    if not at_least_as_good(one.weighed, other.weighed, differing):
        return False
    cheaper = one.card.squadpoints < other.card.squadpoints
    return bool(differing) or cheaper or not at_least_as_good(other.weighed, one.weighed)


def _value(card: Card, stat: str) -> int:
    value: int = getattr(card, stat.lower())
    return value


# who is compared with whom


def _operators(group: list[Design]) -> Iterator[tuple[Design, list[Design]]]:
    """Each OPERATOR with those who have no number below his and cost no more.

    For every number a bit set of the OPERATORs who have at least as much; their intersection is quickly made.
    """
    keys = ("ap", "ep", "dp", "mp")
    reach: dict[str, dict[int, int]] = {}
    for key in (*keys, "squadpoints"):
        values = [getattr(design.card, key) for design in group]
        reach[key] = {
            value: sum(1 << n for n, other in enumerate(values) if _no_worse(key, other, value))
            for value in set(values)
        }
    for n, design in enumerate(group):
        found = ~(1 << n)
        for key, sets in reach.items():
            found &= sets[getattr(design.card, key)]
        if found:
            yield design, [group[place] for place in _members(found)]


def _no_worse(key: str, one: int, other: int) -> bool:
    return one <= other if key == "squadpoints" else one >= other


def _members(bits: int) -> Iterator[int]:
    for _ in range(MOST_COMPARED):
        if not bits:
            return
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _others(group: list[Design]) -> Iterator[tuple[Design, list[Design]]]:
    """Each card with those that have every sort of good thing that it has, the strongest first."""
    outlines = [_Outline(design) for design in group]
    order = sorted(range(len(group)), key=lambda n: -outlines[n].strength)
    sharing: dict[Hashable, list[int]] = {}
    for n in order:
        for shape in outlines[n].good:
            sharing.setdefault(shape, []).append(n)
    for n, design in enumerate(group):
        mine = outlines[n]
        if not mine.good:
            continue
        rarest = min((sharing[shape] for shape in mine.good), key=len)
        found = [group[m] for m in rarest[: 20 * MOST_COMPARED] if m != n and outlines[m].may_beat(mine)]
        if found:
            yield design, found[:MOST_COMPARED]


class _Outline:
    """The shapes of what a card does, and how much of it."""

    __slots__ = ("bad", "doubtful", "good", "strength")

    def __init__(self, design: Design) -> None:
        benefits = [(one.atom, one.benefit) for one in design.weighed]
        self.good = {found.shape for _, found in benefits if found and found.good}
        self.bad = {found.shape for _, found in benefits if found and not found.good}
        self.doubtful = sorted(type(atom.done).__name__ for atom, found in benefits if found is None)
        self.strength = sum(found.level for _, found in benefits if found)

    def may_beat(self, other: _Outline) -> bool:
        return self.good >= other.good and self.bad <= other.bad and self.doubtful == other.doubtful


# what is said


def _finding(better: Card, worse: Card) -> Diagnostic:
    ahead = _ahead(better, worse)
    message = f"`{worse.id}` is in nothing better than `{better.id}`"
    message += f", which has {ahead}." if ahead else ", which does the same and more."
    label = Label(better.id_span, "at least as good in everything")
    return Diagnostic("outclassed-card", message, worse.id_span, _STEP, (label,), worse.id)


def _ahead(better: Card, worse: Card) -> str:
    """Where an OPERATOR is ahead: "AP 4, not 3, for 3 SQUADPOINTS, not 4"."""
    if better.kind != "operator":
        return ""
    told = [
        f"{stat} {_value(better, stat)}, not {_value(worse, stat)}"
        for stat in STATS
        if _value(better, stat) > _value(worse, stat)
    ]
    if better.squadpoints < worse.squadpoints:
        told.append(f"SQUADPOINTS {better.squadpoints}, not {worse.squadpoints}")
    return "; ".join(told)
