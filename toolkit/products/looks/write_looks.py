"""Writing the gallery of looks: the same cards of the project in its own look and in each shipped one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from toolkit.data.schemas.look_schema import LOOKS
from toolkit.products.contact.contact_pages import Group, GroupStyle
from toolkit.products.contact.write_contact_sheet import ContactRequest, contact_job, write_groups
from toolkit.products.sheets.print_job import PrintJob
from toolkit.project.faces import face_options_of, roots_of
from toolkit.project.output import Outcome, Refusal
from toolkit.project.pipeline import Workspace
from toolkit.render.face import KINDS, Face
from toolkit.render.renderer import Progress
from toolkit.source.paths import PROJECT_FILE


def write_looks(workspace: Workspace, request: ContactRequest, progress: Progress) -> Outcome | Refusal:
    """Write the gallery, whole or not at all: named cards, or one of each kind."""
    job = looks_job(workspace, request)
    if not isinstance(job, PrintJob):
        return job
    groups = looks_groups(job, request)
    return write_groups(job, groups, replace(request, columns=len(KINDS)), progress)


def looks_job(workspace: Workspace, request: ContactRequest) -> PrintJob | Outcome | Refusal:
    """Return a job with the cards that the gallery shows."""
    job = contact_job(workspace, request)
    if not isinstance(job, PrintJob):
        return job
    shown_faces = job.faces if request.ids else chosen_cards(job.faces)
    return replace(job, faces=tuple(dict.fromkeys(shown_faces)))


def looks_groups(job: PrintJob, request: ContactRequest) -> list[Group]:
    """Return a group for the look of the project, and one for each shipped look."""
    groups = [Group(PROJECT_FILE, job.faces, "")]
    for look in LOOKS:
        groups.append(Group(look, job.faces, f"look: {look}", style_of(job.workspace, request, look)))
    return groups


def style_of(workspace: Workspace, request: ContactRequest, look: str) -> GroupStyle:
    """Return how cards look in a shipped look."""
    face_options = face_options_of(workspace, request.low_ink, look)
    return GroupStyle(face_options, roots_of(workspace, request.theme, look))


def chosen_cards(faces: Sequence[Face]) -> list[Face]:
    """Return a card of each kind: the one of middle length, of those with rules text and a picture."""
    chosen_faces = []
    for kind in KINDS:
        of_kind = sorted((face for face in faces if face.kind == kind), key=lambda face: face.characters)
        with_rules = [face for face in of_kind if face.skills] or of_kind
        with_picture = [face for face in with_rules if face.art is not None] or with_rules
        if with_picture:
            chosen_faces.append(with_picture[len(with_picture) // 2])
    return chosen_faces
