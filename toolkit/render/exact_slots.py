"""Sheets whose places are written one by one."""

from __future__ import annotations

from toolkit.render.layout import Arrangement, Corner, LayoutPlan, Misfit
from toolkit.render.paper_names import measures, paper_name
from toolkit.render.sizes import Size
from toolkit.render.slots import HAIR, Slot, turned


def exact_slots(plan: LayoutPlan, paper: Size) -> Arrangement | Misfit:
    """The places as they are written, or the first of them that is not on the paper or on another."""
    slots: list[Slot] = []
    for number, corner in enumerate(plan.corners_at):
        slot = _slot(corner, plan.card, paper)
        wrong = _off_paper(slot, number, plan.card, paper) or _on_another(slot, number, slots)
        if wrong:
            return wrong
        slots.append(slot)
    return Arrangement(plan, paper, tuple(slots))


def _slot(corner: Corner, card: Size, paper: Size) -> Slot:
    width, height = card.turned if corner.turn % 180 else card
    return Slot(corner.x, paper.height - corner.y - height, width, height, turned(corner.turn))


def _off_paper(slot: Slot, number: int, card: Size, paper: Size) -> Misfit | None:
    across, down = slot.right - paper.width, -slot.y
    if max(across, down) <= HAIR:
        return None
    edge, excess, key = ("right", across, "x") if across > HAIR else ("lower", down, "y")
    most = (paper.width - slot.width) if key == "x" else (paper.height - slot.height)
    step = f"Write {key} of {most:g} or less." if most >= 0 else "Choose a larger paper or smaller cards."
    return Misfit(
        "slot-off-paper",
        ("slots", number, key),
        f"A card of {measures(card)} here extends {excess:g} mm beyond the {edge} edge of "
        f"{paper_name(paper)}.",
        step,
    )


def _on_another(slot: Slot, number: int, others: list[Slot]) -> Misfit | None:
    for index, other in enumerate(others):
        if slot.overlaps(other):
            return Misfit(
                "slots-overlap",
                ("slots", number),
                f"The card in slot {number + 1} overlaps the one in slot {index + 1}.",
                f"Cards here are {slot.width:g} mm wide and {slot.height:g} mm high; move one of the two.",
            )
    return None
