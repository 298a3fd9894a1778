"""The numbers of a match-up as expressions: the twin of ``engine.board``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from toolkit.dsl import tree
from toolkit.effects.objects import Action
from toolkit.engine.fast import arithmetic, logic
from toolkit.engine.fast.asking import Asked, holds, members, times
from toolkit.engine.fast.facts import Facts
from toolkit.engine.fast.nodes import Node
from toolkit.engine.fast.piles import Modification, counting, put_together
from toolkit.engine.fast.shapes import Shape
from toolkit.engine.numbers import BEFORE_STEPS, CARD_ROLES, IGNORED_AS
from toolkit.engine.rules import Continuous
from toolkit.engine.scene import Cast
from toolkit.engine.sources import active_operators, active_sources, has_team_mate
from toolkit.engine.state import Key, Side
from toolkit.vocabulary import STATS

ATTACKING: Side = "blue"
"""The attacking player in a match-up."""


@dataclass(frozen=True, slots=True)
class Held:
    """What holds for an OPERATOR, if ``guard`` holds, and is no number."""

    who: Key
    does: tree.Doing
    guard: Node


Made = Modification | Held


@dataclass(slots=True)
class Standing:
    """What the state itself makes: what lasts, and effects without `when` (M-10)."""

    facts: Facts
    shape: Shape
    made: list[Made] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.made += _lasting(self.facts, self.shape)
        base = Numbers(self.facts, list(self.made))
        never = self.facts.graph.truth(False)
        for effect, cast in _always(self.facts):
            asked = Asked(self.facts, base, cast, never)
            guard = holds(effect.condition, asked)
            if guard.constant == 0:
                continue
            for _, action in effect.actions:
                self.made += made_by(action, effect, asked, effect.step, guard)


def _lasting(facts: Facts, shape: Shape) -> Iterator[Made]:
    graph = facts.graph
    always = graph.truth(True)
    for key, (_, _, _, _, _, lasts) in enumerate(shape.operators):
        for stat in STATS:
            added = facts.added(key, stat)
            yield Modification(key, stat, "add", added, BEFORE_STEPS, always, True)
        for changed, layer, amount, mine, by_card, does in lasts:
            if does is not None:
                yield Held(key, does, always)
            elif changed is not None and layer is not None:
                number = graph.number(amount)
                yield Modification(key, changed, layer, number, BEFORE_STEPS, always, mine, by_card)


def _always(facts: Facts) -> Iterator[tuple[Continuous, Cast]]:
    """Every active effect without `when`; in the order of ``engine.board``."""
    rules, state = facts.rules, facts.state
    for effect in rules.suppression.always:
        for who in active_operators(state, ATTACKING):
            yield effect, Cast(who.side, who.key)
    for source in active_sources(state, rules, ATTACKING):
        for effect in source.table.always:
            yield effect, Cast(source.controller, source.bearer)
    for effect in rules.teamwork.always:
        for who in active_operators(state, ATTACKING):
            if has_team_mate(state, rules, who):
                yield effect, Cast(who.side, who.key)


def made_by(action: Action, effect: Continuous, asked: Asked, step: int, guard: Node) -> Iterator[Made]:
    """What one action of a continuous effect makes, for everyone it may mean."""
    graph, does, role = asked.graph, action.does, effect.origin.role
    for key, belongs in _meant(action.target, asked):
        both = logic.both(graph, guard, belongs)
        if action.layer is None:
            yield Held(key, does, both)
            continue
        stat, amount = _stat_and_amount(does, asked)
        mine, by_card = asked.cast.controller == ATTACKING, role in CARD_ROLES
        yield Modification(key, stat, action.layer, amount, step, both, mine, by_card, IGNORED_AS.get(role))


def _meant(who: tree.Who, asked: Asked) -> list[tuple[Key, Node]]:
    if isinstance(who, tree.Ref):
        key = asked.cast.key(who.name)
        return [] if key is None else [(key, asked.graph.truth(True))]
    return members(who.group, asked) if isinstance(who, (tree.Every, tree.One)) else []


def _stat_and_amount(does: tree.Doing, asked: Asked) -> tuple[str, Node]:
    graph = asked.graph
    match does:
        case tree.Gets(number, what, per):
            return what.text, arithmetic.total(graph, 0, ((times(per, asked), number),))
        case tree.Multiplies(stat, number) | tree.Divides(stat, number) | tree.Fixes(stat, number):
            return stat.text, graph.number(number)
        case _:
            raise TypeError(f"{does!r} has no layer")


@dataclass(slots=True)
class Numbers:
    """The numbers that count, from what was made so far."""

    facts: Facts
    made: list[Made] = field(default_factory=list)
    _read: dict[tuple[Key, str], Node] = field(default_factory=dict)

    def add(self, made: list[Made]) -> None:
        """What acts together comes in together."""
        self.made += made
        self._read.clear()

    def held(self, key: Key) -> list[Held]:
        """What holds for an OPERATOR, in the order in which it came about."""
        return [one for one in self.made if isinstance(one, Held) and one.who == key]

    def number(self, key: Key, stat: str) -> Node:
        """The number as it is read, never below the floor (N-5)."""
        found = self._read.get((key, stat))
        if found is None:
            carried = self._carried(key, stat)
            floor = self.facts.rules.options.floor
            found = self._read[key, stat] = arithmetic.largest(self.facts.graph, carried, floor)
        return found

    def _carried(self, key: Key, stat: str) -> Node:
        graph, rules = self.facts.graph, self.facts.rules
        changes = [
            counting(graph, one, self._ignores(key, one.ignored_as))
            for one in self.made
            if isinstance(one, Modification) and one.who == key and one.stat == stat
        ]
        value = rules.cards[self.facts.state.operators[key].card].values[stat]
        return put_together(graph, graph.number(value), changes, rules.options)

    def _ignores(self, key: Key, what: str | None) -> Node:
        ignoring = (
            one.guard
            for one in self.held(key)
            if isinstance(one.does, tree.Ignores) and one.does.what == what
        )
        return logic.any_of(self.facts.graph, ignoring if what is not None else ())
