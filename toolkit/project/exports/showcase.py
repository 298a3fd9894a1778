"""A picture of a few cards to show, for a box or a README."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toolkit.project.exports.choice import Choice
from toolkit.project.output import Outcome, Refusal, gave_up, refused_picture, write_file
from toolkit.render.face import Face
from toolkit.render.sheet import Failure, Progress
from toolkit.render.showcase import ShowcaseSettings, ShownCard, draw_showcase

MOST = 24
"""So many cards are shown at most: of more nothing could be seen."""

_OTHERS = ("attack", "strategy", "item", "defence", "effect")
_DEFAULT = 7


def write_showcase(
    output: Path, ids: Sequence[str], choice: Choice, settings: ShowcaseSettings, progress: Progress
) -> Outcome | Refusal:
    """Write the picture of the cards with these ids, in their order; without ids of some that differ."""
    refused = choice.nothing or refused_picture(output)
    if refused:
        return Refusal(refused)
    by_id = {face.id: face for face in choice.faces}
    faces = [by_id[one] for one in dict.fromkeys(ids) if one in by_id] if ids else _good(choice.faces)
    if not faces:
        return Outcome("Nothing was drawn.", choice.report())
    if len(faces) > MOST:
        return Refusal(f"{len(faces)} cards are too many for a picture; name at most {MOST}.")
    cards = [ShownCard(face, (plan := choice.plan(face)).card, plan.bleed) for face in faces]
    drawn = draw_showcase(cards, settings, choice.look, choice.roots, progress)
    if isinstance(drawn, Failure):
        return gave_up(drawn)
    report = choice.report(drawn.diagnostics)
    counted = f"{drawn.cards} card{'' if drawn.cards == 1 else 's'}"
    data = {
        "file": str(output),
        "cards": [face.id for face in faces],
        "width": drawn.width,
        "height": drawn.height,
    }
    sentence = f"{output}: {counted}, {drawn.width} × {drawn.height} pixels."
    return write_file(output, drawn.png) or Outcome(sentence, report, data)


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
