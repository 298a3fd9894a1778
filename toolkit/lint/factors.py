"""factor-too-small: multiplying or dividing by 1 changes nothing, by 0 it is no rule of the game."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement


def check(statement: Statement) -> Iterator[Problem]:
    """Factors and divisors below 2, each at its number."""
    for act in statement.acts:
        for doing in act.doings:
            if isinstance(doing, tree.Multiplies) and doing.factor < 2:
                yield _too_small(doing.stat.text, doing.factor, doing.number_place, "multiplies")
            elif isinstance(doing, tree.Divides) and doing.divisor < 2:
                yield _too_small(doing.stat.text, doing.divisor, doing.number_place, "divides")


def _too_small(stat: str, number: int, place: tree.Place, verb: str) -> Problem:
    if number == 1:
        why = f"{stat} stays as it is"
    else:
        why = "nothing can be divided by 0" if verb == "divides" else f"{stat} would always be 0"
    step = "Write a number of at least 2, or remove these words."
    if number == 0 and verb == "multiplies":
        step = f"Write a number of at least 2; for {stat} 0, write `fixes {stat} at 0`."
    return Problem("factor-too-small", f"`{verb} {stat} by {number}` makes no sense: {why}.", place, step)
