"""From a project to a PDF file of sheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import OF_PICTURES
from toolkit.diagnostics.report import Report, make_report
from toolkit.faces import faces
from toolkit.fitting import look_of, roots_of
from toolkit.layouts import Layouts, LayoutWish, choose_layouts
from toolkit.records import dataclass
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.layout import Arrangement, arrange
from toolkit.render.printers import BadPrinters, Printer, read_printers
from toolkit.render.sheet import Failure, SheetResult, SheetSettings, render_sheet
from toolkit.render.sizes import LONGEST, PAPERS, Size, size_of
from toolkit.source.writing import unwritable, write_atomically
from toolkit.vocabulary.nearest import nearest
from toolkit.workspace import Workspace

if TYPE_CHECKING:
    from toolkit.changes.model import Changes


@dataclass(frozen=True, slots=True)
class SheetWish:
    """What to print: the file, the language (None: the project's first), which cards, and how.

    ``proof`` shows where cards are cut and where words are safe, ``stamp`` puts project, version and
    fingerprint on each card; ``printer`` is one whose offset was measured. ``theme`` is a
    look (None: the project's), ``low_ink`` is outlines and black words only.
    ``changed_since`` is a git revision or the folder of an older copy: only what changed is printed.
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
    changed_since: str | None = None


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
    known = ", ".join(PAPERS)
    own = f"or write a size: 210x297mm, each side below {LONGEST:g} mm"
    return f"There is no paper {name!r}.{hint} Known are {known}; {own}."


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
    language = wish.language or workspace.cards.project.languages[0]
    chosen = list(faces(workspace, language, wish.ids, wish.kinds))
    changes = _changes(workspace, wish, language)
    if isinstance(changes, Refusal):
        return changes
    if changes is not None:
        from toolkit.changes.printing import to_print

        chosen = to_print(chosen, changes)
    findings = [*workspace.errors_about(wish.ids, wish.kinds), *_missing_pictures(workspace, chosen)]
    report = make_report(findings, len(workspace.cards.files), len(chosen))
    if changes is not None and not changes.cards:
        return SheetOutcome(f"No card changed since {changes.since}; nothing was printed.", report)
    if changes is None and not any(face.quantity for face in chosen):
        if report.errors:
            return SheetOutcome("Nothing was printed.", report)
        return Refusal(_nothing_chosen(chosen), broken=False)
    settings = _settings(workspace, wish)
    if isinstance(settings, Refusal):
        return settings
    roots = roots_of(workspace, wish.theme)
    result = render_sheet(chosen, settings, roots, progress) if chosen else SheetResult(b"")
    if isinstance(result.failure, Failure):
        return _gave_up(result.failure)
    sheets = _with_list(result, changes, settings, roots)
    if isinstance(sheets, Failure):
        return _gave_up(sheets)
    pdf, more = sheets
    report = make_report([*findings, *result.diagnostics, *more], report.files, report.cards)
    if changes is None and not result.pages:
        return SheetOutcome("Nothing was printed.", report)
    try:
        write_atomically(wish.output.resolve(), pdf)
    except OSError as error:
        return Refusal(unwritable(wish.output, error), broken=True)
    return SheetOutcome(_sentence(wish, result, changes), report)


def _gave_up(failure: Failure) -> Refusal:
    return Refusal(f"{failure.message} {failure.next_step}", broken=not failure.misfit)


def _changes(workspace: Workspace, wish: SheetWish, language: str) -> Changes | Refusal | None:
    """What changed among the chosen cards, if that is asked for; or why nobody can tell."""
    if wish.changed_since is None:
        return None
    from toolkit.changes.finding import changes_since
    from toolkit.changes.older import NotFound
    from toolkit.changes.printing import chosen

    found = changes_since(workspace, wish.changed_since, language)
    if isinstance(found, NotFound):
        return Refusal(found.message, broken=found.broken)
    return chosen(found, wish.ids, wish.kinds)


def _with_list(
    result: SheetResult, changes: Changes | None, settings: SheetSettings, roots: Roots
) -> tuple[bytes, tuple[Diagnostic, ...]] | Failure:
    """The sheets, with the list of what changed behind them where that is asked for, and what was found."""
    if changes is None:
        return result.pdf, ()
    from toolkit.changes.printing import with_list

    paper = Size(*sorted(settings.layout.paper))
    made = with_list(result.pdf, changes, roots, paper, settings.title)
    if isinstance(made, Diagnostic):
        return result.pdf, (made,)
    return made if isinstance(made, Failure) else (made, ())


def _sentence(wish: SheetWish, result: SheetResult, changes: Changes | None) -> str:
    printed = f"{_count(result.cards, 'card')} on {_count(result.pages, 'page')}"
    if changes is None:
        return f"{wish.output}: {printed}."
    listed = f"a list of what changed since {changes.since} ({changes.thrown_away} to throw away)"
    return f"{wish.output}: {printed}, and {listed}." if result.cards else f"{wish.output}: only {listed}."


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
