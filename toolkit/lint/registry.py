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

from collections.abc import Callable, Iterable, Mapping, Sequence

from toolkit.data.model import CardSet
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl import tree
from toolkit.dsl.checking import check_effect
from toolkit.dsl.names import Names
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Effect, Problem
from toolkit.lint import (
    attack_sides,
    card_comparison,
    decided_conditions,
    endless_effects,
    game_ends,
    groups,
    hand_written,
    overriding,
    pointless_numbers,
    squadpoints,
    translations,
    unused,
)
from toolkit.lint.context import EffectContext, RunCache, Statement, statements_of

_SENTENCE_CHECKS: tuple[Callable[[Statement], Iterable[Problem]], ...] = (
    pointless_numbers.check,
    attack_sides.check,
    decided_conditions.check,
    groups.check,
    game_ends.check,
)

_EFFECT_CHECKS: tuple[Callable[[Sequence[Statement]], Iterable[Problem]], ...] = (
    overriding.check,
    endless_effects.check,
    pointless_numbers.check_kept_dice,
)


def lint_effect(effect: tree.Effect, context: EffectContext) -> tuple[Problem, ...]:
    """Return what is wrong with an effect that names and types allow, in the order of the text."""
    statements = statements_of(effect, context)
    problems = [
        problem for statement in statements for check in _SENTENCE_CHECKS for problem in check(statement)
    ]
    for check_all in _EFFECT_CHECKS:
        problems += check_all(statements)
    return tuple(sorted(problems, key=lambda problem: problem.place))


def check_text(
    text: str, comments: bool, names: Names, context: EffectContext
) -> tuple[Effect | None, tuple[Problem, ...]]:
    """Return the tree of an effect, if it can be parsed, and all that is wrong with it."""
    tree, problems = parse_effect(text, comments)
    if tree is None:
        return None, problems
    problems = check_effect(tree, context.role, names)
    if not any(severity_of(problem.name) == "error" for problem in problems):
        problems = (*problems, *lint_effect(tree, context))
    return tree, problems


def check_project(
    cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect], cache: RunCache | None = None
) -> list[Diagnostic]:
    """Return what is wrong between several effects or entries, and what nothing in the project uses.

    ``effects`` are the trees by entry id and part (``skill 1``); one that cannot be read is left out.
    ``cache`` has the results of the last check of the project.
    """
    cache = RunCache() if cache is None else cache
    words = unused.effect_words(cards)
    designs = card_comparison.designs_of(cards, effects, words.tested_traits, cache)
    return [
        *unused.check(cards, words),
        *card_comparison.check(designs, cache),
        *overriding.check_designs(designs, cards, effects, cache),
        *endless_effects.check_skills(cards, effects),
        *squadpoints.check(cards, cache),
        *hand_written.check_without_effect(cards),
        *hand_written.check_numbers(cards, effects),
        *translations.check(cards, effects),
        *translations.check_plain(cards),
    ]
