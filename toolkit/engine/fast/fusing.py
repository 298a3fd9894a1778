"""MODIFY played once with expressions for numbers: the twin of ``engine.modify`` up to A-1's comparison."""

from __future__ import annotations

from dataclasses import dataclass, replace

from toolkit.engine.fast import arithmetic, logic
from toolkit.engine.fast.comparing import at_least, compare, positive
from toolkit.engine.fast.dice import Opening, cannot_have_defence, opening
from toolkit.engine.fast.facts import Facts, Readings
from toolkit.engine.fast.nodes import Graph, Node
from toolkit.engine.fast.numbers import Held, Numbers
from toolkit.engine.fast.pending import Fusing
from toolkit.engine.fast.shapes import Shape, canonical_state
from toolkit.engine.rules import AFTER_CRITICAL, START, Rules

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
