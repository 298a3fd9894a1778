"""``opforge reference``."""

from __future__ import annotations

import click

from toolkit.cli.shared import ItBroke, echo, existing_paths, print_report, project_of

KINDS = ("operator", "attack", "defence", "effect", "strategy", "item", "objective")


@click.command()
@click.argument("path", required=False)
@click.option("-o", "--output", metavar="FILE.pdf", required=True, help="The PDF to write.")
@click.option("--lang", metavar="LANGUAGE", help="en or de. Default: the project's first language.")
@click.option("--card", "ids", metavar="ID", multiple=True, help="For this card only; may be repeated.")
@click.option(
    "--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="For this kind only; may be repeated."
)
@click.option("--paper", metavar="NAME", help="a4, letter, a3, tabloid or 210x297mm. Default: the project's.")
@click.option("--cards", is_flag=True, help="As cards for the box, two of each, on a sheet.")
def reference(
    path: str | None,
    output: str,
    lang: str | None,
    ids: tuple[str, ...],
    kinds: tuple[str, ...],
    paper: str | None,
    cards: bool,
) -> int:
    """Print a rules reference for the table: steps, ACTIONs, keywords and icons on two pages.

    It tells the rules of the project's ruleset and mode, and what the chosen cards use.
    """
    from pathlib import Path

    from toolkit import api
    from toolkit.project import sheets
    from toolkit.project.reference.output import ReferenceWish, write_reference

    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    refused = workspace.unknown_ids(ids) or workspace.unknown_language(lang) or sheets.unknown_paper(paper)
    if refused:
        raise click.UsageError(refused)
    outcome = write_reference(workspace, ReferenceWish(Path(output), lang, ids, kinds, paper, cards))
    if isinstance(outcome, sheets.Refusal):
        raise ItBroke(outcome.message) if outcome.broken else click.UsageError(outcome.message)
    if outcome.report.findings:
        print_report(outcome.report, "text", err=True)
    echo(outcome.sentence)
    return outcome.report.exit_status()
