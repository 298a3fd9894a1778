"""Where cards and their backs lie on a sheet. All in millimetres.

The origin is the lower left corner of the paper, as in PDF; rows count from the top. A layout says what is
wanted (``LayoutPlan``), ``arrange`` finds the places (``Arrangement``) or why there are none (``Misfit``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Edges, Gap
from toolkit.data.print_sizes import MARGIN
from toolkit.render.flip import Flip, Line, behind, folded, mirrored
from toolkit.render.sizes import BLEED, CARD_SIZES, PAPERS, Size
from toolkit.render.slots import HAIR, Slot

Orientation = Literal["portrait", "landscape"]
Sides = Literal["fronts", "backs", "both"]
Marks = Literal["none", "corners", "edges", "full"]
Fold = Literal["none", "vertical", "horizontal", "best"]


NO_GAP = Gap(0.0, 0.0)
"""Cards edge to edge."""


class Corner(NamedTuple):
    """Where the upper left corner of a card lies, from that of the paper, and how the card is turned."""

    x: float
    y: float
    turn: int = 0


class LayoutPlan(Struct, frozen=True):
    """What a layout asks for.

    ``paper`` lies as ``orientation`` says; without it, whichever way holds more cards, as written on a tie.
    Without ``columns`` or ``rows`` there are as many as fit; ``corners_at`` are exact places instead of them.
    ``margins`` None are the usual ones, which a single card may overstep. ``rounding`` is the radius of the
    corners, ``safe`` the distance from the cut inside which words stay.
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
    rounding: float = 0.0
    safe: float = BLEED
    name: str = ""

    @property
    def printable(self) -> Edges:
        """The margins that hold."""
        return self.margins or Edges(MARGIN, MARGIN, MARGIN, MARGIN)


class Arrangement(Struct, frozen=True):
    """The places of a sheet: ``fronts`` on ``paper`` as it lies, in reading order."""

    plan: LayoutPlan
    paper: Size
    fronts: tuple[Slot, ...]
    fold: Line = "none"

    @property
    def landscape(self) -> bool:
        """Whether the paper lies on its long side."""
        return self.paper.width > self.paper.height

    @property
    def backs(self) -> tuple[Slot, ...]:
        """The place of the back of each front: on the other side of the sheet, or beyond the fold line."""
        if self.fold != "none":
            return tuple(folded(slot, self.paper, self.fold) for slot in self.fronts)
        return tuple(behind(slot, self.paper, self.plan.flip) for slot in self.fronts)

    @property
    def mirror(self) -> Line:
        """The direction of the line about which the sheet is turned for its backs."""
        return mirrored(self.paper, self.plan.flip)

    @property
    def grid(self) -> tuple[int, int] | None:
        """Columns and rows of fronts; nothing where the places are written one by one."""
        if self.plan.corners_at:
            return None
        columns = sum(slot.y == self.fronts[0].y for slot in self.fronts)
        return columns, len(self.fronts) // columns

    @property
    def used(self) -> tuple[Slot, ...]:
        """All places that the front of a full sheet has."""
        return (*self.fronts, *self.backs) if self.fold != "none" else self.fronts


class Misfit(Struct, frozen=True):
    """Why a layout cannot be: the finding's name, the key (with an index) that is wrong, and what to do."""

    finding: str
    path: tuple[str | int, ...]
    message: str
    next_step: str


def arrange(plan: LayoutPlan) -> Arrangement | Misfit:
    """The places for cards, or why there are none."""
    if plan.corners_at:
        from toolkit.render.exact_slots import exact_slots

        return exact_slots(plan, papers(plan)[0])
    ways = [(option, paper) for option in _folds(plan) for paper in papers(plan)]
    found = [_grid(*way) for way in ways]
    there = [one for one in found if isinstance(one, Arrangement)]
    if there:
        return max(there, key=lambda one: len(one.fronts))
    capacities = [prod(most_in_grid(*way)) for way in ways]
    refused = found[capacities.index(max(capacities))]
    assert isinstance(refused, Misfit)
    return refused


def papers(plan: LayoutPlan) -> list[Size]:
    """The paper as it may lie, the way that is preferred first."""
    short, long = sorted(plan.paper)
    if plan.orientation == "portrait":
        return [Size(short, long)]
    if plan.orientation == "landscape":
        return [Size(long, short)]
    return [plan.paper] if plan.corners_at else [plan.paper, plan.paper.turned]


def _folds(plan: LayoutPlan) -> list[LayoutPlan]:
    if plan.fold != "best":
        return [plan]
    return [replace(plan, fold="vertical"), replace(plan, fold="horizontal")]


def _grid(plan: LayoutPlan, paper: Size) -> Arrangement | Misfit:
    """A grid in the middle of what the margins leave, unless it is too large."""
    most = most_in_grid(plan, paper)
    columns, rows = plan.columns or most[0], plan.rows or most[1]
    if columns > most[0] or rows > most[1] or not columns * rows:
        from toolkit.render.misfits import too_many

        return too_many(plan, paper, most)
    odd = {"vertical": columns, "horizontal": rows}.get(plan.fold, 0) % 2
    if odd:
        from toolkit.render.misfits import odd_fold

        return odd_fold(plan, "columns" if plan.fold == "vertical" else "rows")
    slots = tuple(_slots(plan, paper, columns, rows))
    if plan.fold == "vertical":
        fronts = [slot for number, slot in enumerate(slots) if number % columns < columns // 2]
        return Arrangement(plan, paper, tuple(fronts), "vertical")
    if plan.fold == "horizontal":
        return Arrangement(plan, paper, slots[: len(slots) // 2], "horizontal")
    return Arrangement(plan, paper, slots)


def most_in_grid(plan: LayoutPlan, paper: Size) -> tuple[int, int]:
    """The most columns and rows within the margins; on a fold sheet their number across the line is even."""
    edges = plan.printable
    strict = plan.margins is not None
    columns = _fitting(plan.card.width, plan.gap.across, paper.width, edges.left + edges.right, strict)
    rows = _fitting(plan.card.height, plan.gap.down, paper.height, edges.top + edges.bottom, strict)
    if plan.fold == "vertical":
        columns -= columns % 2
    if plan.fold == "horizontal":
        rows -= rows % 2
    return columns, rows


def _fitting(card: float, gap: float, paper: float, margins: float, strict: bool) -> int:
    """How many fit side by side. Unless the margins are strict, one may lie in them."""
    many = int((paper - margins + gap + HAIR) // (card + gap))
    return max(many, int(card <= paper + HAIR and not strict), 0)


def _slots(plan: LayoutPlan, paper: Size, columns: int, rows: int) -> Iterator[Slot]:
    """Row by row from the upper left, centred."""
    card, gap = plan.card, plan.gap
    width = columns * (card.width + gap.across) - gap.across
    height = rows * (card.height + gap.down) - gap.down
    edges = plan.printable if plan.fold == "none" else Edges(0, 0, 0, 0)
    left = _centred(paper.width, edges.left, edges.right, width)
    bottom = _centred(paper.height, edges.bottom, edges.top, height)
    for row in range(rows):
        for column in range(columns):
            x = left + column * (card.width + gap.across)
            y = bottom + (rows - 1 - row) * (card.height + gap.down)
            yield Slot(x, y, card.width, card.height)


def _centred(paper: float, before: float, behind: float, wanted: float) -> float:
    """Where something begins that lies in the middle of what the margins leave."""
    return before + (paper - before - behind - wanted) / 2


def box(slots: Sequence[Slot], around: float, paper: Size) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of all slots and what is around them, as far as it is on the paper."""
    return (
        max(min(slot.x for slot in slots) - around, 0.0),
        max(min(slot.y for slot in slots) - around, 0.0),
        min(max(slot.right for slot in slots) + around, paper.width),
        min(max(slot.top for slot in slots) + around, paper.height),
    )
