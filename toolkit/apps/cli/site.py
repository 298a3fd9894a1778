"""Commands to show cards to others: a website, and a picture of a hand of cards.

The website is imported only by `site`: it takes 0.04 s.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from toolkit.apps.cli.options import (
    WholeNumber,
    appearance_options,
    folder_option,
    format_option,
    language_option,
    languages_option,
    path_argument,
    project_option,
    reject,
    request_of,
    write_with,
)
from toolkit.apps.cli.terminal import Progress
from toolkit.products.showcase.showcase_picture import ShowcaseSettings, unknown_colour
from toolkit.products.showcase.write_showcase import ShowcaseRequest, write_showcase


@click.command()
@path_argument
@folder_option
@languages_option(
    "A language of the project; may be repeated, the first is that of the front page. Default: all."
)
@click.option("--docs", is_flag=True, help="Include the help of opforge.")
@click.option("--title", metavar="TEXT", help="The title. Default: the name of the project.")
@click.option(
    "--url-base", metavar="URL", help="Where it is published: links to a page are then shown with its card."
)
@format_option("text", "json")
def site(**options: Any) -> int:
    """Write the cards as a website that also works from the file system: open index.html.

    All cards with search and filters, a page for each card with its rules text and rulings, SQUADs, TEAMs,
    and sheets to print. The folder must be empty or one that this command wrote; a further run makes only
    what has changed, and removes what is no longer needed.
    """
    from toolkit.products.website.write_site import SiteRequest, write_site

    request = request_of(SiteRequest, options)
    return write_with(write_site, request, options, Progress("Drawing cards"))


@click.command()
@click.argument("ids", metavar="[ID]…", nargs=-1)
@project_option
@click.option("-o", "--output", metavar="FILE.png", required=True, type=Path, help="The picture to write.")
@language_option
@click.option(
    "--width", metavar="PX", type=WholeNumber(200, 5000), default=1600, show_default=True, help="In dots."
)
@click.option("--fan/--row", "fan", default=True, help="Like a hand of cards, or side by side. Default: fan.")
@click.option(
    "--background", metavar="COLOUR|transparent", help="Such as #1d3461 or navy. Default: dark, with a glow."
)
@appearance_options
@format_option("text", "json")
def showcase(**options: Any) -> int:
    """Draw a few cards as a hand of cards, to show them: for a box, a README or a website.

    The cards with these IDs, from left to right; without an ID a choice that shows the set: OPERATORs of its
    TEAMs and cards of other kinds.
    """
    reject(unknown_colour(options["background"]))
    settings = ShowcaseSettings(options["width"], "fan" if options["fan"] else "row", options["background"])
    request = request_of(ShowcaseRequest, options, drawn=settings)
    return write_with(write_showcase, request, options, Progress("Drawing cards"))
