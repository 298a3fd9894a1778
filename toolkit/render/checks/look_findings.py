"""Findings about ``look`` of the project file: colours that cannot be read, fonts without digits, icons.

low-contrast: two colours of a kind that are too close for words, and paper on which small type is hard to
read; what is printed is readable all the same (``render/tones.py``). unusable-font: a font that would leave
numbers to another one. unknown-value: icons, or a layout of the theme, that are not there.

What lists folders of templates is imported only for such a layout: it takes 16 ms of a check.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.data.looks import PLAIN, Colours
from toolkit.data.model import Project
from toolkit.data.project_files import TEMPLATES
from toolkit.data.schemas.look_schema import FULL_ART, ICONS
from toolkit.data.yaml.nodes import node_at
from toolkit.diagnostics import Diagnostic, correction, suggestion
from toolkit.diagnostics.phrases import shown
from toolkit.render.colours import MIN_CONTRAST, contrast, nearest_colour, readable
from toolkit.render.font_files import characters_of
from toolkit.render.tones import MIN_ON_PAPER, most_contrast
from toolkit.source import Span
from toolkit.source.paths import inside
from toolkit.vocabulary.nearest import nearest

_DIGITS = frozenset(map(ord, "0123456789"))


def look_findings(project: Project) -> Iterator[Diagnostic]:
    """Yield what is wrong with the look and the fonts of a project beyond the form of their values."""
    yield from _fonts(project)
    look = project.look
    if look == PLAIN:
        return
    for surface, colours in look.palette:
        path = ("look", "palette", surface)
        yield from _pair(project, path, f"`{surface}`", colours)
        if surface == "paper":
            yield from _paper(project, colours)
    for team, colours in look.teams:
        yield from _pair(project, ("look", "palette", "teams", team), f"the TEAM `{team}`", colours)
    yield from _icons(project)
    yield from _layout(project)


def _layout(project: Project) -> Iterator[Diagnostic]:
    """Yield a finding if the theme has no template for a layout that the project itself names.

    The usual layout is always there, and one of a shipped look was not asked for.
    """
    if project.look.layout != FULL_ART or node_at(project.node, ("look", "layout")) is None:
        return
    from toolkit.render.face import KINDS
    from toolkit.render.fetch import Roots, layout_template

    roots = Roots(project.root, theme=project.theme)
    if any(layout_template(roots, kind, FULL_ART) for kind in KINDS):
        return
    yield Diagnostic(
        "unknown-value",
        f"The theme `{project.theme}` has no layout `{FULL_ART}`; cards are printed in its usual one.",
        project.span_of("look", "layout"),
        "Choose the theme `classic` or `tournament`, or write "
        f"templates/themes/{project.theme}/{FULL_ART}.html.jinja.",
    )


def _pair(project: Project, path: tuple[str, ...], whose: str, colours: Colours) -> Iterator[Diagnostic]:
    """Yield a finding if what is written and drawn on a ground is too close to it."""
    if len(colours) < 2 or contrast(*colours) >= MIN_CONTRAST:  # with one colour the other is derived
        return
    ground, line = colours
    span, better = project.span_of(*path, 1), readable(line, ground)
    yield _low_contrast(
        span,
        f"The colours {ground} and {line} of {whose} have a contrast of {contrast(*colours):.1f} : 1; "
        f"words need {MIN_CONTRAST:g} : 1.",
        line,
        better,
    )


def _paper(project: Project, colours: Colours) -> Iterator[Diagnostic]:
    """Yield a finding if neither black nor white is read well enough on the ground of rules text."""
    paper, *_ = colours
    if most_contrast(paper) >= MIN_ON_PAPER:
        return
    path: list[str | int] = ["look", "palette", "paper"]
    if len(colours) > 1:  # written as a list
        path.append(0)
    span = project.span_of(*path)
    better = nearest_colour(paper, lambda colour: most_contrast(colour) >= MIN_ON_PAPER)
    yield _low_contrast(
        span,
        f"On {paper} rules text has a contrast of {most_contrast(paper):.1f} : 1 at most; "
        f"small type needs {MIN_ON_PAPER:g} : 1.",
        paper,
        better or "#ffffff",
    )


def _low_contrast(span: Span, message: str, colour: str, better: str) -> Diagnostic:
    return Diagnostic(
        "low-contrast",
        message,
        span,
        f'"{better}" instead of "{colour}" would work.',
        fix=correction(span, better, safe=False),
    )


def _fonts(project: Project) -> Iterator[Diagnostic]:
    """Yield a finding for each font without digits, which every card has; damaged ones are found in print."""
    written: list[tuple[tuple[str, ...], str]] = [
        *((("fonts", purpose), font.value) for purpose, font in project.fonts.items()),
        *((("look", "fonts", role), font) for role, font in project.look.fonts),
    ]
    for path, font in written:
        file = inside(project.root / font, project.root)
        characters = characters_of(file) if file is not None else frozenset()
        if characters and not characters >= _DIGITS:
            message = f"The font `{shown(font)}` lacks digits: numbers would be printed in another font."
            step = "Use a font that has 0 to 9."
            yield Diagnostic("unusable-font", message, project.span_of(*path), step)


def _icons(project: Project) -> Iterator[Diagnostic]:
    """Yield a finding if there is no such set of icons."""
    name, folder = project.look.icons, project.root / TEMPLATES / "icons"
    is_own_set = (folder / name).is_dir() and inside(folder / name, project.root) is not None
    if name in ICONS or is_own_set:
        return
    own_sets = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    known_sets = [*ICONS, *own_sets]
    span, meant = project.span_of("look", "icons"), nearest(name, known_sets)
    yield Diagnostic(
        "unknown-value",
        f"There is no set of icons `{shown(name)}`; the shipped icons are printed.",
        span,
        f"Did you mean `{meant}`?" if meant else f"Choose one of these: {', '.join(known_sets)}.",
        fix=suggestion(span, name, meant, known_sets),
    )
