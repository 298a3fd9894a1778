"""fixes-meet: two Fixes of one stat on one card that can act on the same OPERATOR at once (N-6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from toolkit.data.model import Card, CardSet
from toolkit.diagnostics import Diagnostic, Label
from toolkit.dsl import tree
from toolkit.dsl.printing import print_doing
from toolkit.dsl.tree import Problem
from toolkit.lint.context import EffectContext, Statement, statements_of
from toolkit.lint.membership import can_be_same
from toolkit.vocabulary import Role

_STEP = "Make their conditions exclude each other, or write `gets` for one of them."


class _Fixing(Struct, frozen=True):
    """One ``fixes`` and where it stands."""

    statement: Statement
    act: tree.Act
    doing: tree.Fixes


def check(statements: Sequence[Statement]) -> Iterator[Problem]:
    """Fixes of one effect that can meet: at the second, with the first as related place."""
    found = _fixings(statements)
    for first, second in combinations(found, 2):
        if _meet(first, second):
            related = ((first.doing.place, "the other Fix"),)
            yield Problem("fixes-meet", _message(first, second), second.doing.place, _STEP, None, related)


def check_project(cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect]) -> Iterator[Diagnostic]:
    """Fixes of different SKILLs of one OPERATOR that can meet; ``effects`` by card and ``skill 1``."""
    for card in cards.cards.values():
        if len(card.skills) > 1 and sum("fix" in skill.effect.value for skill in card.skills) > 1:
            yield from _skills(card, effects)


def _skills(card: Card, effects: Mapping[tuple[str, str], tree.Effect]) -> Iterator[Diagnostic]:
    context = EffectContext(Role.SKILL, card)
    trees = [(skill, effects.get((card.id, f"skill {n}"))) for n, skill in enumerate(card.skills, 1)]
    found = [
        (skill, fixing)
        for skill, effect in trees
        if effect is not None
        for fixing in _fixings(statements_of(effect, context))
    ]
    for (skill, first), (other, second) in combinations(found, 2):
        if skill is not other and _meet(first, second):
            place = other.effect.locate(*second.doing.place)
            label = Label(skill.effect.locate(*first.doing.place), "the other Fix")
            yield Diagnostic("fixes-meet", _message(first, second), place, _STEP, (label,), card.id)


def _message(first: _Fixing, second: _Fixing) -> str:
    stat = second.doing.stat.text
    return (
        f"`{print_doing(second.doing)}` can meet `{print_doing(first.doing)}`: {stat} can have only one of"
        " these numbers, and the other Fix does nothing."
    )


def _fixings(statements: Sequence[Statement]) -> list[_Fixing]:
    """Fixes that last: what an event fixes only until the end of its attack comes too late for it."""
    return [
        _Fixing(statement, act, doing)
        for statement in statements
        for act in statement.acts
        for doing in act.doings
        if isinstance(doing, tree.Fixes)
        and not isinstance(act.who, (tree.One, tree.Player))
        and not (act.duration and act.duration.name == "ATTACK")
    ]


def _meet(first: _Fixing, second: _Fixing) -> bool:
    if first.doing.stat.text != second.doing.stat.text or first.doing.value == second.doing.value:
        return False
    one, other = first.statement, second.statement
    if one is other and any(isinstance(clause, tree.Either) for clause in one.sentence.clauses):
        return False
    directions = {_attacking_side(one), _attacking_side(other)} - {None}
    if len(directions) > 1:
        return False
    scope = max((one.scope, other.scope), key=lambda scope: len(scope.parts))
    given = tuple(
        statement.sentence.condition
        for statement in (one, other)
        if statement.sentence.condition is not None and not statement.scope.event
    )
    return can_be_same(first.act.who, second.act.who, given, scope, one.context)


def _attacking_side(statement: Statement) -> str | None:
    """Whose attack a continuous sentence waits for; None if it waits for none."""
    return statement.scope.sides.get("attacker") if statement.is_continuous_attack else None
