"""From a project to a PDF file of sheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import OF_PICTURES
from toolkit.diagnostics.report import Report, make_report
from toolkit.faces import faces
from toolkit.fitting import look_of, roots_of
from toolkit.layouts import Layouts, LayoutWish, choose_layouts
from toolkit.render.face import Face
from toolkit.render.layout import Arrangement, arrange
from toolkit.render.printers import BadPrinters, Printer, read_printers
from toolkit.render.sheet import Failure, SheetSettings, render_sheet
from toolkit.render.sizes import PAPERS, size_of
from toolkit.render.writing import unwritable, write_atomically
from toolkit.vocabulary.nearest import nearest
from toolkit.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SheetWish:
    """What to print: the file, the language (None: the project's first), which cards, and how.

    ``proof`` shows where cards are cut and where words are safe, ``stamp`` puts project, version and
    fingerprint on each card; ``printer`` is one whose offset was measured. ``theme`` is a
    look (None: the project's), ``low_ink`` is outlines and black words only.
    """

    output: Path
    language: str | None = None
    ids: Sequence[str] = ()
    kinds: Sequence[str] = ()
    layout: LayoutWish = field(default_factory=LayoutWish)
    proof: bool = False
    stamp: bool = False
    printer: str | None = None
    theme: str | None = None
    low_ink: bool = False


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
    settings = _settings(workspace, wish)
    if isinstance(settings, Refusal):
        return settings
    result = render_sheet(chosen, settings, roots_of(workspace, wish.theme), progress)
    if isinstance(result.failure, Failure):
        failure = result.failure
        return Refusal(f"{failure.message} {failure.next_step}", broken=not failure.misfit)
    try:
        write_atomically(wish.output.resolve(), result.pdf)
    except OSError as error:
        return Refusal(unwritable(wish.output, error), broken=True)
    report = make_report([*findings, *result.diagnostics], report.files, report.cards)
    sentence = f"{wish.output}: {_count(result.cards, 'card')} on {_count(result.pages, 'page')}."
    return SheetOutcome(sentence, report)


def _settings(workspace: Workspace, wish: SheetWish) -> SheetSettings | Refusal:
    """How the sheets are made, or why the wish cannot be."""
    project = workspace.cards.project
    layouts = choose_layouts(workspace.cards, wish.layout)
    if isinstance(layouts, str):
        return Refusal(layouts, broken=False)
    printer = _printer(wish.printer, layouts) if wish.printer else Printer()
    if isinstance(printer, Refusal):
        return printer
    return SheetSettings(
        layout=layouts.layout,
        by_kind=layouts.by_kind,
        project=project.name,
        version=project.version,
        author=project.author or "",
        proof=wish.proof,
        stamp=wish.stamp,
        printer=printer,
        look=look_of(workspace, wish.low_ink),
    )


def _printer(name: str, layouts: Layouts) -> Printer | Refusal:
    """The printer, if it was measured with paper that lies as it does in every layout that has backs."""
    try:
        printers = read_printers()
    except BadPrinters as error:
        return Refusal(str(error), broken=True)
    printer = printers.get(name)
    if printer is None:
        near = nearest(name, printers)
        hint = f" Did you mean {near!r}?" if near else ""
        return Refusal(f"There is no printer {name!r}.{hint} {_how_to_measure(name)}", broken=False)
    for plan in (layouts.layout, *layouts.by_kind.values()):
        found = arrange(plan)
        turned_over = plan.sides != "fronts" and plan.fold == "none" and plan.flip != "none"
        if turned_over and isinstance(found, Arrangement) and printer.shift(found.landscape) is None:
            way = "landscape" if found.landscape else "portrait"
            step = _how_to_measure(name, " --landscape" if found.landscape else "")
            return Refusal(f"The printer {name!r} was not measured with {way} paper. {step}", broken=False)
    return printer


def _how_to_measure(name: str, way: str = "") -> str:
    return (
        f"`opforge align{way} -o align.pdf` prints a page to measure it, "
        f"`opforge align{way} --set {name} RIGHT UP` keeps it."
    )


def _missing_pictures(workspace: Workspace, printed: Sequence[Face]) -> list[Diagnostic]:
    ids = {face.id for face in printed}
    return [
        finding
        for finding in workspace.findings
        if finding.name in OF_PICTURES and (finding.card in ids or finding.card is None)
    ]


def _nothing_chosen(chosen: Sequence[Face]) -> str:
    if chosen:
        return "There is nothing to print: the `quantity` of every chosen card is 0."
    return "There is nothing to print: no card is chosen. TEAMs, modes and rulesets are no cards."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
