"""Where a back lies so that it comes to be behind its front, and the right way up.

A sheet that is turned over like the page of a book is mirrored about a vertical line; turned over its upper
edge, about a horizontal one, and what was up is then down. A back is right when the cut card, turned over
sideways, shows it upright.
"""

from __future__ import annotations

from typing import Literal

from toolkit.render.sizes import Size
from toolkit.render.slots import Slot, turned

Flip = Literal["long", "short", "none"]
"""The edge of the paper over which the printer turns it; none: backs are not mirrored."""

Line = Literal["none", "vertical", "horizontal"]


def mirrored(paper: Size, flip: Flip) -> Line:
    """The direction of the line about which paper that lies so is turned: upright long edges stand."""
    if flip == "none":
        return "none"
    upright = paper.height >= paper.width
    return "vertical" if (flip == "long") == upright else "horizontal"


def behind(slot: Slot, paper: Size, flip: Flip) -> Slot:
    """The place, on the other side of the sheet, of the back of the card in a slot."""
    return folded(slot, paper, mirrored(paper, flip))


def folded(slot: Slot, paper: Size, line: Line) -> Slot:
    """The place mirrored about a line through the middle of the paper."""
    if line == "vertical":
        return slot._replace(x=paper.width - slot.right, turn=turned(-slot.turn))
    if line == "horizontal":
        return slot._replace(y=paper.height - slot.top, turn=turned(180 - slot.turn))
    return slot
