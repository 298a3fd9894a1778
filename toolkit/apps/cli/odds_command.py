"""``opforge odds``."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from toolkit.apps.cli.odds_options import goal_option, limit_option, mode_option, within_limit
from toolkit.apps.cli.options import (
    WholeNumber,
    existing_paths,
    format_option,
    open_workspace,
    print_unplayable,
    project_option,
    set_option,
    workspace_with,
)
from toolkit.apps.cli.terminal import echo, print_report, style
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.report import Report
from toolkit.engine.state import SIDES
from toolkit.play.odds.matrix import MatrixRequest, find_matrix
from toolkit.play.odds.matrix_report import FORMATS
from toolkit.play.odds.odds_report import odds_data, odds_text
from toolkit.play.odds.request import Hands, Odds, OddsRequest, RefusedOdds, find_odds
from toolkit.play.playable_game import Unplayable
from toolkit.vocabulary import RANGES

if TYPE_CHECKING:
    from toolkit.project.pipeline import Workspace


def _hand(_context: click.Context, _parameter: click.Parameter, text: str | None) -> tuple[str, ...] | None:
    """Parse ``smoke-screen,hard-cover``."""
    if text is None:
        return None
    return tuple(card.strip() for card in text.split(",") if card.strip())


def _scenario(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> list[Any]:
    """Parse ``FILE#NAME``, repeated."""
    files_and_names = [text.partition("#") for text in texts]
    files = existing_paths([file for file, _, _ in files_and_names])
    return [(file, name or None) for file, (_, _, name) in zip(files, files_and_names, strict=True)]


_, _MOST_HITCOUNTER = RANGES["current"]


@click.command()
@click.argument("attacker", required=False)
@click.argument("target", required=False)
@click.option(
    "--scenario",
    "scenarios",
    metavar="FILE#NAME",
    multiple=True,
    callback=_scenario,
    help="In this scenario; without names the attack that is its last step. May be repeated.",
)
@click.option(
    "--after",
    metavar="N",
    type=WholeNumber(min=0),
    default=0,
    help="With --scenario and names: play its first N steps first.",
)
@click.option("--blue-hand", metavar="ID,ID", callback=_hand, help="The hand of blue, who attacks if alone.")
@click.option("--red-hand", metavar="ID,ID", callback=_hand, help="The hand of red.")
@goal_option("What the attacking player makes as great as possible, and the other as small.")
@limit_option
@click.option("--matrix", is_flag=True, help="All OPERATORs against all, each pair alone.")
@click.option(
    "--hits",
    "hitcounter",
    metavar="N",
    type=WholeNumber(min=0, max=_MOST_HITCOUNTER),
    default=0,
    help="With --matrix: the HITCOUNTER that the target has.",
)
@set_option
@mode_option
@project_option
@format_option("text", "json", "csv", "html")
def odds(**options: Any) -> int:
    """Compute the exact odds of an attack in which both players decide as well as they can.

    ATTACKER and TARGET are ids of OPERATORs. They stand alone, opposite each other; with --scenario where it
    puts them. Both players know both hands.
    """
    scenarios, form = options["scenarios"], options["form"]
    if options["matrix"]:
        return _print_matrix(options)
    if options["hitcounter"] or form in ("csv", "html"):
        raise click.UsageError("--hits, and the formats csv and html, belong to --matrix.")
    if options["target"] is None and (options["attacker"] is not None or not scenarios):
        raise click.UsageError("Name the attacker and the target, or a scenario that ends with an attack.")
    if scenarios and options["mode"] is not None:
        raise click.UsageError("--scenario and --mode exclude each other: the scenario sets the mode.")
    if options["after"] and (not scenarios or options["target"] is None):
        raise click.UsageError("--after needs --scenario and the names of two OPERATORs.")
    file_of_scenario, _name = next(iter(scenarios), (None, None))
    path = file_of_scenario or options["path"]
    workspace = workspace_with(open_workspace(path), options["values"])
    if isinstance(workspace, Report):
        print_report(workspace, form)
        return 1
    named = {name: options[name] for name in ("attacker", "target", "after", "goal", "limit", "mode")}
    hands = _hands(options)
    request = OddsRequest(**{name: value for name, value in named.items() if value}, hands=hands)
    requests = [replace(request, scenario=scenario) for scenario in scenarios or (None,)]
    return _find_and_print(workspace, requests, form)


def _hands(options: dict[str, Any]) -> Hands:
    return {side: options[f"{side}_hand"] for side in SIDES if options[f"{side}_hand"] is not None}


def _print_matrix(options: dict[str, Any]) -> int:
    """Print the odds of all pairs, and return the exit status."""
    if options["attacker"] is not None or options["scenarios"] or options["after"]:
        raise click.UsageError("--matrix is about all OPERATORs alone: without names and without --scenario.")
    workspace = workspace_with(open_workspace(options["path"]), options["values"])
    if isinstance(workspace, Report):
        print_report(workspace, options["form"])
        return 1
    values = {name: options[name] for name in ("goal", "hitcounter", "mode", "limit")}
    matrix = within_limit(
        options["limit"], find_matrix, workspace, MatrixRequest(hands=_hands(options), **values)
    )
    if isinstance(matrix, Unplayable):
        return print_unplayable(workspace, matrix, options["form"])
    echo(FORMATS[options["form"]](matrix), nl=False)
    return 0


def _find_and_print(workspace: Workspace, requests: list[OddsRequest], form: str) -> int:
    """Find the odds of each request, print them and return the exit status."""
    all_odds: list[Odds | RefusedOdds] = []
    for request in requests:
        odds = within_limit(request.limit, find_odds, workspace, request)
        if isinstance(odds, Unplayable):
            return print_unplayable(workspace, odds, form)
        all_odds.append(odds)
    if form == "json":
        first, *others = [odds_data(odds) for odds in all_odds]
        # the odds of one request are an object, those of several a list
        echo(json_text([first, *others] if others else first), nl=False)
    else:
        width = min(100, max(80, get_terminal_size((100, 24)).columns))
        echo("\n".join(odds_text(odds, style(), width) for odds in all_odds), nl=False)
    is_refused = any(isinstance(odds, RefusedOdds) or odds.chain is not None for odds in all_odds)
    return 1 if is_refused else 0
