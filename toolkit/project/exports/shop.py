"""PDFs for print services: one card a page with its bleed, or sheets as a service wants them."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from toolkit.data.model import Edges
from toolkit.project.exports.choice import Choice, part_of
from toolkit.project.output import Outcome, Refusal, gave_up, refused_pdf, write_file
from toolkit.render.cmyk import press_pdf
from toolkit.render.impose import backs_first
from toolkit.render.layout import LayoutPlan, Orientation
from toolkit.render.pages import page_size
from toolkit.render.renderer import EngineError
from toolkit.render.services import Service
from toolkit.render.sheet import MOST_PAGES, Failure, Progress, SheetSettings, render_sheet


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
    drawn = len(choice.faces)
    total = drawn * (2 if service.most_ink else 1)
    result = render_sheet(choice.faces, settings, choice.roots, part_of(progress, 0, total))
    if result.failure is not None:
        return gave_up(result.failure)
    report = choice.report(result.diagnostics)
    if not result.pages:  # the old file stays
        return Outcome("Nothing was printed.", report, _data(output, service, 0, 0))
    pdf = result.pdf if service.sheets else backs_first(result.pdf)
    if service.most_ink is not None:
        try:
            pdf = press_pdf(
                pdf,
                service.most_ink,
                lambda done, pages: progress(drawn + drawn * done // pages, total),
            )
        except EngineError as error:
            return gave_up(Failure(str(error), "Check the templates you changed."))
    refusal = write_file(output, pdf)
    if refusal is not None:
        return refusal
    cards = f"{result.cards} card{'' if result.cards == 1 else 's'}"
    order = "each sheet before its backs" if service.sheets else "each after its back"
    sentence = f"{output}: {cards} on {result.pages} pages for {service.title}, {order}."
    return Outcome(sentence, report, _data(output, service, result.cards, result.pages))


def _data(output: Path, service: Service, cards: int, pages: int) -> dict[str, str | int]:
    return {"file": str(output), "service": service.name, "cards": cards, "pages": pages}


def _plan(choice: Choice, service: Service) -> LayoutPlan | Refusal:
    """One card on a page of trim and bleed, or the sheets of the service."""
    sizes = {size for size, _ in choice.by_size()}
    if len(sizes) > 1:
        return Refusal("These cards have several sizes, but a service prints one: choose with --kind.")
    size = sizes.pop()
    card = service.card_for(size)
    if card is None:
        return Refusal(service.no_such_card(size))
    plan = LayoutPlan(
        card=card,
        bleed=service.bleed,
        margins=Edges(0.0, 0.0, 0.0, 0.0),
        marks="none",
        sides="both",
        name=service.name,
    )
    if service.sheets is not None:
        sheets = service.sheets
        return replace(plan, paper=sheets.paper, orientation="portrait", corners_at=sheets.places)
    paper = page_size(card, service.bleed)
    orientation: Orientation = "landscape" if card.width > card.height else "portrait"
    return replace(plan, paper=paper, orientation=orientation, columns=1, rows=1, flip="none")
