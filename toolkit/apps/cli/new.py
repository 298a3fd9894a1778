"""``opforge new``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolkit import api
from toolkit.apps.cli.options import KINDS, format_option, open_workspace, project_option
from toolkit.apps.cli.terminal import CommandFailed, echo
from toolkit.diagnostics.escaping import json_text
from toolkit.editing.new_entry import defaults, plan_entry
from toolkit.project.output import difference, save_all
from toolkit.source.paths import inside, is_yaml

if TYPE_CHECKING:
    from toolkit.project.pipeline import Workspace

_KINDS = (*KINDS, "team", "mode", "squad", "scenario", "project")


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("kind", metavar="KIND", type=click.Choice(_KINDS))
@click.argument("words", metavar="[ID] [--KEY VALUE]…", nargs=-1, type=click.UNPROCESSED)
@project_option
@click.option("--name", metavar="TEXT", help="Its name; --name.de for one language.")
@click.option("--file", metavar="FILE.yaml", help="The file to write it into.")
@click.option("--dry-run", is_flag=True, help="Write nothing; print what would be written.")
@format_option("text", "json")
def new(
    kind: str,
    words: tuple[str, ...],
    path: str | None,
    name: str | None,
    file: str | None,
    dry_run: bool,
    form: str,
) -> int:
    """Begin a card, an OBJECTIVE, a TEAM, a mode, a SQUAD, a scenario or a project.

    KIND is operator, attack, defence, effect, strategy, item, objective, team, mode, squad, scenario or
    project. Any key of a card or an OBJECTIVE is an option: --ap 4 --team night-owls --effect "…". What is
    not said is what is usual in the project. A card gets an effect to begin from, a placeholder for its
    picture, and a scenario with the numbers of today. Nothing that exists is overwritten.

    \b
    opforge new attack --name "Last round"
    opforge new operator raven --team night-owls --ap 5 --squadpoints 4
    """
    id, values = _parse_words(words)
    if name is not None:
        values["name"] = name
    if kind == "project":
        return _new_project(id)
    workspace = open_workspace(path)
    _prompt_for_missing(workspace, kind, id, values)
    target = inside(Path(file), workspace.root) if file else None
    if file and (target is None or not is_yaml(target)):
        raise click.UsageError(f"{file} is not a card file of the project.")
    plan = plan_entry(workspace, kind, id, values, target)
    if plan.missing:
        raise click.UsageError(f"Add {' and '.join(f'--{key}' for key in plan.missing)}.")
    if plan.problems:
        raise click.UsageError(" ".join(plan.problems[:3]))
    if not dry_run:
        problems = save_all(plan.changes, plan.files)
        if problems:
            raise CommandFailed("\n".join(problems))
    if form == "json":
        data = {"version": 1, "id": plan.id, "written": not dry_run, "places": list(plan.places)}
        echo(json_text(data), nl=False)
        return 0
    if dry_run:
        echo("".join(map(difference, plan.changes)), nl=False)
    echo("\n".join(plan.places))
    return 0


def _parse_words(words: tuple[str, ...]) -> tuple[str | None, dict[str, str]]:
    """Return the id and the values by key; wrong use if an option has no value, or there are two ids."""
    id: str | None = None
    values: dict[str, str] = {}
    remaining = list(words)
    while remaining:
        word = remaining.pop(0)
        if word.startswith("--"):
            key, equals, value = word.removeprefix("--").partition("=")
            if not equals and not remaining:
                raise click.UsageError(f"--{key} needs a value.")
            values[key.replace("-", "_")] = value if equals else remaining.pop(0)
        elif word.startswith("-") or id is not None:
            raise click.UsageError(f"{word!r} is not expected here: write ID, then --KEY VALUE.")
        else:
            id = word
    return id, values


def _prompt_for_missing(workspace: Workspace, kind: str, id: str | None, values: dict[str, str]) -> None:
    """Prompt at a terminal for missing values, with the usual ones as defaults; only if there is no name."""
    has_name = any(key == "name" or key.startswith("name.") for key in values)
    if id is not None or has_name or not sys.stdin.isatty():
        return
    for language in workspace.cards.project.languages:
        values[f"name.{language}"] = click.prompt(f"Name ({language})", err=True)
    for key, default in defaults(workspace, kind).items():
        if key not in values:
            values[key] = str(click.prompt(key, default=default, err=True))


def _new_project(folder: str | None) -> int:
    """Make a project, as `opforge init` does."""
    if folder is None:
        raise click.UsageError("Name the folder: opforge new project DIR.")
    problem = api.make_project(Path(folder), "small", None, with_templates=False)
    if problem:
        raise click.UsageError(problem)
    echo(f"{folder}/opforge.yaml:1")
    return 0
