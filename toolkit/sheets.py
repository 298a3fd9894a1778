"""From a project to a PDF file of sheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.report import Report, make_report
from toolkit.faces import faces
from toolkit.render.fetch import Roots
from toolkit.render.sheet import Failure, SheetSettings, render_sheet
from toolkit.render.sizes import CARD_SIZES, PAPERS, size_of
from toolkit.render.writing import write_atomically
from toolkit.vocabulary.nearest import nearest
from toolkit.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SheetWish:
    """What to print: the file, the language and paper (None: the project's), which cards, and backs."""

    output: Path
    language: str | None = None
    ids: Sequence[str] = ()
    kinds: Sequence[str] = ()
    paper: str | None = None
    backs: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was written; ``broken`` is False where the wish itself is wrong."""

    message: str
    broken: bool


@dataclass(frozen=True, slots=True)
class SheetOutcome:
    """What was written, in a sentence, and what was found."""

    sentence: str
    report: Report


def unknown_paper(name: str | None) -> str | None:
    """A sentence if there is no such paper."""
    if name is None or size_of(name, PAPERS) is not None:
        return None
    near = nearest(name, PAPERS)
    hint = f" Did you mean {near!r}?" if near else ""
    return f"There is no paper {name!r}.{hint} Known are {', '.join(PAPERS)}; or write a size: 210x297mm."


def write_sheet(
    workspace: Workspace, wish: SheetWish, progress: Callable[[int, int], None]
) -> SheetOutcome | Refusal:
    """Render the chosen cards and write the PDF, whole or not at all.

    Cards with errors are printed as far as they go: an effect that has errors has no rules text. Raises
    ``OSError`` where the file cannot be written.
    """
    project = workspace.cards.project
    chosen = list(faces(workspace, wish.language or project.languages[0], wish.ids, wish.kinds))
    if not any(face.quantity for face in chosen):
        return Refusal("There is no card to print.", broken=False)
    settings = SheetSettings(
        card_size=size_of(project.card_size, CARD_SIZES) or CARD_SIZES["poker"],
        paper=size_of(wish.paper or project.paper, PAPERS) or PAPERS["a4"],
        backs=wish.backs,
        project=project.name,
        version=project.version,
    )
    result = render_sheet(chosen, settings, Roots(workspace.root), progress)
    if isinstance(result.failure, Failure):
        return Refusal(f"{result.failure.message} {result.failure.next_step}", broken=True)
    write_atomically(wish.output, result.pdf)
    printed = {face.id for face in chosen}
    findings = [
        finding for finding in workspace.findings if _matters(finding.name, finding.card, printed, wish)
    ]
    report = make_report([*findings, *result.diagnostics], len(workspace.cards.files), len(chosen))
    sentence = f"{wish.output}: {_count(result.cards, 'card')} on {_count(result.pages, 'page')}."
    return SheetOutcome(sentence, report)


def _matters(name: str, card: str | None, printed: set[str], wish: SheetWish) -> bool:
    """Whether a finding of the check shows on this sheet: errors and missing pictures of its cards."""
    if severity_of(name) != "error" and name != "missing-picture":
        return False
    return card in printed or not (wish.ids or wish.kinds)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
