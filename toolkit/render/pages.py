"""HTML documents for the engine: several cards, one page each, of trim size plus bleed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup
from msgspec import Struct

from toolkit.data.art.picture_findings import can_be_printed
from toolkit.data.looks import PLAIN, Look
from toolkit.data.print_sizes import Shape
from toolkit.render.environment import TemplateProblem, fill, make_environment
from toolkit.render.face import Back, Face, template_of
from toolkit.render.fetch import TEMPLATES_ADDRESS, Fetcher, layout_template
from toolkit.render.fit import FLOOR, RULES, WITHOUT_REMINDERS, CardFit, page_with_marker
from toolkit.render.look_values import look_values, tones_for_templates
from toolkit.render.sizes import BLEED, Size
from toolkit.render.template_values import face_record, template_value

if TYPE_CHECKING:
    from toolkit.render.sandbox import Sandbox

_REFERENCE_CARD = Size(63, 88)
"""The card for which the templates' measures are written."""


class FaceOptions(Struct, frozen=True):
    """Options of all faces of a run: the smallest size of type in pt, whether ink is saved, and the look."""

    floor: float = FLOOR
    low_ink: bool = False
    look: Look = PLAIN


class Geometry(Struct, frozen=True):
    """Measures that templates work with, in units: 1 unit is 1 mm on a poker card, ``1rem`` in CSS.

    ``width`` and ``height`` of the trim are at least 63 and 88 units on a card of any size; ``bleed`` lies
    outside, to all sides. ``scale`` is the length of a unit in mm.
    """

    width: float
    height: float
    bleed: float
    scale: float
    shape: Shape = "rect"

    @property
    def room(self) -> float:
        """The factor by which type may be larger where lines are longer than on a poker card."""
        return math.sqrt(self.width / _REFERENCE_CARD.width)

    @classmethod
    def of(cls, trim: Size, bleed: float = BLEED) -> Geometry:
        """Return the geometry of a card of that size in mm."""
        scale = min(trim.width / _REFERENCE_CARD.width, trim.height / _REFERENCE_CARD.height)
        width, height, outside = (round(number / scale, 3) for number in (trim.width, trim.height, bleed))
        return cls(width, height, outside, round(scale, 5), trim.shape)

    def inside(self, top: float, bottom: float) -> float:
        """Return the width within the safe zone between two distances from the upper edge, in units."""
        safe = BLEED / self.scale
        half_width = self.width / 2 - safe
        from_middle = max(abs(top - self.height / 2), abs(bottom - self.height / 2))
        if self.shape == "round":
            half_width = math.sqrt(max(half_width**2 - from_middle**2, 0.0))
        elif self.shape == "hex":
            # Between its slanted sides the safe zone ends farther from the tip than from a side, and over the
            # last quarter of its height the card narrows from its full width to nothing.
            tip = self.height / 2 - safe * 2 / math.sqrt(3)
            half_width = min(half_width, max(tip - from_middle, 0.0) * self.width / (self.height / 2))
        return round(2 * half_width, 3)


def page_size(trim: Size, bleed: float = BLEED) -> Size:
    """Return the size of a card's page in mm: trim and bleed."""
    return Size(trim.width + 2 * bleed, trim.height + 2 * bleed)


class Pages:
    """Makes documents of cards or of backs. Not thread-safe.

    ``pictures`` collects the addresses that each card refers to.
    """

    def __init__(
        self,
        trim: Size,
        fetcher: Fetcher,
        face_options: FaceOptions | None = None,
        bleed: float = BLEED,
    ) -> None:
        self._page = page_size(trim, bleed)
        self._face_options = face_options or FaceOptions()
        self._fetcher = fetcher
        self._geometry = Geometry.of(trim, bleed)
        self._addresses: dict[Path, str | None] = {}
        self._templates: dict[str, str] = {}
        self.pictures: list[tuple[Face, frozenset[str]]] = []

    @cached_property
    def _common_values(self) -> dict[str, object]:
        """The values that all templates get: trim and bleed in units, the unit in mm, the look, and so on."""
        geometry = self._geometry
        sizes = {"w": geometry.width, "h": geometry.height, "b": geometry.bleed, "unit": geometry.scale}
        fonts = {purpose: self._fetcher.file_address(path) for purpose, path in self._fetcher.roots.fonts}
        shape = {"shape": geometry.shape, "inside": lambda top, bottom: geometry.inside(top, bottom)}
        low_ink = self._face_options.low_ink
        look = template_value(look_values(self._face_options.look, fonts, low_ink))
        return {**sizes, **shape, "low_ink": low_ink, "fonts": fonts, "look": look}

    @cached_property
    def _environment(self) -> Sandbox:
        return make_environment(self._fetcher.roots, self._face_options.low_ink)

    def card(self, face: Face, number: int, sizes: dict[str, float]) -> Markup | TemplateProblem:
        """Return the page of one card; its ``number`` is unique in the run.

        Before type gets small, reminders are left out, which is noted in ``sizes``. The rules text then
        starts again at the size of its template: the size found with reminders is dropped from ``sizes``.
        """
        if WITHOUT_REMINDERS not in sizes:
            fit, filled = self._filled(face, number, sizes)
            if not (fit.cramped and face.has_reminders):
                return _markup(filled)
            sizes.pop(RULES, None)
            sizes[WITHOUT_REMINDERS] = 0
        _, filled = self._filled(face.without_reminders(), number, sizes)
        return _markup(filled)

    def _filled(
        self, face: Face, number: int, sizes: Mapping[str, float]
    ) -> tuple[CardFit, str | TemplateProblem]:
        """Return the filled template of a card, and the measures of its text that this noted."""
        files = (face.art, face.team_logo, face.set_symbol)
        art, logo, symbol = map(self.address_of, (None, None, None) if self._face_options.low_ink else files)
        self.pictures.append((face, frozenset(filter(None, (art, logo, symbol)))))
        geometry = self._geometry
        fit = CardFit(
            card=number,
            sizes=sizes,
            scale=geometry.scale,
            floor=self._face_options.floor,
            room=geometry.room,
            language=face.lang,
            hyphenated=face.hyphenated,
        )

        values = {
            "face": face_record(face, art, logo, symbol),
            **self._common_values,
            "tones": tones_for_templates(self._face_options.look, face.kind),
            "uid": f"c{number}",
            "fit": fit,
            "art": art,
            "logo": logo,
            "symbol": symbol,
        }
        return fit, fill(self._environment, self._template_of(face.kind), values)

    def _template_of(self, kind: str) -> str:
        """Return the name of the template of a kind in the layout of the look, found once."""
        if kind not in self._templates:
            shape, layout = self._geometry.shape, self._face_options.look.layout
            in_layout = layout_template(self._fetcher.roots, kind, layout) if shape == "rect" else None
            self._templates[kind] = in_layout or template_of(kind, shape)
        return self._templates[kind]

    def page(self, subject: Face | Back, number: int, sizes: Mapping[str, float]) -> Markup | TemplateProblem:
        """Return the page of a back, or of a card with known sizes of type."""
        return self.card(subject, number, dict(sizes)) if isinstance(subject, Face) else self.back(subject)

    def addresses(self, face: Face) -> set[str]:
        """Return the addresses of the card's pictures; none where ink is saved."""
        if self._face_options.low_ink:
            return set()
        return {
            address
            for path in (face.art, face.team_logo, face.set_symbol)
            if (address := self.address_of(path))
        }

    def back(self, card_back: Back) -> Markup | TemplateProblem:
        """Return the page of a back."""
        values = {
            "back": card_back.pile,
            "picture": self.address_of(card_back.picture),
            "logo": self.address_of(card_back.logo),
            "colours": card_back.colours,
            **self._common_values,
        }
        return _markup(fill(self._environment, "back.html.jinja", values))

    def back_addresses(self, card_back: Back) -> set[str]:
        """Return the addresses of the back's pictures."""
        paths = {
            address for path in (card_back.picture, card_back.logo) if (address := self.address_of(path))
        }
        is_drawn = paths or card_back.colours or self._face_options.look.colours("back")
        return paths if is_drawn else {f"{TEMPLATES_ADDRESS}backs/{card_back.pile}.svg"}

    def document(self, pages: Sequence[Markup], *, alone: bool = False) -> str | TemplateProblem:
        """Return all pages in one document; ``alone`` adds an empty page (see ``PrintRun``)."""
        pages = [*pages, _EMPTY] if alone else pages
        values = {"pages": list(map(page_with_marker, range(len(pages)), pages)), **self._common_values}
        return fill(self._environment, "page.html.jinja", values)

    def address_of(self, path: Path | None) -> str | None:
        """Return the address of a picture; None if it cannot be printed, which the project check reports."""
        if path is None:
            return None
        if path not in self._addresses:
            sound = can_be_printed(self._fetcher.roots.project / path)
            self._addresses[path] = self._fetcher.picture_address(path, self._page) if sound else None
        return self._addresses[path]


_EMPTY = Markup('<section class="page" style="height:1rem"></section>')


def _markup(filled: str | TemplateProblem) -> Markup | TemplateProblem:
    return filled if isinstance(filled, TemplateProblem) else Markup(filled)
