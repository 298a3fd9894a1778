"""What to tell a designer where the parser stops: one problem, in words of the language."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.dsl import gaps, misorder, slips, turns_of_phrase, wrong_who
from toolkit.dsl.lalr import Situation
from toolkit.dsl.problems import Problem
from toolkit.dsl.stops import Stop, stop_at

EXPLANATIONS: tuple[Callable[[Stop], Problem | None], ...] = (
    gaps.text_ends,
    misorder.quoted,
    misorder.broken_number,
    wrong_who.nameless,
    wrong_who.new_who,
    wrong_who.several_who,
    wrong_who.neither_one_nor_all,
    misorder.narrowed_trigger,
    turns_of_phrase.other_words,
    misorder.late_opening,
    misorder.two_triggers,
    misorder.choice_without_either,
    misorder.behind_duration,
    misorder.while_status,
    misorder.otherwise,
    slips.doubled,
    slips.swapped_sign,
    slips.typographic,
    slips.look_alike,
    slips.glued,
    slips.quotes,
    gaps.no_sign,
    gaps.left_out,
    turns_of_phrase.missing_comma,
    gaps.no_opening,
    slips.joined,
    slips.misspelt,
)
"""Asked in this order; the first that knows what is wrong tells it."""


def explain(text: str, position: int, situation: Situation) -> Problem:
    """The problem at a position where the parser could go no further."""
    stop = stop_at(text, position, situation)
    found = (explanation(stop) for explanation in EXPLANATIONS)
    return next((problem for problem in found if problem is not None), None) or slips.misplaced(stop)
