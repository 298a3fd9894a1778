"""The law of a tuckbox: folded along its lines, its panels meet, and the cards go in."""

from __future__ import annotations

import re
from itertools import combinations
from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from toolkit.products.tuckbox.box_net import Panel, Tuckbox, most_cards
from toolkit.render.sizes import Size

Vector = tuple[float, float, float]
CARDS = st.builds(Size, st.floats(20, 150), st.floats(30, 200))
BOXES = st.builds(Tuckbox.around, CARDS, st.integers(1, 400), st.floats(0.1, 2), st.booleans())


def _plus(a: Vector, b: Vector, times: float = 1.0) -> Vector:
    return (a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2])


def _minus(a: Vector) -> Vector:
    return (-a[0], -a[1], -a[2])


class Folded:
    """A panel in space: where a point of it is, and which way its print faces."""

    def __init__(self, panel: Panel, corner: Vector, right: Vector, down: Vector, out: Vector) -> None:
        self.panel, self.corner, self.right, self.down, self.out = panel, corner, right, down, out

    def at(self, x: float, y: float) -> Vector:
        """A point of the net, in space."""
        across = _plus(self.corner, self.right, x - self.panel.x)
        return _plus(across, self.down, y - self.panel.y)

    def hang(self, panel: Panel) -> Folded:
        """A panel that hangs on this one, folded away from the print by a right angle."""
        mine = self.panel
        if isclose(panel.x, mine.right):
            return Folded(panel, self.at(panel.x, panel.y), _minus(self.out), self.down, self.right)
        if isclose(panel.y, mine.bottom):
            return Folded(panel, self.at(panel.x, panel.y), self.right, _minus(self.out), self.down)
        assert isclose(panel.bottom, mine.y), panel.name
        hinge = self.at(panel.x, panel.bottom)
        return Folded(panel, _plus(hinge, self.out, -panel.height), self.right, self.out, _minus(self.down))


def folded(box: Tuckbox) -> dict[str, Folded]:
    """All panels in space; the back lies on the floor, with its print downwards or upwards alike."""
    found: dict[str, Folded] = {}
    for panel in box.panels.values():
        if panel.on:
            found[panel.name] = found[panel.on].hang(panel)
        else:
            corner = (panel.x, panel.y, 0.0)
            found[panel.name] = Folded(panel, corner, (1, 0, 0), (0, 1, 0), (0, 0, 1))
    return found


def same(*points: Vector) -> bool:
    return all(isclose(a, b, abs_tol=1e-6) for a, b in zip(*points, strict=True))


def distance(a: Vector, b: Vector) -> float:
    return sum((one - other) ** 2 for one, other in zip(a, b, strict=True)) ** 0.5


@given(BOXES)
def test_folded_panels_meet(box: Tuckbox) -> None:
    space, flat = folded(box), box.panels
    back, front, right = flat["back"], flat["front"], flat["right"]
    for y in (back.y, back.bottom):  # where the tab is glued
        assert same(space["back"].at(back.x, y), space["right"].at(right.right, y))
    for x in (0.0, box.width):  # the lid closes; it is the other way round than the front
        mirrored = front.right - x
        assert same(space["lid"].at(x, flat["lid"].y), space["front"].at(mirrored, front.y))
        assert (
            distance(
                space["bottom"].at(front.x + x, flat["bottom"].bottom),
                space["back"].at(box.width - x, back.bottom),
            )
            <= 1
        )
        assert (
            distance(
                space["inner-bottom"].at(x, flat["inner-bottom"].bottom),
                space["front"].at(mirrored, front.bottom),
            )
            <= 1
        )
    tuck = space["tuck"]
    assert same(tuck.out, space["front"].out)  # flat behind the front, and not outside of the box
    assert flat["tuck"].height < box.height
    assert same(space["front"].out, _minus(space["back"].out))
    assert flat["left-top"].height <= box.width / 2
    assert same(space["glue"].out, space["back"].out)
    assert flat["glue"].width < box.width


@given(BOXES)
def test_the_net_is_one_piece_without_overlaps(box: Tuckbox) -> None:
    panels = box.panels.values()
    for one, other in combinations(panels, 2):
        apart = (
            one.right <= other.x + 1e-6
            or other.right <= one.x + 1e-6
            or one.bottom <= other.y + 1e-6
            or other.bottom <= one.y + 1e-6
        )
        assert apart, (one.name, other.name)
    assert len(box.folds) == len(panels) - 1
    for panel, (start, end) in zip([one for one in panels if one.on], box.folds, strict=True):
        long = panel.height if start[0] == end[0] else panel.width
        assert isclose(distance((*start, 0), (*end, 0)), long)  # adjacent sides are equally long
        on = box.panels[panel.on]
        for x, y in (start, end):
            assert on.x - 1e-6 <= x <= on.right + 1e-6
            assert on.y - 1e-6 <= y <= on.bottom + 1e-6


@given(BOXES)
def test_the_cut_goes_around_all_panels_once(box: Tuckbox) -> None:
    """Its area is that of the panels, but for tapers, round corners and the thumb notch."""
    path = re.sub(r"A\S+ \S+ 0 0 [01] ", "L", box.cut_path)
    points = [tuple(map(float, pair.split())) for pair in re.findall(r"[ML]([^MLZ]+)", path)]
    panels = box.panels.values()
    for x, y in points:
        assert any(
            one.x - 0.01 <= x <= one.right + 0.01 and one.y - 0.01 <= y <= one.bottom + 0.01 for one in panels
        )
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2
    whole = sum(one.width * one.height for one in panels)
    bodies = 2 * box.height * (box.width + box.depth) + box.width * box.depth
    assert bodies < area < whole


@given(CARDS, st.integers(1, 400), st.floats(0.1, 2), st.booleans())
def test_the_cards_go_in(card: Size, cards: int, thickness: float, sleeved: bool) -> None:
    width, depth, height = Tuckbox.around(card, cards, thickness, sleeved).inside
    sleeve = 3 if sleeved else 0
    assert card.width + sleeve + 0.9 < width < card.width + sleeve + 2
    assert cards * thickness + 0.9 < depth < cards * thickness + 2
    assert card.height + sleeve + 0.9 < height < card.height + sleeve + 2


@given(CARDS, st.floats(0.2, 1), st.booleans())
def test_as_many_cards_as_fit(card: Size, thickness: float, sleeved: bool) -> None:
    paper = Size(297, 210)
    most = most_cards(card, thickness, sleeved, paper)
    assert Tuckbox.around(card, most + 1, thickness, sleeved).lies_on(paper) is None
    lies = Tuckbox.around(card, most, thickness, sleeved).lies_on(paper) if most else paper
    assert lies in (paper, paper.turned)
