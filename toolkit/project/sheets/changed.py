"""Only the cards that changed since a revision or an older copy, and a list of what to do with them."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.diagnostics import Diagnostic
from toolkit.project.changes.baseline_project import NotFound
from toolkit.project.changes.finding import changes_since
from toolkit.project.changes.model import Changes
from toolkit.project.changes.printing import chosen as among
from toolkit.project.changes.printing import to_print, with_list
from toolkit.project.fitting import roots_of
from toolkit.project.sheets.outputs import written
from toolkit.project.sheets.printing import Progress, gave_up, known_findings, printed, report_of
from toolkit.project.sheets.request import Refusal, SheetOutcome, SheetWish
from toolkit.project.sheets.settings import settings_of
from toolkit.project.workspace import Workspace
from toolkit.render.face import Face
from toolkit.render.sheet import SheetResult, render_sheet
from toolkit.render.sizes import Size


def print_changed(
    workspace: Workspace,
    wish: SheetWish,
    since: str,
    language: str,
    chosen: Sequence[Face],
    progress: Progress,
) -> SheetOutcome | Refusal:
    """Write the sheets of those of the chosen cards that changed, with the list behind them."""
    found = changes_since(workspace, since, language)
    if isinstance(found, NotFound):
        return Refusal(found.message, broken=found.broken)
    changes = among(found, wish.ids, wish.kinds)
    faces = to_print(chosen, changes)
    findings = known_findings(workspace, wish, faces)
    if not changes.cards:
        sentence = f"No card changed since {changes.since}; nothing was printed."
        return SheetOutcome(sentence, report_of(workspace, faces, findings))
    settings = settings_of(workspace, wish)
    if isinstance(settings, Refusal):
        return settings
    roots = roots_of(workspace, wish.theme)
    result = render_sheet(faces, settings, roots, progress) if faces else SheetResult(b"")
    if result.failure is not None:
        return gave_up(result.failure)
    made = with_list(result.pdf, changes, roots, Size(*sorted(settings.layout.paper)), settings.title)
    if not isinstance(made, (bytes, Diagnostic)):
        return gave_up(made)
    findings += result.diagnostics
    if isinstance(made, Diagnostic):  # the sheets without the list
        findings, made = [*findings, made], result.pdf
    return written(wish.output, made, _sentence(result, changes), report_of(workspace, faces, findings))


def _sentence(result: SheetResult, changes: Changes) -> str:
    listed = f"a list of what changed since {changes.since} ({changes.thrown_away} to throw away)"
    return f"{printed(result)}, and {listed}" if result.cards else f"only {listed}"
