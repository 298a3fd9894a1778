"""The slots of cards and their backs on a sheet. All lengths are in mm.

The origin is the lower left corner of the paper, as in PDF; rows count from the top. ``LayoutPlan`` is the
request; ``arrange`` returns the slots (``Arrangement``) or why there are none (``LayoutProblem``).
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
"""Degrees counterclockwise, as in PDF."""

_TURNS: tuple[Turn, ...] = (0, 90, 180, 270)

_TRIANGLE_HEIGHT = 3**0.5 / 2
"""The height of an equilateral triangle with sides of 1."""

EPSILON = 0.01
"""The tolerance of comparisons in mm: sizes from inches are rounded, and nobody cuts more exactly."""


class Slot(NamedTuple):
    """A place for a card as it is cut: lower left corner, extent and turn.

    ``width`` and ``height`` are those on the paper: the width is the card's height if it is turned by 90°.
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
        """The centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    def overlaps(self, other: Slot) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.x < other.right - EPSILON
            and other.x < self.right - EPSILON
            and self.y < other.top - EPSILON
            and other.y < self.top - EPSILON
        )


def quarter_turn(degrees: int) -> Turn:
    """Return the turn normalized to 0 to 270."""
    return _TURNS[degrees % 360 // 90]


Flip = Literal["long", "short", "none"]
"""The edge of the paper over which the printer turns it; none: backs are not mirrored."""

Axis = Literal["none", "vertical", "horizontal"]


def mirror_axis(paper: Size, flip: Flip) -> Axis:
    """Return the axis about which the paper is turned over."""
    if flip == "none":
        return "none"
    long_edge: Axis
    short_edge: Axis
    is_upright = paper.height >= paper.width
    long_edge, short_edge = ("vertical", "horizontal") if is_upright else ("horizontal", "vertical")
    return long_edge if flip == "long" else short_edge


def back_slot(slot: Slot, paper: Size, flip: Flip) -> Slot:
    """Return the slot of a card's back on the other side of the sheet."""
    return mirrored_slot(slot, paper, mirror_axis(paper, flip))


def mirrored_slot(slot: Slot, paper: Size, line: Axis) -> Slot:
    """Return the slot mirrored about an axis through the centre of the paper."""
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
    """The request for a layout.

    - ``orientation`` None: the one that holds more cards, on a tie as ``paper`` is written
    - ``columns``, ``rows`` None: as many as fit
    - ``corners_at``: exact places instead of a grid
    - ``margins`` None: the default ones, which a single card may exceed
    - ``gutter``: the distance of cards from the fold line
    - ``rounding``: the radius of the corners; ``safe``: the distance of words from the cut

    Round cards and hexagons lie in a grid, or in staggered rows if these hold more.
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
        """The effective margins."""
        return self.margins or Edges(MARGIN, MARGIN, MARGIN, MARGIN)


class Arrangement(Struct, frozen=True):
    """The slots of a sheet: ``fronts`` in reading order on ``paper`` as it lies."""

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
        """The slot of the back of each front: on the other side of the sheet, or beyond the fold line."""
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
        """The axis about which the sheet is turned over for its backs."""
        return mirror_axis(self.paper, self.plan.flip)

    @property
    def grid(self) -> tuple[int, int] | None:
        """Columns and rows of fronts; None for exact slots and staggered rows."""
        if self.plan.corners_at or self.staggered:
            return None
        columns = sum(slot.y == self.fronts[0].y for slot in self.fronts)
        return columns, len(self.fronts) // columns

    @property
    def used(self) -> tuple[Slot, ...]:
        """All slots on the front side of a full sheet."""
        return (*self.fronts, *self.backs) if self.fold != "none" else self.fronts


class LayoutProblem(Struct, frozen=True):
    """Why a layout is impossible: the finding's name, the path of the wrong key, message and next step."""

    finding: str
    path: tuple[str | int, ...]
    message: str
    next_step: str


def arrange(plan: LayoutPlan) -> Arrangement | LayoutProblem:
    """Return the slots for cards, or why there are none."""
    if plan.corners_at:
        (paper,) = papers(plan)
        return _exact_slots(plan, paper)
    plans = [replace(plan, fold=fold) for fold in _FOLDS] if plan.fold == "best" else [plan]
    options = [(folded_plan, paper) for folded_plan in plans for paper in papers(plan)]
    arrangements = [_grid(folded_plan, paper) for folded_plan, paper in options]
    possible = [arrangement for arrangement in arrangements if isinstance(arrangement, Arrangement)]
    if possible:
        return max(possible, key=lambda arrangement: len(arrangement.fronts))
    # None is possible: the problem of the option with the most room is the easiest to solve.
    capacities = [prod(_capacity(folded_plan, paper)) for folded_plan, paper in options]
    problem = arrangements[capacities.index(max(capacities))]
    assert isinstance(problem, LayoutProblem)
    return problem


def papers(plan: LayoutPlan) -> list[Size]:
    """Return the paper in its possible orientations, the preferred one first."""
    short, long = sorted(plan.paper)
    if plan.orientation == "portrait":
        return [Size(short, long)]
    if plan.orientation == "landscape":
        return [Size(long, short)]
    if plan.corners_at:  # exact slots are for the paper as it is written
        return [plan.paper]
    return [plan.paper, plan.paper.turned]


def _grid(plan: LayoutPlan, paper: Size) -> Arrangement | LayoutProblem:
    """Return rows of cards centred between the margins, unless there are too many.

    Round cards and hexagons lie in staggered rows if more of them fit so.
    """
    capacity = _capacity(plan, paper)
    columns, rows = plan.columns or capacity.columns, plan.rows or capacity.rows
    if columns > capacity.columns or rows > capacity.rows or not columns * rows:
        return _too_large(plan, paper, capacity)
    key, number = ("columns", columns) if plan.fold == "vertical" else ("rows", rows)
    if plan.fold != "none" and number % 2:
        return LayoutProblem(
            "layout-conflict",
            (key,),
            f"On a fold sheet half of the {key} are backs, so their number must be even.",
            f"Write `{key}: {number + 1}`, or remove the key.",
        )
    if plan.fold == "vertical":
        columns //= 2
    elif plan.fold == "horizontal":
        rows //= 2
    room = _area(plan, paper)
    pitch = plan.card.height + plan.gap.down
    slots = tuple(_slots_in_rows(plan, room, [_Row(columns)] * rows, pitch))
    fold: Axis = plan.fold if plan.fold != "best" else "none"
    staggered = _staggered(plan, room) if plan.shape != "rect" else ()
    if len(staggered) > len(slots):
        return Arrangement(plan, paper, staggered, fold, staggered=True)
    return Arrangement(plan, paper, slots, fold)


class _Area(NamedTuple):
    """The part of the paper for fronts: its lower left corner and extent.

    ``across`` and ``up`` are the alignment of cards in it: 0 left or bottom, 1 right or top.
    """

    x: float
    y: float
    width: float
    height: float
    across: float = 0.5
    up: float = 0.5


def _area(plan: LayoutPlan, paper: Size) -> _Area:
    """Return the paper between the margins; on a fold sheet one half, with cards aligned to the fold."""
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


class _Capacity(NamedTuple):
    """How many columns and rows fit."""

    columns: int
    rows: int


def _capacity(plan: LayoutPlan, paper: Size) -> _Capacity:
    """Return the maximum of columns and rows within the margins; on a fold sheet with its backs."""
    room, whole = _area(plan, paper), _area(replace(plan, margins=Edges(0, 0, 0, 0)), paper)
    columns = _count_fitting(plan.card.width, plan.gap.across, room.width)
    rows = _count_fitting(plan.card.height, plan.gap.down, room.height)
    if plan.margins is None:  # a single card may exceed default margins
        columns = max(columns, int(plan.card.width <= whole.width + EPSILON))
        rows = max(rows, int(plan.card.height <= whole.height + EPSILON))
    return _Capacity(
        columns * (2 if plan.fold == "vertical" else 1), rows * (2 if plan.fold == "horizontal" else 1)
    )


def _count_fitting(card: float, gap: float, room: float) -> int:
    """Return how many cards fit side by side."""
    return max(int((room + gap + EPSILON) // (card + gap)), 0)


class _Row(NamedTuple):
    """How many cards lie in a row, and how far it is shifted to the right."""

    cards: int
    shift: float = 0.0


def _slots_in_rows(plan: LayoutPlan, room: _Area, rows: Sequence[_Row], pitch: float) -> Iterator[Slot]:
    """Yield the slots row by row from the upper left; ``pitch`` is the distance from a row to the next."""
    card, step = plan.card, plan.card.width + plan.gap.across
    width = max(cards * step - plan.gap.across + shift for cards, shift in rows)
    height = (len(rows) - 1) * pitch + card.height
    left = room.x + (room.width - width) * room.across
    bottom = room.y + (room.height - height) * room.up
    for number, (cards, shift) in enumerate(rows):
        for column in range(cards):
            y = bottom + (len(rows) - 1 - number) * pitch
            yield Slot(left + shift + column * step, y, card.width, card.height)


def _staggered(plan: LayoutPlan, room: _Area) -> tuple[Slot, ...]:
    """Return the slots of rows of which every second one is shifted by half a card.

    The gap between neighbouring rows is the same as that within a row.
    """
    card, gap = plan.card, plan.gap.across
    step = card.width + gap
    # The centres of three neighbours form an equilateral triangle; sides of hexagons then face each other.
    # The tips of a hexagon, each a quarter of its height, lie between those of the next row.
    row_distance_without_gap = card.height * (0.75 if plan.shape == "hex" else _TRIANGLE_HEIGHT)
    row_distance = row_distance_without_gap + gap * _TRIANGLE_HEIGHT
    most_columns = _count_fitting(card.width, gap, room.width)
    # Rows reach into each other, so that the gap between their cards is usually negative.
    most_rows = _count_fitting(card.height, row_distance - card.height, room.height)
    columns = min(most_columns, plan.columns or most_columns)
    rows = min(most_rows, plan.rows or most_rows)
    if not columns or not rows:
        return ()
    shifted_row_fits = columns * step - gap + step / 2 <= room.width + EPSILON
    straight_row = _Row(columns)
    shifted_row = _Row(columns if shifted_row_fits else columns - 1, step / 2)
    arranged_rows = [shifted_row if number % 2 else straight_row for number in range(rows)]
    return tuple(_slots_in_rows(plan, room, arranged_rows, row_distance))


def bounding_box(slots: Sequence[Slot], around: float, paper: Size) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of all slots, enlarged by ``around`` and clipped to the paper."""
    return (
        max(min(slot.x for slot in slots) - around, 0.0),
        max(min(slot.y for slot in slots) - around, 0.0),
        min(max(slot.right for slot in slots) + around, paper.width),
        min(max(slot.top for slot in slots) + around, paper.height),
    )


def _exact_slots(plan: LayoutPlan, paper: Size) -> Arrangement | LayoutProblem:
    """Return the slots as written, or the problem of the first one off the paper or on another slot."""
    slots: list[Slot] = []
    for number, corner in enumerate(plan.corners_at):
        width, height = plan.card.turned if corner.turn % 180 else plan.card
        slot = Slot(corner.x, paper.height - corner.y - height, width, height, quarter_turn(corner.turn))
        if max(slot.right - paper.width, -slot.y) > EPSILON:
            return _off_paper(plan, paper, slot, number)
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


def _off_paper(plan: LayoutPlan, paper: Size, slot: Slot, number: int) -> LayoutProblem:
    """Return the problem of an exact slot that extends beyond the right or the lower edge of the paper."""
    if slot.right - paper.width > EPSILON:
        edge, key, excess, largest = "right", "x", slot.right - paper.width, paper.width - slot.width
    else:
        edge, key, excess, largest = "lower", "y", -slot.y, paper.height - slot.height
    return LayoutProblem(
        "slot-off-paper",
        ("slots", number, key),
        f"A card of {measures(plan.card)} here extends {excess:g} mm beyond the {edge} edge of "
        f"{paper_name(paper)}.",
        f"Write {key} of {largest:g} or less." if largest >= 0 else "Choose a larger paper or smaller cards.",
    )


def _too_large(plan: LayoutPlan, paper: Size, capacity: _Capacity) -> LayoutProblem:
    """Return the problem of too many columns or rows, or of a card that is too large."""
    paper_words = f"{paper_name(paper)}{_constraints(plan)}"
    if not prod(capacity):
        fits_default_margins = all(_capacity(replace(plan, margins=None), paper))
        return LayoutProblem(
            "layout-too-large",
            ("margins",) if fits_default_margins else ("card_size",),
            f"A card of {measures(plan.card)} does not fit on {paper_words}.",
            "Make the margins smaller."
            if fits_default_margins
            else "Choose a larger paper or a smaller card size.",
        )
    columns, rows = plan.columns or capacity.columns, plan.rows or capacity.rows
    key, most = ("columns", capacity.columns) if columns > capacity.columns else ("rows", capacity.rows)
    next_step = f"Write `{key}: {most}`"
    if len(papers(plan)) == 1 and plan.orientation is not None:
        next_step += ", or turn the paper with `orientation`"
    return LayoutProblem(
        "layout-too-large",
        (key,),
        f"{prod(capacity)} ({capacity.columns} × {capacity.rows}) fit on {paper_words}, "
        f"not {columns * rows} ({columns} × {rows}).",
        f"{next_step}.",
    )


def _constraints(plan: LayoutPlan) -> str:
    """Return in words what else takes space: bleed around every card, a gap, margins, a fold."""
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
