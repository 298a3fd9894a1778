"""Squads against the limits of the project's game mode (RULES.md §8), before anything is played.

Which kinds of card a DECK holds is told where references are checked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from toolkit.data.model import CardSet, Mode, Squad
from toolkit.data.quoting import counted
from toolkit.diagnostics import Diagnostic, Label
from toolkit.source import Span


def squad_findings(card_set: CardSet, doubtful: Collection[str | None]) -> Iterator[Diagnostic]:
    """What is wrong with every squad that can be used; nothing if the project names no mode that can be used.

    ``doubtful`` are ids of entries with unknown keys: what is missing there may only be misspelt.
    """
    mode = card_set.modes.get(card_set.project.mode or "")
    if mode is None or mode.id in doubtful or mode.id in card_set.broken_ids:
        return
    doubled = [entry for entry in card_set.doubled if isinstance(entry, Squad)]
    for squad in (*card_set.squads.values(), *doubled):
        if squad.id not in doubtful:
            yield from squad_in_mode(card_set, squad, mode)


def squad_in_mode(card_set: CardSet, squad: Squad, mode: Mode) -> Iterator[Diagnostic]:
    """What forbids a squad in a mode, which need not be the project's."""
    yield from _size(squad, mode)
    yield from _price(card_set, squad, mode)
    yield from _operator_copies(squad, mode)
    yield from _deck(squad, mode)
    yield from _item_deck(squad, mode)


def _size(squad: Squad, mode: Mode) -> Iterator[Diagnostic]:
    number, wanted = len(squad.operators), mode.squad_operators
    if number == wanted:
        return
    # too many are told at the first who is too many, too few at the key
    place = squad.span_of("operators", wanted) if number > wanted else squad.key_span("operators")
    message = f"The squad has {counted(number, 'OPERATOR')}, but the mode `{mode.id}` requires {wanted}."
    few = number < wanted
    step = f"{'Add' if few else 'Remove'} {counted(abs(wanted - number), 'OPERATOR')}, or change the mode."
    yield _finding("squad-size", message, place, step, squad, mode, ("squad", "operators"))


def _price(card_set: CardSet, squad: Squad, mode: Mode) -> Iterator[Diagnostic]:
    """Only if the price of every OPERATOR is known."""
    price = 0
    for name in squad.operators:
        card = card_set.cards.get(name)
        if card is None or card.kind != "operator" or name in card_set.broken_ids:
            return
        price += card.squadpoints
    most = mode.squad_squadpoints
    if price > most:
        message = f"The squad costs {price} SQUADPOINTS, but the mode `{mode.id}` allows {most}."
        step = f"Save {price - most}: take a cheaper OPERATOR, or change the mode."
        place = squad.key_span("operators")
        yield _finding("squad-too-dear", message, place, step, squad, mode, ("squad", "squadpoints"))


def _operator_copies(squad: Squad, mode: Mode) -> Iterator[Diagnostic]:
    """Each OPERATOR who is in the squad too often is told once, at the first copy too many."""
    seen: dict[str, int] = {}
    most = mode.squad_copies
    for index, name in enumerate(squad.operators):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] == most + 1:
            times = squad.operators.count(name)
            message = f"`{name}` is {times} times in the squad, but the mode `{mode.id}` allows {most}."
            place, step = squad.span_of("operators", index), "Write another OPERATOR, or change the mode."
            yield _finding("too-many-copies", message, place, step, squad, mode, ("squad", "copies"))


def _deck(squad: Squad, mode: Mode) -> Iterator[Diagnostic]:
    least, greatest, most = mode.deck_minimum, mode.deck_maximum, mode.deck_copies
    for name, number in squad.deck.items():
        if number > most:
            message = f"`{name}` is {number} times in the DECK, but the mode `{mode.id}` allows {most}."
            place, step = squad.span_of("deck", name), f"Write {most} or less, or change the mode."
            yield _finding("too-many-copies", message, place, step, squad, mode, ("deck", "copies"))
    number = sum(squad.deck.values())
    if least > greatest or least <= number <= greatest:  # an impossible DECK is the mode's mistake
        return
    few = number < least
    asked = f"requires at least {least}" if few else f"allows {greatest}"
    message = f"The DECK has {counted(number, 'card')}, and the mode `{mode.id}` {asked}."
    change = f"Add {least - number}" if few else f"Remove {number - greatest}"
    limit = ("deck", "minimum" if few else "maximum")
    place = squad.key_span("deck")
    yield _finding("deck-size", message, place, f"{change}, or change the mode.", squad, mode, limit)


def _item_deck(squad: Squad, mode: Mode) -> Iterator[Diagnostic]:
    number, greatest = sum(squad.item_deck.values()), mode.item_deck_maximum
    if number > greatest:
        message = f"The ITEMDECK has {counted(number, 'card')}, and the mode `{mode.id}` allows {greatest}."
        place, step = squad.key_span("item_deck"), f"Remove {number - greatest}, or change the mode."
        yield _finding("deck-size", message, place, step, squad, mode, ("item_deck", "maximum"))


def _finding(
    name: str, message: str, place: Span, step: str, squad: Squad, mode: Mode, limit: tuple[str, str]
) -> Diagnostic:
    """A finding of a squad, with the place of the limit; a limit that is a default lies at the mode's id."""
    section, key = limit
    written = key in (mode.node.value.get(section) or {})  # type: ignore[operator]  # the schema has checked it
    label = Label(mode.span_of(section, key) if written else mode.id_span, "the limit of the mode")
    return Diagnostic(name, message, place, step, (label,), card=squad.id)
