"""Measuring whether text fits its box, by link annotations: engines have no API to query the layout.

A template wraps the text of a region in ``fit.begin(...)`` and ``fit.end()``. These print two links, one
over the box and one around its content; their rectangles in the PDF are not clipped. The links contain the
card's number, the region, its font size and the minimum size, so that this module need not know any template.
They are lost when cards are imposed on sheets.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape
from msgspec import Struct

from toolkit.render.hyphens import broken_name
from toolkit.render.sizes import POINTS_PER_MM

if TYPE_CHECKING:
    import pikepdf


FLOOR = 6.0
"""The default minimum font size in pt; a project or a template may set another."""

REMINDER_SIZE = 8.0
"""Reminders are printed only if the rules text can have this size or more, in pt on a poker card."""

RULES = "rules"
"""The region that holds rules text."""

WITHOUT_REMINDERS = "without reminders"
"""A key among the sizes of a card whose reminders are left out; its value has no meaning."""

TOLERANCE = 1.0
"""The excess in pt that is ignored, because engines round annotations to whole points."""

SIZE_STEP = 0.05
"""The step of sizes that are estimated from a measure, in pt."""

TYPE_STEP = 0.5
"""The step of sizes of rules text, in pt: nobody sees the difference between more of them."""

_LETTER_WIDTH = 0.43
"""Average width of a letter of a name by font size, measured on the shipped display font."""

_UNBROKEN_SIZE = 10.0
"""Names are broken rather than printed smaller than this, in pt on a poker card."""

_DENSITY = 1.32
"""Font size times the square root of characters by area, measured on the shipped text font."""

_LIKELY_DENSITY = 1.36
"""The same for the first attempt. If it is too high, more cards are rendered twice; if it is too low, type is
smaller than it could be. Of 122 shipped cards it renders 25 twice and sets 77 in 10 pt."""

_HEIGHT_STEP = 2
"""Heights of boxes are multiples of so many units, so that many cards share one drawing of a frame."""

_SPARE, _SPARE_AT_FLOOR = 1.04, 1.3
"""Factors by which a box is higher than the density says: then hardly any shipped card is rendered twice at
poker size. At the minimum size there is no smaller one to fall back on."""


class Measure(NamedTuple):
    """The measured content of a region and its box, widths and heights in pt.

    ``steps`` are the only sizes that the text may have, in descending order; empty: any size.
    ``tail`` is the height of a second text in the same box (``tail_region``), which ``content`` includes,
    and ``tail_width`` its width.
    """

    card: int
    region: str
    size: float
    floor: float
    box: tuple[float, float]
    content: tuple[float, float]
    tail: float = 0.0
    tail_region: str = ""
    tail_width: float = 0.0
    steps: tuple[float, ...] = ()

    @property
    def too_wide(self) -> bool:
        """Whether a line, or a word that cannot be broken, is wider than the box."""
        (width, _), (box_width, _) = self.content, self.box
        return width > box_width + TOLERANCE

    @property
    def excess(self) -> float:
        """The excess of the content in height or width, in pt; 0 if it fits."""
        (width, height), (box_width, box_height) = self.content, self.box
        excess = max(width - box_width, height - box_height)
        return excess if excess > TOLERANCE else 0.0

    def fitting_size(self) -> float:
        """Estimate a size that fits: text that wraps shrinks in two directions, a long word in one."""
        (width, height), (box_width, box_height) = self.content, self.box
        by_width = box_width / width if self.too_wide else 1.0
        by_height = math.sqrt(box_height / height) if height > box_height + TOLERANCE else 1.0
        fitting = math.floor(self.size * min(by_width, by_height) / SIZE_STEP) * SIZE_STEP
        return round(min(fitting, self.size - 2 * SIZE_STEP), 2)

    def next_size(self) -> float:
        """Return the size to try next: the next step, or the fitting size, but at least the minimum."""
        if not self.steps:
            return max(self.floor, self.fitting_size())
        likely = self.fitting_size() + TYPE_STEP / 2  # more than one step down only where it is sure
        return next((step for step in self.steps if step < self.size and step <= likely), self.floor)


class CardFit(Struct):
    """Marks the regions of one card in a template; ``sizes`` are those found in earlier rounds.

    ``floor`` is the project's minimum size in pt. ``room`` is the factor by which rules text may be larger
    than the unit says, on a card that is wide for its height. Names are broken by the rules of ``language``,
    the words ``hyphenated`` at their soft hyphens.
    """

    card: int
    sizes: Mapping[str, float]
    scale: float = 1.0
    floor: float = FLOOR
    room: float = 1.0
    language: str = "en"
    hyphenated: tuple[str, ...] = ()
    _open: str = ""
    _smallest_rules_size: float = math.inf  # in pt without a minimum; 0 if the text shrinks to the minimum
    _steps: tuple[float, ...] = ()

    @property
    def cramped(self) -> bool:
        """Whether the rules text is, or without a minimum size would be, too small for reminders."""
        return self._smallest_rules_size < max(_whole_step(REMINDER_SIZE * self.scale), self.floor)

    def size(self, region: str, size: float, floor: float | None = None) -> float:
        """Return the font size in pt of a region whose preferred size on a poker card is ``size``."""
        least = self.floor if floor is None else floor
        preferred = _whole_step(size * self.scale) if region == RULES else round(size * self.scale, 2)
        return self.sizes.get(region, max(least, preferred))

    def broken(self, name: str, width: float, size: float = _UNBROKEN_SIZE) -> Markup:
        """Return a name, broken in two if it does not fit a line of ``width`` units at that size."""
        most = width * POINTS_PER_MM / (size * _LETTER_WIDTH)
        return Markup("-<br>").join(broken_name(name, int(most), self.language, self.hyphenated))

    def crowd(self, characters: int) -> int:
        """Convert a length of text to that of a poker card which fills the same share of the face.

        On small cards type cannot shrink in proportion, so templates give such a text more room.
        """
        needed = self.floor / (FLOOR * self.scale * self.room)
        return round(characters * max(1.0, needed) ** 2)

    def depth(self, characters: int, width: float, size: float, most: float, lines: float = 1.0) -> float:
        """Estimate the height in units that rules text of that length needs in a box of that width.

        It gets the largest size with which it needs at most ``most`` units, and ``lines`` times that for each
        smaller size, else the minimum. A template leaves the rest of the face to the picture.
        """
        height, limit = math.inf, most / lines
        largest = max(self.floor, round(size * self.room * self.scale, 2))
        for step in dict.fromkeys((largest, round((largest + self.floor) / 2, 2), self.floor)):
            if height > limit:  # too high at the size before
                limit *= lines
                units = step / (self.scale * POINTS_PER_MM)
                spare = _SPARE if step > 1.1 * self.floor else _SPARE_AT_FLOOR
                height = spare * characters * (units / _DENSITY) ** 2 / width + 0.8 * units
                height = _HEIGHT_STEP * math.ceil(height / _HEIGHT_STEP)
        return height

    def likely(self, size: float, characters: int, width: float, height: float) -> float:
        """Estimate the step at which rules text fits a box of that size in units; ``size`` is the largest.

        A good guess spares most cards a second rendering; the measurement decides.
        """
        area = width * height * (self.scale * POINTS_PER_MM) ** 2
        estimated = _LIKELY_DENSITY * math.sqrt(area / max(characters, 1))
        self._steps = self._ladder(size * self.room)
        *_, smallest = self._steps
        return next((step for step in self._steps if step <= estimated), smallest) / self.scale

    def _ladder(self, size: float) -> tuple[float, ...]:
        """Return the sizes of rules text in pt: from the template's to the minimum in whole steps."""
        count = math.ceil((_whole_step(size * self.scale) - self.floor) / TYPE_STEP)
        return (*(_whole_step(size * self.scale) - TYPE_STEP * step for step in range(count)), self.floor)

    def begin(self, region: str, size: float, floor: float | None = None) -> Markup:
        """Open a region whose text has that size if it fits, in pt on a poker card."""
        size_in_points = self.size(region, size, floor)
        allowed: tuple[float, ...] = (self.floor if floor is None else floor,)
        if region == RULES:
            allowed = self._steps or self._ladder(size)
            self._note_rules_size(self.sizes.get(RULES, _whole_step(size * self.scale)), allowed)
        # ``measures`` reads these addresses of links from the printed page
        self._open = f"{self.card}:{region}:{size_in_points}:{'/'.join(map(str, allowed))}"
        opened = escape(self._open)
        return Markup(  # all of it is escaped
            f'<div class="fit {escape(region)}" style="font-size:{size_in_points}pt">'
            f'<a class="fit-box" href="fit:b:{opened}"></a><a class="fit-content" href="fit:c:{opened}">'
        )

    def _note_rules_size(self, preferred: float, allowed: Sequence[float]) -> None:
        is_at_minimum = preferred <= allowed[-1] and preferred != allowed[0]
        noted_size = 0.0 if is_at_minimum else preferred
        self._smallest_rules_size = min(self._smallest_rules_size, noted_size)

    def also(self, region: str) -> Markup:
        """Begin a second text in the same box, below the first; both shrink together."""
        opened = escape(f"{self._open}:{region}")
        return Markup(f'</a><a class="fit-content fit-tail" href="fit:t:{opened}">')

    def end(self) -> Markup:
        """Close the region."""
        return Markup("</a></div>")


def _whole_step(size: float) -> float:
    """Return the nearest size of type that rules text may have."""
    return round(size / TYPE_STEP) * TYPE_STEP


def page_with_marker(number: int, page: Markup) -> Markup:
    """Return a page after a link that marks where it begins in its document."""
    return Markup(f'<a href="page:{number}" style="display:block;height:1pt;margin-bottom:-1pt"></a>') + page


def has_one_page_each(document: pikepdf.Pdf, count: int) -> bool:
    """Whether ``count`` marked pages make exactly one page each."""
    if len(document.pages) != count:
        return False
    # there are as many pages as marks: if the first mark of each is its own, none has a second one
    for number, page in enumerate(document.pages):
        addresses = map(_link_address, page.obj.get("/Annots", ()))
        first_mark = next((address for address in addresses if "page:" in address), None)
        if first_mark != f"page:{number}":
            return False
    return True


def pages_of_first(document: pikepdf.Pdf) -> int:
    """Return how many pages the first of two marked pages takes."""
    for number, page in enumerate(document.pages):
        if "page:1" in map(_link_address, page.obj.get("/Annots", ())):
            return number
    return len(document.pages)


_LINK = re.compile(
    r"fit:([bct]):(\d{1,9}):([^:]*):(\d+(?:\.\d+)?):(\d+(?:\.\d+)?(?:/\d+(?:\.\d+)?)*)(?::([^:]*))?"
)
"""Role, card, region, size, allowed sizes, region of a tail.

Templates may print other links."""


_BOX, _CONTENT, _TAIL = "b", "c", "t"
"""The roles of a link: over the box of a region, around its content, and around the second text in it."""


def measures(pages: Iterable[pikepdf.Page]) -> Iterator[Measure]:
    """Yield the measures of every region of every page, read from the link annotations.

    The tail of a region is the second text in its box, which begins at ``CardFit.also``.
    """
    for page in pages:
        for (card, region, size, allowed_sizes), area_by_role in _areas_by_region(page).items():
            if _BOX in area_by_role and _CONTENT in area_by_role:
                steps = tuple(map(float, allowed_sizes.split("/")))  # in descending order
                tail = area_by_role.get(_TAIL, _LinkArea(0, 0, 0, 0))
                tail_width, tail_height = tail.sides
                yield Measure(
                    card=int(card),
                    region=region,
                    size=float(size),
                    floor=steps[-1],
                    box=area_by_role[_BOX].sides,
                    # Not the sum of both heights: each link is rounded to whole points.
                    content=area_by_role[_CONTENT].united(area_by_role.get(_TAIL)).sides,
                    tail=tail_height,
                    tail_region=tail.region,
                    tail_width=tail_width,
                    steps=steps if len(steps) > 1 else (),  # the minimum alone allows any size above it
                )


def _areas_by_region(page: pikepdf.Page) -> dict[tuple[str, str, str, str], dict[str, _LinkArea]]:
    """Return the areas of the links of a page by role, by card, region, size and allowed sizes."""
    areas_by_region: dict[tuple[str, str, str, str], dict[str, _LinkArea]] = {}
    for annotation in page.obj.get("/Annots", ()):
        link = _LINK.fullmatch(_link_address(annotation))
        if link:
            role, card, region, size, allowed, tail_region = link.groups("")
            area_by_role = areas_by_region.setdefault((card, region, size, allowed), {})
            x1, y1, x2, y2 = (float(number) for number in annotation["/Rect"])
            area = _LinkArea(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2), tail_region)
            area_by_role[role] = area.united(area_by_role.get(role))
    return areas_by_region


def _link_address(annotation: pikepdf.Object) -> str:
    action = annotation.get("/A")
    return "" if action is None else str(action.get("/URI", ""))


class _LinkArea(NamedTuple):
    """The edges of a link in pt, and the region of a tail."""

    left: float
    bottom: float
    right: float
    top: float
    region: str = ""

    def united(self, other: _LinkArea | None) -> _LinkArea:
        """Return the bounding box of both: engines split a link into several annotations."""
        if other is None:
            return self
        low, high = min(self.left, other.left), max(self.right, other.right)
        return _LinkArea(low, min(self.bottom, other.bottom), high, max(self.top, other.top), self.region)

    @property
    def sides(self) -> tuple[float, float]:
        """Width and height."""
        return round(self.right - self.left, 3), round(self.top - self.bottom, 3)
