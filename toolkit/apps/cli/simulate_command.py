"""``opforge simulate``."""

from __future__ import annotations

import os
from shutil import get_terminal_size
from typing import Any

import click

from toolkit.apps.cli.odds_options import mode_option
from toolkit.apps.cli.options import (
    Number,
    format_option,
    open_workspace,
    print_unplayable,
    project_option,
    reject,
    request_of,
    set_option,
    workspace_with,
)
from toolkit.apps.cli.simulation_runs import (
    checkpoint_of,
    cluster_option,
    compare_option,
    games_option,
    jobs_option,
    older_version,
    play_to_end,
    players_option,
    resume_option,
    save_option,
    saved_run,
    seed_option,
    with_saved,
    workers_for,
)
from toolkit.apps.cli.terminal import echo, print_report, style
from toolkit.diagnostics.report import Report
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.checkpoint import header_of
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
@save_option
@resume_option
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
    saved = saved_run(options, SimulationRequest)
    if options["until_width"] is not None and (saved is None or saved.header.request.until_width is None):
        options["games"] = options["games"] or MOST_GAMES
    options = with_saved({**options, "squads": squads}, saved)
    workspace = open_workspace(path)
    changed = workspace_with(workspace, options["values"])
    if isinstance(changed, Report):
        print_report(changed, form)
        return 1
    older = older_version(workspace, options["compare"], options["values"])
    plan = plan_of(changed, request_of(SimulationRequest, options), older)
    if isinstance(plan, Unplayable):
        return print_unplayable(changed, plan, form)
    header = header_of(plan.request, plan.setups, options["values"], options["compare"])
    reject(saved.difference(header) if saved is not None else None)
    workers = workers_for(plan.tasks(), options)
    checkpoint = checkpoint_of(options, header, saved)
    tally, status = play_to_end(plan, workers, saved.chunks(plan.task) if saved else (), checkpoint)
    width = max(80, get_terminal_size((100, 24)).columns)
    echo(simulation_json(tally) if form == "json" else simulation_text(tally, style(), width), nl=False)
    if status and checkpoint is not None:
        echo(f"Go on with: opforge simulate --resume {checkpoint.file}", err=True)
    return status
