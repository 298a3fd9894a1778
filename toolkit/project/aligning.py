"""Measuring a printer's offset: the page to print, what was read off it, and the printers known so far."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolkit.project.layouts import unknown_paper
from toolkit.project.output import Refusal, gave_up, refused_pdf, write_file
from toolkit.render.fetch import Roots
from toolkit.render.printers import MOST, BadPrinters, Shift, keep_printer, printers_file, read_printers
from toolkit.render.sizes import PAPERS, measures, size_of
from toolkit.source.writing import unwritable


class AlignRequest(Struct, frozen=True):
    """The page to print: the file, the paper and how it is turned, a printer whose offset is tried, and the
    language of its words."""

    output: str
    paper: str
    landscape: bool
    flip: str
    printer: str | None = None
    lang: str = "en"


def keep(name: str, read: Sequence[str], landscape: bool) -> str | Refusal:
    """Keep what was read off the page; what was done, in a sentence."""
    shift = _shift(read)
    if isinstance(shift, Refusal):
        return shift
    if not name.strip():
        return Refusal("A printer needs a name: --set NAME RIGHT UP.")
    way: Literal["portrait", "landscape"] = "landscape" if landscape else "portrait"
    try:
        keep_printer(name, way, shift)
    except BadPrinters as error:
        return Refusal(str(error))
    except OSError as error:
        return Refusal(unwritable(printers_file(), error), "files")
    said = name if re.fullmatch(r"[\w.-]+", name) else f'"{name}"'
    return f"{name}, {way}: backs are {_words(shift)}. Use it with --printer {said}."


def _shift(read: Sequence[str]) -> Shift | Refusal:
    """Two numbers in mm; a comma in a number is taken as a point."""
    try:
        dx, dy = (float(number.replace(",", ".").removesuffix("mm")) for number in read)
    except ValueError:
        given = " ".join(read) or "nothing"
        return Refusal(
            f"--set NAME takes two numbers in mm, RIGHT and UP, such as 1.5 -0.5, and not {given}."
        )
    if not all(math.isfinite(number) and abs(number) <= MOST for number in (dx, dy)):
        return Refusal(
            f"No printer is off by more than {MOST:g} mm: the paper was turned over the other edge, "
            "or the page was scaled. Try --flip short, and print at actual size."
        )
    return Shift(dx, dy)


def listed() -> str | Refusal:
    """The printers, a line each."""
    try:
        printers = read_printers()
    except BadPrinters as error:
        return Refusal(str(error))
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


def write_page(request: AlignRequest) -> str | Refusal:
    """Write the PDF, whole or not at all; what to do with it, in a sentence."""
    output = Path(request.output)
    refused = unknown_paper(request.paper) or refused_pdf(output)
    if refused:
        return Refusal(refused)
    shift: Shift | Refusal = Shift()
    if request.printer is not None:
        shift = _known(request.printer, request.landscape)
    made = shift if isinstance(shift, Refusal) else _page(request, shift)
    refusal = made if isinstance(made, Refusal) else write_file(output, made)
    edge = "long" if request.flip == "long" else "short"
    return refusal or f"{output}: print it on both sides, turned over the {edge} edge, at actual size."


def _known(name: str, landscape: bool) -> Shift | Refusal:
    try:
        printer = read_printers().get(name)
    except BadPrinters as error:
        return Refusal(str(error))
    shift = printer.shift(landscape) if printer else None
    way = "landscape" if landscape else "portrait"
    if shift is None:
        return Refusal(f"No printer {name!r} was measured with {way} paper; --list shows those that were.")
    return shift


def _page(request: AlignRequest, shift: Shift) -> bytes | Refusal:
    from toolkit.render.align import SMALLEST, AlignPage, align_pdf
    from toolkit.render.sheet import Failure

    paper = size_of(request.paper, PAPERS) or PAPERS["a4"]
    if sorted(paper) < sorted(SMALLEST) or max(paper) < max(SMALLEST):
        return Refusal(f"On so small a paper there is no room to measure: take {measures(SMALLEST)} or more.")
    lies = paper.turned if request.landscape == (paper.height >= paper.width) else paper
    flip: Literal["long", "short"] = "long" if request.flip == "long" else "short"
    made = align_pdf(AlignPage(lies, flip, shift, request.lang), Roots(Path.cwd()))
    return gave_up(made) if isinstance(made, Failure) else made
