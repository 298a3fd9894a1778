"""Print services by the name that ``--service`` takes: their card sizes and the form of files.

Sources: the services' public help pages and templates, and templates for them in public code (2026).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from toolkit.press.layout import Corner
from toolkit.render.sizes import MM_PER_INCH, Size, card_name, measures

_EIGHTH = 0.125 * MM_PER_INCH
"""Bleed of most services, in mm: 37.5 dots at 300 dpi."""

_SIZE_TOLERANCE = 1.0
"""Maximal difference in mm of the sides of a project's card and those of the service's card for it."""

Form = Literal["pictures", "pdf"]
"""A picture of each card, or a PDF with a page for each side of each card, or with sheets."""


class Sheets(Struct, frozen=True):
    """Sheets of a service: the paper, and the upper left corner of each place, in mm."""

    paper: Size
    places: tuple[Corner, ...]


class Service(Struct, frozen=True):
    """A print service: ``cards`` are trim sizes by the service's names for them; lengths are in mm.

    A project's ``poker`` (63 × 88 mm) becomes a service's poker (2.5 × 3.5 in): half a millimetre more. A
    service with ``most_ink`` (in %) prints from plates and takes PDF/X-1a.
    """

    name: str
    title: str
    form: Form
    cards: Mapping[str, Size]
    bleed: float = _EIGHTH
    dpi: int = 300
    most_ink: float | None = None
    sheets: Sheets | None = None

    def closest_card(self, card_size: Size) -> Size | None:
        """Return the service's card for the project's size, or None. It may be turned: see ``is_turned``."""

        def difference(size: Size) -> float:
            return max(abs(size.width - card_size.width), abs(size.height - card_size.height))

        cards = list(self.cards.values())
        if self.form == "pictures":
            cards += [card.turned for card in cards]
        similar_cards = [
            card for card in cards if card.shape == card_size.shape and difference(card) <= _SIZE_TOLERANCE
        ]
        return min(similar_cards, key=difference, default=None)

    def is_turned(self, card: Size) -> bool:
        """Whether pictures of this card have to be turned for the service."""
        return card not in self.cards.values()

    def unsupported_size(self, card_size: Size) -> str:
        """Return the message for a project whose cards the service does not print."""
        offered = ", ".join(f"{card_name(size)} ({name})" for name, size in self.cards.items())
        return (
            f"{self.title} does not print cards of {measures(card_size)}. "
            f"Set `card_size` to one of: {offered}."
        )

    def pixels(self, card: Size) -> tuple[int, int]:
        """Return width and height in pixels of the picture of a card with its bleed."""
        width, height = (round((side + 2 * self.bleed) / MM_PER_INCH * self.dpi) for side in card)
        return width, height


def _inches(**cards: tuple[float, float]) -> dict[str, Size]:
    """Return sizes in mm from those in inches."""
    return {
        name.replace("_", " "): Size(round(width * MM_PER_INCH, 2), round(height * MM_PER_INCH, 2))
        for name, (width, height) in cards.items()
    }


_MAKE_PLAYING_CARDS = _inches(
    poker=(2.5, 3.5),
    game_card=(2.48, 3.46),
    bridge=(2.25, 3.5),
    tarot=(2.75, 4.75),
    mini=(1.75, 2.5),
    micro=(1.25, 1.75),
    domino=(1.75, 3.5),
    business=(2, 3.5),
    medium=(2.45, 3.95),
    large=(3.5, 5.75),
    square=(3.5, 3.5),
    small_square=(2, 2),
)

_GAME_CRAFTER = {
    **_inches(
        poker=(2.5, 3.5),
        bridge=(2.25, 3.5),
        tarot=(2.75, 4.75),
        mini=(1.75, 2.5),
        micro=(1.25, 1.75),
        domino=(1.75, 3.5),
        business=(2, 3.5),
        jumbo=(3.5, 5.5),
        square=(3.5, 3.5),
        euro_square=(2.75, 2.75),
        small_square=(2.5, 2.5),
    ),
    "circle": Size(3.5 * MM_PER_INCH, 3.5 * MM_PER_INCH, "round"),
}

_PRINT_PLAY_GAMES = Sheets(
    Size(12 * MM_PER_INCH, 18 * MM_PER_INCH),
    tuple(  # cards lie on their left sides; the middles are in inches
        Corner(round((x - 1.75) * MM_PER_INCH, 3), round((y - 1.25) * MM_PER_INCH, 3), 90)
        for y in (2.165, 4.915, 7.665, 10.415, 13.165, 15.915)
        for x in (2.3, 6.0, 9.7)
    ),
)

SERVICES = {
    service.name: service
    for service in (
        Service("game-crafter", "The Game Crafter", "pictures", _GAME_CRAFTER),
        # 36 dots at 300 dpi: a little less than the 1/8 inch of which its pages speak
        Service(
            "makeplayingcards", "MakePlayingCards", "pictures", _MAKE_PLAYING_CARDS, bleed=0.12 * MM_PER_INCH
        ),
        Service(
            "drivethrucards",
            "DriveThruCards",
            "pdf",
            _inches(poker=(2.5, 3.5), tarot=(2.75, 4.75), mini=(1.625, 2.5)),
            most_ink=240.0,
        ),
        Service(
            "printplaygames",
            "Print & Play",
            "pdf",
            _inches(poker=(2.5, 3.5)),
            sheets=_PRINT_PLAY_GAMES,
        ),
    )
}
