"""Cards as pictures: the pages that are printed, rasterized by the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TypeVar

from markupsafe import Markup
from msgspec import Struct

from toolkit.diagnostics import Diagnostic
from toolkit.press.sheet import Failure, engine_failure
from toolkit.render.checks.fit_check import print_warnings
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.environment import TemplateProblem
from toolkit.render.face import Back, Face
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.pages import FaceOptions, Pages, page_size
from toolkit.render.print_run import THREADS, PrintRun
from toolkit.render.renderer import EngineError, Fetch, Progress, Raster, Renderer, no_progress
from toolkit.render.sizes import BLEED, Size

BATCH = 8
"""Pictures of one document: enough to share the time to load it, few enough to keep two threads busy."""

Subject = Face | Back
"""The subject of a picture."""

Use = Callable[[Subject, Raster], None]
"""Called with each picture when it is drawn, from several threads and in no defined order."""


class PictureSettings(Struct, frozen=True):
    """How pictures are drawn: trim and bleed in mm, resolution, and whether the bleed is shown."""

    card_size: Size
    dpi: float = 300
    bleed: float = BLEED
    bleed_shown: bool = False
    face_options: FaceOptions | None = None

    @property
    def cut(self) -> float:
        """How much of the page is cropped on every side, in mm."""
        return 0.0 if self.bleed_shown else self.bleed


def draw_cards(
    faces: Sequence[Face],
    backs: Iterable[Back],
    settings: PictureSettings,
    roots: Roots,
    use: Use,
    progress: Progress = no_progress,
    renderer: Renderer | None = None,
    printed: PrintRun | None = None,
) -> tuple[Diagnostic, ...] | Failure:
    """Draw each face and each back once and return the findings; ``use`` is called with the pictures.

    A card whose template fails is left out and reported; text shrinks as in print. An exception of ``use``
    stops drawing and is raised. ``printed`` is a run that has rendered the same cards before.
    """
    engine = renderer or choose_renderer()
    if isinstance(engine, NoEngine):
        return Failure(engine.message, engine.next_step)
    fetcher = Fetcher(roots)
    backs = list(backs)
    run = printed or PrintRun(
        engine, settings.card_size, fetcher, face_options=settings.face_options, bleed=settings.bleed
    )
    pool = ThreadPoolExecutor(THREADS)
    try:
        if not printed:
            run.print_fronts(faces)
            run.print_backs(backs)
        wanted_subjects = {*faces, *backs}
        all_subjects: list[Subject] = [*run.fronts, *run.backs]
        subjects = [subject for subject in all_subjects if subject in wanted_subjects]
        pages = Pages(settings.card_size, fetcher, settings.face_options, settings.bleed)
        documents = _documents(subjects, run.sizes, pages)
        fetch = run.pictures.fetch_reduced(settings.dpi)
        _draw(engine, documents, settings, fetch, use, pool, lambda done: progress(done, len(subjects)))
    except EngineError as error:
        return engine_failure(engine, error)
    finally:
        if not printed:
            run.close()
        pool.shutdown(cancel_futures=True)
    return (*run.diagnostics(), *print_warnings(faces, roots, engine))


def _documents(
    subjects: Sequence[Subject], sizes: Mapping[Face, Mapping[str, float]], pages: Pages
) -> Iterator[tuple[Sequence[Subject], str]]:
    """Yield documents of cards and backs that were all printed before, so that their templates work."""
    for start in range(0, len(subjects), BATCH):
        batch = subjects[start : start + BATCH]
        known_sizes = (sizes[subject] if isinstance(subject, Face) else {} for subject in batch)
        filled_pages = map(pages.page, batch, range(len(batch)), known_sizes)
        yield batch, _sound(pages.document(list(map(_sound, filled_pages))))


Filled = TypeVar("Filled", Markup, str)


def _sound(filled: Filled | TemplateProblem) -> Filled:
    """Return the output of a template. Raises ``EngineError`` for one that worked in print but fails now."""
    if isinstance(filled, TemplateProblem):
        raise EngineError(f"{filled.template}: {filled.message}")
    return filled


def _draw(
    engine: Renderer,
    documents: Iterable[tuple[Sequence[Subject], str]],
    settings: PictureSettings,
    fetch: Fetch,
    use: Use,
    pool: ThreadPoolExecutor,
    progress: Callable[[int], None],
) -> None:
    """Rasterize documents in the threads of a pool; ``use`` is called there with each picture."""
    size = page_size(settings.card_size, settings.bleed)

    def work(batch: Sequence[Subject], html: str) -> int:
        rasters = engine.rasters(html, size, settings.cut, settings.dpi, fetch)
        for subject, raster in zip(batch, rasters, strict=True):
            use(subject, raster)
        return len(batch)

    futures: list[Future[int]] = [pool.submit(work, batch, html) for batch, html in documents]
    drawn_count = 0
    for future in as_completed(futures):
        drawn_count += future.result()
        progress(drawn_count)
