"""``opforge test``."""

from __future__ import annotations

import sys

import click

from toolkit.cli.shared import (
    colour,
    echo,
    existing_paths,
    format_option,
    style,
    targets_of,
    whole_project_option,
)


@click.command()
@click.argument("paths", metavar="[PATH]…", nargs=-1)
@format_option("text", "json", "junit")
@click.option("--coverage", is_flag=True, help="Report which cards, sentences, verbs and rules were reached.")
@whole_project_option()
def test(paths: tuple[str, ...], form: str, coverage: bool, whole_project: bool) -> int:
    """Play scenarios and compare what comes of them with what they expect.

    Without a PATH those of the nearest project are played. Exit status 0: all passed.
    """
    if coverage and form == "junit":
        raise click.UsageError("--coverage is reported as text or JSON, not as JUnit.")
    from toolkit import api
    from toolkit.diagnostics.reporters import unstyled
    from toolkit.project.scenarios.reports import as_json, as_junit, as_text

    run = api.test(targets_of(existing_paths(paths), whole_project), coverage=coverage)
    if form == "json":
        echo(as_json(run), nl=False)
    elif form == "junit":
        echo(as_junit(run), nl=False)
    else:
        echo(as_text(run, style if colour(sys.stdout.isatty()) else unstyled), nl=False)
    return run.exit_status
