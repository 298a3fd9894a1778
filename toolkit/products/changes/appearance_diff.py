"""The comparison of how cards look in two versions: pictures, colours, templates, backs and sizes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from toolkit.data.art.picture_files import MAX_BYTES
from toolkit.press.layout import LayoutPlan
from toolkit.products.changes.change_model import Difference
from toolkit.products.sheets.project_layouts import LayoutRequest, Layouts, choose_layouts
from toolkit.project.faces import face_options_of, roots_of
from toolkit.project.pipeline import Workspace
from toolkit.render.environment import TemplateProblem
from toolkit.render.face import Back, Face, back_of
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.pages import Pages
from toolkit.render.sizes import Size
from toolkit.source.paths import read_regular

_MADE_INTO_PAGES = {".jinja", ".md"}
_COMPARED_ELSEWHERE = ("icons", "backs", "box", "mat", "reference", "squads", "themes")


class _OtherTemplates(Roots, frozen=True):
    """The files of one project with the templates of another."""

    other: Path = Path()

    @property
    def overrides(self) -> Path:
        """The other project's own templates."""
        return self.other / "templates"


_OLDER, _CURRENT = 0, 1
"""The two versions, as indexes."""


class AppearanceComparison:
    """Compares the appearance of cards in two versions, ``_OLDER`` and ``_CURRENT``.

    Templates are compared by the pages that they make of the current card, so that a comment in one, or a
    template for other kinds of cards, is no difference.
    """

    def __init__(self, baseline: Workspace, current_workspace: Workspace) -> None:
        """Compare the cards of these two; a pair of values is of the older one and the current one."""
        self._options = [face_options_of(workspace) for workspace in (baseline, current_workspace)]
        self._layouts = [_layouts(workspace) for workspace in (baseline, current_workspace)]
        current_roots = roots_of(current_workspace)
        baseline_roots = roots_of(baseline)
        # both with the current fonts, which are compared separately
        roots_with_older_templates = _OtherTemplates(
            current_workspace.root,
            current_roots.templates,
            baseline_roots.theme,
            current_roots.fonts,
            baseline_roots.icons,
            baseline.root,
        )
        self._fonts = [
            {purpose: _content(roots.project / font) for purpose, font in roots.fonts}
            for roots in (baseline_roots, current_roots)
        ]
        self._fetchers = [Fetcher(roots_with_older_templates), Fetcher(current_roots)]
        self._cached_pages: dict[tuple[int, Size], Pages] = {}
        self._backs: dict[tuple[int, Size, Back], tuple[object, ...]] = {}

    def differences(self, older_face: Face, current_face: Face) -> Iterator[Difference]:
        """Yield every difference of appearance between two faces."""
        older_size, current_size = self._size(_OLDER, older_face), self._size(_CURRENT, current_face)
        if older_size != current_size:
            yield Difference("looks", "card size", _measures(older_size), _measures(current_size))
        if _content(older_face.art) != _content(current_face.art):
            yield Difference("looks", "art")
        elif (older_face.focus, older_face.zoom) != (current_face.focus, current_face.zoom):
            yield Difference("looks", "part of the art that is shown")
        if _content(older_face.set_symbol) != _content(current_face.set_symbol):
            yield Difference("looks", "set symbol")
        if _content(older_face.team_logo) != _content(current_face.team_logo):
            yield Difference("looks", "team logo")
        if older_face.team_colours != current_face.team_colours:
            yield Difference("looks", "team colours")
        older_theme, current_theme = (fetcher.roots.theme for fetcher in self._fetchers)
        if older_theme != current_theme:  # of which the other differences are a consequence
            yield Difference("looks", "theme", older_theme, current_theme)
        elif self._fonts[_OLDER] != self._fonts[_CURRENT]:
            yield Difference("looks", "fonts")
        elif self._templates_differ(current_face):
            yield Difference("looks", "template" if self._same_look else "look")
        if self._back(_OLDER, older_face) != self._back(_CURRENT, current_face):
            yield Difference("looks", "back")

    def _templates_differ(self, face: Face) -> bool:
        """Whether the templates and looks of both versions draw a face differently."""
        if self._same_files and self._same_look:
            return False
        return not self._same_style or self._page(_OLDER, face) != self._page(_CURRENT, face)

    def _size(self, version: int, face: Face) -> Size:
        return self._layouts[version].of(face.kind).card

    def _pages(self, version: int, size: Size) -> Pages:
        """Return what fills the templates of a version for cards of a size."""
        if (version, size) not in self._cached_pages:
            self._cached_pages[version, size] = Pages(size, self._fetchers[version], self._options[version])
        return self._cached_pages[version, size]

    def _page(self, version: int, face: Face) -> str:
        return _text(self._pages(version, self._size(_CURRENT, face)).card(face, 0, {}))

    def _back(self, version: int, face: Face) -> tuple[object, ...]:
        """Return what a back is made of, read once: its page and the content of its pictures."""
        # both at the size that the card has now: another size is a difference of its own
        size, card_back = self._size(_CURRENT, face), back_of(face)
        key = (version, size, card_back)
        if key not in self._backs:
            pages, plain_back = self._pages(version, size), Back(card_back.pile, colours=card_back.colours)
            fetcher = self._fetchers[version]
            page_pictures = [fetcher(address).content for address in sorted(pages.back_addresses(plain_back))]
            chosen_pictures = (_content(card_back.picture), _content(card_back.logo))
            # a picture or logo of the project's own takes the place of those of the page
            shown_pictures = () if any(chosen_pictures) else page_pictures
            self._backs[key] = (_text(pages.back(plain_back)), chosen_pictures, shown_pictures)
        return self._backs[key]

    @property
    def _same_look(self) -> bool:
        """Whether both project files set the same of the look."""
        return self._options[_OLDER].look == self._options[_CURRENT].look

    @cached_property
    def _same_files(self) -> bool:
        """Whether both projects have the same template files, or none: pages need not be compared."""
        older_files, current_files = (_files(fetcher.roots) for fetcher in self._fetchers)
        return older_files == current_files

    @cached_property
    def _same_style(self) -> bool:
        """Whether the style sheets, fonts and the document around the pages are the same."""
        size = self._layouts[_CURRENT].layout.card
        documents = [_text(self._pages(version, size).document([])) for version in (_OLDER, _CURRENT)]
        style = [_style(fetcher.roots) for fetcher in self._fetchers]
        return documents[_OLDER] == documents[_CURRENT] and style[_OLDER] == style[_CURRENT]


def _layouts(workspace: Workspace) -> Layouts:
    layouts = choose_layouts(workspace.cards, LayoutRequest())
    return Layouts(LayoutPlan()) if isinstance(layouts, str) else layouts


def _measures(size: Size) -> str:
    return f"{size.width:g}x{size.height:g}mm"


def _text(page: str | TemplateProblem) -> str:
    """Return what a template made, or its problem."""
    return f"{page.template}: {page.message}" if isinstance(page, TemplateProblem) else str(page)


def _content(picture: Path | None) -> bytes | None:
    """Return the content of a picture; None without one, or if it cannot be read."""
    if picture is None:
        return None
    try:
        return read_regular(picture, MAX_BYTES)
    except OSError:
        return None


def _files(roots: Roots) -> dict[str, bytes | None]:
    files = roots.files(roots.overrides)
    return {path.relative_to(roots.overrides).as_posix(): _content(path) for path in files}


def _style(roots: Roots) -> dict[str, bytes | None]:
    """Return the style sheets, fonts and other files of a project's templates, first those of its theme."""
    contents_by_name: dict[str, bytes | None] = {}
    for folder in roots.folders:
        if folder in roots.shipped:
            continue
        for path in roots.files(folder):
            name = path.relative_to(folder)
            if path.suffix not in _MADE_INTO_PAGES and name.parts[0] not in _COMPARED_ELSEWHERE:
                contents_by_name.setdefault(name.as_posix(), _content(path))
    return contents_by_name
