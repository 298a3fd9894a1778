"""``opforge init``."""

from __future__ import annotations

from typing import Literal

import click

from toolkit.cli.shared import echo


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--example",
    type=click.Choice(["small", "full"]),
    default="small",
    show_default=True,
    help="A few cards to start with, or the whole set Night Exercise.",
)
@click.option(
    "--with-templates", is_flag=True, help="Copy the card templates, to change the look of the cards."
)
@click.option(
    "--theme",
    type=click.Choice(["classic", "tournament"]),
    help="The theme of the cards; with --with-templates the one that is copied.",
)
def init(
    folder: str,
    example: Literal["small", "full"],
    with_templates: bool,
    theme: str | None,
) -> int:
    """Make a project in DIR, which must not exist or be empty."""
    from pathlib import Path

    from toolkit import api

    refused = api.make_project(Path(folder), example, theme, with_templates=with_templates)
    if refused:
        raise click.UsageError(refused)
    echo(
        f"Created a project in {folder}. Next:\n"
        f"  opforge check {folder}\n  opforge test {folder}\n  opforge sheet {folder} -o sheet.pdf"
    )
    if with_templates:
        echo("The look of its cards is in templates/: `opforge explain change-the-look`.")
    return 0
