"""Writing a contact sheet: the selected cards small, by kind and TEAM, as PDF or as one picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from toolkit.diagnostics.phrases import counted
from toolkit.press.layout_check import paper_of
from toolkit.press.sheet import Failure
from toolkit.products.contact.contact_pages import ContactSettings, Group, contact_pdf, contact_picture
from toolkit.products.sheets.print_job import PrintJob, PrintRequest, select_cards
from toolkit.products.sheets.project_layouts import LayoutRequest
from toolkit.project.output import Outcome, Refusal, failure_refusal, refused_pdf, refused_picture, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.renderer import Progress


class ContactRequest(PrintRequest, frozen=True):
    """The number of cards side by side; None: as many as fit at 45 % of their size.

    The suffix of the file decides whether it is a PDF or a picture.
    """

    columns: int | None = None


def write_contact(workspace: Workspace, request: ContactRequest, progress: Progress) -> Outcome | Refusal:
    """Write the contact sheet with each selected card once, whole or not at all."""
    job = contact_job(workspace, request)
    if not isinstance(job, PrintJob):
        return job
    groups = [Group(title, tuple(dict.fromkeys(faces))) for title, faces in job.by_kind().items()]
    return write_groups(job, groups, request, progress)


def contact_job(workspace: Workspace, request: ContactRequest) -> PrintJob | Outcome | Refusal:
    """Return a job with the selected cards."""
    is_picture = _is_picture(request.output)
    if is_picture and request.layout.paper:
        return Refusal("--paper is for a PDF: a picture is as large as its cards need.")
    refused = refused_picture(request.output) if is_picture else refused_pdf(request.output)
    # --paper is that of the contact sheet: it must not select a layout, and with it a card size.
    return select_cards(workspace, replace(request, layout=LayoutRequest()), refused)


def _is_picture(output: Path) -> bool:
    return output.suffix.lower() == ".png"


def write_groups(
    job: PrintJob, groups: Sequence[Group], request: ContactRequest, progress: Progress
) -> Outcome | Refusal:
    """Write groups of cards as PDF or picture."""
    output, is_picture = request.output, _is_picture(request.output)
    page_size = None if is_picture else paper_of(request.layout.paper or job.project.paper)
    settings = ContactSettings(job.sheet_settings(), job.metadata(), page_size, request.columns)
    contact_sheet = contact_pdf(groups, settings, job.roots, progress)
    if isinstance(contact_sheet, Failure):
        return failure_refusal(contact_sheet)
    report, card_words = job.report(contact_sheet.diagnostics), counted(contact_sheet.cards, "card")
    if not contact_sheet.pages:
        return Outcome("Nothing was printed.", report)
    data = {"file": str(output), "cards": contact_sheet.cards}
    if not is_picture:
        outcome = Outcome(
            f"{output}: {card_words} on {counted(contact_sheet.pages, 'page')}.",
            report,
            {**data, "pages": contact_sheet.pages},
        )
        return write_file(output, contact_sheet.pdf) or outcome
    picture = contact_picture(contact_sheet.pdf)
    if picture is None:
        return Refusal(
            f"{card_words} are too many for one picture: write a PDF, or choose fewer with --kind."
        )
    content, width, height = picture
    sentence = f"{output}: {card_words}, {width} × {height} pixels."
    return write_file(output, content) or Outcome(
        sentence, report, {**data, "width": width, "height": height}
    )
