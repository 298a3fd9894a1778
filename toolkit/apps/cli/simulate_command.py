"""``opforge simulate``.

What a cluster or an older version needs is imported only for it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from toolkit import api
from toolkit.apps.cli.odds_options import mode_option
from toolkit.apps.cli.options import (
    Number,
    WholeNumber,
    existing_paths,
    format_option,
    open_workspace,
    project_option,
    reject,
    set_option,
    workspace_with,
)
from toolkit.apps.cli.report_output import refused_file
from toolkit.apps.cli.terminal import CommandFailed, Progress, echo, error_of, print_report, style
from toolkit.diagnostics.report import Report
from toolkit.engine.players import BUILT_IN
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.checkpoint import Checkpoint, Saved, header_of, options_of, read_checkpoint
from toolkit.play.simulation.games import OtherCards
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
from toolkit.play.simulation.workers import Workers, WorkersLost, core_count, local_workers
from toolkit.project.output import Refusal

if TYPE_CHECKING:
    from toolkit.project.pipeline import Workspace

_INTERRUPTED = 130
"""The exit status after Ctrl-C, as of all commands."""


def _players(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[str, str] | None:
    """Parse ``greedy`` or ``thinker,greedy``."""
    if text is None:
        return None
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
@click.option("--seed", type=int, help="The same seed gives the same games. Default: 0.")
@click.option(
    "--jobs", metavar="N", type=WholeNumber(min=1), help="Processes. Default: as many as there are cores."
)
@click.option(
    "--players",
    metavar="NAME[,NAME]",
    callback=_players,
    help=f"Who plays: {', '.join(BUILT_IN)}; two names are for the first and the second SQUAD of a pair. "
    "Default: greedy.",
)
@click.option(
    "--until-width",
    metavar="WIDTH",
    type=Number(min=0, max=1, min_open=True),
    help="Stop a pair when its interval is no wider: 0.1 is ±5 %.",
)
@set_option
@click.option(
    "--compare",
    metavar="[REV|FOLDER]",
    is_flag=False,
    flag_value="",
    help="Play an older version on the same seeds, and compare; without a name the files without --set.",
)
@click.option("--save", metavar="FILE", help="Write each finished chunk of games to this file.")
@click.option(
    "--resume", metavar="FILE", help="Go on with a saved simulation; its options need not be named again."
)
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster that you trust: tcp://HOST:8786.")
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
    saved = _saved(options)
    options = _with_saved({**options, "squads": squads}, saved)
    workspace = open_workspace(path)
    changed = workspace_with(workspace, options["values"])
    if isinstance(changed, Report):
        print_report(changed, form)
        return 1
    older = None if options["compare"] is None else _older(workspace, options["compare"], options["values"])
    plan = plan_of(changed, _request(options), older)
    if isinstance(plan, Unplayable):
        reject(plan.sentence)
        print_report(api.report_of_findings(changed, plan.findings), form)
        return 1
    header = header_of(plan, options["values"], options["compare"])
    reject(saved.difference(header) if saved is not None else None)
    workers = _workers(plan, options)
    try:
        checkpoint = (
            Checkpoint(saved.file if saved else Path(options["save"]), header, saved)
            if saved or options["save"]
            else None
        )
        return _play(plan, workers, form, checkpoint, saved)
    finally:
        workers.close()


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
    saved = read_checkpoint(existing_paths((options["resume"],))[0])
    if isinstance(saved, str):
        raise click.UsageError(saved)
    return saved


_DEFAULTS = {"seed": 0, "players": ("greedy", "greedy")}


def _with_saved(options: dict[str, Any], saved: Saved | None) -> dict[str, Any]:
    """Return the options, those that were omitted as in the saved simulation or by default."""
    known_options = {**_DEFAULTS, **(options_of(saved.header) if saved is not None else {})}
    if options["until_width"] is not None and saved is not None and saved.header.request.until_width is None:
        known_options["games"] = MOST_GAMES
    return {
        name: known_options.get(name, value) if value in (None, ()) else value
        for name, value in options.items()
    }


def _request(options: Mapping[str, Any]) -> SimulationRequest:
    until_width = options["until_width"]
    games = options["games"] or (DEFAULT_GAMES if until_width is None else MOST_GAMES)
    names = ("seed", "players", "mode", "until_width")
    return SimulationRequest(options["squads"] or (), games, **{name: options[name] for name in names})


def _older(workspace: Workspace, name: str, values: tuple[str, ...]) -> Workspace:
    """Return the version that is compared with: an older one, or the files as they are."""
    if not name:
        if not values:
            raise click.UsageError("--compare needs an older version, or --set to compare with the files.")
        return workspace
    from toolkit.products.changes.baseline_project import baseline_project

    with baseline_project(workspace.root, name) as folder:
        if isinstance(folder, Refusal):
            raise error_of(folder)
        return api.open_project(folder)


def _workers(plan: Plan, options: Mapping[str, Any]) -> Workers:
    """Return what plays; wrong use if the cluster is not there, or would play other games."""
    if options["cluster"] is None:
        chunks = sum(1 for _ in plan.tasks())
        return local_workers(min(options["jobs"] or core_count(), chunks))
    if options["jobs"] is not None:
        raise click.UsageError("--jobs is for this machine: a cluster has its own workers.")
    try:
        from toolkit.play.simulation.cluster import Cluster, NoCluster
    except ImportError:
        raise click.UsageError("--cluster needs Dask: pip install 'opforge[cluster]'") from None
    try:
        cluster = Cluster(options["cluster"])
    except NoCluster as error:
        raise CommandFailed(str(error)) from None
    refusals = [cluster.refusal(setup) for setup in plan.setups]
    refusal = next(filter(None, refusals), None)
    if refusal is not None:
        cluster.close()
        raise CommandFailed(refusal)
    return cluster


def _play(plan: Plan, workers: Workers, form: str, checkpoint: Checkpoint | None, saved: Saved | None) -> int:
    """Play the games, print what was counted, all or what there is, and return the exit status."""
    tally, status, progress = Tally(plan), 0, Progress("Games")
    most_games = plan.request.games * len(plan.pairs) * len(plan.setups)
    on_chunk = {} if checkpoint is None else {"on_chunk": checkpoint.add}
    try:
        for tally in play_plan(plan, workers, saved.chunks(plan) if saved else (), **on_chunk):
            games = sum(counts.games for counts in tally.counts.values())
            progress(games, games if tally.is_finished else most_games)
    except KeyboardInterrupt:
        status = _INTERRUPTED
    except (WorkersLost, OtherCards) as error:
        echo(f"Error: {error}", err=True)
        status = 2
    except OSError as error:
        if checkpoint is None:
            raise
        echo(f"Error: {checkpoint.file} cannot be written: {error.strerror or error}.", err=True)
        status = 2
    workers.close()
    width = max(80, get_terminal_size((100, 24)).columns)
    echo(simulation_json(tally) if form == "json" else simulation_text(tally, style(), width), nl=False)
    if status and checkpoint is not None:
        echo(f"Go on with: opforge simulate --resume {checkpoint.file}", err=True)
    return status
