"""Effects in a normal form: taken apart into atomic effects, of which those that say the same are equal.

What is called equal is equal; not every equality of meaning is recognised.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope
from toolkit.lint.context import certain_scope
from toolkit.lint.proof.literals import QUESTIONS
from toolkit.vocabulary import Role
from toolkit.vocabulary.comparisons import MIRRORED


class AtomicEffect(Struct, frozen=True):
    """One action on one target, with trigger, condition and duration.

    ``done`` is several clauses where they only have a meaning together (``, then``, ``either``, ``may``, what
    is done to those who are chosen), with the ``links`` between them; ``who`` is None then. ``place`` is
    where it stands in the effect's text.
    """

    scope: Scope
    trigger: tree.When | None
    limit: tree.Limit | None
    condition: tree.Condition | None
    who: tree.Who | None
    done: tree.Doing | tuple[tree.Clause, ...]
    duration: str | None
    place: tree.Place
    links: tuple[tree.Link, ...] = ()

    @property
    def when(self) -> Hashable:
        """Equal for those that wait for the same thing, as often (E-4); None for what always acts."""
        trigger = self.trigger
        if trigger is None:
            return self.limit
        if trigger.subject is None and trigger.what is None and self.limit is None:
            return trigger.name
        parts = self.scope.parts
        return trigger.name, normalized(trigger.subject, parts), normalized(trigger.what, parts), self.limit

    def key(self, done: tree.Doing | None = None) -> Hashable:
        """Return a value that is equal for atomic effects that say the same; ``done`` replaces its own."""
        parts = self.scope.parts
        who_key = normalized(self.who, parts)
        done_key = normalized(self.done if done is None else done, parts)
        return self.when, normalized(self.condition, parts), who_key, done_key, self.duration, self.links


def atomic_effects(effect: tree.Effect, role: Role) -> tuple[AtomicEffect, ...]:
    """Return the atomic effects of an effect.

    Amounts that continuous sentences give to one stat in the same words are added up: ``+1 AP`` twice is
    ``+2 AP``. Between two changes by events something else may act, so those stay apart.
    """
    effects = [
        atomic_effect for sentence in effect.sentences for atomic_effect in _of_sentence(sentence, role)
    ]
    given_stats = [
        (atomic_effect.when, atomic_effect.done.what.text)
        for atomic_effect in effects
        if isinstance(atomic_effect.done, tree.Gets)
    ]
    gives_one_twice = len(set(given_stats)) < len(given_stats)
    return tuple(_added_up(effects)) if gives_one_twice else tuple(effects)


def _of_sentence(sentence: tree.Sentence, role: Role) -> Iterator[AtomicEffect]:
    """Yield one effect for each verb; one for the whole sentence if its clauses depend on each other."""
    scope = certain_scope(sentence, role)
    common_fields = (scope, sentence.when, sentence.limit, sentence.condition)
    acts = [clause for clause in sentence.clauses if isinstance(clause, tree.Act)]
    if len(acts) < len(sentence.clauses) or (scope.event and len(acts) > 1) or any(map(_is_whole, acts)):
        links: tuple[tree.Link, ...] = tuple("then" if link == "and" else link for link in sentence.links)
        links = () if set(links) == {"then"} else links
        yield AtomicEffect(*common_fields, None, sentence.clauses, None, sentence.place, links)
        return
    for act in acts:
        duration = act.duration.name if act.duration else None
        for doing in act.doings:
            yield AtomicEffect(*common_fields, act.who, doing, duration, doing.place)


def _is_whole(act: tree.Act) -> bool:
    """Whether what is done is one decision: it may be declined, or it is all done to those who are chosen."""
    return act.may or (isinstance(act.who, tree.One) and len(act.doings) > 1)


def _added_up(effects: list[AtomicEffect]) -> Iterator[AtomicEffect]:
    """Yield the effects with equal continuous changes as one; those that add up to 0 are left out."""
    sums: dict[Hashable, tuple[AtomicEffect, int]] = {}
    for effect in effects:
        if not isinstance(effect.done, tree.Gets) or effect.scope.event or effect.done.per is not None:
            yield effect
            continue
        key = effect.key(replace(effect.done, amount=0))
        first, amount = sums.get(key, (effect, 0))
        sums[key] = first, amount + effect.done.amount
    for effect, amount in sums.values():
        if amount and isinstance(effect.done, tree.Gets):
            is_unchanged = amount == effect.done.amount
            yield effect if is_unchanged else replace(effect, done=replace(effect.done, amount=amount))


def normalized(node: Any, parts: Mapping[str, str]) -> Hashable:
    """Return a value that is equal for pieces of an effect that say the same in other words.

    ``parts`` are the parts of OPERATORs in the attack (``Scope.parts``).
    """
    if node is None or isinstance(node, (str, int)):
        return node
    match node:
        case tree.Ref(name):
            return parts.get(name, name)
        case tree.Word(text):
            return text
        case tuple():
            return tuple([normalized(item, parts) for item in node])
        case tree.AllOf() | tree.AnyOf():
            return type(node).__name__, frozenset(
                [normalized(condition_part, parts) for condition_part in _flat(node)]
            )
        case tree.Not():
            return _negated(node.part, parts)
        case tree.Comparison():
            return _comparison(node, parts)
        case tree.TurnIs(side, negated):
            return "TURN", (side == "own") != negated
        case tree.Stands(ref, relation, to, negated):
            ends = normalized(ref, parts), normalized(to, parts)
            symmetric = relation in ("adjacent", "opposite")
            return relation, frozenset(ends) if symmetric else ends, negated
    return type(node).__name__, *[
        normalized(getattr(node, name), parts) for name in tree.compared_fields(node.__class__)
    ]


def _flat(node: tree.AllOf | tree.AnyOf) -> list[tree.Condition]:
    """Return the parts; those of a part of the same kind in place of it."""
    conditions: list[tree.Condition] = []
    for condition_part in node.parts:
        if isinstance(condition_part, (tree.AllOf, tree.AnyOf)) and type(condition_part) is type(node):
            conditions += _flat(condition_part)
        else:
            conditions.append(condition_part)
    return conditions


def _negated(condition: tree.Condition, parts: Mapping[str, str]) -> Hashable:
    """``not not a`` is a, and ``not (a is b)`` is ``a is not b``."""
    if isinstance(condition, tree.Not):
        return normalized(condition.part, parts)
    if isinstance(condition, QUESTIONS):
        return normalized(replace(condition, negated=not condition.negated), parts)
    return "not", normalized(condition, parts)


def _comparison(node: tree.Comparison, parts: Mapping[str, str]) -> Hashable:
    """The plain number stands right, and ``> 2`` is ``>= 3``: all numbers are whole."""
    left, compare, right = node.left, node.compare, node.right
    if isinstance(left, tree.Constant) and not isinstance(right, tree.Constant):
        left, compare, right = right, MIRRORED[compare], left
    if not isinstance(right, tree.Constant):
        return compare, normalized(left, parts), normalized(right, parts)
    if compare == ">":
        return ">=", normalized(left, parts), right.value + 1
    if compare == "<":
        return "<=", normalized(left, parts), right.value - 1
    return compare, normalized(left, parts), right.value


def is_subset(narrow: tree.Group, wide: tree.Group, parts: Mapping[str, str]) -> bool:
    """Whether every member of the first GROUP is certainly one of the second.

    So it is if each filter of the second is one of the first too. Without a status a GROUP has only OPERATORs
    that are neither HIT nor OUT.
    """
    if wide.superlative is not None:  # E-9: the highest of some need not be the highest of more
        return normalized(wide, parts) == normalized(narrow, parts)
    if wide.side not in ("any", narrow.side) or (wide.other and not narrow.other):
        return False
    is_upright_already = False
    if wide.status is None and narrow.status is not None:
        statuses = {word.text for word in (narrow.status.status, *narrow.status.others)}
        is_upright_already = narrow.status.negated or statuses.isdisjoint(("HIT", "OUT"))
    wide_withs, narrow_withs = (
        {normalized(group_filter, parts) for group_filter in group.withs} for group in (wide, narrow)
    )
    always_equal = ("savezone",) if is_upright_already else ("savezone", "status")
    equal_if_filtered = [
        name for name in ("team", "team_of", "in_range", "adjacent", "opposite") if getattr(wide, name)
    ]
    return wide_withs <= narrow_withs and all(
        normalized(getattr(wide, name), parts) == normalized(getattr(narrow, name), parts)
        for name in (*always_equal, *equal_if_filtered)
    )
