"""Options that the commands about odds have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import click

from toolkit.apps.cli.options import WholeNumber
from toolkit.play.odds.exploring import DEFAULT_LIMIT, TooManyWays
from toolkit.play.odds.measures import GOALS

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
T = TypeVar("T")

limit_option = click.option(
    "--limit",
    metavar="N",
    type=WholeNumber(min=1),
    default=DEFAULT_LIMIT,
    show_default=True,
    help="Play at most so many ways through an attack.",
)
mode_option = click.option("--mode", metavar="ID", help="The game mode. Default: the project's.")


def goal_option(meaning: str) -> Callable[[F], F]:
    """Return the option for what an attack is about (O-1), with its help."""
    return click.option(
        "--goal", type=click.Choice(tuple(GOALS)), default="damage", show_default=True, help=meaning
    )


def within_limit(limit: int, find: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Return what is found; wrong use if more ways would have to be played than allowed."""
    try:
        return find(*args, **named)
    except TooManyWays:
        raise click.UsageError(
            f"There are more than {limit:,} ways through an attack; --limit allows more."
        ) from None
