"""Expressions without side effects: each is built once and shared, with the bounds of its value."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Literal

Kind = Literal[
    "constant",
    "input",
    "sum",
    "product",
    "quotient",
    "shift",
    "choose",
    "max",
    "min",
    "compare",
    "and",
    "or",
    "not",
]

DICE_INPUTS = ("a", "k", "d", "a2", "k2", "d2")
"""Names of sums of dice and of numbers of doublings: what depends on them is computed after the rest."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """An expression; of a truth value if ``least`` is None.

    ``numbers`` are the value of a constant (0 and 1 for false and true), or a sum's constant and the factors
    of its ``parts``. ``name`` is an input's name, a comparison's sign, or how a quotient is rounded. ``late``
    says that it depends on dice. ``serial`` counts up.
    """

    serial: int
    kind: Kind
    parts: tuple[Node, ...] = ()
    numbers: tuple[int, ...] = ()
    name: str = ""
    least: float | None = None
    greatest: float | None = None
    late: bool = False

    @property
    def constant(self) -> int | None:
        """The value of a constant, else None."""
        return self.numbers[0] if self.kind == "constant" else None


@dataclass(slots=True)
class Graph:
    """Where the nodes of one fused attack live; equal expressions are one node."""

    _known: dict[tuple[object, ...], Node] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many different expressions there are."""
        return len(self._known)

    def node(
        self,
        kind: Kind,
        parts: tuple[Node, ...] = (),
        numbers: tuple[int, ...] = (),
        name: str = "",
        bounds: tuple[float, float] | None = None,
    ) -> Node:
        """The expression of that description; without ``bounds`` it is a truth value."""
        known = (kind, tuple(part.serial for part in parts), numbers, name, bounds is None)
        found = self._known.get(known)
        if found is None:
            least, greatest = bounds if bounds is not None else (None, None)
            late = name in DICE_INPUTS or any(part.late for part in parts)
            found = Node(len(self._known), kind, parts, numbers, name, least, greatest, late)
            self._known[known] = found
        return found

    def number(self, value: int) -> Node:
        """A whole number."""
        return self.node("constant", numbers=(value,), bounds=(value, value))

    def truth(self, value: bool) -> Node:
        """True or false."""
        return self.node("constant", numbers=(int(value),))

    def number_input(self, name: str, least: float = -inf) -> Node:
        """A number that comes from outside; ``name`` is one that was counted up, never a card's word."""
        return self.node("input", name=name, bounds=(least, inf))

    def truth_input(self, name: str) -> Node:
        """A truth value that comes from outside."""
        return self.node("input", name=name)
