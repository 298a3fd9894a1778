"""Where the pages that an engine wrote draw pictures, and how large: read from their matrices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import pikepdf
from msgspec.structs import replace

from toolkit.render.content_streams import IDENTITY, MAX_DEPTH, Content, Matrix, matrix_product

_parse = partial(pikepdf.parse_content_stream, operators="q Q cm Do")


class DrawnPicture(NamedTuple):
    """A picture on a page with the width and height of all of it in pt, whether or not it is clipped."""

    image: pikepdf.Object
    width: float
    height: float


_Drawn = list[tuple[pikepdf.Object, Matrix]]


def drawn_pictures(pages: Iterable[pikepdf.Page]) -> Iterator[DrawnPicture]:
    """Yield the pictures of pages of one document, also those within forms, as often as they are drawn."""
    forms: dict[tuple[int, int], _Drawn] = {}
    for page in pages:
        for image, (a, b, c, d, _, _) in _drawn_in(Content.of(page, None, _parse), forms):
            yield DrawnPicture(image, math.hypot(a, b), math.hypot(c, d))


def _drawn_in(content: Content[None], forms: dict[tuple[int, int], _Drawn]) -> _Drawn:
    """Return the pictures of a page, a form or a pattern with their matrices; ``forms`` are known ones."""
    drawn: _Drawn = []
    if content.depth > MAX_DEPTH:
        return drawn
    for pattern in content.resources.get("/Pattern", pikepdf.Dictionary()).values():
        if isinstance(pattern, pikepdf.Stream):
            drawn += _placed(pattern, content, forms)
    for operator, operands in content if "/XObject" in content.resources else ():
        if operator == "Do":
            xobject = content.resource("/XObject", operands[0])
            if xobject.get("/Subtype") == "/Image":
                drawn.append((xobject, content.matrix))
            else:
                drawn += _placed(xobject, content, forms)
    return drawn


def _placed(form: pikepdf.Object, content: Content[None], forms: dict[tuple[int, int], _Drawn]) -> _Drawn:
    """Return the pictures of a form or a pattern where it is drawn."""
    placed = content.form(form, None)
    if form.objgen not in forms:
        forms[form.objgen] = _drawn_in(replace(placed, matrix=IDENTITY), forms)
    return [(image, matrix_product(matrix, placed.matrix)) for image, matrix in forms[form.objgen]]
