"""``opforge export`` and ``opforge import``: cards as spreadsheets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from toolkit.apps.cli.options import KINDS, format_option, open_workspace, project_option, reject
from toolkit.apps.cli.terminal import CommandFailed, echo, error_of
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.phrases import alternatives, counted
from toolkit.editing.tables.importing import ImportRequest, plan_import
from toolkit.editing.tables.published import fetch_book
from toolkit.editing.tables.table_formats import FORMATS
from toolkit.editing.tables.table_reader import read_book
from toolkit.project.output import difference, save_all, write_file
from toolkit.source.writing import refused_link

if TYPE_CHECKING:
    from toolkit.editing.tables.importing import ImportPlan
    from toolkit.editing.tables.table_reader import Problem

_MAX_PROBLEMS = 200
"""Problems of a table that are listed, at most."""
_MAX_KEPT = 5
"""Ids of cards without a row that are listed, at most."""


@click.command()
@click.argument("file", metavar="FILE.csv|.xlsx|.json|.md")
@click.argument("path", required=False)
@click.option("--project", metavar="PATH", help="The same as PATH.")
@click.option(
    "--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only this kind; may be repeated."
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def export(file: str, path: str | None, project: str | None, kinds: tuple[str, ...], force: bool) -> int:
    """Write the cards of a project as a table: a row a card, a column a key, `#` columns for reading.

    CSV and XLSX come back with `opforge import --update`. JSON and Markdown are for other programs and pages.
    """
    reject("Name the project once: as PATH or with --project." if path and project else None)
    target = Path(file)
    write = FORMATS.get(target.suffix.lower())
    if write is None:
        raise click.UsageError(f"{file} must end in {alternatives(tuple(FORMATS))}.")
    reject(f"{file} exists; add --force to replace it." if target.exists() and not force else None)
    reject(refused_link(target))
    workspace = open_workspace(path or project)
    refusal = write_file(target, write(workspace, kinds))
    if refusal is not None:
        raise error_of(refusal)
    broken_count = len(workspace.cards.broken_ids)
    cards = "the chosen cards" if kinds else counted(len(workspace.cards.printed_entries()), "card")
    echo(f"{file}: {cards}.")
    if broken_count:
        echo(f"{broken_count} with errors are left out; `opforge check` shows them.", err=True)
    elif workspace.cards.incomplete:
        echo("Cards that cannot be read are left out; `opforge check` shows why.", err=True)
    return 1 if broken_count or workspace.cards.incomplete else 0


@click.command("import")
@click.argument("file", metavar="FILE.csv|.xlsx|https://…")
@project_option
@click.option("--update", is_flag=True, help="Change cards that exist; without it, cards are only added.")
@click.option("--dry-run", is_flag=True, help="Write nothing; print what would change.")
@click.option("--theirs", is_flag=True, help="Take a row even if its card has changed since the export.")
@click.option("--delete-missing", is_flag=True, help="Delete cards of the table's kinds that have no row.")
@click.option(
    "--map", "renamed", metavar="COLUMN=KEY", multiple=True, help='What a column is: --map "Attack=ap".'
)
@click.option("--kind", type=click.Choice(KINDS), help="The kind of all rows that name none.")
@click.option("--sheet", "sheets", metavar="NAME", multiple=True, help="Only this sheet; may be repeated.")
@format_option("text", "json")
def import_command(**options: Any) -> int:
    """Take cards from a table into the project: new rows become cards, and with --update values are changed.

    Only what differs is written, value by value; comments and order stay. Nothing is written if anything is
    wrong with the table. The address of a published sheet is read only here, where you write it.
    """
    workspace = open_workspace(options["path"])
    if options["file"].lower().startswith(("https:", "http:")):
        book = fetch_book(options["file"])
    else:
        book = read_book(Path(options["file"]))
    if isinstance(book, str):
        raise click.UsageError(book)
    request = ImportRequest(
        update=options["update"],
        theirs=options["theirs"],
        delete_missing=options["delete_missing"],
        renamed=_keys_by_column(options["renamed"]),
        kind=options["kind"] or "",
        sheets=options["sheets"],
    )
    plan = plan_import(workspace, book, request)
    if not plan.serious and not options["dry_run"]:
        problems = save_all(plan.changes)
        if problems:
            raise CommandFailed("\n".join(problems))
    if options["form"] == "json":
        echo(_json(plan, options["dry_run"]), nl=False)
    else:
        if options["dry_run"] and not plan.serious:
            echo("".join(map(difference, plan.changes)), nl=False)
        _print_problems(plan.problems)
        echo(_summary(plan, options["dry_run"]))
    return 1 if plan.serious else 0


def _keys_by_column(written_pairs: tuple[str, ...]) -> dict[str, str]:
    """Read the values of ``--map``, `Column=key`; a column may contain `=`, a key cannot."""
    pairs = [written_pair.rpartition("=") for written_pair in written_pairs]
    for column, equals, key in pairs:
        if not (column and equals and key):
            raise click.UsageError('--map needs a column and a key: --map "Attack=ap".')
    return {column: key for column, _, key in pairs}


def _print_problems(problems: tuple[Problem, ...]) -> None:
    """Print problems of a table, and how many more there are than are printed."""
    for problem in problems[:_MAX_PROBLEMS]:
        severity = "error" if problem.serious else "warning"
        echo(f"{problem.place}: {severity}[{problem.name}]: {problem.message} {problem.next_step}", err=True)
    if len(problems) > _MAX_PROBLEMS:
        echo(f"… and {len(problems) - _MAX_PROBLEMS} more.", err=True)


def _summary(plan: ImportPlan, dry_run: bool) -> str:
    """Return a sentence about what was, or would be, changed."""
    if plan.serious:
        return "Nothing was written."
    parts = {"changed": plan.updated, "added": plan.added, "deleted": plan.deleted}
    cards = ", ".join(f"{len(ids)} {word}" for word, ids in parts.items() if ids) or "no change"
    files = f", in {counted(len(plan.changes), 'file')}" if plan.changes else ""
    summary = f"{'Would be' if dry_run else 'Cards'}: {cards}{files}."
    if not plan.missing:
        return summary
    kept_cards = counted(len(plan.missing), "card")
    verb = "was" if len(plan.missing) == 1 else "were"
    kept_ids = ", ".join(plan.missing[:_MAX_KEPT]) + (", …" if len(plan.missing) > _MAX_KEPT else "")
    return f"{summary} {kept_cards} without a row {verb} kept: {kept_ids}."


def _json(plan: ImportPlan, dry_run: bool) -> str:
    """Return the result of an import as JSON."""
    return json_text(
        {
            "version": 1,
            "written": not (plan.serious or dry_run),
            **{name: list(getattr(plan, name)) for name in ("updated", "added", "deleted", "missing")},
            "files": [change.file.name for change in plan.changes],
            "problems": [asdict(problem) for problem in plan.problems],
        }
    )
