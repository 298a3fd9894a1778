"""Cards in English: what players do with them, where they are, and how they are counted."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.wording import plan_nodes as say

_HANDS = {"own": "your hand", "enemy": "your opponent’s hand", "any": "both players’ hands"}
_PLACES = {
    "into the hand": "into {} hand",
    "onto the DECK": "on top of {} DECK",
    "under the DECK": "under {} DECK",
    "into the DISCARDZONE": "into {} DISCARDZONE",
}
_ON_IT = {"onto the DECK": "on top of it", "under the DECK": "under it"}
_ANY_ORDER = "back on top in any order"


def card(kind: str | None, one: bool) -> str:
    """Return "card" or such as "ATTACK cards"."""
    return f"{f'{kind} ' if kind else ''}{'card' if one else 'cards'}"


def where(cards: say.Cards) -> str:
    """Return where cards are: "your opponent's DISCARDZONE"."""
    if cards.of_actor:
        return f"their {cards.zone}"
    if cards.zone == "hand":
        return _HANDS[cards.side]
    return f"{_HANDS[cards.side].removesuffix('hand')}{cards.zone}"


def discarded(count: int, kind: str | None, random: bool) -> str:
    """Return what is discarded from a hand."""
    return f"{count} {card(kind, count == 1)}{' at random' if random else ''}"


def discarded_in_play(said: say.DiscardsInPlay, own: str) -> str:
    """Return which STRATEGY cards in play are discarded; ``own`` is "your" or "their"."""
    whose = own if said.own else _whose(said.side)
    return f"{said.count} of {whose} STRATEGY cards in play{' at random' if said.random else ''}"


def _whose(side: str) -> str:
    return "your" if side == "own" else "your opponent’s"


def looked_at(source: say.Zone, own: str) -> Iterator[tuple[str, str]]:
    """Yield verbs and what follows them, for looking at cards: a DECK is shuffled afterwards (E-13)."""
    whose = own if source.own else _whose(source.side)
    if source.top:
        yield "looks", f"at {_top(source, whose)}"
        if source.top > 1:
            yield "puts", f"them {_ANY_ORDER}"
        return
    yield "looks", f"at {whose} {source.zone}"
    if source.zone == "DECK":
        yield "shuffles", "it"


def moved(said: say.Puts, own: str) -> Iterator[tuple[str, str]]:
    """Yield verbs and what follows them, for moving cards: a choice begins with a look at them (E-13)."""
    source, one = said.source, said.count == 1
    whose = own if source.own else _whose(source.side)
    theirs = "their" if source.side == "enemy" and not source.by_each else whose
    place, to = f"{whose} {source.zone}", _PLACES[said.to]
    cards = card(said.kind, one)
    what = f"{said.count} {'random ' if said.random else ''}{cards}"
    if said.all_of_top:
        yield "puts", f"{_top(source, whose)} {to.format(theirs)}"
    elif source.top and said.random:
        yield "puts", f"{what} from {_top(source, whose)} {to.format(theirs)}"
    elif source.top:
        yield "looks", f"at {_top(source, whose)}"
        if source.top == 1:
            article = "an" if said.kind in ("ATTACK", "EFFECT") else "a"
            only = f", if it is {article} {card(said.kind, one=True)}," if said.kind else ""
            yield "puts", f"it{only} {to.format(theirs)}"
            return
        some = f"{said.count} {cards} from among them" if said.kind else f"{said.count} of them"
        back = "back on top"
        if said.to == "onto the DECK":
            back = f"below {'it' if one else 'them'}"
        alone = source.top - said.count == 1 and not said.kind
        yield "puts", f"{some} {to.format(theirs)}"
        yield "", f"the other {back}" if alone else f"the rest {back} in any order"
    elif said.searches:
        yield "searches", f"{place} for {what}"
        if said.to.endswith("the DECK"):
            yield "shuffles", f"{theirs} DECK"
            yield "puts", f"{'that card' if one else 'those cards'} {_ON_IT[said.to]}"
        else:
            yield "puts", f"{'it' if one else 'them'} {to.format(theirs)}"
            yield "shuffles", f"{theirs} DECK"
    elif source.zone == "hand" and not source.own and not said.random:
        yield "looks", f"at {place}"
        yield "puts", f"{what} from it {to.format(theirs)}"
    else:
        yield "puts", f"{what} from {place} {to.format(theirs)}"


def _top(source: say.Zone, whose: str) -> str:
    return f"the top {'card' if source.top == 1 else f'{source.top} cards'} of {whose} DECK"
