"""Writing sheets as PDF: all selected cards, or those that changed since an older version."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import Report
from toolkit.press.printers import Printer
from toolkit.press.sheet import MAX_PAGES, Failure, PrintRunCache, SheetResult, SheetSettings, render_sheet
from toolkit.products.alignment.printer_alignment import find_printer
from toolkit.products.changes.change_list import among_chosen, to_print, with_list
from toolkit.products.changes.comparison import changes_since
from toolkit.products.sheets.print_job import (
    PrintJob,
    PrintRequest,
    chosen_faces,
    copies_needed,
    select_cards,
    squads_chosen,
    start_job,
    with_cards,
)
from toolkit.project.output import Outcome, Refusal, failure_refusal, refused_pdf, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.face import Face
from toolkit.render.renderer import Progress, no_progress

if TYPE_CHECKING:
    from toolkit.products.changes.change_model import Changes


class SheetRequest(PrintRequest, frozen=True):
    """The request for sheets.

    ``proof`` shows the cut and the safe zone; ``stamp`` prints project, version and fingerprint on each card;
    ``printer`` is one with a saved offset. ``changed_since`` is a git revision or the folder of an older
    copy: only what changed is printed. ``many_pages`` lifts the limit of ``MAX_PAGES``.
    """

    proof: bool = False
    stamp: bool = False
    printer: str | None = None
    changed_since: str | None = None
    many_pages: bool = False


class SheetJob(PrintJob, frozen=True, kw_only=True):
    """Sheets that are ready to be printed: the cards, each with its quantity, and the settings.

    ``changes`` are those since an older version if only they are printed. Printing reads nothing more of the
    project than templates and pictures.
    """

    settings: SheetSettings
    changes: Changes | None = None


class PrintedSheet(Struct, frozen=True):
    """The PDF (empty if every card was left out), a summary, and the findings.

    ``cards`` are those on its pages, each as often as it is printed.
    """

    pdf: bytes
    cards: tuple[Face, ...]
    sentence: str
    report: Report
    lone_cards: int = 0


def write_sheet(
    workspace: Workspace,
    request: SheetRequest,
    progress: Progress = no_progress,
    cache: PrintRunCache | None = None,
) -> Outcome | Refusal:
    """Render the selected cards and write the PDF, whole or not at all.

    Cards with errors are printed, too; an effect with errors has no rules text. ``cache`` is that of
    ``print_sheet``.
    """
    job = prepare_sheet(workspace, request, refused_pdf(request.output))
    printed_sheet = print_sheet(job, progress, cache) if isinstance(job, SheetJob) else job
    if not isinstance(printed_sheet, PrintedSheet):
        return printed_sheet
    if not printed_sheet.pdf:
        return Outcome("Nothing was printed.", printed_sheet.report)
    refusal = write_file(request.output, printed_sheet.pdf)
    sentence, data = printed_sheet.sentence, {"lone_cards": printed_sheet.lone_cards}
    if request.for_two and not squads_chosen(workspace.cards, request):
        sentence += "; the project has no SQUADs, so each card is there as often as its `quantity` says"
    return refusal or Outcome(f"{request.output}: {sentence}.", printed_sheet.report, data)


def prepare_sheet(
    workspace: Workspace, request: SheetRequest, refused: str | None = None
) -> SheetJob | Outcome | Refusal:
    """Select the cards and the settings; return an ``Outcome`` if there is nothing to print.

    ``refused`` says why the output cannot be written, if so: then nothing is prepared.
    """
    if request.changed_since is not None:
        return _prepare_changed(workspace, request, request.changed_since, refused)
    job = select_cards(workspace, request, refused)
    return sheet_job(job, request) if isinstance(job, PrintJob) else job


def _prepare_changed(
    workspace: Workspace, request: SheetRequest, since: str, refused: str | None
) -> SheetJob | Outcome | Refusal:
    """Prepare sheets of the cards that changed, and the list of changes."""
    base_job = start_job(workspace, request, refused)
    if isinstance(base_job, Refusal):
        return base_job

    def copies(either: Workspace) -> Counter[str] | None:
        return copies_needed(either, request) if squads_chosen(either.cards, request) else None

    all_changes = changes_since(workspace, since, base_job.language, copies)
    if isinstance(all_changes, Refusal):
        return all_changes
    changes = among_chosen(all_changes, request.ids, request.kinds)
    candidates = chosen_faces(workspace, base_job.language, request)
    job = with_cards(base_job, request, to_print(candidates, changes))
    if isinstance(job, Refusal):
        return job
    if not (changes.printed or changes.thrown_away):
        outcome_words = "No card has to be replaced" if changes.cards else "No card changed"
        return Outcome(f"{outcome_words} since {changes.since}; nothing was printed.", job.report())
    return sheet_job(job, request, changes)


def sheet_job(job: PrintJob, request: SheetRequest, changes: Changes | None = None) -> SheetJob | Refusal:
    """Return the sheets of selected cards, or a refusal if the printer was not measured for them."""
    printer = find_printer(request.printer, job.layouts) if request.printer else Printer()
    if isinstance(printer, Refusal):
        return printer
    settings = job.sheet_settings(
        proof=request.proof,
        stamp=request.stamp,
        printer=printer,
        most_pages=None if request.many_pages else MAX_PAGES,
    )
    return SheetJob(**asdict(job), settings=settings, changes=changes)


def print_sheet(
    job: SheetJob, progress: Progress = no_progress, cache: PrintRunCache | None = None
) -> PrintedSheet | Refusal:
    """Print the cards; if only changed ones are printed, followed by the list of changes.

    ``cache`` shares pages of cards among several sheets, as in ``render_sheet``.
    """
    sheet_result = SheetResult(b"")
    if job.faces:
        sheet_result = render_sheet(job.faces, job.settings, job.roots, progress, cache=cache)
    if sheet_result.failure is not None:
        return failure_refusal(sheet_result.failure)
    sentence = f"{counted(sheet_result.cards, 'card')} on {counted(sheet_result.pages, 'page')}"
    if sheet_result.lone_cards:
        sentence += f" ({lone_card_words(sheet_result.lone_cards)})"
    pdf, diagnostics = sheet_result.pdf if sheet_result.pages else b"", list(sheet_result.diagnostics)
    if job.changes is not None:
        changes, paper = job.changes, job.settings.layout.paper.upright
        list_words = f"a list of what changed since {changes.since} ({changes.thrown_away} to throw away)"
        sentence = f"{sentence}, and {list_words}" if sheet_result.cards else f"only {list_words}"
        pdf_with_list = with_list(sheet_result.pdf, changes, job.roots, paper, job.metadata())
        if isinstance(pdf_with_list, Failure):
            return failure_refusal(pdf_with_list)
        if isinstance(pdf_with_list, Diagnostic):  # the sheets without the list
            diagnostics.append(pdf_with_list)
        else:
            pdf = pdf_with_list
    report = job.report(diagnostics)
    return PrintedSheet(pdf, sheet_result.printed, sentence, report, sheet_result.lone_cards)


def lone_card_words(number: int) -> str:
    """Return the sentence about cards that are alone on their page."""
    return "1 card costs a page" if number == 1 else f"{number} cards cost a page each"
