"""A contact sheet: the chosen cards small, by kind and TEAM, as pages or as one picture."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from toolkit.project.exports.choice import Choice
from toolkit.project.output import Outcome, Refusal, gave_up, refused_pdf, refused_picture, write_file
from toolkit.render.contact import ContactSettings, Group, contact_pdf, contact_picture
from toolkit.render.face import KINDS, Face
from toolkit.render.impose import Information
from toolkit.render.layout_check import paper_of
from toolkit.render.sheet import Failure, Progress, SheetSettings


class ContactRequest(Struct, frozen=True):
    """The file (its ending decides whether it is a PDF or a picture), the paper of a PDF, and how many cards
    are side by side; None: the project's, and as many as fit at a little less than half their size."""

    output: Path
    paper: str | None = None
    columns: int | None = None


def write_contact(request: ContactRequest, choice: Choice, progress: Progress) -> Outcome | Refusal:
    """Write each of the chosen cards once, whole or not at all."""
    output = request.output
    picture = output.suffix.lower() == ".png"
    refused = choice.nothing or (refused_picture(output) if picture else refused_pdf(output))
    if refused:
        return Refusal(refused)
    if picture and request.paper:
        return Refusal("--paper is for a PDF: a picture is as large as its cards need.")
    project = choice.workspace.cards.project
    settings = ContactSettings(
        SheetSettings(layout=choice.layouts.layout, by_kind=choice.layouts.by_kind, look=choice.look),
        Information.of(project, [choice.language]),
        None if picture else paper_of(request.paper or project.paper),
        request.columns,
    )
    made = contact_pdf(groups_of(choice.faces), settings, choice.roots, progress)
    if isinstance(made, Failure):
        return gave_up(made)
    report = choice.report(made.diagnostics)
    if not made.pages:
        return Outcome("Nothing was printed.", report)
    cards = f"{made.cards} card{'' if made.cards == 1 else 's'}"
    data = {"file": str(output), "cards": made.cards}
    if not picture:
        pages = f"{made.pages} page{'' if made.pages == 1 else 's'}"
        refusal = write_file(output, made.pdf)
        return refusal or Outcome(f"{output}: {cards} on {pages}.", report, {**data, "pages": made.pages})
    drawn = contact_picture(made.pdf)
    if drawn is None:
        return Refusal(f"{cards} are too many for one picture: write a PDF, or choose fewer with --kind.")
    content, width, height = drawn
    sentence = f"{output}: {cards}, {width} × {height} pixels."
    return write_file(output, content) or Outcome(
        sentence, report, {**data, "width": width, "height": height}
    )


def groups_of(faces: tuple[Face, ...]) -> list[Group]:
    """Return the cards by kind, those of a kind by TEAM, each in the order of the files."""
    found: dict[tuple[str, str | None], list[Face]] = {}
    for kind in KINDS:
        for face in faces:
            if face.kind == kind:
                found.setdefault((face.kind_label, face.team_name), []).append(face)
    return [
        Group(" · ".join(filter(None, (label, team))), tuple(dict.fromkeys(some)))
        for (label, team), some in found.items()
    ]
