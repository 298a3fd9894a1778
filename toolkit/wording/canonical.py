"""Effects that say the same in other words, brought to one form before they are put into words.

These, and no others, are the differences between two effects that the rules text does not show:

- in an attack in which the bearer has a certain part, ``attacker`` and ``attacked`` are ``self`` and
  ``target``; bare ``in RANGE`` is ``in RANGE of self``;
- ``other enemy OPERATORs`` are ``enemy OPERATORs``: ``other`` leaves out ``self``, which is none of them
  ("all other enemy OPERATORs" would leave out the target);
- an EFFECT card without ``when`` is one ``when played``;
- ``not`` is carried inwards to the single statements (``not x is HIT`` is ``x is not HIT``, ``not (a or b)``
  is ``not a and not b``), and what is nested without need is flat (``(a and b) and c``);
- of several conditions those that are made of others ("either … or …", "both … and …") come last;
- a comparison with a plain number has the number on the right; a count is never negative, so ``> 0`` and
  ``!= 0`` are ``>= 1``, and ``< 1`` and ``<= 0`` are ``= 0``;
- ``for each number of GROUP`` is ``for each GROUP``;
- neighbouring sentences with the same ``when`` and ``if`` are one, and what the same WHO does in them is
  one act (``blocks``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope, scope_of
from toolkit.vocabulary import Role

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_AT_LEAST_ONE = ((">", 0), ("!=", 0), (">=", 1))
_NONE = (("<", 1), ("<=", 0), ("=", 0))
_MOST_ACTS = 2
"""Sentences are joined up to so many acts; more would be hard to read."""


class Block(Struct, frozen=True):
    """What is printed as one sentence: acts side by side (``and``), or one after the other (``then``)."""

    when: tree.When | None
    condition: tree.Condition | None
    clauses: tuple[tree.Clause, ...]
    link: Literal["and", "then"]
    scope: Scope


def blocks(effect: tree.Effect, role: Role) -> tuple[Block, ...]:
    """The sentences of an effect in one form, joined where trigger and condition are the same."""
    joined: list[Block] = []
    for sentence in effect.sentences:
        block = _block(sentence, role)
        together = _join(joined[-1], block) if joined else None
        if together is None:
            joined.append(block)
        else:
            joined[-1] = together
    return tuple(joined)


def _block(sentence: tree.Sentence, role: Role) -> Block:
    if sentence.when is None and role is Role.EFFECT:
        sentence = replace(sentence, when=tree.When("played"))
    scope = scope_of(sentence, role)

    def one_form(node: Any) -> Any:
        return _one_form(node, scope)

    plain: tree.Sentence = _rebuild(sentence, one_form)
    link: Literal["and", "then"] = "then" if len(plain.clauses) > 1 else "and"
    return Block(plain.when, plain.condition, plain.clauses, link, scope)


def _rebuild(node: Any, change: Callable[[Any], Any]) -> Any:
    """The node without its places, from the leaves upwards, each node changed by ``change``."""
    if isinstance(node, tuple):
        return tuple(_rebuild(part, change) for part in node)
    if not isinstance(node, tree.Node):
        return node
    values = {name: _rebuild(getattr(node, name), change) for name in tree.said_by(type(node))}
    kind: Any = type(node)
    return change(kind(**values))


def _one_form(node: Any, scope: Scope) -> Any:
    match node:
        case tree.Ref(name):
            return tree.Ref(_bearer_first(name, scope))
        case tree.InRange(None):
            return tree.InRange(tree.Ref("self"))
        case tree.Group("enemy", True):
            return replace(node, other=False)
        case tree.Per(tree.NumberOf(group), maximum):
            return tree.Per(group, maximum)
        case tree.Not(part):
            return negated(part)
        case tree.AllOf(parts):
            return _together(parts, tree.AllOf)
        case tree.AnyOf(parts):
            return _together(parts, tree.AnyOf)
        case tree.Comparison():
            return _comparison(node)
        case _:
            return node


def _bearer_first(name: str, scope: Scope) -> str:
    for known in ("self", "target"):
        if name in scope.parts and scope.parts.get(known) == scope.parts[name]:
            return known
    return name


def negated(condition: tree.Condition) -> tree.Condition:
    """What holds where the condition does not, in one form."""
    match condition:
        case tree.AllOf(parts):
            return _together(tuple(negated(part) for part in parts), tree.AnyOf)
        case tree.AnyOf(parts):
            return _together(tuple(negated(part) for part in parts), tree.AllOf)
        case tree.Not(part):
            return part
        case tree.Comparison(left, compare, right):
            return _comparison(tree.Comparison(left, _OPPOSITE[compare], right))
        case _:
            return replace(condition, negated=not condition.negated)


def _together(parts: tuple[tree.Condition, ...], kind: type[tree.AllOf] | type[tree.AnyOf]) -> tree.Condition:
    flat: list[tree.Condition] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, kind) else (part,))
    flat.sort(key=lambda part: isinstance(part, (tree.AllOf, tree.AnyOf)))
    return kind(tuple(flat)) if len(flat) > 1 else flat[0]


def integer(number: tree.Number) -> int | None:
    """The value of a plain number, with its sign, or None."""
    match number:
        case tree.Constant(value):
            return value
        case tree.Negative(tree.Constant(value)) if value:
            return -value
        case _:
            return None


def _comparison(said: tree.Comparison) -> tree.Comparison:
    left, compare, right = said.left, said.compare, said.right
    if integer(left) is not None and integer(right) is None:
        left, compare, right = right, _MIRRORED[compare], left
    value = integer(right)
    if isinstance(left, (tree.NumberOf, tree.CardsInHand)) and value is not None:
        if (compare, value) in _AT_LEAST_ONE:
            compare, right = ">=", tree.Constant(1)
        elif (compare, value) in _NONE:
            compare, right = "=", tree.Constant(0)
    return tree.Comparison(left, compare, right)


def _join(first: Block, second: Block) -> Block | None:
    """Two neighbours as one block, or None where that would change or hide what they mean."""
    if (first.when, first.condition) != (second.when, second.condition) or first.link == "then":
        return None
    if second.link == "then" or (first.scope.event and first.condition is not None):
        return None  # an event's second sentence may find its condition changed by the first
    last, act = first.clauses[-1], second.clauses[0]
    if isinstance(last, tree.Either) or isinstance(act, tree.Either):
        return None
    if last.who == act.who and last.duration == act.duration and not isinstance(act.who, tree.One):
        act = tree.Act(act.who, last.doings + act.doings, act.duration)
        return replace(first, clauses=(*first.clauses[:-1], act))
    if len(first.clauses) == _MOST_ACTS:
        return None
    return replace(first, clauses=(*first.clauses, act))
