"""Does everything fit? All cards are printed to nowhere, and what is found is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from toolkit.diagnostics import Diagnostic
from toolkit.render import findings
from toolkit.render.face import Face
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.fit import Measure
from toolkit.render.fit_memory import FitMemory
from toolkit.render.pages import Look
from toolkit.render.printing import PrintRun
from toolkit.render.renderer import EngineError, NoEngine, Renderer, choose_renderer
from toolkit.render.sizes import Size
from toolkit.render.warnings import print_warnings

Progress = Callable[[int, int], None]


def check_fit(
    faces: Sequence[Face],
    trim: Size,
    roots: Roots,
    look: Look,
    progress: Progress = lambda _done, _total: None,
    renderer: Renderer | None = None,
) -> list[Diagnostic] | str:
    """What would be found if these cards were printed at that size; a sentence if they cannot be printed.

    Cards that have not changed since an earlier check are not printed again.
    """
    engine = renderer or choose_renderer()
    if isinstance(engine, NoEngine):
        return f"{engine.message} {engine.next_step}"
    memory = FitMemory(roots, (engine.name, engine.version, trim, look, roots))
    faces = list(dict.fromkeys(faces))
    known = memory.recall(faces)
    unknown = [face for face in faces if face not in known]
    found: list[Diagnostic] = []
    if unknown:
        run = PrintRun(engine, trim, Fetcher(roots), progress, look=look)
        try:
            run.print_fronts(unknown)
        except EngineError as error:
            return f"The PDF engine {engine.name} failed: {error}"
        finally:
            run.close()
        found = [finding for finding in run.diagnostics() if finding.name != "text-overflow"]
        known |= _measured(run, unknown)
        if not found:
            memory.keep(known)
    overflows = [findings.text_overflow(face, one) for face in faces for one in known.get(face, ())]
    return [*found, *overflows, *print_warnings(faces, roots, engine)]


def _measured(run: PrintRun, faces: Iterable[Face]) -> dict[Face, tuple[Measure, ...]]:
    measured: dict[Face, tuple[Measure, ...]] = dict.fromkeys(faces, ())
    for face, measure in run.too_long:
        measured[face] += (measure,)
    return measured


def told_once(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Each finding once, though several languages or sizes have it."""
    told = set()
    for finding in diagnostics:
        place = (finding.name, finding.message, finding.span.file.path, finding.span.start)
        if place not in told:
            told.add(place)
            yield finding
