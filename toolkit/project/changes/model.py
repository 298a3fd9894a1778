"""The change of a card between two versions, and what to do with its printed copies."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from toolkit.wording.languages import Words

Category = Literal["behaviour", "wording", "looks", "unknown"]
"""What changed on a card: what it does, what it says, its appearance. ``unknown``: the older one could not be
read."""

Action = Literal["add", "replace", "throw-away", "keep"]

CATEGORIES: tuple[Category, ...] = ("behaviour", "wording", "looks", "unknown")


class Difference(Struct, frozen=True):
    """One thing that changed: ``what`` it is, and before and after where they are known."""

    category: Category
    what: str
    before: str | None = None
    after: str | None = None


class CardChange(Struct, frozen=True):
    """A card that changed.

    ``before`` and ``now`` are numbers of copies; 0 before is a new card, 0 now one that is gone. ``older_id``
    differs from ``id`` where only the id changed. ``same_face`` says that nothing that is
    printed changed.
    """

    id: str
    older_id: str
    name: str
    older_name: str
    kind: str
    before: int
    now: int
    differences: tuple[Difference, ...] = ()
    same_face: bool = False

    @property
    def action(self) -> Action:
        """What to do with the printed cards."""
        if self.before and self.now and not self.same_face:
            return "replace"
        if self.now > self.before:
            return "add"
        return "throw-away" if self.now < self.before else "keep"

    @property
    def to_print(self) -> int:
        """How many copies have to be printed."""
        return self.now if self.action == "replace" else max(self.now - self.before, 0)

    @property
    def to_throw_away(self) -> int:
        """How many printed copies are of no use any more."""
        return self.before if self.action == "replace" else max(self.before - self.now, 0)

    @property
    def category(self) -> Category | None:
        """The weightiest sort of change."""
        return next(
            (
                category
                for category in CATEGORIES
                if any(one.category == category for one in self.differences)
            ),
            None,
        )

    def of(self, category: Category) -> tuple[Difference, ...]:
        """What changed of one sort."""
        return tuple(one for one in self.differences if one.category == category)


class Changes(Struct, frozen=True):
    """All cards that changed, in file order, those that are gone last.

    ``unreadable`` are cards of today that cannot be read: nothing is said about their printed copies.
    ``older_incomplete`` says that a file or an id of the older version could not be read at all. ``words`` is
    what the list says beside the cards' own texts.
    """

    since: str
    words: Words
    project: str
    cards: tuple[CardChange, ...]
    unreadable: tuple[str, ...] = ()
    older_incomplete: bool = False

    @property
    def language(self) -> str:
        """The language of the texts that were compared."""
        return self.words.language

    @property
    def copies(self) -> dict[str, int]:
        """How many copies of which card have to be printed, by id."""
        return {card.id: card.to_print for card in self.cards if card.to_print}

    @property
    def printed(self) -> int:
        """How many cards have to be printed altogether."""
        return sum(card.to_print for card in self.cards)

    @property
    def thrown_away(self) -> int:
        """How many printed cards are of no use any more."""
        return sum(card.to_throw_away for card in self.cards)
