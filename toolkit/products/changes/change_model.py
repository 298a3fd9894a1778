"""The change of a card between two versions, and what to do with its printed copies."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from toolkit.source.short_repr import PublicValue
from toolkit.wording.languages import Words

Category = Literal["behaviour", "wording", "looks", "unknown"]
"""What changed on a card: what it does, what it says, its appearance; ``unknown`` if the older card could not
be read."""

Action = Literal["add", "replace", "throw-away", "keep"]

CATEGORIES: tuple[Category, ...] = ("behaviour", "wording", "looks", "unknown")
"""In order of importance: a card is listed under its first one."""


class Difference(PublicValue, Struct, frozen=True):
    """One difference: ``what`` changed, and its values before and after where they are known."""

    category: Category
    what: str
    before: str | None = None
    after: str | None = None


class CardChange(PublicValue, Struct, frozen=True):
    """A card that changed.

    ``before`` and ``now`` are numbers of copies: 0 before for a new card, 0 now for one that is gone.
    ``older_id`` differs from ``id`` if the id changed. ``same_face`` says that nothing printed changed.
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
        """The number of copies to print."""
        return self.now if self.action == "replace" else max(self.now - self.before, 0)

    @property
    def to_throw_away(self) -> int:
        """The number of printed copies that are outdated."""
        return self.before if self.action == "replace" else max(self.before - self.now, 0)

    @property
    def category(self) -> Category | None:
        """The most important category of its differences."""
        categories = {difference.category for difference in self.differences}
        return next((category for category in CATEGORIES if category in categories), None)

    def of(self, category: Category) -> tuple[Difference, ...]:
        """Return the differences of a category."""
        return tuple(difference for difference in self.differences if difference.category == category)


class Changes(PublicValue, Struct, frozen=True):
    """All cards that changed, in file order, those that are gone last.

    ``unreadable`` are cards that cannot be read now, so that nothing is known about their printed copies.
    ``older_incomplete`` says that a file or an id of the older version could not be read. ``words`` are the
    texts of the printed list beside those of the cards.
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
        """The numbers of copies to print, by card id."""
        return {card.id: card.to_print for card in self.cards if card.to_print}

    @property
    def printed(self) -> int:
        """The number of all copies to print."""
        return sum(card.to_print for card in self.cards)

    @property
    def thrown_away(self) -> int:
        """The number of all printed copies that are outdated."""
        return sum(card.to_throw_away for card in self.cards)
