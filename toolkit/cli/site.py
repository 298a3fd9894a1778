"""Commands that show cards to others: a website, and a picture of a hand of cards."""

from __future__ import annotations

from typing import Any

import click

from toolkit.cli.options import (
    chosen_cards,
    folder_option,
    format_option,
    how_they_look,
    language_option,
    open_workspace,
    project_option,
    reject,
)
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


@click.command()
@click.argument("ids", nargs=-1)
@project_option
@click.option("-o", "--output", metavar="FILE.png", required=True, help="The picture to write.")
@language_option
@click.option(
    "--width", metavar="PX", type=click.IntRange(200, 5000), default=1600, show_default=True, help="In dots."
)
@click.option("--fan/--row", "fan", default=True, help="Like a hand of cards, or side by side. Default: fan.")
@click.option(
    "--background", metavar="COLOUR|transparent", help="Such as #1d3461 or navy. Default: dark, with a glow."
)
@how_they_look
@format_option("text", "json")
def showcase(**options: Any) -> int:
    """Draw a few cards as a hand of cards, to show them: for a box, a README or a website.

    The cards with these IDS, from left to right; without IDS a choice that shows the set: OPERATORs of its
    TEAMs and cards of other kinds.
    """
    from pathlib import Path

    from toolkit.project.exports.showcase import write_showcase
    from toolkit.render.showcase import ShowcaseSettings, unknown_colour

    reject(unknown_colour(options["background"]))
    if not options["output"].lower().endswith(".png"):
        raise click.UsageError(f"{options['output']} must end in .png.")
    choice = chosen_cards({**options, "kinds": ()})
    settings = ShowcaseSettings(options["width"], "fan" if options["fan"] else "row", options["background"])
    progress = Progress("Drawing cards")
    outcome = write_showcase(Path(options["output"]), options["ids"], choice, settings, progress)
    return print_outcome(outcome, options["form"])
