"""Commands that show cards to others: a website, and a picture of a hand of cards."""

from __future__ import annotations

from typing import Any

import click

from toolkit.cli.options import folder_option, format_option, open_workspace, reject
from toolkit.cli.terminal import Progress, print_outcome


@click.command()
@click.argument("path", required=False)
@folder_option
@click.option(
    "--lang",
    "languages",
    metavar="LANGUAGE",
    multiple=True,
    help="A language of the project; may be repeated, the first is that of the front page. Default: all.",
)
@click.option("--docs", is_flag=True, help="Include the help of opforge.")
@click.option("--title", metavar="TEXT", help="The title. Default: the name of the project.")
@format_option("text", "json")
def site(**options: Any) -> int:
    """Write the cards as a website that also works from the file system: open index.html.

    All cards with search and filters, a page for each card with its rules text and rulings, SQUADs, TEAMs,
    and sheets to print. The folder must be empty or one that this command wrote; a further run makes only
    what has changed, and removes what is no longer needed.
    """
    from pathlib import Path

    from toolkit.project.website.output import SiteRequest, write_site

    workspace = open_workspace(options["path"])
    for language in options["languages"]:
        reject(workspace.unknown_language(language))
    request = SiteRequest(
        Path(options["output"]),
        tuple(dict.fromkeys(options["languages"])),
        options["docs"],
        options["title"],
    )
    return print_outcome(write_site(workspace, request, Progress("Drawing cards")), options["form"])
