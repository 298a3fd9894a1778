"""From faces to the PDF of sheets: pages, type that fits, backs, imposition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from toolkit.diagnostics import Diagnostic
from toolkit.render.backs import back_of
from toolkit.render.face import Face
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.impose import Information, Placement, Sheet, impose
from toolkit.render.layout import Grid, fit_grid
from toolkit.render.missing_glyphs import missing_glyphs
from toolkit.render.printing import PrintRun
from toolkit.render.renderer import EngineError, NoEngine, Renderer, choose_renderer
from toolkit.render.sizes import CARD_SIZES, PAPERS, Size
from toolkit.render.unused import unused_templates

Progress = Callable[[int, int], None]
"""Told after each batch how many different cards are done, of how many."""


@dataclass(frozen=True, slots=True)
class SheetSettings:
    """How sheets are made: sizes in mm (see ``sizes.size_of``), backs after fronts, crop marks, a title."""

    card_size: Size = CARD_SIZES["poker"]
    paper: Size = PAPERS["a4"]
    backs: bool = False
    marks: bool = True
    project: str = ""
    version: str = ""

    @property
    def title(self) -> str:
        """The title of the PDF."""
        return f"{self.project} {self.version}".strip() or "Cards"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no PDF at all, and what to do."""

    message: str
    next_step: str


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The PDF (empty on ``failure``), what was found while printing, its pages and the cards on them."""

    pdf: bytes
    diagnostics: tuple[Diagnostic, ...] = ()
    pages: int = 0
    cards: int = 0
    failure: Failure | None = None


def render_sheet(
    faces: Sequence[Face],
    settings: SheetSettings,
    roots: Roots,
    progress: Progress = lambda _done, _total: None,
    renderer: Renderer | None = None,
) -> SheetResult:
    """Print every face ``quantity`` times, in the order given.

    A card whose template fails is left out and found; text that does not fit is printed at its smallest
    size and found. The same input gives the same bytes.
    """
    engine = renderer or choose_renderer()
    if isinstance(engine, NoEngine):
        return SheetResult(b"", failure=Failure(engine.message, engine.next_step))
    grid = fit_grid(settings.card_size, settings.paper)
    if grid is None:
        return SheetResult(b"", failure=_too_large(settings))
    result, complete = _printed(engine, grid, faces, settings, roots, progress)
    if not complete:  # a template uses a drawing in a way that it cannot be put in afterwards
        result, _ = _printed(engine, grid, faces, settings, roots, progress, share_drawings=False)
    return replace(result, diagnostics=(*result.diagnostics, *_warnings(faces, roots)))


def _warnings(faces: Sequence[Face], roots: Roots) -> Iterator[Diagnostic]:
    """What is found without printing."""
    yield from unused_templates(roots)
    yield from missing_glyphs(faces, roots)


def _printed(
    engine: Renderer,
    grid: Grid,
    faces: Sequence[Face],
    settings: SheetSettings,
    roots: Roots,
    progress: Progress,
    share_drawings: bool = True,
) -> tuple[SheetResult, bool]:
    """The result, and whether every drawing found its place."""
    run = PrintRun(engine, settings.card_size, Fetcher(roots), progress, share_drawings)
    copies = [face for face in faces for _ in range(face.quantity)]
    try:
        run.print_fronts(list(dict.fromkeys(copies)))
        if settings.backs:
            run.print_backs(dict.fromkeys(back_of(face.kind) for face in copies))
    except EngineError as error:
        message = f"The PDF engine {engine.name} gave up: {error}"
        failure = Failure(message, "Look at templates you changed.")
        return SheetResult(b"", run.diagnostics(), failure=failure), True
    finally:
        run.close()
    copies = [face for face in copies if face in run.fronts]
    sheets = _sheets(run, copies, grid, settings)
    lost: set[bytes] = set()
    information = Information(settings.title, settings.backs)
    pdf = impose(run.pages, sheets, grid, information, lambda pdf: lost.update(run.drawings.put_into(pdf)))
    return SheetResult(pdf, run.diagnostics(), len(sheets), len(copies)), not lost


def _sheets(run: PrintRun, copies: Sequence[Face], grid: Grid, settings: SheetSettings) -> list[Sheet]:
    """What lies where: a sheet of fronts, and behind it one of backs if they are wanted."""
    sheets: list[Sheet] = []
    for start in range(0, len(copies), grid.slots):
        batch = copies[start : start + grid.slots]
        fronts = (Placement(run.fronts[face], grid.slot(place)) for place, face in enumerate(batch))
        sheets.append(Sheet(tuple(fronts), settings.marks))
        if settings.backs:
            named = [(place, run.backs.get(back_of(face.kind))) for place, face in enumerate(batch)]
            backs = (Placement(page, grid.back_slot(place)) for place, page in named if page is not None)
            sheets.append(Sheet(tuple(backs), marks=False))
    return sheets


def _too_large(settings: SheetSettings) -> Failure:
    card, paper = settings.card_size, settings.paper
    return Failure(
        f"A card of {card.width:g} × {card.height:g} mm does not fit on paper of "
        f"{paper.width:g} × {paper.height:g} mm.",
        "Choose a larger paper or a smaller card size.",
    )
