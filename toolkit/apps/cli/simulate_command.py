"""``opforge simulate``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click

from toolkit.apps.cli.odds_options import mode_option
from toolkit.apps.cli.options import (
    Number,
    existing_paths,
    format_option,
    open_workspace,
    print_unplayable,
    project_option,
    reject,
    request_of,
    set_option,
    workspace_with,
)
from toolkit.apps.cli.report_output import refused_file
from toolkit.apps.cli.simulation_runs import (
    cluster_option,
    compare_option,
    games_option,
    jobs_option,
    older_version,
    play_to_end,
    players_option,
    seed_option,
    workers_for,
)
from toolkit.apps.cli.terminal import echo, print_report, style
from toolkit.diagnostics.report import Report
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.checkpoint import (
    Checkpoint,
    Header,
    Saved,
    header_of,
    options_of,
    read_checkpoint,
)
from toolkit.play.simulation.simulating import DEFAULT_GAMES, MOST_GAMES, SimulationRequest, plan_of
from toolkit.play.simulation.simulation_report import simulation_json, simulation_text


@click.command()
@click.argument("squads", metavar="[SQUAD]…", nargs=-1)
@games_option(f"{DEFAULT_GAMES}; with --until-width at most {MOST_GAMES:,}")
@seed_option
@jobs_option
@players_option
@click.option(
    "--until-width",
    metavar="WIDTH",
    type=Number(min=0, max=1, min_open=True),
    help="Stop a pair when its interval is no wider: 0.1 is ±5 %.",
)
@set_option
@compare_option
@click.option("--save", metavar="FILE", help="Write each finished chunk of games to this file.")
@click.option(
    "--resume", metavar="FILE", help="Go on with a saved simulation; its options need not be named again."
)
@cluster_option
@mode_option
@project_option
@format_option("text", "json")
def simulate(squads: tuple[str, ...], path: str | None, form: str, **options: Any) -> int:
    """Play many games between SQUADs and count how often each wins.

    Each pair of the named SQUADs plays, without names all SQUADs of the project. One argument alone may be
    the folder of a project. The result depends on the seed, not on the number of processes.
    """
    if len(squads) == 1 and path is None:
        (path,), squads = squads, ()
        if not os.path.exists(path):
            raise click.UsageError("Name two SQUADs, or the folder of a project.")
    saved = _saved(options)
    options = _with_saved({**options, "squads": squads}, saved)
    workspace = open_workspace(path)
    changed = workspace_with(workspace, options["values"])
    if isinstance(changed, Report):
        print_report(changed, form)
        return 1
    older = older_version(workspace, options["compare"], options["values"])
    plan = plan_of(changed, request_of(SimulationRequest, options), older)
    if isinstance(plan, Unplayable):
        return print_unplayable(changed, plan, form)
    header = header_of(plan, options["values"], options["compare"])
    reject(saved.difference(header) if saved is not None else None)
    workers = workers_for(plan.tasks(), options)
    checkpoint = _checkpoint(options, header, saved)
    tally, status = play_to_end(plan, workers, saved.chunks(plan) if saved else (), checkpoint)
    width = max(80, get_terminal_size((100, 24)).columns)
    echo(simulation_json(tally) if form == "json" else simulation_text(tally, style(), width), nl=False)
    if status and checkpoint is not None:
        echo(f"Go on with: opforge simulate --resume {checkpoint.file}", err=True)
    return status


def _checkpoint(options: Mapping[str, Any], header: Header, saved: Saved | None) -> Checkpoint | None:
    """Return the file to which chunks are written, if there is one."""
    if saved is not None:
        return Checkpoint(saved.file, header, saved)
    return Checkpoint(Path(options["save"]), header) if options["save"] else None


def _saved(options: Mapping[str, Any]) -> Saved | None:
    """Return the simulation to resume, if there is one; wrong use if it cannot be, or if the file to write
    cannot be written."""
    if options["save"] and options["resume"]:
        raise click.UsageError("--resume goes on writing to its own file: omit --save.")
    if options["save"]:
        file = Path(options["save"])
        reject(refused_file(file))
        if os.path.lexists(file):
            raise click.UsageError(f"{file} exists: go on with --resume {file}, or choose another file.")
    if not options["resume"]:
        return None
    (file_to_resume,) = existing_paths((options["resume"],))
    saved = read_checkpoint(file_to_resume)
    if isinstance(saved, str):
        raise click.UsageError(saved)
    return saved


def _with_saved(options: dict[str, Any], saved: Saved | None) -> dict[str, Any]:
    """Return the options, those that were omitted as in the saved simulation."""
    saved_options = {} if saved is None else dict(options_of(saved.header))
    if options["until_width"] is not None and saved_options.get("until_width") is None:
        saved_options["games"] = MOST_GAMES
    return {
        name: saved_options.get(name, value) if value in (None, ()) else value
        for name, value in options.items()
    }
