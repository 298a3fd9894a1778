"""Documents that are not cards: the rules reference, the list of changes, mats, counters, tuckboxes.

Their templates are complete documents, such as those in ``templates/reference``. Text that has to fit is in a
region of ``fits[NUMBER]``: ``fits[0].begin("page", 12)`` … ``fits[0].end()``.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import pikepdf
from msgspec import Struct

from toolkit.data.art.picture_findings import can_be_printed
from toolkit.data.looks import PLAIN, Look
from toolkit.diagnostics import Diagnostic
from toolkit.press.impose import impose
from toolkit.press.layout import LayoutPlan, LayoutProblem, arrange
from toolkit.press.printers import Printer, Shift
from toolkit.press.sheet import Failure, engine_failure
from toolkit.press.sides import Copy, SheetExtras, compose_sides
from toolkit.render.checks.print_findings import template_error
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.environment import TemplateProblem, fill, make_environment
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.fit import CardFit, Measure, measures
from toolkit.render.look_values import look_values
from toolkit.render.pdf import PdfMetadata, without_links
from toolkit.render.picture_placeholders import PicturePlaceholders
from toolkit.render.renderer import EngineError
from toolkit.render.sizes import PAPERS, Size

MAX_ROUNDS = 10
"""Attempts to find a font size with which everything fits; the last one takes the minimum."""


class Document(Struct, frozen=True):
    """Pages of one size: a template and its values.

    ``unit`` is the length of ``1rem`` in mm; ``pages`` the number of ``fits`` that the template gets, one for
    each page or piece. With ``low_ink``, which the template gets too, gradients and shadows are empty. The
    template gets the values of the ``look``, as those of cards do.
    """

    template: str
    values: Mapping[str, object]
    size: Size
    unit: float
    pages: int
    low_ink: bool = False
    look: Look = PLAIN


class PrintedDocument(Struct, frozen=True):
    """The PDF, and the regions that do not fit at their minimum size."""

    pdf: bytes
    overflows: tuple[Measure, ...]


def picture_address(picture: Path | None, box: Size, roots: Roots) -> str | None:
    """Return the address of a picture that fills a box of that size in mm, for a template.

    None if there is no picture, or one that cannot be printed, which the project check reports.
    """
    if picture is None or not can_be_printed(roots.project / picture):
        return None
    return Fetcher(roots).picture_address(picture, box)


def unit_of(paper: Size) -> float:
    """Return the unit in mm with which a layout for A4 fills a paper."""
    a4 = PAPERS["a4"]
    return round(min(paper.width / a4.width, paper.height / a4.height), 5)


def print_document(document: Document, roots: Roots) -> PrintedDocument | Diagnostic | Failure:
    """Return the document as PDF with type as large as fits, a finding about its template, or a failure.

    The same values give the same bytes.
    """
    engine = choose_renderer()
    if isinstance(engine, NoEngine):
        return Failure(engine.message, engine.next_step)
    environment = make_environment(roots, document.low_ink)
    fetcher = Fetcher(roots)
    pictures = PicturePlaceholders(fetcher, engine.keeps_pictures)
    fonts = {purpose: fetcher.file_address(path) for purpose, path in roots.fonts}
    look = look_values(document.look, fonts, document.low_ink)
    shared_values = {**document.values, "fonts": fonts, "look": look, "low_ink": document.low_ink}
    sizes: list[dict[str, float]] = [{} for _ in range(document.pages)]
    width, height = (round(side / document.unit, 3) for side in document.size)
    for attempt in range(1, MAX_ROUNDS + 1):
        fits = [CardFit(number, known_sizes, document.unit) for number, known_sizes in enumerate(sizes)]
        values = {**shared_values, "w": width, "h": height, "unit": document.unit, "fits": fits}
        html = fill(environment, document.template, values)
        if isinstance(html, TemplateProblem):
            return template_error(html, roots, None)
        try:
            pages = engine.render_pages(html, document.size, pictures.fetch_for(html))
            pdf = pikepdf.open(io.BytesIO(pages))
        except EngineError as error:
            return engine_failure(engine, error)
        overflows = [
            measure for measure in measures(pdf.pages) if measure.excess and measure.card < len(sizes)
        ]
        shrinkable = [measure for measure in overflows if measure.size > measure.floor]
        if not shrinkable:  # all fits, or is as small as it may be
            break
        next_is_last = attempt == MAX_ROUNDS - 1  # it has to fit then, as far as it ever can
        for measure in shrinkable:
            sizes[measure.card][measure.region] = measure.floor if next_is_last else measure.next_size()
    pictures.insert(pdf)
    return PrintedDocument(without_links(pdf), tuple(overflows))


def impose_cards(
    pages: bytes, plan: LayoutPlan, copies: Sequence[Copy], metadata: PdfMetadata, printer: Printer
) -> tuple[bytes, int] | LayoutProblem:
    """Return the PDF of sheets with all copies and the number of its pages, or why there are none.

    ``pages`` is a PDF with fronts, or fronts and backs, of trim plus bleed.
    """
    arrangement = arrange(plan)
    if isinstance(arrangement, LayoutProblem):
        return arrangement
    with pikepdf.open(io.BytesIO(pages)) as document:
        extras = SheetExtras(shift=printer.shift(arrangement.landscape) or Shift())
        sheets = list(compose_sides(arrangement, copies, extras))
        return impose(list(document.pages), sheets, metadata), len(sheets)
