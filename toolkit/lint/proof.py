"""Whether a condition can hold at all, and whether it can fail, over the finite ranges of the game.

A condition is spread into cases (a case is a list of literals that must hold together). A case is impossible
if two answers to one question contradict each other, or if the ranges of its numbers, narrowed again and
again by its sums, become empty. What is called impossible is so; a few impossible conditions are not seen.
"""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.lint.literals import Choice, Literal, Measure, literal_of
from toolkit.lint.narrowing import Numbers
from toolkit.lint.places import implied
from toolkit.lint.polynomials import Terms

_YES: frozenset[object] = frozenset((True,))
_NO: frozenset[object] = frozenset((False,))
MOST_CASES = 64
Case = list[Literal]


def can_hold(condition: tree.Condition, terms: Terms, negated: bool = False) -> bool:
    """Whether it may hold (``negated``: may fail). False is certain, True is not."""
    cases = cases_of(condition, negated, terms)
    return cases is None or any(is_possible(case, terms) for case in cases)


def cases_of(condition: tree.Condition, negated: bool, terms: Terms) -> list[Case] | None:
    """The cases in which it holds; None if there are too many, or a part of it cannot be read."""
    if isinstance(condition, tree.Not):
        return cases_of(condition.part, not negated, terms)
    if not isinstance(condition, (tree.AllOf, tree.AnyOf)):
        literal = literal_of(condition, negated, terms)
        return [[]] if literal is None else [[literal]]
    parts = [cases_of(part, negated, terms) for part in condition.parts]
    together = isinstance(condition, tree.AllOf) != negated
    cases: list[Case] = [[]] if together else []
    for part in parts:
        if part is None:
            return None
        cases = [[*case, *more] for case in cases for more in part] if together else [*cases, *part]
        if len(cases) > MOST_CASES:
            return None
    return cases


def is_possible(case: Case, terms: Terms) -> bool:
    """Whether the literals of a case may hold together."""
    if any(literal is False for literal in case):
        return False
    choices = [literal for literal in case if isinstance(literal, Choice)]
    measures = [literal for literal in case if isinstance(literal, Measure)]
    if measures:
        measures += implied(choices, terms)
    return (not choices or _choices_agree(choices, terms)) and (
        not measures or Numbers(measures, terms).are_possible()
    )


def _choices_agree(choices: list[Choice], terms: Terms) -> bool:
    answers: dict[tuple[str, ...], frozenset[object]] = {}
    excluded: dict[tuple[str, ...], frozenset[object]] = {}
    for choice in choices:
        key = choice.key
        if not choice.inside:
            excluded[key] = excluded.get(key, frozenset()) | choice.values
        before = answers.get(key)
        before = terms.known.answers(key) if before is None else before
        if choice.inside:
            before = choice.values if before is None else before & choice.values
        if before is not None:
            answers[key] = before - excluded.get(key, frozenset())
            if not answers[key]:
                return False
    return _places_agree(answers, terms)


def _places_agree(answers: dict[tuple[str, ...], frozenset[object]], terms: Terms) -> bool:
    """HIT and OUT OPERATORs are in nobody's RANGE (R-2); the opposite and the adjacent are (R-1)."""
    for key, found in answers.items():
        if key[0] != "in RANGE":
            continue
        _, first, second = key
        status = answers.get(("status", first))
        if found == _YES and status is not None and status <= {"HIT", "OUT"}:
            return False
        opposite = answers.get(("opposite", *sorted((first, second)))) == _YES
        if found == _NO and opposite and terms.known.is_upright(first) and terms.known.is_upright(second):
            return False
    return True
