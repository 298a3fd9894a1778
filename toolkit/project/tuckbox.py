"""A tuckbox for cards as a PDF: as deep as they are thick, in one box or shared among several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from toolkit.data.print_sizes import THICKNESS, THICKNESS_SLEEVED
from toolkit.diagnostics import Diagnostic
from toolkit.project.exports.choice import Choice
from toolkit.project.output import Outcome, Refusal, gave_up, refused_pdf, write_file
from toolkit.project.squads import faces_of_squads
from toolkit.render.face import back_of
from toolkit.render.impose import Information, described
from toolkit.render.layout_check import paper_of
from toolkit.render.reference import Document, picture_address, print_document
from toolkit.render.sheet import Failure
from toolkit.render.sizes import PAPERS, Size, measures, paper_name
from toolkit.render.tuckbox import SLEEVE, Tuckbox, most_cards
from toolkit.wording.languages import Words, words_in

_NAMES = {
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
"""The words for the names of panels."""


_SIDES = ("width", "height")


class BoxRequest(Struct, frozen=True):
    """The file, and what differs from the project: None is what it says.

    ``cards`` is how many the boxes hold, None those that are chosen; ``boxes`` how many share them, None as
    few as fit the paper. ``proof`` shows names and measures of the panels in place of the art. ``squads``: a
    box for the cards of each of these SQUADs instead.
    """

    output: Path
    cards: int | None = None
    sleeved: bool | None = None
    thickness: float | None = None
    boxes: int | None = 1
    paper: str | None = None
    proof: bool = False
    squads: Sequence[str] = ()


class _Labels(Struct, frozen=True):
    """What is printed on a box, and how many cards it is for."""

    cards: int
    title: str
    aside: str
    part: str = ""


def write_tuckbox(choice: Choice, request: BoxRequest) -> Outcome | Refusal:
    """Write the boxes for the chosen cards, a page each; whole or not at all."""
    project = choice.workspace.cards.project
    refused = refused_pdf(request.output) or choice.nothing
    if refused:
        return Refusal(refused)
    if not choice.faces:
        return Outcome("Nothing was written.", choice.report())
    sleeved = project.tuckbox.sleeved if request.sleeved is None else request.sleeved
    usual = THICKNESS_SLEEVED if sleeved else THICKNESS
    thickness = request.thickness or project.tuckbox.thickness or usual
    plans = [choice.plan(face).card for face in choice.faces]
    card = Size(max(one.width for one in plans), max(one.height for one in plans))
    paper = paper_of(request.paper or project.paper)
    most = most_cards(card, thickness, sleeved, paper)
    words = words_in(project, choice.language)
    labels = list(
        _for_squads(choice, request, words) if request.squads else _shared(choice, request, words, most)
    )
    boxes, held = len(labels), max(one.cards for one in labels)
    box = Tuckbox.around(card, held, thickness, sleeved)
    lies = box.lies_on(paper)
    if lies is None:
        cards = 0 if request.squads else sum(one.cards for one in labels)
        return Refusal(_too_large(box, (held, cards), paper, most))
    values = _values(choice, request, words, box, labels)
    document = Document("box/tuckbox.html.jinja", values, lies, 1.0, 3 * boxes, choice.look.low_ink)
    written = print_document(document, choice.roots)
    if isinstance(written, Failure):
        return gave_up(written)
    if isinstance(written, Diagnostic):
        return Outcome("Nothing was written.", choice.report([written]))
    information = Information.of(project, [choice.language])
    refusal = write_file(request.output, described(written.pdf, information))
    found = [_too_long(choice)] if written.too_long else []
    inside = [round(length, 1) for length in box.inside]
    number = "a box" if boxes == 1 else f"{boxes} boxes"
    sentence = (
        f"{request.output}: {number} for {_count(held)} {_state(sleeved)}, "
        f"inside {inside[0]:g} × {inside[1]:g} × {inside[2]:g} mm, on {paper_name(lies)}."
    )
    data = {
        "file": str(request.output),
        "boxes": boxes,
        "cards": held,
        "thickness": thickness,
        "sleeved": sleeved,
        "inside": dict(zip(("width", "depth", "height"), inside, strict=True)),
        "net": dict(zip(_SIDES, box.extent(), strict=True)),
        "paper": {"name": paper_name(lies), **dict(zip(_SIDES, lies, strict=True))},
    }
    return refusal or Outcome(sentence, choice.report(found), data)


def _shared(choice: Choice, request: BoxRequest, words: Words, most: int) -> Iterator[_Labels]:
    """The boxes among which all cards are shared."""
    cards = request.cards or sum(face.quantity for face in choice.faces)
    boxes = request.boxes or -(-cards // max(most, 1))
    for number in range(boxes):
        held = cards // boxes + (number < cards % boxes)
        part = words.say("box-of", number=number + 1, boxes=boxes) if boxes > 1 else ""
        yield _Labels(held, choice.workspace.cards.project.name, _cards_in(words, held), part)


def _for_squads(choice: Choice, request: BoxRequest, words: Words) -> Iterator[_Labels]:
    """A box for each SQUAD, with its name: for the cards that its player needs."""
    for name in request.squads:
        squad = choice.workspace.cards.squads.get(name)
        held = sum(face.quantity for face in faces_of_squads(choice.workspace, choice.faces, [name]))
        if squad is not None:
            yield _Labels(held, squad.name.in_language(choice.language).value, _cards_in(words, held))


def _cards_in(words: Words, held: int) -> str:
    return words.say("box-card") if held == 1 else words.say("box-cards", number=held)


def _values(
    choice: Choice, request: BoxRequest, words: Words, box: Tuckbox, labels: list[_Labels]
) -> dict[str, object]:
    """What the template gets."""
    backs = Counter(back_of(face) for face in choice.faces for _ in range(face.quantity))
    back = backs.most_common(1)[0][0]
    front = box.panels["front"]
    return {
        "boxes": labels,
        "net": box,
        "extent": tuple(box.extent()),
        "pile": back.pile,
        "picture": picture_address(back.picture, Size(front.width, front.height), choice.roots),
        "proof": request.proof,
        "names": {name: words.say(key) for name, key in _NAMES.items()},
        "steps": words.say("box-steps"),
        "language": choice.language,
    }


def _too_large(box: Tuckbox, shared: tuple[int, int], paper: Size, most: int) -> str:
    """Why the net does not fit, and on what it does.

    ``shared`` is how many cards it is for, and of how many, 0 where they cannot be shared otherwise.
    """
    held, cards = shared
    larger = [name for name in ("a4", "letter", "a3", "tabloid") if box.lies_on(PAPERS[name])]
    steps = [f"take --paper {larger[0]}"] if larger else []
    if most and cards:
        steps.append(f"share them among {-(-cards // most)} boxes (--boxes {-(-cards // most)})")
    name = paper_name(paper).removesuffix(" portrait")
    step = f" {', or '.join(steps).capitalize()}." if steps else " Choose a larger --paper or smaller cards."
    return (
        f"A box for {_count(held)} is {box.depth:g} mm deep, and its net of {measures(box.extent())} does "
        f"not fit on {name}; one for {_count(most)} does.{step}"
        if most
        else f"No box for these cards fits on {name}.{step}"
    )


def _too_long(choice: Choice) -> Diagnostic:
    return Diagnostic(
        "text-overflow",
        f"The name of the box does not fit on it ({choice.language}), even in the smallest type.",
        choice.workspace.cards.project.span_of("project"),
        "Shorten it, or change templates/box.",
    )


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _state(sleeved: bool) -> str:
    return f"in sleeves ({SLEEVE:g} mm wider and higher)" if sleeved else "without sleeves"
