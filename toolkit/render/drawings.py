"""SVG pictures: that they are well-formed drawings, told before an engine sees them."""

from __future__ import annotations

from xml.parsers import expat

BLANK = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
"""A drawing of nothing, for a picture that cannot be had."""


def is_drawing(content: bytes) -> bool:
    """Whether the bytes are well-formed XML with ``svg`` at the top and no document type.

    A document type may define entities, which can grow without bound.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    root: list[str] = []

    def start(name: str, _attributes: dict[str, str]) -> None:
        if not root:
            root.append(name.rsplit(" ", 1)[-1])
            parser.StartElementHandler = None

    def doctype(*_: object) -> None:
        raise ValueError

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError):
        return False
    return root == ["svg"]
