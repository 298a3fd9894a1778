"""``opforge check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolkit.cli.shared import existing_paths, format_option, print_report, project_of

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("paths", metavar="[PATH]…", nargs=-1)
@format_option("text", "concise", "json")
@click.option("--strict", is_flag=True, help="Warnings count as errors for the exit status.")
def check(paths: tuple[str, ...], form: str, strict: bool) -> int:
    """Check card files and say exactly what is wrong with them.

    Without a PATH the nearest project is checked. All of a project is read; only PATH is reported.
    """
    from toolkit import api

    chosen: list[Path | None] = [*existing_paths(paths)]
    targets = [(project_of(path), path) for path in chosen or [None]]
    report = api.check(targets)
    print_report(report, form)
    return report.exit_status(strict)
