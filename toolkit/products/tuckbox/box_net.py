"""The net of a tuckbox: panels, cuts and folds. In mm, y grows downwards.

From left to right: back, side, front, side, glue tab. The lid is attached to the back, the two layers of the
bottom to back and front. The net is seen from the outside of the box: all folds are mountain folds.
"""

from __future__ import annotations

from math import isclose

from msgspec import Struct

from toolkit.data.print_sizes import MARGIN
from toolkit.render.sizes import Size

BOARD = 0.4
"""The thickness of the box's cardboard, by which the inside is smaller than the distance of folds."""

CLEARANCE = 1.0
"""The clearance of cards in every direction, so that they can be taken out."""

SLEEVE = 3.0
"""The width and height that a sleeve adds to a card."""

_EASE = 0.5
"""The clearance of flaps on each side."""

Point = tuple[float, float]
Fold = tuple[Point, Point]
"""The two ends of a line."""


class Panel(Struct, frozen=True):
    """A panel or flap: its bounding box, and the panel to which it is attached."""

    name: str
    x: float
    y: float
    width: float
    height: float
    on: str = ""

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height


class Tuckbox(Struct, frozen=True):
    """A box, with its measures from fold to fold."""

    width: float
    depth: float
    height: float

    @classmethod
    def around(cls, card: Size, cards: int, thickness: float, sleeved: bool) -> Tuckbox:
        """Return the box for a stack of upright cards; ``thickness`` is that of a card with its sleeve."""
        allowance = CLEARANCE + BOARD + (SLEEVE if sleeved else 0.0)
        measures = (card.width + allowance, cards * thickness + CLEARANCE + BOARD, card.height + allowance)
        return cls(*(round(length, 2) for length in measures))

    @property
    def inside(self) -> tuple[float, float, float]:
        """Width, depth and height of the room inside."""
        return self.width - BOARD, self.depth - BOARD, self.height - BOARD

    def extent(self) -> Size:
        """Return the extent of the net."""
        panels = self.panels.values()
        return Size(
            max(panel.right for panel in panels),
            max(panel.bottom for panel in panels),
        )

    def lies_on(self, paper: Size) -> Size | None:
        """Return the paper as it lies under the net, upright if possible; None if it is too small."""
        width, height = (side + 2 * MARGIN for side in self.extent())
        upright = paper.upright
        orientations = (
            oriented_paper
            for oriented_paper in (upright, upright.turned)
            if width <= oriented_paper.width and height <= oriented_paper.height
        )
        return next(orientations, None)

    @property
    def panels(self) -> dict[str, Panel]:
        """All panels by name."""
        width, depth, height = self.width, self.depth, self.height
        # How far the tuck flap of the lid, the dust flaps of the sides and the glue tab reach.
        tuck, dust, glue = min(15.0, height / 4), min(20.0, width / 2 - 1), min(12.0, width / 4)
        top = max(depth + tuck, dust)
        body_bottom = top + height
        left, front, right, tab = width, width + depth, 2 * width + depth, 2 * (width + depth)
        panels = (
            Panel("back", 0, top, width, height),
            Panel("left", left, top, depth, height, "back"),
            Panel("front", front, top, width, height, "left"),
            Panel("right", right, top, depth, height, "front"),
            Panel("glue", tab, top, glue, height, "right"),
            Panel("lid", 0, top - depth, width, depth, "back"),
            Panel("tuck", 0, top - depth - tuck, width, tuck, "lid"),
            Panel("left-top", left, top - dust, depth, dust, "left"),
            Panel("right-top", right, top - dust, depth, dust, "right"),
            Panel("left-bottom", left, body_bottom, depth, dust, "left"),
            Panel("right-bottom", right, body_bottom, depth, dust, "right"),
            Panel("inner-bottom", 0, body_bottom, width, depth - _EASE, "back"),
            Panel("bottom", front, body_bottom, width, depth - _EASE, "front"),
        )
        return {panel.name: panel for panel in panels}

    @property
    def folds(self) -> tuple[Fold, ...]:
        """The fold lines: the edge that each panel shares with the one to which it is attached."""
        fold_lines: list[Fold] = []
        for panel in self.panels.values():
            parent = self.panels.get(panel.on)
            if parent is not None and isclose(panel.x, parent.right):
                fold_lines.append(((panel.x, panel.y), (panel.x, panel.bottom)))
            elif parent is not None:
                y = panel.bottom if isclose(panel.bottom, parent.y) else panel.y
                fold_lines.append(((panel.x, y), (panel.right, y)))
        return tuple(fold_lines)

    @property
    def fold_path(self) -> str:
        """The folds as an SVG path."""
        return "".join(f"M{_point(*start)}L{_point(*end)}" for start, end in self.folds)

    @property
    def cut_path(self) -> str:
        """The outline as a closed SVG path, clockwise, with the thumb notch in the front's upper edge."""
        panels = self.panels
        front, glue, lid, tuck = (panels[name] for name in ("front", "glue", "lid", "tuck"))
        slant, radius = min(5.0, glue.width), min(8.0, tuck.height * 0.7)
        notch_radius, notch_middle = min(10.0, front.width / 5), front.x + front.width / 2
        return "".join(
            (
                f"M{_point(lid.x, lid.bottom)}L{_point(lid.x, lid.y)}L{_point(tuck.x + _EASE, lid.y)}",
                f"L{_point(tuck.x + _EASE, tuck.y + radius)}",
                f"A{radius:g} {radius:g} 0 0 1 {_point(tuck.x + _EASE + radius, tuck.y)}",
                f"L{_point(tuck.right - _EASE - radius, tuck.y)}",
                f"A{radius:g} {radius:g} 0 0 1 {_point(tuck.right - _EASE, tuck.y + radius)}",
                f"L{_point(tuck.right - _EASE, lid.y)}L{_point(lid.right, lid.y)}",
                f"L{_point(lid.right, lid.bottom)}",
                _flap(panels["left-top"], up=True),
                f"L{_point(front.x, front.y)}L{_point(notch_middle - notch_radius, front.y)}",
                f"A{notch_radius:g} {notch_radius:g} 0 0 0 {_point(notch_middle + notch_radius, front.y)}",
                f"L{_point(front.right, front.y)}",
                _flap(panels["right-top"], up=True),
                f"L{_point(glue.x, glue.y)}L{_point(glue.right, glue.y + slant)}",
                f"L{_point(glue.right, glue.bottom - slant)}L{_point(glue.x, glue.bottom)}",
                _flap(panels["right-bottom"]),
                _flap(panels["bottom"], taper=0),
                _flap(panels["left-bottom"]),
                _flap(panels["inner-bottom"], taper=0),
                f"L{_point(0, front.bottom)}Z",
            )
        )


def most_cards(card: Size, thickness: float, sleeved: bool, paper: Size) -> int:
    """Return the maximum of cards for a box whose net fits the paper."""
    count = 0
    while Tuckbox.around(card, count + 1, thickness, sleeved).lies_on(paper):
        count += 1
    return count


def _flap(panel: Panel, up: bool = False, taper: float | None = None) -> str:
    """Return the path of a flap from one end of its fold to the other, clockwise around the net."""
    inset = _EASE + (min(panel.width / 5, 3.0) if taper is None else taper)
    points = [
        (panel.x, panel.bottom),
        (panel.x + _EASE, panel.bottom),
        (panel.x + inset, panel.y),
        (panel.right - inset, panel.y),
        (panel.right - _EASE, panel.bottom),
        (panel.right, panel.bottom),
    ]
    if not up:  # the same, turned upside down
        points = [(panel.x + panel.right - x, panel.y + panel.bottom - y) for x, y in points]
    return "".join(f"L{_point(x, y)}" for x, y in points)


def _point(x: float, y: float) -> str:
    return f"{round(x, 3):g} {round(y, 3):g}"
