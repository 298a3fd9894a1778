"""The cards of a project as they are compared with each other: what each costs, has and does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import partial

from msgspec import Struct, field

from toolkit.data.model import Card, CardSet
from toolkit.dsl import tree
from toolkit.effects.sources import card_parts, card_sources
from toolkit.lint.atoms import Atom, atoms_of
from toolkit.lint.memory import Memory
from toolkit.lint.order import Weighed
from toolkit.lint.texts import asked_traits, effect_texts
from toolkit.source import ScalarText


class Design(Struct):
    """A card with the atoms of all its effects. ``traits`` are those that some effect asks for.

    ``texts`` has for each atom the text that it stands in.
    """

    card: Card
    atoms: tuple[Atom, ...]
    texts: tuple[ScalarText, ...]
    traits: frozenset[str]
    _weighed: tuple[Weighed, ...] | None = field(default=None)
    _outline: Hashable = field(default=None)

    @property
    def weighed(self) -> tuple[Weighed, ...]:
        """The atoms with what they are worth, found out once."""
        if self._weighed is None:
            self._weighed = tuple(Weighed(atom) for atom in self.atoms)
        return self._weighed

    @property
    def does(self) -> Hashable:
        """Equal for cards that do the same."""
        return frozenset(Counter(one.key for one in self.weighed).items())

    @property
    def outline(self) -> Hashable:
        """What is quickly told of it; cards that do the same have the same outline."""
        if self._outline is None:
            card = self.card
            printed = (card.team, card.squadpoints, *card.stats.values(), self.traits)
            rough = frozenset((atom.when, *_rough(atom.done)) for atom in self.atoms)
            self._outline = (card.kind, printed, rough)
        return self._outline


def _rough(done: tree.Doing | tuple[tree.Clause, ...]) -> tuple[Hashable, ...]:
    if isinstance(done, tuple):
        return ("clauses", len(done))
    if isinstance(done, tree.Gets):
        return ("Gets", done.amount, done.what.text)
    return (type(done).__name__,)


def designs_of(
    cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect], memory: Memory
) -> list[Design]:
    """The cards whose effects could all be read, in file order."""
    asked = asked_traits(effect_texts(cards))
    found = []
    for card in cards.cards.values():
        parts = card_parts(card)
        known = [effect for part in parts if (effect := effects.get((card.id, part))) is not None]
        if len(known) == len(parts):
            traits = asked.intersection(card.traits)
            make = partial(_design, card, known, traits)
            found.append(memory.once(("design", traits), (card, *known), make))
    return found


def _design(card: Card, effects: Sequence[tree.Effect], traits: frozenset[str]) -> Design:
    atoms: list[Atom] = []
    texts: list[ScalarText] = []
    for source, effect in zip(card_sources(card), effects, strict=True):
        some = atoms_of(effect, source.role)
        atoms += some
        texts += [source.scalar] * len(some)
    return Design(card, tuple(atoms), tuple(texts), traits)
