"""All checks and all findings of this room, each named once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType

from toolkit.data.model import CardSet
from toolkit.diagnostics import Diagnostic
from toolkit.dsl import tree
from toolkit.dsl.problems import Problem
from toolkit.lint import (
    chains,
    colours,
    comes_to_nothing,
    conditions,
    dice,
    empty_groups,
    factors,
    fixes,
    hand_written,
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

_OF_A_SENTENCE: tuple[Callable[[Statement], Iterator[Problem]], ...] = (
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

_OF_AN_EFFECT: tuple[Callable[[Sequence[Statement]], Iterator[Problem]], ...] = (
    fixes.check,
    chains.check,
    comes_to_nothing.check,
)

_MODULES: tuple[ModuleType, ...] = (
    nothing_added,
    factors,
    maxima,
    thresholds,
    large_numbers,
    dice,
    idle_stats,
    conditions,
    empty_groups,
    fixes,
    chains,
    comes_to_nothing,
    hand_written,
    unused,
    twins,
    outclassed,
    overridden,
    squadpoints,
    scenario_names,
    untested,
    text_differs,
    colours,
    looks,
)

NAMES: tuple[str, ...] = tuple(name for module in _MODULES for name in module.NAMES)
"""Every finding of this room; its severity and title are in the catalogue."""


def lint_effect(effect: tree.Effect, context: EffectContext) -> tuple[Problem, ...]:
    """What is wrong with an effect that names and types allow, in the order of the text."""
    statements = statements_of(effect, context)
    found = [problem for statement in statements for check in _OF_A_SENTENCE for problem in check(statement)]
    for check_all in _OF_AN_EFFECT:
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
