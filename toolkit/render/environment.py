"""The Jinja environment of card templates: sandbox, loaders, and the functions that designs need."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Set
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from pickle import UnpicklingError
from types import FunctionType
from typing import Any, ClassVar
from unicodedata import category
from urllib.parse import urlsplit

import jinja2
from jinja2 import BaseLoader, BytecodeCache, ChoiceLoader, FileSystemLoader, PrefixLoader, Template
from jinja2 import Environment as JinjaEnvironment
from jinja2.bccache import Bucket
from jinja2.exceptions import TemplateNotFound, TemplateRuntimeError, TemplateSyntaxError
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from toolkit import __version__
from toolkit.data.art.drawing_costs import Cost, Linked, StyleSheet
from toolkit.data.art.drawings import read_drawing
from toolkit.diagnostics.phrases import shown
from toolkit.render.colours import contrast, ink, mix, readable
from toolkit.render.fetch import TEMPLATES_ADDRESS, Fetcher, Roots, join_address
from toolkit.render.font_files import SUFFIXES as FONT_SUFFIXES
from toolkit.render.markup import rules_markup
from toolkit.render.ornaments import icon_source, ornaments
from toolkit.render.output_limits import excess
from toolkit.render.sandbox import OverBudget, Sandbox
from toolkit.render.template_values import template_value
from toolkit.source.reading import LARGEST_FILE
from toolkit.source.writing import write_atomically

NOT_UTF_8 = "it is not saved as UTF-8"


class TemplateProblem(Struct, frozen=True):
    """Why a template cannot be used, and at which line (from 1; 0 if unknown)."""

    template: str
    path: Path | None
    line: int
    message: str


class _FolderLoader(FileSystemLoader):
    """Loads templates from one folder; a link that leads out of it is not followed."""

    def __init__(self, roots: Roots, folder: Path) -> None:
        super().__init__(folder)
        self._roots = roots

    def get_source(self, environment: JinjaEnvironment, template: str) -> Any:
        """Return the source of a file that really lies inside the folder and is text."""
        (searched_folder,) = self.searchpath
        folder = Path(searched_folder)
        if not self._roots.has(folder, template):
            raise TemplateNotFound(template)
        if (folder / template).stat().st_size > LARGEST_FILE:
            message = f"it is larger than {LARGEST_FILE // 1_000_000} MB"
            raise TemplateSyntaxError(message, 1, template, str(folder / template))
        try:
            text, filename, is_current = super().get_source(environment, template)
        except UnicodeDecodeError:
            raise TemplateSyntaxError(NOT_UTF_8, 1, template, str(folder / template)) from None
        if "\0" in text:  # UTF-16 without a byte order mark decodes as UTF-8 with NULs
            raise TemplateSyntaxError(NOT_UTF_8, 1, template, filename)
        return text, filename, is_current


def name_problem(name: str) -> str | None:
    """Return what is wrong with the name of a template, whether a file or another template says it, or None.

    Letters are those of all scripts, also with their accents apart (NFD), as macOS writes them.
    """
    for char in name:
        if not (char.isalnum() or char in "-_./" or category(char).startswith("M")):
            sign = f"`{char}`" if char.isprintable() else "an invisible character"
            if char == " ":
                sign = "a space"
            return f"its name has {sign}; only letters, digits, `-`, `_`, `.` and `/` are possible"
    return None


class _NamedLoader(ChoiceLoader):
    """Loads templates whose names are plain; Jinja below 3.1.5 executes code in a name (CVE-2024-56201)."""

    def load(self, environment: JinjaEnvironment, name: str, globals: Any = None) -> Template:
        """Return a template by its name, which comes from a file or from an expression of another template.

        Raises ``TemplateRuntimeError`` for a name that none may have.
        """
        problem = name_problem(name)
        if problem is not None:
            raise TemplateRuntimeError(f"there cannot be a template `{shown(name)}`: {problem}")
        return super().load(environment, name, globals)


class _CompiledTemplates(BytecodeCache):
    """A cache of compiled templates, in memory and, if all are shipped, in this package's ``__pycache__``.

    Compiling takes about 120 of 630 ms of processor time for a sheet of 54 cards, and half of the time of a
    small sheet that the same process prints again. The cached files are code, so they must not lie in a
    folder that a project or the cache of a CI job can write to: ``__pycache__`` is as safe as the modules
    themselves.
    """

    _FOLDER = Path(__file__).parent / "__pycache__"
    _MAX_IN_MEMORY = 500
    _codes: ClassVar[dict[tuple[str, str], Any]] = {}

    def __init__(self, counted: bool) -> None:
        self._counted = counted

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the cache key of a template; Jinja itself compares its text and Python's version."""
        # A template whose steps are counted is compiled to other code.
        code = "counted" if self._counted else "trusted"
        versions = f"{__version__}|{jinja2.__version__}|{sys.flags.optimize}|{code}"
        return blake2b(f"{name}|{filename}|{versions}".encode(), digest_size=12).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template if there is a complete one."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))
        if bucket.code is None and not self._counted:
            with suppress(OSError, EOFError, ValueError, TypeError, UnpicklingError):
                bucket.bytecode_from_string((self._FOLDER / f"{bucket.key}.template").read_bytes())
                self._remember(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template, on disk unless Python is set to write no bytecode."""
        self._remember(bucket)
        if not (self._counted or sys.dont_write_bytecode):
            with suppress(OSError):
                write_atomically(self._FOLDER / f"{bucket.key}.template", bucket.bytecode_to_string())

    def _remember(self, bucket: Bucket) -> None:
        if len(self._codes) >= self._MAX_IN_MEMORY:
            self._codes.clear()
        self._codes[bucket.key, bucket.checksum] = bucket.code


def make_environment(roots: Roots, low_ink: bool = False) -> Sandbox:
    """Return an environment for the templates of a project.

    The project's ``templates/`` folder overrides the shipped templates by name; ``shipped/NAME`` is always
    the shipped one, so that an override can extend what it replaces. With ``low_ink`` gradients and shadows
    are empty. Steps are counted only if the project has templates of its own: the shipped ones are trusted.
    """
    folders = {folder: _FolderLoader(roots, folder) for folder in roots.folders}
    shipped = ChoiceLoader([folders[folder] for folder in roots.shipped])
    loaders: list[BaseLoader] = [*folders.values(), PrefixLoader({"shipped": shipped})]
    counted = roots.overrides.exists()
    environment = Sandbox(
        counted=counted,
        bytecode_cache=_CompiledTemplates(counted),
        autoescape=True,
        loader=_NamedLoader(loaders),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    icon = icon_source(roots)
    environment.add_functions(icon=icon, ink=ink, mix=mix, readable=readable, contrast=contrast)
    environment.add_functions(**ornaments(icon, low_ink))
    environment.filter("rules", lambda paragraph: rules_markup(paragraph, icon))
    environment.drawing_cost = _cost_at(Fetcher(roots), environment.prepared)
    return environment


def _cost_at(fetcher: Fetcher, prepared: Set[str], base: str = TEMPLATES_ADDRESS) -> Linked:
    """Return a function that returns the cost of the drawing at an address, or the style sheet there.

    A drawing that is ``prepared`` costs nothing: it is drawn only once (``image_placeholders``). One without
    a size cannot be shared so, and is drawn for each card.
    """

    @cache
    def cost(address: str) -> Cost | StyleSheet:
        address = join_address(base, address)
        if Path(urlsplit(address).path).suffix.lower() in FONT_SUFFIXES:  # it need not be read for that
            return Cost()
        content, mime = fetcher(address)
        if mime == "text/css":
            return StyleSheet(content.decode(), _cost_at(fetcher, prepared, address))
        drawing = read_drawing(content) if mime == "image/svg+xml" else None
        if drawing is None:
            return Cost()
        is_drawn_once = address in prepared and drawing.size is not None
        if is_drawn_once:
            return Cost()
        # `read_drawing` counts elements only if the drawing repeats some.
        return replace(drawing.cost, elements=max(drawing.cost.elements, content.count(b"<")))

    return cost


def fill(environment: Sandbox, template: str, values: Mapping[str, object]) -> str | TemplateProblem:
    """Return the rendered template, or what is wrong with it. Never raises, whatever the template contains.

    Values are converted by ``template_value``; the template may call functions among them.
    """
    functions = {name: value for name, value in values.items() if isinstance(value, FunctionType)}
    filled_values = {name: template_value(value) for name, value in values.items() if name not in functions}
    addresses = (filled_values.get(name) for name in ("art", "logo", "picture"))
    environment.prepared.update(address for address in addresses if address)
    pages = [page for page in filled_values.get("pages", ()) if isinstance(page, Markup)]
    environment.functions.update(functions.values())
    finished_characters = sum(map(len, pages))
    environment.reset_budget(finished_characters)
    earlier_problem: TemplateProblem | None = environment.over_budget.get(template)
    if earlier_problem is not None:  # it exceeded its budget before, and would again for each card
        return earlier_problem
    try:
        loaded = environment.get_template(template)
        html = loaded.render({**filled_values, **functions})
        problem = excess(html, len(pages), environment.drawing_cost) if environment.counted else None
        if problem is None:
            return html
        environment.reset_budget(finished_characters, stop=problem)
        return loaded.render({**filled_values, **functions})  # stops at the line that prints it
    except TemplateSyntaxError as error:
        path = Path(error.filename) if error.filename else None
        return TemplateProblem(error.name or template, path, error.lineno, error.message or "syntax error")
    except TemplateNotFound as error:
        return _located(error, template, f"There is no template {error.name!r}")
    except RecursionError as error:
        return _located(
            error, template, "it includes itself endlessly; a shipped template is called `shipped/…`"
        )
    except OverBudget as error:
        too_much = environment.over_budget[template] = _located(error, template, str(error))
        return too_much
    except Exception as error:  # what a stranger's template raises may be anything
        return _located(error, template, str(error) or type(error).__name__)


def _located(error: Exception, template: str, message: str) -> TemplateProblem:
    """Return the problem at the innermost template line of the traceback, which Jinja rewrites."""
    path, line = None, 0
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.endswith((".jinja", ".html")):
            path, line = Path(file), trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, OverBudget):
        line += error.lines
    return TemplateProblem(path.name if path else template, path, line, message)
