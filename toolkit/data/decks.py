"""Squads against the limits of the project's game mode (RULES.md §8), before anything is played.

Which kinds of card a DECK holds is told where references are checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from toolkit.data.model import Card, CardSet, Mode, Squad
from toolkit.data.quoting import counted, shown
from toolkit.diagnostics import Diagnostic, Label
from toolkit.source import ScalarText, Span


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


_PILES = {"deck": ("attack", "defence", "effect", "strategy"), "item": ("item",)}
_CALLED = {"deck": "the DECK", "item": "the ITEMDECK"}


def pile_findings(cards: CardSet) -> Iterator[Diagnostic]:
    """Cards of one pile with different backs, and kinds of one pile with different sizes."""
    for pile, kinds in _PILES.items():
        members = [card for card in cards.cards.values() if card.kind in kinds]
        yield from _backs(cards, pile, members)
        yield from _card_sizes(cards, pile, members)


def written_back(cards: CardSet, card: Card, pile: str) -> ScalarText | None:
    """What says which back a card has: the card itself, or the project for its kind or pile."""
    backs = cards.project.backs
    return card.back or backs.get(card.kind) or backs.get(pile)


def _backs(cards: CardSet, pile: str, members: list[Card]) -> Iterator[Diagnostic]:
    written = {card.id: written_back(cards, card, pile) for card in members}
    looks = Counter(found.value if found else "" for found in written.values())
    if len(looks) < 2:
        return
    shared = cards.project.backs.get(pile)
    default = shared.value if shared else ""
    usual = max(looks, key=lambda look: (looks[look], look == default))
    told: set[Span] = set()
    for card in members:
        found = written[card.id]
        if (found.value if found else "") == usual:
            continue
        span = found.span if found else card.id_span
        if span in told:
            continue
        told.add(span)
        others = f"`{shown(usual)}`" if usual else "the shipped back"
        yield Diagnostic(
            "mixed-backs",
            f"Cards of {_CALLED[pile]} have different backs: most have {others}, "
            f"and {card.id} has {f'`{shown(found.value)}`' if found else 'the shipped back'}.",
            span,
            f"Give them the same back: `backs: {{{pile}: …}}` in the project file.",
            card=card.id if found is None or found is card.back else None,
        )


def _card_sizes(cards: CardSet, pile: str, members: list[Card]) -> Iterator[Diagnostic]:
    project = cards.project
    sizes = {card.kind: project.card_sizes.get(card.kind, project.card_size) for card in members}
    usual = Counter(sizes.values()).most_common(1)[0][0] if sizes else ""
    for kind, size in sizes.items():
        if size == usual:
            continue
        key = kind if kind in project.card_sizes else next(iter(project.card_sizes))
        yield Diagnostic(
            "mixed-sizes",
            f"{kind.upper()} cards are {size} and other cards of {_CALLED[pile]} {usual}, "
            "so a player can feel which is which.",
            project.span_of("card_sizes", key),
            f"Give all kinds of {_CALLED[pile]} the same size.",
        )
        return
