"""Whether what an effect does is good for its controller, where that is certain, and how good."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.tree import walk
from toolkit.lint.atoms import Atom
from toolkit.lint.meaning import meaning
from toolkit.lint.sides import side_of

_BAD_COUNTER = "HITCOUNTER"


class Benefit(Struct, frozen=True):
    """What an atom is worth to its controller.

    ``shape`` is what two atoms share if their ``level`` can be compared; the higher level is the better one,
    for the controller. ``good`` says whether it is better than nothing.
    """

    shape: Hashable
    level: int
    good: bool


def benefit_of(atom: Atom) -> Benefit | None:
    """The benefit; None where it may be good or bad: a Fix, `ignores`, a status, a choice, any OPERATOR."""
    if atom.who is None or isinstance(atom.done, tuple):
        return None
    side = _side(atom)
    ranked = _ranked(atom.done)
    if side is None or ranked is None:
        return None
    shape, level, good = ranked
    return Benefit((side, *shape), level if side == "own" else -level, good == (side == "own"))


def _side(atom: Atom) -> str | None:
    if isinstance(atom.who, tree.Player):
        return "own" if atom.who.name == "owner" else "enemy"
    return side_of(atom.who, atom.scope) if atom.who is not None else None


def _ranked(doing: tree.Doing) -> tuple[tuple[Hashable, ...], int, bool] | None:
    """Shape, level and whether it is good, all for the one it is done to."""
    if isinstance(doing, tree.Gets):
        return _amount(doing)
    form, number = tree.form_of(doing), tree.number_of(doing)
    if form.good is None:
        return None
    rest = (getattr(doing, name) for name in tree.said_by(type(doing)) if number is None or name != number[0])
    level = 1 if number is None else number[1]
    return (form.node, *rest), level if form.good != form.less_is_more else -level, form.good


def _amount(doing: tree.Gets) -> tuple[tuple[Hashable, ...], int, bool] | None:
    """More is better, but for HITCOUNTERs. What is counted is never below 0 unless it subtracts."""
    per = doing.per
    if per is not None and any(
        isinstance(node, tree.Negative) or (isinstance(node, tree.Binary) and node.operator == "-")
        for node in walk(per.what)
    ):
        return None
    counted = () if per is None else (meaning(per.what, {}), per.maximum)
    level = -doing.amount if doing.what.text == _BAD_COUNTER else doing.amount
    return ("gets", doing.what.text, *counted), level, level > 0
