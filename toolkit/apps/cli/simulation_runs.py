"""What the commands have in common that play simulations: options, workers, versions to compare with.

What a cluster or an older version needs is imported only for it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toolkit import api
from toolkit.apps.cli.options import WholeNumber, existing_paths, reject
from toolkit.apps.cli.report_output import refused_file
from toolkit.apps.cli.terminal import INTERRUPTED, CommandFailed, Progress, echo, error_of
from toolkit.engine.players import BUILT_IN
from toolkit.play.simulation.checkpoint import (
    Checkpoint,
    Header,
    Request,
    Saved,
    options_of,
    read_checkpoint,
)
from toolkit.play.simulation.games import Counts, OtherCards
from toolkit.play.simulation.simulating import Plan, Tally, play_plan
from toolkit.play.simulation.versions import VersionSums, play_versions
from toolkit.play.simulation.workers import Task, Workers, WorkersLost, core_count, local_workers
from toolkit.project.output import Refusal

if TYPE_CHECKING:
    from toolkit.project.pipeline import Workspace

F = TypeVar("F", bound=Callable[..., Any])


def _players(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[str, str] | None:
    """Parse ``greedy``, who then plays both sides, or ``thinker,greedy``."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if len(names) > 2 or not {*names} <= {*BUILT_IN}:
        raise click.BadParameter(f"write one of {', '.join(BUILT_IN)}, or two: NAME,NAME.")
    first, last = names[0], names[-1]  # one name is both
    return first, last


def _games(_context: click.Context, _parameter: click.Parameter, games: int | None) -> int | None:
    """Accept an even number: each game is played twice."""
    if games is not None and games % 2:
        raise click.BadParameter(
            f"each game is played twice, with sides changed; write {games + 1}, an even number."
        )
    return games


def games_option(default: str, least: int = 2) -> Callable[[F], F]:
    """Return ``--games`` with the words for its default."""
    return click.option(
        "--games",
        metavar="N",
        type=WholeNumber(min=least),
        callback=_games,
        help=f"Games of each pair. Default: {default}.",
    )


seed_option = click.option("--seed", type=int, help="The same seed gives the same games. Default: 0.")
jobs_option = click.option(
    "--jobs", metavar="N", type=WholeNumber(min=1), help="Processes. Default: as many as there are cores."
)
players_option = click.option(
    "--players",
    metavar="NAME[,NAME]",
    callback=_players,
    help=f"Who plays: {', '.join(BUILT_IN)}; two names are for the first and the second SQUAD of a pair. "
    "Default: greedy.",
)
compare_option = click.option(
    "--compare",
    metavar="[REV|FOLDER]",
    is_flag=False,
    flag_value="",
    help="Play an older version on the same seeds, and compare; without a name the files without --set.",
)
cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Play on a Dask cluster that you trust: tcp://HOST:8786."
)

save_option = click.option("--save", metavar="FILE", help="Write each finished chunk of games to this file.")
resume_option = click.option(
    "--resume", metavar="FILE", help="Go on with what was saved; its options need not be named again."
)


def saved_run(options: Mapping[str, Any], kind: type[Request]) -> Saved[Request] | None:
    """Return the run to resume, if there is one; wrong use if it cannot be, or if the file to write cannot be
    written."""
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
    saved = read_checkpoint(file_to_resume, kind)
    if isinstance(saved, str):
        raise click.UsageError(saved)
    return saved


def with_saved(options: dict[str, Any], saved: Saved[Request] | None) -> dict[str, Any]:
    """Return the options, those that were omitted as in the saved run."""
    saved_options = {} if saved is None else options_of(saved.header)
    return {
        name: saved_options.get(name, value) if value in (None, ()) else value
        for name, value in options.items()
    }


def checkpoint_of(
    options: Mapping[str, Any], header: Header[Request], saved: Saved[Request] | None
) -> Checkpoint | None:
    """Return the file to which chunks are written, if there is one."""
    if saved is not None:
        return Checkpoint(saved.file, header, saved)
    return Checkpoint(Path(options["save"]), header) if options["save"] else None


def older_version(workspace: Workspace, name: str | None, values: tuple[str, ...]) -> Workspace | None:
    """Return the version that ``--compare`` names: an older one, or without a name the files as they are."""
    if name is None:
        return None
    if not name:
        if not values:
            raise click.UsageError("--compare needs an older version, or --set to compare with the files.")
        return workspace
    from toolkit.products.changes.baseline_project import baseline_project

    with baseline_project(workspace.root, name) as folder:
        if isinstance(folder, Refusal):
            raise error_of(folder)
        return api.open_project(folder)


def workers_for(tasks: Iterable[Task], options: Mapping[str, Any]) -> Workers:
    """Return what plays; wrong use if the cluster is not there, or would play other games."""
    if options.get("cluster") is None:
        jobs = options["jobs"] or core_count()
        first_tasks = list(islice(tasks, jobs))  # there may be millions, and no more processes than tasks
        return local_workers(len(first_tasks))
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
    refusals = [cluster.refusal(setup) for setup in dict.fromkeys(task.setup for task in tasks)]
    refusal = next(filter(None, refusals), None)
    if refusal is not None:
        cluster.close()
        raise CommandFailed(refusal)
    return cluster


def play_to_end(
    plan: Plan,
    workers: Workers,
    played: Sequence[tuple[Task, Counts]] = (),
    checkpoint: Checkpoint | None = None,
) -> tuple[Tally, int]:
    """Play the games that are not ``played`` yet, each chunk into the checkpoint.

    Return what was counted, all or what there is, and the exit status. Why it is not all is printed; the
    workers are stopped in any case.
    """
    tally = Tally(plan)
    most_games = plan.request.games * len(plan.pairs) * len(plan.setups)
    on_chunk = {} if checkpoint is None else {"on_chunk": checkpoint.add}

    def playing() -> Iterator[tuple[int, int]]:
        """Play on, and yield how many games were played of how many at most; ``tally`` is the one so far."""
        nonlocal tally
        for tally in play_plan(plan, workers, played, **on_chunk):
            games = sum(counts.games for counts in tally.counts.values())
            yield games, games if tally.is_finished else most_games

    status = run_games(playing(), workers, None if checkpoint is None else checkpoint.file)
    return tally, status


SAME_INTERRUPT = 1.0
"""Seconds in which a second signal belongs to the same Ctrl-C: some programs send it to the process and to
its group."""


@contextmanager
def one_interrupt() -> Iterator[None]:
    """Let a Ctrl-C interrupt once, so that what was reached can be printed; a later one interrupts again."""
    interrupted = float("-inf")

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        nonlocal interrupted
        elapsed, interrupted = monotonic() - interrupted, monotonic()
        if elapsed > SAME_INTERRUPT:
            raise KeyboardInterrupt

    handler = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def run_games(playing: Iterable[tuple[int, int]], workers: Workers, file: Path | None = None) -> int:
    """Show how many games of how many are played, and return the exit status.

    Why it is not all is printed, also where chunks cannot be written to the ``file``; the workers are stopped
    in any case.
    """
    progress = Progress("Games")
    try:
        with one_interrupt():
            try:
                for games, most_games in playing:
                    progress(games, most_games)
                return 0
            finally:
                workers.close()
    except KeyboardInterrupt:
        progress.stop()
        return INTERRUPTED
    except (WorkersLost, OtherCards) as error:
        problem = str(error)
    except OSError as error:
        if file is None:
            raise
        problem = f"{file} cannot be written: {error.strerror or error}."
    progress.stop()
    echo(f"Error: {problem}", err=True)
    return 2


def play_versions_to_end(
    sums: VersionSums,
    options: Mapping[str, Any],
    played: Sequence[tuple[Task, Counts]] = (),
    checkpoint: Checkpoint | None = None,
) -> int:
    """Play the games of versions that are not ``played`` yet, each chunk into the checkpoint, and return the
    exit status."""
    workers = workers_for(sums.tasks(), options)
    on_chunk = {} if checkpoint is None else {"on_chunk": checkpoint.add}
    playing = ((sums.games, sums.games_wanted) for _ in play_versions(sums, workers, played, **on_chunk))
    return run_games(playing, workers, None if checkpoint is None else checkpoint.file)
