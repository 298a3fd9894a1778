"""``opforge rename``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolkit.apps.cli.options import existing_path, existing_paths, format_option, project_of, reject
from toolkit.apps.cli.terminal import CommandFailed, echo, error_of
from toolkit.data.project_files import FolderReader
from toolkit.diagnostics.baseline import read_baseline
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.locations import place
from toolkit.diagnostics.phrases import counted
from toolkit.editing.renaming import kind_of_name, plan_rename, renewed_baseline, write_rename
from toolkit.project.live_project import LiveProject
from toolkit.project.output import Refusal, difference
from toolkit.source.writing import refused_link

if TYPE_CHECKING:
    from toolkit.diagnostics.baseline import Baseline
    from toolkit.editing.renaming import Rename
    from toolkit.project.live_project import LiveProject
    from toolkit.project.name_references import NameKind

_MAX_SHOWN = 20
"""Places that stay as they are and are listed, at most."""
_WIDTH = 80
"""Characters of a line that are shown, at most."""


@click.command()
@click.argument("old")
@click.argument("new")
@click.argument("path", required=False)
@click.option("--dry-run", is_flag=True, help="Write nothing; print what would change.")
@click.option("--art", is_flag=True, help="Rename pictures of that name, too, unless others use them.")
@click.option("--trait/--id", "trait", default=None, help="Which it is, if OLD is both a trait and an id.")
@click.option("--baseline", metavar="FILE", help="A baseline whose findings of OLD are kept for NEW.")
@format_option("text", "json")
def rename(old: str, new: str, path: str | None, **options: Any) -> int:
    """Give an id or a trait another name: in all keys, effects, scenarios and the project file.

    The changed files are read again first: nothing is written unless the project says the same but for the
    name. Comments, hand-written texts and pictures that have the word stay as they are, and are listed.
    """
    root = project_of(existing_path(path))
    project = LiveProject(root, FolderReader(root))
    project.read()
    requested_kind: NameKind | None = None
    if options["trait"] is not None:
        requested_kind = "trait" if options["trait"] else "id"
    kind = kind_of_name(project, old, requested_kind)
    if isinstance(kind, Refusal):
        raise error_of(kind)
    reject("NEW is the same as OLD." if new == old else None)
    reject("--art is for ids: a trait has no picture." if options["art"] and kind == "trait" else None)
    baseline = _baseline(options["baseline"])
    plan = plan_rename(project, kind, old, new, with_pictures=options["art"])
    if isinstance(plan, Refusal):
        raise error_of(plan)
    new_baseline = renewed_baseline(project, plan, baseline) if baseline else None
    other_changes = (new_baseline,) if new_baseline else ()
    dry_run = options["dry_run"]
    problems = [] if dry_run else write_rename(plan, other_changes)
    if problems:
        raise CommandFailed("\n".join(problems))
    diff = "".join(map(difference, (*plan.changes, *other_changes))) if dry_run else ""
    if options["form"] == "json":
        echo(json_text(_data(project, plan, diff if dry_run else None)), nl=False)
        return 0
    echo(diff, nl=False)
    echo(_text(project, plan, dry_run), nl=False, err=dry_run)
    return 0


def _baseline(name: str | None) -> Baseline | None:
    """Return the baseline of the option, if it was given; wrong use if it cannot be read, or is a link."""
    if name is None:
        return None
    reject(refused_link(Path(name)))
    (file,) = existing_paths((name,))
    baseline = read_baseline(file.absolute())
    if isinstance(baseline, str):
        raise click.UsageError(baseline)
    return baseline


def _pictures(project: LiveProject, plan: Rename) -> list[tuple[str, str]]:
    """Return the old and new paths of renamed pictures, relative to the project."""
    return [
        (old.relative_to(project.root).as_posix(), new.relative_to(project.root).as_posix())
        for old, new in plan.pictures
    ]


def _text(project: LiveProject, plan: Rename, dry_run: bool) -> str:
    """Return the report of a rename: the number of changes, and the places that stay as they are."""
    summary = f"{counted(plan.places, 'place')} in {counted(len(plan.edits), 'file')}"
    lines = [f"{summary}{' would change' if dry_run else ''}"]
    lines += [f"{old} -> {new}" for old, new in _pictures(project, plan)]
    if plan.unchanged_mentions:
        lines.append(f"Left as they are, with {plan.old!r}:")
    for mention in plan.unchanged_mentions[:_MAX_SHOWN]:
        line, column = mention.span.begin_position
        excerpt = _excerpt(mention.span.file.line(line), column - 1)
        lines.append(f"  {place(mention.span)}: {mention.where}: {excerpt}")
    if len(plan.unchanged_mentions) > _MAX_SHOWN:
        lines.append(f"  … and {len(plan.unchanged_mentions) - _MAX_SHOWN} more")
    if plan.kind == "trait" and plan.old not in project.cards.project.traits:
        lines.append(f"The trait is printed as it is written: cards now say {plan.new!r}.")
    return "\n".join(lines) + "\n"


def _excerpt(line: str, offset: int) -> str:
    """Return the part of a line around a column."""
    begin = max(0, offset - _WIDTH // 2)
    excerpt = line[begin : begin + _WIDTH]
    return f"{'…' if begin else ''}{excerpt.strip()}{'…' if len(line) > begin + _WIDTH else ''}"


def _data(project: LiveProject, plan: Rename, diff: str | None) -> dict[str, object]:
    """Return the report of a rename as plain data; what was not written has its difference."""
    data: dict[str, object] = {
        "version": 1,
        "old": plan.old,
        "new": plan.new,
        "sort": plan.kind,
        "written": diff is None,
        "places": plan.places,
        "files": [change.file.name for change in plan.changes],
        "pictures": [{"old": old, "new": new} for old, new in _pictures(project, plan)],
        "left": [
            {
                "file": mention.span.file.name,
                "line": mention.span.begin_position.line,
                "column": mention.span.begin_position.column,
                "where": mention.where,
            }
            for mention in plan.unchanged_mentions
        ],
    }
    if diff is not None:
        data["diff"] = diff
    return data
