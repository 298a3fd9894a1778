"""What lies where on which side of which sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct, field

from toolkit.data.model import Edges
from toolkit.render.impose import Placement, Sheet, offset_on_back
from toolkit.render.layout import Arrangement, LayoutPlan, box
from toolkit.render.marks import fold_line, marks_above, marks_below, reaches
from toolkit.render.proof import proof_lines
from toolkit.render.slots import Slot
from toolkit.render.stamps import stamp_slot
from toolkit.render.strokes import NOWHERE


class Copy(Struct, frozen=True):
    """A printed copy of a card: the numbers of the pages of its front, its back and its stamp."""

    front: int
    back: int | None = None
    stamp: int | None = None


class Extras(Struct, frozen=True):
    """What is wanted beside the cards; see ``SheetSettings``."""

    proof: bool = False
    shift: tuple[float, float] = (0.0, 0.0)


def sides_of(arrangement: Arrangement, copies: Sequence[Copy], extras: Extras) -> Iterator[Sheet]:
    """The sides of paper in the order of printing: behind each one of fronts the one of backs."""
    painter = _Painter(arrangement, extras)
    plan = arrangement.plan
    for start in range(0, len(copies), len(arrangement.fronts)):
        batch = copies[start : start + len(arrangement.fronts)]
        if arrangement.fold != "none":
            yield painter.folded(batch)
            continue
        if plan.sides != "backs":
            yield painter.fronts(batch)
        if plan.sides != "fronts":
            yield painter.backs(batch)


class _Painter(Struct):
    """Puts pages on sheets. Marks, and how far pictures reach, are found out once and kept."""

    arrangement: Arrangement
    extras: Extras
    _drawn: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    _reaches: dict[tuple[str, tuple[int, ...]], list[Edges]] = field(default_factory=dict)

    @property
    def _plan(self) -> LayoutPlan:
        return self.arrangement.plan

    def fronts(self, copies: Sequence[Copy]) -> Sheet:
        """A side of fronts."""
        slots = self.arrangement.fronts
        return self._sheet("fronts", slots, list(enumerate(copy.front for copy in copies)), copies)

    def backs(self, copies: Sequence[Copy]) -> Sheet:
        """A side of backs."""
        pages = [(place, copy.back) for place, copy in enumerate(copies) if copy.back is not None]
        return self._sheet("backs", self.arrangement.backs, pages, ())

    def folded(self, copies: Sequence[Copy]) -> Sheet:
        """A side with fronts, and beyond the fold line their backs."""
        beyond = len(self.arrangement.fronts)
        pages = list(enumerate(copy.front for copy in copies))
        pages += [(beyond + place, copy.back) for place, copy in enumerate(copies) if copy.back is not None]
        return self._sheet("fronts", self.arrangement.used, pages, copies)

    def _sheet(
        self,
        side: Literal["fronts", "backs"],
        slots: Sequence[Slot],
        pages: Sequence[tuple[int, int]],
        copies: Sequence[Copy],
    ) -> Sheet:
        plan, paper = self._plan, self.arrangement.paper
        reaches = self._reached(side, slots, [place for place, _ in pages])
        placed = [
            Placement(page, slots[place], plan.bleed, edges, plan.rounding)
            for (place, page), edges in zip(pages, reaches, strict=True)
        ]
        stamps = [
            Placement(copy.stamp, stamp_slot(slots[place], plan), 0.0, NOWHERE)
            for place, copy in enumerate(copies)
            if copy.stamp is not None
        ]
        below, above = self._marks(side, slots)
        proof = ((one.slot, one.reach) for one in placed) if self.extras.proof else ()
        return Sheet(
            paper,
            (*placed, *stamps),
            box(slots, 0.0, paper),
            box(slots, plan.bleed, paper),
            below,
            above + proof_lines(proof, plan.safe, plan.rounding),
            offset_on_back(*self.extras.shift, self.arrangement.mirror) if side == "backs" else (0.0, 0.0),
        )

    def _marks(self, side: str, slots: Sequence[Slot]) -> tuple[bytes, bytes]:
        """What is drawn below and above the cards of every such side."""
        if side not in self._drawn:
            plan, paper = self._plan, self.arrangement.paper
            marks = plan.marks if plan.marks_on in (side, "both") else "none"
            above = marks_above(marks, slots, paper, plan.bleed) + fold_line(self.arrangement)
            self._drawn[side] = (marks_below(marks, slots, paper), above)
        return self._drawn[side]

    def _reached(self, side: str, slots: Sequence[Slot], places: Sequence[int]) -> list[Edges]:
        key = (side, tuple(places))
        if key not in self._reaches:
            self._reaches[key] = reaches([slots[place] for place in places], self._plan.bleed)
        return self._reaches[key]
