"""All the chosen cards, printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import OF_PICTURES
from toolkit.diagnostics.report import Report, make_report
from toolkit.project.fitting import roots_of
from toolkit.project.sheets.outputs import written
from toolkit.project.sheets.request import Refusal, SheetOutcome, SheetWish
from toolkit.project.sheets.settings import settings_of
from toolkit.project.workspace import Workspace
from toolkit.render.face import Face
from toolkit.render.sheet import Failure, SheetResult, render_sheet

Progress = Callable[[int, int], None]

_NOTHING = "Nothing was printed."


def print_all(
    workspace: Workspace, wish: SheetWish, chosen: Sequence[Face], progress: Progress
) -> SheetOutcome | Refusal:
    """Write the sheets of the chosen cards."""
    found = known_findings(workspace, wish, chosen)
    if not any(face.quantity for face in chosen):
        report = report_of(workspace, chosen, found)
        return SheetOutcome(_NOTHING, report) if report.errors else Refusal(_nothing(chosen), broken=False)
    settings = settings_of(workspace, wish)
    if isinstance(settings, Refusal):
        return settings
    result = render_sheet(chosen, settings, roots_of(workspace, wish.theme), progress)
    if result.failure is not None:
        return gave_up(result.failure)
    report = report_of(workspace, chosen, [*found, *result.diagnostics])
    if not result.pages:
        return SheetOutcome(_NOTHING, report)
    return written(wish.output, result.pdf, printed(result), report)


def known_findings(workspace: Workspace, wish: SheetWish, faces: Sequence[Face]) -> list[Diagnostic]:
    """What is found about the cards before they are printed: errors, and what is wrong with pictures."""
    ids = {face.id for face in faces}
    pictures = (
        finding
        for finding in workspace.findings
        if finding.name in OF_PICTURES and (finding.card in ids or finding.card is None)
    )
    return [*workspace.errors_about(wish.ids, wish.kinds), *pictures]


def report_of(workspace: Workspace, faces: Sequence[Face], found: Sequence[Diagnostic]) -> Report:
    """The report of a print of these cards."""
    return make_report(found, len(workspace.cards.files), len(faces))


def gave_up(failure: Failure) -> Refusal:
    """Why there is no PDF; the wish is wrong where its layout cannot be."""
    return Refusal(f"{failure.message} {failure.next_step}", broken=not failure.misfit)


def printed(result: SheetResult) -> str:
    """How many cards are on how many pages."""
    return f"{_count(result.cards, 'card')} on {_count(result.pages, 'page')}"


def _nothing(chosen: Sequence[Face]) -> str:
    if chosen:
        return "There is nothing to print: the `quantity` of every chosen card is 0."
    return "There is nothing to print: no card is chosen. TEAMs, modes and rulesets are not cards."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
