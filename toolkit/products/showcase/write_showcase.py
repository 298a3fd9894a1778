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
_DEFAULT_COUNT = 7


class ShowcaseRequest(PrintRequest, frozen=True):
    """A picture of the cards of ``ids`` in their order, or without ids of a varied selection."""

    drawn: ShowcaseSettings = ShowcaseSettings()


def write_showcase(workspace: Workspace, request: ShowcaseRequest, progress: Progress) -> Outcome | Refusal:
    """Write the picture, whole or not at all."""
    job = select_cards(workspace, request, refused_picture(request.output))
    if not isinstance(job, PrintJob):
        return job
    by_id = {face.id: face for face in job.faces}
    faces = [
        by_id[card_id] for card_id in dict.fromkeys(request.ids) if card_id in by_id
    ] or _default_selection(job.faces)
    if len(faces) > MAX_CARDS:
        return Refusal(f"{len(faces)} cards are too many for a picture; name at most {MAX_CARDS}.")
    plans = [job.layouts.of(face.kind) for face in faces]
    cards = [ShownCard(face, plan.card, plan.bleed) for face, plan in zip(faces, plans, strict=True)]
    drawn = draw_showcase(cards, request.drawn, job.face_options, job.roots, progress)
    if isinstance(drawn, Failure):
        return failure_refusal(drawn)
    data = {
        "file": str(request.output),
        "cards": [face.id for face in faces],
        "width": drawn.width,
        "height": drawn.height,
    }
    sentence = f"{request.output}: {counted(drawn.cards, 'card')}, {drawn.width} × {drawn.height} pixels."
    outcome = Outcome(sentence, job.report(drawn.diagnostics), data)
    return write_file(request.output, drawn.png) or outcome


def _default_selection(faces: Sequence[Face]) -> list[Face]:
    """Return a varied selection: the most expensive OPERATOR of each TEAM, between cards of other kinds.

    Cards with a picture are preferred.
    """
    order = sorted(faces, key=lambda face: (face.art is None, -(face.squadpoints or 0)))
    best: dict[str, Face] = {}
    for face in order:
        if face.kind == "operator":
            best.setdefault(face.team_name or "", face)
    operators = list(best.values())[:4]
    other_faces = [face for kind in _OTHER_KINDS for face in order if face.kind == kind]
    first = list({face.kind: face for face in reversed(other_faces)}.values())
    first.sort(key=lambda face: _OTHER_KINDS.index(face.kind))
    around = [*first, *(face for face in other_faces if face not in first)][: _DEFAULT_COUNT - len(operators)]
    remaining_faces = [face for face in order if face not in operators and face not in around]
    around += remaining_faces[: max(_DEFAULT_COUNT - len(operators) - len(around), 0)]
    half = len(around) // 2
    return [*around[:half], *operators, *around[half:]]
