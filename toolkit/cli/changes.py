"""``opforge changes``."""

from __future__ import annotations

import click

from toolkit.cli.shared import ItBroke, echo, existing_paths, format_option, print_report, project_of


@click.command()
@click.argument("since", metavar="REV|FOLDER")
@click.argument("path", required=False)
@click.option("--lang", metavar="LANGUAGE", help="en or de. Default: the project's first language.")
@format_option("text", "json")
def changes(since: str, path: str | None, lang: str | None, form: str) -> int:
    """List the cards that changed since a git revision, or since an older copy of the project.

    Told apart are what a card does, what it says and how it looks, and how many copies there are.
    `opforge sheet --changed-since` prints those whose face changed.
    """
    from toolkit import api
    from toolkit.project.changes.baseline_project import NotFound
    from toolkit.project.changes.comparison import changes_since
    from toolkit.project.changes.report import as_json, as_text

    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    refused = workspace.unknown_language(lang)
    if refused:
        raise click.UsageError(refused)
    found = changes_since(workspace, since, lang or workspace.cards.project.languages[0])
    if isinstance(found, NotFound):
        raise ItBroke(found.message) if found.broken else click.UsageError(found.message)
    echo(as_json(found) if form == "json" else as_text(found), nl=False)
    report = api.report_of(workspace, ())
    if report.errors:
        print_report(report, "text", err=True)
    return report.exit_status()
