"""The rules reference as a file: two pages for the table, or cards for the box."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import make_report
from toolkit.pipeline import Workspace
from toolkit.project.faces import faces, roots_of
from toolkit.project.layouts import LayoutRequest, choose_layouts
from toolkit.project.output import Outcome, Refusal, gave_up, refused_pdf, write_file
from toolkit.project.reference.contents import Reference, gather
from toolkit.render.fit import Measure
from toolkit.render.impose import Information, described
from toolkit.render.layout import LayoutPlan, LayoutProblem
from toolkit.render.pages import Geometry, page_size
from toolkit.render.printers import Printer
from toolkit.render.reference import Document, Written, impose_cards, print_document, unit_of
from toolkit.render.sheet import Failure
from toolkit.render.sides import Copy
from toolkit.render.sizes import CARD_SIZES, POINTS_PER_MM

PAGES = 2
CARDS = 4
MOST_ROWS = 10
"""With more KEYWORDs and durations a fifth card takes what stands below the KEYWORDs on the fourth."""
SETS = 2
"""Sets of reference cards on a sheet: one for each player."""


class ReferenceRequest(Struct, frozen=True):
    """The file, the language (None: the project's first), which cards it is for, and whether as cards."""

    output: Path
    language: str | None = None
    ids: Sequence[str] = ()
    kinds: Sequence[str] = ()
    paper: str | None = None
    cards: bool = False


def write_reference(workspace: Workspace, request: ReferenceRequest) -> Outcome | Refusal:
    """Write the reference of a project's ruleset and mode for the chosen cards, whole or not at all."""
    language = request.language or workspace.cards.project.languages[0]
    refused = refused_pdf(request.output) or _no_rules(workspace)
    if refused:
        return Refusal(refused)
    layouts = choose_layouts(workspace.cards, LayoutRequest(paper=request.paper))
    if isinstance(layouts, str):
        return Refusal(layouts)
    chosen = list(faces(workspace, language, request.ids, request.kinds))
    reference = gather(workspace, chosen, language)
    plan = layouts.layout
    document = _cards(reference, plan) if request.cards else _pages(reference, plan)
    written = print_document(document, roots_of(workspace))
    if request.cards and isinstance(written, Written) and written.too_long:  # no room on cards of that size
        plan = _poker(plan)
        written = print_document(_cards(reference, plan), roots_of(workspace))
    if isinstance(written, Failure):
        return gave_up(written)
    findings = list(workspace.errors_about(request.ids, request.kinds))

    def outcome(sentence: str) -> Outcome:
        return Outcome(sentence, make_report(findings, len(workspace.cards.files), len(chosen)))

    if isinstance(written, Diagnostic):
        findings.append(written)
        return outcome("Nothing was written.")
    findings += [_too_long(workspace, measure, language) for measure in written.too_long]
    title = f"{reference.words.say('title')}: {reference.project}"
    information = Information.of(workspace.cards.project, (language,), title)
    made = _finished(written.pdf, reference, plan, request, information)
    if isinstance(made, Refusal):
        return made
    pdf, sentence = made
    return write_file(request.output, pdf) or outcome(sentence)


def _no_rules(workspace: Workspace) -> str | None:
    """Return a sentence if the project has neither a ruleset nor a mode."""
    cards = workspace.cards
    ruleset, mode = cards.rulesets.get(cards.project.ruleset or ""), cards.modes.get(cards.project.mode or "")
    if ruleset or mode:
        return None
    return "There is nothing to tell: opforge.yaml names no `ruleset` and no `mode` that can be read."


def _pages(reference: Reference, plan: LayoutPlan) -> Document:
    """Two upright pages."""
    width, height = sorted(plan.paper)
    paper = type(plan.paper)(width, height)
    return Document("reference/pages.html.jinja", _values(reference), paper, unit_of(paper), PAGES)


def _cards(reference: Reference, plan: LayoutPlan) -> Document:
    geometry = Geometry.of(plan.card, plan.bleed)
    number = _number_of_cards(reference)
    values = {**_values(reference), "b": geometry.bleed, "more": _has_more(reference)}
    size = page_size(plan.card, plan.bleed)
    return Document("reference/cards.html.jinja", values, size, geometry.scale, number)


def _number_of_cards(reference: Reference) -> int:
    return CARDS + _has_more(reference) + bool(reference.setup)


def _has_more(reference: Reference) -> bool:
    return len(reference.keywords) + len(reference.durations) > MOST_ROWS


def _poker(plan: LayoutPlan) -> LayoutPlan:
    """The layout with poker cards, as many as fit: the smallest on which the rules can be read."""
    return replace(
        plan, card=CARD_SIZES["poker"], orientation=None, columns=None, rows=None, corners_at=(), rounding=0.0
    )


def _values(reference: Reference) -> dict[str, object]:
    words = reference.words
    return {"reference": reference, "say": lambda key: words.say(key)}


def _finished(
    pdf: bytes,
    reference: Reference,
    plan: LayoutPlan,
    request: ReferenceRequest,
    information: Information,
) -> tuple[bytes, str] | Refusal:
    if not request.cards:
        return described(pdf, information), f"{request.output}: {PAGES} pages."
    copies = [Copy(number) for _ in range(SETS) for number in range(_number_of_cards(reference))]
    imposed = impose_cards(pdf, replace(plan, sides="fronts", fold="none"), copies, information, Printer())
    if isinstance(imposed, LayoutProblem):
        return Refusal(f"{imposed.message} {imposed.next_step}")
    sheets, count = imposed
    pages = "1 page" if count == 1 else f"{count} pages"
    size = f"{plan.card.width:g} × {plan.card.height:g} mm"
    cards = _number_of_cards(reference) * SETS
    return sheets, f"{request.output}: {cards} reference cards of {size}, {SETS} of each, on {pages}."


def _too_long(workspace: Workspace, measure: Measure, language: str) -> Diagnostic:
    excess = measure.excess / POINTS_PER_MM
    return Diagnostic(
        "text-overflow",
        f"Page {measure.card + 1} of the rules reference is {excess:.1f} mm too long ({language}), even at "
        f"{measure.size:g} pt.",
        workspace.cards.project.span_of("mode"),
        "Shorten what the ruleset and the mode say, take larger paper, or change templates/reference.",
    )
