"""Squads compared with the limits of a game mode (RULES.md §8), and draw piles, whose cards must look alike.

Which kinds of card a DECK may contain is checked together with the references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from toolkit.data.model import Card, CardSet, Mode, Squad
from toolkit.data.schemas.card_schema import DECK_KINDS
from toolkit.data.squad_copies import PLAYERS, copies_of
from toolkit.diagnostics import Diagnostic, Label
from toolkit.diagnostics.phrases import counted, shown
from toolkit.source import ScalarText, Span

_PILES = {"deck": ("the DECK", DECK_KINDS), "item": ("the ITEMDECK", ("item",))}


def squad_findings(card_set: CardSet, doubtful: Collection[str | None]) -> Iterator[Diagnostic]:
    """Yield the findings of all usable squads; none if the project names no usable mode.

    ``doubtful`` are ids of entries with unknown keys: a key that seems missing there may only be misspelt.
    """
    mode = card_set.modes.get(card_set.project.mode or "")
    if mode is None or mode.id in doubtful or mode.id in card_set.broken_ids:
        return
    doubled = [entry for entry in card_set.doubled if isinstance(entry, Squad)]
    for squad in (*card_set.squads.values(), *doubled):
        if squad.id not in doubtful:
            yield from squad_in_mode(card_set, squad, mode)


def quantity_findings(card_set: CardSet, doubtful: Collection[str | None]) -> Iterator[Diagnostic]:
    """Yield the cards of which there are too few copies for two SQUADs to play against each other."""
    if len(card_set.squads) < PLAYERS:
        return
    copies_by_squad: dict[str, Counter[str]] = {}
    for squad in card_set.squads.values():
        for card_id, number in copies_of(card_set, squad).items():
            copies_by_squad.setdefault(card_id, Counter())[squad.id] = number
    for card in card_set.printed_entries():
        pair = copies_by_squad.get(card.id, Counter()).most_common(PLAYERS)
        copies = sum(number for _, number in pair)
        if copies > card.quantity and card.id not in doubtful:
            game = " against ".join(f"`{squad_id}`" for squad_id, _ in pair)
            needed = "once" if copies == 1 else f"{copies} times"
            yield Diagnostic(
                "too-few-copies",
                f"`{card.id}` is needed {needed} for {game}, and its `quantity` is {card.quantity}.",
                card.span_of("quantity") if "quantity" in card.node.nodes else card.id_span,
                f"Write `quantity: {copies}`.",
                card=card.id,
            )


def squad_in_mode(card_set: CardSet, squad: Squad, mode: Mode) -> Iterator[Diagnostic]:
    """Yield why a squad is not allowed in a mode, which need not be the project's."""
    for excess in _excesses(card_set, squad, mode):
        # a default limit is written nowhere: point at the mode's id
        section, key = excess.limit
        section_node = mode.node.mapping(section)
        is_written = section_node is not None and key in section_node.nodes
        label = Label(mode.span_of(section, key) if is_written else mode.id_span, "the limit of the mode")
        step = f"{excess.step}, or change the mode."
        yield Diagnostic(excess.finding_name, excess.message, excess.span, step, (label,), card=squad.id)


class _Excess(NamedTuple):
    """What a squad has too much or too little of; ``limit`` is its section and key in the mode."""

    finding_name: str
    message: str
    span: Span
    step: str
    limit: tuple[str, str]


def _excesses(card_set: CardSet, squad: Squad, mode: Mode) -> Iterator[_Excess]:
    """Yield what breaks a limit of the mode: OPERATORs, SQUADPOINTS, copies, sizes of decks."""
    yield from _squad_size(squad, mode)
    price, most = _price(card_set, squad), mode.squad_squadpoints
    if price is not None and price > most:
        message = f"The squad costs {price} SQUADPOINTS, but the mode `{mode.id}` allows {most}."
        step = f"Save {price - most}: take a cheaper OPERATOR"
        yield _Excess("squad-too-dear", message, squad.key_span("operators"), step, ("squad", "squadpoints"))
    yield from _copies(squad, mode)
    yield from _deck_size(squad, "deck", sum(squad.deck.values()), mode.deck_minimum, mode.deck_maximum, mode)
    number = sum(squad.item_deck.values())
    yield from _deck_size(squad, "item_deck", number, 0, mode.item_deck_maximum, mode)


def _squad_size(squad: Squad, mode: Mode) -> Iterator[_Excess]:
    """Yield too many OPERATORs, at the first one too many, or too few, at the key."""
    count, required_count = len(squad.operators), mode.squad_operators
    if count == required_count:
        return
    is_too_few = count < required_count
    span = squad.key_span("operators") if is_too_few else squad.span_of("operators", required_count)
    message = (
        f"The squad has {counted(count, 'OPERATOR')}, but the mode `{mode.id}` requires {required_count}."
    )
    step = f"{'Add' if is_too_few else 'Remove'} {counted(abs(required_count - count), 'OPERATOR')}"
    yield _Excess("squad-size", message, span, step, ("squad", "operators"))


def _copies(squad: Squad, mode: Mode) -> Iterator[_Excess]:
    """Yield OPERATORs that are too often in the squad, and cards too often in the DECK."""
    most = mode.squad_copies
    for name, times in Counter(squad.operators).items():
        if times > most:
            indexes = [index for index, operator_name in enumerate(squad.operators) if operator_name == name]
            first_too_many = indexes[most]
            message = f"`{name}` is {times} times in the squad, but the mode `{mode.id}` allows {most}."
            span = squad.span_of("operators", first_too_many)
            yield _Excess("too-many-copies", message, span, "Write another OPERATOR", ("squad", "copies"))
    most = mode.deck_copies
    for name, number in squad.deck.items():
        if number > most:
            message = f"`{name}` is {number} times in the DECK, but the mode `{mode.id}` allows {most}."
            span = squad.span_of("deck", name)
            yield _Excess("too-many-copies", message, span, f"Write {most} or less", ("deck", "copies"))


def _price(card_set: CardSet, squad: Squad) -> int | None:
    """Return the SQUADPOINTS of a squad, or None if those of an OPERATOR are unknown."""
    price = 0
    for name in squad.operators:
        card = card_set.cards.get(name)
        if card is None or card.kind != "operator" or name in card_set.broken_ids:
            return None
        price += card.squadpoints
    return price


def _deck_size(
    squad: Squad, key: str, number: int, least: int, greatest: int, mode: Mode
) -> Iterator[_Excess]:
    """Yield what is wrong with the number of cards in a DECK or ITEMDECK."""
    if least > greatest or least <= number <= greatest:  # an impossible DECK is the mode's mistake
        return
    is_too_few = number < least
    limit = f"requires at least {least}" if is_too_few else f"allows {greatest}"
    noun = key.upper().replace("_", "")
    message = f"The {noun} has {counted(number, 'card')}, and the mode `{mode.id}` {limit}."
    step = f"Add {least - number}" if is_too_few else f"Remove {number - greatest}"
    yield _Excess(
        "deck-size", message, squad.key_span(key), step, (key, "minimum" if is_too_few else "maximum")
    )


def pile_findings(cards: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about piles whose cards have different backs or sizes: players could tell them apart."""
    for pile, (noun, kinds) in _PILES.items():
        members = [card for card in cards.cards.values() if card.kind in kinds]
        yield from _backs(cards, pile, noun, members)
        yield from _card_sizes(cards, noun, members)


def _backs(cards: CardSet, pile: str, noun: str, members: list[Card]) -> Iterator[Diagnostic]:
    """Yield a finding for each back that is not that of most cards; an empty path is the shipped back."""
    backs = cards.project.backs
    back_texts: dict[str, ScalarText | None] = {
        card.id: card.back or backs.get(card.kind) or backs.get(pile) for card in members
    }
    paths = {card_id: text.value if text else "" for card_id, text in back_texts.items()}
    counts = Counter(paths.values())
    if len(counts) < 2:
        return
    pile_text = backs.get(pile)
    pile_path = pile_text.value if pile_text else ""
    usual = max(counts, key=lambda path: (counts[path], path == pile_path))  # of a tie the pile's own back
    reported: set[Span] = set()
    for card in members:
        back_text = back_texts[card.id]
        span = back_text.span if back_text else card.id_span
        if paths[card.id] == usual or span in reported:
            continue
        reported.add(span)
        usual_back = f"`{shown(usual)}`" if usual else "the shipped back"
        yield Diagnostic(
            "mixed-backs",
            f"Cards of {noun} have different backs: most have {usual_back}, "
            f"and {card.id} has {f'`{shown(back_text.value)}`' if back_text else 'the shipped back'}.",
            span,
            f"Give them the same back: `backs: {{{pile}: …}}` in the project file.",
            card=card.id if back_text is None or back_text is card.back else None,
        )


def _card_sizes(cards: CardSet, noun: str, members: list[Card]) -> Iterator[Diagnostic]:
    """Yield a finding if the kinds of cards in a pile differ in size."""
    project = cards.project
    sizes = {card.kind: project.card_sizes.get(card.kind, project.card_size) for card in members}
    if not sizes:
        return
    [(usual, _count)] = Counter(sizes.values()).most_common(1)
    kind = next((kind for kind, size in sizes.items() if size != usual), None)
    if kind is not None:
        # one that has the size of the project differs because of another kind
        key = kind if kind in project.card_sizes else next(iter(project.card_sizes))
        yield Diagnostic(
            "mixed-sizes",
            f"{kind.upper()} cards are {sizes[kind]} and other cards of {noun} {usual}, "
            "so a player can feel which is which.",
            project.span_of("card_sizes", key),
            f"Give all kinds of {noun} the same size.",
        )
