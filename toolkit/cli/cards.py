"""``opforge cards``."""

from __future__ import annotations

from typing import Any

import click

from toolkit.cli.shared import (
    ItBroke,
    Progress,
    existing_paths,
    folder_option,
    format_option,
    print_report,
    project_of,
)

KINDS = ("operator", "attack", "defence", "effect", "strategy", "item", "objective")
SERVICES = ("game-crafter", "drivethrucards")


@click.command()
@click.argument("path", required=False)
@folder_option()
@click.option("--lang", metavar="LANGUAGE", help="en or de; without it the project's first language.")
@click.option("--card", "ids", metavar="ID", multiple=True, help="Only this card; may be repeated.")
@click.option(
    "--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only this kind; may be repeated."
)
@click.option("--dpi", type=click.IntRange(30, 1200), help="Dots in an inch; 300 without it.")
@click.option("--bleed", is_flag=True, help="With the bleed around each card, as printers want it.")
@click.option(
    "--service",
    type=click.Choice(SERVICES),
    help="As a print service wants it: game-crafter takes pictures, drivethrucards a PDF (-o FILE.pdf).",
)
@format_option("text", "json")
def cards(**options: Any) -> int:
    """Draw every card as a picture of its own: ID.png, and the backs in a folder backs."""
    from toolkit import api
    from toolkit.exports.choice import Refusal, choose

    path = options["path"]
    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    language, ids = options["lang"], options["ids"]
    refused = workspace.unknown_ids(ids) or workspace.unknown_language(language)
    if refused:
        raise click.UsageError(refused)
    choice = choose(workspace, language, ids, options["kinds"])
    outcome = choice if isinstance(choice, Refusal) else _written(choice, options)
    if isinstance(outcome, Refusal):
        raise ItBroke(outcome.message) if outcome.broken else click.UsageError(outcome.message)
    if outcome.report.findings:
        print_report(outcome.report, "text", err=True)
    as_json = options["form"] == "json"
    click.echo(outcome.as_json() if as_json else outcome.sentence, nl=not as_json)
    status: int = outcome.report.exit_status()
    return status


def _written(choice: Any, options: dict[str, Any]) -> Any:
    """The pictures or the PDF; wrong use where options contradict a service."""
    from pathlib import Path

    from toolkit.exports.cards import PicturesWish, write_pictures
    from toolkit.exports.services import SERVICES as KNOWN
    from toolkit.exports.shop_pdf import write_shop_pdf

    service = KNOWN[options["service"]] if options["service"] else None
    if service and (options["dpi"] or options["bleed"]):
        raise click.UsageError(f"--service {service.name} sets dpi and bleed; leave out --dpi and --bleed.")
    progress = Progress("Drawing cards")
    if service and service.form == "pdf":
        return write_shop_pdf(Path(options["output"]), choice, service, progress)
    dpi = service.dpi if service else options["dpi"] or 300
    wish = PicturesWish(Path(options["output"]), dpi, options["bleed"] or service is not None)
    return write_pictures(wish, choice, service, progress)
