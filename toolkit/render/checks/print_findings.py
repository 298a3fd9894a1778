"""Findings of printing, at the text in a card file or template that causes them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from urllib.parse import unquote

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import shown
from toolkit.render.colours import BLACK, MIN_CONTRAST, readable
from toolkit.render.environment import NOT_UTF_8, TemplateProblem
from toolkit.render.face import Face
from toolkit.render.fetch import ResourceProblem, Roots, excessive_import
from toolkit.render.fit import FLOOR, RULES, Measure
from toolkit.render.font_files import SUFFIXES
from toolkit.render.legibility import MIN_DPI, CoarsePicture, FaintWords, PrintedWords
from toolkit.render.output_limits import MAX_IMPORTED_BYTES, MAX_IMPORTS, style_sheet_excess
from toolkit.render.sizes import POINTS_PER_MM
from toolkit.source import SourceFile, Span, shown_name
from toolkit.source.paths import PROJECT_FILE, read_regular
from toolkit.source.reading import LARGEST_FILE
from toolkit.wording.text import plain


def line_span(path: Path, line: int) -> Span:
    """Return the span of a line (from 1) without its indentation; the start of the file if there is none."""
    source = read_source(path)
    starts = source.line_starts()
    if not 1 <= line <= len(starts):
        return source.span(0, 0)
    text = source.line(line)
    indent = len(text) - len(text.lstrip())
    return source.span(starts[line - 1] + indent, starts[line - 1] + len(text.rstrip()))


def read_source(path: Path) -> SourceFile:
    """Return a file with undecodable bytes replaced; an empty one if it cannot be read."""
    try:
        text = read_regular(path, LARGEST_FILE).decode("utf-8", errors="replace")
    except OSError:
        text = ""
    return SourceFile(path, shown_name(path), text)


_REGION_WORDS = {
    "name": "name",
    "rules": "rules text",
    "flavour": "flavour text",
    "team": "TEAM line",
    "kind-label": "word for the kind",
    "points": "label of SQUADPOINTS",
    "stats": "stats block",
    "badge": "figure in the corner",
    "value": "value",
    "initial": "initial of the TEAM",
    "imprint": "line of `set`, `number`, `artist` and `version`",
}

_LABELS = ("kind-label", "points", "stats", "badge", "value", "initial")
"""Regions whose words no card file can shorten: tabs, bands, plates and figures."""


def text_overflows(overflows: Iterable[tuple[Face, Measure]]) -> Iterator[Diagnostic]:
    """Yield the findings for text that does not fit; that of a label once for all cards of a kind."""
    labels: set[tuple[str, str, str]] = set()
    for face, measure in overflows:
        label = (face.kind, measure.region, face.lang)
        if measure.region not in _LABELS or label not in labels:
            labels.add(label)
            yield text_overflow(face, measure)


def text_overflow(face: Face, measure: Measure) -> Diagnostic:
    """Return the finding for text that does not fit at its minimum size, at the text in the card file."""
    region = _overflowing_region(measure)
    words = _REGION_WORDS.get(region, region)
    excess = measure.excess / POINTS_PER_MM
    size, fitting = round(measure.size, 1), max(measure.fitting_size(), 0.1)
    return Diagnostic(
        "text-overflow",
        f"The {words} of {shown(face.name)} is {excess:.1f} mm too long for its place on the card "
        f"({face.lang}), even at {size:g} pt; it would fit at about {fitting:.1f} pt.",
        face.span(region),
        f"{_overflow_step(face, region, measure)} The smallest size is `type_floor` in opforge.yaml.",
        card=face.id,
    )


def _overflowing_region(measure: Measure) -> str:
    """Return the region that does not fit: the tail if the other text alone would fit."""
    (width, height), (_, box_height) = measure.content, measure.box
    if measure.too_wide:
        tail_only = measure.tail_width == width
    else:
        tail_only = height - measure.tail <= box_height < height
    return measure.tail_region if measure.tail_region and tail_only else measure.region


def _overflow_step(face: Face, region: str, measure: Measure) -> str:
    """Return the next step. Text that is generated from an effect cannot be shortened directly."""
    if region in _LABELS:
        return "Choose a narrower `display` font, or give it more room in your template."
    if measure.too_wide:
        rules = (f"{skill.name or ''} {plain(skill.paragraphs)}" for skill in face.skills)
        text = {RULES: " ".join(rules), "flavour": face.flavour}.get(region) or ""
        longest_word = shown(max(re.split(r"\s|(?<=-)", text), key=len))
        if longest_word:
            return (
                f"`{longest_word}` is too wide for a line: add a hyphen where it can be broken, "
                "or use another word."
            )
    (box_width, box_height), (width, height) = measure.box, measure.content
    excess = max(1 - box_width / width if width else 0.0, 1 - box_height / height if height else 0.0)
    share = f"about {max(round(100 * excess), 1)} %"
    if region == "team":
        return f"Shorten the TEAM's name or the traits by {share}, or give the card fewer traits."
    if region != RULES or face.by_hand:
        return f"Shorten it by {share}."
    flavour = " or the flavour text" if face.flavour else ""
    return (
        f"It is generated from the effect and must be {share} shorter: remove a sentence{flavour}, "
        "or write your own shorter text with `text:`."
    )


_UNKNOWN = re.compile(r"(?:has no|there is no) `(?P<name>\w+)`")


def template_error(problem: TemplateProblem, roots: Roots, face: Face | None) -> Diagnostic:
    """Return the finding for a template that failed, at its line or the unknown name there."""
    path = problem.path or roots.overrides / problem.template
    if problem.message == NOT_UTF_8:
        return _not_utf_8("template", path)
    end = "" if problem.message.endswith(("?", ".")) else "."
    line_words = f", line {problem.line}" if problem.line else ""
    span = line_span(path, problem.line)
    unknown = _UNKNOWN.search(problem.message)
    name = re.search(rf"\b{unknown['name']}\b", span.text) if unknown else None
    return Diagnostic(
        "template-error",
        f"The template {problem.template}{line_words} cannot be used: {problem.message}{end}",
        span.file.span(span.start + name.start(), span.start + name.end()) if name else span,
        "Fix that line, or delete the file from the project's templates folder to use the shipped one.",
        card=face.id if face else None,
    )


def _not_utf_8(file_kind: str, path: Path) -> Diagnostic:
    return Diagnostic(
        "template-error",
        f"The {file_kind} {path.name} cannot be used: {NOT_UTF_8}.",
        line_span(path, 1),
        "Save it as UTF-8 in your editor.",
    )


_OR_USE_SHIPPED = "or delete the file from the project's templates folder to use the shipped one."


def wrong_page_count(template: str, face: Face | None, pages: int, roots: Roots) -> Diagnostic:
    """Return the finding for a template or style sheet with which a card does not make one page."""
    path = _culprit(template, roots)
    if path.suffix == ".css":
        message = f"With the style sheet {path.name} cards do not take one page each."
        step = "Keep the rules of the shipped base.css for body, .page and .card"
    else:
        count = "no page" if pages == 0 else f"{pages} pages"
        message = f"The template {path.name} makes {count} for one card instead of one."
        step = 'Put everything into one <section class="page"> of the size that card.html.jinja gives it'
    return Diagnostic(
        "template-error",
        message,
        line_span(path, 1),
        f"{step}, {_OR_USE_SHIPPED}",
        card=face.id if face else None,
    )


def _culprit(template: str, roots: Roots) -> Path:
    """Return the project's file that most likely breaks the page, above all a base.css without ``.page``."""
    sheet = roots.find("base.css")
    if sheet is not None and roots.is_own(sheet) and ".page" not in read_source(sheet).text:
        return sheet
    shared = ("card.html.jinja", "shapes.html.jinja", "page.html.jinja", "base.css", "card.css")
    for name in (template, *shared):
        template_file = roots.find(name)
        if template_file is not None and roots.is_own(template_file):
            return template_file
    return roots.find(template) or roots.templates / template


def low_resolution(face: Face, coarse: CoarsePicture, roots: Roots) -> Diagnostic:
    """Return the finding for a picture with too few pixels, at the card where it is printed largest."""
    name = shown(os.path.relpath(coarse.picture, roots.project).replace(os.sep, "/"))
    (width, height), (least_width, least_height) = coarse.pixels, coarse.wanted
    return Diagnostic(
        "low-resolution",
        f"The picture `{name}` has {width} × {height} pixels and is printed {coarse.width:.0f} mm wide on "
        f"{shown(face.name)}: {int(round(coarse.dpi, 1))} dpi, at least {MIN_DPI} are needed.",
        face.span(coarse.region),
        f"Use a picture of at least {least_width} × {least_height} pixels; enlarging this one does not help.",
        card=face.id,
    )


_SELECTORS = {
    "kind_label": r"\.(?:label|kind)\b",
    "stat.icon": r"\.unit\b",
    "stat.value": r"\.value\b",
    "squadpoints": r"\.squadpoints\b",
    "badge": r"\.badge\b",
    "face.value": r"\.worth\b",
    "team_name": r"\.team\b",
    "traits": r"\.traits\b",
}
"""Selectors of the shipped style sheets for the elements with such words."""


def small_text(face: Face, words: Sequence[PrintedWords], field: str, roots: Roots) -> Diagnostic:
    """Return the finding for words that are too small, at the project's rule for them, else at the card."""
    size = min(word_on_card.size for word_on_card in words)
    span, step = _styled_at(face, field, roots)
    return Diagnostic(
        "small-text",
        f"{_listed(words)} on {face.kind_label} cards ({face.lang}) {_is_or_are(words)} printed in "
        f"{size:.1f} pt; readable text needs {FLOOR:g} pt.",
        span,
        f"Print larger cards, or {step} larger type.",
        card=face.id,
    )


def low_contrast(face: Face, words: Sequence[FaintWords], field: str, roots: Roots) -> Diagnostic:
    """Return the finding for words with too little contrast, at the rule for them, else at the card."""
    worst = min(words, key=attrgetter("ratio"))
    span, step = _styled_at(face, field, roots)
    return Diagnostic(
        "low-contrast",
        f"{_listed([faint.words for faint in words])} on {shown(face.name)} ({face.lang}) "
        f"{_is_or_are(words)} {worst.words.colour} on {worst.ground}, a contrast of {worst.ratio:.1f} : 1; "
        f"words need {MIN_CONTRAST:g} : 1.",
        span,
        f"{step[0].upper()}{step[1:]} the colour {readable(worst.words.colour or BLACK, worst.ground)}, "
        "or in a template `readable(colour, background)`.",
        card=face.id,
    )


_LISTED = 4


def _listed(words: Sequence[PrintedWords]) -> str:
    texts = [shown(word_on_card.text.strip()) for word_on_card in words]
    further_count = len(texts) - _LISTED
    return ", ".join(texts[:_LISTED]) + (f" and {further_count} more" if further_count > 0 else "")


def _is_or_are(words: Sequence[object]) -> str:
    return "is" if len(words) == 1 else "are"


def _styled_at(face: Face, field: str, roots: Roots) -> tuple[Span, str]:
    """Return where the project styles such words, and the next step; the card if all files are shipped."""
    style_files = [roots.find(name) for name in ("card.css", f"{face.kind}.html.jinja", "card.html.jinja")]
    patterns = [_SELECTORS[field]] if field in _SELECTORS else []
    if field:
        patterns.append(rf"{{{{[^}}]*\b{re.escape(field)}\b")  # such as `{{ card.imprint.artist }}`
    files = [read_source(path) for path in style_files if path is not None and roots.is_own(path)]
    for source in files:
        for pattern in patterns:
            match = re.search(pattern, source.text)
            if match:
                return source.span(match.start(), match.end()), "give them here"
    if files:  # at the template rather than the style sheet
        return files[-1].span(0, 0), "give them here"
    return face.span("card"), f"copy {face.kind}.html.jinja and card.css into templates and give them"


_ROOT = re.compile(r"^opforge://(?:project|templates|outside)/")

_RESOURCE_MESSAGES = {
    "missing-resource": ("does not exist", "Create the file, or correct the path."),
    "refused-resource": (
        "is outside the project's folder and was not loaded",
        "Copy the file into the project and refer to it there.",
    ),
    "picture-too-large": ("has too many pixels or elements to be printed", "Make it smaller."),
    "unreadable-picture": ("is not a picture that can be printed", "Save it again as PNG, JPEG or SVG."),
    "unusable-font": (
        "is a variable font that cannot be set to the weight of its face",
        "Use a static font (.ttf) for each weight.",
    ),
}


def unusable_resource(
    address: str,
    problem: ResourceProblem,
    faces: Iterable[tuple[Face, Iterable[str]]],
    roots: Roots,
    reason: str | None = None,
) -> Diagnostic:
    """Return the finding for a file that could not be loaded, at the card or template that names it.

    ``reason`` says why, if more is known than the problem, as a phrase after the name of the file.
    """
    path = unquote(_ROOT.sub("", address.partition("?")[0]))
    if Path(path).suffix.lower() in SUFFIXES and problem == "template-error":
        message = f"The font {path} cannot be used: it is damaged or not a font."
        step = "Save or download it again as .ttf, .otf or .woff2."
        return Diagnostic("template-error", message, _mention(path, roots), step)
    if problem == "template-error":  # a style sheet
        source = read_source(roots.find(path) or roots.overrides / path)
        excess = style_sheet_excess(source.text)
        if excess is None:
            return _not_utf_8("style sheet", source.path)
        message = f"The style sheet {source.path.name} cannot be used: {excess.message}."
        excess_span = source.span(excess.at, excess.at + 1)
        return Diagnostic("template-error", message, excess_span, excess.step)
    if problem == "too-many-imports":
        return _too_many_imports(address, path, roots)
    problem_text, next_step = _RESOURCE_MESSAGES[problem]
    message = f"The file {path} {reason or problem_text}."
    for face, addresses in faces:
        span = face.place("art")
        if span is not None and address in addresses:
            return Diagnostic(problem, message, span, next_step, card=face.id)
    return Diagnostic(problem, message, _mention(path, roots), next_step)


def _too_many_imports(address: str, path: str, roots: Roots) -> Diagnostic:
    """Return the finding about a style sheet that imports too much, at the import that goes too far."""
    file = roots.find(path) or roots.overrides / path
    source = read_source(file)
    excessive = excessive_import(roots, address, source.text.encode())
    message = (
        f"The style sheet {file.name} is not used: with all that they import in turn, its imports load more "
        f"than {MAX_IMPORTS} style sheets or {MAX_IMPORTED_BYTES // 1_000_000} MB."
    )
    line = source.text.count("\n", 0, excessive.at) + 1 if excessive else 1
    span = line_span(file, line)
    step = "Import each style sheet once, and none that imports this one."
    return Diagnostic("too-many-imports", message, span, step)


def _mention(path: str, roots: Roots) -> Span:
    """Return the span of a file's name in a template, a style sheet or the project file."""
    _, _, name = path.rpartition("/")
    project = roots.project / PROJECT_FILE
    if any(font.as_posix() == path for _, font in roots.fonts) and project.is_file():
        source = read_source(project)
        position = source.text.find(path)
        if position >= 0:
            return source.span(position, position + len(path))
    for folder in roots.folders:
        for file in sorted([*folder.glob("*.css"), *folder.glob("*.jinja")]):
            source = read_source(file)
            position = source.text.find(name)
            if position >= 0:
                return source.span(position, position + len(name))
    return read_source(roots.templates / "page.html.jinja").span(0, 0)
