"""A GAME that an effect ends without anybody having earned it.

wins-at-once: `wins the GAME` or `loses the GAME` (E-31) in a sentence that has neither a condition nor a
limit nor a price, and waits for nothing rarer than that its card is played.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement

_ENDS = (tree.WinsGame, tree.LosesGame)
_CERTAIN = ("played", "attached")
_OF_TURNS = ("turn-begins", "turn-ends", "round-begins", "round-ends")
"""Events that come by themselves, of either player's TURN."""


def check(statement: Statement) -> Iterator[Problem]:
    """Yield each clause that ends the GAME whatever has happened in it."""
    sentence, trigger = statement.sentence, statement.trigger
    if sentence.condition is not None or sentence.limit is not None:
        return
    if trigger not in _CERTAIN and not trigger.endswith(_OF_TURNS):
        return
    for act in _unconditional(statement):
        for doing in act.doings:
            if isinstance(doing, _ENDS):
                when = f"this card is {trigger}" if trigger in _CERTAIN else "that comes"
                message = f"The GAME ends as soon as {when}, whatever has happened in it."
                step = "Add an `if`, a price with `, if so,`, or name an event that has to be brought about."
                yield Problem("wins-at-once", message, doing.place, step)


def _unconditional(statement: Statement) -> Iterator[tree.Act]:
    """Yield the clauses that do not depend on what was done before (`, if so,` and `, if not,`)."""
    sentence = statement.sentence
    dependent_clauses = (
        clause for number, clause in enumerate(sentence.clauses) if sentence.link(number).startswith("if")
    )
    first_dependent = next(dependent_clauses, None)
    _, end = sentence.place
    begin_of_dependent = end if first_dependent is None else first_dependent.place[0]
    yield from (act for act in statement.acts if act.place[0] < begin_of_dependent)
