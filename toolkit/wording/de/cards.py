"""Cards in German: what players do with them, where they are, and how they are counted.

die Hand, das DECK, die DISCARDZONE; die ATTACK-Karte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.wording import plan_nodes as say

Owner = str
"""The owner of a place as the stem of a possessive: "dein", "sein"; ``""`` is "… deines Gegners"."""

_CASES = {  # the ending of a possessive, and the article, for feminine and neuter nouns
    "gen": (("er", "der"), ("es", "des")),
    "dat": (("er", "der"), ("em", "dem")),
    "acc": (("e", "die"), ("", "das")),
}


class Predicate(Struct, frozen=True):
    """A verb (a key of ``FORMS``), what follows it, and what ends the clause: "wirft … ab".

    ``pronoun`` is "sich" or "dir", next to the verb; ``adverb`` such as "stattdessen" is there, too, but
    behind the subject of an infinitive. ``shared`` says that an adjacent predicate with the same verb may
    omit it.
    """

    verb: str
    rest: str = ""
    closing: str = ""
    pronoun: str = ""
    adverb: str = ""
    shared: bool = False


def card(kind: str | None, is_single: bool) -> str:
    """Return "Karte" or such as "ATTACK-Karten"."""
    return f"{f'{kind}-' if kind else ''}{'Karte' if is_single else 'Karten'}"


def _place(zone: str, owner: Owner, case: Literal["gen", "dat", "acc"]) -> str:
    """Return such as "deiner Hand", "das DECK deines Gegners"."""
    feminine, neuter = _CASES[case]
    ending, article = neuter if zone == "DECK" else feminine
    noun = "Hand" if zone == "hand" else zone
    return f"{owner}{ending} {noun}" if owner else f"{article} {noun} deines Gegners"


def where(cards: say.Cards) -> str:
    """Return where cards are: "auf deiner Hand", "in der DISCARDZONE deines Gegners"."""
    if cards.side == "any":
        return "auf den Händen beider Spieler"
    zone = _place(cards.zone, "dein" if cards.side == "own" else "sein" if cards.of_actor else "", "dat")
    return f"{'auf' if cards.zone == 'hand' else 'in'} {zone}"


def amount(count: int, extent: tree.Extent) -> str:
    """Return how many: "2", "bis zu 2", "alle"."""
    return "alle" if extent == "all" else f"{'bis zu ' if extent == 'up to' else ''}{count}"


def discarded(discards: tree.Discards, actor: Owner) -> str:
    """Return what is discarded from a hand."""
    number, kind = discards.count or 0, discards.kind
    if discards.extent == "all":
        return f"alle {card(kind, False)} von {actor}er Hand" if kind else "alle Handkarten"
    random = "zufällige " if discards.random else ""
    return f"{amount(number, discards.extent)} {random}{card(kind, number == 1)}"


def discarded_in_play(discards: say.DiscardsInPlay, actor: Owner) -> str:
    """Return which STRATEGY cards in play are discarded."""
    random = "zufällige " if discards.random else ""
    owner = actor if discards.own else "dein" if discards.side == "own" else ""
    number = amount(discards.count, discards.extent)
    if discards.extent == "all":
        cards = "ausliegenden STRATEGY-Karten"
        return f"alle {owner}e {cards}" if owner else f"alle {cards} deines Gegners"
    if owner:
        return f"{number} {random}{owner}er ausliegenden STRATEGY-Karten"
    return f"{number} {random}ausliegende {card('STRATEGY', discards.count == 1)} deines Gegners"


def put_back(to: str) -> Predicate:
    """Return the predicate of a card of the acting player that comes back."""
    if to == "into the hand":
        return Predicate("nimmt", "diese Karte auf die Hand")
    return Predicate("legt", f"diese Karte {_ONTO[to]} {_place('DECK', 'dein', 'acc')}")


def look_predicates(source: say.Zone, actor: Owner, reflexive: str) -> Iterator[Predicate]:
    """Yield the predicates for looking at cards: a DECK is shuffled afterwards (E-13)."""
    owner = _owner(source, actor)
    if source.top:
        yield Predicate("sieht", _top(source, owner), "an", reflexive)
        if source.top > 1:
            yield Predicate("legt", "sie in beliebiger Reihenfolge oben auf das DECK", "zurück")
    elif source.zone == "hand":
        cards = "die Handkarten deines Gegners" if not owner else f"{owner}e Handkarten"
        yield Predicate("sieht", cards, "an", reflexive)
    else:
        yield Predicate("sieht", _place(source.zone, owner, "acc"), "an", reflexive)
        if source.zone == "DECK":
            yield Predicate("mischt", "es")


def put_predicates(puts: say.Puts, actor: Owner, reflexive: str) -> Iterator[Predicate]:
    """Yield the predicates for moving cards: before a choice the player looks at them (E-13).

    The opponent is "sein" once mentioned: "sieht das DECK deines Gegners an …, legt … auf sein DECK".
    """
    source, is_single = puts.source, puts.count == 1
    owner = _owner(source, actor)
    later_owner: Owner = owner or ("" if source.by_each else "sein")
    random = "zufällige " if puts.random else ""
    number = amount(puts.count, puts.extent)
    cards_sought = f"{number} {random}{card(puts.kind, is_single)}"
    gives_away = puts.to == "into the hand" and not source.own
    source_owner = later_owner if gives_away else owner  # "gib deinem Gegner 1 Karte aus seiner DISCARDZONE"
    if puts.all_of_top:
        yield _put(puts, _top(source, source_owner), later_owner)
    elif source.top and puts.random:
        top = _top(source, source_owner).removeprefix("die ")
        cards_put = f"{cards_sought} unter den {top}" if puts.kind else f"{number} {random}der {top}"
        yield _put(puts, cards_put, later_owner)
    elif source.top:
        yield Predicate("sieht", _top(source, owner), "an", reflexive)
        yield from _put_some_of_top(puts, later_owner)
    elif puts.searches:
        sought = cards_sought.replace("alle ", "allen ", 1) if puts.extent == "all" else cards_sought
        yield Predicate("durchsucht", f"{_place('DECK', owner, 'acc')} nach {sought}")
        shuffled = Predicate("mischt", _place("DECK", later_owner, "acc"))
        if puts.to.endswith("the DECK"):
            yield shuffled
            yield Predicate("legt", f"die {card(None, is_single)} {_ON_IT[puts.to]}")
        else:
            yield _put(puts, "sie", later_owner, is_known=True)
            yield shuffled
    elif puts.looks:
        cards = f"{owner}e Handkarten" if owner else "die Handkarten deines Gegners"
        yield Predicate("sieht", cards, "an", reflexive)
        cards_put = f"{cards_sought} davon" if puts.kind else f"{number} davon"
        yield _put(puts, cards_put, later_owner, is_known=True)
    else:
        zone = _place(source.zone, source_owner, "dat")
        yield _put(puts, f"{cards_sought} {'von' if source.zone == 'hand' else 'aus'} {zone}", later_owner)


_ON_IT = {"onto the DECK": "oben darauf", "under the DECK": "darunter"}
_ONTO = {"onto the DECK": "oben auf", "under the DECK": "unter", "into the DISCARDZONE": "in"}


def _put_some_of_top(puts: say.Puts, owner: Owner) -> Iterator[Predicate]:
    """Yield what is done with top cards that were looked at: some are put, the rest goes back."""
    top, is_single = puts.source.top, puts.count == 1
    if top == 1:
        kind_condition = f", wenn sie eine {card(puts.kind, is_single=True)} ist," if puts.kind else ""
        yield _put(puts, f"sie{kind_condition}", owner, is_known=True)
        return
    number = amount(puts.count, puts.extent)
    cards_put = f"{number} {card(puts.kind, is_single)} davon" if puts.kind else f"{number} davon"
    yield _put(puts, cards_put, owner, is_known=True)
    leaves_one = top - puts.count == 1 and not puts.kind and puts.extent == "exactly"
    remaining_cards = "die andere" if leaves_one else "die übrigen in beliebiger Reihenfolge"
    if puts.to == "onto the DECK":
        yield Predicate("legt", f"{remaining_cards} darunter")
    else:
        yield Predicate("legt", f"{remaining_cards} oben auf das DECK", "zurück")


def _put(puts: say.Puts, cards: str, owner: Owner, is_known: bool = False) -> Predicate:
    """Return the last predicate: players take their own cards into the hand, and give others to the opponent.

    ``is_known`` says that the opponent was mentioned before.
    """
    if puts.to == "into the hand":
        if puts.source.own:
            return Predicate("nimmt", f"{cards} auf die Hand")
        recipient = "dir" if puts.source.side == "own" else "ihm" if is_known and owner else "deinem Gegner"
        if cards.startswith("sie"):
            return Predicate("gibt", f"{cards.replace('sie', f'sie {recipient}', 1)} auf die Hand")
        if recipient == "dir":
            return Predicate("gibt", f"{cards} auf die Hand", pronoun=recipient)
        return Predicate("gibt", f"{recipient} {cards} auf die Hand")
    zone = "DISCARDZONE" if puts.to == "into the DISCARDZONE" else "DECK"
    return Predicate("legt", f"{cards} {_ONTO[puts.to]} {_place(zone, owner, 'acc')}")


def _owner(source: say.Zone, actor: Owner) -> Owner:
    return actor if source.own else "dein" if source.side == "own" else ""


def _top(source: say.Zone, owner: Owner) -> str:
    cards = "oberste Karte" if source.top == 1 else f"obersten {source.top} Karten"
    return f"die {cards} {_place('DECK', owner, 'gen')}"
