"""``opforge align``."""

from __future__ import annotations

import click

from toolkit.cli.shared import ItBroke, echo


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("-o", "--output", metavar="FILE.pdf", help="Write the page to print.")
@click.option(
    "--set", "name", metavar="NAME", help="Keep RIGHT and UP, as read off the page, for this printer."
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
@click.option("--printer", metavar="NAME", help="With -o: moved by what is kept, to see whether it is right.")
@click.option(
    "--lang",
    type=click.Choice(["en", "de"]),
    default="en",
    show_default=True,
    help="The language of the page.",
)
def align(
    output: str | None,
    name: str | None,
    read: tuple[str, ...],
    listing: bool,
    landscape: bool,
    paper: str,
    flip: str,
    printer: str | None,
    lang: str,
) -> int:
    """Make backs lie behind their fronts: print a page, read how far they are off, keep it for the printer.

    \b
    opforge align -o align.pdf
    opforge align --set office 1.5 -0.5
    opforge sheet -o sheet.pdf --backs --printer office
    """
    from toolkit.project import aligning

    if (output is not None) + (name is not None) + listing != 1:
        raise click.UsageError("Say what to do: -o FILE.pdf, --set NAME RIGHT UP, or --list.")
    if name is None and read:
        raise click.UsageError(f"{read[0]!r} means nothing without --set NAME.")
    if name is not None:
        done = aligning.keep(name, read, landscape)
    elif listing:
        done = aligning.listed()
    else:
        done = aligning.write_page(aligning.PageWish(output or "", paper, landscape, flip, printer, lang))
    if isinstance(done, aligning.Refused):
        raise ItBroke(done.message) if done.broken else click.UsageError(done.message)
    echo(done)
    return 0
