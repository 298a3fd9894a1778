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
from toolkit.lint.proof.literals import MIRRORED, QUESTIONS
from toolkit.vocabulary import Role


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
        who = normalized(self.who, parts)
        what = normalized(self.done if done is None else done, parts)
        return self.when, normalized(self.condition, parts), who, what, self.duration, self.links


def atomic_effects(effect: tree.Effect, role: Role) -> tuple[AtomicEffect, ...]:
    """Return the atomic effects of an effect.

    Amounts that continuous sentences give to one stat in the same words are added up: ``+1 AP`` twice is
    ``+2 AP``. Between two changes by events something else may act, so those stay apart.
    """
    found = [one for sentence in effect.sentences for one in _of_sentence(sentence, role)]
    given = [(one.when, one.done.what.text) for one in found if isinstance(one.done, tree.Gets)]
    return tuple(found) if len(set(given)) == len(given) else tuple(_added_up(found))


def _of_sentence(sentence: tree.Sentence, role: Role) -> Iterator[AtomicEffect]:
    scope = certain_scope(sentence, role)
    given = (scope, sentence.when, sentence.limit, sentence.condition)
    acts = [clause for clause in sentence.clauses if isinstance(clause, tree.Act)]
    if len(acts) < len(sentence.clauses) or (scope.event and len(acts) > 1) or any(map(_is_whole, acts)):
        links: tuple[tree.Link, ...] = tuple("then" if link == "and" else link for link in sentence.links)
        links = () if set(links) == {"then"} else links
        yield AtomicEffect(*given, None, sentence.clauses, None, sentence.place, links)
        return
    for act in acts:
        duration = act.duration.name if act.duration else None
        for doing in act.doings:
            yield AtomicEffect(*given, act.who, doing, duration, doing.place)


def _is_whole(act: tree.Act) -> bool:
    """Whether what is done is one decision: it may be declined, or it is all done to those who are chosen."""
    return act.may or (isinstance(act.who, tree.One) and len(act.doings) > 1)


def _added_up(effects: list[AtomicEffect]) -> Iterator[AtomicEffect]:
    sums: dict[Hashable, tuple[AtomicEffect, int]] = {}
    for one in effects:
        if not isinstance(one.done, tree.Gets) or one.scope.event or one.done.per is not None:
            yield one
            continue
        key = one.key(replace(one.done, amount=0))
        first, amount = sums.get(key, (one, 0))
        sums[key] = first, amount + one.done.amount
    for one, amount in sums.values():
        if amount and isinstance(one.done, tree.Gets):
            same = amount == one.done.amount
            yield one if same else replace(one, done=replace(one.done, amount=amount))


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
            return type(node).__name__, frozenset([normalized(part, parts) for part in _flat(node)])
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
    found: list[tree.Condition] = []
    for part in node.parts:
        inner = isinstance(part, (tree.AllOf, tree.AnyOf)) and type(part) is type(node)
        found += _flat(part) if inner else [part]  # type: ignore[arg-type]  # inner says which it is
    return found


def _negated(part: tree.Condition, parts: Mapping[str, str]) -> Hashable:
    """``not not a`` is a, and ``not (a is b)`` is ``a is not b``."""
    if isinstance(part, tree.Not):
        return normalized(part.part, parts)
    if isinstance(part, QUESTIONS):
        return normalized(replace(part, negated=not part.negated), parts)
    return "not", normalized(part, parts)


def _comparison(node: tree.Comparison, parts: Mapping[str, str]) -> Hashable:
    """The plain number stands right, and ``> 2`` is ``>= 3``: all numbers are whole."""
    left, compare, right = node.left, node.compare, node.right
    if isinstance(left, tree.Constant) and not isinstance(right, tree.Constant):
        left, compare, right = right, MIRRORED[compare], left
    if isinstance(right, tree.Constant) and compare in "<>":
        step = 1 if compare == ">" else -1
        return f"{compare}=", normalized(left, parts), right.value + step
    limit = right.value if isinstance(right, tree.Constant) else normalized(right, parts)
    return compare, normalized(left, parts), limit


def is_subset(narrow: tree.Group, wide: tree.Group, parts: Mapping[str, str]) -> bool:
    """Whether every member of the first GROUP is certainly one of the second.

    So it is if each filter of the second is one of the first too. Without a status a GROUP has only OPERATORs
    that are neither HIT nor OUT.
    """
    if wide.superlative is not None:  # E-9: the highest of some need not be the highest of more
        return normalized(wide, parts) == normalized(narrow, parts)
    if wide.side not in ("any", narrow.side) or (wide.other and not narrow.other):
        return False
    upright = (
        wide.status is None
        and narrow.status is not None
        and (
            narrow.status.negated
            or {"HIT", "OUT"}.isdisjoint(word.text for word in (narrow.status.status, *narrow.status.others))
        )
    )
    mine, others = ({normalized(part, parts) for part in group.withs} for group in (wide, narrow))
    equal = ("savezone",) if upright else ("savezone", "status")
    filters = [name for name in ("team", "in_range", "adjacent", "opposite") if getattr(wide, name)]
    return mine <= others and all(
        normalized(getattr(wide, name), parts) == normalized(getattr(narrow, name), parts)
        for name in (*equal, *filters)
    )
