"""number-too-large: an amount, factor, number of dice or of cards that is greater than any number in play."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement
from toolkit.vocabulary import RANGES


def check(statement: Statement) -> Iterator[Problem]:
    """Numbers of DOES above the greatest current number, each at its place."""
    most = RANGES["current"][1]
    for act in statement.acts:
        for doing in act.doings:
            number, place = _number(doing)
            if not -most <= number <= most:
                words = f"{number:+d}" if isinstance(doing, (tree.Gets, tree.RollsExtra)) else str(number)
                yield Problem(
                    "number-too-large",
                    f"`{words}` is too large: no number in play is above {most}.",
                    place,
                    f"Write a number of at most {most}.",
                )


def _number(doing: tree.Doing) -> tuple[int, tree.Place]:
    if isinstance(doing, tree.Gets):
        return doing.amount, doing.amount_place
    if isinstance(doing, tree.Multiplies):
        return doing.factor, doing.number_place
    if isinstance(doing, tree.Divides):
        return doing.divisor, doing.number_place
    if isinstance(doing, tree.Fixes):
        return doing.value, doing.number_place
    if isinstance(doing, (tree.RollsExtra, tree.MayReroll, tree.Draws, tree.Discards)):
        return doing.count, doing.number_place
    return 0, (0, 0)
