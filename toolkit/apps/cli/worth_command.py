"""``opforge worth``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from toolkit.apps.cli.odds_options import mode_option
from toolkit.apps.cli.options import (
    WholeNumber,
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
    jobs_option,
    play_versions_to_end,
    players_option,
    resume_option,
    save_option,
    saved_run,
    seed_option,
    with_saved,
)
from toolkit.apps.cli.terminal import Progress, echo, print_report, style
from toolkit.diagnostics.report import Report
from toolkit.play.odds.exploring import TooManyWays
from toolkit.play.odds.power import PowerRequest, Powers, find_powers
from toolkit.play.odds.power_jobs import powers_in_processes
from toolkit.play.playable_game import Unplayable, not_a_card
from toolkit.play.simulation.card_worth import DEFAULT_GAMES, WorthRequest, WorthTally, worth_plan
from toolkit.play.simulation.card_worth_report import worth_json, worth_text
from toolkit.play.simulation.checkpoint import header_of
from toolkit.play.simulation.workers import core_count

if TYPE_CHECKING:
    from toolkit.project.pipeline import Workspace


@click.command()
@click.argument("cards", metavar="[CARD]…", nargs=-1)
@click.option(
    "--games",
    metavar="N",
    type=WholeNumber(min=2),
    help=f"About so many games with each card, and as many without it. Default: {DEFAULT_GAMES}.",
)
@seed_option
@jobs_option
@players_option
@cluster_option
@set_option
@save_option
@resume_option
@mode_option
@project_option
@format_option("text", "json")
def worth(cards: tuple[str, ...], path: str | None, form: str, **options: Any) -> int:
    """Play games with cards and without them, and say what they do for winning and in attacks.

    The SQUADs that have a card play against those that have it not, the same games with the card and with a
    blank in its place. Without a CARD all cards of SQUADs are listed, by the games in which they were drawn
    and played.
    """
    saved = saved_run(options, WorthRequest)
    options = with_saved({**options, "cards": tuple(dict.fromkeys(cards))}, saved)
    cards = options["cards"]
    workspace = workspace_with(open_workspace(path, cards), options["values"])
    if isinstance(workspace, Report):
        print_report(workspace, form)
        return 1
    for card in cards:
        problem = not_a_card(workspace, card)
        if problem is not None:
            return print_unplayable(workspace, problem, form)
    plan = worth_plan(workspace, request_of(WorthRequest, options))
    if isinstance(plan, Unplayable):
        return print_unplayable(workspace, plan, form)
    tally = WorthTally(plan)
    header = header_of(plan.request, tally.setups, options["values"])
    reject(saved.difference(header) if saved is not None else None)
    powers = _powers(workspace, cards, options) if cards else None
    checkpoint = checkpoint_of(options, header, saved)
    played = saved.chunks(tally.task) if saved is not None else ()
    status = play_versions_to_end(tally, options, played, checkpoint)
    width = max(80, get_terminal_size((100, 24)).columns)
    text = worth_json(tally, powers) if form == "json" else worth_text(tally, powers, style(), width)
    echo(text, nl=False)
    if status and checkpoint is not None:
        echo(f"Go on with: opforge worth --resume {checkpoint.file}", err=True)
    return status


def _powers(workspace: Workspace, cards: tuple[str, ...], options: Mapping[str, Any]) -> Powers | None:
    """Return what the cards add to attacks; None where it would take too long, or no attack can be played."""
    request = PowerRequest(cards, mode=options["mode"])
    elsewhere = partial(powers_in_processes, workspace, request, options["jobs"] or core_count())
    try:
        powers = find_powers(workspace, request, elsewhere, Progress("Measuring cards"))
    except TooManyWays:
        return None
    return powers if isinstance(powers, Powers) else None
