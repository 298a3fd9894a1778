"""Checks of names, types and scopes: what the grammar allows and the game does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from toolkit.dsl import tree
from toolkit.dsl.clause_checks import clause_problems, opening_problems
from toolkit.dsl.effect_printer import print_group, print_trigger
from toolkit.dsl.names import NODES_WITH_NAMES, Names, keyword_problems, name_problems
from toolkit.dsl.scope import Scope, scope_of
from toolkit.dsl.tree import Problem, walk
from toolkit.vocabulary import TRIGGERS, Role

_FILTERS = {
    "adjective": "EXHAUSTED OPERATORs",
    "team": "of TEAM",
    "in_range": "in RANGE",
    "savezone": "in the SAVEZONE",
    "adjacent": "adjacent to",
    "opposite": "opposite",
    "with": "with",
    "status": "that are",
    "superlative": "with the highest",
}
"""The filters of a group in the language's order, with their words."""


Nodes = Sequence[Any]
"""Nodes of a sentence, outer ones first."""


def filter_problems(nodes: Nodes) -> Iterator[Problem]:
    """Yield problems of filters of a group in the wrong order, or repeated."""
    groups = [node for node in nodes if isinstance(node, tree.Group) and len(node.order) > 1]
    if not groups:
        return
    order = list(_FILTERS)
    # `one …` and `for each …` name their group in the singular
    single = [
        node.group if isinstance(node, tree.One) else node.what
        for node in nodes
        if isinstance(node, (tree.One, tree.Per))
    ]
    for node in groups:
        doubled = _doubled(node)
        if doubled:
            yield Problem("doubled-filter", f"{doubled} is written twice.", node.place, "Remove one of them.")
            continue
        for name_before, name in zip(node.order, node.order[1:], strict=False):
            if order.index(name) < order.index(name_before):
                words = f"`{_FILTERS[name]}`"
                message = f"{words} must come before `{_FILTERS[name_before]}`."
                ordered = print_group(node, "OPERATOR" if node in single else "OPERATORs")
                yield Problem("filter-order", message, node.place, f"Put {words} first.", ordered)
                break


def _doubled(group: tree.Group) -> str | None:
    """Return what a group repeats, in words; None if nothing.

    ``with`` may be repeated for different things, or for both bounds of one: `with AP >= 2 with AP <= 4`.
    """
    for name in group.order:
        if name != "with" and group.order.count(name) > 1:
            return f"`{_FILTERS[name]}`"
    if "in_range" in group.order and "savezone" in group.order:
        return "The place of the OPERATORs"
    if "adjective" in group.order and "status" in group.order:
        return "The status of the OPERATORs"
    seen_filters = set()
    for group_filter in group.withs:
        key: Any = group_filter
        words = "`with`"
        if isinstance(group_filter, tree.QuantityFilter):
            bound = group_filter.compare[0]  # `<` and `<=` are the same bound
            key = (group_filter.quantity.text, bound)
            words = f"`with {group_filter.quantity.text} {group_filter.compare}`"
        # `of TEAM "owls"` and `with TEAM "owls"` say the same
        repeats_team = group.team and key == tree.BearingFilter((tree.Bearing("TEAM", group.team),))
        if key in seen_filters or repeats_team:
            return words
        seen_filters.add(key)
    return None


_CHECKED_NODES = {tree.Ref, tree.One, tree.Per, tree.AttackIsCritical, *NODES_WITH_NAMES}
"""The types of node that are checked here; all others are filtered out once for all checks."""

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
    """Return all problems of an effect in a role, in the order of the text."""
    problems: list[Problem] = []
    for sentence in effect.sentences:
        scope = scope_of(sentence, role)
        nodes = [node for node in walk(sentence) if node.__class__ in _CHECKED_NODES]
        wrong_trigger = [*_trigger(sentence, scope)]
        problems += wrong_trigger
        if not wrong_trigger:  # else the scope is not what the author has in mind
            problems += _scopes(nodes, scope)
            problems += clause_problems(sentence, scope)
        problems += opening_problems(sentence, scope)
        problems += name_problems(nodes, names)
        problems += keyword_problems(nodes, role)
        problems += filter_problems(nodes)
    return tuple(sorted(problems, key=lambda problem: problem.place))


# WHEN


def _trigger(sentence: tree.Sentence, scope: Scope) -> Iterator[Problem]:
    """Check that the role of the effect has this trigger, and that it has one if it needs one."""
    when, trigger = sentence.when, scope.trigger
    if when is None or trigger is None:
        if scope.role in _EVENTS_ONLY:
            start = sentence.place[0]
            why, step = _EVENTS_ONLY[scope.role]
            span = (start, start + len("if")) if sentence.condition else sentence.clauses[0].place
            yield Problem("missing-trigger", f"{why}, but this sentence has no `when`.", span, step)
        return
    is_possible = trigger.name in scope.facts.triggers
    lacks_self = trigger.needs_self and when.subject is None and not scope.facts.has_self
    if is_possible and not lacks_self:
        return
    words, title = print_trigger(when), scope.facts.title
    if lacks_self:
        message = f"`when {words}` is about the OPERATOR with the effect, but {title} has no bearer."
    else:
        message = f"`when {words}` never happens for {title}."
    equivalent = _EQUIVALENT_TRIGGERS.get(trigger.name)
    right_words = f"when {TRIGGERS[equivalent].words}" if equivalent in scope.facts.triggers else None
    if lacks_self and trigger.pattern and is_possible:
        right_words = f"when {trigger.pattern.format(subject='an own OPERATOR')}"
    yield Problem("wrong-trigger", message, when.place, _other_trigger(scope, right_words))


_LISTED_TRIGGERS = 6
_EQUIVALENT_TRIGGERS = {
    "attacking": "own-attacks",
    "attacked": "own-is-attacked",
    "attached": "played",
    "played": "attached",
}
"""For each trigger the one that means the same for other kinds of card."""


def _other_trigger(scope: Scope, right: str | None) -> str:
    """Return the next step where a trigger is not possible."""
    if right is not None:
        return f"Write `{right}`."
    if scope.role is Role.EFFECT:
        return "An EFFECT card acts once: write `when played`."
    if not scope.facts.triggers:
        return "Remove the `when`: the effect acts when the ACTION is performed."
    names = scope.facts.triggers
    possible = ", ".join(f"`when {TRIGGERS[name].words}`" for name in names[:_LISTED_TRIGGERS])
    return f"Possible here: {possible}" + (" and others." if len(names) > _LISTED_TRIGGERS else ".")


# OPERATORs that are named


def _scopes(nodes: Nodes, scope: Scope) -> Iterator[Problem]:
    """Check that OPERATORs and the attack that are named exist here."""
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
                "Use this only after a `when` that is about an attack.",
            )


def _no_such_operator(ref: tree.Ref, scope: Scope) -> Problem:
    """Return the problem that a name such as ``self`` means no OPERATOR here."""
    if ref.name == "self":
        return Problem(
            "no-self",
            f"There is no `self` on {scope.facts.title}: no OPERATOR bears it.",
            ref.place,
            "Name the OPERATORs, for example `all own OPERATORs`, or `attacker` and `attacked` in an attack.",
        )
    name = "no-target" if ref.name == "target" else "no-attack"
    nameable = " and ".join(f"`{operator_name}`" for operator_name in scope.sides)
    step = f"Here {nameable or 'no single OPERATOR'} can be named."
    return Problem(name, f"There is no `{ref.name}` {scope.occasion}.", ref.place, step)


def _group_without_self(group: tree.Group, scope: Scope) -> Iterator[Problem]:
    """Yield a filter `in RANGE` that means the RANGE of `self`, which does not exist here."""
    title = scope.facts.title
    if group.in_range and group.in_range.of is None:
        yield Problem(
            "no-self",
            f"`in RANGE` alone means the RANGE of `self`, and there is no `self` on {title}.",
            group.in_range.place,
            "Write whose: `in RANGE of attacker`." if scope.attack else "Remove it, or use another filter.",
        )
