"""``opforge check``."""

from __future__ import annotations

import click

from toolkit.cli.shared import existing_paths, format_option, print_report, project_of


@click.command()
@click.argument("paths", metavar="[PATH]…", nargs=-1)
@format_option("text", "concise", "json")
@click.option("--strict", is_flag=True, help="Warnings count as errors for the exit status.")
def check(paths: tuple[str, ...], form: str, strict: bool) -> int:
    """Check card files and say exactly what is wrong with them.

    Without a PATH the nearest project is checked. All of a project is read; only PATH is reported.
    """
    from toolkit import api

    chosen = existing_paths(paths)
    projects = {path: project_of(path) for path in chosen} or {None: project_of(None)}
    report = api.check([(project, path) for path, project in projects.items()])
    print_report(report, form)
    return report.exit_status(strict)
