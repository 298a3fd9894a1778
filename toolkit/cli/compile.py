"""``opforge compile``."""

from __future__ import annotations

import click

from toolkit.cli.shared import echo, existing_paths, format_option, print_report, project_of


@click.command("compile")
@click.argument("ids", metavar="[ID]…", nargs=-1)
@click.option("--project", "path", metavar="PATH", help="The project, or a file of it.")
@format_option("text", "json")
def compile_command(ids: tuple[str, ...], path: str | None, form: str) -> int:
    """Show what effects are compiled to: hooks, layers, conditions, targets, durations.

    Without an ID all entries are shown.
    """
    from toolkit import api

    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    unknown = workspace.unknown_ids(ids)
    if unknown:
        raise click.UsageError(unknown)
    echo(api.compiled_json(workspace, ids) if form == "json" else api.compiled_text(workspace, ids), nl=False)
    report = api.report_of(workspace, ids)
    if report.errors:
        print_report(report, "text", err=True)
    return report.exit_status()
