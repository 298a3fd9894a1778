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
    request_of,
    set_option,
    workspace_with,
)
from toolkit.apps.cli.simulation_runs import (
    cluster_option,
    jobs_option,
    play_versions_to_end,
    players_option,
    seed_option,
)
from toolkit.apps.cli.terminal import Progress, echo, print_report, style
from toolkit.diagnostics.report import Report
from toolkit.play.odds.exploring import TooManyWays
from toolkit.play.odds.power import PowerRequest, Powers, find_powers
from toolkit.play.odds.power_jobs import powers_in_processes
from toolkit.play.playable_game import Unplayable, not_a_card
from toolkit.play.simulation.card_worth import DEFAULT_GAMES, WorthRequest, WorthTally, worth_plan
from toolkit.play.simulation.card_worth_report import worth_json, worth_text
from toolkit.play.simulation.workers import core_count

if TYPE_CHECKING:
    from toolkit.project.pipeline import Workspace


@click.command()
@click.argument("cards", metavar="[CARD]…", nargs=-1)
@click.option(
    "--games",
    metavar="N",
    type=WholeNumber(min=2),
    default=DEFAULT_GAMES,
    show_default=True,
    help="About so many games with each card, and as many without it.",
)
@seed_option
@jobs_option
@players_option
@cluster_option
@set_option
@mode_option
@project_option
@format_option("text", "json")
def worth(
    cards: tuple[str, ...], path: str | None, form: str, values: tuple[str, ...], **options: Any
) -> int:
    """Play games with cards and without them, and say what they do for winning and in attacks.

    The SQUADs that have a card play against those that have it not, the same games with the card and with a
    blank in its place. Without a CARD all cards of SQUADs are listed, by the games in which they were drawn
    and played.
    """
    workspace = workspace_with(open_workspace(path, cards), values)
    if isinstance(workspace, Report):
        print_report(workspace, form)
        return 1
    for card in cards:
        problem = not_a_card(workspace, card)
        if problem is not None:
            return print_unplayable(workspace, problem, form)
    plan = worth_plan(workspace, request_of(WorthRequest, options, cards=tuple(dict.fromkeys(cards))))
    if isinstance(plan, Unplayable):
        return print_unplayable(workspace, plan, form)
    powers = _powers(workspace, cards, options) if cards else None
    tally = WorthTally(plan)
    status = play_versions_to_end(tally, options)
    width = max(80, get_terminal_size((100, 24)).columns)
    text = worth_json(tally, powers) if form == "json" else worth_text(tally, powers, style(), width)
    echo(text, nl=False)
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
