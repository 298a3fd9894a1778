"""Measuring a printer's offset: the page to print, recording the result, and the list of printers.

What draws the page is imported only for it, not to save an offset: it takes 0.13 s.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolkit.press.layout import Arrangement, arrange
from toolkit.press.printers import (
    MAX_OFFSET,
    Printer,
    PrintersFileError,
    Shift,
    printers_file,
    read_printers,
    save_offset,
)
from toolkit.products.sheets.project_layouts import Layouts, unknown_paper
from toolkit.project.output import Refusal, failure_refusal, refused_pdf, write_file
from toolkit.render.fetch import Roots
from toolkit.render.sizes import PAPERS, measures, size_of
from toolkit.source.writing import write_failure
from toolkit.vocabulary.nearest import did_you_mean


class AlignRequest(Struct, frozen=True):
    """The alignment page to print; with ``printer`` its saved offset is applied, to verify it."""

    output: Path
    paper: str
    landscape: bool
    flip: Literal["long", "short"]
    printer: str | None = None
    language: str = "en"


def record_offset(name: str, readings: Sequence[str], landscape: bool) -> str | Refusal:
    """Save the offset that was read off the page, and return a message."""
    shift = _parse_offset(readings)
    if isinstance(shift, Refusal):
        return shift
    if not name.strip():
        return Refusal("A printer needs a name: --set NAME RIGHT UP.")
    orientation: Literal["portrait", "landscape"] = "landscape" if landscape else "portrait"
    try:
        save_offset(name, orientation, shift)
    except PrintersFileError as error:
        return Refusal(str(error))
    except OSError as error:
        return Refusal(write_failure(printers_file(), error), "files")
    shown_name = name if re.fullmatch(r"[\w.-]+", name) else f'"{name}"'
    return f"{name}, {orientation}: backs are {_offset_words(shift)}. Use it with --printer {shown_name}."


def _parse_offset(readings: Sequence[str]) -> Shift | Refusal:
    """Return the offset of two numbers in mm, with a decimal point or comma."""
    try:
        dx, dy = (float(number.replace(",", ".").removesuffix("mm")) for number in readings)
    except ValueError:
        rejected_words = f", not {' '.join(readings)!r}" if readings else ""
        return Refusal(f"--set NAME takes two numbers in mm, RIGHT and UP, such as 1.5 -0.5{rejected_words}.")
    if not all(math.isfinite(number) and abs(number) <= MAX_OFFSET for number in (dx, dy)):
        return Refusal(
            f"No printer is off by more than {MAX_OFFSET:g} mm: the paper was turned over the other edge, "
            "or the page was scaled. Try --flip short, and print at actual size."
        )
    return Shift(dx, dy)


def _printers() -> Mapping[str, Printer] | Refusal:
    """Return all saved printers, or why their file cannot be used."""
    try:
        return read_printers()
    except PrintersFileError as error:
        return Refusal(str(error))


def list_printers() -> str | Refusal:
    """Return the saved printers, a line for each orientation."""
    printers = _printers()
    if isinstance(printers, Refusal):
        return printers
    lines = [
        f"{name}, {orientation}: backs are {_offset_words(shift)}"
        for name, printer in printers.items()
        for orientation, shift in (("portrait", printer.portrait), ("landscape", printer.landscape))
        if shift is not None
    ]
    return "\n".join(lines) or "No printer has been measured yet: opforge align -o align.pdf"


def _offset_words(shift: Shift) -> str:
    """Return an offset in words, such as "1.5 mm to the right and 0.5 mm down"."""
    horizontal = f"{abs(shift.dx):g} mm to the {'left' if shift.dx < 0 else 'right'}"
    vertical = f"{abs(shift.dy):g} mm {'down' if shift.dy < 0 else 'up'}"
    return f"{horizontal} and {vertical}"


def write_align_page(request: AlignRequest) -> str | Refusal:
    """Write the PDF, whole or not at all, and return a message with the next step."""
    from toolkit.press.sheet import Failure
    from toolkit.products.alignment.alignment_page import MIN_PAPER, AlignPage, align_pdf

    refused = unknown_paper(request.paper) or refused_pdf(request.output)
    if refused:
        return Refusal(refused)
    shift = _shift_to_correct(request)
    if isinstance(shift, Refusal):
        return shift
    paper = size_of(request.paper, PAPERS) or PAPERS["a4"]
    if sorted(paper) < sorted(MIN_PAPER) or max(paper) < max(MIN_PAPER):
        return Refusal(f"This paper is too small for the scales: use {measures(MIN_PAPER)} or more.")
    is_landscape = paper.width > paper.height
    oriented_paper = paper if request.landscape == is_landscape else paper.turned
    pdf = align_pdf(AlignPage(oriented_paper, request.flip, shift, request.language), Roots(Path.cwd()))
    if isinstance(pdf, Failure):
        return failure_refusal(pdf)
    instruction = f"print it on both sides, turned over the {request.flip} edge, at actual size."
    return write_file(request.output, pdf) or f"{request.output}: {instruction}"


def find_printer(name: str, layouts: Layouts) -> Printer | Refusal:
    """Return the printer, if it was measured for the orientation of every layout with backs."""
    plans = (layouts.layout, *layouts.by_kind.values())
    if not any(plan.sides != "fronts" and plan.fold == "none" for plan in plans):
        has_fold_sheet = any(plan.fold != "none" for plan in plans)
        reason = "on a fold sheet they are on the same side" if has_fold_sheet else "only fronts are printed"
        step = "Omit it." if has_fold_sheet else "Add --backs, or omit it."
        return Refusal(f"--printer moves backs on the other side of the paper, but {reason}. {step}")
    printers = _printers()
    if isinstance(printers, Refusal):
        return printers
    printer = printers.get(name)
    if printer is None:
        hint = did_you_mean(name, printers)
        return Refusal(f"There is no printer {name!r}.{hint} {_how_to_measure(name)}")
    for plan in plans:
        arrangement = arrange(plan)
        is_turned_over = plan.sides != "fronts" and plan.fold == "none" and plan.flip != "none"
        if not is_turned_over or not isinstance(arrangement, Arrangement):  # printing says what is impossible
            continue
        if printer.shift(arrangement.landscape) is None:
            orientation = "landscape" if arrangement.landscape else "portrait"
            step = _how_to_measure(name, " --landscape" if arrangement.landscape else "")
            return Refusal(f"The printer {name!r} was not measured with {orientation} paper. {step}")
    return printer


def _shift_to_correct(request: AlignRequest) -> Shift | Refusal:
    """Return the saved offset of the printer for which the page is a test; without a printer none."""
    if request.printer is None:
        return Shift()
    printers = _printers()
    if isinstance(printers, Refusal):
        return printers
    shift = printers.get(request.printer, Printer()).shift(request.landscape)
    if shift is None:  # there is no such printer, or it was not measured so
        orientation = "landscape" if request.landscape else "portrait"
        return Refusal(
            f"No printer {request.printer!r} was measured with {orientation} paper; "
            "--list shows those that were."
        )
    return shift


def _how_to_measure(name: str, option: str = "") -> str:
    """Return the two commands with which a printer is measured, with an option for the orientation."""
    return (
        f"`opforge align{option} -o align.pdf` prints the page to measure it with, "
        f"`opforge align{option} --set {name} RIGHT UP` saves the result."
    )
