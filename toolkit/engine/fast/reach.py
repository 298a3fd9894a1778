"""How far the effects of a card reach in an attack: what of the state they can ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from toolkit.dsl import tree
from toolkit.dsl.walking import walk
from toolkit.engine.rules import Continuous, EffectTable, Rules


@dataclass(frozen=True, slots=True)
class Reach:
    """What effects do in attacks.

    ``acts``: anything at all. ``reaches``: they can change an attack in which their bearer takes no part.
    ``groups``: they speak of groups, so everyone on the FIELD may matter. ``places``: it matters where the
    OPERATORs stand.
    """

    acts: bool = False
    reaches: bool = False
    groups: bool = False
    places: bool = False

    def joined(self, more: Reach) -> Reach:
        """Of both together."""
        if not more.acts:
            return self
        return Reach(
            self.acts or more.acts,
            self.reaches or more.reaches,
            self.groups or more.groups,
            self.places or more.places,
        )


def reach_of(effects: Iterable[Continuous]) -> Reach:
    """The reach of continuous effects."""
    reach = Reach()
    for effect in effects:
        nodes = [part for root in _roots(effect) for part in walk(root)]
        groups = any(isinstance(part, tree.Group) for part in nodes)
        reach = reach.joined(Reach(True, _reaches(effect), groups, groups or any(map(_asks_place, nodes))))
    return reach


def _roots(effect: Continuous) -> list[object]:
    roots: list[object] = [] if effect.condition is None else [effect.condition]
    for _, action in effect.actions:
        roots += [action.target, action.does]
    return roots


def _asks_place(node: object) -> bool:
    if isinstance(node, tree.QuantityOf):
        return node.quantity.text == "FIELDPOSITION"
    return isinstance(node, tree.Stands)


def _reaches(effect: Continuous) -> bool:
    """Only what speaks of self alone stays with its bearer."""
    if effect.when in ("attacking", "attacked"):
        return False
    if effect.when is not None:
        return True
    return any(not isinstance(action.target, tree.Ref) for _, action in effect.actions)


@dataclass(slots=True)
class Reaches:
    """The reach of each card, found once; ``rules`` is that of SUPPRESSION and TEAMWORK."""

    tables: Rules
    rules: Reach = field(init=False)
    _cards: dict[str, Reach] = field(default_factory=dict)

    def __post_init__(self) -> None:
        suppression, teamwork = self.tables.suppression, self.tables.teamwork
        self.rules = _of_table(suppression).joined(_of_table(teamwork))
        for condition in self.tables.suppressed:
            parts = list(walk(condition)) if condition is not None else []
            groups = any(isinstance(part, tree.Group) for part in parts)
            places = groups or any(map(_asks_place, parts))
            self.rules = self.rules.joined(Reach(True, False, groups, places))
        if suppression.always or teamwork.always:  # they concern everyone on the FIELD
            self.rules = self.rules.joined(Reach(True, True, True, True))

    def of_card(self, card: str) -> Reach:
        """The reach of a card's effects."""
        found = self._cards.get(card)
        if found is None:
            found = self._cards[card] = _of_table(self.tables.cards[card].effects)
        return found


def _of_table(table: EffectTable) -> Reach:
    return reach_of((*table.always, *table.in_attack))
