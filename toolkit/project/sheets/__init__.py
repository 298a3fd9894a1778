"""From a project to a PDF file of sheets."""

from __future__ import annotations

from toolkit.project.faces import faces
from toolkit.project.sheets.outputs import refused_output, unknown_paper
from toolkit.project.sheets.printing import Progress, print_all
from toolkit.project.sheets.request import Refusal, SheetOutcome, SheetWish
from toolkit.project.workspace import Workspace

__all__ = ["Refusal", "SheetOutcome", "SheetWish", "refused_output", "unknown_paper", "write_sheet"]


def write_sheet(workspace: Workspace, wish: SheetWish, progress: Progress) -> SheetOutcome | Refusal:
    """Render the chosen cards and write the PDF, whole or not at all.

    Cards with errors are printed as far as they go: an effect that has errors has no rules text.
    """
    language = wish.language or workspace.cards.project.languages[0]
    chosen = list(faces(workspace, language, wish.ids, wish.kinds))
    if wish.changed_since is None:
        return print_all(workspace, wish, chosen, progress)
    from toolkit.project.sheets.changed import print_changed

    return print_changed(workspace, wish, wish.changed_since, language, chosen, progress)
