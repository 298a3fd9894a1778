"""From a project to a PDF file of sheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import Report, make_report
from toolkit.faces import faces
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.layout import fit_grid
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


def refused_output(output: Path) -> str | None:
    """A sentence if a PDF must not or cannot be written there: nothing but a PDF is ever replaced."""
    if output.suffix.lower() != ".pdf":
        return f"{output} must end in .pdf."
    if not output.absolute().parent.is_dir():
        return f"There is no folder {output.parent}."
    if output.exists() and not output.is_file():
        return f"{output} is no file."
    if output.exists() and not _may_replace(output):
        return f"{output} exists and is no PDF; it was left as it is."
    return None


def _may_replace(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(5) in (b"", b"%PDF-")


def write_sheet(
    workspace: Workspace, wish: SheetWish, progress: Callable[[int, int], None]
) -> SheetOutcome | Refusal:
    """Render the chosen cards and write the PDF, whole or not at all.

    Cards with errors are printed as far as they go: an effect that has errors has no rules text.
    """
    project = workspace.cards.project
    chosen = list(faces(workspace, wish.language or project.languages[0], wish.ids, wish.kinds))
    findings = [*workspace.errors_about(wish.ids, wish.kinds), *_missing_pictures(workspace, chosen)]
    report = make_report(findings, len(workspace.cards.files), len(chosen))
    if not any(face.quantity for face in chosen):
        if report.errors:
            return SheetOutcome("Nothing was printed.", report)
        return Refusal(_nothing_chosen(chosen), broken=False)
    settings = SheetSettings(
        card_size=size_of(project.card_size, CARD_SIZES) or CARD_SIZES["poker"],
        paper=size_of(wish.paper or project.paper, PAPERS) or PAPERS["a4"],
        backs=wish.backs,
        project=project.name,
        version=project.version,
    )
    result = render_sheet(chosen, settings, Roots(workspace.root), progress)
    if isinstance(result.failure, Failure):
        too_large = fit_grid(settings.card_size, settings.paper) is None
        return Refusal(f"{result.failure.message} {result.failure.next_step}", broken=not too_large)
    try:
        write_atomically(wish.output.resolve(), result.pdf)
    except OSError as error:
        return Refusal(f"{wish.output} cannot be written: {error.strerror}.", broken=True)
    report = make_report([*findings, *result.diagnostics], report.files, report.cards)
    sentence = f"{wish.output}: {_count(result.cards, 'card')} on {_count(result.pages, 'page')}."
    return SheetOutcome(sentence, report)


def _missing_pictures(workspace: Workspace, printed: Sequence[Face]) -> list[Diagnostic]:
    ids = {face.id for face in printed}
    return [
        finding
        for finding in workspace.findings
        if finding.name == "missing-picture" and (finding.card in ids or finding.card is None)
    ]


def _nothing_chosen(chosen: Sequence[Face]) -> str:
    if chosen:
        return "There is nothing to print: the `quantity` of every chosen card is 0."
    return "There is nothing to print: no card is chosen. TEAMs, modes and rulesets are no cards."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
