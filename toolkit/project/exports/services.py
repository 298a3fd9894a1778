"""What print services want: the size of their cards, the bleed and the dots in an inch.

Sources: the services' public templates; widths and heights are those of the cut card.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from toolkit.render.sizes import CARD_SIZES, Size

EIGHTH_INCH = 3.175
"""Bleed of the services, in mm: 1/8 inch, 37.5 dots at 300 dpi."""


class Service(Struct, frozen=True):
    """A print service: ``form`` is what it takes, ``sizes`` the cards it prints, by our name for the size.

    A project's ``poker`` (63 × 88 mm) becomes the service's poker (2.5 × 3.5 in): half a millimetre more.
    """

    name: str
    title: str
    form: Literal["png", "pdf"]
    sizes: tuple[str, ...]
    dpi: int = 300
    bleed: float = EIGHTH_INCH

    def size_for(self, card_size: Size) -> Size | None:
        """The card of the service that is nearest to the project's: at most 1 mm off on each side."""
        for name in self.sizes:
            size = CARD_SIZES[name]
            if abs(size.width - card_size.width) <= 1 and abs(size.height - card_size.height) <= 1:
                return size
        return None

    def no_such_size(self, card_size: Size) -> str:
        """A sentence for a project whose cards the service does not print."""
        offered = ", ".join(
            f"{name} ({CARD_SIZES[name].width:g} × {CARD_SIZES[name].height:g} mm)" for name in self.sizes
        )
        return (
            f"{self.title} does not print cards of {card_size.width:g} × {card_size.height:g} mm. "
            f"The nearest `card_size` is one of: {offered}."
        )


SERVICES = {
    service.name: service
    for service in (
        Service("game-crafter", "The Game Crafter", "png", ("poker-us", "bridge", "tarot", "domino")),
        Service("drivethrucards", "DriveThruCards", "pdf", ("poker-us", "tarot")),
    )
}
"""The services by the name that ``--service`` takes."""
