"""Measuring a printer's offset: the page to print, what was read off it, and the printers known so far."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolkit.project.sheets import refused_output, unknown_paper
from toolkit.render.fetch import Roots
from toolkit.render.printers import MOST, BadPrinters, Shift, keep_printer, printers_file, read_printers
from toolkit.render.sizes import PAPERS, measures, size_of
from toolkit.source.writing import unwritable, write_atomically


class Refused(Struct, frozen=True):
    """Why nothing was done; ``broken`` is False where the request itself is wrong."""

    message: str
    broken: bool = False


class AlignRequest(Struct, frozen=True):
    """The page to print: the file, the paper and how it is turned, a printer whose offset is tried, and the
    language of its words."""

    output: str
    paper: str
    landscape: bool
    flip: str
    printer: str | None = None
    lang: str = "en"


def keep(name: str, read: Sequence[str], landscape: bool) -> str | Refused:
    """Keep what was read off the page; what was done, in a sentence."""
    shift = _shift(read)
    if isinstance(shift, Refused):
        return shift
    if not name.strip():
        return Refused("A printer needs a name: --set NAME RIGHT UP.")
    way: Literal["portrait", "landscape"] = "landscape" if landscape else "portrait"
    try:
        keep_printer(name, way, shift)
    except BadPrinters as error:
        return Refused(str(error), broken=True)
    except OSError as error:
        return Refused(unwritable(printers_file(), error), broken=True)
    said = name if re.fullmatch(r"[\w.-]+", name) else f'"{name}"'
    return f"{name}, {way}: backs are {_words(shift)}. Use it with --printer {said}."


def _shift(read: Sequence[str]) -> Shift | Refused:
    """Two numbers in mm; a comma in a number is taken as a point."""
    try:
        dx, dy = (float(number.replace(",", ".").removesuffix("mm")) for number in read)
    except ValueError:
        given = " ".join(read) or "nothing"
        return Refused(
            f"--set NAME takes two numbers in mm, RIGHT and UP, such as 1.5 -0.5, and not {given}."
        )
    if not all(math.isfinite(number) and abs(number) <= MOST for number in (dx, dy)):
        return Refused(
            f"No printer is off by more than {MOST:g} mm: the paper was turned over the other edge, "
            "or the page was scaled. Try --flip short, and print at actual size."
        )
    return Shift(dx, dy)


def listed() -> str | Refused:
    """The printers, a line each."""
    try:
        printers = read_printers()
    except BadPrinters as error:
        return Refused(str(error), broken=True)
    lines = [
        f"{name}, {way}: backs are {_words(shift)}"
        for name, printer in printers.items()
        for way, shift in (("portrait", printer.portrait), ("landscape", printer.landscape))
        if shift is not None
    ]
    return "\n".join(lines) or "No printer has been measured yet: opforge align -o align.pdf"


def _words(shift: Shift) -> str:
    """1.5 mm to the right and 0.5 mm down of their fronts."""
    across = f"{abs(shift.dx):g} mm to the {'left' if shift.dx < 0 else 'right'}"
    up = f"{abs(shift.dy):g} mm {'down' if shift.dy < 0 else 'up'}"
    return f"{across} and {up}"


def write_page(request: AlignRequest) -> str | Refused:
    """Write the PDF, whole or not at all."""
    output = Path(request.output)
    refused = unknown_paper(request.paper) or refused_output(output)
    if refused:
        return Refused(refused)
    shift = Shift()
    if request.printer is not None:
        known = _known(request.printer, request.landscape)
        if isinstance(known, Refused):
            return known
        shift = known
    made = _page(request, shift)
    if isinstance(made, Refused):
        return made
    try:
        write_atomically(output, made)
    except OSError as error:
        return Refused(unwritable(output, error), broken=True)
    edge = "long" if request.flip == "long" else "short"
    return f"{output}: print it on both sides, turned over the {edge} edge, at actual size."


def _known(name: str, landscape: bool) -> Shift | Refused:
    try:
        printer = read_printers().get(name)
    except BadPrinters as error:
        return Refused(str(error), broken=True)
    shift = printer.shift(landscape) if printer else None
    way = "landscape" if landscape else "portrait"
    if shift is None:
        return Refused(f"No printer {name!r} was measured with {way} paper; --list shows those that were.")
    return shift


def _page(request: AlignRequest, shift: Shift) -> bytes | Refused:
    from toolkit.render.align import SMALLEST, AlignPage, align_pdf
    from toolkit.render.sheet import Failure

    paper = size_of(request.paper, PAPERS) or PAPERS["a4"]
    if sorted(paper) < sorted(SMALLEST) or max(paper) < max(SMALLEST):
        return Refused(f"On so small a paper there is no room to measure: take {measures(SMALLEST)} or more.")
    lies = paper.turned if request.landscape == (paper.height >= paper.width) else paper
    flip: Literal["long", "short"] = "long" if request.flip == "long" else "short"
    made = align_pdf(AlignPage(lies, flip, shift, request.lang), Roots(Path.cwd()))
    return Refused(f"{made.message} {made.next_step}", broken=True) if isinstance(made, Failure) else made
