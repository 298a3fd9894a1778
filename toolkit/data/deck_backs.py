"""Cards of one draw pile: whoever sees them from behind must not know which is which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from toolkit.data.model import Card, CardSet
from toolkit.data.quoting import shown
from toolkit.diagnostics import Diagnostic
from toolkit.source import ScalarText, Span

_PILES = {"deck": ("attack", "defence", "effect", "strategy"), "item": ("item",)}
_CALLED = {"deck": "the DECK", "item": "the ITEMDECK"}


def pile_findings(cards: CardSet) -> Iterator[Diagnostic]:
    """Cards of one pile with different backs, and kinds of one pile with different sizes."""
    for pile, kinds in _PILES.items():
        members = [card for card in cards.cards.values() if card.kind in kinds]
        yield from _backs(cards, pile, members)
        yield from _sizes(cards, pile, members)


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


def _sizes(cards: CardSet, pile: str, members: list[Card]) -> Iterator[Diagnostic]:
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
