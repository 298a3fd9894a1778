"""Writing the ready SQUADs as PDF, half a page each."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import FIELD_POSITIONS, Mode, Squad
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.press.documents import Document, picture_address, unit_of
from toolkit.products.sheets.print_job import PrintJob, PrintRequest, squads_chosen, start_job
from toolkit.project.faces import faces
from toolkit.project.output import Outcome, Refusal, refused_pdf, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.face import KINDS, Face, Stat
from toolkit.render.fetch import Roots
from toolkit.render.fit import Measure
from toolkit.render.pdf import with_metadata
from toolkit.render.sizes import PAPERS, POINTS_PER_MM, Size

_PORTRAIT = Size(40, 50)
"""The maximum size of the picture of an OPERATOR in mm, to which its resolution is reduced."""


class Member(Struct, frozen=True):
    """An OPERATOR of a SQUAD; ``place`` is the number of its FIELDPOSITION, empty in the SAVEZONE.

    Without ``colours`` of a TEAM it has those of OPERATORs.
    """

    name: str
    place: str
    art: str | None
    focus: tuple[float, float]
    zoom: float
    squadpoints: int | None
    stats: tuple[Stat, ...]
    team: str
    colours: tuple[str, str] | None


class Group(Struct, frozen=True):
    """The cards of a kind: their total number, and copies and name of each."""

    kind: str
    label: str
    cards: int
    rows: tuple[tuple[int, str], ...]


class SquadPage(Struct, frozen=True):
    """The content of a SQUAD's half page; ``limit`` is the mode's, ``deck`` and ``items`` count cards."""

    name: str
    squadpoints: int
    limit: int | None
    field: tuple[Member, ...]
    save_zone: tuple[Member, ...]
    groups: tuple[Group, ...]
    deck: int
    items: int
    flavour: str


FOCUS_OF_OPERATORS = (0.5, 0.15)
"""The point of a picture that stays visible, as shares of width and height: where most have their head."""

_PAGE = PAPERS["a4"]
"""The page of two SQUADs for which the template is written."""

_MIN_UNIT = 0.9
"""Below this unit a landscape page has only one SQUAD, so that its small words keep 6 pt."""


def write_squads(workspace: Workspace, request: PrintRequest) -> Outcome | Refusal:
    """Write the selected SQUADs (by default all), two on a page, whole or not at all."""
    job = start_job(workspace, request, refused_pdf(request.output))
    if isinstance(job, Refusal):
        return job
    cards, language = workspace.cards, job.language
    chosen_ids = squads_chosen(cards, request) or cards.squads
    chosen_squads = [squad for name, squad in cards.squads.items() if name in chosen_ids]
    concerned_ids = {name for squad in chosen_squads for name in (squad.id, *squad.cards())}
    job = replace(job, findings=workspace.errors_about([*concerned_ids, *request.squads]))
    if not chosen_squads:
        refusal = Refusal("There is nothing to print: the project has no `squads:`.")
        return Outcome("Nothing was written.", job.report()) if job.findings else refusal
    mode = cards.modes.get(cards.project.mode or "")
    faces_by_id = {face.id: face for face in faces(workspace, language, list(concerned_ids))}
    pages = [
        _squad_page(squad, mode, faces_by_id, language, None if request.low_ink else job.roots)
        for squad in chosen_squads
    ]
    squads_on_page = _squads_on(job.layouts.layout.paper)
    documents = job.print(replace(_document(pages, mode, job, squads_on_page), low_ink=request.low_ink))
    if not isinstance(documents, list):
        return documents
    (document,) = documents
    diagnostics = [
        _overflow_finding(chosen_squads[measure.card], measure, language) for measure in document.overflows
    ]
    pdf = with_metadata(document.pdf, job.metadata(f"{job.words.say('squads')}: {_title(job)}"))
    page_count = ceil(len(pages) / squads_on_page)
    sentence = f"{request.output}: {counted(len(pages), 'SQUAD')} on {counted(page_count, 'page')}."
    data = {
        "file": str(request.output),
        "language": language,
        "pages": page_count,
        "squads": [_squad_data(squad, page) for squad, page in zip(chosen_squads, pages, strict=True)],
    }
    return write_file(request.output, pdf) or Outcome(
        sentence, job.report(diagnostics, len(concerned_ids)), data
    )


def _squads_on(paper: Size) -> int:
    """Return how many SQUADs a page has: two on upright paper, one if that is too small for its words."""
    return 1 if unit_of(paper.upright) < _MIN_UNIT else 2


def _document(pages: Sequence[SquadPage], mode: Mode | None, job: PrintJob, squads_on_page: int) -> Document:
    """Return the document of all SQUADs; the paper is turned if a page has only one."""
    upright, words = job.layouts.layout.paper.upright, job.words
    paper = upright if squads_on_page == 2 else upright.turned
    unit = min(paper.width / _PAGE.width, 2 * paper.height / (squads_on_page * _PAGE.height))
    values = {
        "squads": pages,
        "language": job.language,
        "mode": mode.name.in_language(job.language).value if mode else "",
        "project": _title(job),
        "say": lambda key: words.say(key),
        "on_page": squads_on_page,
    }
    return Document("squads/squads.html.jinja", values, paper, round(unit, 5), len(pages))


def _title(job: PrintJob) -> str:
    """Return the name of the project with its version."""
    return f"{job.project.name} {job.project.version}".strip()


def _squad_data(squad: Squad, page: SquadPage) -> dict[str, object]:
    """Return a SQUAD as data of the outcome."""
    return {
        "id": squad.id,
        "name": page.name,
        "squadpoints": page.squadpoints,
        "limit": page.limit,
        "deck": page.deck,
        "items": page.items,
    }


def _squad_page(
    squad: Squad, mode: Mode | None, faces_by_id: dict[str, Face], language: str, pictures: Roots | None
) -> SquadPage:
    """Return the content of a SQUAD's half page without broken cards; ``pictures`` None: without pictures."""
    field_positions = mode.field_positions if mode else FIELD_POSITIONS
    members = [
        member_of(faces_by_id[name], str(member_number) if member_number <= field_positions else "", pictures)
        for member_number, name in enumerate(squad.operators, 1)
        if name in faces_by_id
    ]
    copies = {**squad.deck, **squad.item_deck}
    listed_faces = [faces_by_id[name] for name in copies if name in faces_by_id]
    groups = []
    for kind in KINDS:
        faces_of_kind = [face for face in listed_faces if face.kind == kind]
        if faces_of_kind:
            first_face, *_ = faces_of_kind
            rows = tuple((copies[face.id], face.name) for face in faces_of_kind)
            total = sum(number for number, _ in rows)
            groups.append(Group(kind, first_face.kind_label, total, rows))
    return SquadPage(
        name=squad.name.in_language(language).value,
        squadpoints=sum(member.squadpoints or 0 for member in members),
        limit=mode.squad_squadpoints if mode else None,
        field=tuple(member for member in members if member.place),
        save_zone=tuple(member for member in members if not member.place),
        groups=tuple(groups),
        deck=sum(squad.deck.values()),
        items=sum(squad.item_deck.values()),
        flavour=squad.flavour.in_language(language).value if squad.flavour else "",
    )


def member_of(face: Face, position_text: str, pictures: Roots | None) -> Member:
    """Return an OPERATOR with its place; ``pictures`` None: without its picture."""
    return Member(
        name=face.name,
        place=position_text,
        art=picture_address(face.art, _PORTRAIT, pictures) if pictures else None,
        focus=face.focus or FOCUS_OF_OPERATORS,
        zoom=face.zoom,
        squadpoints=face.squadpoints,
        stats=face.stats,
        team=face.team_name or "",
        colours=face.team_colours,
    )


def _overflow_finding(squad: Squad, measure: Measure, language: str) -> Diagnostic:
    excess = measure.excess / POINTS_PER_MM
    return Diagnostic(
        "text-overflow",
        f"The half page of the SQUAD is {excess:.1f} mm too small ({language}), even at {measure.size:g} pt.",
        squad.id_span,
        "Take larger paper, a shorter name or fewer different cards, or change templates/squads.",
        card=squad.id,
    )
