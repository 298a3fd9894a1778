"""From a project to a PDF file of sheets: all chosen cards, or those that changed since an older version."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import make_report
from toolkit.pipeline import Workspace
from toolkit.project.exports.choice import known_findings
from toolkit.project.faces import faces, look_of, roots_of
from toolkit.project.layouts import LayoutRequest, Layouts, choose_layouts, unprintable
from toolkit.project.output import Outcome, Refusal, gave_up, write_file
from toolkit.project.squads import faces_of_squads, ids_of_squads
from toolkit.render.face import Face
from toolkit.render.impose import Information
from toolkit.render.layout import Arrangement, arrange
from toolkit.render.printers import BadPrinters, Printer, read_printers
from toolkit.render.sheet import MOST_PAGES, Progress, SheetResult, SheetSettings, render_sheet
from toolkit.vocabulary.nearest import nearest

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


def write_sheet(workspace: Workspace, request: SheetRequest, progress: Progress) -> Outcome | Refusal:
    """Render the chosen cards and write the PDF, whole or not at all.

    Cards with errors are printed as far as they go: an effect that has errors has no rules text.
    """
    if request.changed_since is not None:
        return _write_changed(workspace, request, request.changed_since, progress)
    chosen = list(faces(workspace, _language(workspace, request), request.ids, request.kinds))
    if request.squads:
        chosen = faces_of_squads(workspace, chosen, request.squads)
    concerned = request.ids or ids_of_squads(workspace, request.squads)
    found = known_findings(workspace, concerned, request.kinds, chosen)
    if not any(face.quantity for face in chosen):
        outcome = _outcome(workspace, _NOTHING, chosen, found)
        return outcome if outcome.report.errors else Refusal(_why_nothing(chosen))
    settings = _settings(workspace, request, chosen)
    if isinstance(settings, Refusal):
        return settings
    result = render_sheet(chosen, settings, roots_of(workspace, request.theme), progress)
    if result.failure is not None:
        return gave_up(result.failure)
    found += result.diagnostics
    if not result.pages:
        return _outcome(workspace, _NOTHING, chosen, found)
    sentence = f"{request.output}: {_printed(result)}."
    return write_file(request.output, result.pdf) or _outcome(workspace, sentence, chosen, found)


def _write_changed(
    workspace: Workspace, request: SheetRequest, since: str, progress: Progress
) -> Outcome | Refusal:
    """Write the sheets of those of the chosen cards that changed, with the list of changes behind them."""
    from toolkit.project.changes.change_list import among_chosen, to_print, with_list
    from toolkit.project.changes.comparison import changes_since

    language = _language(workspace, request)
    changes = changes_since(workspace, since, language)
    if isinstance(changes, Refusal):
        return changes
    changes = among_chosen(changes, request.ids, request.kinds)
    chosen = to_print(faces(workspace, language, request.ids, request.kinds), changes)
    found = known_findings(workspace, request.ids, request.kinds, chosen)
    if not changes.cards:
        nothing = f"No card changed since {changes.since}; nothing was printed."
        return _outcome(workspace, nothing, chosen, found)
    settings = _settings(workspace, request, chosen)
    if isinstance(settings, Refusal):
        return settings
    roots = roots_of(workspace, request.theme)
    result = render_sheet(chosen, settings, roots, progress) if chosen else SheetResult(b"")
    if result.failure is not None:
        return gave_up(result.failure)
    found += result.diagnostics
    paper = settings.layout.paper.upright
    information = Information.of(workspace.cards.project, (language,))
    pdf = with_list(result.pdf, changes, roots, paper, information)
    if isinstance(pdf, Diagnostic):  # the sheets without the list
        found.append(pdf)
        pdf = result.pdf
    elif not isinstance(pdf, bytes):
        return gave_up(pdf)
    listed = f"a list of what changed since {changes.since} ({changes.thrown_away} to throw away)"
    printed = f"{_printed(result)}, and {listed}" if result.cards else f"only {listed}"
    sentence = f"{request.output}: {printed}."
    return write_file(request.output, pdf) or _outcome(workspace, sentence, chosen, found)


def _language(workspace: Workspace, request: SheetRequest) -> str:
    return request.language or workspace.cards.project.languages[0]


def _outcome(
    workspace: Workspace, sentence: str, chosen: Sequence[object], found: Sequence[Diagnostic]
) -> Outcome:
    return Outcome(sentence, make_report(found, len(workspace.cards.files), len(chosen)))


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
        return Refusal(str(error), broken=True)
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
