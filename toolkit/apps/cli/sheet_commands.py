"""Commands that draw cards and rules: sheets, pictures, contact sheets, decks, the rules reference.

What the rules reference needs is imported only by it: the engine takes 20 ms.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from toolkit.apps.cli.options import (
    KINDS,
    WholeNumber,
    appearance_options,
    card_options,
    fold_option,
    folder_option,
    format_option,
    language_option,
    low_ink_option,
    pair_option,
    paper_option,
    path_argument,
    pdf_option,
    printer_option,
    request_of,
    squad_option,
    theme_option,
    write_with,
)
from toolkit.apps.cli.terminal import Progress
from toolkit.press.services import SERVICES
from toolkit.products.cards.card_files import (
    PictureRequest,
    ServiceRequest,
    write_pictures,
    write_service_pdf,
)
from toolkit.products.contact.write_contact_sheet import ContactRequest, write_contact
from toolkit.products.looks.write_looks import write_looks
from toolkit.products.sheets.project_layouts import LayoutRequest
from toolkit.products.sheets.write_sheets import SheetRequest, write_sheet
from toolkit.products.tabletop_simulator.write_decks import TtsRequest, write_tts


@click.command()
@path_argument
@pdf_option
@card_options
@squad_option("The cards of this SQUAD as often as it has them, and a row of OBJECTIVEs; may be repeated.")
@pair_option("The cards that two players of these SQUADs need at the same time.")
@click.option(
    "--for-two",
    is_flag=True,
    help="The cards that two players need: the SQUADs of `first_game`, else any two.",
)
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


@click.command()
@path_argument
@folder_option
@card_options
@squad_option("The cards of this SQUAD; may be repeated.")
@pair_option("The cards that two players of these SQUADs need at the same time.")
@appearance_options
@click.option("--dpi", metavar="NUMBER", type=WholeNumber(30, 1200), help="Dots per inch. Default: 300.")
@click.option("--bleed", is_flag=True, help="Include the bleed around each card, as print shops require.")
@click.option(
    "--service",
    type=click.Choice(SERVICES),
    help="What a print service takes: pictures, or for the last two a PDF (-o FILE.pdf).",
)
@click.option("--yes", is_flag=True, help="Also print more than 1,000 pages to a PDF.")
@format_option("text", "json")
def cards(**options: Any) -> int:
    """Draw a picture of every card, ID.png, and of every back, in the folder backs."""
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


def _picture_or_pdf(_context: click.Context, _option: click.Parameter, file: Path) -> Path:
    if file.suffix.lower() not in (".png", ".pdf"):
        raise click.UsageError(f"{file} must end in .png or .pdf.")
    return file


_picture_or_pdf_option = click.option(
    "-o",
    "--output",
    metavar="FILE.png|pdf",
    required=True,
    type=Path,
    callback=_picture_or_pdf,
    help="The picture or PDF to write.",
)


@click.command()
@path_argument
@_picture_or_pdf_option
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
    request = request_of(ContactRequest, options)
    return write_with(write_contact, request, options, Progress("Rendering cards"))


@click.command()
@path_argument
@_picture_or_pdf_option
@card_options
@theme_option
@low_ink_option
@paper_option
@format_option("text", "json")
def looks(**options: Any) -> int:
    """Show cards of the project in its own look and in each shipped one, as a picture or pages.

    One card of each kind, or those that --card names. `look: NAME` in opforge.yaml chooses a look.
    """
    request = request_of(ContactRequest, options)
    return write_with(write_looks, request, options, Progress("Rendering cards"))


@click.command()
@path_argument
@folder_option
@card_options
@squad_option("The cards of this SQUAD as often as it has them, and a row of OBJECTIVEs; may be repeated.")
@pair_option("The cards that two players of these SQUADs need at the same time.")
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
@pair_option("For the cards that two players of these SQUADs need.")
@paper_option
@click.option("--cards", is_flag=True, help="As cards for the box, two of each, on a sheet.")
@appearance_options
def reference(**options: Any) -> int:
    """Print a rules reference for the table: steps, ACTIONs, keywords and icons on two pages.

    It explains the rules of the project's ruleset and mode, and what the chosen cards use.
    """
    from toolkit.products.reference.write_reference import ReferenceRequest, write_reference

    return write_with(write_reference, request_of(ReferenceRequest, options), options)
