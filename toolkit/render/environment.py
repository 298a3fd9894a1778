"""The templates' world: a sandbox in which an unknown variable is an error, with what card designs need."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    FileSystemLoader,
    PrefixLoader,
    TemplateNotFound,
)
from jinja2 import Environment as JinjaEnvironment
from jinja2.exceptions import TemplateError, TemplateSyntaxError
from markupsafe import Markup
from msgspec import Struct

from toolkit.render.colours import contrast, ink, mix, readable
from toolkit.render.fetch import Roots
from toolkit.render.markup import rules_markup
from toolkit.render.ornaments import icon_source, ornaments
from toolkit.render.output_limits import excess
from toolkit.render.sandbox import OverBudget, Sandbox
from toolkit.render.template_values import plain
from toolkit.source.reading import LARGEST_FILE

NOT_UTF_8 = "it is not saved as UTF-8"


class TemplateProblem(Struct, frozen=True):
    """A template that could not be used: which, where (line from 1; 0 when it is unknown), and why."""

    template: str
    path: Path | None
    line: int
    message: str


class _FolderLoader(FileSystemLoader):
    """Templates of one folder; a link that leads out of it is not followed."""

    def __init__(self, roots: Roots, folder: Path) -> None:
        super().__init__(folder)
        self._roots = roots

    def get_source(self, environment: JinjaEnvironment, template: str) -> Any:
        """As the base class, for files that really are inside and are text."""
        folder = Path(self.searchpath[0])
        if not self._roots.has(folder, template):
            raise TemplateNotFound(template)
        if (folder / template).stat().st_size > LARGEST_FILE:
            message = f"it is larger than {LARGEST_FILE // 1_000_000} MB"
            raise TemplateSyntaxError(message, 1, template, str(folder / template))
        try:
            source = super().get_source(environment, template)
        except UnicodeDecodeError:
            raise TemplateSyntaxError(NOT_UTF_8, 1, template, str(folder / template)) from None
        if "\0" in source[0]:  # UTF-16 without a mark at its beginning
            raise TemplateSyntaxError(NOT_UTF_8, 1, template, source[1])
        return source


def make_environment(roots: Roots, low_ink: bool = False) -> Sandbox:
    """An environment for the templates of a project.

    The project's ``templates/`` folder overrides the shipped templates by name; ``shipped/NAME`` is the
    shipped one nevertheless, so that an override can extend what it replaces. With ``low_ink`` gradients and
    shadows are empty. What a template does is counted where the project has some of its own.
    """
    folders = {folder: _FolderLoader(roots, folder) for folder in roots.folders}
    shipped = ChoiceLoader([folders[folder] for folder in roots.shipped])
    loaders: list[BaseLoader] = [*folders.values(), PrefixLoader({"shipped": shipped})]
    environment = Sandbox(
        counted=roots.overrides.exists(),
        autoescape=True,
        loader=ChoiceLoader(loaders),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    icon = icon_source(roots)
    environment.offer(icon=icon, ink=ink, mix=mix, readable=readable, contrast=contrast)
    environment.offer(**ornaments(icon, low_ink))
    environment.filter("rules", lambda paragraph: rules_markup(paragraph, icon))
    return environment


def fill(environment: Sandbox, template: str, values: Mapping[str, object]) -> str | TemplateProblem:
    """The template filled with values, or what is wrong with it. Raises nothing, whatever it contains.

    Dataclasses are given to it as records; it may call functions among the values.
    """
    functions = {name: value for name, value in values.items() if isinstance(value, FunctionType)}
    given = {name: plain(value) for name, value in values.items() if name not in functions}
    pages = [page for page in given.get("pages", ()) if isinstance(page, Markup)]
    environment.functions.update(functions.values())
    environment.allow(sum(map(len, pages)))
    known: TemplateProblem | None = environment.stopped.get(template)
    if known is not None:  # it would need as long for each card
        return known
    try:
        found = environment.get_template(template)
        made = found.render({**given, **functions})
        problem = excess(made, len(pages)) if environment.counted else None
        if problem is None:
            return made
        environment.allow(sum(map(len, pages)), stop=problem)
        return found.render({**given, **functions})  # stops at the line that prints it
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
        too_much = environment.stopped[template] = _located(error, template, str(error))
        return too_much
    except (TemplateError, Exception) as error:  # what a stranger's template raises may be anything
        return _located(error, template, str(error) or type(error).__name__)


def _located(error: Exception, template: str, message: str) -> TemplateProblem:
    """The problem at the innermost template line of the traceback, as Jinja has rewritten it."""
    path, line = None, 0
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.endswith((".jinja", ".html")):
            path, line = Path(file), trace.tb_lineno
        trace = trace.tb_next
    line += getattr(error, "lines", 0)
    return TemplateProblem(path.name if path else template, path, line, message)
