"""PDFs for print services: one card a page with its bleed, or sheets as a service wants them."""

from __future__ import annotations

from msgspec.structs import replace

from toolkit.data.model import Edges
from toolkit.data.quoting import counted
from toolkit.pipeline import Workspace
from toolkit.project.output import Outcome, Refusal, gave_up, refused_pdf, write_file
from toolkit.project.print_job import PrintJob, PrintRequest, choose, part_of
from toolkit.render.cmyk import press_pdf
from toolkit.render.impose import backs_first
from toolkit.render.layout import LayoutPlan, Orientation
from toolkit.render.pages import page_size
from toolkit.render.renderer import EngineError
from toolkit.render.services import Service
from toolkit.render.sheet import MOST_PAGES, Failure, Progress, render_sheet


class ShopRequest(PrintRequest, frozen=True, kw_only=True):
    """The print service; more than ``MOST_PAGES`` are only printed with ``many_pages``."""

    service: Service
    many_pages: bool = False


def write_shop_pdf(workspace: Workspace, request: ShopRequest, progress: Progress) -> Outcome | Refusal:
    """Write every card as often as its ``quantity`` says, whole or not at all."""
    output, service = request.output, request.service
    job = choose(workspace, request, refused_pdf(output))
    if not isinstance(job, PrintJob):
        return job
    plan = _plan(job, service)
    if isinstance(plan, Refusal):
        return plan
    most_pages = None if request.many_pages else MOST_PAGES
    settings = job.sheet_settings(layout=plan, by_kind={}, most_pages=most_pages)
    drawn = len(job.faces)
    total = drawn * (2 if service.most_ink else 1)
    result = render_sheet(job.faces, settings, job.roots, part_of(progress, 0, total))
    if result.failure is not None:
        return gave_up(result.failure)
    pdf = result.pdf if service.sheets or not result.pages else backs_first(result.pdf)
    if service.most_ink is not None and result.pages:
        try:
            pdf = press_pdf(
                pdf,
                service.most_ink,
                lambda done, pages: progress(drawn + drawn * done // pages, total),
            )
        except EngineError as error:
            return gave_up(Failure(str(error), "Check the templates you changed."))
    order = "each sheet before its backs" if service.sheets else "each after its back"
    sentence = (
        f"{output}: {counted(result.cards, 'card')} on {result.pages} pages for {service.title}, {order}."
        if result.pages
        else "Nothing was printed."  # the old file stays
    )
    data = {
        "file": str(output),
        "service": service.name,
        "cards": result.cards,
        "pages": result.pages,
    }
    done = Outcome(sentence, job.report(result.diagnostics), data)
    return (write_file(output, pdf) if result.pages else None) or done


def _plan(job: PrintJob, service: Service) -> LayoutPlan | Refusal:
    """One card on a page of trim and bleed, or the sheets of the service."""
    sizes = {size for size, _ in job.by_size()}
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
