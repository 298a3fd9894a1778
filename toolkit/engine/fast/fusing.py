"""MODIFY played once with expressions for numbers: the twin of ``engine.modify`` up to A-1's comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from toolkit.engine.attack import pending_of
from toolkit.engine.fast import arithmetic, logic
from toolkit.engine.fast.asking import Asked, holds
from toolkit.engine.fast.comparing import at_least, compare, positive
from toolkit.engine.fast.dice import Opening, cannot_have_defence, opening
from toolkit.engine.fast.facts import Facts, Readings
from toolkit.engine.fast.nodes import Graph, Node
from toolkit.engine.fast.numbers import ATTACKING, Held, Made, Numbers, Standing, made_by
from toolkit.engine.fast.piles import Modification
from toolkit.engine.fast.shapes import Shape, canonical_state
from toolkit.engine.rules import AFTER_CRITICAL, START, Continuous, Rules
from toolkit.engine.scene import Cast
from toolkit.engine.sources import Source, active_sources
from toolkit.engine.state import Key

SUPPRESSION, SKILL, TEAMWORK, STRATEGY, CARDS, DICE = range(1, 7)


@dataclass(frozen=True, slots=True)
class Result:
    """What A-1 compares, and H-1 judges directly afterwards."""

    ap: Node
    ep: Node
    damage: Node
    critical: Node
    hit: Node
    dp: Node


@dataclass(frozen=True, slots=True)
class Fused:
    """An attack as expressions.

    ``shut`` says that the DEFENCE card cannot be attached (M-5). ``first`` is what is rolled in M-6;
    ``second`` what is rolled after M-7 because of a CRITICAL, None where that cannot be.
    """

    readings: Readings
    shut: Node
    first: Opening
    second: Opening | None
    result: Result


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
                Modification(attacker, "AP", "double", doublings, DICE, always, True),
                Modification(attacker, "AP", "add", added, DICE, always, True),
                Modification(attacked, "EP", "add", defence, DICE, always, False),
            ]
        )


def fuse(rules: Rules, shape: Shape, one_die_each: bool = False) -> Fused:
    """Perform MODIFY in its order, as ``engine.modify`` does.

    With ``one_die_each`` the inputs are an ATTACK D6, a DEFENCE D6 and whether a critical die is doubled;
    otherwise sums of dice and the number of doublings.
    """
    graph = Graph()
    facts = Facts(rules, Readings(graph), canonical_state(shape))
    fusing = Fusing(shape, facts, graph.truth(False))
    for time in (START, SUPPRESSION, SKILL, TEAMWORK, STRATEGY):
        fusing.act(time)
    shut = _windows(fusing)
    fusing.act(CARDS)
    fusing.act(DICE)
    first = opening(fusing.numbers, shape)
    added, doublings, defence = _one_each(graph, first) if one_die_each else _sums(graph, "")
    fusing.roll(added, doublings, defence)
    fusing.critical = positive(graph, doublings)
    after = [one for one in fusing.act(AFTER_CRITICAL) if isinstance(one, Held)]
    second = opening(Numbers(fusing.facts, list(after)), shape, fusing.numbers, extra_only=True)
    critical = fusing.critical
    if second.rolls_nothing:
        return Fused(facts.readings, shut, first, None, _result(fusing, critical))
    added, doublings, defence = _sums(graph, "2")
    fusing.roll(added, doublings, defence)
    critical = logic.any_of(graph, (critical, positive(graph, doublings)))
    return Fused(facts.readings, shut, first, second, _result(fusing, critical))


def _windows(fusing: Fusing) -> Node:
    """The three windows of M-5, as they were settled beforehand; whether (b) is shut."""
    attack_card, defence_card, late_attack_card = fusing.shape.windows
    attacker, attacked = fusing.pair
    shut = fusing.graph.truth(False)
    if attack_card is not None:
        fusing.attach(attacker, attack_card)
    if defence_card is not None:
        shut = cannot_have_defence(fusing.numbers, attacked)
        fusing.attach(attacked, defence_card)
    if late_attack_card is not None:
        fusing.attach(attacker, late_attack_card)
    return shut


def _sums(graph: Graph, which: str) -> tuple[Node, Node, Node]:
    added, doublings, defence = (graph.number_input(name + which, 0) for name in ("a", "k", "d"))
    return added, doublings, defence


def _one_each(graph: Graph, first: Opening) -> tuple[Node, Node, Node]:
    die = graph.number_input("die", 1)
    doubles = logic.both(graph, graph.truth_input("double"), at_least(graph, die, first.threshold))
    none, one = graph.number(0), graph.number(1)
    return (
        arithmetic.choose(graph, doubles, none, die),
        arithmetic.choose(graph, doubles, one, none),
        graph.number_input("defence", 1),
    )


def _result(fusing: Fusing, critical: Node) -> Result:
    """A-1 and H-1: the counter has grown when the DP are read, and effects without `when` may see it."""
    graph, (attacker, attacked) = fusing.graph, fusing.pair
    ap, ep = fusing.numbers.number(attacker, "AP"), fusing.numbers.number(attacked, "EP")
    damage = arithmetic.largest(graph, arithmetic.total(graph, 0, ((ap, 1), (ep, -1))), 0)
    wounded = replace(fusing.facts, wounded=attacked, counted=damage)
    fusing.stand(wounded)
    counter, dp = wounded.counter(attacked, "hitcounter"), fusing.numbers.number(attacked, "DP")
    hit = logic.both(graph, positive(graph, counter), compare(graph, ">=", counter, dp))
    return Result(ap, ep, damage, critical, hit, dp)
