"""empty-group: a GROUP that no OPERATOR can ever belong to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from toolkit.data.model import Card
from toolkit.dsl import tree
from toolkit.dsl.printing import print_group
from toolkit.dsl.tree import Problem
from toolkit.lint.context import Statement, quoted
from toolkit.lint.proof.domains import quantity_range
from toolkit.lint.proof.literals import holds_within

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
    if why is None and status and not status.negated and status.status.text in ("HIT", "OUT"):
        why = f"{status.status.text} OPERATORs are in nobody's RANGE"
    return why or statement.context.why_nobody(group)


def filter_verdict(found: tree.QuantityFilter) -> bool | None:
    """Return True if ``with QUANTITY CMP n`` excludes nobody, False if everybody, else None."""
    return holds_within(found.compare, found.number, quantity_range(found.quantity.text))


def _wrong_row(group: tree.Group, statement: Statement) -> str | None:
    """Adjacent is one's own row, opposite the other (LANGUAGE.md §2, WHO)."""
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
    group: tree.Group, operators: Sequence[Card], given: Collection[str] = ()
) -> str | None:
    """Return TEAM, trait and printed numbers of a GROUP that no OPERATOR of the project has together.

    A TEAM or trait that no OPERATOR has at all is a finding of its own. Without ``operators`` (one was left
    out for an error of its own) nothing is concluded from them. Anybody may get a trait that is ``given``.
    """
    if not (group.team or group.trait or group.quantity) or not operators:
        return None
    left: list[Card] = list(operators)
    asked = []
    if group.team is not None:
        left = [card for card in left if card.team == group.team.text]
        asked.append(f"TEAM `{group.team.text}`")
        if not left:
            return None
    if group.trait is not None and group.trait.text not in given:
        word = group.trait.text
        if not any(word in card.traits for card in operators):
            return None
        left = [card for card in left if word in card.traits]
        asked.append(f"trait `{word}`")
    found = group.quantity
    if found is not None and (found.quantity.text == "SQUADPOINTS" or found.quantity.text.endswith(" VALUE")):
        if filter_verdict(found) is not None:
            return None
        left = [card for card in left if _fits(card, found)]
        asked.append(f"{found.quantity.text} {found.compare} {found.number}")
    return None if left or not asked else f"no OPERATOR of this project has {' and '.join(asked)}"


def _fits(card: Card, found: tree.QuantityFilter) -> bool:
    value: int = card.number(found.quantity.text.partition(" ")[0])
    return bool(holds_within(found.compare, found.number, (value, value)))
