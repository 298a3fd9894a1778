"""``opforge text``."""

from __future__ import annotations

import click

from toolkit.cli.shared import echo, existing_paths, format_option, print_report, project_of


@click.command()
@click.argument("ids", metavar="[ID]…", nargs=-1)
@click.option("--lang", metavar="LANGUAGE", help="en or de. Default: the project's first language.")
@click.option("--project", "path", metavar="PATH", help="The project, or a file of it.")
@format_option("text", "json")
def text(ids: tuple[str, ...], lang: str | None, path: str | None, form: str) -> int:
    """Print the rules text of cards, generated from their effects.

    Without an ID all cards are printed.
    """
    from toolkit import api

    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    refused = workspace.unknown_ids(ids) or workspace.unknown_language(lang)
    if refused:
        raise click.UsageError(refused)
    language = lang or workspace.cards.project.languages[0]
    show = api.rules_json if form == "json" else api.rules_plain
    echo(show(workspace, ids, language), nl=False)
    report = api.report_of(workspace, ids)
    if report.errors:
        print_report(report, "text", err=True)
    return report.exit_status()
