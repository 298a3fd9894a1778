"""What the commands share: the PATH argument, formats, printing, colours and progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toolkit.cli.streams import discard

if TYPE_CHECKING:
    from pathlib import Path

    from toolkit.data.project_files import Target
    from toolkit.diagnostics.report import Report

F = TypeVar("F", bound=Callable[..., Any])


REPORT_FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")
"""What `formatted` of `toolkit.diagnostics.formats` can write; named here so that no command need load it."""


class ItBroke(click.ClickException):
    """Something outside the cards stopped the work: exit status 3."""

    exit_code = 3


def folder_option() -> Callable[[F], F]:
    """``-o DIR``, a folder to write to."""

    def not_empty(_context: click.Context, _option: click.Parameter, value: str) -> str:
        if not value.strip():
            raise click.UsageError("-o needs the name of a folder.")
        return value

    return click.option(
        "-o", "--output", metavar="DIR", required=True, callback=not_empty, help="The folder to write to."
    )


def format_option(*names: str) -> Callable[[F], F]:
    """``--format`` with the given choices, the first of them the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help="How to print it.",
    )


def whole_project_option() -> Callable[[F], F]:
    """``--whole-project``, for ``targets_of``."""
    return click.option(
        "--whole-project",
        is_flag=True,
        help="The whole projects of the PATHs; paths outside a project are skipped.",
    )


def existing_paths(paths: tuple[str, ...]) -> list[Path]:
    """The paths as given; wrong use if one does not exist."""
    from pathlib import Path

    for path in paths:
        if not os.path.exists(path):
            raise click.UsageError(f"There is no file or folder {path!r}.")
    return [Path(path) for path in paths]


def project_of(path: Path | None) -> Path:
    """The folder of the project that a PATH belongs to, or of the nearest one; wrong use if there is none."""
    from toolkit.data.project_files import find_project, no_project

    found = find_project(path)
    if found is None:
        raise click.UsageError(no_project(path))
    return found


def targets_of(paths: list[Path], whole_project: bool) -> list[Target]:
    """The project of each PATH with what is meant of it; without a PATH the nearest project.

    With ``whole_project`` each project that a PATH is in comes once, as a whole, and a PATH without a project
    is passed over: what a program names that knows which files have changed, and not what they are.
    """
    from toolkit.data.project_files import find_project, target_of

    if whole_project and paths:
        projects = dict.fromkeys(filter(None, map(find_project, paths)))
        return _any_of([(project, None) for project in projects])
    found = [target_of(path) for path in paths or (None,)]
    return list(dict.fromkeys(map(_usable, found)))


def file_targets_of(paths: list[Path], in_projects: bool) -> list[Target]:
    """The same for YAML files; with ``in_projects`` a PATH that is none of a project is passed over."""
    from toolkit.data.project_files import target_of

    found = [target_of(path, files_only=True) for path in paths or (None,)]
    if in_projects and paths:
        return _any_of([target for target in found if not isinstance(target, str)])
    return list(dict.fromkeys(map(_usable, found)))


def _usable(target: Target | str) -> Target:
    if isinstance(target, str):
        raise click.UsageError(target)
    return target


def _any_of(targets: list[Target]) -> list[Target]:
    """The targets; that there are none is no mistake, but nobody should take it for a success."""
    if not targets:
        echo("None of these paths belongs to a card project; nothing was read.", err=True)
    return list(dict.fromkeys(targets))


def colour(stream_is_terminal: bool) -> bool:
    """Whether to print in colour: only to a terminal, and never with NO_COLOR."""
    return stream_is_terminal and not os.environ.get("NO_COLOR")


def echo(text: str = "", *, nl: bool = True, err: bool = False, commands: bool = False) -> None:
    """Print text for people or programs. All that a command prints goes through here.

    Names and texts of a project can neither steer the terminal nor be taken for a command of a CI service;
    with ``commands`` the text is such commands. If nobody reads any more, as behind ``| head -1``, the work
    goes on, so that the exit status tells of it.
    """
    from toolkit.diagnostics.escaping import terminal

    stream = sys.stderr if err else sys.stdout
    shown = terminal(text, coloured=colour(stream.isatty()), commands=commands)
    try:
        click.echo(shown, nl=nl, err=err)
    except BrokenPipeError:
        discard(stream)


def style(text: str, kind: str) -> str:
    """A piece of a report in its colour."""
    colours = {"error": "red", "warning": "yellow", "note": "cyan", "place": "blue"}
    return click.style(text, fg=colours[kind], bold=kind in ("error", "warning"))


def print_report(report: Report, form: str, err: bool = False) -> None:
    """Print a report as text, concise or json; text and concise in colour where there is a terminal."""
    from toolkit.diagnostics.reporters import as_concise, as_json, as_text, unstyled

    if form == "json":
        echo(as_json(report), nl=False, err=err)
        return
    dressed = style if colour((sys.stderr if err else sys.stdout).isatty()) else unstyled
    show = as_text if form == "text" else as_concise
    echo(show(report, dressed), nl=False, err=err)


class Progress:
    """A counter on standard error, where that is a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if self._shown:
            click.echo(f"\r{self._what} {done}/{total}", nl=done >= total, err=True)
