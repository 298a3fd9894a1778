"""An effect taken apart: each thing that it does to somebody, with when, under which condition, how long."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.scope import Scope, scope_of
from toolkit.lint.meaning import meaning
from toolkit.vocabulary import Role


class Atom(Struct, frozen=True):
    """One DOES of one WHO.

    ``done`` is several clauses where they only have a meaning together (``, then`` and ``either``);
    ``who`` is None then. ``place`` is where it stands in the effect's text.
    """

    scope: Scope
    condition: tree.Condition | None
    who: tree.Who | None
    done: tree.Doing | tuple[tree.Clause, ...]
    duration: str | None
    place: tree.Place

    @property
    def when(self) -> str | None:
        """The name of the trigger."""
        return self.scope.trigger.name if self.scope.trigger else None

    def key(self) -> Hashable:
        """Equal for atoms that say the same."""
        return self._key(self.done)

    def key_without_amount(self, done: tree.Gets) -> Hashable:
        """Equal for atoms that say the same, but for the amount that is given."""
        return self._key(tree.Gets(0, done.what, done.per))

    def _key(self, done: tree.Doing | tuple[tree.Clause, ...]) -> Hashable:
        parts = self.scope.parts
        who = meaning(self.who, parts)
        return self.when, meaning(self.condition, parts), who, meaning(done, parts), self.duration


def atoms_of(effect: tree.Effect, role: Role) -> tuple[Atom, ...]:
    """The atoms of an effect; amounts that are added to one stat by the same words become one."""
    found = [atom for sentence in effect.sentences for atom in _of_sentence(sentence, role)]
    given = [(atom.when, atom.done.what.text) for atom in found if isinstance(atom.done, tree.Gets)]
    return tuple(found) if len(set(given)) == len(given) else tuple(_summed(found))


def _of_sentence(sentence: tree.Sentence, role: Role) -> Iterator[Atom]:
    scope = scope_of(sentence, role)
    acts = [clause for clause in sentence.clauses if isinstance(clause, tree.Act)]
    if len(acts) < len(sentence.clauses) or len(acts) > 1:
        yield Atom(scope, sentence.condition, None, sentence.clauses, None, sentence.place)
        return
    for act in acts:
        duration = act.duration.name if act.duration else None
        for doing in act.doings:
            yield Atom(scope, sentence.condition, act.who, doing, duration, doing.place)


def _summed(atoms: list[Atom]) -> Iterator[Atom]:
    """``+1 AP`` twice is ``+2 AP``; only where nothing acts in between, so not for events."""
    sums: dict[Hashable, tuple[Atom, int]] = {}
    for atom in atoms:
        if not isinstance(atom.done, tree.Gets) or atom.scope.event or atom.done.per is not None:
            yield atom
            continue
        key = atom.key_without_amount(atom.done)
        first, amount = sums.get(key, (atom, 0))
        sums[key] = first, amount + atom.done.amount
    for atom, amount in sums.values():
        if not amount or not isinstance(atom.done, tree.Gets):
            continue
        if amount == atom.done.amount:
            yield atom
        else:
            yield replace(atom, done=replace(atom.done, amount=amount))
