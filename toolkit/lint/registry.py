"""All checks beyond names and types, in the order in which they run.

To add a finding, write two files:

1. ``toolkit/help/findings/NAME.md``. Its head declares severity and title (``diagnostics/catalogue.py`` says
   how), its text is what ``opforge explain NAME`` prints, and its wrong and right examples are executed by
   ``tests/help/test_finding_pages.py``.
2. The check, in the module of ``toolkit/lint`` whose subject it is: ``check(statement)`` for one sentence of
   an effect, ``check(statements)`` for a whole effect, both yielding ``Problem(NAME, message, place, step)``;
   or, about entries, ``check(cards)``, which yields ``Diagnostic(NAME, message, span, step)``. Only a new
   module needs a line here.

Near misses that must have no finding go to ``tests/lint/cases/NAME.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from toolkit.data.model import CardSet
from toolkit.diagnostics import Diagnostic
from toolkit.dsl import tree
from toolkit.dsl.tree import Problem
from toolkit.lint import (
    chains,
    colours,
    comes_to_nothing,
    conditions,
    dice,
    empty_groups,
    factors,
    fixes,
    idle_stats,
    large_numbers,
    maxima,
    nothing_added,
    outclassed,
    overridden,
    scenario_names,
    squadpoints,
    text_differs,
    thresholds,
    twins,
    untested,
    unused,
)
from toolkit.lint import theme_names as looks
from toolkit.lint.context import EffectContext, Statement, statements_of
from toolkit.lint.designs import designs_of
from toolkit.lint.memory import Memory

_SENTENCE_CHECKS: tuple[Callable[[Statement], Iterator[Problem]], ...] = (
    nothing_added.check,
    factors.check,
    maxima.check,
    thresholds.check,
    large_numbers.check,
    dice.check,
    idle_stats.check,
    conditions.check,
    empty_groups.check,
)

_EFFECT_CHECKS: tuple[Callable[[Sequence[Statement]], Iterator[Problem]], ...] = (
    fixes.check,
    chains.check,
    comes_to_nothing.check,
)


def lint_effect(effect: tree.Effect, context: EffectContext) -> tuple[Problem, ...]:
    """What is wrong with an effect that names and types allow, in the order of the text."""
    statements = statements_of(effect, context)
    found = [
        problem for statement in statements for check in _SENTENCE_CHECKS for problem in check(statement)
    ]
    for check_all in _EFFECT_CHECKS:
        found += check_all(statements)
    found = [problem for problem in found if not _is_overridden(problem, effect, context)]
    return tuple(sorted(found, key=lambda problem: problem.place))


def _is_overridden(problem: Problem, effect: tree.Effect, context: EffectContext) -> bool:
    """Whether of two Fixes that meet one always wins: `overridden-effect` tells that, and tells more."""
    places = {problem.place, *(place for place, _ in problem.related)}
    return problem.name == "fixes-meet" and overridden.is_settled(effect, context.role, places)


def check_project(
    cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect], memory: Memory | None = None
) -> list[Diagnostic]:
    """What is wrong between several effects or entries, and what nothing in the project uses.

    ``effects`` are the trees by entry id and part (``skill 1``); one that cannot be read is left out.
    ``memory`` is what the last check of the project found out.
    """
    memory = memory or Memory()
    designs = designs_of(cards, effects, memory)
    settled = list(overridden.check(designs, memory))
    told = {finding.span for finding in settled}
    meeting = [
        finding
        for finding in fixes.check_project(cards, effects)
        if told.isdisjoint((finding.span, *(label.span for label in finding.labels)))
    ]
    alike = list(twins.check(designs))
    doubles = {finding.card for finding in alike}
    return [
        *meeting,
        *unused.check(cards),
        *alike,
        *outclassed.check([design for design in designs if design.card.id not in doubles], memory),
        *settled,
        *squadpoints.check(cards, memory),
        *scenario_names.check(cards),
        *untested.check(cards),
        *text_differs.check(cards, effects),
        *colours.check(cards),
        *looks.check(cards),
    ]
