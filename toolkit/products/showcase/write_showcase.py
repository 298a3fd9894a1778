"""Writing a picture of a few cards, for a box or a README."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.diagnostics.phrases import counted
from toolkit.press.sheet import Failure
from toolkit.products.sheets.print_job import PrintJob, PrintRequest, select_cards
from toolkit.products.showcase.showcase_picture import ShowcaseSettings, ShownCard, draw_showcase
from toolkit.project.output import Outcome, Refusal, failure_refusal, refused_picture, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.face import Face
from toolkit.render.renderer import Progress

MAX_CARDS = 24
"""The maximum: of more cards too little would be visible."""

_OTHER_KINDS = ("attack", "strategy", "item", "defence", "effect")
_DEFAULT_COUNT, _MOST_OPERATORS = 7, 4
"""Cards of a picture for which none is named, and the OPERATORs among them."""


class ShowcaseRequest(PrintRequest, frozen=True):
    """A picture of the cards of ``ids`` in their order, or without ids of a varied selection."""

    drawn: ShowcaseSettings = ShowcaseSettings()


def write_showcase(workspace: Workspace, request: ShowcaseRequest, progress: Progress) -> Outcome | Refusal:
    """Write the picture, whole or not at all."""
    job = select_cards(workspace, request, refused_picture(request.output))
    if not isinstance(job, PrintJob):
        return job
    faces_by_id = {face.id: face for face in job.faces}
    named_faces = [faces_by_id[card_id] for card_id in dict.fromkeys(request.ids) if card_id in faces_by_id]
    faces = named_faces or _default_selection(job.faces)
    if len(faces) > MAX_CARDS:
        return Refusal(f"{len(faces)} cards are too many for a picture; name at most {MAX_CARDS}.")
    plans = [job.layouts.of(face.kind) for face in faces]
    cards = [ShownCard(face, plan.card, plan.bleed) for face, plan in zip(faces, plans, strict=True)]
    showcase = draw_showcase(cards, request.drawn, job.face_options, job.roots, progress)
    if isinstance(showcase, Failure):
        return failure_refusal(showcase)
    data = {
        "file": str(request.output),
        "cards": [face.id for face in faces],
        "width": showcase.width,
        "height": showcase.height,
    }
    sentence = (
        f"{request.output}: {counted(showcase.cards, 'card')}, {showcase.width} × {showcase.height} pixels."
    )
    outcome = Outcome(sentence, job.report(showcase.diagnostics), data)
    return write_file(request.output, showcase.png) or outcome


def _default_selection(faces: Sequence[Face]) -> list[Face]:
    """Return a varied selection: the most expensive OPERATOR of each TEAM, between cards of other kinds.

    Cards with a picture are preferred.
    """
    ranked_faces = sorted(faces, key=lambda face: (face.art is None, -(face.squadpoints or 0)))
    best_operators: dict[str, Face] = {}
    for face in ranked_faces:
        if face.kind == "operator":
            best_operators.setdefault(face.team_name or "", face)
    operators = list(best_operators.values())[:_MOST_OPERATORS]
    faces_of_kinds = [[face for face in ranked_faces if face.kind == kind] for kind in _OTHER_KINDS]
    first_of_kind = [face for faces_of_kind in faces_of_kinds for face in faces_of_kind[:1]]
    later_of_kind = [face for faces_of_kind in faces_of_kinds for face in faces_of_kind[1:]]
    wanted_count = _DEFAULT_COUNT - len(operators)
    surrounding = [*first_of_kind, *later_of_kind][:wanted_count]
    # more OPERATORs if there are too few cards of other kinds
    remaining_faces = [face for face in ranked_faces if face not in operators and face not in surrounding]
    surrounding += remaining_faces[: wanted_count - len(surrounding)]
    half = len(surrounding) // 2
    return [*surrounding[:half], *operators, *surrounding[half:]]
