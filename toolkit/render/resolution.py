"""How fine pictures are on a printed page, read from where the engine put them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pikepdf

from toolkit.data.picture_files import read_picture
from toolkit.render.face import Face
from toolkit.render.impose import PrintedPage
from toolkit.render.sizes import POINTS_PER_MM

LEAST_DPI = 200
"""Below this, the dots of a picture are seen on a printed card."""

_ROUNDING = 0.5
"""Dots an inch that sizes in a PDF may be off."""

_STEP = re.compile(rb"\((?:\\.|[^\\()])*\)|<[^<>]*>|\b(q|Q)\b|((?:[-+.\d]+\s+){6})cm\b|/(\S+)\s+Do\b")
"""What moves or draws in a page; texts, which may hold the same letters, are passed over."""

Matrix = tuple[float, float, float, float, float, float]
START: Matrix = (1, 0, 0, 1, 0, 0)


class Coarse(NamedTuple):
    """A picture of a card with too few pixels: its size in pixels, its width in print in mm, and its dpi."""

    picture: Path
    region: str
    pixels: tuple[int, int]
    width: float
    dpi: float

    @property
    def wanted(self) -> tuple[int, int]:
        """The pixels with which it would be fine enough."""
        factor = LEAST_DPI / self.dpi
        return math.ceil(self.pixels[0] * factor), math.ceil(self.pixels[1] * factor)


def coarse_pictures(face: Face, page: PrintedPage) -> Iterator[Coarse]:
    """Pictures of a card that are printed below ``LEAST_DPI``.

    A picture on the page is known by its pixels: only one with more than enough was made smaller.
    """
    named = [(path, region) for path, region in ((face.art, "art"), (face.team_logo, "team")) if path]
    sizes = [(path, region, size) for path, region in named if (size := _pixels(path))]
    drawn: dict[tuple[int, int], list[tuple[float, float]]] = {}
    if sizes:
        loaded = page.load()
        _draw(loaded.obj, loaded.get("/Resources"), START, drawn, 0)
    for path, region, size in sizes:
        for pixels in dict.fromkeys((size, size[::-1])):  # cameras turn pictures
            for wide, high in drawn.get(pixels, ()):
                dpi = min(pixels[0] / wide, pixels[1] / high) * 72 if wide and high else LEAST_DPI
                if dpi < LEAST_DPI - _ROUNDING:
                    yield Coarse(path, region, size, wide / POINTS_PER_MM, dpi)


def _pixels(path: Path) -> tuple[int, int] | None:
    try:
        found = read_picture(path) if path.suffix.lower() != ".svg" else None
    except OSError:
        return None
    return found.size if found else None


def _draw(
    thing: pikepdf.Object,
    resources: pikepdf.Object | None,
    matrix: Matrix,
    found: dict[tuple[int, int], list[tuple[float, float]]],
    depth: int,
) -> None:
    """Collect by the pixels of a picture the sizes in pt with which it is drawn."""
    objects = resources.get("/XObject") if resources is not None else None
    if objects is None or depth > 8:
        return
    kept = []
    for step in _STEP.finditer(content_of(thing)):
        if step[1] == b"q":
            kept.append(matrix)
        elif step[1] == b"Q" and kept:
            matrix = kept.pop()
        elif step[2]:
            matrix = times(map(float, step[2].split()), matrix)
        elif step[3]:
            one = objects.get("/" + step[3].decode("latin-1"))
            if one is not None and one.get("/Subtype") == "/Image":
                sides = math.hypot(*matrix[:2]), math.hypot(*matrix[2:4])
                found.setdefault((int(one["/Width"]), int(one["/Height"])), []).append(sides)
            elif one is not None:
                own = times(map(float, one.get("/Matrix", START)), matrix)
                _draw(one, one.get("/Resources"), own, found, depth + 1)


def content_of(thing: pikepdf.Object) -> bytes:
    """The drawing of a page or a form."""
    if isinstance(thing, pikepdf.Stream):
        return thing.read_bytes()
    parts = thing.get("/Contents", pikepdf.Array())
    streams = [parts] if isinstance(parts, pikepdf.Stream) else list(parts)
    return b"\n".join(part.read_bytes() for part in streams)


def times(one: Iterable[float], other: Matrix) -> Matrix:
    """Return one change of axes after the other."""
    a, b, c, d, x, y = one
    e, f, g, h, p, q = other
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h, x * e + y * g + p, x * f + y * h + q
