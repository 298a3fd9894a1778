"""Counters and markers for the table: which exist, how many are needed, and their sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.effect_sources import own_words
from toolkit.data.model import FIELD_POSITIONS, Card, Counters, Gap, Marker, Mode
from toolkit.data.squad_copies import PLAYERS, copies_for_two, for_two, squads_of_first_game
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import Report
from toolkit.press.documents import Document, PrintedDocument, impose_cards
from toolkit.press.impose import DUPLEX
from toolkit.press.layout import Flip, LayoutPlan, LayoutProblem, Marks, Sides
from toolkit.press.layout_check import paper_of
from toolkit.press.printers import Printer
from toolkit.press.sides import Copy
from toolkit.products.alignment.printer_alignment import find_printer
from toolkit.products.sheets.print_job import PrintRequest, start_job
from toolkit.products.sheets.project_layouts import Layouts
from toolkit.project.output import Outcome, Refusal, refused_pdf, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.fetch import Roots
from toolkit.render.pages import page_size
from toolkit.render.sizes import Size, trim_size
from toolkit.vocabulary.nearest import did_you_mean
from toolkit.wording.languages import words_in

BLEED = 1.5
"""The bleed of counters in mm; the gap between them is twice as wide."""

_UNIT = 20.0
"""The size in mm at which a unit of the template is 1 mm."""

_MAX_MARKERS = 9
"""The assumed maximum of one of the designer's markers on an OPERATOR or player."""

_SOFT_HYPHEN = "\u00ad"
_OBJECTIVECOUNTER = f"OBJECTIVE{_SOFT_HYPHEN}COUNTER"
"""With a soft hyphen where the word is broken on small counters."""


class CounterRequest(PrintRequest, frozen=True):
    """Overrides of ``counters:`` of the project; None is what the project says.

    ``amounts`` are by name; with ``only`` just these are printed. ``fold`` puts backs beside their fronts.
    They are for any two of ``squads``; none named: the pair that the project recommends, else all SQUADs.
    """

    shape: str | None = None
    size: float | None = None
    marks: str | None = None
    amounts: Mapping[str, int] = field(default_factory=dict)
    only: Sequence[str] = ()
    sides: Sides = "both"
    flip: Flip = "long"
    fold: bool = False
    printer: str | None = None


class Piece(Struct, frozen=True):
    """A counter or marker: its name in settings, its text, its icon, and the number of copies.

    ``values`` are the numbers on front and back, None for a marker without a number. ``kind`` selects the
    colours; designers' own markers rotate through a palette by ``turn``.
    """

    name: str
    written: str
    icon: str
    amount: int
    values: tuple[int, int] | None = None
    kind: str = ""
    turn: int = 0

    @property
    def label(self) -> str:
        """The text without the soft hyphen."""
        return self.written.replace(_SOFT_HYPHEN, "")

    @property
    def sides(self) -> tuple[int | None, ...]:
        """The number on the front, and that on the back if it differs."""
        return tuple(dict.fromkeys(self.values or (None,)))


class Side(Struct, frozen=True):
    """A side of a counter, for the template."""

    name: str
    lines: tuple[str, ...]
    icon: str
    kind: str
    turn: int
    value: int | None


def pieces_needed(
    workspace: Workspace, settings: Counters, language: str, roots: Roots, squads: Sequence[str] = ()
) -> list[Piece]:
    """Return all counters and markers of a project, with the maximum of each on the table at once.

    That is the maximum of any two of ``squads``; none named: of those of the first game.

    A counter shows one number on its front and one on its back; each amount is that of the number which takes
    the most counters.

    - HITCOUNTERs: the OPERATORs of each SQUAD with the most DP are on the FIELD, one hit below its DP (H-1)
    - OBJECTIVECOUNTERs: each OPERATOR is one below its OBJECTIVE's value and makes the fastest Move (A-2b)
    - EXHAUSTED, SUPPRESSED: all OPERATORs on the FIELD; BONUS: half of them
    - a designer's own marker: its maximum for each bearer, 9 at most; none if only other SQUADs' cards use it
    """
    cards = workspace.cards
    words = words_in(cards.project, language)
    mode = cards.modes.get(cards.project.mode or "")
    ruleset = cards.rulesets.get(cards.project.ruleset or "")
    positions = mode.field_positions if mode else FIELD_POSITIONS
    values = settings.values
    teams = _operators_of(workspace, squads)
    suppressed = positions * PLAYERS if ruleset is None or ruleset.suppression else 0
    standard_pieces = [
        Piece("hitcounter", "HITCOUNTER", "hitcounter", _hitcounters(teams, positions, values), values),
        Piece(
            "objectivecounter",
            _OBJECTIVECOUNTER,
            "objectivecounter",
            _objectivecounters(workspace, teams, mode, positions, values),
            values,
        ),
        Piece("exhausted", "EXHAUSTED", "exhausted", positions * PLAYERS),
        Piece("suppressed", "SUPPRESSED", "suppressed", suppressed),
        Piece("bonus", "BONUS", "bonus", positions),
        Piece("first-player", words.say("counter-first-player"), "first-player", 1),
    ]
    unused_ids = _markers_of_others(workspace, squads)
    custom_markers = (
        _custom_marker(marker, settings, 0 if marker.id in unused_ids else positions, language, number, roots)
        for number, marker in enumerate(cards.markers.values())
    )
    return [
        replace(piece, kind=piece.kind or piece.name, amount=settings.amounts.get(piece.name, piece.amount))
        for piece in (*standard_pieces, *custom_markers)
    ]


def _custom_marker(
    marker: Marker, settings: Counters, positions: int, language: str, number: int, roots: Roots
) -> Piece:
    """Return a designer's own marker, with its icon ``icons/ID.svg`` if there is one."""
    # without positions it is a marker that nobody needs
    bearers_of_a_player = min(positions, 1) if marker.bearer == "player" else positions
    bearers = bearers_of_a_player * PLAYERS
    low, high = settings.values
    values = (min(low, marker.maximum), min(high, marker.maximum))
    amount = bearers * _counters_up_to(min(marker.maximum, _MAX_MARKERS), values)
    name = marker.name.in_language(language).value
    icon = marker.id if roots.find(f"icons/{marker.id}.svg") else "marker"
    return Piece(marker.id, name, icon, amount, values if marker.maximum > 1 else None, "own", number)


def _markers_of_others(workspace: Workspace, squads: Sequence[str]) -> set[str]:
    """Return the ids of markers that are named only by cards of SQUADs that do not play."""
    cards = workspace.cards
    copies = copies_for_two(cards, squads or squads_of_first_game(cards))
    if not copies:
        return set()
    rules_ids = [cards.project.mode or "", cards.project.ruleset or ""]
    all_ids = [entry.id for entry in cards.entries()]
    return own_words(cards, all_ids) - own_words(cards, [*copies, *rules_ids])


def _operators_of(workspace: Workspace, squads: Sequence[str]) -> list[list[Card]]:
    """Return the OPERATORs of each SQUAD that may play; of a project without SQUADs all of them as one."""
    cards = workspace.cards
    squad_ids = squads or squads_of_first_game(cards)
    lists = [cards.squads[squad_id].operators for squad_id in squad_ids if squad_id in cards.squads]
    return [
        [card for card in map(cards.cards.get, operator_ids) if card is not None and card.kind == "operator"]
        for operator_ids in lists or [tuple(cards.cards)]
    ]


def _hitcounters(teams: Sequence[Sequence[Card]], positions: int, values: tuple[int, int]) -> int:
    """Return the HITCOUNTERs of both players: at DP an OPERATOR is HIT, so it has at most one less (H-1)."""
    amounts = []
    for operators in teams:
        dp_values = sorted((operator.stats.get("DP", 0) for operator in operators), reverse=True)
        amounts.append(sum(_counters_up_to(dp - 1, values) for dp in dp_values[:positions]))
    return for_two(amounts)


def _objectivecounters(
    workspace: Workspace,
    teams: Sequence[Sequence[Card]],
    mode: Mode | None,
    positions: int,
    values: tuple[int, int],
) -> int:
    """Return the OBJECTIVECOUNTERs of both players: all are one below the value of their OBJECTIVE, and the
    fastest OPERATOR's Move is added to it (A-2b). ``values`` are the numbers on a counter."""
    objectives = workspace.cards.objectives
    if mode is not None and mode.objectives:
        objective_values = [objectives[name].value for name in mode.objectives if name in objectives]
    else:  # any may lie there: the highest
        objective_values = sorted((objective.value for objective in objectives.values()), reverse=True)
    amounts = []
    for operators in teams:
        highest_mp = max((operator.stats.get("MP", 0) for operator in operators), default=0)
        highest_counts = [value - 1 + highest_mp for value in objective_values[:positions]]
        amounts.append(sum(_counters_up_to(count, values) for count in highest_counts))
    return for_two(amounts)


def _counters_up_to(limit: int, values: tuple[int, int]) -> int:
    """Return the most counters that any number up to a limit takes."""
    low, high = sorted(values)
    # As many of the higher number as possible, then the lower one, which is usually 1: that takes the fewest.
    return max((number // high + ceil(number % high / low) for number in range(1, limit + 1)), default=0)


def write_counters(workspace: Workspace, request: CounterRequest) -> Outcome | Refusal:
    """Write the sheets of counters, whole or not at all."""
    job = start_job(workspace, request, refused_pdf(request.output))
    if isinstance(job, Refusal):
        return job
    project, language = job.project, job.language
    settings = _with_overrides(project.counters, request)
    needed_pieces = pieces_needed(workspace, settings, language, job.roots, request.squads)
    pieces = _chosen_pieces(needed_pieces, settings.amounts, request.only)
    if isinstance(pieces, Refusal):
        return pieces
    plan = _layout_plan(settings, paper_of(request.layout.paper or project.paper), request)
    printer = find_printer(request.printer, Layouts(plan)) if request.printer else Printer()
    if isinstance(printer, Refusal):
        return printer
    job = replace(job, findings=workspace.errors_about())  # of all cards: any of them may need counters
    documents = job.print(_document(pieces, plan, settings, language, request.low_ink))
    if not isinstance(documents, list):
        return documents
    (document,) = documents
    title = f"{job.words.say('counter-sheet')}: {project.name} {project.version}"
    duplex = DUPLEX[plan.flip if plan.sides == "both" else "none"]
    metadata = replace(job.metadata(title), duplex=duplex)
    imposed = impose_cards(document.pdf, plan, list(_copies(pieces)), metadata, printer)
    if isinstance(imposed, LayoutProblem):
        return Refusal(f"{imposed.message} {imposed.next_step}")
    pdf, pages = imposed
    report = job.report(_overflow_findings(workspace, pieces, document, language))
    return write_file(request.output, pdf) or _outcome(request, settings, language, pieces, pages, report)


def _with_overrides(counters: Counters, request: CounterRequest) -> Counters:
    """Return the project's settings with what the request has instead."""
    return replace(
        counters,
        shape=request.shape or counters.shape,
        size=request.size or counters.size,
        marks=request.marks or counters.marks,
        amounts={**counters.amounts, **request.amounts},
    )


def _outcome(
    request: CounterRequest,
    settings: Counters,
    language: str,
    pieces: Sequence[Piece],
    pages: int,
    report: Report,
) -> Outcome:
    """Return what was written, as a sentence and data."""
    total = counted(sum(piece.amount for piece in pieces), "counter")
    listed = ", ".join(f"{piece.amount} {piece.label}" for piece in pieces)
    sentence = f"{request.output}: {total} of {settings.size:g} mm on {counted(pages, 'page')}: {listed}."
    data = {
        "file": str(request.output),
        "language": language,
        "shape": settings.shape,
        "size": settings.size,
        "pages": pages,
        "counters": [
            {"name": piece.name, "label": piece.label, "amount": piece.amount, "values": piece.values}
            for piece in pieces
        ],
    }
    return Outcome(sentence, report, data)


def _chosen_pieces(
    pieces: Sequence[Piece], amounts: Mapping[str, int], only: Sequence[str]
) -> list[Piece] | Refusal:
    """Return the pieces to print; a refusal if there are none, or if a name in the request is unknown."""
    refused = _unknown_name(pieces, [*amounts, *only])
    if refused:
        return Refusal(refused)
    chosen = [piece for piece in pieces if piece.amount and (not only or piece.name in only)]
    return chosen or Refusal("There is nothing to print: the amount of every chosen counter is 0.")


def _unknown_name(pieces: Sequence[Piece], names: Sequence[str]) -> str | None:
    """Return an error message if one of the names is not that of a counter."""
    known_names = [piece.name for piece in pieces]
    listed = ", ".join(known_names)
    for name in names:
        if name not in known_names:
            return f"There is no counter {name!r}.{did_you_mean(name, known_names, f' There are {listed}.')}"
    return None


_MARKS: dict[str, Marks] = {"cut": "corners", "punch": "punch"}
"""The marks of sheets by those of counters."""


def _layout_plan(settings: Counters, paper: Size, request: CounterRequest) -> LayoutPlan:
    """Return the plan with as many counters as fit, each with its own bleed."""
    size = settings.size
    card = None if settings.shape == "square" else trim_size(f"{settings.shape}-{size:g}mm")
    return LayoutPlan(
        card=card or Size(size, size),
        paper=paper,
        gap=Gap(2 * BLEED, 2 * BLEED),
        bleed=BLEED,
        marks=_MARKS.get(settings.marks, "none"),
        sides="fronts" if request.fold else request.sides,
        flip=request.flip,
        fold="best" if request.fold else "none",
        safe=1.0,
    )


def _document(
    pieces: Sequence[Piece], plan: LayoutPlan, settings: Counters, language: str, low_ink: bool
) -> Document:
    """Return the document with a page for each distinct side."""
    sides = [
        Side(piece.name, tuple(piece.written.split(_SOFT_HYPHEN)), piece.icon, piece.kind, piece.turn, number)
        for piece in pieces
        for number in piece.sides
    ]
    unit = round(settings.size / _UNIT, 5)
    values = {"sides": sides, "shape": settings.shape, "language": language, "b": round(plan.bleed / unit, 3)}
    size = page_size(plan.card, plan.bleed)
    return Document("counters/counters.html.jinja", values, size, unit, len(sides), low_ink)


def _copies(pieces: Sequence[Piece]) -> Iterator[Copy]:
    """Yield each counter as often as it is needed, with the pages of its front and back."""
    front_page = 0
    for piece in pieces:
        back_page = front_page + len(piece.sides) - 1
        yield from [Copy(front_page, back_page)] * piece.amount
        front_page = back_page + 1


def _overflow_findings(
    workspace: Workspace, pieces: Sequence[Piece], document: PrintedDocument, language: str
) -> list[Diagnostic]:
    """Return a finding about each piece with a name that does not fit, on one side or both."""
    piece_of_page = [piece for piece in pieces for _ in piece.sides]
    too_long = [piece_of_page[measure.card] for measure in document.overflows]
    too_long_by_name = {piece.name: piece for piece in too_long}
    return [_overflow_finding(workspace, piece, language) for piece in too_long_by_name.values()]


def _overflow_finding(workspace: Workspace, piece: Piece, language: str) -> Diagnostic:
    """Return the finding at the name of the designer's own marker, else at that of the project."""
    marker = workspace.cards.markers.get(piece.name)
    span = marker.name.in_language(language).span if marker else workspace.cards.project.span_of("project")
    return Diagnostic(
        "text-overflow",
        f"“{piece.label}” does not fit on its counter ({language}), even in the smallest type.",
        span,
        "Shorten the name, or make counters larger: `counters: {size: 25}` in opforge.yaml.",
    )
