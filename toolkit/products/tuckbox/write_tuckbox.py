"""Writing tuckboxes as PDF: one for all cards, several that share them, or one for each SQUAD."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Box, Squad
from toolkit.data.print_sizes import THICKNESS, THICKNESS_SLEEVED
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import Report
from toolkit.press.documents import Document, picture_address
from toolkit.press.layout_check import paper_of
from toolkit.products.sheets.print_job import PrintJob, PrintRequest, copies_needed, select_cards
from toolkit.products.sheets.project_layouts import LayoutRequest, paper_data
from toolkit.products.tuckbox.box_net import SLEEVE, Tuckbox, most_cards
from toolkit.project.faces import faces, picture_file
from toolkit.project.output import Outcome, Refusal, refused_pdf, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.face import back_of
from toolkit.render.fit import Measure
from toolkit.render.pdf import with_metadata
from toolkit.render.sizes import PAPERS, Size, measures, paper_name
from toolkit.wording.languages import Words

_PANEL_WORDS = {
    "front": "box-front",
    "back": "box-back",
    "left": "box-side",
    "right": "box-side",
    "lid": "box-lid",
    "tuck": "box-tuck",
    "left-top": "box-flap",
    "right-top": "box-flap",
    "left-bottom": "box-flap",
    "right-bottom": "box-flap",
    "glue": "box-glue",
    "bottom": "box-bottom",
    "inner-bottom": "box-inner-bottom",
}
"""The keys of words for the names of panels."""


MAX_BOXES = 50
"""The largest number of boxes that the command line accepts, and so that an error message proposes."""


class BoxRequest(PrintRequest, frozen=True):
    """The request for boxes; None is what the project says.

    ``cards`` is the number that the boxes hold (None: the selected ones), ``boxes`` the number of boxes that
    share them (None: as few as fit the paper). ``proof`` prints names and measures of the panels instead of
    the art. With ``squads`` there is a box for the cards of each SQUAD, unless two share one (``for_two``).
    """

    cards: int | None = None
    sleeved: bool | None = None
    thickness: float | None = None
    boxes: int | None = 1
    proof: bool = False


_FITS = 3
"""How many texts of a box are fitted: on its front, on its back, and the instructions."""

_TEXTS = {"title": "name", "facts": "line of players, time and age", "steps": "text of the instructions"}
"""What texts are, by their regions."""


_MIDDLE, _HEAD = (0.5, 0.5), (0.5, 0.15)
"""What stays visible of a picture unless its card says so, as shares of width and height."""


class _BoxLabels(Struct, frozen=True):
    """The text of a box, and the number of its cards."""

    cards: int
    title: str
    aside: str
    part: str = ""


class _Art(Struct, frozen=True):
    """The picture of a box, and the point of it that stays visible, in percent of width and height."""

    address: str
    focus: tuple[float, float]


def write_tuckbox(workspace: Workspace, request: BoxRequest) -> Outcome | Refusal:
    """Write the boxes for the selected cards, a page each, whole or not at all."""
    # The paper is that of the box: it must not select a layout, and with it a card size.
    selection_request = replace(request, layout=LayoutRequest())
    job = select_cards(workspace, selection_request, refused_pdf(request.output))
    if not isinstance(job, PrintJob):
        return job
    stock = _stock_of(job, request)
    paper = paper_of(request.layout.paper or job.project.paper)
    max_cards = most_cards(stock.card, stock.thickness, stock.sleeved, paper)
    is_shared = request.for_two or not request.squads
    squads = [] if is_shared else [job.workspace.cards.squads.get(name) for name in request.squads]
    owners = [squad for squad in squads if squad is not None]
    labels = list(_shared_boxes(job, request, max_cards) if is_shared else _squad_boxes(job, request, owners))
    box_count, card_count = len(labels), max(label.cards for label in labels)
    box = Tuckbox.around(stock.card, card_count, stock.thickness, stock.sleeved)
    oriented_paper = box.lies_on(paper)
    if oriented_paper is None:
        shared_cards = sum(label.cards for label in labels) if is_shared else 0
        return Refusal(_too_large(box, card_count, shared_cards, paper, max_cards))
    values = _template_values(job, request, box, labels)
    values["arts"] = [_art(job, box, owners[number] if owners else None) for number in range(box_count)]
    documents = job.print(
        Document("box/tuckbox.html.jinja", values, oriented_paper, 1.0, _FITS * box_count, request.low_ink)
    )
    if not isinstance(documents, list):
        return documents
    (document,) = documents
    report = job.report(_overflow_findings(job, owners, document.overflows))
    refusal = write_file(request.output, with_metadata(document.pdf, job.metadata()))
    return refusal or _outcome(request.output, box, labels, stock, oriented_paper, report)


class _Stock(NamedTuple):
    """The cards of a box: their size, the thickness of one in mm, and whether they are in sleeves."""

    card: Size
    thickness: float
    sleeved: bool


def _stock_of(job: PrintJob, request: BoxRequest) -> _Stock:
    """Return what the request says of the cards, else the project; the largest of several sizes."""
    settings = job.project.tuckbox
    sleeved = settings.sleeved if request.sleeved is None else request.sleeved
    default_thickness = THICKNESS_SLEEVED if sleeved else THICKNESS
    sizes = [job.layouts.of(face.kind).card for face in job.faces]
    largest = Size(max(size.width for size in sizes), max(size.height for size in sizes))
    return _Stock(largest, request.thickness or settings.thickness or default_thickness, sleeved)


def _outcome(
    output: Path, box: Tuckbox, labels: Sequence[_BoxLabels], stock: _Stock, paper: Size, report: Report
) -> Outcome:
    """Return what was written, as a sentence and data."""
    box_count, card_count = len(labels), max(label.cards for label in labels)
    inside = [round(length, 1) for length in box.inside]
    sleeve_words = f"in sleeves ({SLEEVE:g} mm wider and higher)" if stock.sleeved else "without sleeves"
    box_words = "a box" if box_count == 1 else f"{box_count} boxes"
    sentence = (
        f"{output}: {box_words} for {counted(card_count, 'card')} {sleeve_words}, "
        f"inside {' × '.join(f'{length:g}' for length in inside)} mm, on {paper_name(paper)}."
    )
    data = {
        "file": str(output),
        "boxes": box_count,
        "cards": card_count,
        "thickness": stock.thickness,
        "sleeved": stock.sleeved,
        "inside": dict(zip(("width", "depth", "height"), inside, strict=True)),
        "net": dict(zip(("width", "height"), box.extent(), strict=True)),
        "paper": paper_data(paper),
    }
    return Outcome(sentence, report, data)


def _shared_boxes(job: PrintJob, request: BoxRequest, max_cards: int) -> Iterator[_BoxLabels]:
    """Yield the boxes that share all cards."""
    cards = request.cards or sum(face.quantity for face in job.faces)
    box_count = request.boxes or ceil(cards / max(max_cards, 1))
    cards_a_box, boxes_with_one_more = divmod(cards, box_count)
    for box_index in range(box_count):
        card_count = cards_a_box + 1 if box_index < boxes_with_one_more else cards_a_box
        box_words = job.words.say("box-of", number=box_index + 1, boxes=box_count) if box_count > 1 else ""
        yield _BoxLabels(card_count, job.project.name, _cards_in(job.words, card_count), box_words)


def _squad_boxes(job: PrintJob, request: BoxRequest, squads: Sequence[Squad]) -> Iterator[_BoxLabels]:
    """Yield a box with the name of each SQUAD, for the cards that its player needs."""
    for squad in squads:
        copies = copies_needed(job.workspace, replace(request, squads=[squad.id]))
        card_count = sum(copies[face.id] for face in job.faces)
        name = squad.name.in_language(job.language).value
        yield _BoxLabels(card_count, name, _cards_in(job.words, card_count))


def _cards_in(words: Words, card_count: int) -> str:
    return words.say("box-card") if card_count == 1 else words.say("box-cards", number=card_count)


def _template_values(
    job: PrintJob, request: BoxRequest, box: Tuckbox, labels: list[_BoxLabels]
) -> dict[str, object]:
    """Return what the template gets; without a picture of the set the art is the back of most cards."""
    backs = Counter(back_of(face) for face in job.faces for _ in range(face.quantity))
    ((card_back, _count),) = backs.most_common(1)
    front = box.panels["front"]
    return {
        "boxes": labels,
        "facts": tuple(_facts(job.project.box, job.words)),
        "net": box,
        "extent": tuple(box.extent()),
        "pile": card_back.pile,
        "picture": picture_address(card_back.picture, Size(front.width, front.height), job.roots),
        "proof": request.proof,
        "names": {name: job.words.say(key) for name, key in _PANEL_WORDS.items()},
        "steps": job.words.say("box-steps"),
        "language": job.language,
    }


def _facts(box: Box, words: Words) -> Iterator[str]:
    """Yield for how many players the game is, how long it takes, and from which age on."""
    yield words.say("box-player") if box.players == 1 else words.say("box-players", number=box.players)
    if box.time:
        yield words.say("box-time", minutes="–".join(map(str, box.time)))
    if box.age is not None:
        yield words.say("box-age", number=box.age)


def _art(job: PrintJob, box: Tuckbox, squad: Squad | None) -> _Art | None:
    """Return the art of a SQUAD's dearest OPERATOR; of a set what the project says, else its dearest one."""
    front = box.panels["front"]
    size = Size(front.width, front.height)
    named = job.project.box.art  # a file, or the id of a card
    picture = picture_file(job.workspace, named) if squad is None else None
    address = picture_address(picture, size, job.roots)
    if address:
        return _Art(address, (50, 50))
    named_id = named.value if named is not None else None
    best_first = sorted(
        faces(job.workspace, job.language),
        key=lambda face: (
            squad is not None and face.id not in squad.operators,
            face.id != named_id,
            face.kind != "operator",
            -(face.squadpoints or 0),
        ),
    )
    for face in best_first:
        address = picture_address(face.art, size, job.roots)
        if address:
            across, down = face.focus or (_HEAD if face.kind == "operator" else _MIDDLE)
            return _Art(address, (100 * across, 100 * down))
    return None


def _too_large(box: Tuckbox, card_count: int, shared_cards: int, paper: Size, max_cards: int) -> str:
    """Return the error message for a net that does not fit, with larger papers that would do.

    ``card_count`` are the cards in the box, ``shared_cards`` all that can be shared among more boxes.
    """
    larger_papers = [name for name in ("a4", "letter", "a3", "tabloid") if box.lies_on(PAPERS[name])]
    steps = [f"take --paper {paper_that_fits}" for paper_that_fits in larger_papers[:1]]
    boxes = ceil(shared_cards / max_cards) if max_cards else 0
    if 0 < boxes <= MAX_BOXES:
        steps.append(f"share them among {boxes} boxes (--boxes {boxes})")
    name = paper_name(paper).removesuffix(" portrait")
    step = f" {', or '.join(steps).capitalize()}." if steps else " Choose a larger --paper or smaller cards."
    return (
        f"A box for {counted(card_count, 'card')} is {box.depth:g} mm deep, and its net of "
        f"{measures(box.extent())} does not fit on {name}; one for {counted(max_cards, 'card')} does.{step}"
        if max_cards
        else f"No box for these cards fits on {name}.{step}"
    )


def _overflow_findings(
    job: PrintJob, owners: Sequence[Squad], overflows: Iterable[Measure]
) -> list[Diagnostic]:
    """Return a finding for each box on which a text does not fit; the rest is printed."""
    findings: dict[Diagnostic, None] = {}
    for measure in overflows:
        owner = owners[measure.card // _FITS] if owners else None
        text = _TEXTS.get(measure.region, f"text {measure.region!r}")
        message = f"The {text} of the box is too long for it ({job.language}), even in the smallest type."
        span = owner.span_of("name") if owner and text == "name" else job.project.span_of("project")
        findings[Diagnostic("text-overflow", message, span, "Shorten it, or change templates/box.")] = None
    return list(findings)
