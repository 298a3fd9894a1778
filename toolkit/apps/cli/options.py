"""Arguments and options that commands share: paths and projects, formats, selection and options of cards.

Layouts are imported only by commands that print: they take 0.06 s.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toolkit import api
from toolkit.apps.cli.streams import write_for_programs
from toolkit.apps.cli.terminal import Progress, echo, print_outcome, print_report
from toolkit.data.project_files import find_project, no_project, target_of
from toolkit.source.paths import named_alike

if TYPE_CHECKING:
    from msgspec import Struct

    from toolkit.data.project_files import Target
    from toolkit.diagnostics.report import Report
    from toolkit.play.playable_game import Unplayable
    from toolkit.project.output import Outcome, Refusal
    from toolkit.project.pipeline import Workspace

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R", bound="Struct")

KINDS = ("operator", "attack", "defence", "effect", "strategy", "item", "objective")
"""The values of ``--kind``, listed here so that the start of a command need not import the model of cards."""


class WholeNumber(click.IntRange):
    """A whole number within bounds; anything else is rejected in these words, not as an "integer range"."""

    name = "whole number"


class Number(click.FloatRange):
    """A number within bounds."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; refuse `nan`, which no bound excludes."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return number


def _folder(value: str) -> Path:
    """Return the folder of ``-o``; wrong use for an empty name."""
    if not value.strip():
        raise click.UsageError("-o needs the name of a folder.")
    return Path(value)


def _known_paper(_context: click.Context, _option: click.Parameter, value: Any) -> Any:
    """Return the paper, or several without duplicates; wrong use if one does not exist."""
    if value:
        from toolkit.products.sheets.project_layouts import unknown_paper

        names = value if isinstance(value, tuple) else (value,)
        for name in names:
            reject(unknown_paper(name))
    return tuple(dict.fromkeys(value)) if isinstance(value, tuple) else value


path_argument = click.argument("path", required=False)
folder_option = click.option(
    "-o", "--output", metavar="DIR", required=True, type=_folder, help="The folder to write to."
)
pdf_option = click.option(
    "-o", "--output", metavar="FILE.pdf", required=True, type=Path, help="The PDF to write."
)
paper_option = click.option(
    "--paper",
    metavar="NAME",
    callback=_known_paper,
    help="a4, letter, a3, tabloid or 210x297mm. Default: the project's.",
)
papers_option = click.option(
    "--paper",
    "papers",
    metavar="NAME",
    multiple=True,
    callback=_known_paper,
    help="a4, letter, a3, tabloid or 210x297mm; may be repeated. Default: a4 and letter.",
)
language_option = click.option(
    "--lang", metavar="LANGUAGE", help="A language of the project, such as en. Default: its first."
)


def languages_option(help_text: str) -> Callable[[F], F]:
    """Return a repeatable ``--lang`` (as ``languages``) with that help."""
    return click.option(
        "--lang",
        "languages",
        metavar="LANGUAGE",
        multiple=True,
        callback=lambda _context, _option, value: tuple(dict.fromkeys(value)),
        help=help_text,
    )


printer_option = click.option(
    "--printer", metavar="NAME", help="Move backs by the offset saved by `opforge align`."
)
sides_option = click.option(
    "--sides", type=click.Choice(["fronts", "backs", "both"]), help="What is printed. Default: both."
)
fold_option = click.option("--fold", is_flag=True, help="Backs beside their fronts, along a line to fold.")
project_option = click.option("--project", "path", metavar="PATH", help="The project, or a file of it.")
whole_project_option = click.option(
    "--whole-project",
    is_flag=True,
    help="The whole projects of the PATHs; paths outside a project are skipped.",
)


def format_option(*names: str) -> Callable[[F], F]:
    """Return ``--format`` with these choices, of which the first is the default."""
    choice = click.Choice(names)
    return click.option(
        "--format",
        "form",
        type=choice,
        default=names[0],
        show_default=True,
        callback=_chosen_format,
        help="How to print it.",
    )


def _chosen_format(_context: click.Context, _option: click.Parameter, value: str) -> str:
    """Return the format; what programs read is UTF-8 from here on."""
    if value != "text":
        write_for_programs()
    return value


def card_options(command: F) -> F:
    """Add ``--lang``, ``--card`` (as ``ids``) and ``--kind`` (as ``kinds``)."""
    kind = click.Choice(KINDS)
    kinds = click.option("--kind", "kinds", type=kind, multiple=True, help="Only this kind; may be repeated.")
    ids = click.option("--card", "ids", metavar="ID", multiple=True, help="Only this card; may be repeated.")
    return language_option(ids(kinds(command)))


def squad_option(help_text: str) -> Callable[[F], F]:
    """Return ``--squad`` (as ``squads``) with that help."""
    return click.option("--squad", "squads", metavar="ID", multiple=True, help=help_text)


def pair_option(help_text: str) -> Callable[[F], F]:
    """Return ``--squads A B`` (as ``pair``) with that help."""
    return click.option("--squads", "pair", metavar="A B", nargs=2, help=help_text)


theme_option = click.option(
    "--theme", metavar="NAME", help="The theme: classic, tournament or your own. Default: the project's."
)


look_option = click.option(
    "--look", metavar="NAME", help="A look of `opforge looks`. Default: the project's."
)


low_ink_option = click.option("--low-ink", is_flag=True, help="Outlines and black text, no pictures.")


def appearance_options(command: F) -> F:
    """Add ``--theme``, ``--look`` and ``--low-ink``."""
    return theme_option(look_option(low_ink_option(command)))


def is_stdin(paths: Sequence[str], stdin_filename: str | None) -> bool:
    """Whether the PATH is `-`; wrong use beside other PATHs, or if ``--stdin-filename`` comes without it."""
    if "-" in paths and len(paths) > 1:
        raise click.UsageError("`-` (standard input) cannot be combined with other PATHs.")
    if "-" not in paths and stdin_filename:
        raise click.UsageError("--stdin-filename belongs to the PATH `-`, which reads standard input.")
    return "-" in paths


def existing_paths(paths: Sequence[str]) -> list[Path]:
    """Return the paths as given; wrong use if one does not exist."""
    files = [named_alike(path) for path in paths]
    for path, file in zip(paths, files, strict=True):
        if not os.path.exists(file):
            raise click.UsageError(f"There is no file or folder {path!r}.")
    return files


def existing_path(path: str | Path | None) -> Path | None:
    """Return a path as given, None without one; wrong use if it does not exist."""
    if not path:
        return None
    (existing,) = existing_paths((str(path),))
    return existing


def project_of(path: Path | None) -> Path:
    """Return the folder of a path's project, by default the nearest one; wrong use if there is none."""
    project_folder = find_project(path)
    if project_folder is None:
        raise click.UsageError(no_project(path))
    return project_folder


def open_workspace(path: str | Path | None, ids: Sequence[str] = (), lang: str | None = None) -> Workspace:
    """Load the project of a path; wrong use if it lacks one of the ids or the language."""
    workspace = api.open_project(project_of(existing_path(path)))
    reject(workspace.unknown_ids(ids) or workspace.unknown_language(lang))
    return workspace


def set_option(command: F) -> F:
    """Add ``--set`` (as ``values``), which ``workspace_with`` takes."""
    return click.option(
        "--set",
        "values",
        metavar="ID.KEY=VALUE",
        multiple=True,
        help="As if a card had another value: viper.ap=5. May be repeated; nothing is written.",
    )(command)


def workspace_with(workspace: Workspace, values: Sequence[str]) -> Workspace | Report:
    """Return a project as it would be with other values, or a report of what would be wrong with it; wrong
    use if a value cannot be tried."""
    if not values:
        return workspace
    from toolkit.editing.what_if import open_for_trials, project_with

    changed = project_with(open_for_trials(workspace.root), values)
    if isinstance(changed, str):
        raise click.UsageError(changed)
    return api.report_of_findings(workspace, changed) if isinstance(changed, list) else changed


def reject(problem: str | None) -> None:
    """Raise ``UsageError`` with a message, if there is one."""
    if problem:
        raise click.UsageError(problem)


def print_unplayable(workspace: Workspace, problem: Unplayable, form: str = "text", err: bool = False) -> int:
    """Print the findings because of which nothing can be played, and return the exit status; wrong use if the
    request itself is wrong."""
    reject(problem.sentence)
    print_report(api.report_of_findings(workspace, problem.findings), form, err)
    return 1


def request_of(kind: type[R], options: Mapping[str, Any], **more_options: Any) -> R:
    """Return the request for the options of a command: those given that have the name of a field.

    ``--lang`` is its ``language``, ``--paper`` part of its ``layout``, and ``--squads`` what two SQUADs need.
    """
    values = {**options, "language": options.get("lang")}
    if options.get("pair"):
        if options.get("squads"):
            raise click.UsageError("--squads A B is for two players, --squad ID for one: use one of them.")
        values |= {"squads": options["pair"], "for_two": True}
    fields = {name: values[name] for name in kind.__struct_fields__ if values.get(name) not in (None, ())}
    if options.get("paper") and "layout" in kind.__struct_fields__:
        from toolkit.products.sheets.project_layouts import LayoutRequest

        fields["layout"] = LayoutRequest(paper=options["paper"])
    return kind(**{**fields, **more_options})


def write_with(
    write: Callable[..., Outcome | Refusal], request: object, options: Mapping[str, Any], *progress: Progress
) -> int:
    """Write what is requested for the project of ``path``, print the outcome and return the exit status."""
    outcome = write(open_workspace(options["path"]), request, *progress)
    return print_outcome(outcome, options.get("form", "text"))


def targets_of(paths: list[Path], whole_project: bool) -> list[Target]:
    """Return the project of each path with the path, or None for all of it; without paths the nearest one.

    With ``whole_project`` each project that a path is in comes once, as a whole, and a path without a project
    is skipped: hooks and CI know which files have changed, and not what they are.
    """
    if whole_project and paths:
        projects = dict.fromkeys(filter(None, map(find_project, paths)))
        return _any_of([(project, None) for project in projects])
    return _usable([target_of(path) for path in paths or (None,)])


def file_targets_of(paths: list[Path], in_projects: bool) -> list[Target]:
    """Return the targets of YAML files; with ``in_projects`` a path that belongs to no project is skipped."""
    target_results = [target_of(path, files_only=True) for path in paths or (None,)]
    if in_projects and paths:
        return _any_of([target for target in target_results if not isinstance(target, str)])
    return _usable(target_results)


def _usable(results: Iterable[Target | str]) -> list[Target]:
    """Return the targets without duplicates; wrong use if one of the results is an error message."""
    targets: dict[Target, None] = {}
    for result in results:
        if isinstance(result, str):
            raise click.UsageError(result)
        targets[result] = None
    return list(targets)


def _any_of(targets: list[Target]) -> list[Target]:
    """Return the targets; print a note if there are none, which is no error, but no success either."""
    if not targets:
        echo("None of these paths belongs to a card project; nothing was read.", err=True)
    return list(dict.fromkeys(targets))
