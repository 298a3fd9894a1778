"""condition-never-holds and condition-always-holds: a condition that cannot decide anything.

Proven over the ranges of the game, for the smallest part of the condition: of several parts that only
together contradict each other the second is named, and the first is shown with it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.printing import print_condition
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement
from toolkit.lint.known import Known
from toolkit.lint.literals import Measure, decided, holds_within, literal_of
from toolkit.lint.polynomials import Terms
from toolkit.lint.proof import can_hold
from toolkit.lint.quoting import quoted
from toolkit.lint.ranges import quantity_range
from toolkit.lint.reasons import Verdict, pair_reason, quantity_reason, reason

_NEVER_STEP = "Use a condition that can hold, or remove it together with what depends on it."
_ALWAYS_STEP = "Remove the condition, or use one that can also be false."


def check(statement: Statement) -> Iterator[Problem]:
    """The certain parts of the condition, and certain ``with …`` filters and ``other`` of GROUPs."""
    for group in statement.groups:
        if group.other and group.side == "enemy":
            yield _idle_other(group)
        if group.quantity is not None:
            yield from _filter(group.quantity)
    condition = statement.sentence.condition
    if condition is not None:
        yield from _examine(condition, Terms(Known(statement.scope, statement.context)))


def filter_verdict(found: tree.QuantityFilter) -> bool | None:
    """True if ``with QUANTITY CMP n`` leaves everybody, False if nobody, else None."""
    return holds_within(found.compare, found.number, quantity_range(found.quantity.text))


def _filter(found: tree.QuantityFilter) -> Iterator[Problem]:
    verdict = filter_verdict(found)
    if verdict is None:
        return
    words = f"with {found.quantity.text} {found.compare} {found.number}"
    why = quantity_reason(found.quantity.text)
    if verdict:
        message, step = f"`{words}` excludes nobody: {why}.", "Remove it, or compare with another number."
        yield Problem("condition-always-holds", message, found.place, step)
    else:
        message, step = f"`{words}` excludes everybody: {why}.", "Compare with a number that can be reached."
        yield Problem("condition-never-holds", message, found.place, step)


def _idle_other(group: tree.Group) -> Problem:
    message = "`other` excludes nobody: it only excludes `self`, which is not an enemy OPERATOR."
    place = (group.place[0], group.place[0] + len("other"))
    return Problem("condition-always-holds", message, place, "Take `other` away.")


def _examine(condition: tree.Condition, terms: Terms) -> list[Problem]:
    """The parts first; the whole only if its parts are all uncertain."""
    inner = condition
    while isinstance(inner, tree.Not):
        inner = inner.part
    if not isinstance(inner, (tree.AllOf, tree.AnyOf)):
        return _examine_leaf(condition, terms)
    found = [problem for part in inner.parts for problem in _examine(part, terms)]
    if found:
        return found
    if inner is not condition:
        return _examine_negated(condition, terms)
    if isinstance(inner, tree.AllOf):
        return [] if can_hold(inner, terms) else [_clash(inner.parts, terms, "never")]
    return [] if can_hold(inner, terms, negated=True) else [_clash(inner.parts, terms, "always")]


def _examine_leaf(condition: tree.Condition, terms: Terms) -> list[Problem]:
    leaf, negated = condition, False
    while isinstance(leaf, tree.Not):
        leaf, negated = leaf.part, not negated
    literal = literal_of(leaf, negated, terms)
    answer = None if literal is None else decided(literal, terms)
    if answer is not None:
        return [_certain(condition, reason(leaf, terms), "always" if answer else "never")]
    if isinstance(literal, Measure):
        if not can_hold(condition, terms):
            return [_certain(condition, "no possible numbers make it true", "never")]
        if not can_hold(condition, terms, negated=True):
            return [_certain(condition, "all possible numbers make it true", "always")]
    return []


def _examine_negated(condition: tree.Condition, terms: Terms) -> list[Problem]:
    if not can_hold(condition, terms):
        return [_certain(condition, "what follows `not` always holds", "never")]
    if not can_hold(condition, terms, negated=True):
        return [_certain(condition, "what follows `not` never holds", "always")]
    return []


def _certain(condition: tree.Condition, why: str, verdict: Verdict) -> Problem:
    words = quoted(print_condition(condition))
    if verdict == "never":
        message = f"{words} can never hold: {why}."
        return Problem("condition-never-holds", message, condition.place, _NEVER_STEP)
    message = f"{words} always holds: {why}."
    return Problem("condition-always-holds", message, condition.place, _ALWAYS_STEP)


def _clash(parts: tuple[tree.Condition, ...], terms: Terms, verdict: Verdict) -> Problem:
    """Parts that only together are certain: point at the one that makes it so, show the earlier one."""
    never = verdict == "never"

    def is_clash(some: tuple[tree.Condition, ...]) -> bool:
        whole = tree.AllOf(some) if never else tree.AnyOf(some)
        return not can_hold(whole, terms, negated=not never)

    # what is certain of some parts is certain of more of them, so the shortest such beginning can be bisected
    last = bisect_left(range(len(parts)), True, lo=1, key=lambda n: is_clash(parts[: n + 1]))
    second = parts[last]
    first = next((part for part in parts[:last] if is_clash((part, second))), None)
    place = first.place if first else (parts[0].place[0], parts[last - 1].place[1])
    asked = quoted(print_condition(second))
    words = quoted(print_condition(first)) if first else "what is before it"
    why = pair_reason(first, second) if first and never else ""
    if never:
        message = f"{asked} can never hold together with {words}{why}."
        related = ((place, "this contradicts it"),)
        return Problem("condition-never-holds", message, second.place, _NEVER_STEP, None, related)
    message = f"{asked} or {words}: one of them always holds."
    related = ((place, "this holds where the other does not"),)
    return Problem("condition-always-holds", message, second.place, _ALWAYS_STEP, None, related)
