"""Writing a PNG of every card and back, or the files of a print service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Edges
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.press.card_pictures import PictureSettings, Subject, draw_cards
from toolkit.press.cmyk import press_pdf
from toolkit.press.impose import backs_first
from toolkit.press.layout import LayoutPlan, Orientation
from toolkit.press.services import Service
from toolkit.press.sheet import MAX_PAGES, Failure, render_sheet
from toolkit.products.sheets.print_job import (
    PrintJob,
    PrintRequest,
    select_cards,
    start_job,
    sub_progress,
    with_cards,
)
from toolkit.project.faces import faces as faces_of
from toolkit.project.output import (
    Outcome,
    Refusal,
    cannot_write,
    failure_refusal,
    prepare_folder,
    refused_pdf,
    unique_name,
    write_file,
)
from toolkit.project.pipeline import Workspace
from toolkit.render.face import Back, Face, back_of
from toolkit.render.page_raster import as_image, encode_png, is_our_png
from toolkit.render.pages import page_size
from toolkit.render.renderer import EngineError, Progress, Raster
from toolkit.source.paths import below
from toolkit.source.writing import write_atomically

PixelSizes = dict[str, tuple[int, int]]
"""Width and height of pictures by file name."""

RESOLUTIONS = range(30, 1201)
"""The resolutions of pictures, in dpi."""


class PictureRequest(PrintRequest, frozen=True):
    """The resolution, whether the bleed is shown, and the print service."""

    dpi: int = 300
    bleed: bool = False
    service: Service | None = None


class _PictureRun(Struct, frozen=True):
    """Cards of one size and their backs, with file names, and whether the pictures are turned."""

    settings: PictureSettings
    names: dict[Subject, str]
    turned: bool = False


def write_pictures(workspace: Workspace, request: PictureRequest, progress: Progress) -> Outcome | Refusal:
    """Write ``ID.png`` for every card, and ``backs/NAME.png`` for every back of these cards.

    Each file is written whole or not at all; files that were not made by opforge are never replaced.
    """
    job = select_cards(workspace, request)
    if not isinstance(job, PrintJob):
        return job
    runs = _picture_runs(request, job)
    if isinstance(runs, Refusal):
        return runs
    names = [name for run in runs for name in run.names.values()]
    refused = prepare_folder(request.output, names, is_our_png)
    if refused:
        return refused
    written_sizes: PixelSizes = {}
    diagnostics: list[Diagnostic] = []
    try:
        for run in runs:
            run_progress = sub_progress(progress, len(written_sizes), len(names))
            run_diagnostics = _draw_run(run, request, job, written_sizes, run_progress)
            if isinstance(run_diagnostics, Failure):
                return failure_refusal(run_diagnostics)
            diagnostics += run_diagnostics
    except OSError as error:
        return cannot_write(request.output, error)
    cards, backs = _written_pictures(job, runs, written_sizes)
    sizes = " and ".join(sorted({f"{picture['width']}×{picture['height']}" for picture in (*cards, *backs)}))
    counts = f"{counted(len(cards), 'card')} and {counted(len(backs), 'back')}"
    sentence = f"{request.output}: {counts}, {sizes} pixels at {request.dpi} dpi."
    data = {
        "folder": str(request.output),
        "language": job.language,
        "dpi": request.dpi,
        "bleed": request.bleed,
        "cards": cards,
        "backs": backs,
    }
    return Outcome(sentence, job.report(diagnostics), data)


def draw_card(workspace: Workspace, card_id: str, dpi: int, language: str) -> bytes | Refusal:
    """Return the front of one card as a PNG, without its bleed; its ``quantity`` may be 0."""
    if dpi not in RESOLUTIONS:
        return Refusal(f"{dpi} dpi is not from {min(RESOLUTIONS)} to {max(RESOLUTIONS)}.")
    request = PrintRequest(Path(), language=language, ids=(card_id,))
    job = start_job(workspace, request)
    if not isinstance(job, Refusal):
        job = with_cards(job, request, list(faces_of(workspace, language, request.ids)))
    if isinstance(job, Refusal):
        return job
    ((size, bleed),) = job.by_size()  # one card has one size
    settings = PictureSettings(size, dpi, bleed, face_options=job.face_options)
    pictures: list[bytes] = []

    def keep(_subject: Subject, raster: Raster) -> None:
        pictures.append(encode_png(as_image(raster), dpi))

    findings = draw_cards(job.faces, (), settings, job.roots, keep)
    if isinstance(findings, Failure):
        return failure_refusal(findings)
    if pictures:
        (front,) = pictures
        return front
    cause, *_ = findings
    return Refusal(f"{card_id} cannot be drawn: {cause.message}.")


def _picture_runs(request: PictureRequest, job: PrintJob) -> list[_PictureRun] | Refusal:
    """Return the cards by size with their file names, or a refusal if the service has no such card."""
    taken_names: set[str] = set()
    runs = []
    service = request.service
    for (size, bleed), faces in job.by_size().items():
        trim = service.closest_card(size) if service else size
        if trim is None:
            assert service is not None  # without one, every size is its own
            return Refusal(service.unsupported_size(size))
        bleed = service.bleed if service else bleed
        settings = PictureSettings(
            card_size=trim,
            dpi=request.dpi,
            bleed=bleed,
            bleed_shown=request.bleed,
            face_options=job.face_options,
        )
        names: dict[Subject, str] = {face: f"{face.id}.png" for face in faces}
        for card_back in dict.fromkeys(back_of(face) for face in faces):
            names[card_back] = f"backs/{unique_name(str(card_back), taken_names)}.png"
        runs.append(_PictureRun(settings, names, turned=service is not None and service.is_turned(trim)))
    return runs


def _draw_run(
    run: _PictureRun, request: PictureRequest, job: PrintJob, written_sizes: PixelSizes, progress: Progress
) -> tuple[Diagnostic, ...] | Failure:
    """Draw and write the pictures of a run, and add their sizes to ``written_sizes``."""

    def write(subject: Subject, raster: Raster) -> None:
        name = run.names[subject]
        picture = as_image(raster)
        if run.turned:  # in opposite directions, so that front and back keep the same upper edge
            picture = picture.rotate(90 if isinstance(subject, Face) else -90, expand=True)
        write_atomically(below(request.output, name), encode_png(picture, request.dpi))
        written_sizes[name] = picture.size

    faces = [subject for subject in run.names if isinstance(subject, Face)]
    backs = [subject for subject in run.names if isinstance(subject, Back)]
    return draw_cards(faces, backs, run.settings, job.roots, write, progress)


def _written_pictures(
    job: PrintJob, runs: list[_PictureRun], written_sizes: PixelSizes
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return JSON data of the cards and of the backs that were written, in the order of the cards."""

    def picture_entry(name: str) -> dict[str, Any]:
        width, height = written_sizes[name]
        return {"file": name, "width": width, "height": height}

    cards, backs = [], {}
    for face in job.faces:
        names = next(run.names for run in runs if face in run.names)
        face_file, back_file = names[face], names[back_of(face)]
        if face_file in written_sizes:
            card = {"id": face.id, "kind": face.kind, "name": face.name, "quantity": face.quantity}
            back = back_file if back_file in written_sizes else None
            cards.append({**card, **picture_entry(face_file), "back": back})
        if back_file in written_sizes:
            backs[back_file] = picture_entry(back_file)
    return cards, list(backs.values())


# PDFs for print services: one card a page with its bleed, or the service's own sheets


class ServiceRequest(PrintRequest, frozen=True, kw_only=True):
    """The print service; ``many_pages`` lifts the limit of ``MAX_PAGES``."""

    service: Service
    many_pages: bool = False


def write_service_pdf(workspace: Workspace, request: ServiceRequest, progress: Progress) -> Outcome | Refusal:
    """Write a PDF with ``quantity`` copies of every card, whole or not at all."""
    output, service = request.output, request.service
    job = select_cards(workspace, request, refused_pdf(output))
    if not isinstance(job, PrintJob):
        return job
    plan = _service_plan(job, service)
    if isinstance(plan, Refusal):
        return plan
    most_pages = None if request.many_pages else MAX_PAGES
    settings = job.sheet_settings(layout=plan, by_kind={}, most_pages=most_pages)
    card_count = len(job.faces)
    total = card_count * (2 if service.most_ink else 1)  # converting their colours takes about as long
    printed = render_sheet(job.faces, settings, job.roots, sub_progress(progress, 0, total))
    if printed.failure is not None:
        return failure_refusal(printed.failure)
    report = job.report(printed.diagnostics)
    data = {
        "file": str(output),
        "service": service.name,
        "cards": printed.cards,
        "pages": printed.pages,
    }
    if not printed.pages:  # an older file is kept
        return Outcome("Nothing was printed.", report, data)
    pdf = printed.pdf if service.sheets else backs_first(printed.pdf)
    if service.most_ink is not None:
        try:
            pdf = press_pdf(
                pdf,
                service.most_ink,
                lambda done_pages, pages: progress(card_count + card_count * done_pages // pages, total),
            )
        except EngineError as error:
            return failure_refusal(Failure(str(error), "Check the templates you changed."))
    order = "each sheet before its backs" if service.sheets else "each after its back"
    cards = counted(printed.cards, "card")
    sentence = f"{output}: {cards} on {printed.pages} pages for {service.title}, {order}."
    return write_file(output, pdf) or Outcome(sentence, report, data)


def _service_plan(job: PrintJob, service: Service) -> LayoutPlan | Refusal:
    """Return the plan for one card a page, with its bleed, or for the sheets of the service."""
    sizes = {size for size, _ in job.by_size()}
    if len(sizes) > 1:
        return Refusal("These cards have several sizes, but a service prints one: choose with --kind.")
    size = sizes.pop()
    card = service.closest_card(size)
    if card is None:
        return Refusal(service.unsupported_size(size))
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
