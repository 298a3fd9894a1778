"""SVG pictures: that they are well-formed drawings, told before an engine sees them, and their shape."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.parsers import expat

BLANK = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
"""A drawing of nothing, for a picture that cannot be had."""

_NUMBER = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*")


@dataclass(frozen=True, slots=True)
class Drawing:
    """What the top of an SVG file says: width and height in its own units, where it says so."""

    size: tuple[float, float] | None


def read_drawing(content: bytes) -> Drawing | None:
    """The drawing, or nothing unless it is well-formed XML with ``svg`` at the top and no document type.

    A document type may define entities, which can grow without bound.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    roots: list[tuple[str, dict[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        roots.append((name.rsplit(" ", 1)[-1], attributes))
        parser.StartElementHandler = None

    def doctype(*_: object) -> None:
        raise ValueError

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError):
        return None
    name, attributes = roots[0]
    return Drawing(_size(attributes)) if name == "svg" else None


def _size(attributes: dict[str, str]) -> tuple[float, float] | None:
    box = attributes.get("viewBox", "").replace(",", " ").split()
    sides = box[2:] if len(box) == 4 else [attributes.get("width", ""), attributes.get("height", "")]
    numbers = [_NUMBER.fullmatch(side) for side in sides]
    width, height = (float(number[1]) if number else 0.0 for number in numbers)
    return (width, height) if width > 0 and height > 0 else None
