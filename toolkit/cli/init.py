"""``opforge init``."""

from __future__ import annotations

import click


@click.command()
@click.argument("folder", metavar="DIR")
def init(folder: str) -> int:
    """Make a starter project in DIR, which must not exist or be empty."""
    from pathlib import Path

    from toolkit import api

    refused = api.make_project(Path(folder))
    if refused:
        raise click.UsageError(refused)
    click.echo(
        f"Made a project in {folder}. Next:\n  opforge check {folder}\n  opforge sheet {folder} -o sheet.pdf"
    )
    return 0
