"""What a check is given: where an effect stands, and its sentences with what can be named in them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from toolkit.data.model import Card
from toolkit.dsl import tree
from toolkit.dsl.scope import Scope, scope_of
from toolkit.vocabulary import Role


class EffectContext(Struct, frozen=True):
    """Where an effect stands.

    ``bearer`` is the OPERATOR card whose SKILL it is, else None. ``operators`` are all OPERATORs of the
    project; it is empty where they are not all known (one was left out for an error of its own), and then
    nothing is concluded from them.
    """

    role: Role
    bearer: Card | None = None
    operators: Sequence[Card] = ()


class Statement(Struct, frozen=True):
    """A sentence as the checks read it.

    ``acts`` are its ``WHO DOES`` in the order of the text, those inside ``either`` too; ``groups`` are all
    GROUPs: in the condition, as WHO and as what is counted.
    """

    sentence: tree.Sentence
    scope: Scope
    context: EffectContext
    acts: tuple[tree.Act, ...]
    groups: tuple[tree.Group, ...]

    @property
    def is_continuous_attack(self) -> bool:
        """Whether the sentence holds while an attack goes on, and only then."""
        return self.scope.attack and not self.scope.event


class _Parts(Struct):
    """What is gathered while a sentence is read."""

    acts: list[tree.Act] = field(default_factory=list)
    groups: list[tree.Group] = field(default_factory=list)


def statements_of(effect: tree.Effect, context: EffectContext) -> tuple[Statement, ...]:
    """The sentences of an effect as statements."""
    return tuple(_statement(sentence, context) for sentence in effect.sentences)


def _statement(sentence: tree.Sentence, context: EffectContext) -> Statement:
    parts = _Parts()
    if sentence.condition is not None:
        _read_condition(sentence.condition, parts)
    for clause in sentence.clauses:
        _read_clause(clause, parts)
    scope = scope_of(sentence, context.role)
    return Statement(sentence, scope, context, tuple(parts.acts), tuple(parts.groups))


def _read_clause(clause: tree.Clause, parts: _Parts) -> None:
    if isinstance(clause, tree.Either):
        _read_clause(clause.first, parts)
        _read_clause(clause.second, parts)
        return
    parts.acts.append(clause)
    if isinstance(clause.who, (tree.One, tree.Every)):
        parts.groups.append(clause.who.group)
    for doing in clause.doings:
        if isinstance(doing, tree.Gets) and doing.per is not None:
            if isinstance(doing.per.what, tree.Group):
                parts.groups.append(doing.per.what)
            else:
                _read_number(doing.per.what, parts)


def _read_condition(condition: tree.Condition, parts: _Parts) -> None:
    if isinstance(condition, tree.Comparison):
        _read_number(condition.left, parts)
        _read_number(condition.right, parts)
    elif isinstance(condition, (tree.AllOf, tree.AnyOf)):
        for part in condition.parts:
            _read_condition(part, parts)
    elif isinstance(condition, tree.Not):
        _read_condition(condition.part, parts)


def _read_number(number: tree.Number, parts: _Parts) -> None:
    if isinstance(number, tree.Binary):
        _read_number(number.left, parts)
        _read_number(number.right, parts)
    elif isinstance(number, tree.Negative):
        _read_number(number.number, parts)
    elif isinstance(number, tree.NumberOf):
        parts.groups.append(number.group)
