"""Ready SQUADs in print: half a page each, and exactly the cards that a player of one needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Mode, Squad
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import make_report
from toolkit.pipeline import Workspace
from toolkit.project.faces import faces, roots_of
from toolkit.project.layouts import LayoutRequest, choose_layouts
from toolkit.project.output import Outcome, Refusal, gave_up, refused_pdf, write_file
from toolkit.render.face import KINDS, Face, Stat
from toolkit.render.fetch import Roots
from toolkit.render.fit import Measure
from toolkit.render.impose import Information, described
from toolkit.render.reference import Document, Written, picture_address, print_document, unit_of
from toolkit.render.sheet import Failure
from toolkit.render.sizes import PAPERS, POINTS_PER_MM, Size
from toolkit.vocabulary.nearest import nearest
from toolkit.wording.languages import words_in

_PORTRAIT = Size(40, 50)
"""What the picture of an OPERATOR fills at most, in mm: it decides how fine its pixels are."""


def unknown_squads(workspace: Workspace, ids: Iterable[str]) -> str | None:
    """A sentence if one of the ids is no SQUAD of the project."""
    known = workspace.cards.squads
    for wanted in ids:
        if wanted in known or wanted in workspace.cards.broken_ids:
            continue
        near = nearest(wanted, known)
        hint = f"Did you mean {near!r}?" if near else f"There are: {', '.join(known) or 'none'}."
        return f"There is no SQUAD {wanted!r}. {hint}"
    return None


def copies_needed(workspace: Workspace, ids: Iterable[str]) -> Counter[str]:
    """How many copies of each card the players of these SQUADs need, one player each.

    To the cards of a SQUAD come the OBJECTIVEs of the project's mode: each row has its own (F-3).
    """
    cards = workspace.cards
    mode = cards.modes.get(cards.project.mode or "", None)
    needed: Counter[str] = Counter()
    for squad in (cards.squads[name] for name in ids if name in cards.squads):
        needed.update(squad.operators)
        needed.update(squad.deck)
        needed.update(squad.item_deck)
        needed.update(mode.objectives[: mode.field_positions] if mode else ())
    return needed


def faces_of_squads(workspace: Workspace, chosen: Iterable[Face], ids: Sequence[str]) -> list[Face]:
    """Those of the faces that players of these SQUADs need, as often as they need them."""
    needed = copies_needed(workspace, ids)
    return [replace(face, quantity=needed[face.id]) for face in chosen if face.id in needed]


def ids_of_squads(workspace: Workspace, ids: Sequence[str]) -> list[str]:
    """The SQUADs and all cards they name, also those that cannot be read."""
    return [*ids, *copies_needed(workspace, ids)]


class SquadsRequest(Struct, frozen=True):
    """The file, which SQUADs (none: all of them), the language (None: the project's first), and how."""

    output: Path
    ids: Sequence[str] = ()
    language: str | None = None
    paper: str | None = None
    theme: str | None = None
    low_ink: bool = False


class Member(Struct, frozen=True):
    """An OPERATOR of a SQUAD; ``place`` is the number of its FIELDPOSITION, empty in the SAVEZONE."""

    name: str
    place: str
    art: str | None
    focus: tuple[float, float]
    zoom: float
    squadpoints: int | None
    stats: tuple[Stat, ...]
    team: str
    colours: tuple[str, str]


class Group(Struct, frozen=True):
    """The cards of a kind: how many in all, and copies and name of each."""

    kind: str
    label: str
    cards: int
    rows: tuple[tuple[int, str], ...]


class SquadPage(Struct, frozen=True):
    """A SQUAD as its half of a page says it; ``limit`` is the mode's, ``deck`` and ``items`` count cards."""

    name: str
    squadpoints: int
    limit: int | None
    field: tuple[Member, ...]
    save_zone: tuple[Member, ...]
    groups: tuple[Group, ...]
    deck: int
    items: int
    flavour: str


_PAGE = PAPERS["a4"]
"""The page for two SQUADs for whose measures the template is written."""

_SMALLEST_UNIT = 0.9
"""On smaller paper there is one SQUAD on a page that lies, so that its small words keep 6 pt."""

_COLOURS = ("#37414b", "#c9b26b")
"""Of an OPERATOR whose TEAM has none."""


def write_squads(workspace: Workspace, request: SquadsRequest) -> Outcome | Refusal:
    """Write the chosen SQUADs, two on a page, whole or not at all."""
    cards = workspace.cards
    language = request.language or cards.project.languages[0]
    layouts = choose_layouts(cards, LayoutRequest(paper=request.paper))
    chosen = [squad for name, squad in cards.squads.items() if not request.ids or name in request.ids]
    refused = refused_pdf(request.output) or (layouts if isinstance(layouts, str) else None)
    if refused or isinstance(layouts, str):
        return Refusal(refused or "")
    concerned = {name for squad in chosen for name in (squad.id, *squad.cards())}
    findings = list(workspace.errors_about([*concerned, *request.ids]))

    def outcome(sentence: str) -> Outcome:
        return Outcome(sentence, make_report(findings, len(cards.files), len(concerned)))

    if not chosen:
        nothing = "There is nothing to print: the project has no `squads:`."
        return outcome("Nothing was written.") if findings else Refusal(nothing)
    roots = roots_of(workspace, request.theme)
    mode = cards.modes.get(cards.project.mode or "")
    by_id = {face.id: face for face in faces(workspace, language, list(concerned))}
    pages = [_page(squad, mode, by_id, language, None if request.low_ink else roots) for squad in chosen]
    words = words_in(cards.project, language)
    paper, on_page = layouts.layout.paper.upright, 2
    if unit_of(paper) < _SMALLEST_UNIT:
        paper, on_page = paper.turned, 1
    unit = min(paper.width / _PAGE.width, 2 * paper.height / (on_page * _PAGE.height))
    values = {
        "squads": pages,
        "language": language,
        "mode": mode.name.in_language(language).value if mode else "",
        "project": f"{cards.project.name} {cards.project.version}".strip(),
        "say": lambda key: words.say(key),
        "on_page": on_page,
    }
    document = Document(
        "squads/squads.html.jinja", values, paper, round(unit, 5), len(pages), request.low_ink
    )
    written = print_document(document, roots)
    if isinstance(written, Failure):
        return gave_up(written)
    if not isinstance(written, Written):
        findings.append(written)
        return outcome("Nothing was written.")
    findings += [_too_long(chosen[measure.card], measure, language) for measure in written.too_long]
    title = f"{words.say('squads')}: {values['project']}"
    pdf = described(written.pdf, Information.of(cards.project, (language,), title))
    number = -(-len(pages) // on_page)
    sentence = f"{request.output}: {len(pages)} SQUAD{'' if len(pages) == 1 else 's'} on {number} page"
    return write_file(request.output, pdf) or outcome(f"{sentence}{'' if number == 1 else 's'}.")


def _page(
    squad: Squad, mode: Mode | None, by_id: dict[str, Face], language: str, pictures: Roots | None
) -> SquadPage:
    """The SQUAD with the cards that can be read; without ``pictures`` it has none."""
    fields = mode.field_positions if mode else 4
    members = [
        _member(by_id[name], str(place) if place <= fields else "", pictures)
        for place, name in enumerate(squad.operators, 1)
        if name in by_id
    ]
    copies = {**squad.deck, **squad.item_deck}
    groups = []
    for kind in KINDS:
        listed = [
            (copies[name], by_id[name]) for name in copies if name in by_id and by_id[name].kind == kind
        ]
        if listed:
            rows = tuple((number, face.name) for number, face in listed)
            groups.append(Group(kind, listed[0][1].kind_label, sum(number for number, _ in rows), rows))
    return SquadPage(
        squad.name.in_language(language).value,
        sum(member.squadpoints or 0 for member in members),
        mode.squad_squadpoints if mode else None,
        tuple(member for member in members if member.place),
        tuple(member for member in members if not member.place),
        tuple(groups),
        sum(squad.deck.values()),
        sum(squad.item_deck.values()),
        squad.flavour.in_language(language).value if squad.flavour else "",
    )


def _member(face: Face, place: str, pictures: Roots | None) -> Member:
    return Member(
        face.name,
        place,
        picture_address(face.art, _PORTRAIT, pictures) if pictures else None,
        face.focus or (0.5, 0.15),
        face.zoom,
        face.squadpoints,
        face.stats,
        face.team_name or "",
        face.team_colours or _COLOURS,
    )


def _too_long(squad: Squad, measure: Measure, language: str) -> Diagnostic:
    excess = measure.excess / POINTS_PER_MM
    return Diagnostic(
        "text-overflow",
        f"The half page of the SQUAD is {excess:.1f} mm too small ({language}), even at {measure.size:g} pt.",
        squad.id_span,
        "Take larger paper, a shorter name or fewer different cards, or change templates/squads.",
        card=squad.id,
    )
