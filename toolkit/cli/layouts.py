"""``opforge layouts``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from toolkit.cli.shared import echo, existing_paths, format_option, project_of

if TYPE_CHECKING:
    from toolkit.project.layouts import Listed


@click.command()
@click.argument("path", required=False)
@click.option(
    "--all", "every", is_flag=True, help="Include layouts for card sizes that the project does not use."
)
@format_option("text", "json")
def layouts(path: str | None, every: bool, form: str) -> int:
    """List the layouts of sheets, and how many cards fit on each."""
    from toolkit import api
    from toolkit.data.project_files import find_project
    from toolkit.project.layouts import list_layouts

    given = existing_paths((path,))[0] if path else None
    project = project_of(given) if given or find_project(None) else None
    cards = api.open_project(project).cards if project else None
    listed = list_layouts(cards, every or cards is None)
    if form == "json":
        echo(_as_json(listed), nl=False)
        return 0
    lines = [_columns(one) for one in listed]
    widths = [max(len(line[number]) for line in lines) for number in range(5)]
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        cells[1] = line[1].rjust(widths[1])
        echo("  ".join(cells).rstrip())
    if cards is not None and not every:
        echo("Layouts for other card sizes: opforge layouts --all")
    return 0


def _columns(one: Listed) -> tuple[str, str, str, str, str]:
    """Name, how many fit, the card, the paper, and what is special."""
    from toolkit.render.layout import Misfit
    from toolkit.render.paper_names import card_name, paper_name

    plan = one.plan
    if isinstance(one.found, Misfit):
        return one.layout.id, "0 cards", card_name(plan.card), one.found.message, ""
    grid = one.found.grid
    places = "exact slots" if grid is None else f"{grid[0]} × {grid[1]}"
    special = [places]
    if plan.fold != "none":
        special.append("backs beside a fold line")
    elif plan.bleed and min(plan.gap) >= 2 * plan.bleed:
        special.append(f"{plan.bleed:g} mm bleed around every card")
    cards = f"{one.cards} card{'' if one.cards == 1 else 's'}"
    return one.layout.id, cards, card_name(plan.card), paper_name(one.found.paper), ", ".join(special)


def _as_json(listed: list[Listed]) -> str:
    from toolkit.diagnostics.escaping import json_text

    data = {"version": 1, "layouts": [_entry(one) for one in listed]}
    return json_text(data)


def _entry(one: Listed) -> dict[str, Any]:
    """What a program may want to know of a layout; lengths in mm."""
    from toolkit.render.layout import Misfit
    from toolkit.render.paper_names import card_name, paper_name

    plan, found = one.plan, one.found
    misfit = found if isinstance(found, Misfit) else None
    paper = plan.paper if isinstance(found, Misfit) else found.paper
    grid = None if isinstance(found, Misfit) else found.grid
    return {
        "id": one.layout.id,
        "own": one.own,
        "cards": one.cards,
        "columns": grid[0] if grid else None,
        "rows": grid[1] if grid else None,
        "card": {"name": card_name(plan.card), "width": plan.card.width, "height": plan.card.height},
        "paper": {"name": paper_name(paper), "width": paper.width, "height": paper.height},
        "gap": plan.gap._asdict(),
        "bleed": plan.bleed,
        "marks": plan.marks,
        "marks_on": plan.marks_on,
        "sides": plan.sides,
        "flip": plan.flip,
        "fold": plan.fold if isinstance(found, Misfit) else found.fold,
        "problem": misfit.message if misfit else None,
    }
