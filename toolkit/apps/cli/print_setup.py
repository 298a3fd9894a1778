"""Commands for the printer and the print shop: layouts, alignment of backs, preflight.

Preflight is imported only by its command: it takes 0.1 s.
"""

from __future__ import annotations

# Imported where needed: `layouts` and `align` need no preflight, which takes 0.1 s to import.
from pathlib import Path
from typing import Any

import click

from toolkit import api
from toolkit.apps.cli.options import (
    existing_path,
    existing_paths,
    format_option,
    path_argument,
    project_of,
    request_of,
)
from toolkit.apps.cli.terminal import Progress, echo, error_of
from toolkit.data.project_files import find_project
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.phrases import counted
from toolkit.press.layout import Arrangement, LayoutProblem
from toolkit.press.services import SERVICES
from toolkit.products.alignment import printer_alignment as alignment
from toolkit.products.sheets.project_layouts import ListedLayout, list_layouts, paper_data
from toolkit.project.output import Refusal
from toolkit.render.sizes import card_name, paper_name


@click.command()
@click.argument("path")
@click.option("--service", type=click.Choice(SERVICES), required=True, help="The service that prints it.")
@format_option("text", "json")
def preflight(path: str, service: str, form: str) -> int:
    """Check a PDF, or pictures and folders of them, for a print service.

    The file may come from any program. Each check and its problems are listed, with the pages concerned.
    """
    from toolkit.press.preflight import preflight_pdf, preflight_pictures

    (file,), print_service = existing_paths((path,)), SERVICES[service]
    takes_pictures = print_service.form == "pictures"
    if file.is_dir() and not takes_pictures:
        raise click.UsageError(f"{print_service.title} takes a PDF, and {path} is a folder.")
    if file.suffix.lower() == ".pdf" and takes_pictures:
        raise click.UsageError(f"{print_service.title} takes pictures: name a folder of them, or one.")
    try:
        if takes_pictures:
            result = preflight_pictures(file, print_service)
        else:
            result = preflight_pdf(file, print_service, Progress("Checking pages"))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
    if form == "json":
        echo(json_text({"version": 1, "file": path, "service": service, **result.as_data()}), nl=False)
    else:
        for line in result.lines():
            echo(line)
        failed = counted(len(result.failed), "check")
        echo(f"{path}: {failed} failed." if result.failed else f"{path}: ready for {print_service.title}.")
    return 1 if result.problems else 0


@click.command()
@path_argument
@click.option(
    "--all", "every", is_flag=True, help="Include layouts for card sizes that the project does not use."
)
@format_option("text", "json")
def layouts(path: str | None, every: bool, form: str) -> int:
    """List the layouts of sheets, and how many cards fit on each."""
    # outside of a project the shipped layouts are listed
    given_path = existing_path(path)
    project = project_of(given_path) if given_path or find_project(None) else None
    cards = api.open_project(project).cards if project else None
    listed_layouts = list_layouts(cards, every or cards is None)
    if form == "json":
        echo(json_text({"version": 1, "layouts": list(map(_layout_data, listed_layouts))}), nl=False)
        return 0
    rows = list(map(_layout_row, listed_layouts))
    all_widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, number, *cells in rows:
        name_width, number_width, *widths = all_widths
        padded_cells = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
        echo("  ".join((name.ljust(name_width), number.rjust(number_width), *padded_cells)).rstrip())
    if cards is not None and not every:
        echo("Layouts for other card sizes: opforge layouts --all")
    return 0


def _layout_row(listed_layout: ListedLayout) -> tuple[str, str, str, str, str]:
    """Return the columns of a layout: name, number of cards, card size, paper, and remarks."""
    plan, arrangement = listed_layout.plan, listed_layout.found
    if isinstance(arrangement, LayoutProblem):
        return listed_layout.layout.id, "0 cards", card_name(plan.card), arrangement.message, ""
    grid = arrangement.grid
    if grid is not None:
        columns, rows = grid
        remarks = [f"{columns} × {rows}"]
    else:
        remarks = ["staggered" if arrangement.staggered else "exact slots"]
    if plan.fold != "none":
        remarks.append("backs beside a fold line")
    elif plan.bleed and min(plan.gap) >= 2 * plan.bleed:
        remarks.append(f"{plan.bleed:g} mm bleed around every card")
    if plan.shape != "rect":
        kinds = ", ".join(kind.upper() for kind in listed_layout.kinds) or "with templates of your own"
        remarks.append(f"only {kinds}")
    card_count = counted(listed_layout.cards, "card")
    return (
        listed_layout.layout.id,
        card_count,
        card_name(plan.card),
        paper_name(arrangement.paper),
        ", ".join(remarks),
    )


def _layout_data(listed_layout: ListedLayout) -> dict[str, Any]:
    """Return a layout as JSON data; lengths are in mm."""
    plan, result = listed_layout.plan, listed_layout.found
    arrangement = result if isinstance(result, Arrangement) else None
    columns, rows = (arrangement.grid if arrangement else None) or (None, None)
    return {
        "id": listed_layout.layout.id,
        "own": listed_layout.own,
        "cards": listed_layout.cards,
        "columns": columns,
        "rows": rows,
        "card": {
            "name": card_name(plan.card),
            "width": plan.card.width,
            "height": plan.card.height,
            "shape": plan.shape,
        },
        "paper": paper_data(arrangement.paper if arrangement else plan.paper),
        "gap": plan.gap._asdict(),
        "bleed": plan.bleed,
        "marks": plan.marks,
        "marks_on": plan.marks_on,
        "kinds": list(listed_layout.kinds),
        "sides": plan.sides,
        "flip": plan.flip,
        "fold": arrangement.fold if arrangement else plan.fold,
        "gutter": plan.gutter,
        "problem": result.message if isinstance(result, LayoutProblem) else None,
    }


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("-o", "--output", metavar="FILE.pdf", type=Path, help="Write the page to print.")
@click.option(
    "--set", "name", metavar="NAME", help="Save RIGHT and UP, as read off the page, for this printer."
)
@click.argument("read", metavar="[RIGHT UP]", nargs=-1)
@click.option("--list", "listing", is_flag=True, help="Show the printers that were measured.")
@click.option("--landscape", is_flag=True, help="For paper that lies on its long side.")
@click.option("--paper", metavar="NAME", default="a4", show_default=True, help="a4, letter or 210x297mm.")
@click.option(
    "--flip",
    type=click.Choice(["long", "short"]),
    default="long",
    show_default=True,
    help="The edge over which the printer turns the paper.",
)
@click.option("--printer", metavar="NAME", help="With -o: apply the saved offset, to verify it.")
@click.option(
    "--lang",
    type=click.Choice(["en", "de"]),
    default="en",
    show_default=True,
    help="The language of the page.",
)
def align(**options: Any) -> int:
    """Align backs with their fronts: print a page, read the offset off it, save it for the printer.

    \b
    opforge align -o align.pdf
    opforge align --set office 1.5 -0.5
    opforge sheet -o sheet.pdf --backs --printer office
    """
    printer, offsets = options["name"], options["read"]
    requested = (options["output"] is not None, printer is not None, options["listing"])
    if sum(requested) != 1:
        raise click.UsageError("Say what to do: -o FILE.pdf, --set NAME RIGHT UP, or --list.")
    if printer is None and offsets:
        raise click.UsageError(f"{offsets[0]!r} means nothing without --set NAME.")
    if printer is not None:
        outcome = alignment.record_offset(printer, offsets, options["landscape"])
    elif options["listing"]:
        outcome = alignment.list_printers()
    else:
        outcome = alignment.write_align_page(request_of(alignment.AlignRequest, options))
    if isinstance(outcome, Refusal):
        raise error_of(outcome)
    echo(outcome)
    return 0
