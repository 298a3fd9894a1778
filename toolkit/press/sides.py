"""The sides of sheets: pages of cards in their slots, marks, and stamps outside the safe zone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from markupsafe import escape
from msgspec import Struct, field

from toolkit.data.looks import Look
from toolkit.press.impose import Placement, Sheet, offset_on_back
from toolkit.press.layout import Arrangement, LayoutPlan, PaperSide, Slot, bounding_box
from toolkit.press.marks import fold_line, marks_of, sheet_ruler
from toolkit.press.outlines import VisibleArea, proof_lines, visible_areas
from toolkit.render.face import Face, fingerprint
from toolkit.render.sizes import Size

if TYPE_CHECKING:
    from toolkit.render.print_run import PrintRun


class Copy(Struct, frozen=True):
    """A printed copy of a card: the indexes of the pages of its front, its back and its stamp."""

    front: int
    back: int | None = None
    stamp: int | None = None


class SheetExtras(Struct, frozen=True):
    """Options of sheets in addition to their layout; see ``SheetSettings``."""

    proof: bool = False
    shift: tuple[float, float] = (0.0, 0.0)


def compose_sides(arrangement: Arrangement, copies: Sequence[Copy], extras: SheetExtras) -> Iterator[Sheet]:
    """Yield the sides of paper in the order of printing: each side of fronts, then its side of backs."""
    painter = _Composer(arrangement, extras)
    for start in range(0, len(copies), len(arrangement.fronts)):
        batch = copies[start : start + len(arrangement.fronts)]
        for side in arrangement.sides:
            yield painter.side(side, batch)


class _Composer(Struct):
    """Places pages on sheets. Marks and visible areas are computed once for each pattern of filled slots."""

    arrangement: Arrangement
    extras: SheetExtras
    _drawn: dict[tuple[str, tuple[int, ...]], tuple[bytes, list[VisibleArea]]] = field(default_factory=dict)

    def side(self, side: PaperSide, copies: Sequence[Copy]) -> Sheet:
        """Return a side of fronts or of backs; a fold sheet has both on one side."""
        arrangement, plan, paper = self.arrangement, self.arrangement.plan, self.arrangement.paper
        # each page with the number of its slot
        fronts = [(slot_number, copy.front) for slot_number, copy in enumerate(copies)]
        backs = [(slot_number, copy.back) for slot_number, copy in enumerate(copies) if copy.back is not None]
        slots, pages, stamped = arrangement.fronts, fronts, copies  # stamps are on the fronts
        if side == "backs":
            slots, pages, stamped = arrangement.backs, backs, ()
        elif arrangement.fold != "none":  # the slots of the backs follow those of the fronts
            slots = arrangement.used
            pages = fronts + [(len(arrangement.fronts) + slot_number, page) for slot_number, page in backs]
        marks, areas = self._around(side, slots, tuple(slot_number for slot_number, _ in pages))
        placed = [
            Placement(page, slots[slot_number], plan.bleed, area, plan.rounding, plan.shape)
            for (slot_number, page), area in zip(pages, areas, strict=True)
        ]
        stamps = [
            Placement(copy.stamp, stamp_slot(slots[slot_number], plan))
            for slot_number, copy in enumerate(stamped)
            if copy.stamp is not None
        ]
        proof = ((placement.slot, placement.shown) for placement in placed) if self.extras.proof else ()
        return Sheet(
            paper,
            (*placed, *stamps),
            bounding_box(slots, 0.0, paper),
            bounding_box(slots, plan.bleed, paper),
            above=marks + proof_lines(proof, plan.safe, plan.rounding, plan.shape),
            shift=offset_on_back(*self.extras.shift, arrangement.mirror) if side == "backs" else (0.0, 0.0),
        )

    def _around(
        self, side: str, slots: Sequence[Slot], places: tuple[int, ...]
    ) -> tuple[bytes, list[VisibleArea]]:
        """Return the marks of a side, and the visible area of the card in each of the places.

        They are the same for all full sheets, and computed once.
        """
        if (side, places) not in self._drawn:
            plan, paper = self.arrangement.plan, self.arrangement.paper
            printed = [slots[slot_number] for slot_number in places]
            has_marks = plan.marks != "none" and plan.marks_on in (side, "both")
            marks = marks_of(plan, printed, paper) + sheet_ruler(self.arrangement) if has_marks else b""
            areas = visible_areas(printed, plan.bleed, plan.shape)
            self._drawn[side, places] = (marks + fold_line(self.arrangement), areas)
        return self._drawn[side, places]


_FONT_SIZE = 4.0
"""The font size of stamps in pt."""

_MIN_HEIGHT = 2.0
_STYLE = """
@font-face { font-family: "Stamp"; src: url(fonts/BarlowCondensed-Medium.ttf) }
html, body { margin: 0; font-family: "Stamp" }
.page { position: relative; overflow: hidden; page-break-after: always; display: flex;
  align-items: center; justify-content: center }
.page:last-child { page-break-after: auto }
span { background: #fff; color: #000; line-height: 1.15; padding: 0 0.5em; white-space: nowrap }
"""


def start_stamps(
    run: PrintRun, faces: Sequence[Face], plan: LayoutPlan, title: str, look: Look
) -> Callable[[], dict[Face, int]]:
    """Start rendering a page for each card's stamp.

    The returned function waits for the pages, appends them to the run and returns their indexes. It raises
    ``EngineError``.
    """
    size = _stamp_size(plan)
    style = f"width:{size.width}mm; height:{size.height}mm; font-size:{_FONT_SIZE}pt"
    page = f'<section class="page" style="{style}">'
    texts = [f"{title} · {fingerprint(face, look)}" for face in faces]
    pages = [f"{page}<span>{escape(text)}</span></section>" for text in texts]
    head = f'<!doctype html><html><head><meta charset="utf-8"><style>{_STYLE}</style></head><body>'
    started = run.start_pages(head, pages, size)

    def collect() -> dict[Face, int]:
        first = run.collect_pages(started)
        return {face: first + number for number, face in enumerate(faces)}

    return collect


def stamp_slot(slot: Slot, plan: LayoutPlan) -> Slot:
    """Return the place of a card's stamp: at its lower edge, turned with the card."""
    card, size = plan.card, _stamp_size(plan)
    middle_x, middle_y = slot.middle
    if plan.shape == "hex":  # along a vertical side, because its lower end is a corner
        return Slot(slot.right - size.height, middle_y - size.width / 2, size.height, size.width, 90)
    if plan.shape == "round":  # a little above the lowest point, where it is wide enough
        return Slot(middle_x - size.width / 2, slot.y + slot.height * 0.02, *size)
    across = (card.width - size.width) / 2
    x, y = {
        0: (slot.x + across, slot.y),
        90: (slot.right - size.height, slot.y + across),
        180: (slot.right - across - size.width, slot.top - size.height),
        270: (slot.x, slot.top - across - size.width),
    }[slot.turn]
    width, height = size.turned if slot.turn % 180 else size
    return Slot(x, y, width, height, slot.turn)


def _stamp_size(plan: LayoutPlan) -> Size:
    """Return the size of stamps: outside the safe zone, and clear of round corners."""
    aside = max(plan.safe, plan.rounding) if plan.shape == "rect" else plan.card.width * 0.25
    return Size(max(plan.card.width - 2 * aside, 10.0), max(plan.safe, _MIN_HEIGHT))
