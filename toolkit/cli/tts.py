"""``opforge tts``."""

from __future__ import annotations

from typing import Any

import click

from toolkit.cli.card_options import chosen_cards, how_they_look, which_cards
from toolkit.cli.shared import ItBroke, Progress, echo, folder_option, format_option, print_report


@click.command()
@click.argument("path", required=False)
@folder_option()
@which_cards
@how_they_look
@click.option(
    "--url-base",
    metavar="URL",
    help="The address of the folder once it is online. Default: the local folder.",
)
@click.option("--yes", is_flag=True, help="Also make more than 10,000 cards.")
@format_option("text", "json")
def tts(**options: Any) -> int:
    """Make decks for Tabletop Simulator: pictures, and a saved object beside them."""
    from pathlib import Path

    from toolkit.project.exports.choice import Refusal
    from toolkit.project.exports.tts import TableWish, unusable_base, write_table

    unusable = unusable_base(options["url_base"])
    if unusable:
        raise click.UsageError(unusable)
    wish = TableWish(Path(options["output"]), options["url_base"], options["yes"])
    outcome = write_table(wish, chosen_cards(options), Progress("Drawing cards"))
    if isinstance(outcome, Refusal):
        raise ItBroke(outcome.message) if outcome.broken else click.UsageError(outcome.message)
    if outcome.report.findings:
        print_report(outcome.report, "text", err=True)
    as_json = options["form"] == "json"
    echo(outcome.as_json() if as_json else outcome.sentence, nl=not as_json)
    return outcome.report.exit_status()
