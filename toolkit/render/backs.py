"""Which back a card has: cards that are shuffled together must look alike from behind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from toolkit.render.face import Face

Pile = Literal["operator", "deck", "item", "objective"]
"""What cards are put together: those of one pile have one back, unless the project says otherwise."""

_PILES: dict[str, Pile] = {"operator": "operator", "item": "item", "objective": "objective"}


class Back(Struct, frozen=True):
    """The look of a back: the shipped one of its pile, a picture, or a TEAM's logo on its colours."""

    pile: Pile
    picture: Path | None = None
    logo: Path | None = None
    colours: tuple[str, str] | None = None

    def __str__(self) -> str:
        """A name for files: the pile's, with the picture's or the colour's where there is one."""
        own = self.picture or self.logo
        look = own.stem if own else self.colours[0].lstrip("#") if self.colours else ""
        return f"{self.pile}-{look}" if look else self.pile


def pile_of(kind: str) -> Pile:
    """The pile of a kind: what is drawn from the DECK is one."""
    return _PILES.get(kind, "deck")


def back_of(face: Face) -> Back:
    """The back of a card: its own, else the shipped one of its pile."""
    return face.back or Back(pile_of(face.kind))
