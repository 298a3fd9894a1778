"""Where cards and their backs lie on a sheet. All in millimetres.

The origin is the lower left corner of the paper, as in PDF; rows count from the top. ``LayoutPlan`` is what a
layout asks for; ``arrange`` returns the places (``Arrangement``) or why there are none (``LayoutProblem``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Edges, Gap
from toolkit.data.print_sizes import GUTTER, MARGIN, Shape
from toolkit.render.sizes import BLEED, CARD_SIZES, PAPERS, Size, measures, paper_name

Turn = Literal[0, 90, 180, 270]
"""Degrees to the left, as in PDF."""

_TURNS: tuple[Turn, ...] = (0, 90, 180, 270)

_TRIANGLE = 3**0.5 / 2
"""The height of a triangle with three sides of 1."""

EPSILON = 0.01
"""1/100 mm: sizes given in inches are rounded, and nobody cuts better."""


class Slot(NamedTuple):
    """A place for a card as it is cut: lower left corner, extent and turn.

    In mm from the lower left corner of the paper. ``width`` and ``height`` are those of the place, so that a
    card turned by 90 degrees has its own height as width.
    """

    x: float
    y: float
    width: float
    height: float
    turn: Turn = 0

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the place."""
        return self.x + self.width / 2, self.y + self.height / 2

    def overlaps(self, other: Slot) -> bool:
        """Whether the two have more than an edge in common."""
        return (
            self.x < other.right - EPSILON
            and other.x < self.right - EPSILON
            and self.y < other.top - EPSILON
            and other.y < self.top - EPSILON
        )


def quarter_turn(degrees: int) -> Turn:
    """Return the same turn from 0 to 270."""
    return _TURNS[degrees % 360 // 90]


Flip = Literal["long", "short", "none"]
"""The edge of the paper over which the printer turns it; none: backs are not mirrored."""

Axis = Literal["none", "vertical", "horizontal"]


def mirror_axis(paper: Size, flip: Flip) -> Axis:
    """Return the axis about which the paper is turned over; its long edges are vertical if it is upright."""
    if flip == "none":
        return "none"
    upright = paper.height >= paper.width
    return "vertical" if (flip == "long") == upright else "horizontal"


def back_slot(slot: Slot, paper: Size, flip: Flip) -> Slot:
    """Return the place of a card's back on the other side of the sheet."""
    return mirrored_slot(slot, paper, mirror_axis(paper, flip))


def mirrored_slot(slot: Slot, paper: Size, line: Axis) -> Slot:
    """Return the place mirrored about an axis through the middle of the paper."""
    if line == "vertical":
        return slot._replace(x=paper.width - slot.right, turn=quarter_turn(-slot.turn))
    if line == "horizontal":
        return slot._replace(y=paper.height - slot.top, turn=quarter_turn(180 - slot.turn))
    return slot


Orientation = Literal["portrait", "landscape"]
PaperSide = Literal["fronts", "backs"]
Sides = Literal["fronts", "backs", "both"]
Marks = Literal["none", "corners", "edges", "full", "punch"]
Fold = Literal["none", "vertical", "horizontal", "best"]


_FOLDS: tuple[Fold, ...] = ("vertical", "horizontal")
NO_GAP = Gap(0.0, 0.0)
"""Cards edge to edge."""


class Corner(NamedTuple):
    """An exact place: the upper left corner of a card from that of the paper, and its turn."""

    x: float
    y: float
    turn: int = 0


class LayoutPlan(Struct, frozen=True):
    """What a layout asks for.

    ``paper`` lies as ``orientation`` says; without it, whichever way holds more cards, as written on a tie.
    Without ``columns`` or ``rows`` there are as many as fit; ``corners_at`` are exact places instead of them.
    ``margins`` None are the usual ones, which a single card may overstep. ``rounding`` is the radius of the
    corners, ``safe`` the distance from the cut inside which words stay, ``gutter`` that of cards from a line
    to fold. Round cards and hexagons lie in rows, or staggered where that holds more.
    """

    card: Size = CARD_SIZES["poker"]
    paper: Size = PAPERS["a4"]
    orientation: Orientation | None = None
    columns: int | None = None
    rows: int | None = None
    corners_at: tuple[Corner, ...] = ()
    gap: Gap = NO_GAP
    bleed: float = BLEED
    margins: Edges | None = None
    marks: Marks = "edges"
    marks_on: Sides = "fronts"
    sides: Sides = "fronts"
    flip: Flip = "long"
    fold: Fold = "none"
    gutter: float = GUTTER
    rounding: float = 0.0
    safe: float = BLEED
    name: str = ""

    @property
    def shape(self) -> Shape:
        """The shape of the cut card."""
        return self.card.shape

    @property
    def printable(self) -> Edges:
        """The margins in effect."""
        return self.margins or Edges(MARGIN, MARGIN, MARGIN, MARGIN)


class Arrangement(Struct, frozen=True):
    """The places of a sheet: ``fronts`` on ``paper`` as it lies, in reading order."""

    plan: LayoutPlan
    paper: Size
    fronts: tuple[Slot, ...]
    fold: Axis = "none"
    staggered: bool = False

    @property
    def landscape(self) -> bool:
        """Whether the paper lies on its long side."""
        return self.paper.width > self.paper.height

    @property
    def backs(self) -> tuple[Slot, ...]:
        """The place of the back of each front: on the other side of the sheet, or beyond the fold line."""
        if self.fold != "none":
            return tuple(mirrored_slot(slot, self.paper, self.fold) for slot in self.fronts)
        return tuple(back_slot(slot, self.paper, self.plan.flip) for slot in self.fronts)

    @property
    def sides(self) -> tuple[PaperSide, ...]:
        """The pages of a sheet in the order of printing; on a fold sheet backs are beside their fronts."""
        if self.plan.sides == "fronts" or self.fold != "none":
            return ("fronts",)
        return ("fronts", "backs") if self.plan.sides == "both" else ("backs",)

    @property
    def mirror(self) -> Axis:
        """The direction of the line about which the sheet is turned for its backs."""
        return mirror_axis(self.paper, self.plan.flip)

    @property
    def grid(self) -> tuple[int, int] | None:
        """Columns and rows of fronts; None for exact places and staggered rows."""
        if self.plan.corners_at or self.staggered:
            return None
        columns = sum(slot.y == self.fronts[0].y for slot in self.fronts)
        return columns, len(self.fronts) // columns

    @property
    def used(self) -> tuple[Slot, ...]:
        """All places that the front of a full sheet has."""
        return (*self.fronts, *self.backs) if self.fold != "none" else self.fronts


class LayoutProblem(Struct, frozen=True):
    """Why a layout is impossible: the finding's name, the path of the wrong key, message and next step."""

    finding: str
    path: tuple[str | int, ...]
    message: str
    next_step: str


def arrange(plan: LayoutPlan) -> Arrangement | LayoutProblem:
    """Return the places for cards, or why there are none."""
    if plan.corners_at:
        return _exact_slots(plan, papers(plan)[0])
    folds = [replace(plan, fold=one) for one in _FOLDS] if plan.fold == "best" else [plan]
    options = [(option, paper) for option in folds for paper in papers(plan)]
    found = [_grid(*option) for option in options]
    possible = [one for one in found if isinstance(one, Arrangement)]
    if possible:
        return max(possible, key=lambda one: len(one.fronts))
    capacities = [prod(_capacity(*option)) for option in options]
    refused = found[capacities.index(max(capacities))]
    assert isinstance(refused, LayoutProblem)
    return refused


def papers(plan: LayoutPlan) -> list[Size]:
    """Return the possible orientations of the paper, the preferred one first."""
    short, long = sorted(plan.paper)
    if plan.orientation == "portrait":
        return [Size(short, long)]
    if plan.orientation == "landscape":
        return [Size(long, short)]
    return [plan.paper] if plan.corners_at else [plan.paper, plan.paper.turned]


def _grid(plan: LayoutPlan, paper: Size) -> Arrangement | LayoutProblem:
    """Return rows of cards in the middle between the margins, unless they are too many."""
    most = _capacity(plan, paper)
    columns, rows = plan.columns or most[0], plan.rows or most[1]
    if columns > most[0] or rows > most[1] or not columns * rows:
        return _too_large(plan, paper, most)
    key, number = ("columns", columns) if plan.fold == "vertical" else ("rows", rows)
    if plan.fold != "none" and number % 2:
        return LayoutProblem(
            "layout-conflict",
            (key,),
            f"On a fold sheet half of the {key} are backs, so their number must be even.",
            f"Write `{key}: {(getattr(plan, key) or 0) + 1}`, or remove the key.",
        )
    columns //= 2 if plan.fold == "vertical" else 1
    rows //= 2 if plan.fold == "horizontal" else 1
    room = _area(plan, paper)
    slots = tuple(_slots_in_rows(plan, room, [(columns, 0.0)] * rows, plan.card.height + plan.gap.down))
    fold: Axis = plan.fold if plan.fold != "best" else "none"
    staggered = _staggered(plan, room) if plan.shape != "rect" else ()
    if len(staggered) > len(slots):
        return Arrangement(plan, paper, staggered, fold, staggered=True)
    return Arrangement(plan, paper, slots, fold)


class _Area(NamedTuple):
    """Where the fronts of a sheet lie: the lower left corner of that part of the paper, its extent, and
    where cards lie in it (0: at the left or the lower edge, 1: at the other one)."""

    x: float
    y: float
    width: float
    height: float
    across: float = 0.5
    up: float = 0.5


def _area(plan: LayoutPlan, paper: Size) -> _Area:
    """Return the paper between the margins; on a fold sheet one half of it, where cards lie at the fold."""
    left, right, top, bottom = plan.printable
    if plan.fold == "vertical":
        left = max(left, right)
        width = paper.width / 2 - plan.gutter - left
        return _Area(left, bottom, width, paper.height - top - bottom, across=1)
    if plan.fold == "horizontal":
        top = max(top, bottom)
        y = paper.height / 2 + plan.gutter
        return _Area(left, y, paper.width - left - right, paper.height - top - y, up=0)
    return _Area(left, bottom, paper.width - left - right, paper.height - top - bottom)


def _capacity(plan: LayoutPlan, paper: Size) -> tuple[int, int]:
    """Return the most columns and rows within the margins; those of a fold sheet with its backs."""
    room, bare = _area(plan, paper), _area(replace(plan, margins=Edges(0, 0, 0, 0)), paper)
    columns = _count_fitting(plan.card.width, plan.gap.across, room.width)
    rows = _count_fitting(plan.card.height, plan.gap.down, room.height)
    if plan.margins is None:  # where nothing is written, a single card may lie in the margins
        columns = max(columns, int(plan.card.width <= bare.width + EPSILON))
        rows = max(rows, int(plan.card.height <= bare.height + EPSILON))
    twice = {"vertical": (2, 1), "horizontal": (1, 2)}.get(plan.fold, (1, 1))
    return columns * twice[0], rows * twice[1]


def _count_fitting(card: float, gap: float, room: float) -> int:
    """Return how many fit side by side."""
    return max(int((room + gap + EPSILON) // (card + gap)), 0)


def _slots_in_rows(
    plan: LayoutPlan, room: _Area, rows: Sequence[tuple[int, float]], pitch: float
) -> Iterator[Slot]:
    """Yield the places row by row from the upper left; each row says how many and how far it is moved."""
    card, step = plan.card, plan.card.width + plan.gap.across
    width = max(columns * step - plan.gap.across + moved for columns, moved in rows)
    height = (len(rows) - 1) * pitch + card.height
    left = room.x + (room.width - width) * room.across
    bottom = room.y + (room.height - height) * room.up
    for number, (columns, moved) in enumerate(rows):
        for column in range(columns):
            y = bottom + (len(rows) - 1 - number) * pitch
            yield Slot(left + moved + column * step, y, card.width, card.height)


def _staggered(plan: LayoutPlan, room: _Area) -> tuple[Slot, ...]:
    """Return the places of rows of which every second one is moved by half a card, so that they are closer.

    The gap of neighbouring rows is the same as that within a row.
    """
    card, gap = plan.card, plan.gap.across
    step = card.width + gap
    # The middles of three neighbours make a triangle; a hexagon's rows lie in the same way.
    pitch = (card.height * 0.75 if plan.shape == "hex" else card.height * _TRIANGLE) + gap * _TRIANGLE
    most = _count_fitting(card.width, gap, room.width)
    rows = _count_fitting(card.height, pitch - card.height, room.height)
    columns = min(most, plan.columns or most)
    moved = columns if columns * step - gap + step / 2 <= room.width + EPSILON else columns - 1
    many = range(min(rows, plan.rows or rows))
    written = [(moved, step / 2) if row % 2 else (columns, 0.0) for row in many]
    return tuple(_slots_in_rows(plan, room, written, pitch)) if columns and written else ()


def bounding_box(slots: Sequence[Slot], around: float, paper: Size) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of all slots and what is around them, clipped to the paper."""
    return (
        max(min(slot.x for slot in slots) - around, 0.0),
        max(min(slot.y for slot in slots) - around, 0.0),
        min(max(slot.right for slot in slots) + around, paper.width),
        min(max(slot.top for slot in slots) + around, paper.height),
    )


def _exact_slots(plan: LayoutPlan, paper: Size) -> Arrangement | LayoutProblem:
    """Return the places as written, or the first of them that is not on the paper or on another one."""
    slots: list[Slot] = []
    for number, corner in enumerate(plan.corners_at):
        width, height = plan.card.turned if corner.turn % 180 else plan.card
        slot = Slot(corner.x, paper.height - corner.y - height, width, height, quarter_turn(corner.turn))
        if max(slot.right - paper.width, -slot.y) > EPSILON:
            across, down = slot.right - paper.width, -slot.y
            edge, excess, key = ("right", across, "x") if across > EPSILON else ("lower", down, "y")
            most = (paper.width - slot.width) if key == "x" else (paper.height - slot.height)
            return LayoutProblem(
                "slot-off-paper",
                ("slots", number, key),
                f"A card of {measures(plan.card)} here extends {excess:g} mm beyond the {edge} edge of "
                f"{paper_name(paper)}.",
                f"Write {key} of {most:g} or less."
                if most >= 0
                else "Choose a larger paper or smaller cards.",
            )
        for index, other in enumerate(slots):
            if slot.overlaps(other):
                return LayoutProblem(
                    "slots-overlap",
                    ("slots", number),
                    f"The card in slot {number + 1} overlaps the one in slot {index + 1}.",
                    f"Cards here are {width:g} mm wide and {height:g} mm high; move one of the two.",
                )
        slots.append(slot)
    return Arrangement(plan, paper, tuple(slots))


def _too_large(plan: LayoutPlan, paper: Size, most: tuple[int, int]) -> LayoutProblem:
    """Return the problem of more columns or rows than fit, or of a card that is too large."""
    where = f"{paper_name(paper)}{_constraints(plan)}"
    if not most[0] * most[1]:
        roomy = replace(plan, margins=None)
        return LayoutProblem(
            "layout-too-large",
            ("margins",) if all(_capacity(roomy, paper)) else ("card_size",),
            f"A card of {measures(plan.card)} does not fit on {where}.",
            "Make the margins smaller."
            if all(_capacity(roomy, paper))
            else "Choose a larger paper or a smaller card size.",
        )
    columns, rows = plan.columns or most[0], plan.rows or most[1]
    wide = columns > most[0]
    key, number = ("columns", most[0]) if wide else ("rows", most[1])
    step = f"Write `{key}: {number}`"
    if len(papers(plan)) == 1 and plan.orientation is not None:
        step += ", or turn the paper with `orientation`"
    return LayoutProblem(
        "layout-too-large",
        (key,),
        f"{prod(most)} ({most[0]} × {most[1]}) fit on {where}, not {columns * rows} ({columns} × {rows}).",
        f"{step}.",
    )


def _constraints(plan: LayoutPlan) -> str:
    """Return in words what else takes room: bleed around every card, a gap, margins, a fold."""
    words = []
    if plan.bleed and min(plan.gap) >= 2 * plan.bleed:
        words.append(f"{plan.bleed:g} mm bleed")
    elif max(plan.gap):
        words.append(f"a gap of {max(plan.gap):g} mm")
    if plan.margins is not None:
        words.append("these margins")
    if plan.fold != "none":
        words.append("a fold line")
    return f" with {' and '.join(words)}" if words else ""
