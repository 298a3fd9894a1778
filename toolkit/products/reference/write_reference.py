"""The rules reference as a PDF: two pages for the table, or cards for the box."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

from msgspec.structs import replace

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.press.documents import Document, impose_cards, unit_of
from toolkit.press.layout import LayoutPlan, LayoutProblem
from toolkit.press.printers import Printer
from toolkit.press.sides import Copy
from toolkit.products.reference.reference_contents import Reference, Topic, build_reference
from toolkit.products.sheets.print_job import PrintRequest, chosen_faces, copies_needed, start_job
from toolkit.project.output import Outcome, Refusal, refused_pdf, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.fit import Measure
from toolkit.render.pages import Geometry, page_size
from toolkit.render.pdf import PdfMetadata, with_metadata
from toolkit.render.sizes import CARD_SIZES, POINTS_PER_MM

PAGES = 2
CARDS = 7
"""The reference cards of every project: MODIFY, ACTIONs, TURN, how cards lie, icons, arithmetic, reading."""
ROWS = 8
"""The most KEYWORDs or words on a reference card."""
SETS = 2
"""Sets of reference cards on a sheet: one for each player."""


class ReferenceRequest(PrintRequest, frozen=True):
    """The cards that it is for, and whether it is printed as cards."""

    cards: bool = False


def write_reference(workspace: Workspace, request: ReferenceRequest) -> Outcome | Refusal:
    """Write the reference of a project's ruleset and mode for the selected cards, whole or not at all."""
    job = start_job(workspace, request, refused_pdf(request.output) or _no_rules(workspace))
    if isinstance(job, Refusal):
        return job
    printed_faces = tuple(chosen_faces(workspace, job.language, request))
    errors = workspace.errors_about(request.ids or copies_needed(workspace, request), request.kinds)
    job = replace(job, faces=printed_faces, findings=errors)
    reference = build_reference(workspace, printed_faces, job.language)
    plan = job.layouts.layout
    document = _cards(reference, plan) if request.cards else _pages(reference, plan)
    documents = job.print(replace(document, low_ink=request.low_ink))
    if not isinstance(documents, list):
        return documents
    (printed_document,) = documents
    if request.cards and printed_document.overflows:  # the cards are too small
        plan = _poker_plan(plan)
        documents = job.print(replace(_cards(reference, plan), low_ink=request.low_ink))
        if not isinstance(documents, list):
            return documents
        (printed_document,) = documents
    metadata = job.metadata(f"{reference.words.say('title')}: {reference.project}")
    finished = _finish(printed_document.pdf, reference, plan, request, metadata)
    if isinstance(finished, Refusal):
        return finished
    pdf, sentence = finished
    diagnostics = [
        _overflow_finding(workspace, measure, job.language) for measure in printed_document.overflows
    ]
    return write_file(request.output, pdf) or Outcome(sentence, job.report(diagnostics))


def _no_rules(workspace: Workspace) -> str | None:
    """Return an error message if the project has neither a ruleset nor a mode."""
    cards = workspace.cards
    ruleset, mode = cards.rulesets.get(cards.project.ruleset or ""), cards.modes.get(cards.project.mode or "")
    if ruleset or mode:
        return None
    return "There are no rules to print: opforge.yaml names no `ruleset` and no `mode` that can be read."


def _pages(reference: Reference, plan: LayoutPlan) -> Document:
    """Return the document of two upright pages."""
    width, height = sorted(plan.paper)
    paper = type(plan.paper)(width, height)
    return Document("reference/pages.html.jinja", _template_values(reference), paper, unit_of(paper), PAGES)


def _cards(reference: Reference, plan: LayoutPlan) -> Document:
    """Return the document of reference cards."""
    geometry = Geometry.of(plan.card, plan.bleed)
    number = _number_of_cards(reference)
    parts = {"keywords": _parts(reference.keywords), "explained": _parts(reference.explained)}
    values = {**_template_values(reference), **parts, "b": geometry.bleed}
    size = page_size(plan.card, plan.bleed)
    return Document("reference/cards.html.jinja", values, size, geometry.scale, number)


def _number_of_cards(reference: Reference) -> int:
    parts = (*_parts(reference.keywords), *_parts(reference.explained))
    return CARDS + bool(reference.setup) + len(parts)


def _parts(topics: Sequence[Topic]) -> tuple[Sequence[Topic], ...]:
    """Return topics in as few parts of about the same length as reference cards hold."""
    number = ceil(len(topics) / ROWS)
    ends = [len(topics) * part // number for part in range(number + 1)]
    return tuple(topics[start:end] for start, end in pairwise(ends))


def _poker_plan(plan: LayoutPlan) -> LayoutPlan:
    """Return the layout with poker cards, the smallest that the rules fit on, as many as fit a page."""
    return replace(
        plan, card=CARD_SIZES["poker"], orientation=None, columns=None, rows=None, corners_at=(), rounding=0.0
    )


def _template_values(reference: Reference) -> dict[str, object]:
    words = reference.words
    return {"reference": reference, "say": lambda key: words.say(key)}


def _finish(
    pdf: bytes,
    reference: Reference,
    plan: LayoutPlan,
    request: ReferenceRequest,
    metadata: PdfMetadata,
) -> tuple[bytes, str] | Refusal:
    """Return the PDF, cards imposed on sheets, and a sentence about it; a refusal if they do not fit."""
    if not request.cards:
        return with_metadata(pdf, metadata), f"{request.output}: {PAGES} pages."
    copies = [Copy(number) for _ in range(SETS) for number in range(_number_of_cards(reference))]
    imposed = impose_cards(pdf, replace(plan, sides="fronts", fold="none"), copies, metadata, Printer())
    if isinstance(imposed, LayoutProblem):
        return Refusal(f"{imposed.message} {imposed.next_step}")
    sheets, count = imposed
    pages = counted(count, "page")
    size = f"{plan.card.width:g} × {plan.card.height:g} mm"
    cards = _number_of_cards(reference) * SETS
    return sheets, f"{request.output}: {cards} reference cards of {size}, {SETS} of each, on {pages}."


def _overflow_finding(workspace: Workspace, measure: Measure, language: str) -> Diagnostic:
    excess = measure.excess / POINTS_PER_MM
    return Diagnostic(
        "text-overflow",
        f"Page {measure.card + 1} of the rules reference is {excess:.1f} mm too long ({language}), even at "
        f"{measure.size:g} pt.",
        workspace.cards.project.span_of("mode"),
        "Shorten what the ruleset and the mode say, take larger paper, or change templates/reference.",
    )
