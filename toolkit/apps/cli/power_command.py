"""``opforge power``."""

from __future__ import annotations

from functools import partial
from shutil import get_terminal_size
from typing import Any

import click

from toolkit.apps.cli.odds_options import goal_option, limit_option, mode_option, within_limit
from toolkit.apps.cli.options import (
    format_option,
    open_workspace,
    print_unplayable,
    project_option,
    set_option,
    workspace_with,
)
from toolkit.apps.cli.simulation_runs import jobs_option
from toolkit.apps.cli.terminal import Progress, echo, print_report, style
from toolkit.diagnostics.report import Report
from toolkit.play.odds.power import PowerRequest, find_powers
from toolkit.play.odds.power_jobs import powers_in_processes
from toolkit.play.odds.power_report import powers_json, powers_text
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.workers import core_count


@click.command()
@click.argument("ids", metavar="[ID]…", nargs=-1)
@goal_option("What attacks are about, as in `opforge odds`.")
@mode_option
@limit_option
@jobs_option
@set_option
@project_option
@format_option("text", "json")
def power(ids: tuple[str, ...], path: str | None, form: str, **options: Any) -> int:
    """Compute what cards add to attacks, exactly, over all pairs of OPERATORs, and against their price.

    Without an ID all cards are measured.
    """
    workspace = workspace_with(open_workspace(path, ids), options.pop("values"))
    if isinstance(workspace, Report):
        print_report(workspace, form)
        return 1
    jobs = options.pop("jobs") or core_count()
    request = PowerRequest(ids, **options)
    elsewhere = partial(powers_in_processes, workspace, request, jobs)
    progress = Progress("Measuring cards")
    powers = within_limit(options["limit"], find_powers, workspace, request, elsewhere, progress)
    if isinstance(powers, Unplayable):
        return print_unplayable(workspace, powers, form)
    width = max(80, get_terminal_size((100, 24)).columns)
    echo(powers_json(powers) if form == "json" else powers_text(powers, style(), width), nl=False)
    return 0
