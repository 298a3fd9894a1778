"""Learn to play as a PDF of two pages."""

from __future__ import annotations

from msgspec.structs import replace

from toolkit.data.squad_copies import PLAYERS, squads_of_first_game
from toolkit.diagnostics import Diagnostic
from toolkit.press.documents import Document, unit_of
from toolkit.products.learn.example_attack import choose_example, told_attack
from toolkit.products.learn.first_turn import first_turn, told_phases
from toolkit.products.learn.learn_contents import build_contents
from toolkit.products.reference.reference_contents import build_reference
from toolkit.products.sheets.print_job import PrintRequest, start_job
from toolkit.project.output import Outcome, Refusal, refused_pdf, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.fit import Measure
from toolkit.render.pdf import with_metadata
from toolkit.render.sizes import POINTS_PER_MM

PAGES = 2


def write_learn(workspace: Workspace, request: PrintRequest) -> Outcome | Refusal:
    """Write Learn to play for the project's mode and first game, whole or not at all."""
    job = start_job(workspace, request, refused_pdf(request.output) or _no_mode(workspace))
    if isinstance(job, Refusal):
        return job
    words, pictures = job.words, None if request.low_ink else job.roots
    squads = tuple(request.squads) or squads_of_first_game(workspace.cards)
    if len(squads) == 1:  # it plays against itself
        squads *= PLAYERS
    pair = squads[:PLAYERS]
    scenario, findings = choose_example(workspace, pair)
    reference = build_reference(workspace, (), job.language)
    attack = told_attack(workspace, scenario, reference, words, pictures) if scenario else None
    phases = told_phases(workspace, first_turn(workspace, pair), words)
    contents = build_contents(workspace, job.language, phases, attack, pair, pictures)
    width, height = sorted(job.layouts.layout.paper)
    paper = type(job.layouts.layout.paper)(width, height)
    values = {"learn": contents, "say": lambda key: words.say(key), "language": job.language}
    document = Document("learn/pages.html.jinja", values, paper, unit_of(paper), PAGES, request.low_ink)
    job = replace(job, findings=workspace.errors_about())
    documents = job.print(document)
    if not isinstance(documents, list):
        return documents
    (printed_document,) = documents
    findings += [
        _overflow_finding(workspace, measure, job.language) for measure in printed_document.overflows
    ]
    pdf = with_metadata(printed_document.pdf, job.metadata(f"{words.say('learn-title')}: {contents.project}"))
    example = scenario.played.script.name if scenario else None
    told = f", with the attack of the scenario {example!r}" if example else ""
    outcome = Outcome(f"{request.output}: {PAGES} pages{told}.", job.report(findings), {"example": example})
    return write_file(request.output, pdf) or outcome


def _no_mode(workspace: Workspace) -> str | None:
    """Return an error message if the project has no mode to tell."""
    cards = workspace.cards
    if cards.project.mode in cards.modes:
        return None
    return "There is no game to tell: opforge.yaml names no `mode` that can be read."


def _overflow_finding(workspace: Workspace, measure: Measure, language: str) -> Diagnostic:
    excess = measure.excess / POINTS_PER_MM
    return Diagnostic(
        "text-overflow",
        f"Page {measure.card + 1} of Learn to play is {excess:.1f} mm too long ({language}), even at "
        f"{measure.size:g} pt.",
        workspace.cards.project.span_of("mode"),
        "Shorten names, take larger paper, or change templates/learn.",
    )
