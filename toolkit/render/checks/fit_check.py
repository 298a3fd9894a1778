"""Checking the print without a sheet: text that does not fit, unused templates, missing characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from msgspec.json import decode, encode
from msgspec.structs import replace

import toolkit.render
from toolkit import __version__
from toolkit.diagnostics import Diagnostic
from toolkit.render.checks import print_findings
from toolkit.render.checks.css_check import ignored_css
from toolkit.render.checks.missing_glyphs import missing_glyphs
from toolkit.render.checks.template_check import (
    unprinted_parts,
    unusable_icons,
    unusable_names,
    unused_templates,
)
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.face import Face
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.fit import Measure
from toolkit.render.pages import FaceOptions
from toolkit.render.print_run import PrintRun
from toolkit.render.renderer import DamagedFont, EngineError, Progress, Renderer, no_progress
from toolkit.render.sizes import Size
from toolkit.source.derived_files import DerivedFile
from toolkit.source.paths import file_stamp


def print_warnings(faces: Sequence[Face], roots: Roots, renderer: Renderer) -> Iterator[Diagnostic]:
    """Yield findings that need no rendered cards: unused templates, icons, ignored CSS, missing glyphs."""
    if roots.overrides.is_dir():
        yield from unusable_names(roots)
        yield from unused_templates(roots)
        yield from unprinted_parts(roots)
        yield from unusable_icons(roots)
        yield from ignored_css(roots)
    yield from missing_glyphs(faces, roots, renderer)


Measures = Mapping[Face, tuple[Measure, ...]]
"""By card: the regions whose text does not fit at its minimum size."""


class FitCache:
    """Cached measures of texts that do not fit, in the user's cache folder.

    One file holds those for the same templates, engine, card size, program and other ``circumstances``.
    """

    def __init__(self, roots: Roots, circumstances: Iterable[object]) -> None:
        self._entry = DerivedFile("fit", __version__, _package_stamp(), roots.stamp(), *circumstances)

    def load(self, faces: Iterable[Face]) -> dict[Face, tuple[Measure, ...]]:
        """Return cached fit results, by card, for cards already measured."""
        known_measures = self._read()
        measures_by_face = ((face, known_measures.get(printed_key(face))) for face in faces)
        return {face: measures for face, measures in measures_by_face if measures is not None}

    def _read(self) -> dict[str, tuple[Measure, ...]]:
        content = self._entry.load()
        return {} if content is None else decode(content, type=dict[str, tuple[Measure, ...]])

    def store(self, measures: Measures, *, beside: bool = False) -> None:
        """Replace the cached results, or with ``beside`` add to them. Errors of the cache are ignored."""
        data = {printed_key(face): face_measures for face, face_measures in measures.items()}
        self._entry.keep(encode(self._read() | data if beside else data))


def printed_key(face: Face) -> str:
    """Return a digest of everything on a card's front, with times and sizes of its pictures."""
    pictures = [file_stamp(path) for path in (face.art, face.team_logo, face.set_symbol) if path is not None]
    front = replace(face, places={}, quantity=1, back=None)  # the rest is not on it
    return blake2b(repr((front, pictures)).encode("utf-8", "replace"), digest_size=16).hexdigest()


def _package_stamp() -> str:
    """Return a digest that changes whenever a module that draws cards does."""
    stamps = [file_stamp(path) for path in sorted(Path(toolkit.render.__path__[0]).rglob("*.py"))]
    return blake2b(repr(stamps).encode(), digest_size=8).hexdigest()


def check_fit(
    faces: Sequence[Face],
    trim: Size,
    roots: Roots,
    face_options: FaceOptions,
    progress: Progress = no_progress,
    renderer: Renderer | None = None,
    *,
    are_all: bool = True,
) -> list[Diagnostic] | str:
    """Return the findings of printing these cards at that size, or a sentence why they cannot be printed.

    Cards that have not changed since an earlier check are not printed again. If these ``are_all`` cards of
    the project, cached results of others are dropped.
    """
    engine = renderer or choose_renderer()
    if isinstance(engine, NoEngine):
        return f"{engine.message} {engine.next_step}"
    cache = FitCache(roots, (engine.name, engine.version, trim, face_options, roots))
    faces = list(dict.fromkeys(faces))
    known_measures = cache.load(faces)
    unmeasured = [face for face in faces if face not in known_measures]
    findings: list[Diagnostic] = []
    if unmeasured:
        run = PrintRun(engine, trim, Fetcher(roots), progress, face_options=face_options)
        try:
            run.print_fronts(unmeasured)
            faint_words = list(run.faint_words())
        except DamagedFont as error:
            return [print_findings.unusable_resource(error.address, "template-error", (), roots)]
        except EngineError as error:
            return f"The PDF engine {engine.name} failed: {error}"
        finally:
            run.close()
        # Overflows are made below from the measures, as for the cards that are not printed again.
        findings = [finding for finding in run.diagnostics() if finding.name != "text-overflow"] + faint_words
        known_measures |= dict.fromkeys(unmeasured, ())
        for face, measure in run.overflows:
            known_measures[face] += (measure,)
        if not findings:  # the cache holds only overflows: other findings are looked for again
            cache.store(known_measures, beside=not are_all)
    overflows = ((face, overflow) for face in faces for overflow in known_measures.get(face, ()))
    return [*findings, *print_findings.text_overflows(overflows), *print_warnings(faces, roots, engine)]


def without_duplicates(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield each finding once, although several languages or sizes may have it."""
    diagnostics_by_key: dict[tuple[str, str, Path, int], Diagnostic] = {}
    for diagnostic in diagnostics:
        diagnostics_by_key.setdefault(
            (diagnostic.name, diagnostic.message, diagnostic.span.file.path, diagnostic.span.start),
            diagnostic,
        )
    yield from diagnostics_by_key.values()
