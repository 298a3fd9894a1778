"""``opforge tts``."""

from __future__ import annotations

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


@click.command()
@click.argument("path", required=False)
@folder_option()
@click.option("--lang", metavar="LANGUAGE", help="en or de; without it the project's first language.")
@click.option("--card", "ids", metavar="ID", multiple=True, help="Only this card; may be repeated.")
@click.option(
    "--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only this kind; may be repeated."
)
@click.option(
    "--url-base", metavar="URL", help="The address of the folder, once it is online; without it this disk's."
)
@format_option("text", "json")
def tts(
    path: str | None,
    output: str,
    lang: str | None,
    ids: tuple[str, ...],
    kinds: tuple[str, ...],
    url_base: str | None,
    form: str,
) -> int:
    """Make decks for Tabletop Simulator: pictures, and a saved object beside them."""
    from pathlib import Path

    from toolkit import api
    from toolkit.exports.choice import Refusal, choose
    from toolkit.exports.tts import TableWish, unusable_base, write_table

    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    refused = workspace.unknown_ids(ids) or workspace.unknown_language(lang) or unusable_base(url_base)
    if refused:
        raise click.UsageError(refused)
    choice = choose(workspace, lang, ids, kinds)
    if isinstance(choice, Refusal):
        raise click.UsageError(choice.message)
    outcome = write_table(TableWish(Path(output), url_base), choice, Progress("Drawing cards"))
    if isinstance(outcome, Refusal):
        raise ItBroke(outcome.message) if outcome.broken else click.UsageError(outcome.message)
    if outcome.report.findings:
        print_report(outcome.report, "text", err=True)
    click.echo(outcome.as_json() if form == "json" else outcome.sentence, nl=form != "json")
    return outcome.report.exit_status()
