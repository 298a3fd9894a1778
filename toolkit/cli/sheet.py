"""``opforge sheet``."""

from __future__ import annotations

import click

from toolkit.cli.shared import ItBroke, Progress, existing_paths, print_report, project_of

KINDS = ("operator", "attack", "defence", "effect", "strategy", "item", "objective")


@click.command()
@click.argument("path", required=False)
@click.option("-o", "--output", metavar="FILE.pdf", required=True, help="The PDF to write.")
@click.option("--lang", metavar="LANGUAGE", help="en or de; without it the project's first language.")
@click.option("--card", "ids", metavar="ID", multiple=True, help="Only this card; may be repeated.")
@click.option(
    "--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only this kind; may be repeated."
)
@click.option("--paper", metavar="NAME", help="a4 or letter; without it the project's paper.")
@click.option("--backs", is_flag=True, help="After each page of fronts a page of backs, columns mirrored.")
def sheet(
    path: str | None,
    output: str,
    lang: str | None,
    ids: tuple[str, ...],
    kinds: tuple[str, ...],
    paper: str | None,
    backs: bool,
) -> int:
    """Print the cards of a project to sheets in a PDF."""
    from pathlib import Path

    from toolkit import api, sheets

    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    refused = (
        workspace.unknown_ids(ids)
        or workspace.unknown_language(lang)
        or sheets.unknown_paper(paper)
        or sheets.refused_output(Path(output))
    )
    if refused:
        raise click.UsageError(refused)
    wish = sheets.SheetWish(Path(output), lang, ids, kinds, paper, backs)
    outcome = sheets.write_sheet(workspace, wish, Progress("Rendering cards"))
    if isinstance(outcome, sheets.Refusal):
        raise ItBroke(outcome.message) if outcome.broken else click.UsageError(outcome.message)
    if outcome.report.findings:
        print_report(outcome.report, "text", err=True)
    click.echo(outcome.sentence)
    return outcome.report.exit_status()
