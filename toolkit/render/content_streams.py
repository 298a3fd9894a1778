"""The one reader of content streams: the operators of pages and forms, with the matrix of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

import pikepdf
from msgspec import Struct

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)

MAX_DEPTH = 20
"""Forms within forms: a sheet has a card, which has a drawing, which has a picture."""

State = TypeVar("State")


def matrix_product(first: Iterable[Any], other: Matrix) -> Matrix:
    """Return the product of two PDF matrices: the transformation ``first``, then ``other``."""
    a, b, c, d, x, y = map(float, first)
    e, f, g, h, p, q = other
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h, x * e + y * g + p, x * f + y * h + q


def streams_of(page: pikepdf.Page) -> list[pikepdf.Object]:
    """Return the streams that make up the content of a page."""
    content = page.obj.get("/Contents", pikepdf.Array())
    return list(content) if isinstance(content, pikepdf.Array) else [content]


class Content(Struct, Generic[State]):
    """What a page, a form or a pattern draws. ``parse`` returns the instructions of a stream.

    ``matrix`` and ``state`` are those of the operator that was yielded last. The reader sets the state, which
    is of any kind; ``q`` and ``Q`` save and restore both.
    """

    streams: Sequence[pikepdf.Object]
    resources: Any
    state: State
    parse: Callable[[pikepdf.Object], Iterable[Any]]
    matrix: Matrix = IDENTITY
    depth: int = 0

    @classmethod
    def of(
        cls, page: pikepdf.Page, state: State, parse: Callable[[pikepdf.Object], Iterable[Any]]
    ) -> Content[State]:
        """Return the content of a page."""
        return cls(streams_of(page), page.resources, state, parse)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Yield each operator with its operands."""
        stack: list[tuple[Matrix, State]] = []
        parsed = list(map(self.parse, self.streams))  # before an operator acts, because it may fail
        for operands, code in chain.from_iterable(parsed):
            operator = str(code)
            if operator == "q":
                stack.append((self.matrix, self.state))
            elif operator == "Q" and stack:
                self.matrix, self.state = stack.pop()
            elif operator == "cm":
                self.matrix = matrix_product(operands, self.matrix)
            yield operator, operands

    def resource(self, kind: str, name: object) -> Any:
        """Return the resource of a kind, such as ``/Font``, that an operand names."""
        return self.resources[kind][str(name)]

    def form(self, form: pikepdf.Object, state: State) -> Content[State]:
        """Return the content of a form or a pattern that is drawn with the current matrix."""
        return Content(
            [form],
            form.get("/Resources", self.resources),
            state,
            self.parse,
            matrix_product(form.get("/Matrix", IDENTITY), self.matrix),
            self.depth + 1,
        )
