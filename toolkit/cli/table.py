"""Commands for what lies on the table and in the box beside the cards: ``counters``, ``tuckbox`` and
``print-and-play``."""

from __future__ import annotations

from typing import Any

import click

from toolkit.cli.options import (
    chosen_cards,
    format_option,
    how_they_look,
    paper_option,
    pdf_option,
    reject,
    which_cards,
)
from toolkit.cli.terminal import print_outcome


@click.command()
@click.argument("path", required=False)
@pdf_option
@which_cards
@paper_option
@click.option(
    "--for",
    "number",
    metavar="NUMBER",
    type=click.IntRange(1, 10_000),
    help="Room for so many cards. Default: the chosen ones, each as often as it is printed.",
)
@click.option("--sleeved/--bare", "sleeved", default=None, help="Whether the cards are in sleeves.")
@click.option(
    "--thickness",
    metavar="MM",
    type=click.FloatRange(0.1, 5),
    help="Thickness of a card with its sleeve. Default: the project's, else 0.3, sleeved 0.6.",
)
@click.option(
    "--boxes",
    metavar="NUMBER",
    type=click.IntRange(1, 50),
    default=1,
    show_default=True,
    help="Share the cards among so many boxes.",
)
@click.option("--proof", is_flag=True, help="Names and measures of the panels, to fold a first try.")
@how_they_look
@format_option("text", "json")
def tuckbox(**options: Any) -> int:
    """Print a tuckbox for the cards: cut, fold and glue it.

    It has a lid with a tuck flap, a thumb notch and a glued bottom, and room for all copies of the chosen
    cards.
    """
    from pathlib import Path

    from toolkit.project.layouts import unknown_paper
    from toolkit.project.tuckbox import BoxRequest, write_tuckbox

    reject(unknown_paper(options["paper"]))
    request = BoxRequest(
        Path(options["output"]),
        options["number"],
        options["sleeved"],
        options["thickness"],
        options["boxes"],
        options["paper"],
        options["proof"],
    )
    return print_outcome(write_tuckbox(chosen_cards(options), request), options["form"])
