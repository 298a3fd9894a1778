"""``opforge tune``."""

from __future__ import annotations

import math
from typing import Any

import click

from toolkit.apps.cli.odds_options import goal_option, mode_option
from toolkit.apps.cli.options import (
    format_option,
    open_workspace,
    print_unplayable,
    project_option,
    reject,
)
from toolkit.apps.cli.terminal import echo
from toolkit.diagnostics.escaping import json_text
from toolkit.editing.tuning import Tuning, tune_card
from toolkit.play.odds.measures import Goal
from toolkit.play.odds.power import PowerRequest
from toolkit.play.odds.power_report import shown
from toolkit.play.playable_game import Unplayable

MOST_LISTED = 12
"""How many changes the text lists; JSON has all."""


def _target(_context: click.Context, _parameter: click.Parameter, text: str) -> float:
    """Parse ``power=0``."""
    name, _, number = text.partition("=")
    try:
        target = float(number)
    except ValueError:
        target = math.nan
    if name != "power" or not math.isfinite(target):
        raise click.BadParameter("write power=0: how far above what is expected the card should lie.")
    return target


@click.command("tune")
@click.argument("card")
@click.option(
    "--target",
    metavar="power=N",
    default="power=0",
    show_default=True,
    callback=_target,
    help="How far above what the other cards of its kind let expect it should lie.",
)
@goal_option("As in power.")
@mode_option
@project_option
@format_option("text", "json")
def tune_command(card: str, target: float, path: str | None, form: str, **options: Any) -> int:
    """Try single numbers of a card, changed by 1 or 2, and list which come nearest to a wanted power.

    Nothing is written: `opforge power CARD --set …` shows one of them in full.
    """
    workspace = open_workspace(path, (card,))
    if card not in workspace.cards.cards:
        reject(f"{card!r} is not a card.")
    tuning = tune_card(workspace, card, target, PowerRequest(**options))
    if isinstance(tuning, Unplayable):
        return print_unplayable(workspace, tuning, form)
    echo(_as_json(tuning) if form == "json" else _as_text(tuning, options["goal"]), nl=False)
    return 0


def _as_json(tuning: Tuning) -> str:
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
    now, wanted = shown(goal, tuning.now), shown(goal, tuning.target)
    lines = [
        f"{tuning.card} lies {now} from what is expected at its price; wanted is {wanted}. With one change:"
    ]
    for tuned in tuning.tried[:MOST_LISTED]:
        lines.append(f"  {shown(goal, tuned.distance)}  {tuned.key}: {tuned.now} → {tuned.then}")
    if len(tuning.tried) > MOST_LISTED:
        lines.append(f"  and {len(tuning.tried) - MOST_LISTED} more (--format json)")
    return "\n".join(lines) + "\n"
