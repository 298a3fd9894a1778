"""`check --fit`: whether all cards of a project fit their places, in all its languages, without printing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from toolkit.diagnostics import Diagnostic
from toolkit.pipeline import Workspace
from toolkit.project.faces import faces
from toolkit.render.face import Face
from toolkit.render.fetch import CLASSIC, Roots, themes_of
from toolkit.render.fit_check import check_fit, told_once
from toolkit.render.pages import Look
from toolkit.render.sizes import CARD_SIZES, Size, size_of
from toolkit.vocabulary.nearest import nearest
from toolkit.wording.languages import LANGUAGES

Progress = Callable[[int, int], None]


def look_of(workspace: Workspace, low_ink: bool = False) -> Look:
    """How the project wants its cards to look."""
    return Look(workspace.cards.project.type_floor, low_ink)


def roots_of(workspace: Workspace, theme: str | None = None) -> Roots:
    """Where the project's templates are; in its own theme without another one.

    A theme that does not exist (a finding tells of it) is the classic one.
    """
    wanted = theme or workspace.cards.project.theme
    return Roots(workspace.root, theme=wanted if wanted in themes_of(workspace.root) else CLASSIC)


def fit_findings(
    workspace: Workspace, progress: Progress = lambda _done, _total: None
) -> list[Diagnostic] | str:
    """What printing all cards in all languages of the project would find, each thing once.

    A sentence if there is no engine, or it gave up.
    """
    by_size: dict[Size, list[Face]] = {}
    for language in workspace.cards.project.languages:
        if language in LANGUAGES:
            for face in faces(workspace, language):
                by_size.setdefault(_size_of(workspace, face), []).append(face)
    found: list[Diagnostic] = []
    for size, sized in by_size.items():
        one = check_fit(sized, size, roots_of(workspace), look_of(workspace), progress)
        if isinstance(one, str):
            return one
        found += one
    return list(told_once(found))


def _size_of(workspace: Workspace, face: Face) -> Size:
    project = workspace.cards.project
    wanted = project.card_sizes.get(face.kind, project.card_size)
    return size_of(wanted, CARD_SIZES) or CARD_SIZES["poker"]


def unknown_theme(project: Path, theme: str | None) -> str | None:
    """A sentence if cards of a project cannot be printed in a theme."""
    known = themes_of(project)
    if theme is None or theme in known:
        return None
    near = nearest(theme, known)
    hint = f" Did you mean {near!r}?" if near else ""
    return f"There is no theme {theme!r}.{hint} There are {', '.join(known)}."
