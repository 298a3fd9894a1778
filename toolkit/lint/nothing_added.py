"""adds-nothing: an amount, a number of dice or of cards that is 0, so that the words do nothing."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.printing import print_doing, print_number
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement
from toolkit.lint.known import Known
from toolkit.lint.polynomials import Terms
from toolkit.lint.quoting import quoted


def check(statement: Statement) -> Iterator[Problem]:
    """The zeros, each at its number; a counted amount also where the count is always 0."""
    for act in statement.acts:
        for doing in act.doings:
            if isinstance(doing, tree.Gets):
                if doing.amount == 0:
                    yield _nothing(doing, doing.amount_place, doing.what.text)
                elif doing.per is not None and not isinstance(doing.per.what, tree.Group):
                    yield from _empty_count(doing.per.what, statement)
            elif is_nothing(doing):
                number = tree.number_of(doing)
                assert number is not None, "nothing is a number"
                yield _nothing(doing, number[2], print_doing(doing).partition("0 ")[2])


def is_nothing(doing: tree.Doing) -> bool:
    """Whether what is done is done with 0, so that nothing more need be said about it."""
    number = tree.number_of(doing)
    return number is not None and number[0] in ("amount", "count") and number[1] == 0


def _nothing(doing: tree.Doing, place: tree.Place, noun: str) -> Problem:
    return Problem(
        "adds-nothing",
        f"`{print_doing(doing)}` does nothing: 0 {noun} is no change.",
        place,
        "Write a number of at least 1, or remove these words.",
    )


def _empty_count(number: tree.Number, statement: Statement) -> Iterator[Problem]:
    terms = Terms(Known(statement.scope, statement.context))
    form = terms.form(number)
    if form is not None and terms.range_of(form) == (0, 0):
        yield Problem(
            "adds-nothing",
            f"{quoted(f'for each {print_number(number)}')} counts nothing: this number is always 0.",
            number.place,
            "Count something that can be more than 0, or remove these words.",
        )
