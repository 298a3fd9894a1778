"""The mat of a project's game mode as a file: on one sheet, or on several to be glued together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from toolkit.data.model import Mode
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import make_report
from toolkit.pipeline import Workspace
from toolkit.project.faces import roots_of
from toolkit.project.layouts import LayoutRequest, Layouts, choose_layouts
from toolkit.project.output import Outcome, Refusal, gave_up, refused_pdf, write_file
from toolkit.project.play import Unplayable, find_entry
from toolkit.render.face import KINDS, pile_of
from toolkit.render.impose import Information
from toolkit.render.mat import (
    FORMS,
    MARGIN,
    OVERLAP,
    SMALLEST,
    Form,
    MatPlan,
    TableCards,
    Tile,
    Tiling,
    impose_mat,
    plan_mat,
    tile_mat,
)
from toolkit.render.reference import Document, Written, print_document
from toolkit.render.sheet import Failure
from toolkit.render.sizes import Size, measures, paper_name
from toolkit.wording.languages import Words, words_in


class MatRequest(Struct, frozen=True):
    """The file, the mode and the language (None: the project's, and its first), the paper and how it looks.

    ``form`` None is the full mat, or the compact one where that alone fits one sheet; ``one_sheet`` shrinks
    it until it does.
    """

    output: Path
    mode: str | None = None
    language: str | None = None
    paper: str | None = None
    form: Form | None = None
    one_sheet: bool = False
    theme: str | None = None
    low_ink: bool = False


def write_mat(workspace: Workspace, request: MatRequest) -> Outcome | Refusal:
    """Write the mat of a mode, whole or not at all."""
    cards = workspace.cards
    language = request.language or cards.project.languages[0]
    layouts = choose_layouts(cards, LayoutRequest(paper=request.paper))
    refused = refused_pdf(request.output) or (layouts if isinstance(layouts, str) else None)
    if refused or isinstance(layouts, str):
        return Refusal(refused or "")
    mode = find_entry(workspace, cards.modes, request.mode or cards.project.mode, "mode")
    if isinstance(mode, Unplayable):
        report = make_report(mode.findings, len(cards.files), 0)
        return Outcome("Nothing was written.", report) if mode.findings else Refusal(mode.sentence)
    findings = list(workspace.errors_about([mode.id, *mode.objectives]))
    if min(layouts.layout.paper) < SMALLEST:
        return Refusal(f"The paper is too small for a mat: take {SMALLEST:g} mm or more on each side.")
    plan, tiling = _chosen(request, mode, _sizes(layouts), layouts.layout.paper)
    words = words_in(cards.project, language)
    written = _printed(_documents(workspace, request, mode, plan, tiling, words), workspace, request.theme)
    if isinstance(written, Failure):
        return gave_up(written)

    def outcome(sentence: str, data: dict[str, object]) -> Outcome:
        return Outcome(sentence, make_report(findings, len(cards.files), len(mode.objectives)), data)

    if isinstance(written, Diagnostic):
        findings.append(written)
        return outcome("Nothing was written.", {})
    findings += _too_long(written[0], mode, language)
    title = f"{words.say('mat')}: {mode.name.in_language(language).value}"
    pdf = impose_mat([one.pdf for one in written], tiling, Information.of(cards.project, (language,), title))
    done = outcome(f"{request.output}: {_sentence(plan, tiling)}", _data(request, mode, plan, tiling))
    return write_file(request.output, pdf) or done


def _sizes(layouts: Layouts) -> TableCards:
    """How large the cards are that lie on the mat; of the kinds in one pile the largest."""
    of_kind = {kind: layouts.by_kind.get(kind, layouts.layout).card for kind in KINDS}
    deck = [of_kind[kind] for kind in KINDS if pile_of(kind) == "deck"]
    largest = Size(max(card.width for card in deck), max(card.height for card in deck))
    return TableCards(
        of_kind["operator"], of_kind["objective"], of_kind["strategy"], largest, of_kind["item"]
    )


def _chosen(request: MatRequest, mode: Mode, sizes: TableCards, paper: Size) -> tuple[MatPlan, Tiling]:
    """The form that was asked for; else the full one, unless only the compact one fits one sheet.

    If one sheet is to hold it, it is the one that shrinks less.
    """
    full, compact = (plan_mat(form, mode, sizes) for form in FORMS)
    tiled = [(plan, tile_mat(plan.size, paper, request.one_sheet)) for plan in (full, compact)]
    if request.form is not None:
        return tiled[FORMS.index(request.form)]
    if request.one_sheet:
        return max(tiled, key=lambda way: way[1].scale)
    return next((way for way in tiled if len(way[1].tiles) == 1), tiled[0])


def _documents(
    workspace: Workspace, request: MatRequest, mode: Mode, plan: MatPlan, tiling: Tiling, words: Words
) -> list[Document]:
    """The mat, and what is printed over it where it has several sheets."""
    cards = workspace.cards
    listed = [cards.objectives.get(name) for name in mode.objectives[: mode.field_positions]]
    captured = mode.victory_objectives_captured
    goal = "victory-objectives-1" if captured == 1 else "victory-objectives"
    shared = {"language": words.language, "say": lambda key: words.say(key)}
    values = {
        **shared,
        "form": plan.form,
        "halves": (plan.places, plan.others),
        "band": plan.band,
        "rounds": mode.max_rounds,
        "objectives": tuple(
            (one.name.in_language(words.language).value, one.value) if one else ("", 0) for one in listed
        ),
        "mode": mode.name.in_language(words.language).value,
        "goal": "" if captured is None else f"{words.say('setup-end')}: {words.say(goal, number=captured)}",
        "hand": words.say("mat-hand", number=mode.starting_hand, limit=mode.hand_limit),
    }
    mat = Document("mat/mat.html.jinja", values, tiling.size, tiling.scale, 1, request.low_ink)
    if len(tiling.tiles) == 1:
        return [mat]
    sheets = [_strips(tile, tiling, words) for tile in tiling.tiles]
    over = {
        **shared,
        "sheets": sheets,
        "columns": tiling.columns,
        "rows": tiling.rows,
        "right": MARGIN + tiling.window.width,
        "bottom": MARGIN + tiling.window.height,
        "margin": MARGIN,
        "overlap": OVERLAP,
    }
    return [mat, Document("mat/sheets.html.jinja", over, tiling.paper, 1.0, 0, request.low_ink)]


class Strips(Struct, frozen=True):
    """What is said on a sheet: its number, and where another one is glued upon it (empty: nowhere)."""

    number: int
    name: str
    right: str
    below: str


def _strips(tile: Tile, tiling: Tiling, words: Words) -> Strips:
    def glue(number: int, there: bool) -> str:
        return words.say("mat-glue", number=number) if there else ""

    return Strips(
        tile.number,
        words.say("mat-sheet", number=tile.number, all=len(tiling.tiles)),
        glue(tile.number + 1, tile.column + 1 < tiling.columns),
        glue(tile.number + tiling.columns, tile.row + 1 < tiling.rows),
    )


def _printed(
    documents: list[Document], workspace: Workspace, theme: str | None
) -> list[Written] | Diagnostic | Failure:
    """All documents, or what is wrong with the first that cannot be printed."""
    found = []
    for document in documents:
        written = print_document(document, roots_of(workspace, theme))
        if not isinstance(written, Written):
            return written
        found.append(written)
    return found


def _too_long(written: Written, mode: Mode, language: str) -> Iterator[Diagnostic]:
    for measure in written.too_long:
        named = measure.region.removeprefix("named ")  # a template of one's own may have other regions
        number = int(named) if named.isdigit() else 0
        what = f"The name of OBJECTIVE {number}" if number else f"The text {measure.region!r}"
        yield Diagnostic(
            "text-overflow",
            f"{what} is too long for its place on the mat ({language}).",
            mode.span_of("objectives", number - 1) if number else mode.id_span,
            "Shorten it, or change templates/mat.",
            card=mode.id,
        )


def _sentence(plan: MatPlan, tiling: Tiling) -> str:
    """How large the mat is, and on what; where cards do not fit their places any more, that too."""
    form = "a compact mat" if plan.form == "compact" else "a mat"
    number = len(tiling.tiles)
    sheets = "1 sheet" if number == 1 else f"{number} sheets ({tiling.columns} × {tiling.rows})"
    size = Size(round(tiling.size.width), round(tiling.size.height))
    shrunk = f", at {tiling.scale:.0%}: cards are larger than their places" if tiling.scale < 1 else ""
    return f"{form} of {measures(size)} on {sheets} of {paper_name(tiling.paper)}{shrunk}."


def _data(request: MatRequest, mode: Mode, plan: MatPlan, tiling: Tiling) -> dict[str, object]:
    return {
        "file": str(request.output),
        "mode": mode.id,
        "form": plan.form,
        "width": round(tiling.size.width, 2),
        "height": round(tiling.size.height, 2),
        "scale": tiling.scale,
        "sheets": len(tiling.tiles),
        "columns": tiling.columns,
        "rows": tiling.rows,
        "paper": {
            "name": paper_name(tiling.paper),
            "width": tiling.paper.width,
            "height": tiling.paper.height,
        },
    }
