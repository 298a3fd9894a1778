"""What is wrong with how a scenario begins: OPERATORs, cards and states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolkit.data.model import CardSet, Mode
from toolkit.data.nodes import Plain
from toolkit.data.references import Reference, resolve
from toolkit.data.scenario_persons import person_findings
from toolkit.data.scenarios import SIDES, Given, Person, Script
from toolkit.diagnostics import Diagnostic, Label
from toolkit.source import Span

ATTACHABLE = ("attack", "defence", "item")
"""Kinds of card that can lie on an OPERATOR (C-1)."""

_HAND = ("an ATTACK, DEFENCE, EFFECT or STRATEGY card", ("attack", "defence", "effect", "strategy"))
_ITEM = ("an ITEM card", ("item",))
_STRATEGY = ("a STRATEGY card", ("strategy",))
_OPERATOR = ("an OPERATOR", ("operator",))


def setup_findings(card_set: CardSet, script: Script, mode: Mode | None) -> Iterator[Diagnostic]:
    """Findings about ``field``, ``save_zone``, cards and ``state``; ``mode`` None: it is not known."""
    for side in SIDES:
        fielded = [card for card in script.field[side] if card is not None]
        for group, what in (
            (fielded, _OPERATOR),
            (script.save_zone[side], _OPERATOR),
            (script.hands[side], _HAND),
            (script.decks[side], _HAND),
            (script.item_decks[side], _ITEM),
            (script.strategies[side], _STRATEGY),
        ):
            yield from _kinds(card_set, script, group, *what)
        yield from _twice(script, side)
        if mode is not None:
            yield from _too_many(script, mode, side)
    yield from _states(card_set, script)


def _kinds(
    card_set: CardSet, script: Script, cards: Iterable[Given[str]], what: str, kinds: tuple[str, ...]
) -> Iterator[Diagnostic]:
    for card in cards:
        yield from kind_findings(card_set, script, card, what, kinds)


def kind_findings(
    card_set: CardSet, script: Script, card: Given[str], what: str, kinds: tuple[str, ...]
) -> list[Diagnostic]:
    """The finding about a card that does not exist or is of another kind than ``what`` says."""
    found = card_set.cards.get(card.value)
    if found is not None and found.kind in kinds:
        return []
    return resolve(card_set, Reference(card.value, card.span, what, script.name), kinds)


def _twice(script: Script, side: str) -> Iterator[Diagnostic]:
    """An OPERATOR who stands at two places of a side."""
    first: dict[str, Span] = {}
    for whose, card in script.operators():
        if whose != side:
            continue
        if card.value in first:
            yield Diagnostic(
                "repeated-value",
                f"`{card.value}` is twice on the side of {side}; each OPERATOR appears once.",
                card.span,
                "Use another OPERATOR here, or write `~` for an empty FIELDPOSITION.",
                (Label(first[card.value], "first here"),),
                script.name,
            )
        first.setdefault(card.value, card.span)


def _too_many(script: Script, mode: Mode, side: str) -> Iterator[Diagnostic]:
    """More OPERATORs or STRATEGY cards than the mode has places for."""
    for key, found, places, noun in (
        ("field", len(script.field[side]), mode.field_positions, "FIELDPOSITION"),
        ("save_zone", len(script.save_zone[side]), mode.save_zone, "place"),
        ("strategies", len(script.strategies[side]), mode.strategy_positions, "strategy position"),
    ):
        if found > places:
            where = " in the SAVEZONE" if key == "save_zone" else ""
            number = f"{places} {noun}" if places == 1 else f"{places} {noun}s"
            yield Diagnostic(
                "too-many-items",
                f"The mode `{mode.id}` has {number}{where}, but here are {found}.",
                script.entry.span_of(key, side, places),
                "Remove the extra ones, or choose another `mode`.",
                card=script.name,
            )


def _states(card_set: CardSet, script: Script) -> Iterator[Diagnostic]:
    seen: dict[tuple[str, str], Person] = {}
    for person, values in script.state:
        found = person_findings(card_set, script, person)
        yield from found
        if len(script.sides_of(person)) == 1:
            whose = (script.sides_of(person)[0], person.card)
            if whose in seen:
                yield same_operator(script, person, seen[whose])
            seen.setdefault(whose, person)
        attached = values.get("attached")
        if attached is not None and isinstance(attached.value, str):
            card = Given(attached.value, attached.span)
            yield from kind_findings(card_set, script, card, "an ATTACK, DEFENCE or ITEM card", ATTACHABLE)
        yield from _down(script, person, values)
        yield from _falling(card_set, script, person, values)


def same_operator(script: Script, person: Person, first: Person) -> Diagnostic:
    """The finding about an OPERATOR who is named twice in two ways."""
    return Diagnostic(
        "duplicate-key",
        f"`{first.written}` and `{person.written}` are the same OPERATOR.",
        person.span,
        "Put everything about it under one of the two.",
        (Label(first.span, "first here"),),
        script.name,
    )


def _down(script: Script, person: Person, values: dict[str, Given[Plain]]) -> Iterator[Diagnostic]:
    """HIT and OUT OPERATORs have no counters and no card (H-2)."""
    status = values.get("status")
    if status is None or status.value not in ("HIT", "OUT"):
        return
    for key in ("hitcounter", "objectivecounter", "attached"):
        given = values.get(key)
        if given is None or given.value in (0, None):
            continue
        noun = "card attached" if key == "attached" else key.upper()
        yield Diagnostic(
            "impossible-state",
            f"`{person.written}` is {status.value}, and such an OPERATOR has no {noun} (H-2).",
            given.span,
            f"Remove `{key}`, or give it another `status`.",
            (Label(status.span, f"{status.value} here"),),
            script.name,
        )


def _falling(
    card_set: CardSet, script: Script, person: Person, values: dict[str, Given[Plain]]
) -> Iterator[Diagnostic]:
    """A HITCOUNTER that reaches DP makes HIT at once (H-1).

    Where an effect that takes part speaks of DP only playing can tell; then the scenario fails.
    """
    counter, card = values.get("hitcounter"), card_set.cards.get(person.card)
    if counter is None or card is None or not isinstance(counter.value, int) or "status" in values:
        return
    fielded = [one for side in script.sides_of(person) for one in script.field[side] if one is not None]
    given = values.get("dp")
    dp = card.dp + (given.value if given is not None and isinstance(given.value, int) else 0)
    if not counter.value or counter.value < dp or person.card not in [one.value for one in fielded]:
        return
    if any("DP" in text for text in _effects(card_set, script)):
        return
    yield Diagnostic(
        "impossible-state",
        f"`{person.written}` has DP {max(dp, 0)}; with a HITCOUNTER of {counter.value} it is HIT (H-1).",
        counter.span,
        "Write a smaller number, or `status: HIT` instead.",
        card=script.name,
    )


def _effects(card_set: CardSet, script: Script) -> Iterator[str]:
    """The effects of all cards that take part, as they are written."""
    for name in dict.fromkeys(script.ids()):
        card = card_set.cards.get(name)
        if card is not None:
            yield from (skill.effect.value for skill in card.skills)
            if card.effect is not None:
                yield card.effect.value
