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
            found = tree.number_of(doing)
            if found is None or found[0] == "threshold":  # that has a finding of its own
                continue
            _, number, place = found
            if not -most <= number <= most:
                signed = ":+d}" in tree.form_of(doing).text
                words = f"{number:+d}" if signed else str(number)
                yield Problem(
                    "number-too-large",
                    f"`{words}` is too large: no number in play is above {most}.",
                    place,
                    f"Write a number of at most {most}.",
                )
