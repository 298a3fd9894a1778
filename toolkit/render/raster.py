"""Cards as pictures: the pages that are printed, drawn as dots and written as PNG."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TypeVar

from markupsafe import Markup
from msgspec import Struct
from PIL import Image, ImageChops

from toolkit.diagnostics import Diagnostic
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.environment import TemplateProblem
from toolkit.render.face import Back, Face
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.fit_check import print_warnings
from toolkit.render.pages import Look, Pages, page_size
from toolkit.render.printing import THREADS, PrintRun
from toolkit.render.renderer import EngineError, Raster, Renderer
from toolkit.render.sheet import Failure, Progress
from toolkit.render.sizes import BLEED, Size

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB = 2
_UP = 2
_LEVEL = 1
_INCH = 0.0254
_MARK = b"Software\0opforge"
"""A ``tEXt`` chunk that says which program made the file; it stands before the dots."""

_HEAD = 256
"""The mark lies within so many bytes from the beginning."""


def as_image(raster: Raster) -> Image.Image:
    """The dots as a picture of three colours; pages are opaque, so nothing is lost."""
    size = (raster.width, raster.height)
    return Image.frombuffer("RGB", size, raster.bgra, "raw", "BGRX", raster.width * 4, 1)


def encode(image: Image.Image, dpi: float) -> bytes:
    """The PNG of an RGB picture that says how many dots make an inch."""
    width, height = image.size
    metre = round(dpi / _INCH)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, _RGB, 0, 0, 0)),
            _chunk(b"sRGB", b"\0"),
            _chunk(b"pHYs", struct.pack(">IIB", metre, metre, 1)),
            _chunk(b"tEXt", _MARK),
            _chunk(b"IDAT", zlib.compress(_filtered(image), _LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def is_ours(path: Path) -> bool:
    """Whether the file is a picture that ``encode`` made; raises ``OSError`` if it cannot be read."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return head.startswith(_SIGNATURE) and _MARK in head


def _filtered(image: Image.Image) -> bytes:
    """Every row less the one above it, each behind the number of that filter."""
    width, height = image.size
    above = Image.new("RGB", image.size)
    above.paste(image, (0, 1))
    less = ImageChops.subtract_modulo(image, above)
    rows = Image.new("L", (width * 3 + 1, height), _UP)
    rows.paste(Image.frombuffer("L", (width * 3, height), less.tobytes(), "raw", "L", 0, 1), (1, 0))
    return rows.tobytes()


def _chunk(kind: bytes, content: bytes) -> bytes:
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


BATCH = 8
"""Pictures of one document: enough to share what it takes to load it, few enough to keep two threads busy."""

Subject = Face | Back
"""What a picture shows."""

Use = Callable[[Subject, Raster], None]
"""Takes a picture when it is drawn; it is called in threads, in no certain order."""


class PictureSettings(Struct, frozen=True):
    """How pictures are drawn: trim and bleed in mm, dots in an inch, and whether the bleed is shown."""

    card_size: Size
    dpi: float = 300
    bleed: float = BLEED
    bleed_shown: bool = False
    look: Look | None = None

    @property
    def cut(self) -> float:
        """How much of the page is left away on every side, in mm."""
        return 0.0 if self.bleed_shown else self.bleed


def draw_cards(
    faces: Sequence[Face],
    backs: Iterable[Back],
    settings: PictureSettings,
    roots: Roots,
    use: Use,
    progress: Progress = lambda _done, _total: None,
    renderer: Renderer | None = None,
) -> tuple[Diagnostic, ...] | Failure:
    """Draw each face and each back once and return what was found; ``use`` takes the pictures.

    A card whose template fails is left out and found; text shrinks as it does in print. Raises what ``use``
    raises, after which no picture is drawn any more.
    """
    engine = renderer or choose_renderer()
    if isinstance(engine, NoEngine):
        return Failure(engine.message, engine.next_step)
    fetcher = Fetcher(roots)
    run = PrintRun(
        engine,
        settings.card_size,
        fetcher,
        lambda _done, _total: None,
        look=settings.look,
        bleed=settings.bleed,
    )
    pool = ThreadPoolExecutor(THREADS)
    try:
        run.print_fronts(faces)
        run.print_backs(backs)
        subjects: list[Subject] = [*run.fronts, *run.backs]
        pages = Pages(settings.card_size, fetcher, settings.look, settings.bleed)
        made = _documents(subjects, run.sizes, pages)
        _draw(engine, made, settings, fetcher, use, pool, lambda done: progress(done, len(subjects)))
    except EngineError as error:
        return Failure(f"The engine {engine.name} failed: {error}", "Check the templates you changed.")
    finally:
        run.close()
        pool.shutdown(cancel_futures=True)
    return (*run.diagnostics(), *print_warnings(faces, roots, engine))


def _documents(
    subjects: Sequence[Subject], sizes: Mapping[Face, Mapping[str, float]], pages: Pages
) -> Iterator[tuple[Sequence[Subject], str]]:
    """Documents of cards and backs, which were all printed before, so that their templates are sound."""
    for start in range(0, len(subjects), BATCH):
        batch = subjects[start : start + BATCH]
        made = [
            pages.card(one, number, dict(sizes[one])) if isinstance(one, Face) else pages.back(one)
            for number, one in enumerate(batch)
        ]
        yield batch, _sound(pages.document(list(map(_sound, made))))


Filled = TypeVar("Filled", Markup, str)


def _sound(filled: Filled | TemplateProblem) -> Filled:
    """Return the output of a template; one that fails only the second time is an ``EngineError``."""
    if isinstance(filled, TemplateProblem):
        raise EngineError(f"{filled.template}: {filled.message}")
    return filled


def _draw(
    engine: Renderer,
    documents: Iterable[tuple[Sequence[Subject], str]],
    settings: PictureSettings,
    fetcher: Fetcher,
    use: Use,
    pool: ThreadPoolExecutor,
    progress: Callable[[int], None],
) -> None:
    size = page_size(settings.card_size, settings.bleed)

    def work(batch: Sequence[Subject], html: str) -> int:
        rasters = engine.rasters(html, size, settings.cut, settings.dpi, fetcher)
        for subject, raster in zip(batch, rasters, strict=True):
            use(subject, raster)
        return len(batch)

    futures: list[Future[int]] = [pool.submit(work, batch, html) for batch, html in documents]
    done = 0
    for future in as_completed(futures):
        done += future.result()
        progress(done)
