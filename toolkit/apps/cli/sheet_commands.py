"""Commands that draw and print: sheets, pictures, the rules reference, alignment pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolkit.apps.cli.options import (
    KINDS,
    WholeNumber,
    appearance_options,
    card_options,
    existing_paths,
    fold_option,
    folder_option,
    format_option,
    language_option,
    paper_option,
    path_argument,
    pdf_option,
    printer_option,
    project_of,
    request_of,
    squad_option,
    write_with,
)
from toolkit.apps.cli.terminal import Progress, echo, error_of

if TYPE_CHECKING:
    from toolkit.products.sheets.project_layouts import ListedLayout


@click.command()
@path_argument
@pdf_option
@card_options
@squad_option("The cards of this SQUAD as often as it has them, and a row of OBJECTIVEs; may be repeated.")
@click.option(
    "--layout",
    "layouts",
    metavar="NAME",
    multiple=True,
    help="A layout of `opforge layouts`; one for each card size.",
)
@paper_option
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
@fold_option
@click.option("--marks", type=click.Choice(["none", "corners", "edges", "full"]), help="Cut marks.")
@click.option(
    "--marks-on", type=click.Choice(["fronts", "backs", "both"]), help="Which sides have cut marks."
)
@click.option("--proof", is_flag=True, help="Show the cut and the safe zone for text.")
@click.option("--stamp", is_flag=True, help="Project, version and fingerprint in small type on each card.")
@appearance_options
@click.option(
    "--changed-since",
    metavar="REV|FOLDER",
    help="Only cards whose face changed since a git revision or an older copy, and a list.",
)
@click.option("--yes", is_flag=True, help="Also print more than 1,000 pages.")
@printer_option
def sheet(**options: Any) -> int:
    """Print the cards of a project to sheets in a PDF."""
    from toolkit.products.sheets.project_layouts import LayoutRequest
    from toolkit.products.sheets.write_sheets import SheetRequest, write_sheet

    if options["backs"] and options["sides"] not in (None, "both"):
        raise click.UsageError(f"--backs means --sides both, not --sides {options['sides']}.")
    if options["squads"] and options["changed_since"]:
        raise click.UsageError("--squad prints all cards of a SQUAD; omit --changed-since.")
    if options["fold"] and (options["sides"] or options["backs"] or options["flip"]):
        raise click.UsageError("--fold puts fronts and backs on one side: omit --sides, --backs and --flip.")
    layout = LayoutRequest(
        names=options["layouts"],
        paper=options["paper"],
        sides="both" if options["backs"] else options["sides"],
        flip=options["flip"],
        marks=options["marks"],
        marks_on=options["marks_on"],
        fold="best" if options["fold"] else None,
    )
    request = request_of(SheetRequest, options, layout=layout, many_pages=options["yes"])
    return write_with(write_sheet, request, options, Progress("Rendering cards"))


_SERVICES = ("game-crafter", "makeplayingcards", "drivethrucards", "printplaygames")
"""The values of ``--service``, listed here so that other commands need not import the services."""


@click.command()
@path_argument
@folder_option
@card_options
@squad_option("The cards of this SQUAD; may be repeated.")
@appearance_options
@click.option("--dpi", metavar="NUMBER", type=WholeNumber(30, 1200), help="Dots per inch. Default: 300.")
@click.option("--bleed", is_flag=True, help="Include the bleed around each card, as print shops require.")
@click.option(
    "--service",
    type=click.Choice(_SERVICES),
    help="What a print service takes: pictures, or for the last two a PDF (-o FILE.pdf).",
)
@click.option("--yes", is_flag=True, help="Also print more than 1,000 pages to a PDF.")
@format_option("text", "json")
def cards(**options: Any) -> int:
    """Draw a picture of every card, ID.png, and of every back, in the folder backs."""
    from toolkit.press.services import SERVICES
    from toolkit.products.cards.card_files import (
        PictureRequest,
        ServiceRequest,
        write_pictures,
        write_service_pdf,
    )

    service = SERVICES[options["service"]] if options["service"] else None
    if service and (options["dpi"] or options["bleed"]):
        raise click.UsageError(f"--service {service.name} sets dpi and bleed; omit --dpi and --bleed.")
    progress = Progress("Drawing cards")
    if service and service.form != "pictures":
        order = request_of(ServiceRequest, options, service=service, many_pages=options["yes"])
        return write_with(write_service_pdf, order, options, progress)
    if options["output"].suffix.lower() == ".pdf":
        raise click.UsageError(
            "Pictures go to a folder. For a PDF: `opforge sheet`, or --service drivethrucards."
        )
    service_options = {"dpi": service.dpi, "bleed": True} if service else {}
    request = request_of(PictureRequest, options, service=service, **service_options)
    return write_with(write_pictures, request, options, progress)


@click.command()
@click.argument("path")
@click.option("--service", type=click.Choice(_SERVICES), required=True, help="The service that prints it.")
@format_option("text", "json")
def preflight(path: str, service: str, form: str) -> int:
    """Check a PDF, or pictures and folders of them, for a print service.

    The file may come from any program. Each check and its problems are listed, with the pages concerned.
    """
    from toolkit.diagnostics.phrases import counted
    from toolkit.press.preflight import preflight_pdf, preflight_pictures
    from toolkit.press.services import SERVICES

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
        from toolkit.diagnostics.escaping import json_text

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
    "-o",
    "--output",
    metavar="FILE.png|pdf",
    required=True,
    type=Path,
    help="The picture or PDF to write.",
)
@card_options
@appearance_options
@paper_option
@click.option(
    "--columns",
    metavar="NUMBER",
    type=WholeNumber(1, 40),
    help="The number of the widest cards side by side. "
    "Default: cards at 45 % of their size; 10 on a picture.",
)
@format_option("text", "json")
def contact(**options: Any) -> int:
    """Print all cards small, by kind and TEAM, to see the whole set at a glance, as a picture or pages.

    Every card is shown once, however often it is printed.
    """
    from toolkit.products.contact.write_contact_sheet import ContactRequest, write_contact

    if options["output"].suffix.lower() not in (".png", ".pdf"):
        raise click.UsageError(f"{options['output']} must end in .png or .pdf.")
    request = request_of(ContactRequest, options)
    return write_with(write_contact, request, options, Progress("Rendering cards"))


@click.command()
@path_argument
@folder_option
@card_options
@squad_option("The cards of this SQUAD as often as it has them, and a row of OBJECTIVEs; may be repeated.")
@appearance_options
@click.option(
    "--url-base",
    metavar="URL",
    help="The address of the folder once it is online. Default: the local folder.",
)
@click.option("--yes", is_flag=True, help="Also make more than 10,000 cards.")
@format_option("text", "json")
def tts(**options: Any) -> int:
    """Make decks for Tabletop Simulator: pictures, and a saved object beside them."""
    from toolkit.products.tabletop_simulator.write_decks import TtsRequest, write_tts

    request = request_of(TtsRequest, options, many_objects=options["yes"])
    return write_with(write_tts, request, options, Progress("Drawing cards"))


@click.command()
@path_argument
@pdf_option
@language_option
@click.option("--card", "ids", metavar="ID", multiple=True, help="For this card only; may be repeated.")
@click.option(
    "--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="For this kind only; may be repeated."
)
@paper_option
@click.option("--cards", is_flag=True, help="As cards for the box, two of each, on a sheet.")
def reference(**options: Any) -> int:
    """Print a rules reference for the table: steps, ACTIONs, keywords and icons on two pages.

    It explains the rules of the project's ruleset and mode, and what the chosen cards use.
    """
    from toolkit.products.reference.write_reference import ReferenceRequest, write_reference

    return write_with(write_reference, request_of(ReferenceRequest, options), options)


@click.command()
@path_argument
@click.option(
    "--all", "every", is_flag=True, help="Include layouts for card sizes that the project does not use."
)
@format_option("text", "json")
def layouts(path: str | None, every: bool, form: str) -> int:
    """List the layouts of sheets, and how many cards fit on each."""
    from toolkit import api
    from toolkit.data.project_files import find_project
    from toolkit.diagnostics.escaping import json_text
    from toolkit.products.sheets.project_layouts import list_layouts

    given_path = existing_paths((path,))[0] if path else None
    project = project_of(given_path) if given_path or find_project(None) else None
    cards = api.open_project(project).cards if project else None
    listed_layouts = list_layouts(cards, every or cards is None)
    if form == "json":
        echo(json_text({"version": 1, "layouts": list(map(_layout_data, listed_layouts))}), nl=False)
        return 0
    rows = list(map(_layout_row, listed_layouts))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, number, *cells in rows:
        padded_cells = [cell.ljust(width) for cell, width in zip(cells, widths[2:], strict=True)]
        echo("  ".join((name.ljust(widths[0]), number.rjust(widths[1]), *padded_cells)).rstrip())
    if cards is not None and not every:
        echo("Layouts for other card sizes: opforge layouts --all")
    return 0


def _layout_row(listed_layout: ListedLayout) -> tuple[str, str, str, str, str]:
    """Return the columns of a layout: name, number of cards, card size, paper, and remarks."""
    from toolkit.diagnostics.phrases import counted
    from toolkit.press.layout import LayoutProblem
    from toolkit.render.sizes import card_name, paper_name

    plan, arrangement = listed_layout.plan, listed_layout.found
    if isinstance(arrangement, LayoutProblem):
        return listed_layout.layout.id, "0 cards", card_name(plan.card), arrangement.message, ""
    grid = arrangement.grid
    slots = f"{grid[0]} × {grid[1]}" if grid else "staggered" if arrangement.staggered else "exact slots"
    remarks = [slots]
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
    from toolkit.press.layout import Arrangement, LayoutProblem
    from toolkit.products.sheets.project_layouts import paper_data
    from toolkit.render.sizes import card_name

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
    from toolkit.products.alignment import printer_alignment as alignment
    from toolkit.project.output import Refusal

    printer, offsets = options["name"], options["read"]
    if (options["output"] is not None) + (printer is not None) + options["listing"] != 1:
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
