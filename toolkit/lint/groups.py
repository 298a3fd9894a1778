"""empty-group: a GROUP that no OPERATOR can ever belong to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial

from toolkit.data.model import Card
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import print_group
from toolkit.dsl.tree import Problem
from toolkit.lint.context import EffectContext, Statement, quoted
from toolkit.lint.proof.domains import Domains, Range, quantity_range
from toolkit.lint.proof.literals import holds_within
from toolkit.lint.proof.polynomials import Variables
from toolkit.lint.proof.satisfiability import MEMBER, can_hold, filters_as_conditions

_STEP = "Change the filters so that they can all be met."
_WHOSE = {"own": "your own", "enemy": "the enemy's"}


def check(statement: Statement) -> Iterator[Problem]:
    """GROUPs without a possible member, as WHO, in ``number of`` and in ``for each``."""
    for group in statement.groups:
        why = why_empty(group, statement)
        if why:
            message = f"{quoted(print_group(group))} can have no member: {why}."
            yield Problem("empty-group", message, group.place, _STEP)


def why_empty(group: tree.Group, statement: Statement) -> str | None:
    """Return the rule that leaves nobody in a GROUP; None where somebody may be in it."""
    why = _wrong_row(group, statement)
    status = group.status if group.in_range else None
    if why is None and status and not status.negated:
        words = [word.text for word in (status.status, *status.others)]
        if {"HIT", "OUT"}.issuperset(words):
            why = f"{' and '.join(words)} OPERATORs are in nobody's RANGE"
    if why is None and group.savezone and (group.adjacent or group.opposite):
        why = "whoever is in the SAVEZONE has no place on the FIELD"  # E-9
    return why or statement.context.why_nobody(group) or _contradiction(group, statement)


def _contradiction(group: tree.Group, statement: Statement) -> str | None:
    """Filters that nobody can pass together; one that nobody passes alone is a finding of its own."""
    if not group.withs or any(
        filter_verdict(group_filter, group, statement.context) is False for group_filter in group.withs
    ):
        return None
    together = tree.AllOf(tuple(filters_as_conditions(group, MEMBER)))
    domains = Domains(statement.scope, statement.context)
    return None if can_hold(together, Variables(domains)) else "nobody passes all of these filters"


def filter_verdict(
    group_filter: tree.QuantityFilter | tree.BearingFilter, group: tree.Group, context: EffectContext
) -> bool | None:
    """Return True if ``with QUANTITY CMP n`` excludes nobody, False if everybody, else None."""
    if isinstance(group_filter, tree.BearingFilter) or group_filter.than is not None:
        return None
    if group.savezone and group_filter.quantity.text == "FIELDPOSITION":
        return None  # nobody there has one
    return holds_within(group_filter.compare, group_filter.number, range_of(group_filter.quantity, context))


def range_of(quantity: tree.Word, context: EffectContext) -> Range:
    """Return the range of a QUANTITY of an OPERATOR on the FIELD."""
    facts = context.markers.get(quantity.id) if isinstance(quantity, tree.Marker) else None
    return (0, facts.maximum) if facts else quantity_range(quantity.text)


def _wrong_row(group: tree.Group, statement: Statement) -> str | None:
    """Why nobody can stand in the row that is asked for: adjacent is one's own row, opposite the other
    (LANGUAGE.md §2, WHO)."""
    sides = {name: side for name, side in statement.scope.sides.items() if side != "any"}
    beside = sides.get(group.adjacent.name) if group.adjacent else None
    facing = sides.get(group.opposite.name) if group.opposite else None
    if group.adjacent and beside and group.side not in ("any", beside):
        return (
            f"`{group.adjacent.name}` is in {_WHOSE[beside]} row, and adjacent OPERATORs are in the same row"
        )
    if group.opposite and facing and group.side == facing:
        return (
            f"`{group.opposite.name}` is in {_WHOSE[facing]} row, and opposite OPERATORs are in the other row"
        )
    if group.adjacent and group.opposite and beside and beside == facing:
        return "adjacent OPERATORs are in the same row, opposite ones in the other"
    return None


def nobody_of_the_project(
    group: tree.Group,
    operators: Sequence[Card],
    given_traits: Collection[str] = (),
    given_keywords: Collection[str] = (),
) -> str | None:
    """Return what a GROUP asks for that no OPERATOR of the project has together.

    A TEAM or trait that no OPERATOR has at all is a finding of its own. Without ``operators`` (one was left
    out for an error of its own) nothing is concluded from them. Anybody may get a trait that is
    ``given_traits``, and so a KEYWORD.
    """
    if not (group.team or group.withs) or not operators:
        return None
    members: list[Card] = list(operators)
    requirements = []
    if group.team is not None:
        members = [card for card in members if card.team == group.team.text]
        requirements.append(f"TEAM `{group.team.text}`")
        if not members:
            return None
    for group_filter in group.withs:
        if isinstance(group_filter, tree.QuantityFilter):
            if not _is_printed(group_filter):
                continue
            quantity, compare, number = group_filter.quantity.text, group_filter.compare, group_filter.number
            if holds_within(compare, number, quantity_range(quantity)) is not None:
                return None  # it holds for each or for none, whatever is printed: another finding
            members = [card for card in members if _fits(card, group_filter)]
            requirements.append(f"{quantity} {compare} {number}")
        elif all(bearing.what in _PRINTED_BEARINGS and bearing.name for bearing in group_filter.bearings):
            may_pass = partial(
                _may_pass,
                bearing_filter=group_filter,
                given_traits=given_traits,
                given_keywords=given_keywords,
            )
            names_keywords_only = all(bearing.what == "KEYWORD" for bearing in group_filter.bearings)
            if not names_keywords_only and not any(map(may_pass, operators)):
                return None
            members = [card for card in members if may_pass(card)]
            requirements.append(_bearings_in_words(group_filter))
    if members or not requirements:
        return None
    return f"no OPERATOR of this project has {' and '.join(requirements)}"


_PRINTED_BEARINGS = ("TEAM", "trait", "KEYWORD")


def _bearings_in_words(bearing_filter: tree.BearingFilter) -> str:
    """Return such as "no trait `sniper`", "TEAM `owls` or KEYWORD `swift`"."""
    words = [f"{bearing.what} `{bearing.name.text}`" for bearing in bearing_filter.bearings if bearing.name]
    return f"{'no ' * bearing_filter.negated}{' or '.join(words)}"


def _is_printed(quantity_filter: tree.QuantityFilter) -> bool:
    text = quantity_filter.quantity.text
    return quantity_filter.than is None and (text == "SQUADPOINTS" or text.endswith(" VALUE"))


def _may_pass(
    card: Card,
    bearing_filter: tree.BearingFilter,
    given_traits: Collection[str],
    given_keywords: Collection[str],
) -> bool:
    """Whether an OPERATOR can have one of these, or, negated, can be without it: nobody loses any."""

    def has(bearing: tree.Bearing) -> bool:
        name = bearing.name.text if bearing.name else ""
        if bearing.what == "TEAM":
            return card.team == name
        return name in (card.traits if bearing.what == "trait" else card.keywords)

    if bearing_filter.negated:
        [bearing] = bearing_filter.bearings
        return not has(bearing)
    given_names = {"trait": given_traits, "KEYWORD": given_keywords, "TEAM": ()}
    return any(
        has(bearing) or (bearing.name and bearing.name.text in given_names[bearing.what])
        for bearing in bearing_filter.bearings
    )


def _fits(card: Card, quantity_filter: tree.QuantityFilter) -> bool:
    """Whether a printed number of an OPERATOR passes a filter: `with AP VALUE >= 3`."""
    stat, *_value = quantity_filter.quantity.text.split()
    number: int = card.number(stat)
    return bool(holds_within(quantity_filter.compare, quantity_filter.number, (number, number)))
