"""Which cards lie on which deck sheet of Tabletop Simulator, and what decks and files are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from toolkit.project.exports.choice import Choice
from toolkit.project.exports.folder import free_name
from toolkit.render.backs import Back, Pile, back_of
from toolkit.render.deck_sheet import CARDS_ON_A_SHEET, DeckSheet, divide
from toolkit.render.face import Face
from toolkit.render.raster import PictureSettings
from toolkit.render.sizes import Size

PILES: dict[Pile, str] = {
    "operator": "OPERATORs",
    "deck": "DECK",
    "item": "ITEMDECK",
    "objective": "OBJECTIVEs",
}
"""What the piles are called on the table; the nouns of the rules are the same in every language."""


class DeckPart(Struct, frozen=True):
    """The cards of one deck sheet; ``number`` is the sheet's among all of them."""

    back: Back
    name: str
    number: int
    count: int
    layout: DeckSheet
    settings: PictureSettings
    faces: Sequence[Face]

    @property
    def file(self) -> str:
        """The picture of the sheet."""
        return f"{self.name}-{self.count}.png"

    @property
    def back_file(self) -> str:
        """The picture of its back."""
        return f"back-{self.name}.png"


def deck_parts(choice: Choice) -> Iterator[DeckPart]:
    """Deck sheets pile by pile, in the order in which the piles come first.

    Cards with another back, or of another size, are a deck of their own.
    """
    piles: dict[tuple[Back, Size, float], list[Face]] = {}
    for face in choice.faces:
        plan = choice.plan(face)
        piles.setdefault((back_of(face), plan.card, plan.bleed), []).append(face)
    number = 0
    taken: set[str] = set()
    for (back, size, bleed), faces in piles.items():
        name = free_name(str(back), taken)
        for count, start in enumerate(range(0, len(faces), CARDS_ON_A_SHEET), 1):
            number += 1
            some = faces[start : start + CARDS_ON_A_SHEET]
            layout = divide(len(some), size)
            settings = PictureSettings(size, layout.dpi, bleed, look=choice.look)
            yield DeckPart(back, name, number, count, layout, settings, some)


def deck_title(part: DeckPart, parts: Sequence[DeckPart]) -> str:
    """What a deck is called on the table; with the TEAM, where its cards have a back of their own."""
    pile = part.back.pile
    alone = len({other.name for other in parts if other.back.pile == pile}) == 1
    teams = {face.team_name for face in part.faces}
    team = next(iter(teams)) if len(teams) == 1 else None
    return PILES[pile] if alone else f"{PILES[pile]} {team or part.name}"
