"""Writing tuckboxes as PDF: one for all cards, several that share them, or one for each SQUAD."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.print_sizes import THICKNESS, THICKNESS_SLEEVED
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.press.documents import Document, picture_address
from toolkit.press.layout_check import paper_of
from toolkit.products.sheets.print_job import PrintJob, PrintRequest, faces_of_squads, select_cards
from toolkit.products.sheets.project_layouts import LayoutRequest, paper_data
from toolkit.products.tuckbox.box_net import SLEEVE, Tuckbox, most_cards
from toolkit.project.output import Outcome, Refusal, refused_pdf, write_file
from toolkit.project.pipeline import Workspace
from toolkit.render.face import back_of
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
    the art. With ``squads`` there is a box for the cards of each SQUAD.
    """

    cards: int | None = None
    sleeved: bool | None = None
    thickness: float | None = None
    boxes: int | None = 1
    proof: bool = False


class _BoxLabels(Struct, frozen=True):
    """The text of a box, and the number of its cards."""

    cards: int
    title: str
    aside: str
    part: str = ""


def write_tuckbox(workspace: Workspace, request: BoxRequest) -> Outcome | Refusal:
    """Write the boxes for the selected cards, a page each, whole or not at all."""
    # The paper is that of the box: it must not select a layout, and with it a card size.
    of_project = replace(request, layout=LayoutRequest())
    job = select_cards(workspace, of_project, refused_pdf(request.output))
    if not isinstance(job, PrintJob):
        return job
    project = job.project
    sleeved = project.tuckbox.sleeved if request.sleeved is None else request.sleeved
    usual = THICKNESS_SLEEVED if sleeved else THICKNESS
    thickness = request.thickness or project.tuckbox.thickness or usual
    plans = [job.layouts.of(face.kind).card for face in job.faces]
    card = Size(
        max(plan.width for plan in plans),
        max(plan.height for plan in plans),
    )
    paper = paper_of(request.layout.paper or project.paper)
    most = most_cards(card, thickness, sleeved, paper)
    labels = list(_squad_boxes(job, request) if request.squads else _shared_boxes(job, request, most))
    boxes, held = len(labels), max(label.cards for label in labels)
    box = Tuckbox.around(card, held, thickness, sleeved)
    lies = box.lies_on(paper)
    if lies is None:
        cards = 0 if request.squads else sum(label.cards for label in labels)
        return Refusal(_too_large(box, (held, cards), paper, most))
    values = _template_values(job, request, box, labels)
    printed = job.print(Document("box/tuckbox.html.jinja", values, lies, 1.0, 3 * boxes, request.low_ink))
    if not isinstance(printed, list):
        return printed
    diagnostics = [_overflow_finding(job)] if printed[0].overflows else []
    inside = [round(length, 1) for length in box.inside]
    state = f"in sleeves ({SLEEVE:g} mm wider and higher)" if sleeved else "without sleeves"
    number = "a box" if boxes == 1 else f"{boxes} boxes"
    sentence = (
        f"{request.output}: {number} for {counted(held, 'card')} {state}, "
        f"inside {inside[0]:g} × {inside[1]:g} × {inside[2]:g} mm, on {paper_name(lies)}."
    )
    data = {
        "file": str(request.output),
        "boxes": boxes,
        "cards": held,
        "thickness": thickness,
        "sleeved": sleeved,
        "inside": dict(zip(("width", "depth", "height"), inside, strict=True)),
        "net": dict(zip(("width", "height"), box.extent(), strict=True)),
        "paper": paper_data(lies),
    }
    pdf = with_metadata(printed[0].pdf, job.metadata())
    return write_file(request.output, pdf) or Outcome(sentence, job.report(diagnostics), data)


def _shared_boxes(job: PrintJob, request: BoxRequest, most: int) -> Iterator[_BoxLabels]:
    """Yield the boxes that share all cards."""
    cards = request.cards or sum(face.quantity for face in job.faces)
    boxes = request.boxes or -(-cards // max(most, 1))
    for number in range(boxes):
        held = cards // boxes + (number < cards % boxes)
        box_number = job.words.say("box-of", number=number + 1, boxes=boxes) if boxes > 1 else ""
        yield _BoxLabels(held, job.project.name, _cards_in(job.words, held), box_number)


def _squad_boxes(job: PrintJob, request: BoxRequest) -> Iterator[_BoxLabels]:
    """Yield a box with the name of each SQUAD, for the cards that its player needs."""
    for name in request.squads:
        squad = job.workspace.cards.squads.get(name)
        held = sum(face.quantity for face in faces_of_squads(job.workspace, job.faces, [name]))
        if squad is not None:
            yield _BoxLabels(held, squad.name.in_language(job.language).value, _cards_in(job.words, held))


def _cards_in(words: Words, held: int) -> str:
    return words.say("box-card") if held == 1 else words.say("box-cards", number=held)


def _template_values(
    job: PrintJob, request: BoxRequest, box: Tuckbox, labels: list[_BoxLabels]
) -> dict[str, object]:
    """What the template gets."""
    backs = Counter(back_of(face) for face in job.faces for _ in range(face.quantity))
    card_back = backs.most_common(1)[0][0]
    front = box.panels["front"]
    return {
        "boxes": labels,
        "net": box,
        "extent": tuple(box.extent()),
        "pile": card_back.pile,
        "picture": picture_address(card_back.picture, Size(front.width, front.height), job.roots),
        "proof": request.proof,
        "names": {name: job.words.say(key) for name, key in _PANEL_WORDS.items()},
        "steps": job.words.say("box-steps"),
        "language": job.language,
    }


def _too_large(box: Tuckbox, shared: tuple[int, int], paper: Size, most: int) -> str:
    """Return the error message for a net that does not fit, with larger papers that would do.

    ``shared`` are the cards in the box and in all boxes, 0 if they cannot be shared among more.
    """
    held, cards = shared
    larger = [name for name in ("a4", "letter", "a3", "tabloid") if box.lies_on(PAPERS[name])]
    steps = [f"take --paper {larger[0]}"] if larger else []
    boxes = -(-cards // most) if most else 0
    if 0 < boxes <= MAX_BOXES:
        steps.append(f"share them among {boxes} boxes (--boxes {boxes})")
    name = paper_name(paper).removesuffix(" portrait")
    step = f" {', or '.join(steps).capitalize()}." if steps else " Choose a larger --paper or smaller cards."
    return (
        f"A box for {counted(held, 'card')} is {box.depth:g} mm deep, and its net of "
        f"{measures(box.extent())} does not fit on {name}; one for {counted(most, 'card')} does.{step}"
        if most
        else f"No box for these cards fits on {name}.{step}"
    )


def _overflow_finding(job: PrintJob) -> Diagnostic:
    return Diagnostic(
        "text-overflow",
        f"The name of the box does not fit on it ({job.language}), even in the smallest type.",
        job.project.span_of("project"),
        "Shorten it, or change templates/box.",
    )
