"""From faces to the PDF of sheets: pages, type that fits, backs, imposition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import pikepdf
from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.diagnostics import Diagnostic
from toolkit.press.impose import DUPLEX, Sheet, impose
from toolkit.press.layout import Arrangement, LayoutPlan, LayoutProblem, PaperSide, Slot, arrange
from toolkit.press.printers import Printer, Shift
from toolkit.press.sides import Copy, SheetExtras, compose_sides, start_stamps
from toolkit.render.checks.fit_check import print_warnings
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.face import Face, back_of
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.pages import FaceOptions
from toolkit.render.pdf import PdfMetadata, PrintedPage
from toolkit.render.print_run import PrintRun
from toolkit.render.renderer import DamagedFont, EngineError, Progress, Renderer, no_progress
from toolkit.render.sizes import Size

MAX_PAGES = 1000
"""The maximum unless the user asks for more: a `quantity` is easily mistyped."""


class SheetSettings(Struct, frozen=True):
    """How sheets are printed.

    ``by_kind`` are the layouts of kinds of card that have a size of their own; each layout is a section of
    sheets. ``proof`` draws the cut and the safe zone, ``stamp`` prints project, version and fingerprint on
    each card. ``printer`` has the measured offset of backs. ``most_pages`` None is no limit. ``scale`` is
    that at which the finished pages are printed later, for which pictures are stored.
    """

    layout: LayoutPlan = field(default_factory=LayoutPlan)
    by_kind: Mapping[str, LayoutPlan] = field(default_factory=dict)
    project: str = ""
    version: str = ""
    author: str = ""
    proof: bool = False
    stamp: bool = False
    printer: Printer = field(default_factory=Printer)
    face_options: FaceOptions = field(default_factory=FaceOptions)
    most_pages: int | None = None
    scale: float = 1.0

    @property
    def title(self) -> str:
        """The title of the PDF."""
        return f"{self.project} {self.version}".strip() or "Cards"

    def layout_of(self, face: Face) -> LayoutPlan:
        """Return the layout of the sheets on which a card is printed."""
        return self.by_kind.get(face.kind, self.layout)


class Failure(Struct, frozen=True):
    """Why there is no PDF, and the next step; ``invalid_request``: because of what was requested."""

    message: str
    next_step: str
    invalid_request: bool = False


def engine_failure(engine: Renderer, error: EngineError) -> Failure:
    """Return the failure for an error of the PDF engine; a damaged font is the project's."""
    if isinstance(error, DamagedFont):
        return Failure(str(error), "Save or download it again as .ttf, .otf or .woff2.", invalid_request=True)
    return Failure(f"The PDF engine {engine.name} failed: {error}", "Check the templates you changed.")


def over_limit(cards: int, number: int, unit: str, limit: int | None) -> Failure | None:
    """Return the failure if copies of cards take more pages or objects (``unit``) than the maximum."""
    if limit is None or number <= limit:
        return None
    message = f"{cards:,} cards take {number:,} {unit}; the limit is {limit:,}."
    next_step = "Make `quantity` smaller, choose fewer cards, or add --yes to make them all."
    return Failure(message, next_step, invalid_request=True)


class SheetResult(Struct, frozen=True):
    """The PDF (empty on ``failure``), the findings of printing, and the number of pages.

    ``printed`` are the cards in the order of their pages, each as often as it is printed; ``lone_cards`` is
    how many of them cost a sheet because they are alone on the last one of their size.
    """

    pdf: bytes
    diagnostics: tuple[Diagnostic, ...] = ()
    pages: int = 0
    printed: tuple[Face, ...] = ()
    lone_cards: int = 0
    failure: Failure | None = None

    @property
    def cards(self) -> int:
        """How many cards are on the pages."""
        return len(self.printed)


class _Section(Struct):
    """The cards of one layout, each as often as it is printed, with their pages."""

    arrangement: Arrangement
    copies: Sequence[Face]
    run: PrintRun
    stamps: dict[Face, int] = field(default_factory=dict)


class PrintRunCache(Struct):
    """Print runs whose pages further sheets of the same cards reuse. Must be closed."""

    runs: dict[tuple[Size, float, FaceOptions, tuple[Face, ...]], PrintRun] = field(default_factory=dict)
    """By size of cards, bleed, options and cards."""

    def close(self) -> None:
        """Close the runs."""
        for run in self.runs.values():
            run.close()


def render_sheet(
    faces: Sequence[Face],
    settings: SheetSettings,
    roots: Roots,
    progress: Progress = no_progress,
    renderer: Renderer | None = None,
    cache: PrintRunCache | None = None,
) -> SheetResult:
    """Print every face ``quantity`` times, in the order given, a section of sheets for each layout.

    A card whose template fails is left out and reported; text that does not fit is printed at its minimum
    size and reported. The same input gives the same bytes. With ``cache`` the pages of cards are rendered
    once for several sheets; print those without backs first.
    """
    engine = renderer or choose_renderer()
    if isinstance(engine, NoEngine):
        return SheetResult(b"", failure=Failure(engine.message, engine.next_step))
    arranged = _arranged(faces, settings)
    if isinstance(arranged, Failure):
        return SheetResult(b"", failure=arranged)
    result = _rendered(engine, arranged, settings, roots, progress, cache)
    lone_cards = 0
    for arrangement, copies in arranged:
        cards_a_sheet = len(arrangement.fronts)
        lone_cards += len(copies) > cards_a_sheet and len(copies) % cards_a_sheet == 1
    warnings = print_warnings(faces, roots, engine)
    return replace(result, diagnostics=(*result.diagnostics, *warnings), lone_cards=lone_cards)


_Arranged = Sequence[tuple[Arrangement, Sequence[Face]]]
"""Sections of sheets: the slots, and the cards, each as often as it is printed."""


def _arranged(faces: Sequence[Face], settings: SheetSettings) -> _Arranged | Failure:
    """Return the sections of sheets, or why a layout is impossible or there are too many pages."""
    grouped: dict[LayoutPlan, list[Face]] = {}
    for face in faces:
        grouped.setdefault(settings.layout_of(face), []).extend([face] * face.quantity)
    arranged: list[tuple[Arrangement, list[Face]]] = []
    for plan, copies in grouped.items():
        arrangement = arrange(plan)
        if isinstance(arrangement, LayoutProblem):
            return Failure(arrangement.message, arrangement.next_step, invalid_request=True)
        arranged.append((arrangement, copies))
    pages = 0
    for arrangement, copies in arranged:
        sheets = ceil(len(copies) / len(arrangement.fronts))
        pages += sheets * len(arrangement.sides)
    failure = over_limit(sum(face.quantity for face in faces), pages, "pages", settings.most_pages)
    return failure or arranged


class Side(Struct, frozen=True):
    """A page before it is printed: the side of the paper, its slots and cards.

    ``number`` is the index of the page among those of its sheet.
    """

    side: PaperSide
    arrangement: Arrangement
    cards: tuple[Face, ...]
    number: int

    @property
    def paper(self) -> Size:
        """The paper as it lies."""
        return self.arrangement.paper

    @property
    def places(self) -> list[tuple[Face, Slot]]:
        """The slot of each card, or of its back; on a fold sheet of both."""
        arrangement = self.arrangement
        fronts = [*zip(self.cards, arrangement.fronts, strict=False)]
        backs = [*zip(self.cards, arrangement.backs, strict=False)]
        if arrangement.fold != "none":
            return fronts + backs
        return fronts if self.side == "fronts" else backs


def plan_sheet(faces: Sequence[Face], settings: SheetSettings) -> list[Side] | Failure:
    """Return the pages that ``render_sheet`` prints if no card is left out."""
    arranged = _arranged(faces, settings)
    if isinstance(arranged, Failure):
        return arranged
    return [
        Side(side, arrangement, tuple(copies[start : start + len(arrangement.fronts)]), number)
        for arrangement, copies in arranged
        for start in range(0, len(copies), len(arrangement.fronts))
        for number, side in enumerate(arrangement.sides)
    ]


def render_side(side: Side, settings: SheetSettings, roots: Roots, engine: Renderer) -> SheetResult:
    """Print the sheet of one page; it is page ``side.number`` of the result."""
    return _rendered(engine, [(side.arrangement, side.cards)], settings, roots, no_progress)


def _rendered(
    engine: Renderer,
    arranged: _Arranged,
    settings: SheetSettings,
    roots: Roots,
    progress: Progress,
    cache: PrintRunCache | None = None,
) -> SheetResult:
    """Print the sections; once more if a placeholder is left, then with each drawing where it is used."""
    result, is_complete = _printed(engine, arranged, settings, roots, progress, cache=cache)
    if not is_complete:  # a template uses a drawing so that its placeholder is not in the PDF, such as masked
        result, _ = _printed(engine, arranged, settings, roots, progress, share_drawings=False)
    return result


def _printed(
    engine: Renderer,
    arranged: _Arranged,
    settings: SheetSettings,
    roots: Roots,
    progress: Progress,
    share_drawings: bool = True,
    cache: PrintRunCache | None = None,
) -> tuple[SheetResult, bool]:
    """Return the result, and whether every placeholder was replaced by its drawing."""
    sections: list[_Section] = []
    total = sum(len(set(copies)) for _, copies in arranged)
    printed_count = 0

    def progress_after(cards_before: int) -> Progress:
        return lambda cards, _total: progress(cards_before + cards, total)

    try:
        for arrangement, copies in arranged:
            plan = arrangement.plan
            faces = tuple(dict.fromkeys(copies))
            key = plan.card, plan.bleed, settings.face_options, faces
            run = cache.runs.get(key) if cache else None
            if run is None:
                run = PrintRun(
                    engine,
                    plan.card,
                    Fetcher(roots),
                    progress_after(printed_count),
                    share_drawings=share_drawings,
                    face_options=settings.face_options,
                    bleed=plan.bleed,
                )
            section = _Section(arrangement, copies, run)
            sections.append(section)
            _print_pages(section, faces, settings)
            if cache:
                cache.runs[key] = run
            printed_count += len(faces)
        return _imposed(sections, settings)
    except EngineError as error:
        failure = engine_failure(engine, error)
        return SheetResult(b"", _diagnostics(sections), failure=failure), True
    finally:
        for section in sections:
            if not (cache and section.run in cache.runs.values()):
                section.run.close()


def _print_pages(section: _Section, faces: Sequence[Face], settings: SheetSettings) -> None:
    """Render the pages of a section that its run does not have yet: fronts, backs and stamps."""
    run, arrangement, plan = section.run, section.arrangement, section.arrangement.plan
    # Started first, because the engine is idle until this thread has filled the first templates.
    look = settings.face_options.look
    finish_stamps = start_stamps(run, faces, plan, settings.title, look) if settings.stamp else None
    if not run.fronts:
        run.print_fronts(faces)
    has_backs = plan.sides != "fronts" or arrangement.fold != "none"
    if has_backs and not run.backs:
        run.print_backs(dict.fromkeys(back_of(face) for face in faces))
    if finish_stamps is not None:
        section.stamps = finish_stamps()


def _imposed(sections: Sequence[_Section], settings: SheetSettings) -> tuple[SheetResult, bool]:
    """Put the pages of all sections on sheets; see ``_printed`` for what is returned."""
    pages: list[pikepdf.Page | PrintedPage] = []
    sheets: list[Sheet] = []
    printed: list[Face] = []
    for section in sections:
        on_sheets = [face for face in section.copies if face in section.run.fronts]
        copies = [_copy_of(face, section, first_page=len(pages)) for face in on_sheets]
        shift = settings.printer.shift(section.arrangement.landscape) or Shift()
        extras = SheetExtras(settings.proof, shift)
        sheets += compose_sides(section.arrangement, copies, extras)
        printed += on_sheets
        pages += section.run.pages
    placeholders: set[bytes] = set().union(*(section.run.drawings.printed_keys for section in sections))
    replaced: set[bytes] = set()

    def finish(pdf: pikepdf.Pdf) -> None:
        """Replace the placeholders of all sections, first those for drawings."""
        for section in sections:
            drawings = section.run.drawings
            left_over = drawings.insert_drawings(pdf)
            replaced.update(drawings.printed_keys - left_over)
        for section in sections:
            section.run.pictures.insert(pdf, settings.scale)

    pdf = impose(pages, sheets, _metadata(sections, settings), finish)
    return SheetResult(pdf, _diagnostics(sections), len(sheets), tuple(printed)), placeholders == replaced


def _copy_of(face: Face, section: _Section, first_page: int) -> Copy:
    """Return a copy of a card, whose pages are those of its section from ``first_page``."""
    back = section.run.backs.get(back_of(face))
    stamp = section.stamps.get(face)
    return Copy(
        front=first_page + section.run.fronts[face],
        back=None if back is None else first_page + back,
        stamp=None if stamp is None else first_page + stamp,
    )


def _metadata(sections: Sequence[_Section], settings: SheetSettings) -> PdfMetadata:
    """Return the metadata of the PDF; the first section on both sides says how printers turn the paper."""
    plans = [section.arrangement.plan for section in sections]
    flips = (plan.flip for plan in plans if plan.sides == "both" and plan.fold == "none")
    languages = tuple(dict.fromkeys(face.lang for section in sections for face in section.copies))
    duplex = DUPLEX[next(flips, "none")]
    return PdfMetadata(settings.title, settings.author, settings.version, languages, duplex)


def _diagnostics(sections: Sequence[_Section]) -> tuple[Diagnostic, ...]:
    """Return all findings; those that several sections have once."""
    return tuple(dict.fromkeys(finding for section in sections for finding in section.run.diagnostics()))
