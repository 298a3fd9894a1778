"""Loading the files that templates refer to, from the project's folder and those of templates only.

Addresses are ``opforge://templates/NAME`` (the project's own ``templates/`` first, then the shipped ones) and
``opforge://project/PATH``. The network, other schemes and paths that lead out of these folders are refused.
"""

from __future__ import annotations

import errno
import mimetypes
import os
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, quote, unquote, urljoin, urlsplit

from msgspec import Struct, field

from toolkit.data.art.drawings import read_drawing
from toolkit.data.art.style_imports import Import, imports_in_use
from toolkit.data.project_files import TEMPLATES
from toolkit.render.drawing_pictures import DrawingPreparer
from toolkit.render.font_files import SUFFIXES, is_complete, without_characters
from toolkit.render.output_limits import MAX_IMPORTED_BYTES, MAX_IMPORTS, style_sheet_excess
from toolkit.render.raster_art import Resource, prepare_for_print
from toolkit.render.resvg import DrawingFailed
from toolkit.render.sizes import Size
from toolkit.render.variable_fonts import FaceStyle, FontFailed, is_variable, static_font
from toolkit.resources import templates_folder
from toolkit.source.paths import file_stamp, inside, is_below, read_regular

SCHEME = "opforge"
TEMPLATES_ADDRESS = f"{SCHEME}://templates/"

DEFAULT_THEME = "classic"
"""The theme that has no folder of its own."""

DEFAULT_ICONS = "solid"
"""The set of icons that has no folder of its own."""

THEMES_FOLDER = "themes"
"""The folder of themes among templates."""

_MAX_BYTES = 64 * 1024 * 1024
_RASTER_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"}
_MIME = {
    ".css": "text/css",
    ".otf": "font/otf",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".woff2": "font/woff2",
}
"""Media types of common files; others are looked up in the system's tables, which takes time to load."""

EMPTY_SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
"""An empty drawing, for a picture that cannot be loaded."""

EMPTY_RESOURCE = Resource(EMPTY_SVG, "image/svg+xml")
"""Stands for a file that cannot be loaded; engines accept it as a picture without a warning."""


class Roots(Struct, frozen=True):
    """The folders that files are loaded from: those of the project and of the shipped templates.

    The templates themselves are the theme ``classic``. Another theme is a folder ``themes/NAME`` in either;
    files that it lacks are those of the templates around it. ``fonts`` are the project's own fonts: purpose
    and path inside the project. ``icons`` is the set of icons: a folder in ``icons`` of any of these.
    """

    project: Path
    templates: Path = field(default_factory=templates_folder)
    theme: str = DEFAULT_THEME
    fonts: tuple[tuple[str, Path], ...] = ()
    icons: str = DEFAULT_ICONS

    @property
    def overrides(self) -> Path:
        """The project's own templates."""
        return self.project / TEMPLATES

    @property
    def folders(self) -> tuple[Path, ...]:
        """The search path of templates: the theme's own files first, in the project before the shipped."""
        plain = (self.overrides, self.templates)
        if self.theme == DEFAULT_THEME:
            return plain
        return (*(folder / THEMES_FOLDER / self.theme for folder in plain), *plain)

    @property
    def shipped(self) -> tuple[Path, ...]:
        """The folders of the search path that are shipped."""
        return tuple(folder for folder in self.folders if folder.is_relative_to(self.templates))

    @property
    def icon_folders(self) -> tuple[tuple[Path, str], ...]:
        """The folders of icons, as folders of templates with names in them: those of the set come first."""
        plain = [(folder, "icons") for folder in self.folders]
        if self.icons == DEFAULT_ICONS:
            return tuple(plain)
        return (*((folder, f"icons/{self.icons}") for folder in self.folders), *plain)

    def find(self, name: str) -> Path | None:
        """Return the file of a template by its name, or None."""
        return next((folder / name for folder in self.folders if self.has(folder, name)), None)

    def has(self, folder: Path, name: str) -> bool:
        """Whether a file of that name really lies in a folder. Most do not exist, which one look tells."""
        try:
            return (folder / name.lstrip("/")).is_file() and self.inside(folder, name) is not None
        except OSError:
            return False

    def inside(self, folder: Path, name: str) -> Path | None:
        """Return the resolved path of a name in a folder, or None if a link or ``..`` leads out of it.

        A folder of the project, or of the shipped templates, may itself be a link: to a place within these.
        """
        owners = (self.templates, self.overrides.parent, self.project)
        owner = next((owner_folder for owner_folder in owners if is_below(folder, owner_folder)), folder)
        return inside(folder / name.lstrip("/"), *dict.fromkeys((folder, owner)))

    def files(self, folder: Path) -> list[Path]:
        """Return the files that really lie below a folder, in order."""
        if self.inside(folder, ".") is None:
            return []
        return [path for path in sorted(folder.rglob("*")) if self._lies_in(folder, path)]

    def _lies_in(self, folder: Path, path: Path) -> bool:
        """Whether a path that ``rglob`` found is a file in the folder: only a link can lead elsewhere."""
        if path.is_symlink():
            return self.has(folder, path.relative_to(folder).as_posix())
        return path.is_file()

    def stamp(self) -> str:
        """Return a digest of the paths, times and sizes of all templates and of the project's fonts."""
        digest = blake2b(digest_size=16)
        for folder in (self.overrides, self.templates):
            for subfolder, folders, names in os.walk(folder) if self.inside(folder, ".") else ():
                folders.sort()
                for name in sorted(names):
                    path = os.path.join(subfolder, name)
                    digest.update(f"{path}\0{file_stamp(path)}\0".encode("utf-8", "surrogateescape"))
        for _, font in self.fonts:
            digest.update(f"{font}\0{file_stamp(self.project / font)}\0".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def file_at(self, address: str) -> Path | Literal["missing-resource", "refused-resource"]:
        """Return the file at an address, or the problem if there is none or it must not be read."""
        parts = urlsplit(address)
        folders = {"templates": self.folders, "project": (self.project,)}.get(parts.netloc, ())
        if parts.scheme != SCHEME or not folders:
            return "refused-resource"
        for folder in folders:
            path = self.inside(folder, unquote(parts.path))
            if path is None:
                return "refused-resource"
            if path.is_file():
                return path
        return "missing-resource"

    @property
    def drawing_fonts(self) -> tuple[Path, ...]:
        """The fonts for words in drawings: the project's own, then the shipped ones, as resvg reads them."""
        own = [inside(self.project / font, self.project) for _, font in self.fonts]
        own += self.files(self.overrides)
        fonts = [font for font in own if font is not None] + sorted((self.templates / "fonts").glob("*.ttf"))
        return tuple(dict.fromkeys(font for font in fonts if font.suffix.lower() in (".ttf", ".otf")))

    def is_own(self, file: Path) -> bool:
        """Whether a file is one of the project's templates, not a shipped one."""
        return file.is_relative_to(self.overrides) and not file.is_relative_to(self.templates)


def layout_template(roots: Roots, kind: str, layout: str) -> str | None:
    """Return the name of the template in which a layout draws cards of a kind; None: the usual one.

    It counts only beside or before the usual template: a theme, or a project, with a template of its own
    decides itself which layouts it has.
    """
    for folder in roots.folders:
        if roots.has(folder, f"{layout}.html.jinja"):
            return f"{layout}.html.jinja"
        if roots.has(folder, f"{kind}.html.jinja"):
            return None
    return None


ResourceProblem = Literal[
    "missing-resource",
    "refused-resource",
    "unreadable-picture",
    "picture-too-large",
    "template-error",
    "too-many-imports",
    "unusable-font",
]
"""Names of findings; ``template-error`` is that of a style sheet that is not text and of a damaged font,
``unusable-font`` that of a variable font which cannot be set to the weight of a face."""


class Fetcher:
    """Loads files for an engine, and records in ``problems`` by address those that could not be loaded.

    ``reasons`` say more about some of them, as a phrase after the name of the file.

    Files that a drawing refers to are not recorded: the check of the project reports them at the drawing.
    """

    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        self.problems: dict[str, ResourceProblem] = {}
        self.reasons: dict[str, str] = {}
        self._linked_by_drawings: set[str] = set()
        self._loaded: dict[str, Resource] = {}
        self._by_resvg: set[str] = set()

    def __call__(self, address: str) -> Resource:
        """Return the file at an address, else record the problem and return an empty file.

        That is ``EMPTY_RESOURCE``, or a font without characters.
        """
        loaded = self._loaded.get(address)
        if loaded is None:
            loaded = self._loaded[address] = self._load(address)
        return loaded

    def draw_by_resvg(self, address: str) -> None:
        """Have the drawing at an address drawn by resvg from here on, because the engine gives it up."""
        self._by_resvg.add(address)
        self._loaded.pop(address, None)

    def picture_address(self, path: Path, box: Size) -> str:
        """Return the address of a picture of the project that will fill a box of that size in mm.

        A picture outside the project gets an address that ``__call__`` refuses.
        """
        address = self.file_address(path)
        return f"{address}?mm={box.width:.1f}x{box.height:.1f}" if "//project/" in address else address

    def file_address(self, path: Path) -> str:
        """Return the address of a file that is loaded unchanged, such as a font."""
        file = inside(self.roots.project / path, self.roots.project)
        if file is None:
            return f"{SCHEME}://outside/{quote(path.as_posix().lstrip('/'))}"
        name = file.relative_to(os.path.realpath(self.roots.project)).as_posix()
        return f"{SCHEME}://project/{quote(name)}"

    def raster(self, address: str) -> bytes | None:
        """Return the content of a raster picture as its file has it.

        None if there is no such picture, or if a drawing refers to it.
        """
        is_raster = Path(urlsplit(address).path).suffix.lower() in _RASTER_SUFFIXES
        path = self.roots.file_at(address) if is_raster and address not in self._linked_by_drawings else None
        if isinstance(path, Path):
            with suppress(OSError):
                return read_regular(path, _MAX_BYTES)
        return None

    def _load(self, address: str) -> Resource:
        """Return the file at an address, or refuse it."""
        path = self.roots.file_at(address)
        if isinstance(path, Path):
            return self._read(address, path)
        return self.refuse(address, path)

    def _read(self, address: str, path: Path) -> Resource:
        """Return a file as the engine may have it: pictures prepared, fonts static, or refused."""
        try:
            content = read_regular(path, _MAX_BYTES)
        except OSError as error:
            return self.refuse(
                address, "unreadable-picture" if error.errno == errno.EFBIG else "missing-resource"
            )
        suffix = path.suffix.lower()
        if suffix in _RASTER_SUFFIXES:
            picture = prepare_for_print(content, box_of(address))
            return picture if isinstance(picture, Resource) else self.refuse(address, picture)
        if suffix == ".svg":
            return self._drawing(address, content)
        guessed_mime, _ = mimetypes.guess_type(path.name)
        resource = Resource(content, _MIME.get(suffix) or guessed_mime or "application/octet-stream")
        if suffix == ".css":
            return self._style_sheet(address, resource)
        return self._font(address, resource) if suffix in SUFFIXES else resource

    def _style_sheet(self, address: str, style_sheet: Resource) -> Resource:
        """Return a style sheet, or refuse it."""
        if not _is_sound_css(style_sheet.content):
            return self.refuse(address, "template-error")
        if excessive_import(self.roots, address, style_sheet.content):
            return self.refuse(address, "too-many-imports")
        return style_sheet

    def _font(self, address: str, font: Resource) -> Resource:
        """Return a font, a variable one in the style that its address names, or refuse it."""
        if not is_complete(font.content):
            return self.refuse(address, "template-error")
        style = FaceStyle.of(address)
        if style is None or not is_variable(font.content):
            return font
        try:
            return Resource(static_font(font.content, style), _MIME[".ttf"])
        except FontFailed as error:
            self.reasons[address] = str(error)
            return self.refuse(address, "unusable-font")

    def _drawing(self, address: str, content: bytes) -> Resource:
        """Return a drawing as it can be embedded, or refuse it."""
        drawing = read_drawing(content)
        if drawing is None or drawing.unnamed:
            return self.refuse(address, "unreadable-picture")
        if drawing.excess is not None:
            return self.refuse(address, "picture-too-large")
        self._linked_by_drawings.update(join_address(address, link) for link in drawing.links)
        preparer = DrawingPreparer(self._linked_file, lambda: self.roots.drawing_fonts)
        try:
            by_resvg = drawing.by_resvg or address in self._by_resvg
            return preparer.prepare(content, drawing, address, box_of(address), by_resvg)
        except DrawingFailed as error:
            self.reasons[address] = str(error)
            return self.refuse(address, "unreadable-picture")

    def _linked_file(self, reference: str, base: str) -> tuple[bytes, str] | None:
        """Return a file that a drawing refers to, unprepared, and its address; None if it is not loaded."""
        address = join_address(base.partition("?")[0], reference).partition("#")[0]
        path = self.roots.file_at(address)
        if not isinstance(path, Path):
            return None
        with suppress(OSError):
            return read_regular(path, _MAX_BYTES), address
        return None

    def refuse(self, address: str, problem: ResourceProblem) -> Resource:
        """Record that the file at an address cannot be printed, and return an empty file."""
        if address not in self._linked_by_drawings:
            self.problems[address] = problem
        if Path(urlsplit(address).path).suffix.lower() in SUFFIXES:
            shipped = templates_folder() / "fonts" / "BarlowSemiCondensed-Regular.ttf"
            return Resource(without_characters(shipped.read_bytes()), "font/ttf")
        return EMPTY_RESOURCE


def excessive_import(roots: Roots, address: str, content: bytes) -> Import | None:
    """Return the import of a style sheet with which it loads too many sheets, or too much, all in all.

    The engine loads a sheet anew at each import, also at those of sheets that import themselves.
    """
    sheet_count = size = 0
    for outermost in imports_in_use(content.decode("utf-8", "replace")):
        waiting = [join_address(address, outermost.reference)]
        while waiting:
            imported = waiting.pop()
            sheet_count += 1
            file = roots.file_at(imported)
            css = _imported_bytes(file) if isinstance(file, Path) else b""
            size += len(css)
            if sheet_count > MAX_IMPORTS or size > MAX_IMPORTED_BYTES:
                return outermost
            inner = imports_in_use(css.decode("utf-8", "replace"))
            waiting += [join_address(imported, inner_import.reference) for inner_import in inner]
    return None


def _imported_bytes(file: Path) -> bytes:
    """Return the beginning of a file, up to more than may be imported."""
    try:
        with file.open("rb") as opened:
            return opened.read(MAX_IMPORTED_BYTES + 1)
    except OSError:
        return b""


def list_themes(project: Path) -> list[str]:
    """Return the names of the themes of a project: its own and the shipped ones, the default first."""
    shipped = templates_folder()
    folders = ((project / TEMPLATES / THEMES_FOLDER, project), (shipped / THEMES_FOLDER, shipped))
    names = {
        path.name
        for folder, owner in folders
        if inside(folder, owner) and folder.is_dir()
        for path in folder.iterdir()
        if inside(path, owner) and path.is_dir()
    }
    return [DEFAULT_THEME, *sorted(names - {DEFAULT_THEME})]


def join_address(base: str, reference: str) -> str:
    """Return the absolute address of a reference in the file at a base address."""
    ordinary = "http"  # urljoin resolves relative references only for schemes that it knows
    joined = urljoin(base.replace(SCHEME, ordinary, 1), reference)
    for root in ("templates", "project"):
        if joined.startswith(f"{ordinary}://{root}/"):
            return SCHEME + joined.removeprefix(ordinary)
    return joined


def _is_sound_css(content: bytes) -> bool:
    """Whether it is UTF-8 text within the limits; a NUL betrays UTF-16 without a byte order mark."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    excess_of = _known_excess if len(text) <= _MOST_KEPT else style_sheet_excess
    return "\0" not in text and excess_of(text) is None


_known_excess = lru_cache(maxsize=32)(style_sheet_excess)
"""The same for style sheets of usual length: each card on screen asks about the shipped ones (0.7 ms)."""

_MOST_KEPT = 100_000


def box_of(address: str) -> Size | None:
    """Return the box in mm that ``picture_address`` adds to an address: what a picture fills at most."""
    try:
        sides, *_ = parse_qs(urlsplit(address).query)["mm"]
        width, height = sides.split("x")
        return Size(float(width), float(height))
    except (KeyError, ValueError):
        return None
