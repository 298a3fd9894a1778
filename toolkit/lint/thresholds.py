"""threshold-out-of-range: an X+ that a D6 always or never reaches (N-7)."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement
from toolkit.vocabulary import RANGES


def check(statement: Statement) -> Iterator[Problem]:
    """Thresholds of CRITICAL and RULEVIOLATION outside 2+ to 6+, at the number with its ``+``."""
    for act in statement.acts:
        for doing in act.doings:
            number = tree.number_of(doing)
            if number is not None and number[0] == "threshold":
                yield from _threshold(doing, *number[1:])


def _threshold(doing: tree.Doing, threshold: int, place: tree.Place) -> Iterator[Problem]:
    least, greatest = RANGES["threshold"]
    if least <= threshold <= greatest:
        return
    critical = isinstance(doing, tree.MakesDiceCritical)
    if threshold > greatest:
        message = f"A D6 never shows {threshold} or more."
        step = f"Write a threshold of {least}+ to {greatest}+."
    else:
        message = f"A D6 always shows {threshold} or more, so the die decides nothing."
        instead = (
            "for every die write `makes the attack CRITICAL`" if critical else "otherwise remove the keyword"
        )
        step = f"Write a threshold of {least}+ to {greatest}+; {instead}."
    yield Problem("threshold-out-of-range", message, place, step)
