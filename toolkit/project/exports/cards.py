"""A PNG for every card and every back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import Report
from toolkit.project.exports.choice import Choice, part_of
from toolkit.project.output import Outcome, Refusal, cannot_write, free_name, gave_up, ready_folder
from toolkit.render.dots import as_image, encode, is_ours
from toolkit.render.face import Back, Face, back_of
from toolkit.render.raster import PictureSettings, Subject, draw_cards
from toolkit.render.renderer import Raster
from toolkit.render.services import Service
from toolkit.render.sheet import Failure, Progress
from toolkit.render.sizes import Size
from toolkit.source.writing import write_atomically


class PictureRequest(Struct, frozen=True):
    """Where to write, how many dots an inch, and whether the bleed around the cards is shown."""

    folder: Path
    dpi: int = 300
    bleed: bool = False


class Picture(Struct, frozen=True):
    """A file that was written, with its size in dots."""

    name: str
    width: int
    height: int


class _Job(Struct, frozen=True):
    """Cards of one size, the file of each of them and of their backs, and whether pictures are turned."""

    settings: PictureSettings
    names: dict[Subject, str]
    turned: bool = False

    @property
    def faces(self) -> list[Face]:
        return [subject for subject in self.names if isinstance(subject, Face)]

    @property
    def backs(self) -> list[Back]:
        return [subject for subject in self.names if isinstance(subject, Back)]


def write_pictures(
    request: PictureRequest, choice: Choice, service: Service | None, progress: Progress
) -> Outcome | Refusal:
    """Write ``ID.png`` for every card, and ``backs/NAME.png`` for every back that these cards have.

    Each file is whole or not there at all; one that was not made by opforge is never replaced.
    """
    if choice.nothing:
        return Refusal(choice.nothing)
    jobs = _jobs(request, choice, service)
    if isinstance(jobs, Refusal):
        return jobs
    names = [name for job in jobs for name in job.names.values()]
    refused = ready_folder(request.folder, names, is_ours)
    if refused:
        return refused
    written: dict[str, Picture] = {}
    found: list[Diagnostic] = []
    try:
        for job in jobs:
            before = len(written)
            made = _draw(job, request.folder, choice, written, part_of(progress, before, len(names)))
            if isinstance(made, Failure):
                return gave_up(made)
            found += made
    except OSError as error:
        return cannot_write(request.folder, error)
    return _outcome(request, choice, jobs, written, choice.report(found))


def _jobs(request: PictureRequest, choice: Choice, service: Service | None) -> list[_Job] | Refusal:
    """The cards by size, with the names of their files; a refusal if the service has no such card."""
    taken: set[str] = set()
    jobs = []
    for (size, bleed), faces in choice.by_size().items():
        trim: Size | None = service.card_for(size) if service else size
        if trim is None:
            assert service is not None
            return Refusal(service.no_such_card(size))
        settings = PictureSettings(
            trim,
            request.dpi,
            service.bleed if service else bleed,
            request.bleed or service is not None,
            choice.look,
        )
        names: dict[Subject, str] = {face: f"{face.id}.png" for face in faces}
        for back in dict.fromkeys(back_of(face) for face in faces):
            names[back] = f"backs/{free_name(str(back), taken)}.png"
        jobs.append(_Job(settings, names, turned=service is not None and service.turns(trim)))
    return jobs


def _draw(
    job: _Job, folder: Path, choice: Choice, written: dict[str, Picture], progress: Progress
) -> tuple[Diagnostic, ...] | Failure:
    def write(subject: Subject, raster: Raster) -> None:
        name = job.names[subject]
        picture = as_image(raster)
        if job.turned:  # the upper edges of front and back stay one
            picture = picture.rotate(90 if isinstance(subject, Face) else -90, expand=True)
        write_atomically(folder / name, encode(picture, job.settings.dpi))
        written[name] = Picture(name, *picture.size)

    return draw_cards(job.faces, job.backs, job.settings, choice.roots, write, progress)


def _outcome(
    request: PictureRequest, choice: Choice, jobs: list[_Job], written: dict[str, Picture], report: Report
) -> Outcome:
    """What was written, in the order of the cards; a card whose template failed is left out."""
    cards: list[dict[str, Any]] = []
    backs: dict[str, Picture] = {}
    names = {face.id: job.names for job in jobs for face in job.faces}
    for face in choice.faces:
        own, back = names[face.id][face], names[face.id][back_of(face)]
        if own in written:
            card = {"id": face.id, "kind": face.kind, "name": face.name, "quantity": face.quantity}
            cards.append({**card, **_shown(written[own]), "back": back if back in written else None})
        if back in written:
            backs[back] = written[back]
    shown = [_shown(back) for back in backs.values()]
    sizes = " and ".join(sorted({f"{one['width']}×{one['height']}" for one in (*cards, *shown)}))
    counted = f"{_count(len(cards), 'card')} and {_count(len(shown), 'back')}"
    sentence = f"{request.folder}: {counted}, {sizes} pixels at {request.dpi} dpi."
    data = {
        "folder": str(request.folder),
        "language": choice.language,
        "dpi": request.dpi,
        "bleed": request.bleed,
        "cards": cards,
        "backs": shown,
    }
    return Outcome(sentence, report, data)


def _shown(picture: Picture) -> dict[str, str | int]:
    return {"file": picture.name, "width": picture.width, "height": picture.height}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
