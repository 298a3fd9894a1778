"""A picture of a few cards to show, for a box or a README."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.data.quoting import counted
from toolkit.pipeline import Workspace
from toolkit.project.output import Outcome, Refusal, gave_up, refused_picture, write_file
from toolkit.project.print_job import PrintJob, PrintRequest, choose
from toolkit.render.face import Face
from toolkit.render.sheet import Failure, Progress
from toolkit.render.showcase import ShowcaseSettings, ShownCard, draw_showcase

MOST = 24
"""So many cards are shown at most: of more nothing could be seen."""

_OTHERS = ("attack", "strategy", "item", "defence", "effect")
_DEFAULT = 7


class ShowcaseRequest(PrintRequest, frozen=True):
    """A picture of the cards of ``ids`` in their order; without ids of some that differ."""

    drawn: ShowcaseSettings = ShowcaseSettings()


def write_showcase(workspace: Workspace, request: ShowcaseRequest, progress: Progress) -> Outcome | Refusal:
    """Write the picture, whole or not at all."""
    job = choose(workspace, request, refused_picture(request.output))
    if not isinstance(job, PrintJob):
        return job
    by_id = {face.id: face for face in job.faces}
    faces = [by_id[one] for one in dict.fromkeys(request.ids) if one in by_id] or _good(job.faces)
    if len(faces) > MOST:
        return Refusal(f"{len(faces)} cards are too many for a picture; name at most {MOST}.")
    plans = [job.layouts.of(face.kind) for face in faces]
    cards = [ShownCard(face, plan.card, plan.bleed) for face, plan in zip(faces, plans, strict=True)]
    drawn = draw_showcase(cards, request.drawn, job.look, job.roots, progress)
    if isinstance(drawn, Failure):
        return gave_up(drawn)
    data = {
        "file": str(request.output),
        "cards": [face.id for face in faces],
        "width": drawn.width,
        "height": drawn.height,
    }
    sentence = f"{request.output}: {counted(drawn.cards, 'card')}, {drawn.width} × {drawn.height} pixels."
    done = Outcome(sentence, job.report(drawn.diagnostics), data)
    return write_file(request.output, drawn.png) or done


def _good(faces: Sequence[Face]) -> list[Face]:
    """A few cards that differ: the dearest OPERATOR of each TEAM, and cards of other kinds around them.

    Cards with a picture come before those without one.
    """
    order = sorted(faces, key=lambda face: (face.art is None, -(face.squadpoints or 0)))
    best: dict[str, Face] = {}
    for face in order:
        if face.kind == "operator":
            best.setdefault(face.team_name or "", face)
    operators = list(best.values())[:4]
    others = [face for kind in _OTHERS for face in order if face.kind == kind]
    first = list({face.kind: face for face in reversed(others)}.values())
    first.sort(key=lambda face: _OTHERS.index(face.kind))
    around = [*first, *(face for face in others if face not in first)][: _DEFAULT - len(operators)]
    rest = [face for face in order if face not in operators and face not in around]
    around += rest[: max(_DEFAULT - len(operators) - len(around), 0)]
    half = len(around) // 2
    return [*around[:half], *operators, *around[half:]]
