"""The base of everything that is printed: the request, the selection of cards, documents, and the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import CardSet, Project
from toolkit.data.squad_copies import copies_for_two, copies_of, squads_of_first_game
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import OF_PICTURES
from toolkit.diagnostics.report import Report, make_report
from toolkit.press.documents import Document, PrintedDocument, print_document
from toolkit.press.sheet import Failure, SheetSettings
from toolkit.products.sheets.project_layouts import (
    LayoutRequest,
    Layouts,
    choose_layouts,
    missing_template,
    unknown_paper,
)
from toolkit.project.faces import face_options_of, faces, roots_of, unknown_look, unknown_theme
from toolkit.project.output import Outcome, Refusal, failure_refusal
from toolkit.project.pipeline import Workspace
from toolkit.render.face import KINDS, Face
from toolkit.render.fetch import Roots
from toolkit.render.pages import FaceOptions
from toolkit.render.pdf import PdfMetadata
from toolkit.render.renderer import Progress
from toolkit.render.sizes import Size
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary.nearest import did_you_mean
from toolkit.wording.languages import Words, words_in

Job = TypeVar("Job", bound="PrintJob")


class PrintRequest(PublicValue, Struct, frozen=True):
    """What to print, where and how; None is what the project says.

    ``ids`` and ``kinds`` select cards; ``squads`` those that players of these SQUADs need, with the needed
    number of copies. With ``for_two`` they are as many as any two of these SQUADs need (none named: the pair
    that the project recommends, else all SQUADs). ``look`` is a shipped one. ``low_ink`` prints outlines and
    black text only.
    """

    output: Path
    language: str | None = None
    ids: Sequence[str] = ()
    kinds: Sequence[str] = ()
    layout: LayoutRequest = LayoutRequest()
    theme: str | None = None
    look: str | None = None
    low_ink: bool = False
    squads: Sequence[str] = ()
    for_two: bool = False


class PrintJob(Struct, frozen=True):
    """A project on its way to paper or pictures.

    ``layouts`` define the size and bleed of each kind of card, ``face_options`` and ``roots`` (the folders of
    templates) how cards look. ``findings`` are those from before printing.
    """

    workspace: Workspace
    language: str
    layouts: Layouts
    face_options: FaceOptions
    roots: Roots
    findings: tuple[Diagnostic, ...] = ()
    faces: tuple[Face, ...] = ()

    @property
    def project(self) -> Project:
        """The settings of the project."""
        return self.workspace.cards.project

    @property
    def words(self) -> Words:
        """The words that opforge prints in the language."""
        return words_in(self.project, self.language)

    def metadata(self, title: str = "") -> PdfMetadata:
        """Return the metadata of a PDF; the default title is that of the project."""
        return PdfMetadata.of(self.project, (self.language,), title)

    def sheet_settings(self, **changed_settings: Any) -> SheetSettings:
        """Return the settings of sheets; ``changed_settings`` override fields."""
        default_settings = SheetSettings(
            layout=self.layouts.layout,
            by_kind=self.layouts.by_kind,
            project=self.project.name,
            version=self.project.version,
            author=self.project.author or "",
            face_options=self.face_options,
        )
        return replace(default_settings, **changed_settings)

    def by_size(self) -> dict[tuple[Size, float], list[Face]]:
        """Return the cards by their trim and bleed, in mm."""
        faces_by_size: dict[tuple[Size, float], list[Face]] = {}
        for face in self.faces:
            plan = self.layouts.of(face.kind)
            faces_by_size.setdefault((plan.card, plan.bleed), []).append(face)
        return faces_by_size

    def by_kind(self) -> dict[str, list[Face]]:
        """Return the cards by the heading of their kind and TEAM, each group in the order of the files."""
        faces_by_heading: dict[str, list[Face]] = {}
        for face in sorted(self.faces, key=lambda face: KINDS.index(face.kind)):
            heading = " · ".join(filter(None, (face.kind_label, face.team_name)))
            faces_by_heading.setdefault(heading, []).append(face)
        return faces_by_heading

    def report(self, more_findings: Iterable[Diagnostic] = (), cards: int | None = None) -> Report:
        """Return the report of all findings; ``cards`` is the number of cards (None: the printed ones)."""
        card_count = len(self.faces) if cards is None else cards
        return make_report([*self.findings, *more_findings], len(self.workspace.cards.files), card_count)

    def print(self, *documents: Document) -> list[PrintedDocument] | Outcome | Refusal:
        """Print documents; return an ``Outcome`` for an error in a template."""
        printed_documents = []
        for document in documents:
            in_look = replace(document, look=self.face_options.look)
            printed_document = print_document(in_look, self.roots)
            if isinstance(printed_document, Failure):
                return failure_refusal(printed_document)
            if isinstance(printed_document, Diagnostic):
                return Outcome("Nothing was written.", self.report([printed_document], 0))
            printed_documents.append(printed_document)
        return printed_documents


def start_job(workspace: Workspace, request: PrintRequest, refused: str | None = None) -> PrintJob | Refusal:
    """Return a job without cards, or a refusal if the request names something that does not exist.

    ``refused`` is the reason why the output cannot be written, if there is one.
    """
    cards = workspace.cards
    refused = (
        workspace.unknown_ids(request.ids)
        or workspace.unknown_language(request.language)
        or unknown_squads(workspace, request.squads)
        or unknown_paper(request.layout.paper)
        or unknown_theme(workspace.root, request.theme)
        or unknown_look(request.look)
        or refused
    )
    if refused:
        return Refusal(refused)
    layouts = choose_layouts(cards, request.layout)
    if isinstance(layouts, str):
        return Refusal(layouts)
    language = request.language or cards.project.languages[0]
    face_options = face_options_of(workspace, request.low_ink, request.look)
    roots = roots_of(workspace, request.theme, request.look)
    return PrintJob(workspace, language, layouts, face_options, roots)


def select_cards(
    workspace: Workspace, request: PrintRequest, refused: str | None = None
) -> PrintJob | Outcome | Refusal:
    """Return a job with the selected cards in file order, without those with a quantity of 0.

    Return an ``Outcome`` if there is no card because of errors.
    """
    job = start_job(workspace, request, refused)
    if isinstance(job, Refusal):
        return job
    chosen = list(chosen_faces(workspace, job.language, request))
    print_job = with_cards(job, request, [face for face in chosen if face.quantity])
    if isinstance(print_job, Refusal) or print_job.faces:
        return print_job
    report = print_job.report()
    if report.errors:
        return Outcome("Nothing was printed.", report)
    if chosen:
        return Refusal("There is nothing to print: the `quantity` of every chosen card is 0.")
    return Refusal("There is nothing to print: no card is chosen. TEAMs, modes and rulesets are not cards.")


def with_cards(job: Job, request: PrintRequest, faces: Sequence[Face]) -> Job | Refusal:
    """Return the job with these cards, and with the findings about them and their pictures."""
    refused = missing_template(faces, job.layouts, job.roots)
    if refused:
        return Refusal(refused)
    workspace, shown_ids = job.workspace, {face.id for face in faces}
    chosen_ids = request.ids or [*squads_chosen(workspace.cards, request), *copies_needed(workspace, request)]
    pictures = (
        finding
        for finding in workspace.findings
        if finding.name in OF_PICTURES and (finding.card in shown_ids or finding.card is None)
    )
    findings = (*workspace.errors_about(chosen_ids, request.kinds), *pictures)
    return replace(job, faces=tuple(faces), findings=findings)


def unknown_squads(workspace: Workspace, ids: Iterable[str]) -> str | None:
    """Return an error message if one of the ids is not that of a SQUAD."""
    known_squads = workspace.cards.squads
    for squad_id in ids:
        if squad_id not in known_squads and squad_id not in workspace.cards.broken_ids:
            hint = did_you_mean(squad_id, known_squads, f" There are: {', '.join(known_squads) or 'none'}.")
            return f"There is no SQUAD {squad_id!r}.{hint}"
    return None


def squads_chosen(cards: CardSet, request: PrintRequest) -> tuple[str, ...]:
    """Return the ids of the SQUADs whose cards are printed; none if all cards are."""
    return tuple(request.squads) or (squads_of_first_game(cards) if request.for_two else ())


def copies_needed(workspace: Workspace, request: PrintRequest) -> Counter[str]:
    """Return how many copies of each card the players of the chosen SQUADs need; none without SQUADs."""
    cards, squad_ids = workspace.cards, squads_chosen(workspace.cards, request)
    if request.for_two:
        return copies_for_two(cards, squad_ids)
    squads = (cards.squads[squad_id] for squad_id in squad_ids if squad_id in cards.squads)
    return sum((copies_of(cards, squad) for squad in squads), Counter())


def chosen_faces(workspace: Workspace, language: str, request: PrintRequest) -> Iterator[Face]:
    """Yield the faces of the selected cards, with the quantities that players of chosen SQUADs need."""
    copies = copies_needed(workspace, request) if squads_chosen(workspace.cards, request) else None
    for face in faces(workspace, language, tuple(request.ids), tuple(request.kinds)):
        if copies is None:
            yield face
        elif face.id in copies:
            yield replace(face, quantity=copies[face.id])


def sub_progress(progress: Progress, done_before: int, total: int) -> Progress:
    """Return the progress function for a part of a run that starts at ``done_before``."""
    return lambda done_now, _: progress(done_before + done_now, total)
