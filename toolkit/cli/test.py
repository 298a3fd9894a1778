"""``opforge test``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from toolkit.cli.shared import colour, existing_paths, format_option, project_of, style

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("paths", metavar="[PATH]…", nargs=-1)
@format_option("text", "json", "junit")
def test(paths: tuple[str, ...], form: str) -> int:
    """Play scenarios and compare what comes of them with what they expect.

    Without a PATH those of the nearest project are played. Exit status 0: all passed.
    """
    from toolkit import api
    from toolkit.diagnostics.reporters import unstyled
    from toolkit.scenarios.reports import as_json, as_junit, as_text

    chosen: list[Path | None] = [*existing_paths(paths)]
    run = api.test([(project_of(path), path) for path in chosen or [None]])
    if form == "json":
        click.echo(as_json(run), nl=False)
    elif form == "junit":
        click.echo(as_junit(run), nl=False)
    else:
        click.echo(as_text(run, style if colour(sys.stdout.isatty()) else unstyled), nl=False)
    return run.exit_status
