"""``opforge sheet``."""

from __future__ import annotations

from typing import Any

import click

from toolkit.cli.card_options import how_they_look, which_cards
from toolkit.cli.shared import ItBroke, Progress, echo, existing_paths, print_report, project_of


@click.command()
@click.argument("path", required=False)
@click.option("-o", "--output", metavar="FILE.pdf", required=True, help="The PDF to write.")
@which_cards
@click.option(
    "--layout",
    "layouts",
    metavar="NAME",
    multiple=True,
    help="A layout of `opforge layouts`; one for each card size.",
)
@click.option("--paper", metavar="NAME", help="a4, letter, a3, tabloid or 210x297mm. Default: the project's.")
@click.option(
    "--sides",
    type=click.Choice(["fronts", "backs", "both"]),
    help="What is printed. Default: what the layout says.",
)
@click.option("--backs", is_flag=True, help="The same as --sides both.")
@click.option(
    "--flip",
    type=click.Choice(["long", "short", "none"]),
    help="The edge over which the printer turns the paper; none: backs are not mirrored.",
)
@click.option("--fold", is_flag=True, help="Backs beside their fronts, along a line to fold.")
@click.option("--marks", type=click.Choice(["none", "corners", "edges", "full"]), help="Cut marks.")
@click.option(
    "--marks-on", type=click.Choice(["fronts", "backs", "both"]), help="Which sides have cut marks."
)
@click.option("--proof", is_flag=True, help="Show the cut and the safe zone for text.")
@click.option("--stamp", is_flag=True, help="Project, version and fingerprint in small type on each card.")
@how_they_look
@click.option(
    "--changed-since",
    metavar="REV|FOLDER",
    help="Only cards whose face changed since a git revision or an older copy, and a list.",
)
@click.option("--yes", is_flag=True, help="Also print more than 1,000 pages.")
@click.option("--printer", metavar="NAME", help="Move backs by the offset saved by `opforge align`.")
def sheet(**options: Any) -> int:
    """Print the cards of a project to sheets in a PDF."""
    from toolkit import api
    from toolkit.project import fitting, sheets

    path = options["path"]
    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    wish = _wish(options)
    refused = (
        workspace.unknown_ids(wish.ids)
        or workspace.unknown_language(wish.language)
        or sheets.unknown_paper(wish.layout.paper)
        or fitting.unknown_theme(workspace.root, wish.theme)
        or sheets.refused_output(wish.output)
    )
    if refused:
        raise click.UsageError(refused)
    outcome = sheets.write_sheet(workspace, wish, Progress("Rendering cards"))
    if isinstance(outcome, sheets.Refusal):
        raise ItBroke(outcome.message) if outcome.broken else click.UsageError(outcome.message)
    if outcome.report.findings:
        print_report(outcome.report, "text", err=True)
    echo(outcome.sentence)
    return outcome.report.exit_status()


def _wish(options: dict[str, Any]) -> Any:
    """What is wished; wrong use where options contradict each other."""
    from pathlib import Path

    from toolkit.project.layouts import LayoutWish
    from toolkit.project.sheets import SheetWish

    if options["backs"] and options["sides"] not in (None, "both"):
        raise click.UsageError(f"--backs means --sides both, not --sides {options['sides']}.")
    if options["fold"] and (options["sides"] or options["backs"] or options["flip"]):
        raise click.UsageError("--fold puts fronts and backs on one side: omit --sides, --backs and --flip.")
    layout = LayoutWish(
        names=options["layouts"],
        paper=options["paper"],
        sides="both" if options["backs"] else options["sides"],
        flip=options["flip"],
        marks=options["marks"],
        marks_on=options["marks_on"],
        fold="best" if options["fold"] else None,
    )
    return SheetWish(
        Path(options["output"]),
        options["lang"],
        options["ids"],
        options["kinds"],
        layout,
        options["proof"],
        options["stamp"],
        options["printer"],
        options["theme"],
        options["low_ink"],
        options["changed_since"],
        options["yes"],
    )
