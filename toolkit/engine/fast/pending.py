"""An attack while it is fused: which effects wait for their step, and what has come of them so far (M-8).

The twin of ``engine.attack``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from toolkit.engine.attack import pending_of
from toolkit.engine.fast.asking import Asked, holds
from toolkit.engine.fast.facts import Facts
from toolkit.engine.fast.nodes import Graph, Node
from toolkit.engine.fast.numbers import ATTACKING, Made, Numbers, Standing, made_by
from toolkit.engine.fast.piles import Modification
from toolkit.engine.fast.shapes import Shape
from toolkit.engine.rules import AFTER_CRITICAL, START, Continuous
from toolkit.engine.scene import Cast
from toolkit.engine.sources import Source, active_sources
from toolkit.engine.state import Key

DICE_STEP = 6


@dataclass(slots=True)
class Waiting:
    """A continuous effect of the attack; ``verdict`` is None until its sentence is judged (M-8)."""

    effect: Continuous
    cast: Cast
    verdict: Node | None = None


@dataclass(slots=True)
class Fusing:
    """An attack while it is fused; as ``engine.attack.Attack``."""

    shape: Shape
    facts: Facts
    critical: Node
    numbers: Numbers = field(init=False)
    made: list[Made] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stand(self.facts)
        one, two = (self.facts.state.operators[key] for key in self.pair)
        rules = self.facts.rules
        for who in (one, two):
            self.await_source(Source(rules.suppression, who.side, who.key))
        for source in active_sources(self.facts.state, rules, ATTACKING):
            self.await_source(source)
        for who, mate in zip((one, two), self.shape.mates, strict=True):
            if mate:
                self.await_source(Source(rules.teamwork, who.side, who.key))

    @property
    def graph(self) -> Graph:
        """Where expressions are built."""
        return self.facts.graph

    @property
    def pair(self) -> tuple[Key, Key]:
        """Attacker and attacked."""
        return self.shape.attacker, self.shape.attacked

    def stand(self, facts: Facts) -> None:
        """The numbers anew, after the state has changed."""
        self.facts = facts
        self.numbers = Numbers(facts, [*Standing(facts, self.shape).made, *self.made])

    def await_source(self, source: Source) -> list[Waiting]:
        """The effects of one source that can act in this attack."""
        one, two = (self.facts.state.operators[key] for key in self.pair)
        added = [Waiting(found.effect, found.cast) for found in pending_of(source, one, two)]
        self.waiting += added
        return added

    def act(self, time: int, which: Iterable[Waiting] | None = None) -> list[Made]:
        """Everything that acts at one time acts together (M-8)."""
        made: list[Made] = []
        for one in self.waiting if which is None else which:
            effect = one.effect
            asked = Asked(self.facts, self.numbers, one.cast, self.critical)
            if one.verdict is None and effect.judged == time:
                one.verdict = holds(effect.condition, asked)
            if one.verdict is None or one.verdict.constant == 0:
                continue
            step = AFTER_CRITICAL if time == AFTER_CRITICAL else effect.step
            for when, action in effect.actions:
                if when == time:
                    made += made_by(action, effect, asked, step, one.verdict)
        made.sort(key=lambda one: isinstance(one, Modification))
        self.add(made)
        return made

    def add(self, made: list[Made]) -> None:
        """More changes and holdings of this attack."""
        self.made += made
        self.numbers.add(made)

    def attach(self, bearer: Key, card: str) -> None:
        """A card in a window of M-5; what holds from the moment it is attached holds now (M-8)."""
        state = self.facts.state
        who = replace(state.operators[bearer], attached=card)
        played = (*self.facts.played, who.side)
        self.stand(replace(self.facts, state=state.with_operator(who), played=played))
        source = Source(self.facts.rules.cards[card].effects, who.side, bearer, card)
        self.act(START, self.await_source(source))

    def roll(self, added: Node, doublings: Node, defence: Node) -> None:
        """M-6 and M-7: the dice that are added, and how often AP is doubled instead."""
        always = self.graph.truth(True)
        attacker, attacked = self.pair
        self.add(
            [
                Modification(attacker, "AP", "double", doublings, DICE_STEP, always, True),
                Modification(attacker, "AP", "add", added, DICE_STEP, always, True),
                Modification(attacked, "EP", "add", defence, DICE_STEP, always, False),
            ]
        )
