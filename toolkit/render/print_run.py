"""A print run: cards become pages in batches, and again with smaller type if text does not fit."""

from __future__ import annotations

import io
import math
import os
import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

import pikepdf
from markupsafe import Markup

from toolkit.diagnostics import Diagnostic
from toolkit.render.checks import print_findings
from toolkit.render.environment import TemplateProblem
from toolkit.render.face import Back, Face
from toolkit.render.fetch import Fetcher, ResourceProblem
from toolkit.render.fit import RULES, WITHOUT_REMINDERS, Measure, has_one_page_each, measures, pages_of_first
from toolkit.render.image_placeholders import ImagePlaceholders
from toolkit.render.legibility import (
    BACKGROUND_DPI,
    CoarsePicture,
    FaintWords,
    PrintedWords,
    coarse_pictures,
    design_of,
    faint_words,
    field_of,
    fields_of,
    small_words,
)
from toolkit.render.page_raster import rasterize_pages
from toolkit.render.pages import FaceOptions, Pages, page_size
from toolkit.render.pdf import PdfPool, PrintedPage
from toolkit.render.picture_placeholders import Original, PicturePlaceholders
from toolkit.render.renderer import EngineError, Progress, Renderer, no_progress
from toolkit.render.sizes import BLEED, Size
from toolkit.render.variable_fonts import seconds_spent

BATCH = 40
"""Cards in one document: the time of the engine's writer grows slightly quadratically with pages."""

ONE_BATCH = 8
"""Up to so many cards are one document: a second one costs as much as the pages of so many cards."""

ONE_BATCH_LATER = 16
"""The same in later rounds: fonts are loaded and subset again for each document."""

THREADS = 2
"""Documents into which few cards are divided. The same on all machines, because it changes the bytes."""

WORKERS = max(THREADS, min(os.cpu_count() or 1, 8))

MAX_PENDING = 2 * WORKERS
"""Documents that wait for the engine at most; more would only take memory."""

MAX_ROUNDS = 8
"""Attempts to find a font size that fits; the last one takes the minimum."""

_LONGEST_WAIT = 3600.0
"""Seconds that are waited at once; ``wait`` does not take infinity."""

_Batch = list[tuple[int, Markup]]
"""The pages of one document, each with the number of its card."""


class PrintRun:
    """Renders pages. ``fronts`` and ``backs`` are indexes into ``pages`` by card or back.

    ``sizes`` are font sizes by region with which a card's text fits if it had to shrink; ``overflows`` are
    the regions whose text does not fit at its minimum size. Rendering after the time ``until`` (of
    ``time.monotonic``) raises ``EngineError``.
    """

    def __init__(
        self,
        renderer: Renderer,
        trim: Size,
        fetcher: Fetcher,
        progress: Progress = no_progress,
        share_drawings: bool = True,
        face_options: FaceOptions | None = None,
        bleed: float = BLEED,
        until: float = math.inf,
    ) -> None:
        """Start a run for cards of the size ``trim`` in mm; if ``share_drawings``, each is rendered once."""
        self.fronts: dict[Face, int] = {}
        self.backs: dict[Back, int] = {}
        self.sizes: dict[Face, Mapping[str, float]] = {}
        self.pages: list[PrintedPage] = []
        self.overflows: list[tuple[Face, Measure]] = []
        self._renderer = renderer
        self._size = page_size(trim, bleed)
        self._fetcher = fetcher
        self._progress = progress
        self._face_options = face_options or FaceOptions()
        self._templates = Pages(trim, fetcher, face_options, bleed)
        self._until = until
        self._seconds_before = seconds_spent()
        self._timed_out = False
        self._pool = ThreadPoolExecutor(WORKERS)
        # The style sheet of low ink changes inline drawings, which must therefore stay in their pages.
        self.pictures = PicturePlaceholders(fetcher, renderer.keeps_pictures)
        self.drawings = ImagePlaceholders(
            fetcher, renderer, self.pictures, share_drawings, not (face_options or FaceOptions()).low_ink
        )
        self._documents = PdfPool()
        self._problems: dict[TemplateProblem, Face | None] = {}
        self._uneven: dict[str, tuple[Face | None, int]] = {}  # by template: a card, and its pages
        # by the kind of card and the field that is printed
        self._small_words: dict[tuple[str, str], tuple[Face, list[PrintedWords]]] = {}
        self._coarse: dict[Path, tuple[Face, CoarsePicture]] = {}  # where a picture is printed largest

    def print_fronts(self, faces: Sequence[Face]) -> None:
        """Render a page for each of several distinct faces. Raises ``EngineError``.

        A card with reminders is also rendered in its other languages, to find out whether they fit in all.
        """
        all_faces, editions = _with_translations(faces)
        sizes: dict[int, dict[str, float]] = {number: {} for number in range(len(all_faces))}
        addresses = {address: None for face in all_faces for address in self._templates.addresses(face)}
        self.drawings.prepare(addresses, self._pool)
        pages, overflows = self._fitted_fronts(all_faces, editions, sizes, len(faces))
        designs: set[Hashable] = set()
        for number, face in enumerate(faces):
            page = pages.get(number)
            if page is None:  # its template failed
                continue
            if design_of(face) not in designs:  # reading all words of every page would take too long
                designs.add(design_of(face))
                self._note_small_words(face, page)
            self.fronts[face] = len(self.pages)
            self.sizes[face] = sizes[number]
            self.pages.append(page)
            self.drawings.mark_printed(number)
            self.overflows += [(face, measure) for measure in overflows[number]]
            self._note_coarse_pictures(face, page)

    def _fitted_fronts(
        self,
        faces: Sequence[Face],
        editions: Sequence[Sequence[int]],
        sizes: dict[int, dict[str, float]],
        count: int,
    ) -> tuple[dict[int, PrintedPage], dict[int, list[Measure]]]:
        """Render cards until their text fits; return the last page of each, and what does not fit there.

        Both are by the number of the card, as ``sizes`` are, to which the sizes that fit are added. ``count``
        is how many of the faces are printed, of which progress is told.
        """
        pages_by_number: dict[int, PrintedPage] = {}
        overflows: dict[int, list[Measure]] = {}
        to_render: list[int] = list(sizes)
        for attempt in range(1, MAX_ROUNDS + 1):
            next_is_last = attempt == MAX_ROUNDS - 1
            batches = _batches(to_render, ONE_BATCH if attempt == 1 else ONE_BATCH_LATER)
            for pages, document in self._render(self._fronts(batches, faces, sizes), faces):
                pages_by_number.update(pages)
                overflows.update({number: [] for number in pages})
                for measure in measures(document.pages):
                    if measure.excess and measure.card in overflows:
                        overflows[measure.card].append(measure)
                if attempt == 1:
                    self._progress(min(len(pages_by_number), count), count)
            shrunk = _shrink(overflows, sizes, faces, to_minimum=next_is_last)
            starts_again = attempt < MAX_ROUNDS - 1
            to_render = sorted({*shrunk, *_drop_reminders(editions, sizes, starts_again=starts_again)})
            if not to_render:
                break
        return pages_by_number, overflows

    def _note_small_words(self, face: Face, page: PrintedPage) -> None:
        """Note the words in small type, by kind of card and field, with the first card that has them."""
        for words in small_words(page.load(), self._face_options.floor):
            key = face.kind, field_of(face, words.text)
            _, same_field = self._small_words.setdefault(key, (face, []))
            same_field.append(words)

    def _note_coarse_pictures(self, face: Face, page: PrintedPage) -> None:
        """Note of each coarse picture the face on which it is coarsest."""
        for coarse in coarse_pictures(face, self.pictures.measure(page), self._original):
            _, coarsest = self._coarse.get(coarse.picture, (face, None))
            if coarsest is None or coarse.dpi < coarsest.dpi:
                self._coarse[coarse.picture] = (face, coarse)

    def print_backs(self, backs: Iterable[Back]) -> None:
        """Render a page for each of several distinct backs. Raises ``EngineError``."""
        all_backs = list(backs)
        addresses = (address for back in all_backs for address in self._templates.back_addresses(back))
        self.drawings.prepare(dict.fromkeys(addresses), self._pool)
        filled = [self._accept(self._templates.back(back), None) for back in all_backs]
        batch = [(number, markup) for number, markup in enumerate(filled) if markup is not None]
        for pages_by_number, _ in self._render(iter([batch] if batch else []), ()):
            for number, page in pages_by_number.items():
                self.pictures.measure(page)
                self.backs[all_backs[number]] = len(self.pages)
                self.pages.append(page)

    def start_pages(self, head: str, pages: Sequence[str], size: Size) -> Sequence[Future[bytes]]:
        """Start rendering pages of another size; ``head`` is the beginning of their documents."""
        parts = [head + "".join(pages[index : index + BATCH]) for index in range(0, len(pages), BATCH)]
        return [
            self._pool.submit(self._renderer.render_pages, html_part, size, self._fetcher)
            for html_part in parts
        ]

    def collect_pages(self, begun: Iterable[Future[bytes]]) -> int:
        """Append the pages of ``start_pages`` and return the index of the first. Raises ``EngineError``."""
        first = len(self.pages)
        for future in begun:
            document = pikepdf.open(io.BytesIO(future.result()))
            number = self._documents.add(future.result(), document)
            self.pages += [PrintedPage(self._documents, number, page) for page in range(len(document.pages))]
        return first

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return all findings: templates first, then files, then text in the order of the cards."""
        self.pictures.decode_measured()
        roots = self._fetcher.roots
        problems = self._problems.items()
        templates = [print_findings.template_error(problem, roots, face) for problem, face in problems]
        files = list(self._findings_of_files())
        if not any(finding.name == "template-error" for finding in files):
            by_file: dict[Path, Diagnostic] = {}
            for template, (face, pages) in sorted(self._uneven.items()):
                finding = print_findings.wrong_page_count(template, face, pages, roots)
                by_file.setdefault(finding.span.file.path, finding)
            templates += by_file.values()
        if any(".css" in address for address in self._fetcher.problems):
            return (*templates, *files)  # without a style sheet, what is small or too long says nothing
        coarse = (
            print_findings.low_resolution(face, coarse, roots) for face, coarse in self._coarse.values()
        )
        small = (
            print_findings.small_text(face, list({word.text: word for word in words}.values()), field, roots)
            for (_, field), (face, words) in self._small_words.items()
        )
        overflows = print_findings.text_overflows(self.overflows)
        return (*templates, *files, *coarse, *small, *overflows)

    def _findings_of_files(self) -> Iterator[Diagnostic]:
        """Yield a finding for each file that could not be loaded.

        A font has an address for each weight; of each file the first address is reported.
        """
        first_address: dict[tuple[str, ResourceProblem], str] = {}
        for address, problem in sorted(self._fetcher.problems.items()):
            file_address, _, _style = address.partition("?")
            first_address.setdefault((file_address, problem), address)
        roots, reasons = self._fetcher.roots, self._fetcher.reasons
        for (_, problem), address in sorted(first_address.items()):
            yield print_findings.unusable_resource(
                address, problem, self._templates.pictures, roots, reasons.get(address)
            )

    def faint_words(self) -> Iterator[Diagnostic]:
        """Yield findings for words with too little contrast on one card of each kind and TEAM's colours.

        Raises ``EngineError``.
        """
        filled_pages = (
            (face, self._templates.card(face, 0, dict(self.sizes[face]))) for face in self._fullest_faces()
        )
        pages = {face: page for face, page in filled_pages if isinstance(page, Markup)}
        html = self._templates.document(list(pages.values()))
        if isinstance(html, TemplateProblem):
            return
        pdf = self._renderer.render_pages(html, self._size, self.pictures.fetch_for(html))
        rasters = list(rasterize_pages(self.pictures.inserted(pdf), BACKGROUND_DPI))
        if len(rasters) != len(pages):
            return  # a template makes more or fewer pages than one for a card, which is reported elsewhere
        faint_by_key: dict[tuple[str, str, str | None], tuple[Face, list[FaintWords]]] = {}
        for face, raster in zip(pages, rasters, strict=True):
            for faint in faint_words(self.pages[self.fronts[face]].load(), raster):
                key = face.kind, field_of(face, faint.words.text), faint.words.colour
                _, words = faint_by_key.setdefault(key, (face, []))
                words.append(faint)
        for (_, field, _colour), (face, words) in faint_by_key.items():
            yield print_findings.low_contrast(face, words, field, self._fetcher.roots)

    def _fullest_faces(self) -> Iterable[Face]:
        """Return the printed card with the most fields of each kind and TEAM's colours.

        Cards with overflowing text are skipped: that text lies on other colours than it should.
        """
        fullest: dict[Hashable, Face] = {}
        overflowing = {face for face, _ in self.overflows}
        for face in (face for face in self.fronts if face not in overflowing):
            fullest_face = fullest.setdefault((face.kind, face.team_colours), face)
            if len(fields_of(face)) > len(fields_of(fullest_face)):
                fullest[face.kind, face.team_colours] = face
        return fullest.values()

    def _original(self, path: Path) -> Original | None:
        """Return the raster picture of a path for which the engine got a placeholder."""
        address = self._templates.address_of(path)
        return self.pictures.known(address) if address else None

    def close(self) -> None:
        """Stop the threads; no page can be rendered afterwards."""
        if not self._timed_out:
            self._pool.shutdown(cancel_futures=True)

    def _fronts(
        self, batches: Iterable[Sequence[int]], faces: Sequence[Face], sizes: dict[int, dict[str, float]]
    ) -> Iterator[_Batch]:
        """Yield batches of filled cards, without those whose template failed."""
        for batch in batches:
            pages = []
            for number in batch:
                filled = self._templates.card(faces[number], number, sizes[number])
                markup = self._accept(filled, faces[number])
                if markup is not None:
                    pages.append((number, self.drawings.share_inline(number, markup)))
            if pages:
                yield pages

    def _accept(self, filled: Markup | TemplateProblem, face: Face | None) -> Markup | None:
        """Return the page, or record the problem with the first card that has it and return None."""
        if isinstance(filled, TemplateProblem):
            self._problems.setdefault(filled, face)
            return None
        return filled

    def _render(
        self, batches: Iterator[_Batch], faces: Sequence[Face]
    ) -> Iterator[tuple[dict[int, PrintedPage], pikepdf.Pdf]]:
        """Yield documents with the page of each card by its number; without ``faces`` they are backs.

        If a card of a document does not make one page, its cards are rendered again, each in its own
        document; those that still do not make one page are left out and reported.
        """
        uneven: list[tuple[int, Markup]] = []
        for batch, document, document_number in self._documents_of(batches):
            if has_one_page_each(document, len(batch)):
                pages = {
                    card: PrintedPage(self._documents, document_number, page)
                    for page, (card, _) in enumerate(batch)
                }
                yield pages, document
            else:
                uneven += batch
        single_batches = ([page] for page in sorted(uneven))
        for batch, document, document_number in self._documents_of(single_batches, alone=True):
            ((number, _),) = batch
            page_count = pages_of_first(document)
            if page_count == 1:
                del document.pages[1:]
                yield {number: PrintedPage(self._documents, document_number, 0)}, document
            else:
                face = faces[number] if faces else None
                template = f"{face.kind if face else 'back'}.html.jinja"
                self._uneven.setdefault(template, (face, page_count))

    def _documents_of(
        self, batches: Iterable[_Batch], *, alone: bool = False
    ) -> Iterator[tuple[_Batch, pikepdf.Pdf, int]]:
        """Yield documents as they are finished, with their numbers; each is open until the next is requested.

        Templates are filled in this thread while the engine renders in others; at most ``MAX_PENDING``
        documents wait. A card that is ``alone`` is followed by an empty page, so that its own can be counted.
        """
        pending: dict[Future[bytes], _Batch] = {}
        for batch in batches:
            html = self._templates.document([markup for _, markup in batch], alone=alone)
            if isinstance(html, TemplateProblem):
                self._problems.setdefault(html, None)
                continue
            fetch = self.drawings.fetch_for(html)
            pending[self._pool.submit(self._renderer.render_pages, html, self._size, fetch)] = batch
            del html
            if len(pending) >= MAX_PENDING:
                yield from self._finished(pending)
        while pending:
            yield from self._finished(pending)

    def _finished(self, pending: dict[Future[bytes], _Batch]) -> Iterator[tuple[_Batch, pikepdf.Pdf, int]]:
        """Wait for the next documents, remove them from those that are pending, and yield them opened.

        Raises ``EngineError`` when the time of the run is over.
        """
        finished = wait(pending, 0, return_when=FIRST_COMPLETED).done
        while not finished and (patience := self._patience()) > 0:
            finished = wait(pending, min(patience, _LONGEST_WAIT), return_when=FIRST_COMPLETED).done
        if not finished:
            self._pool.shutdown(wait=False, cancel_futures=True)  # a running engine cannot be interrupted
            self._timed_out = True
            raise EngineError("it takes too long")
        for future in finished:
            batch = pending.pop(future)
            document = pikepdf.open(io.BytesIO(future.result()))
            yield batch, document, self._documents.add(future.result(), document)

    def _patience(self) -> float:
        """Return the seconds that remain; making static fonts, which is done once, does not count."""
        return self._until + seconds_spent() - self._seconds_before - time.monotonic()


def _with_translations(faces: Sequence[Face]) -> tuple[Sequence[Face], list[list[int]]]:
    """Return the faces followed by their translations, and the numbers of the editions of each card."""
    numbers = {face: number for number, face in enumerate(faces)}
    editions = []
    for face in faces:
        if face.translations:
            cards = (face, *face.translations)
            editions.append([numbers.setdefault(card, len(numbers)) for card in cards if card.has_reminders])
    return tuple(numbers), editions


def _drop_reminders(
    editions: Iterable[Sequence[int]], sizes: dict[int, dict[str, float]], *, starts_again: bool
) -> Iterator[int]:
    """Drop the reminders of a card in all languages if they do not fit in one; yield the changed numbers.

    ``starts_again``: their rules text starts again at the size of its template.
    """
    for numbers in editions:
        if any(WITHOUT_REMINDERS in sizes[number] for number in numbers):
            for number in numbers:
                if WITHOUT_REMINDERS not in sizes[number]:
                    sizes[number][WITHOUT_REMINDERS] = 0
                    if starts_again:
                        sizes[number].pop(RULES, None)
                    yield number


def _batches(numbers: Sequence[int], alone: int) -> Iterator[Sequence[int]]:
    """Yield batches of equal size, enough to keep every thread busy; up to ``alone`` cards are one batch."""
    count = max(math.ceil(len(numbers) / BATCH), THREADS if len(numbers) > alone else 1)
    for batch_number in range(count):
        yield numbers[batch_number * len(numbers) // count : (batch_number + 1) * len(numbers) // count]


def _shrink(
    overflows: dict[int, list[Measure]],
    sizes: dict[int, dict[str, float]],
    faces: Sequence[Face],
    *,
    to_minimum: bool,
) -> list[int]:
    """Set smaller sizes where text does not fit and may shrink; return the numbers of the changed cards.

    Rules text at its minimum size loses its reminders. The numbers are sorted, whichever batch was finished
    first, so that the next batches, and with them the bytes, are always the same.
    """
    changed = []
    for number, card_measures in sorted(overflows.items()):
        shrinkable = [measure for measure in card_measures if measure.size > measure.floor]
        cramped = any(measure.region == RULES and measure.size <= measure.floor for measure in card_measures)
        if cramped and faces[number].has_reminders and WITHOUT_REMINDERS not in sizes[number]:
            sizes[number][WITHOUT_REMINDERS] = 0
            changed.append(number)
            continue
        for measure in shrinkable:
            sizes[number][measure.region] = measure.floor if to_minimum else measure.next_size()
            if to_minimum and measure.region == RULES:
                sizes[number][WITHOUT_REMINDERS] = 0  # there is no round left to start again without them
        if shrinkable:
            changed.append(number)
    return changed
