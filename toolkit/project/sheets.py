"""From a project to a PDF file of sheets: all chosen cards, or those that changed since an older version."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import Report, make_report
from toolkit.pipeline import Workspace
from toolkit.project.exports.choice import known_findings
from toolkit.project.faces import faces, look_of, roots_of
from toolkit.project.layouts import LayoutRequest, Layouts, choose_layouts, unprintable
from toolkit.project.output import Outcome, Refusal, gave_up, write_file
from toolkit.project.squads import faces_of_squads, ids_of_squads
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.impose import Information
from toolkit.render.layout import Arrangement, arrange
from toolkit.render.printers import BadPrinters, Printer, read_printers
from toolkit.render.sheet import (
    MOST_PAGES,
    Failure,
    KeptRuns,
    Progress,
    SheetResult,
    SheetSettings,
    render_sheet,
)
from toolkit.vocabulary.nearest import nearest

if TYPE_CHECKING:
    from toolkit.project.changes.model import Changes

_NOTHING = "Nothing was printed."


class SheetRequest(Struct, frozen=True):
    """What to print: the file, the language (None: the project's first), which cards, and how.

    ``proof`` shows where cards are cut and where words are safe; ``stamp`` puts project, version and
    fingerprint on each card; ``printer`` is one whose offset was measured. ``theme`` None is the project's;
    ``low_ink`` prints outlines and black words only. ``changed_since`` is a git revision or the folder of an
    older copy: only what changed is printed. ``many_pages`` lifts the limit of ``MOST_PAGES``. ``squads``
    chooses the cards that players of these SQUADs need, as often as they need them.
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
    squads: Sequence[str] = ()


class SheetJob(Struct, frozen=True):
    """Sheets that can be printed: the cards, each with its quantity, and how.

    ``found`` is what is known of the cards before; ``changes`` those since an older version, where only they
    are printed. Nothing of the project is read any more when it is printed, but for templates and pictures.
    """

    faces: list[Face]
    settings: SheetSettings
    roots: Roots
    found: list[Diagnostic]
    files: int
    information: Information
    changes: Changes | None = None

    def report(self, more: Sequence[Diagnostic] = ()) -> Report:
        """All that is found about the cards."""
        return make_report([*self.found, *more], self.files, len(self.faces))


class PrintedSheet(Struct, frozen=True):
    """The PDF (empty where every card was left out), what is in it as a sentence, and what was found.

    ``cards`` are those on its pages, each as often as it is printed.
    """

    pdf: bytes
    cards: tuple[Face, ...]
    sentence: str
    report: Report


def write_sheet(workspace: Workspace, request: SheetRequest, progress: Progress) -> Outcome | Refusal:
    """Render the chosen cards and write the PDF, whole or not at all.

    Cards with errors are printed as far as they go: an effect that has errors has no rules text.
    """
    job = prepare_sheet(workspace, request)
    made = print_sheet(job, progress) if isinstance(job, SheetJob) else job
    if not isinstance(made, PrintedSheet):
        return made
    if not made.pdf:
        return Outcome(_NOTHING, made.report)
    written = write_file(request.output, made.pdf)
    return written or Outcome(f"{request.output}: {made.sentence}.", made.report)


def prepare_sheet(workspace: Workspace, request: SheetRequest) -> SheetJob | Outcome | Refusal:
    """Choose the cards and how they are printed; an ``Outcome`` says why there is nothing to print."""
    language = request.language or workspace.cards.project.languages[0]
    changes: Changes | None = None
    every = faces(workspace, language, request.ids, request.kinds)
    if request.changed_since is not None:
        from toolkit.project.changes.change_list import among_chosen, to_print
        from toolkit.project.changes.comparison import changes_since

        compared = changes_since(workspace, request.changed_since, language)
        if isinstance(compared, Refusal):
            return compared
        changes = among_chosen(compared, request.ids, request.kinds)
        chosen = to_print(every, changes)
    else:
        chosen = faces_of_squads(workspace, every, request.squads) if request.squads else list(every)
    concerned = request.ids or ids_of_squads(workspace, request.squads)
    found = known_findings(workspace, concerned, request.kinds, chosen)
    report = make_report(found, len(workspace.cards.files), len(chosen))
    if changes is not None and not (changes.printed or changes.thrown_away):
        what = "No card has to be replaced" if changes.cards else "No card changed"
        return Outcome(f"{what} since {changes.since}; nothing was printed.", report)
    if changes is None and not any(face.quantity for face in chosen):
        return Outcome(_NOTHING, report) if report.errors else Refusal(_why_nothing(chosen))
    settings = _settings(workspace, request, chosen)
    if isinstance(settings, Refusal):
        return settings
    return SheetJob(
        chosen,
        settings,
        roots_of(workspace, request.theme),
        found,
        len(workspace.cards.files),
        Information.of(workspace.cards.project, (language,)),
        changes,
    )


def print_sheet(
    job: SheetJob, progress: Progress = lambda _done, _total: None, kept: KeptRuns | None = None
) -> PrintedSheet | Refusal:
    """Print the cards; where only changed ones are printed, with the list of changes behind them.

    ``kept`` are the pages of cards for several sheets, as ``render_sheet`` takes them.
    """
    result = SheetResult(b"")
    if job.faces:
        result = render_sheet(job.faces, job.settings, job.roots, progress, kept=kept)
    if result.failure is not None:
        return gave_up(result.failure)
    if job.changes is not None:
        return _with_list(job, job.changes, result)
    return PrintedSheet(
        result.pdf if result.pages else b"", result.printed, _printed(result), job.report(result.diagnostics)
    )


def _with_list(job: SheetJob, changes: Changes, result: SheetResult) -> PrintedSheet | Refusal:
    from toolkit.project.changes.change_list import with_list

    paper = job.settings.layout.paper.upright
    pdf = with_list(result.pdf, changes, job.roots, paper, job.information)
    if isinstance(pdf, Failure):
        return gave_up(pdf)
    listed = f"a list of what changed since {changes.since} ({changes.thrown_away} to throw away)"
    sentence = f"{_printed(result)}, and {listed}" if result.cards else f"only {listed}"
    if isinstance(pdf, Diagnostic):  # the sheets without the list
        return PrintedSheet(result.pdf, result.printed, sentence, job.report((*result.diagnostics, pdf)))
    return PrintedSheet(pdf, result.printed, sentence, job.report(result.diagnostics))


def _printed(result: SheetResult) -> str:
    """How many cards are on how many pages."""
    cards, pages = (
        f"{number} {noun}{'' if number == 1 else 's'}"
        for number, noun in ((result.cards, "card"), (result.pages, "page"))
    )
    return f"{cards} on {pages}"


def _why_nothing(chosen: Sequence[object]) -> str:
    if chosen:
        return "There is nothing to print: the `quantity` of every chosen card is 0."
    return "There is nothing to print: no card is chosen. TEAMs, modes and rulesets are not cards."


def _settings(workspace: Workspace, request: SheetRequest, chosen: Sequence[Face]) -> SheetSettings | Refusal:
    """Return the settings that the request and the project ask for, or why they cannot be."""
    project = workspace.cards.project
    layouts = choose_layouts(workspace.cards, request.layout)
    if isinstance(layouts, str):
        return Refusal(layouts)
    refused = unprintable(chosen, layouts, roots_of(workspace, request.theme))
    if refused:
        return Refusal(refused)
    printer = find_printer(request.printer, layouts) if request.printer else Printer()
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


def find_printer(name: str, layouts: Layouts) -> Printer | Refusal:
    """The printer, if it was measured with paper that lies as it does in every layout that has backs."""
    plans = (layouts.layout, *layouts.by_kind.values())
    if not any(plan.sides != "fronts" and plan.fold == "none" for plan in plans):
        folded = any(plan.fold != "none" for plan in plans)
        reason = "on a fold sheet they are on the same side" if folded else "only fronts are printed"
        step = "Omit it." if folded else "Add --backs, or omit it."
        return Refusal(f"--printer moves backs on the other side of the paper, but {reason}. {step}")
    try:
        printers = read_printers()
    except BadPrinters as error:
        return Refusal(str(error))
    printer = printers.get(name)
    if printer is None:
        near = nearest(name, printers)
        hint = f" Did you mean {near!r}?" if near else ""
        return Refusal(f"There is no printer {name!r}.{hint} {_how_to_measure(name)}")
    for plan in plans:
        found = arrange(plan)
        turned_over = plan.sides != "fronts" and plan.fold == "none" and plan.flip != "none"
        if turned_over and isinstance(found, Arrangement) and printer.shift(found.landscape) is None:
            way = "landscape" if found.landscape else "portrait"
            step = _how_to_measure(name, " --landscape" if found.landscape else "")
            return Refusal(f"The printer {name!r} was not measured with {way} paper. {step}")
    return printer


def _how_to_measure(name: str, way: str = "") -> str:
    return (
        f"`opforge align{way} -o align.pdf` prints the page to measure it with, "
        f"`opforge align{way} --set {name} RIGHT UP` saves the result."
    )
