"""Which cards an export takes, and what is found about them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import OF_PICTURES
from toolkit.diagnostics.report import Report, make_report
from toolkit.pipeline import Workspace
from toolkit.project.faces import faces, look_of, roots_of
from toolkit.project.layouts import LayoutRequest, Layouts, choose_layouts, unprintable
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.layout import LayoutPlan
from toolkit.render.pages import Look
from toolkit.render.sheet import Progress
from toolkit.render.sizes import Size


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
) -> Choice | str:
    """The chosen cards of a project, in a theme, with or without grounds and pictures.

    Without ids and kinds all cards are chosen, without a language its first one, without a theme its own.
    """
    layouts = choose_layouts(workspace.cards, LayoutRequest())
    if isinstance(layouts, str):
        return layouts
    spoken = language or workspace.cards.project.languages[0]
    chosen = tuple(face for face in faces(workspace, spoken, tuple(ids), tuple(kinds)) if face.quantity)
    findings = tuple(known_findings(workspace, ids, kinds, chosen))
    look, roots = look_of(workspace, low_ink), roots_of(workspace, theme)
    refused = unprintable(chosen, layouts, roots)
    if refused:
        return refused
    return Choice(workspace, spoken, chosen, findings, layouts, look, roots)


def known_findings(
    workspace: Workspace, ids: Collection[str], kinds: Collection[str], faces: Sequence[Face]
) -> list[Diagnostic]:
    """The findings about cards before they are printed: errors, and what is wrong with pictures."""
    shown = {face.id for face in faces}
    pictures = (
        finding
        for finding in workspace.findings
        if finding.name in OF_PICTURES and (finding.card in shown or finding.card is None)
    )
    return [*workspace.errors_about(ids, kinds), *pictures]


def part_of(progress: Progress, done: int, total: int) -> Progress:
    """The progress of a part of a run, before which so much is done."""
    return lambda now, _: progress(done + now, total)
