"""A PDF for a print service: one card a page with its bleed, back, front, back, front, and so on.

Sources: the services' public templates; widths and heights are those of the cut card.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolkit.data.model import Edges
from toolkit.project.exports.choice import Choice
from toolkit.project.output import Outcome, Refusal, gave_up, refused_pdf, write_file
from toolkit.render.impose import backs_first
from toolkit.render.layout import LayoutPlan
from toolkit.render.pages import page_size
from toolkit.render.sheet import MOST_PAGES, Progress, SheetSettings, render_sheet
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
            near = abs(size.width - card_size.width) <= 1 and abs(size.height - card_size.height) <= 1
            if near and size.shape == card_size.shape:
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


def write_shop_pdf(
    output: Path, choice: Choice, service: Service, progress: Progress, many_pages: bool = False
) -> Outcome | Refusal:
    """Write every card as often as its ``quantity`` says, whole or not at all.

    More than ``MOST_PAGES`` are only written with ``many_pages``.
    """
    refused = choice.nothing or refused_pdf(output)
    if refused:
        return Refusal(refused)
    plan = _plan(choice, service)
    if isinstance(plan, Refusal):
        return plan
    project = choice.workspace.cards.project
    settings = SheetSettings(
        layout=plan,
        project=project.name,
        version=project.version,
        author=project.author or "",
        look=choice.look,
        most_pages=None if many_pages else MOST_PAGES,
    )
    result = render_sheet(choice.faces, settings, choice.roots, progress)
    if result.failure is not None:
        return gave_up(result.failure)
    refusal = write_file(output, backs_first(result.pdf)) if result.pages else None  # the old file stays
    if refusal is not None:
        return refusal
    cards = f"{result.cards} card{'' if result.cards == 1 else 's'}"
    sentence = f"{output}: {cards} on {result.pages} pages for {service.title}, each after its back."
    data = {"file": str(output), "service": service.name, "cards": result.cards, "pages": result.pages}
    report = choice.report(result.diagnostics)
    return Outcome(sentence if result.pages else "Nothing was printed.", report, data)


def _plan(choice: Choice, service: Service) -> LayoutPlan | Refusal:
    """One card on a page of trim and bleed."""
    sizes = {size for size, _ in choice.by_size()}
    if len(sizes) > 1:
        return Refusal("These cards have several sizes, but a service prints one: choose with --kind.")
    size = sizes.pop()
    trim = service.size_for(size)
    if trim is None:
        return Refusal(service.no_such_size(size))
    return LayoutPlan(
        card=trim,
        paper=page_size(trim, service.bleed),
        orientation="landscape" if trim.width > trim.height else "portrait",
        columns=1,
        rows=1,
        bleed=service.bleed,
        margins=Edges(0.0, 0.0, 0.0, 0.0),
        marks="none",
        sides="both",
        flip="none",
        name=service.name,
    )
