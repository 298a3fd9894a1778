"""``opforge cards``."""

from __future__ import annotations

from typing import Any

import click

from toolkit.cli.card_options import chosen_cards, how_they_look, which_cards
from toolkit.cli.shared import ItBroke, Progress, echo, folder_option, format_option, print_report

SERVICES = ("game-crafter", "drivethrucards")


@click.command()
@click.argument("path", required=False)
@folder_option()
@which_cards
@how_they_look
@click.option("--dpi", type=click.IntRange(30, 1200), help="Dots per inch. Default: 300.")
@click.option("--bleed", is_flag=True, help="Include the bleed around each card, as print shops require.")
@click.option(
    "--service",
    type=click.Choice(SERVICES),
    help="The format of a print service: pictures for game-crafter, a PDF for drivethrucards (-o FILE.pdf).",
)
@click.option("--yes", is_flag=True, help="Also print more than 1,000 pages to a PDF.")
@format_option("text", "json")
def cards(**options: Any) -> int:
    """Draw every card as a picture of its own: ID.png, and the backs in a folder backs."""
    from toolkit.project.exports.choice import Refusal

    outcome = _written(chosen_cards(options), options)
    if isinstance(outcome, Refusal):
        raise ItBroke(outcome.message) if outcome.broken else click.UsageError(outcome.message)
    if outcome.report.findings:
        print_report(outcome.report, "text", err=True)
    as_json = options["form"] == "json"
    echo(outcome.as_json() if as_json else outcome.sentence, nl=not as_json)
    status: int = outcome.report.exit_status()
    return status


def _written(choice: Any, options: dict[str, Any]) -> Any:
    """The pictures or the PDF; wrong use where options contradict a service."""
    from pathlib import Path

    from toolkit.project.exports.cards import PicturesWish, write_pictures
    from toolkit.project.exports.shop import SERVICES as KNOWN
    from toolkit.project.exports.shop import write_shop_pdf

    service = KNOWN[options["service"]] if options["service"] else None
    if service and (options["dpi"] or options["bleed"]):
        raise click.UsageError(f"--service {service.name} sets dpi and bleed; omit --dpi and --bleed.")
    progress = Progress("Drawing cards")
    if service and service.form == "pdf":
        return write_shop_pdf(Path(options["output"]), choice, service, progress, options["yes"])
    if options["output"].lower().endswith(".pdf"):
        raise click.UsageError(
            "Pictures go to a folder. For a PDF: `opforge sheet`, or --service drivethrucards."
        )
    dpi = service.dpi if service else options["dpi"] or 300
    wish = PicturesWish(Path(options["output"]), dpi, options["bleed"] or service is not None)
    return write_pictures(wish, choice, service, progress)
