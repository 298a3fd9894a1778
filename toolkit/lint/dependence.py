"""Which numbers of play an atom changes, and on which it depends: whether, on whom and how often it acts."""

from __future__ import annotations

from collections.abc import Iterable

from toolkit.dsl import tree
from toolkit.dsl.tree import walk
from toolkit.lint.atoms import Atom


def changes(atom: Atom) -> set[str]:
    """The numbers of play that an atom changes."""
    if not isinstance(atom.done, tree.Node):
        return set()
    form = tree.form_of(atom.done)
    if form.changes is None:
        return set()
    said = {name: getattr(atom.done, name) for name in form.fields}
    return {form.changes.format(**{name: getattr(value, "text", value) for name, value in said.items()})}


def reads(atom: Atom) -> frozenset[str]:
    """The numbers of play on which it depends whether, on whom and how often an atom acts."""
    asked = [atom.condition, atom.who]
    if isinstance(atom.done, tree.Gets):
        asked.append(atom.done.per)  # type: ignore[arg-type]  # walked like the others
    elif isinstance(atom.done, tuple):
        asked += atom.done  # type: ignore[arg-type]  # the same
    return frozenset(word for node in asked if node is not None for word in _quantities(node))


def _quantities(node: object) -> Iterable[str]:
    for one in walk(node):
        if isinstance(one, (tree.QuantityOf, tree.QuantityFilter)):
            yield one.quantity.text.partition(" ")[0]
        elif isinstance(one, tree.CardsInHand):
            yield "hand"
        elif isinstance(one, (tree.HasStatus, tree.StatusFilter)):
            yield from ("DP", "HITCOUNTER", "status")
