"""The stamp of a card: project, version and the card's fingerprint in small type outside the safe zone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from markupsafe import escape

from toolkit.render.face import Face
from toolkit.render.fingerprint import fingerprint
from toolkit.render.layout import LayoutPlan
from toolkit.render.sizes import Size
from toolkit.render.slots import Slot

if TYPE_CHECKING:
    from toolkit.render.printing import PrintRun

_TYPE = 4.0
"""Size of type in pt."""

_LEAST_HEIGHT = 2.0
_STYLE = """
@font-face { font-family: "Stamp"; src: url(fonts/BarlowCondensed-Medium.ttf) }
html, body { margin: 0; font-family: "Stamp" }
.page { position: relative; overflow: hidden; page-break-after: always; display: flex;
  align-items: center; justify-content: center }
.page:last-child { page-break-after: auto }
span { background: #fff; color: #000; line-height: 1.15; padding: 0 0.5em; white-space: nowrap }
"""


def begin_stamps(
    run: PrintRun, faces: Sequence[Face], plan: LayoutPlan, title: str
) -> Callable[[], dict[Face, int]]:
    """Let the engine make a page of each card's stamp meanwhile.

    What is returned takes the pages into the run, and tells which of its pages they are; it raises
    ``EngineError``.
    """
    size = _size(plan)
    page = f'<section class="page" style="width:{size.width}mm; height:{size.height}mm; font-size:{_TYPE}pt">'
    texts = [f"{title} · {fingerprint(face)}" for face in faces]
    pages = [f"{page}<span>{escape(text)}</span></section>" for text in texts]
    head = f'<!doctype html><html><head><meta charset="utf-8"><style>{_STYLE}</style></head><body>'
    begun = run.begin_more(head, pages, size)

    def take() -> dict[Face, int]:
        first = run.take_more(begun)
        return {face: first + number for number, face in enumerate(faces)}

    return take


def stamp_slot(slot: Slot, plan: LayoutPlan) -> Slot:
    """The place of the stamp of the card in a slot: at its lower edge, turned with it."""
    card, size = plan.card, _size(plan)
    across = (card.width - size.width) / 2
    x, y = {
        0: (slot.x + across, slot.y),
        90: (slot.right - size.height, slot.y + across),
        180: (slot.right - across - size.width, slot.top - size.height),
        270: (slot.x, slot.top - across - size.width),
    }[slot.turn]
    width, height = size.turned if slot.turn % 180 else size
    return Slot(x, y, width, height, slot.turn)


def _size(plan: LayoutPlan) -> Size:
    """Below the safe zone, and clear of round corners."""
    aside = max(plan.safe, plan.rounding)
    return Size(max(plan.card.width - 2 * aside, 10.0), max(plan.safe, _LEAST_HEIGHT))
