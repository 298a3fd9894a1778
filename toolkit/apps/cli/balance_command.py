"""``opforge balance``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toolkit.apps.cli.odds_options import mode_option
from toolkit.apps.cli.options import (
    language_option,
    open_workspace,
    path_argument,
    print_unplayable,
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
from toolkit.apps.cli.terminal import echo, error_of, print_report
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import Report
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.simulating import DEFAULT_GAMES, SimulationRequest, plan_of
from toolkit.products.balance.figures import Figures, exact_figures
from toolkit.products.balance.page import balance_page, is_report
from toolkit.project.output import write_file

if TYPE_CHECKING:
    from toolkit.project.pipeline import Workspace


T = TypeVar("T")


def _report_file(_context: click.Context, _parameter: click.Parameter, file: Path) -> Path:
    """Accept a page that can be written; another file is not replaced."""
    reject(refused_file(file))
    if file.suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"{file} must end in .html.")
    if file.exists() and not is_report(file):
        raise click.UsageError(f"{file} exists and is no report of `opforge balance`; it was not changed.")
    return file


@click.command()
@path_argument
@click.option(
    "-o",
    "--output",
    metavar="FILE.html",
    required=True,
    type=Path,
    callback=_report_file,
    help="The page to write.",
)
@games_option(f"{DEFAULT_GAMES}; 0 for exact figures only", least=0)
@seed_option
@jobs_option
@players_option
@set_option
@compare_option
@cluster_option
@language_option
@mode_option
def balance(path: str | None, output: Path, lang: str | None, **options: Any) -> int:
    """Write a report on a set of cards, one page: what stands out, how often SQUADs win, prices, odds.

    All SQUADs of the project play each other; the odds of attacks are exact. After Ctrl-C the report has what
    there is.
    """
    workspace = open_workspace(path, lang=lang)
    changed = workspace_with(workspace, options["values"])
    if isinstance(changed, Report):
        print_report(changed)
        return 1
    older = older_version(workspace, options["compare"], options["values"])
    plan = None
    if options["games"] != 0 and len(changed.cards.squads) > 1:
        plan = _usable(plan_of(changed, request_of(SimulationRequest, options), older), changed)
    exact = _usable(exact_figures(changed, options["mode"]), changed)
    older_exact = None if older is None else _usable(exact_figures(older, options["mode"]), older)
    tally, status = (None, 0) if plan is None else play_to_end(plan, workers_for(plan, options))
    language = lang or changed.cards.project.languages[0]
    figures = Figures(changed, language, exact, tally, older_exact, options["compare"] or "")
    refusal = write_file(output, balance_page(figures))
    if refusal is not None:
        raise error_of(refusal)
    games = 0 if tally is None else tally.total().games
    echo(f"{output}: {counted(len(exact.powers), 'card')}, {counted(games, 'game')}.")
    return status


def _usable(result: T | Unplayable, workspace: Workspace) -> T:
    """Return a result; where there is none, end the command with the reason."""
    if isinstance(result, Unplayable):
        raise click.exceptions.Exit(print_unplayable(workspace, result))
    return result
