"""Documents for the engine: several cards, one page each, trim size plus bleed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from toolkit.render.environment import TemplateProblem, fill, make_environment
from toolkit.render.face import Face
from toolkit.render.fetch import Fetcher
from toolkit.render.fit import CardFit
from toolkit.render.sizes import BLEED, Size

if TYPE_CHECKING:
    from jinja2 import Environment

_REFERENCE = Size(63, 88)
"""The card for which the templates' measures are written."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """Measures that templates work with, in units: 1 unit is 1 mm on a poker card, ``1rem`` in CSS.

    ``width`` and ``height`` of the trim are at least 63 and 88 units on a card of any size; ``bleed`` lies
    outside, to all sides. ``scale`` is the length of a unit in mm.
    """

    width: float
    height: float
    bleed: float
    scale: float

    @classmethod
    def of(cls, trim: Size) -> Geometry:
        """The geometry of a card of that size in mm."""
        scale = min(trim.width / _REFERENCE.width, trim.height / _REFERENCE.height)
        width, height, bleed = (round(number / scale, 3) for number in (trim.width, trim.height, BLEED))
        return cls(width, height, bleed, round(scale, 5))


def page_size(trim: Size) -> Size:
    """A card's page: trim and bleed, in mm."""
    return Size(trim.width + 2 * BLEED, trim.height + 2 * BLEED)


class Pages:
    """Makes documents of cards or of backs. Not to be used by two threads at once.

    ``pictures`` collects which addresses the cards so far refer to.
    """

    def __init__(self, trim: Size, fetcher: Fetcher) -> None:
        self._trim = trim
        self._fetcher = fetcher
        self._geometry = Geometry.of(trim)
        self._addresses: dict[Path, str | None] = {}
        self.pictures: list[tuple[Face, frozenset[str]]] = []

    @property
    def _measures(self) -> dict[str, float]:
        """What templates know of the card's size: trim and bleed in units, and the unit in mm."""
        geometry = self._geometry
        return {"w": geometry.width, "h": geometry.height, "b": geometry.bleed, "unit": geometry.scale}

    @cached_property
    def _environment(self) -> Environment:
        return make_environment(self._fetcher.roots)

    def card(self, face: Face, number: int, sizes: Mapping[str, float]) -> Markup | TemplateProblem:
        """The page of one card; ``number`` tells it apart from all others of the run."""
        art, logo = self._picture(face.art), self._picture(face.team_logo)
        self.pictures.append((face, frozenset(filter(None, (art, logo)))))
        values = {
            "face": face,
            **self._measures,
            "uid": f"c{number}",
            "fit": CardFit(number, sizes, self._geometry.scale),
            "art": art,
            "logo": logo,
        }
        return _markup(fill(self._environment, f"{face.kind}.html.jinja", values))

    def addresses(self, face: Face) -> set[str]:
        """The addresses of the pictures that the card will ask for."""
        return {address for path in (face.art, face.team_logo) if (address := self._picture(path))}

    def back(self, back: str) -> Markup | TemplateProblem:
        """The page of a back."""
        return _markup(fill(self._environment, "back.html.jinja", {"back": back, **self._measures}))

    def document(self, pages: Sequence[Markup]) -> str | TemplateProblem:
        """All pages in one document."""
        values = {"pages": pages, **self._measures}
        return fill(self._environment, "page.html.jinja", values)

    def _picture(self, path: Path | None) -> str | None:
        """The address of a picture that is there; else nothing, and the template prints its placeholder."""
        if path is None:
            return None
        if path not in self._addresses:
            there = (self._fetcher.roots.project / path).is_file()
            self._addresses[path] = self._fetcher.address(path, page_size(self._trim)) if there else None
        return self._addresses[path]


def _markup(filled: str | TemplateProblem) -> Markup | TemplateProblem:
    return filled if isinstance(filled, TemplateProblem) else Markup(filled)
