"""Commands that print what belongs on the table and in the box in addition to the cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from toolkit.apps.cli.options import (
    Number,
    WholeNumber,
    appearance_options,
    card_options,
    fold_option,
    format_option,
    language_option,
    languages_option,
    look_option,
    pair_option,
    paper_option,
    papers_option,
    path_argument,
    pdf_option,
    printer_option,
    request_of,
    sides_option,
    squad_option,
    theme_option,
    write_with,
)
from toolkit.apps.cli.terminal import Progress
from toolkit.products.counters import CounterRequest, write_counters
from toolkit.products.learn.write_learn import write_learn
from toolkit.products.mat.write_mat import MatRequest, write_mat
from toolkit.products.print_and_play.write_set import SetRequest, write_set
from toolkit.products.sheets.print_job import PrintRequest
from toolkit.products.squads import write_squads
from toolkit.products.tuckbox.write_tuckbox import BoxRequest, write_tuckbox

_COUNTERS = "hitcounter, objectivecounter, exhausted, suppressed, bonus, first-player or the id of a marker"


def _amount(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> dict[str, int]:
    """Return the amounts by name; wrong use if one is not NAME=NUMBER."""
    amounts = {}
    for value in values:
        name, _, number = value.partition("=")
        if not (number.isdecimal() and int(number) <= 999):
            raise click.UsageError(
                f"--amount takes NAME=NUMBER up to 999, such as hitcounter=20, not {value!r}."
            )
        amounts[name] = int(number)
    return amounts


@click.command()
@path_argument
@pdf_option
@language_option
@click.option(
    "--shape", type=click.Choice(["round", "square", "hex"]), help="Default: the project's, else round."
)
@click.option(
    "--size",
    metavar="MM",
    type=Number(10, 60),
    help="Diameter, or side of a square. Default: the project's, else 20.",
)
@click.option(
    "--marks",
    type=click.Choice(["cut", "punch", "none"]),
    help="Where to cut; or a ring and a cross for a punch. Default: the project's, else cut.",
)
@click.option(
    "--amount",
    "amounts",
    metavar="NAME=NUMBER",
    multiple=True,
    callback=_amount,
    help=f"How many of one: {_COUNTERS}. May be repeated. Default: worked out.",
)
@click.option("--only", metavar="NAME", multiple=True, help="Only this one; may be repeated.")
@pair_option("For a game of these SQUADs. Default: those of `first_game`, else any two.")
@paper_option
@sides_option
@click.option(
    "--flip",
    type=click.Choice(["long", "short", "none"]),
    help="The edge over which the printer turns the paper; none: backs are not mirrored. Default: long.",
)
@fold_option
@printer_option
@appearance_options
@format_option("text", "json")
def counters(**options: Any) -> int:
    """Print counters and markers: HITCOUNTERs, OBJECTIVECOUNTERs, states, the first player's, your own.

    Counters have one number on the front and another on the back. How many there are is worked out from the
    mode and the two SQUADs: enough for OPERATORs with the most DP, all one hit below them, and for the
    fastest at each OBJECTIVE; `counters:` in opforge.yaml says otherwise.
    """
    if options["fold"] and (options["sides"] or options["flip"]):
        raise click.UsageError("--fold puts fronts and backs on one side: omit --sides and --flip.")
    return write_with(write_counters, request_of(CounterRequest, options), options)


@click.command()
@path_argument
@pdf_option
@card_options
@paper_option
@click.option(
    "--for",
    "cards",
    metavar="NUMBER",
    type=WholeNumber(1, 10_000),
    help="The number of cards. Default: the chosen ones, each as often as it is printed.",
)
@click.option("--sleeved/--bare", "sleeved", default=None, help="Whether the cards are in sleeves.")
@click.option(
    "--thickness",
    metavar="MM",
    type=Number(0.1, 5),
    help="Thickness of a card with its sleeve. Default: the project's, else 0.3, sleeved 0.6.",
)
@click.option(
    "--boxes",
    metavar="NUMBER",
    type=WholeNumber(1, 50),
    help="The number of boxes that share the cards. Default: 1.",
)
@squad_option("A box for the cards of this SQUAD; may be repeated.")
@pair_option("One box for the cards that two players of these SQUADs need.")
@click.option("--proof", is_flag=True, help="Names and measures of the panels, to fold a first try.")
@appearance_options
@format_option("text", "json")
def tuckbox(**options: Any) -> int:
    """Print a tuckbox for the cards: cut, fold and glue it.

    It has a lid with a tuck flap, a thumb notch and a glued bottom, and room for all copies of the chosen
    cards.
    """
    names_cards = any(options[name] for name in ("cards", "boxes", "ids", "kinds"))
    if options["squads"] and names_cards:
        raise click.UsageError("--squad is a box for each SQUAD: omit --for, --boxes, --card and --kind.")
    return write_with(write_tuckbox, request_of(BoxRequest, options), options)


@click.command()
@path_argument
@pdf_option
@click.option("--mode", metavar="ID", help="A mode of the project. Default: that of opforge.yaml.")
@language_option
@paper_option
@click.option(
    "--full/--compact",
    "full",
    default=None,
    help="A place for each card, or only the FIELD and its piles, with zones at the edges. Default: full, "
    "unless only the compact mat fits one sheet.",
)
@click.option("--one-sheet", is_flag=True, help="Scale it down until it fits one sheet.")
@theme_option
@look_option
@click.option(
    "--full-ink/--low-ink",
    "full_ink",
    default=None,
    help="Grounds, pictures and colours, or outlines and black text. Default: the project's, else low.",
)
@format_option("text", "json")
def mat(**options: Any) -> int:
    """Print the FIELD of a game mode as a mat for the table.

    Two rows of FIELDPOSITIONs with their OBJECTIVEs, SAVEZONE, STRATEGY and the piles of both players, in the
    size of the cards. What one sheet does not hold is printed on several: they are numbered, overlap by
    10 mm, and say what is glued where.
    """
    forms = {None: None, True: "full", False: "compact"}
    return write_with(write_mat, request_of(MatRequest, options, form=forms[options["full"]]), options)


@click.command()
@path_argument
@pdf_option
@squad_option("Only this SQUAD; may be repeated.")
@language_option
@paper_option
@appearance_options
@format_option("text", "json")
def squads(**options: Any) -> int:
    """Print the ready SQUADs of a project, half a page each.

    OPERATORs with their places and numbers, SQUADPOINTS, DECK and ITEMDECK. The cards of one SQUAD:
    `opforge sheet --squad ID`.
    """
    return write_with(write_squads, request_of(PrintRequest, options), options)


@click.command()
@path_argument
@pdf_option
@pair_option("A game of these SQUADs. Default: those of `first_game`, else the first two.")
@language_option
@paper_option
@appearance_options
@format_option("text", "json")
def learn(**options: Any) -> int:
    """Print Learn to play: two pages for people who have never seen the game.

    Aim, set-up, one TURN and one attack that the engine plays with your own cards, and how a GAME is won. The
    attack is that of the scenario with `example: true`, else of one that shows much. Every sentence is a text
    of `opforge explain words`, the pages are the templates `learn`.
    """
    return write_with(write_learn, request_of(PrintRequest, options), options)


@click.command()
@path_argument
@click.option(
    "-o",
    "--output",
    metavar="DIR|FILE.zip",
    required=True,
    type=Path,
    help="The folder, or the ZIP file, to write.",
)
@languages_option("A language of the project; may be repeated. Default: all of them.")
@papers_option
@pair_option("What two players of these SQUADs need. Default: those of `first_game`, else any two SQUADs.")
@click.option("--whole-set", is_flag=True, help="All cards, each as often as its `quantity` says.")
@click.option(
    "--changed-since",
    metavar="REV|FOLDER",
    help="Only what changed since a git revision or an older copy, with a list of the cards.",
)
@appearance_options
@click.option("--yes", is_flag=True, help="Also print more than 1,000 pages of cards.")
@format_option("text", "json")
def print_and_play(**options: Any) -> int:
    """Print a game for two: cards with backs, mat, counters, rules, SQUADs, boxes, and a README.

    The cards are those that two players need at the same time, with a row of OBJECTIVEs for each. Files are
    in LANGUAGE/PAPER. The cards are there three times: with backs for printers that turn the paper over its
    long or its short edge, and beside their backs to be folded. The README says what to print on which paper.
    Files of an earlier run are replaced, or removed, once all new ones are there.
    """
    if options["pair"] and options["whole_set"]:
        raise click.UsageError("--whole-set prints all cards; omit --squads.")
    request = request_of(SetRequest, options, many_pages=options["yes"])
    return write_with(write_set, request, options, Progress("Making files"))
