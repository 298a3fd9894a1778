"""maximum-too-small and maximum-never-reached: a ``(max n)`` that forbids everything, or nothing."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.printing import print_group, print_number
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement
from toolkit.lint.empty_groups import why_empty
from toolkit.lint.known import Known
from toolkit.lint.polynomials import Terms
from toolkit.lint.quoting import quoted
from toolkit.lint.ranges import MOST_IN_RANGE, most_members


def check(statement: Statement) -> Iterator[Problem]:
    """Maxima of counted amounts, each at its number."""
    for act in statement.acts:
        for doing in act.doings:
            if isinstance(doing, tree.Gets) and doing.per is not None and doing.per.maximum is not None:
                yield from _maximum(doing.per, doing.per.maximum, statement)


def _maximum(per: tree.Per, maximum: int, statement: Statement) -> Iterator[Problem]:
    if maximum < 1:
        yield Problem(
            "maximum-too-small",
            "With `max 0` nothing counts, so the amount is never given.",
            per.maximum_place,
            "Write a maximum of at least 1, or remove these words.",
        )
        return
    most = _most(per.what, statement)
    if most is not None and 0 < most < maximum:
        counted = (
            print_group(per.what, "OPERATOR") if isinstance(per.what, tree.Group) else print_number(per.what)
        )
        yield Problem(
            "maximum-never-reached",
            f"`max {maximum}` limits nothing: {quoted(f'for each {counted}')} never counts more than {most}.",
            per.maximum_place,
            "Remove the maximum" + (f", or write one below {most}." if most > 1 else "."),
        )


def _most(counted: tree.Group | tree.Number, statement: Statement) -> int | None:
    """How much is counted at most; None where that is not certain."""
    if isinstance(counted, tree.Group):
        if why_empty(counted, statement):
            return None  # a finding of its own
        most = most_members(counted, statement.scope)
        # A maximum that leaves room up to all places of RANGE is a habit of writing, no mistake.
        return max(most, MOST_IN_RANGE) if counted.in_range else most
    terms = Terms(Known(statement.scope, statement.context))
    form = terms.form(counted)
    return None if form is None else terms.range_of(form)[1]
