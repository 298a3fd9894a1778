"""Writing the mat of a game mode: on one sheet, or on several to be glued together."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Mode
from toolkit.diagnostics import Diagnostic
from toolkit.play.playable_game import Unplayable, find_entry
from toolkit.press.documents import Document, PrintedDocument
from toolkit.products.mat.mat_pages import (
    FORMS,
    MARGIN,
    MIN_PAPER_SIDE,
    OVERLAP,
    Form,
    MatPlan,
    TableCards,
    Tile,
    Tiling,
    impose_mat,
    plan_mat,
    tile_mat,
)
from toolkit.products.sheets.print_job import PrintJob, PrintRequest, start_job
from toolkit.products.sheets.project_layouts import Layouts, paper_data
from toolkit.project.faces import faces
from toolkit.project.output import Outcome, Refusal, refused_pdf, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.face import KINDS, pile_of
from toolkit.render.sizes import Size, measures, paper_name
from toolkit.wording.languages import Words
from toolkit.wording.text import plain


class MatRequest(PrintRequest, frozen=True):
    """The mode (None: the project's), the form and the ink of the mat.

    ``form`` None is the full mat, or the compact one if only that fits one sheet; ``one_sheet`` scales it
    down to one. ``full_ink`` None is what the project says; ``low_ink`` is stronger.
    """

    mode: str | None = None
    form: Form | None = None
    one_sheet: bool = False
    full_ink: bool | None = None


def write_mat(workspace: Workspace, request: MatRequest) -> Outcome | Refusal:
    """Write the mat of a mode, whole or not at all."""
    job = start_job(workspace, request, refused_pdf(request.output))
    if isinstance(job, Refusal):
        return job
    mode = find_entry(workspace, workspace.cards.modes, request.mode or job.project.mode, "mode")
    if isinstance(mode, Unplayable):
        report = job.report(mode.findings)
        return Outcome("Nothing was written.", report) if mode.findings else Refusal(mode.sentence)
    job = replace(job, findings=workspace.errors_about([mode.id, *mode.objectives]))
    paper = job.layouts.layout.paper
    if min(paper) < MIN_PAPER_SIDE:
        return Refusal(f"The paper is too small for a mat: take {MIN_PAPER_SIDE:g} mm or more on each side.")
    has_full_ink = job.project.mat.ink == "full" if request.full_ink is None else request.full_ink
    if not has_full_ink:
        request = replace(request, low_ink=True)
    plan, tiling = _choose_form(request, mode, _card_sizes(job.layouts), paper)
    documents = job.print(*_documents(job, request, mode, plan, tiling))
    if not isinstance(documents, list):
        return documents
    title = f"{job.words.say('mat')}: {mode.name.in_language(job.language).value}"
    pdf = impose_mat([document.pdf for document in documents], tiling, job.metadata(title))
    data = {
        "file": str(request.output),
        "mode": mode.id,
        "form": plan.form,
        "width": round(tiling.size.width, 2),
        "height": round(tiling.size.height, 2),
        "scale": tiling.scale,
        "sheets": len(tiling.tiles),
        "columns": tiling.columns,
        "rows": tiling.rows,
        "paper": paper_data(tiling.paper),
    }
    printed_mat, *_labels_of_sheets = documents
    report = job.report(_overflow_findings(printed_mat, mode, job.language), len(mode.objectives))
    return write_file(request.output, pdf) or Outcome(
        f"{request.output}: {_sentence(plan, tiling)}", report, data
    )


def _card_sizes(layouts: Layouts) -> TableCards:
    """Return the sizes of the cards on the mat; for a pile of several kinds the largest."""
    sizes_by_kind = {kind: layouts.of(kind).card for kind in KINDS}
    deck_sizes = [sizes_by_kind[kind] for kind in KINDS if pile_of(kind) == "deck"]
    largest = Size(max(card.width for card in deck_sizes), max(card.height for card in deck_sizes))
    return TableCards(
        operator=sizes_by_kind["operator"],
        objective=sizes_by_kind["objective"],
        strategy=sizes_by_kind["strategy"],
        deck=largest,
        item=sizes_by_kind["item"],
    )


def _choose_form(request: MatRequest, mode: Mode, sizes: TableCards, paper: Size) -> tuple[MatPlan, Tiling]:
    """Return the requested form, else the full one unless only the compact one fits one sheet.

    With ``one_sheet`` the default is the form that shrinks less.
    """
    full, compact = (plan_mat(form, mode, sizes) for form in FORMS)
    full_tiling, compact_tiling = (tile_mat(plan.size, paper, request.one_sheet) for plan in (full, compact))
    if request.form is not None:
        takes_compact = request.form == "compact"
    elif request.one_sheet:
        takes_compact = compact_tiling.scale > full_tiling.scale
    else:
        takes_compact = len(full_tiling.tiles) > 1 and len(compact_tiling.tiles) == 1
    return (compact, compact_tiling) if takes_compact else (full, full_tiling)


def _goal(mode: Mode, words: Words) -> str:
    """Return what ends a game of the mode before its last round; nothing if only that does."""
    captured = mode.victory_objectives_captured
    if captured is None:
        return ""
    key = "victory-objectives-1" if captured == 1 else "victory-objectives"
    return f"{words.say('setup-end')}: {words.say(key, number=captured)}"


def _documents(
    job: PrintJob, request: MatRequest, mode: Mode, plan: MatPlan, tiling: Tiling
) -> list[Document]:
    """Return the document of the mat, and that of the overlays if it has several sheets."""
    words = job.words
    shared_values = {"language": words.language, "say": lambda key: words.say(key)}
    values = {
        **shared_values,
        "form": plan.form,
        "halves": (plan.places, plan.others),
        "band": plan.band,
        "rounds": mode.max_rounds,
        "objectives": tuple(_objectives(job, mode)),
        "mode": mode.name.in_language(words.language).value,
        "goal": _goal(mode, words),
        "hand": words.say("mat-hand", number=mode.starting_hand, limit=mode.hand_limit),
    }
    mat = Document("mat/mat.html.jinja", values, tiling.size, tiling.scale, 1, request.low_ink)
    if len(tiling.tiles) == 1:
        return [mat]
    sheets = [_sheet_labels(tile, tiling, words) for tile in tiling.tiles]
    overlay_values = {
        **shared_values,
        "sheets": sheets,
        "columns": tiling.columns,
        "rows": tiling.rows,
        "right": MARGIN + tiling.window.width,
        "bottom": MARGIN + tiling.window.height,
        "margin": MARGIN,
        "overlap": OVERLAP,
    }
    return [mat, Document("mat/sheets.html.jinja", overlay_values, tiling.paper, 1.0, 0, request.low_ink)]


def _objectives(job: PrintJob, mode: Mode) -> Iterator[tuple[str, int | None, str]]:
    """Yield name, value and text of the OBJECTIVEs by FIELDPOSITION; empty for one that is not usable."""
    listed = mode.objectives[: mode.field_positions]
    listed_faces = faces(job.workspace, job.language, listed) if listed else ()
    faces_by_id = {face.id: face for face in listed_faces}
    for name in listed:
        face = faces_by_id.get(name)
        text = " ".join(plain(skill.paragraphs) for skill in face.skills) if face else ""
        yield (face.name, face.value, text) if face else ("", None, "")


class SheetLabels(Struct, frozen=True):
    """The labels of a sheet: its number, and the instructions to glue neighbours (empty: none)."""

    number: int
    name: str
    right: str
    below: str


def _sheet_labels(tile: Tile, tiling: Tiling, words: Words) -> SheetLabels:
    """Return what a sheet of a mat says: its number, and which sheets are glued to it."""

    def glue(number: int, is_glued: bool) -> str:
        return words.say("mat-glue", number=number) if is_glued else ""

    return SheetLabels(
        tile.number,
        words.say("mat-sheet", number=tile.number, all=len(tiling.tiles)),
        glue(tile.number + 1, tile.column + 1 < tiling.columns),
        glue(tile.number + tiling.columns, tile.row + 1 < tiling.rows),
    )


_PARTS = {"named": "name", "told": "text"}
"""What is printed of an OBJECTIVE, by the first word of its region; the second is its FIELDPOSITION."""


def _overflow_findings(document: PrintedDocument, mode: Mode, language: str) -> Iterator[Diagnostic]:
    """Yield a finding about each text that does not fit on the mat."""
    for measure in document.overflows:
        part, _, number_text = measure.region.partition(" ")
        number = int(number_text) if part in _PARTS and number_text.isdigit() else 0
        # A template of one's own may have other regions.
        place_words = (
            f"The {_PARTS[part]} of OBJECTIVE {number}" if number else f"The text {measure.region!r}"
        )
        yield Diagnostic(
            "text-overflow",
            f"{place_words} is too long for its place on the mat ({language}).",
            mode.span_of("objectives", number - 1) if number else mode.id_span,
            "Shorten it, or change templates/mat.",
            card=mode.id,
        )


def _sentence(plan: MatPlan, tiling: Tiling) -> str:
    """Return the size and sheets of the mat in words, with a warning if it is scaled down."""
    form_words = "a compact mat" if plan.form == "compact" else "a mat"
    number = len(tiling.tiles)
    sheet_words = "1 sheet" if number == 1 else f"{number} sheets ({tiling.columns} × {tiling.rows})"
    size = Size(round(tiling.size.width), round(tiling.size.height))
    scale_warning = f", at {tiling.scale:.0%}: cards are larger than their places" if tiling.scale < 1 else ""
    return f"{form_words} of {measures(size)} on {sheet_words} of {paper_name(tiling.paper)}{scale_warning}."
