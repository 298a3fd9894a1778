"""Names, types and scopes: what the grammar allows and the game does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from toolkit.dsl import tree
from toolkit.dsl.clause_checks import clause_problems, opening_problems
from toolkit.dsl.names import NAMING, Names, keyword_problems, name_problems
from toolkit.dsl.printing import print_group, print_trigger
from toolkit.dsl.scope import Scope, scope_of
from toolkit.dsl.tree import Problem, walk
from toolkit.vocabulary import TRIGGERS, Role

_FILTERS = {
    "team": "of TEAM",
    "in_range": "in RANGE",
    "savezone": "in the SAVEZONE",
    "adjacent": "adjacent to",
    "opposite": "opposite",
    "with": "with",
    "status": "that are",
    "superlative": "with the highest",
}
"""The filters of a group in the language's order, and how each is written."""


Nodes = Sequence[Any]
"""All nodes of a sentence, from the outside in."""


def filter_problems(nodes: Nodes) -> Iterator[Problem]:
    """Filters of a group in a wrong order, or said twice."""
    groups = [node for node in nodes if isinstance(node, tree.Group) and len(node.order) > 1]
    if not groups:
        return
    order = list(_FILTERS)
    single = [node.group if isinstance(node, tree.One) else node.what for node in nodes if _is_single(node)]
    for node in groups:
        doubled = _doubled(node)
        if doubled:
            yield Problem("doubled-filter", f"{doubled} is said twice.", node.place, "Take one of them away.")
            continue
        for before, name in zip(node.order, node.order[1:], strict=False):
            if order.index(name) < order.index(before):
                words = f"`{_FILTERS[name]}`"
                message = f"{words} must come before `{_FILTERS[before]}`."
                ordered = print_group(node, "OPERATOR" if node in single else "OPERATORs")
                yield Problem("filter-order", message, node.place, f"Put {words} first.", ordered)
                break


def _doubled(group: tree.Group) -> str | None:
    """What a group says twice; `with` may be repeated for different things, and for two bounds of one."""
    for name in group.order:
        if name != "with" and group.order.count(name) > 1:
            return f"`{_FILTERS[name]}`"
    if "in_range" in group.order and "savezone" in group.order:
        return "Where they are"
    seen = set()
    for part in group.withs:
        key: Any = part
        words = "`with`"
        if isinstance(part, tree.QuantityFilter):
            key = (part.quantity.text, part.compare[0])
            words = f"`with {part.quantity.text} {part.compare}`"
        if key in seen or (group.team and key == tree.BearingFilter((tree.Bearing("TEAM", group.team),))):
            return words
        seen.add(key)
    return None


def _is_single(node: Any) -> bool:
    """Whether a node speaks of one OPERATOR of a group: `one …` and `for each …`."""
    return isinstance(node, (tree.One, tree.Per))


_JUDGED = {tree.Ref, tree.One, tree.Per, tree.AttackIsCritical, *NAMING}
"""The nodes of which something is asked here: the others are passed over once for all."""

_EVENTS_ONLY = {
    Role.EFFECT: (
        "An EFFECT card acts once, when it is played",
        "Begin the sentence with `when played,`.",
    ),
    Role.PERFORMANCE: (
        "PERFORMANCE is fulfilled by an event",
        "Begin the sentence with a `when`, for example `when self CAPTURES the OBJECTIVE,`.",
    ),
}


def check_effect(effect: tree.Effect, role: Role, names: Names) -> tuple[Problem, ...]:
    """Everything that is wrong with an effect in that role, in the order of the text."""
    problems: list[Problem] = []
    for sentence in effect.sentences:
        scope = scope_of(sentence, role)
        nodes = [node for node in walk(sentence) if node.__class__ in _JUDGED]
        wrong_trigger = [*_trigger(sentence, scope)]
        problems += wrong_trigger
        if not wrong_trigger:
            problems += _scopes(nodes, scope)
            problems += clause_problems(sentence, scope)
        problems += opening_problems(sentence, scope)
        problems += name_problems(nodes, names)
        problems += keyword_problems(nodes, role)
        problems += filter_problems(nodes)
    return tuple(sorted(problems, key=lambda problem: problem.place))


# WHEN


def _trigger(sentence: tree.Sentence, scope: Scope) -> Iterator[Problem]:
    title = scope.facts.title
    if scope.trigger is None:
        if scope.role in _EVENTS_ONLY:
            start = sentence.place[0]
            why, step = _EVENTS_ONLY[scope.role]
            place = (start, start + len("if")) if sentence.condition else sentence.clauses[0].place
            yield Problem("missing-trigger", f"{why}; this sentence says no `when`.", place, step)
        return
    when = sentence.when
    of_self = scope.trigger.needs_self and when is not None and when.subject is None
    nobody = of_self and not scope.facts.has_self
    if when is None or (scope.trigger.name in scope.facts.triggers and not nobody):
        return
    words = print_trigger(when)
    if nobody:
        message = f"`when {words}` speaks of the OPERATOR that bears the effect, and {title} has no bearer."
    else:
        message = f"`when {words}` never comes about for {title}."
    other = _INSTEAD.get(scope.trigger.name)
    right = f"when {TRIGGERS[other].words}" if other in scope.facts.triggers else None
    if nobody and scope.trigger.pattern and scope.trigger.name in scope.facts.triggers:
        right = f"when {scope.trigger.pattern.format(subject='an own OPERATOR')}"
    yield Problem("wrong-trigger", message, when.place, _other_trigger(scope, right))


_INSTEAD = {
    "attacking": "own-attacks",
    "attacked": "own-is-attacked",
    "attached": "played",
    "played": "attached",
}
"""Triggers that say the same for other kinds of card."""


def _other_trigger(scope: Scope, right: str | None) -> str:
    if right is not None:
        return f"Write `{right}`."
    if scope.role is Role.EFFECT:
        return "An EFFECT card acts once: write `when played`."
    if not scope.facts.triggers:
        return "Take the `when` away: the effect acts when the ACTION is performed."
    possible = ", ".join(f"`when {TRIGGERS[name].words}`" for name in scope.facts.triggers[:6])
    return f"There it can be {possible}" + (" and others." if len(scope.facts.triggers) > 6 else ".")


# OPERATORs that are named


def _scopes(nodes: Nodes, scope: Scope) -> Iterator[Problem]:
    for node in nodes:
        if isinstance(node, tree.Ref) and node.name not in scope.sides and node.name != "it":
            yield _no_such_operator(node, scope)
        elif isinstance(node, tree.Group) and "self" not in scope.sides:
            yield from _group_without_self(node, scope)
        elif isinstance(node, tree.AttackIsCritical) and not scope.attack:
            yield Problem(
                "no-attack",
                f"There is no attack {scope.occasion}, so it cannot be CRITICAL.",
                node.place,
                "Ask this only behind a `when` that speaks of an attack.",
            )


def _no_such_operator(ref: tree.Ref, scope: Scope) -> Problem:
    if ref.name == "self":
        return Problem(
            "no-self",
            f"There is no `self` on {scope.facts.title}: no OPERATOR bears it.",
            ref.place,
            "Say which OPERATORs are meant: `all own OPERATORs`, or `attacker` and `attacked` in an attack.",
        )
    name = "no-target" if ref.name == "target" else "no-attack"
    there = [f"`{known}`" for known in scope.sides]
    step = f"Here {' and '.join(there)} can be named." if there else "Here no single OPERATOR can be named."
    return Problem(name, f"There is no `{ref.name}` {scope.occasion}.", ref.place, step)


def _group_without_self(group: tree.Group, scope: Scope) -> Iterator[Problem]:
    title = scope.facts.title
    if group.in_range and group.in_range.of is None:
        yield Problem(
            "no-self",
            f"`in RANGE` alone is seen from `self`, and there is no `self` on {title}.",
            group.in_range.place,
            "Say whose: `in RANGE of attacker`." if scope.attack else "Take it away, or use another filter.",
        )
