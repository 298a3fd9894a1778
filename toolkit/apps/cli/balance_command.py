"""``opforge balance``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec.structs import replace

from toolkit.apps.cli.odds_options import mode_option
from toolkit.apps.cli.options import (
    WholeNumber,
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
    play_versions_to_end,
    players_option,
    seed_option,
    workers_for,
)
from toolkit.apps.cli.terminal import Progress, echo, error_of, print_report
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import Report
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.card_worth import WorthRequest, WorthTally, worth_plan
from toolkit.play.simulation.simulating import DEFAULT_GAMES, Plan, SimulationRequest, plan_of
from toolkit.play.simulation.workers import core_count
from toolkit.products.balance.figures import ExactFigures, Figures, exact_figures, outstanding_cards
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
@click.option(
    "--cards",
    metavar="N",
    type=WholeNumber(min=0),
    default=10,
    show_default=True,
    help="Play so many cards that stand out in attacks with and without them.",
)
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
    exact = _exact_figures(changed, options)
    older_exact = None if older is None else _exact_figures(older, options)
    tally, status = (None, 0) if plan is None else play_to_end(plan, workers_for(plan.tasks(), options))
    language = lang or changed.cards.project.languages[0]
    figures = Figures(changed, language, exact, tally, older_exact, options["compare"] or "")
    if plan is not None and options["cards"] and status == 0:
        figures, status = _with_worths(figures, plan, options)
    refusal = write_file(output, balance_page(figures))
    if refusal is not None:
        raise error_of(refusal)
    games = 0 if tally is None else tally.total().games
    echo(f"{output}: {counted(len(exact.powers), 'card')}, {counted(games, 'game')}.")
    return status


def _exact_figures(workspace: Workspace, options: Mapping[str, Any]) -> ExactFigures:
    progress = Progress("Measuring cards")
    jobs = options["jobs"] or core_count()
    return _usable(exact_figures(workspace, options["mode"], jobs, progress), workspace)


def _with_worths(figures: Figures, plan: Plan, options: Mapping[str, Any]) -> tuple[Figures, int]:
    """Play the cards that stand out with and without; return the figures with them, and the exit status."""
    cards = outstanding_cards(figures.workspace, figures.exact, options["cards"])
    if not cards:
        return figures, 0
    request = replace(request_of(WorthRequest, options, cards=cards), games=plan.request.games)
    worth_tally = WorthTally(_usable(worth_plan(figures.workspace, request), figures.workspace))
    status = play_versions_to_end(worth_tally, options)
    worths = tuple(worth_tally.worths()) if worth_tally.is_finished else ()
    return replace(figures, worths=worths, is_finished=worth_tally.is_finished), status


def _usable(result: T | Unplayable, workspace: Workspace) -> T:
    """Return a result; where there is none, end the command with the reason."""
    if isinstance(result, Unplayable):
        raise click.exceptions.Exit(print_unplayable(workspace, result))
    return result
