"""From a project to a PDF file of sheets: all chosen cards, or those that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct, field

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import OF_PICTURES
from toolkit.diagnostics.report import Report, make_report
from toolkit.pipeline import Workspace
from toolkit.project.changes.baseline_project import NotFound
from toolkit.project.changes.change_list import among_chosen, to_print, with_list
from toolkit.project.changes.comparison import changes_since
from toolkit.project.changes.model import Changes
from toolkit.project.faces import faces
from toolkit.project.fitting import look_of, roots_of
from toolkit.project.layouts import LayoutRequest, Layouts, choose_layouts
from toolkit.render.face import Face
from toolkit.render.layout import Arrangement, arrange
from toolkit.render.printers import BadPrinters, Printer, read_printers
from toolkit.render.sheet import MOST_PAGES, Failure, SheetResult, SheetSettings, render_sheet
from toolkit.render.sizes import LONGEST, PAPERS, Size, size_of
from toolkit.source.writing import refused_link, unwritable, write_atomically
from toolkit.vocabulary.nearest import nearest


class SheetRequest(Struct, frozen=True):
    """What to print: the file, the language (None: the project's first), which cards, and how.

    ``proof`` shows where cards are cut and where words are safe, ``stamp`` puts project, version and
    fingerprint on each card; ``printer`` is one whose offset was measured. ``theme`` is a
    look (None: the project's), ``low_ink`` is outlines and black words only.
    ``changed_since`` is a git revision or the folder of an older copy: only what changed is printed.
    ``many_pages`` prints more than ``MOST_PAGES`` of `toolkit.render.sheet` too.
    """

    output: Path
    language: str | None = None
    ids: Sequence[str] = ()
    kinds: Sequence[str] = ()
    layout: LayoutRequest = field(default_factory=LayoutRequest)
    proof: bool = False
    stamp: bool = False
    printer: str | None = None
    theme: str | None = None
    low_ink: bool = False
    changed_since: str | None = None
    many_pages: bool = False


class Refusal(Struct, frozen=True):
    """Why nothing was written; ``broken`` is False where the request itself is wrong."""

    message: str
    broken: bool


class SheetOutcome(Struct, frozen=True):
    """What was written, in a sentence, and what was found."""

    sentence: str
    report: Report


def write_sheet(workspace: Workspace, request: SheetRequest, progress: Progress) -> SheetOutcome | Refusal:
    """Render the chosen cards and write the PDF, whole or not at all.

    Cards with errors are printed as far as they go: an effect that has errors has no rules text.
    """
    language = request.language or workspace.cards.project.languages[0]
    chosen = list(faces(workspace, language, request.ids, request.kinds))
    if request.changed_since is None:
        return print_all(workspace, request, chosen, progress)

    return print_changed(workspace, request, request.changed_since, language, chosen, progress)


def print_changed(
    workspace: Workspace,
    request: SheetRequest,
    since: str,
    language: str,
    chosen: Sequence[Face],
    progress: Progress,
) -> SheetOutcome | Refusal:
    """Write the sheets of those of the chosen cards that changed, with the list behind them."""
    found = changes_since(workspace, since, language)
    if isinstance(found, NotFound):
        return Refusal(found.message, broken=found.broken)
    changes = among_chosen(found, request.ids, request.kinds)
    faces = to_print(chosen, changes)
    findings = known_findings(workspace, request, faces)
    if not changes.cards:
        sentence = f"No card changed since {changes.since}; nothing was printed."
        return SheetOutcome(sentence, report_of(workspace, faces, findings))
    settings = settings_of(workspace, request)
    if isinstance(settings, Refusal):
        return settings
    roots = roots_of(workspace, request.theme)
    result = render_sheet(faces, settings, roots, progress) if faces else SheetResult(b"")
    if result.failure is not None:
        return gave_up(result.failure)
    made = with_list(result.pdf, changes, roots, Size(*sorted(settings.layout.paper)), settings.title)
    if not isinstance(made, (bytes, Diagnostic)):
        return gave_up(made)
    findings += result.diagnostics
    if isinstance(made, Diagnostic):  # the sheets without the list
        findings, made = [*findings, made], result.pdf
    return written(request.output, made, _sentence(result, changes), report_of(workspace, faces, findings))


def _sentence(result: SheetResult, changes: Changes) -> str:
    listed = f"a list of what changed since {changes.since} ({changes.thrown_away} to throw away)"
    return f"{printed(result)}, and {listed}" if result.cards else f"only {listed}"


Progress = Callable[[int, int], None]

_NOTHING = "Nothing was printed."


def print_all(
    workspace: Workspace, request: SheetRequest, chosen: Sequence[Face], progress: Progress
) -> SheetOutcome | Refusal:
    """Write the sheets of the chosen cards."""
    found = known_findings(workspace, request, chosen)
    if not any(face.quantity for face in chosen):
        report = report_of(workspace, chosen, found)
        return SheetOutcome(_NOTHING, report) if report.errors else Refusal(_nothing(chosen), broken=False)
    settings = settings_of(workspace, request)
    if isinstance(settings, Refusal):
        return settings
    result = render_sheet(chosen, settings, roots_of(workspace, request.theme), progress)
    if result.failure is not None:
        return gave_up(result.failure)
    report = report_of(workspace, chosen, [*found, *result.diagnostics])
    if not result.pages:
        return SheetOutcome(_NOTHING, report)
    return written(request.output, result.pdf, printed(result), report)


def known_findings(workspace: Workspace, request: SheetRequest, faces: Sequence[Face]) -> list[Diagnostic]:
    """What is found about the cards before they are printed: errors, and what is wrong with pictures."""
    ids = {face.id for face in faces}
    pictures = (
        finding
        for finding in workspace.findings
        if finding.name in OF_PICTURES and (finding.card in ids or finding.card is None)
    )
    return [*workspace.errors_about(request.ids, request.kinds), *pictures]


def report_of(workspace: Workspace, faces: Sequence[Face], found: Sequence[Diagnostic]) -> Report:
    """The report of a print of these cards."""
    return make_report(found, len(workspace.cards.files), len(faces))


def gave_up(failure: Failure) -> Refusal:
    """Why there is no PDF; the request is wrong where its layout cannot be."""
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


def settings_of(workspace: Workspace, request: SheetRequest) -> SheetSettings | Refusal:
    """What the request and the project ask for."""
    project = workspace.cards.project
    layouts = choose_layouts(workspace.cards, request.layout)
    if isinstance(layouts, str):
        return Refusal(layouts, broken=False)
    printer = _printer(request.printer, layouts) if request.printer else Printer()
    if isinstance(printer, Refusal):
        return printer
    return SheetSettings(
        layout=layouts.layout,
        by_kind=layouts.by_kind,
        project=project.name,
        version=project.version,
        author=project.author or "",
        proof=request.proof,
        stamp=request.stamp,
        printer=printer,
        look=look_of(workspace, request.low_ink),
        most_pages=None if request.many_pages else MOST_PAGES,
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
        f"`opforge align{way} -o align.pdf` prints the page to measure it with, "
        f"`opforge align{way} --set {name} RIGHT UP` saves the result."
    )


def unknown_paper(name: str | None) -> str | None:
    """A sentence if there is no such paper."""
    if name is None or size_of(name, PAPERS) is not None:
        return None
    near = nearest(name, PAPERS)
    hint = f" Did you mean {near!r}?" if near else ""
    known = ", ".join(PAPERS)
    own = f"or write a size: 210x297mm, each side below {LONGEST:g} mm"
    return f"There is no paper {name!r}.{hint} Known: {known}; {own}."


def refused_output(output: Path) -> str | None:
    """A sentence if a PDF must not or cannot be written there: nothing but a PDF is ever replaced."""
    if output.suffix.lower() != ".pdf":
        return f"{output} must end in .pdf."
    if not output.parent.is_dir():
        return f"There is no folder {output.parent}."
    refused = refused_link(output)
    if refused:
        return refused
    if output.exists() and not output.is_file():
        return f"{output} is not a file."
    if output.exists() and not _may_replace(output):
        return f"{output} exists and is not a PDF; it was not changed."
    return None


def _may_replace(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(5) in (b"", b"%PDF-")


def written(output: Path, pdf: bytes, sentence: str, report: Report) -> SheetOutcome | Refusal:
    """Write the PDF, whole or not at all; the sentence tells what is in it."""
    try:
        write_atomically(output, pdf)
    except OSError as error:
        return Refusal(unwritable(output, error), broken=True)
    return SheetOutcome(f"{output}: {sentence}.", report)
