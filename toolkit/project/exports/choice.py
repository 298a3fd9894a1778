"""Which cards an export takes, what is found about them, and the folder that it writes."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import OF_PICTURES
from toolkit.diagnostics.report import Report, make_report
from toolkit.pipeline import Workspace
from toolkit.project.faces import faces
from toolkit.project.fitting import look_of, roots_of
from toolkit.project.layouts import LayoutRequest, Layouts, choose_layouts
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.layout import LayoutPlan
from toolkit.render.pages import Look
from toolkit.render.sheet import Failure, Progress
from toolkit.render.sizes import Size
from toolkit.source.writing import refused_link


class Refusal(Struct, frozen=True):
    """Why nothing was written; ``broken`` is False where the request itself is wrong."""

    message: str
    broken: bool = False


class Choice(Struct, frozen=True):
    """The cards of one run in file order, those with a quantity of 0 left out, and what was found before.

    ``layouts`` say how large cards of each kind are, and how far their pictures go beyond the cut; ``look``
    and ``roots`` (where templates are) how they look.
    """

    workspace: Workspace
    language: str
    faces: tuple[Face, ...]
    findings: tuple[Diagnostic, ...]
    layouts: Layouts
    look: Look
    roots: Roots

    def plan(self, face: Face) -> LayoutPlan:
        """The layout of a card."""
        return self.layouts.by_kind.get(face.kind, self.layouts.layout)

    def by_size(self) -> dict[tuple[Size, float], list[Face]]:
        """The cards by their trim and bleed, in mm."""
        groups: dict[tuple[Size, float], list[Face]] = {}
        for face in self.faces:
            plan = self.plan(face)
            groups.setdefault((plan.card, plan.bleed), []).append(face)
        return groups

    def report(self, more: Sequence[Diagnostic] = ()) -> Report:
        """Everything that was found about these cards."""
        return make_report([*self.findings, *more], len(self.workspace.cards.files), len(self.faces))

    @property
    def nothing(self) -> str | None:
        """A sentence if there is no card at all, and no error that would explain it."""
        if self.faces or self.report().errors:
            return None
        return (
            "There is nothing to print: no card is chosen, or its `quantity` is 0. "
            "TEAMs, modes and rulesets are not cards."
        )


def choose(
    workspace: Workspace,
    language: str | None,
    ids: Collection[str] = (),
    kinds: Collection[str] = (),
    theme: str | None = None,
    low_ink: bool = False,
) -> Choice | Refusal:
    """The chosen cards of a project, in a theme, with or without grounds and pictures.

    Without ids and kinds all cards are chosen, without a language its first one, without a theme its own.
    """
    layouts = choose_layouts(workspace.cards, LayoutRequest())
    if isinstance(layouts, str):
        return Refusal(layouts)
    spoken = language or workspace.cards.project.languages[0]
    chosen = tuple(face for face in faces(workspace, spoken, tuple(ids), tuple(kinds)) if face.quantity)
    shown = {face.id for face in chosen}
    pictures = (
        finding
        for finding in workspace.findings
        if finding.name in OF_PICTURES and (finding.card in shown or finding.card is None)
    )
    findings = (*workspace.errors_about(ids, kinds), *pictures)
    look, roots = look_of(workspace, low_ink), roots_of(workspace, theme)
    return Choice(workspace, spoken, chosen, findings, layouts, look, roots)


def gave_up(failure: Failure) -> Refusal:
    """The refusal for an engine that cannot be had or gave up, or for a request that cannot be."""
    return Refusal(f"{failure.message} {failure.next_step}", broken=not failure.misfit)


def from_here(progress: Progress, done: int, total: int) -> Progress:
    """The progress of a part of a run, of which so much is done before it."""
    return lambda now, _: progress(done + now, total)


def ready_folder(folder: Path, names: Iterable[str], is_ours: Callable[[Path], bool]) -> Refusal | None:
    """Make the folder if need be; a refusal if one of the files to be written is somebody else's.

    Nothing is written before all of them are known to be free.
    """
    try:
        if folder.exists() and not folder.is_dir():
            return Refusal(f"{folder} is a file; -o needs a folder.")
        for name in names:
            file = folder / name
            refused = refused_link(file)
            if refused:
                return Refusal(refused)
            if os.path.lexists(file) and not (file.is_file() and is_ours(file)):
                return Refusal(f"{file} exists and was not made by opforge; nothing was written.")
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / name).parent.mkdir(exist_ok=True)
    except OSError as error:
        return cannot_write(folder, error)
    if not os.access(folder, os.W_OK):
        return Refusal(f"{folder} cannot be written: permission denied.", broken=True)
    return None


def cannot_write(path: Path, error: OSError) -> Refusal:
    """The refusal for a folder or file that cannot be written."""
    return Refusal(f"{path} cannot be written: {error.strerror or error}.", broken=True)


def free_name(name: str, taken: set[str]) -> str:
    """The name, with a number where another file has it; it is taken from now on."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free
