"""Cards in English: what players do with them, where they are, and how they are counted."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
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


def card(kind: str | None, is_single: bool) -> str:
    """Return "card" or such as "ATTACK cards"."""
    return f"{f'{kind} ' if kind else ''}{'card' if is_single else 'cards'}"


def where(cards: say.Cards) -> str:
    """Return where cards are: "your opponent's DISCARDZONE"."""
    if cards.of_actor:
        return f"their {cards.zone}"
    if cards.zone == "hand":
        return _HANDS[cards.side]
    return f"{_HANDS[cards.side].removesuffix('hand')}{cards.zone}"


def amount(count: int, extent: tree.Extent) -> str:
    """Return how many: "2", "up to 2", "all"."""
    return "all" if extent == "all" else f"{'up to ' if extent == 'up to' else ''}{count}"


def discarded(discards: tree.Discards, actor_possessive: str) -> str:
    """Return what is discarded from a hand."""
    number, kind = discards.count or 0, discards.kind
    cards = f"{amount(number, discards.extent)} {card(kind, number == 1)}"
    if discards.extent == "all":
        return f"{cards} from {actor_possessive} hand"
    return f"{cards}{' at random' if discards.random else ''}"


def discarded_in_play(discards: say.DiscardsInPlay, actor_possessive: str) -> str:
    """Return which STRATEGY cards in play are discarded; ``actor_possessive`` is "your" or "their"."""
    possessive = actor_possessive if discards.own else _possessive(discards.side)
    number = amount(discards.count, discards.extent)
    return f"{number} of {possessive} STRATEGY cards in play{' at random' if discards.random else ''}"


def put_back(to: str) -> str:
    """Return where a card of the acting player comes back to."""
    return _PLACES[to].format("your")


def _possessive(side: str) -> str:
    return "your" if side == "own" else "your opponent’s"


def look_phrases(source: say.Zone, actor_possessive: str) -> Iterator[tuple[str, str]]:
    """Yield verbs and what follows them, for looking at cards: a DECK is shuffled afterwards (E-13)."""
    possessive = actor_possessive if source.own else _possessive(source.side)
    if source.top:
        yield "looks", f"at {_top(source, possessive)}"
        if source.top > 1:
            yield "puts", f"them {_ANY_ORDER}"
        return
    yield "looks", f"at {possessive} {source.zone}"
    if source.zone == "DECK":
        yield "shuffles", "it"


def put_phrases(puts: say.Puts, actor_possessive: str) -> Iterator[tuple[str, str]]:
    """Yield verbs and what follows them, for moving cards: a choice begins with a look at them (E-13).

    A player mentioned once is "their" from then on: "looks at your opponent’s hand and puts 1 card from it
    under their DECK".
    """
    source, is_single = puts.source, puts.count == 1
    possessive = actor_possessive if source.own else _possessive(source.side)
    later_possessive = "their" if source.side == "enemy" and not source.by_each else possessive
    zone, destination = f"{possessive} {source.zone}", _PLACES[puts.to].format(later_possessive)
    number = amount(puts.count, puts.extent)
    cards_sought = f"{number} {'random ' if puts.random else ''}{card(puts.kind, is_single)}"
    if puts.all_of_top:
        yield "puts", f"{_top(source, possessive)} {destination}"
    elif source.top and puts.random:
        yield "puts", f"{cards_sought} from {_top(source, possessive)} {destination}"
    elif source.top:
        yield "looks", f"at {_top(source, possessive)}"
        yield from _put_some_of_top(puts, destination)
    elif puts.searches:
        yield "searches", f"{zone} for {cards_sought}"
        if puts.to.endswith("the DECK"):
            yield "shuffles", f"{later_possessive} DECK"
            yield "puts", f"{'that card' if is_single else 'those cards'} {_ON_IT[puts.to]}"
        else:
            yield "puts", f"{'it' if is_single else 'them'} {destination}"
            yield "shuffles", f"{later_possessive} DECK"
    elif puts.looks:
        yield "looks", f"at {zone}"
        yield "puts", f"{cards_sought} from it {destination}"
    else:
        yield "puts", f"{cards_sought} from {zone} {destination}"


def _put_some_of_top(puts: say.Puts, destination: str) -> Iterator[tuple[str, str]]:
    """Yield what is done with top cards that were looked at: some are put, the rest goes back."""
    top, is_single = puts.source.top, puts.count == 1
    if top == 1:
        article = "an" if puts.kind in ("ATTACK", "EFFECT") else "a"
        kind_condition = f", if it is {article} {card(puts.kind, is_single=True)}," if puts.kind else ""
        yield "puts", f"it{kind_condition} {destination}"
        return
    number = amount(puts.count, puts.extent)
    cards = f"{number} {card(puts.kind, is_single)} from among them" if puts.kind else f"{number} of them"
    yield "puts", f"{cards} {destination}"
    rest_place = "back on top"
    if puts.to == "onto the DECK":
        rest_place = f"below {'it' if is_single else 'them'}"
    leaves_one = top - puts.count == 1 and not puts.kind and puts.extent == "exactly"
    yield "", f"the other {rest_place}" if leaves_one else f"the rest {rest_place} in any order"


def _top(source: say.Zone, possessive: str) -> str:
    return f"the top {'card' if source.top == 1 else f'{source.top} cards'} of {possessive} DECK"
