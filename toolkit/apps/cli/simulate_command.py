"""``opforge simulate``."""

from __future__ import annotations

import os
from shutil import get_terminal_size
from typing import Any

import click

from toolkit import api
from toolkit.apps.cli.odds_options import mode_option
from toolkit.apps.cli.options import (
    Number,
    WholeNumber,
    format_option,
    open_workspace,
    project_option,
    reject,
    set_option,
    workspace_with,
)
from toolkit.apps.cli.terminal import Progress, echo, print_report, style
from toolkit.diagnostics.report import Report
from toolkit.engine.players import BUILT_IN
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.simulating import (
    DEFAULT_GAMES,
    MOST_GAMES,
    Plan,
    SimulationRequest,
    Tally,
    plan_of,
    play_plan,
)
from toolkit.play.simulation.simulation_report import simulation_json, simulation_text
from toolkit.play.simulation.workers import WorkersLost, core_count, local_workers

_INTERRUPTED = 130
"""The exit status after Ctrl-C, as of all commands."""


def _players(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[str, str]:
    """Parse ``greedy`` or ``thinker,greedy``."""
    names = [name.strip() for name in text.split(",")]
    if len(names) > 2 or not {*names} <= {*BUILT_IN}:
        raise click.BadParameter(f"write one of {', '.join(BUILT_IN)}, or two: NAME,NAME.")
    return names[0], names[-1]


def _games(_context: click.Context, _parameter: click.Parameter, games: int | None) -> int | None:
    """Accept an even number: each game is played twice."""
    if games is not None and games % 2:
        raise click.BadParameter(f"each game is played twice, with sides changed: {games + 1} is even.")
    return games


@click.command()
@click.argument("squads", metavar="[SQUAD]…", nargs=-1)
@click.option(
    "--games",
    metavar="N",
    type=WholeNumber(min=2),
    callback=_games,
    help=f"Games of each pair. Default: {DEFAULT_GAMES}; with --until-width at most {MOST_GAMES:,}.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same games.")
@click.option(
    "--jobs", metavar="N", type=WholeNumber(min=1), help="Processes. Default: as many as there are cores."
)
@click.option(
    "--players",
    metavar="NAME[,NAME]",
    default="greedy",
    show_default=True,
    callback=_players,
    help=f"Who plays, of {', '.join(BUILT_IN)}; two names: of the first SQUAD of a pair and of the second.",
)
@click.option(
    "--until-width",
    metavar="WIDTH",
    type=Number(min=0, max=1, min_open=True),
    help="Stop a pair when its interval is no wider: 0.1 is ±5 %.",
)
@set_option
@mode_option
@project_option
@format_option("text", "json")
def simulate(squads: tuple[str, ...], path: str | None, form: str, **options: Any) -> int:
    """Play many games between SQUADs and count how often each wins.

    Each pair of the named SQUADs plays, without names all SQUADs of the project. One argument alone may be
    the folder of a project. The result depends on the seed, not on the number of processes.
    """
    if len(squads) == 1 and path is None:
        path, squads = squads[0], ()
        if not os.path.exists(path):
            raise click.UsageError("Name two SQUADs, or the folder of a project.")
    workspace = workspace_with(open_workspace(path), options["values"])
    if isinstance(workspace, Report):
        print_report(workspace, form)
        return 1
    plan = plan_of(workspace, _request(squads, options))
    if isinstance(plan, Unplayable):
        reject(plan.sentence)
        print_report(api.report_of_findings(workspace, plan.findings), form)
        return 1
    return _play(plan, options["jobs"] or core_count(), form)


def _request(squads: tuple[str, ...], options: dict[str, Any]) -> SimulationRequest:
    until_width = options["until_width"]
    games = options["games"] or (DEFAULT_GAMES if until_width is None else MOST_GAMES)
    named = {name: options[name] for name in ("seed", "players", "mode", "until_width")}
    return SimulationRequest(squads, games, **named)


def _play(plan: Plan, jobs: int, form: str) -> int:
    """Play the games, print what was counted, all or what there is, and return the exit status."""
    workers = local_workers(jobs)
    tally, status, most = Tally(plan), 0, plan.request.games * len(plan.pairs) * len(plan.setups)
    progress = Progress("Games")
    try:
        for tally in play_plan(plan, workers):
            progress(sum(counts.games for counts in tally.counts.values()), most)
    except KeyboardInterrupt:
        status = _INTERRUPTED
    except WorkersLost as error:
        echo(f"Error: {error}", err=True)
        status = 3
    finally:
        workers.close()
    width = max(80, get_terminal_size((100, 24)).columns)
    echo(simulation_json(tally) if form == "json" else simulation_text(tally, style(), width), nl=False)
    return status
