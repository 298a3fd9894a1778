"""Pictures of cards for the website: drawn as they are printed, in two sizes, and named by their content."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import PIL
from msgspec import Struct
from PIL import Image, features

import toolkit.render
from toolkit import __version__
from toolkit.data.art.picture_files import MAX_BYTES
from toolkit.data.art.picture_findings import can_be_printed
from toolkit.diagnostics import Diagnostic
from toolkit.press.card_pictures import PictureSettings, Subject, draw_cards
from toolkit.press.sheet import Failure
from toolkit.render.checks.fit_check import print_warnings
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.face import Back, Face
from toolkit.render.fetch import TEMPLATES_ADDRESS, Fetcher, Roots
from toolkit.render.page_raster import as_image
from toolkit.render.print_run import PrintRun
from toolkit.render.renderer import EngineError, Progress, Raster
from toolkit.render.sizes import Size
from toolkit.source.paths import read_regular

DPI = 250
"""The resolution of the larger size: a poker card is 620 pixels wide, two for each CSS pixel of a page. Below
250 the engine draws at twice the size and reduces, which takes four times as long."""

_QUALITY = 82
_METHOD = 2
"""WebP: 30 KB and 13 ms a card; method 4 takes 34 ms for 29 KB, a PNG 77 KB and 19 ms."""

SUFFIX = ".webp" if features.check("webp") else ".png"
_LOGO = Size(40, 40)


class ScreenPicture(Struct, frozen=True):
    """The file names of both pictures of a face or back, and the size of the larger one in pixels.

    The smaller one has half the width and height.
    """

    large: str
    small: str
    width: int
    height: int


Use = Callable[[Subject, "ScreenPicture", bytes, bytes], None]
"""Called with a subject, its names and both files, from several threads and in no defined order."""


def content_name(content: bytes) -> str:
    """Return the name of a picture, a digest of its content."""
    return blake2b(content, digest_size=10).hexdigest()


def draw_for_screens(
    faces: Sequence[Face],
    backs: Sequence[Back],
    settings: PictureSettings,
    roots: Roots,
    use: Use,
    progress: Progress,
    printed: PrintRun | None = None,
) -> tuple[Diagnostic, ...] | Failure:
    """Draw each face and each back once, and return the findings; see ``draw_cards``."""

    def encode(subject: Subject, raster: Raster) -> None:
        picture = as_image(raster)
        large, small = _encoded(picture), _encoded(picture.reduce(2))
        large_name, small_name = (f"{content_name(content)}{SUFFIX}" for content in (large, small))
        use(subject, ScreenPicture(large_name, small_name, *picture.size), large, small)

    return draw_cards(faces, backs, settings, roots, encode, progress, printed=printed)


def template_warnings(faces: Sequence[Face], roots: Roots) -> Iterator[Diagnostic]:
    """Yield the findings about cards and templates that need no drawing."""
    engine = choose_renderer()
    if not isinstance(engine, NoEngine):
        yield from print_warnings(faces, roots, engine)


def draw_logo(logo: Path, colour: str, roots: Roots) -> bytes | None:
    """Return a TEAM's logo as a picture on its colour (``#rrggbb``); None if it cannot be drawn.

    Drawings are rasterized: a website never contains an SVG of a project, which may have scripts.
    """
    engine = choose_renderer()
    if isinstance(engine, NoEngine) or not can_be_printed(roots.project / logo):
        return None
    fetcher = Fetcher(roots)
    image = f'<img src="{fetcher.picture_address(logo, _LOGO)}">'
    style = (
        f"html, body {{ margin: 0; background: {colour} }} "
        "div { width: 40mm; height: 40mm; padding: 4mm; box-sizing: border-box } "
        "img { width: 32mm; height: 32mm; object-fit: contain }"
    )
    html = f"<!doctype html><base href='{TEMPLATES_ADDRESS}'><style>{style}</style><div>{image}</div>"
    try:
        return _encoded(as_image(next(iter(engine.rasters(html, _LOGO, 0, DPI, fetcher)))))
    except (EngineError, StopIteration):
        return None


def _encoded(picture: Image.Image) -> bytes:
    """Return the content of a picture's file, of the kind of ``SUFFIX``."""
    stream = io.BytesIO()
    if SUFFIX == ".webp":
        picture.save(stream, "WEBP", quality=_QUALITY, method=_METHOD)
    else:
        picture.save(stream, "PNG", optimize=True)
    return stream.getvalue()


class PictureKeys:
    """Cache keys of pictures.

    A key covers all that is printed, the content of pictures, templates and fonts, how it is drawn, and the
    versions of the programs that draw it.
    """

    def __init__(self, roots: Roots, more_parts: Iterable[object] = ()) -> None:
        """Digest what all pictures have in common; ``more_parts`` are values that their keys shall cover."""
        self._contents: dict[Path, str] = {}
        self._roots = roots
        engine = choose_renderer()
        engine_identity = ("none",) if isinstance(engine, NoEngine) else (engine.name, engine.version)
        # A change of these modules may change pictures without a new version of the program.
        own_modules = (*sorted(Path(toolkit.render.__path__[0]).rglob("*.py")), Path(__file__))
        templates = [path for folder in roots.folders for path in roots.files(folder)]
        fonts = [roots.project / font for _, font in roots.fonts]
        digest = blake2b(digest_size=16)
        for component in (
            __version__,
            PIL.__version__,
            *engine_identity,
            DPI,
            SUFFIX,
            roots.theme,
            *more_parts,
        ):
            digest.update(f"{component}\0".encode())
        for path in dict.fromkeys((*own_modules, *templates, *fonts)):
            digest.update(f"{path.name}\0{self._content(path)}\0".encode())
        self._base = digest.digest()

    def key(self, *subjects: object) -> str:
        """Return the key of several faces, backs, settings and other plain values together."""
        digest = blake2b(self._base, digest_size=16)
        for subject in subjects:
            digest.update(self._described(subject).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def _described(self, value: object) -> str:
        """Return a text that changes whenever a value, or the content of a file in it, does."""
        if isinstance(value, Path):
            return self._content(value if value.is_absolute() else self._roots.project / value)
        if isinstance(value, Struct):
            ignored_fields = ("places", "quantity") if isinstance(value, Face) else ()
            names = (name for name in value.__struct_fields__ if name not in ignored_fields)
            field_texts = (f"{name}={self._described(getattr(value, name))}" for name in names)
            return f"{type(value).__name__}({','.join(field_texts)})"
        if isinstance(value, (tuple, list)):
            return f"[{','.join(map(self._described, value))}]"
        return repr(value)

    def _content(self, path: Path) -> str:
        """Return a digest of a file; one that cannot be read is as if it were empty."""
        known_digest = self._contents.get(path)
        if known_digest is None:
            try:
                content = read_regular(path, MAX_BYTES)
            except OSError:
                content = b""
            known_digest = self._contents[path] = blake2b(content, digest_size=16).hexdigest()
        return known_digest
