"""``opforge worth``."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import Any

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
    cluster_option,
    jobs_option,
    play_versions_to_end,
    players_option,
    seed_option,
)
from toolkit.apps.cli.terminal import echo, print_report, style
from toolkit.diagnostics.report import Report
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.card_worth import DEFAULT_GAMES, WorthRequest, WorthTally, worth_plan
from toolkit.play.simulation.card_worth_report import worth_json, worth_text


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
    """Play games with cards and without them, and say what they do for winning.

    The SQUADs that have a card play against those that have it not, the same games with the card and with a
    blank in its place. Without a CARD all cards of SQUADs are listed, by the games in which they were drawn
    and played.
    """
    workspace = workspace_with(open_workspace(path, cards), values)
    if isinstance(workspace, Report):
        print_report(workspace, form)
        return 1
    for card in cards:
        if card not in workspace.cards.cards:
            reject(f"{card!r} is not a card.")
    plan = worth_plan(workspace, request_of(WorthRequest, options, cards=tuple(dict.fromkeys(cards))))
    if isinstance(plan, Unplayable):
        return print_unplayable(workspace, plan, form)
    tally = WorthTally(plan)
    status = play_versions_to_end(tally, options)
    width = max(80, get_terminal_size((100, 24)).columns)
    echo(worth_json(tally) if form == "json" else worth_text(tally, style(), width), nl=False)
    return status
