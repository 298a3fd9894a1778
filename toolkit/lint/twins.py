"""same-effect: two cards that do exactly the same under different names."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from toolkit.diagnostics import Diagnostic, Label
from toolkit.lint.designs import Design


def check(designs: Sequence[Design]) -> Iterator[Diagnostic]:
    """Each card that does the same as an earlier one, at its id, with the earlier one as related place.

    OPERATORs are the same if TEAM, numbers and SKILLs are, and the traits that some effect asks for.
    """
    alike: dict[Hashable, list[Design]] = {}
    for design in designs:
        alike.setdefault(design.outline, []).append(design)
    for group in alike.values():
        if len(group) > 1:
            yield from _twins(group)


def _twins(group: list[Design]) -> Iterator[Diagnostic]:
    first_of: dict[Hashable, Design] = {}
    for design in group:
        first = first_of.setdefault(design.does, design)
        if first is not design:
            yield _same(first, design)


def _same(first: Design, second: Design) -> Diagnostic:
    card, other = second.card, first.card
    if card.kind == "operator":
        message = f"`{card.id}` and `{other.id}` are the same: TEAM, SQUADPOINTS, numbers and SKILLs."
        step = "Change one of them, or keep one."
    else:
        message = f"`{card.id}` and `{other.id}` do exactly the same."
        step = "Change one of them, or keep one and raise its `quantity`."
    label = Label(other.id_span, "this card does the same")
    return Diagnostic("same-effect", message, card.id_span, step, (label,), card.id)
