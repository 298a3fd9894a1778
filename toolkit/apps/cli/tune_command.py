"""``opforge tune``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource

from toolkit.apps.cli.odds_options import goal_option, mode_option
from toolkit.apps.cli.options import (
    WholeNumber,
    format_option,
    open_workspace,
    print_unplayable,
    project_option,
    request_of,
)
from toolkit.apps.cli.simulation_runs import (
    cluster_option,
    jobs_option,
    play_versions_to_end,
    players_option,
    seed_option,
)
from toolkit.apps.cli.terminal import echo
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.phrases import counted
from toolkit.editing.tuning import Tuning, tune_card
from toolkit.editing.win_tuning import DEFAULT_GAMES, WinTuning, win_tuning
from toolkit.play.odds.measures import Goal
from toolkit.play.odds.power import PowerRequest
from toolkit.play.odds.power_report import shown
from toolkit.play.playable_game import Unplayable, not_a_card
from toolkit.play.simulation.card_worth import WorthRequest
from toolkit.play.simulation.simulation_report import interval_data, percent, shown_range
from toolkit.play.simulation.statistics import games_needed
from toolkit.project.pipeline import Workspace

MOST_LISTED = 12
"""How many changes the text lists; JSON has all."""


def _target(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[str, float]:
    """Parse ``power=0`` or ``win=0.5``."""
    name, _, number = text.partition("=")
    try:
        target = float(number)
    except ValueError:
        target = math.nan
    if name not in ("power", "win") or not math.isfinite(target):
        raise click.BadParameter(
            "write power=0: how far above what is expected the card should lie; "
            "or win=0.5: how often the SQUADs with it should win."
        )
    if name == "win" and not 0 <= target <= 1:
        raise click.BadParameter("win is a rate from 0 to 1: win=0.5.")
    return name, target


_OPTIONS = {"power": ("goal",), "win": ("games", "seed", "jobs", "players", "cluster")}
"""Options that only one target has a use for."""


def _reject_options_of_another_target(name: str) -> None:
    """Raise a usage error for an option that would change nothing."""
    context = click.get_current_context()
    for other, options in _OPTIONS.items():
        for option in options:
            is_given = context.get_parameter_source(option) is ParameterSource.COMMANDLINE
            if other != name and is_given:
                raise click.UsageError(f"--{option} is for --target {other}=…, not for {name}.")


@click.command("tune")
@click.argument("card")
@click.option(
    "--target",
    metavar="power=N|win=RATE",
    default="power=0",
    show_default=True,
    callback=_target,
    help="How far above what the other cards of its kind let expect it should lie, or how often the SQUADs "
    "with it should win against those without it.",
)
@click.option(
    "--games",
    metavar="N",
    type=WholeNumber(min=2),
    help=f"For win: about so many games with each change. Default: {DEFAULT_GAMES}.",
)
@seed_option
@jobs_option
@players_option
@cluster_option
@goal_option("For power: what attacks are about.")
@mode_option
@project_option
@format_option("text", "json")
def tune_command(
    card: str, target: tuple[str, float], goal: Goal, path: str | None, form: str, **options: Any
) -> int:
    """Try single numbers of a card, changed by 1 or 2, and list which come nearest to a wanted power or win
    rate.

    Nothing is written: `opforge power CARD --set …` shows one of them in full.
    """
    workspace = open_workspace(path, (card,))
    problem = not_a_card(workspace, card)
    if problem is not None:
        return print_unplayable(workspace, problem, form)
    name, wanted = target
    _reject_options_of_another_target(name)
    if name == "win":
        return _tune_wins(workspace, card, wanted, form, options)
    tuning = tune_card(workspace, card, wanted, PowerRequest(goal=goal, mode=options["mode"]))
    if isinstance(tuning, Unplayable):
        return print_unplayable(workspace, tuning, form)
    echo(_as_json(tuning) if form == "json" else _as_text(tuning, goal), nl=False)
    return 0


def _tune_wins(workspace: Workspace, card: str, target: float, form: str, options: Mapping[str, Any]) -> int:
    """Tune by games: those that are played when it is interrupted count."""
    request = request_of(WorthRequest, {**options, "games": options["games"] or DEFAULT_GAMES})
    tuning = win_tuning(workspace, card, target, request)
    if isinstance(tuning, Unplayable):
        return print_unplayable(workspace, tuning, form)
    status = play_versions_to_end(tuning, options)
    echo(_wins_as_json(tuning) if form == "json" else _wins_as_text(tuning), nl=False)
    return status


def _wins_as_json(tuning: WinTuning) -> str:
    """Return what each change of a card does to the wins of its SQUADs, as JSON."""
    tried = [
        {
            "set": f"{tuning.card}.{tuned.change.key}={tuned.change.then}",
            "step": tuned.change.step,
            "wins": interval_data(tuned.rate),
            "difference": interval_data(tuned.difference.difference),
            "games": tuned.difference.games,
        }
        for tuned in tuning.tried()
    ]
    return json_text(
        {
            "version": 1,
            "unfinished": not tuning.is_finished,
            "card": tuning.card,
            "target": tuning.target,
            "wins": interval_data(tuning.now),
            "tried": tried,
        }
    )


def _wins_as_text(tuning: WinTuning) -> str:
    """Return what each change of a card does to the wins of its SQUADs, as lines."""
    now, tried, games = tuning.now, tuning.tried(), counted(tuning.games_a_version, "game")
    lines = [
        f"SQUADs with {tuning.card} win {percent(now.value)} ({shown_range(now)}) against those without it;",
        f"wanted is {percent(tuning.target)}. With one change, each in {games}:",
    ]
    if not tuning.is_finished:
        lines.append("UNFINISHED: not all games were played.")
    all_possible = all(tuned.rate.low <= tuning.target <= tuned.rate.high for tuned in tried)
    if len(tried) > 1 and all_possible and now.is_too_wide:
        lines.append(f"Too few games to tell: each may be what is wanted. {games_needed()}")
    for tuned in tried[:MOST_LISTED]:
        rate, change = tuned.rate, tuned.change
        words = f"{change.key}: {change.now} → {change.then}"
        lines.append(f"  {percent(rate.value)} ({shown_range(rate)})  {words}")
    if len(tried) > MOST_LISTED:
        lines.append(f"  and {len(tried) - MOST_LISTED} more (--format json)")
    return "\n".join(lines) + "\n"


def _as_json(tuning: Tuning) -> str:
    """Return how far from its target a card is with each change, as JSON."""
    tried = [
        {
            "set": f"{tuning.card}.{tuned.key}={tuned.then}",
            "step": tuned.step,
            "above_expected": round(tuned.distance, 4),
        }
        for tuned in tuning.tried
    ]
    now = round(tuning.now, 4)
    return json_text(
        {"version": 1, "card": tuning.card, "target": tuning.target, "above_expected": now, "tried": tried}
    )


def _as_text(tuning: Tuning, goal: Goal) -> str:
    """Return how far from its target a card is with each change, as lines."""
    now, wanted = shown(goal, tuning.now), shown(goal, tuning.target)
    lines = [
        f"{tuning.card} lies {now} from what is expected at its price; wanted is {wanted}. With one change:"
    ]
    for tuned in tuning.tried[:MOST_LISTED]:
        lines.append(f"  {shown(goal, tuned.distance)}  {tuned.key}: {tuned.now} → {tuned.then}")
    if len(tuning.tried) > MOST_LISTED:
        lines.append(f"  and {len(tuning.tried) - MOST_LISTED} more (--format json)")
    return "\n".join(lines) + "\n"
