"""Where the pages that an engine wrote draw pictures, and how large: read from their matrices."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pikepdf

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)

_MAX_DEPTH = 12
"""Forms within forms: a sheet has a card, which has a drawing, which has a picture."""

_OPERATORS = re.compile(
    rb"\((?:\\.|[^\\()])*\)|<[^<>]*>|\b(?P<operator>q|Q|cm)\b|/(?P<drawn>\S+)\s+Do\b", re.DOTALL
)
"""The operators that transform or draw; strings are matched to skip the same letters in them.

The operands of ``cm`` are read backwards: an expression that begins with numbers takes 15 times as long,
because it tries every number of every path."""

_OPERANDS = 120
"""The number of bytes before an operator that contain its operands."""


def matrix_product(first: Iterable[float], other: Matrix) -> Matrix:
    """Return the product of two PDF matrices: the transformation ``first``, then ``other``."""
    a, b, c, d, x, y = first
    e, f, g, h, p, q = other
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h, x * e + y * g + p, x * f + y * h + q


def content_stream(page_or_form: pikepdf.Object) -> bytes:
    """Return the decompressed content stream of a page or a form."""
    if isinstance(page_or_form, pikepdf.Stream):
        return page_or_form.read_bytes()
    parts = page_or_form.get("/Contents", pikepdf.Array())
    streams = [parts] if isinstance(parts, pikepdf.Stream) else list(parts)
    return b"\n".join(stream.read_bytes() for stream in streams)


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
        for image, (a, b, c, d, _, _) in _drawn_in(page.obj, page.get("/Resources"), forms, 0):
            yield DrawnPicture(image, math.hypot(a, b), math.hypot(c, d))


def _drawn_in(
    page_or_form: pikepdf.Object,
    resources: pikepdf.Object | None,
    forms: dict[tuple[int, int], _Drawn],
    depth: int,
) -> _Drawn:
    """Return the pictures of a page, a form or a pattern with their matrices; ``forms`` are known ones."""
    drawn: _Drawn = []
    if resources is None or depth > _MAX_DEPTH:
        return drawn
    for pattern in resources.get("/Pattern", pikepdf.Dictionary()).values():
        if isinstance(pattern, pikepdf.Stream):
            drawn += _placed(pattern, IDENTITY, forms, depth)
    objects = resources.get("/XObject")
    if objects is None:
        return drawn
    stack: list[Matrix] = []
    matrix = IDENTITY
    content = content_stream(page_or_form)
    for match in _OPERATORS.finditer(content):
        operator, name = match["operator"], match["drawn"]
        if operator == b"q":
            stack.append(matrix)
        elif operator == b"Q" and stack:
            matrix = stack.pop()
        elif operator == b"cm":
            operands = content[max(match.start() - _OPERANDS, 0) : match.start()].split()[-6:]
            matrix = matrix_product(map(float, operands), matrix)
        elif name:
            xobject = objects.get("/" + name.decode("latin-1"))
            if xobject is not None and xobject.get("/Subtype") == "/Image":
                drawn.append((xobject, matrix))
            elif xobject is not None:
                drawn += _placed(xobject, matrix, forms, depth)
    return drawn


def _placed(
    form: pikepdf.Object, matrix: Matrix, forms: dict[tuple[int, int], _Drawn], depth: int
) -> Iterator[tuple[pikepdf.Object, Matrix]]:
    """Yield the pictures of a form or a pattern that is drawn with a matrix."""
    if form.objgen not in forms:
        forms[form.objgen] = _drawn_in(form, form.get("/Resources"), forms, depth + 1)
    form_matrix = matrix_product(map(float, form.get("/Matrix", IDENTITY)), matrix)
    for image, inner in forms[form.objgen]:
        yield image, matrix_product(inner, form_matrix)
