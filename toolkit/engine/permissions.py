"""What forbids an attack (M-8): asked before it is declared, and of who is to become its target (E-22)."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.engine.acting_effects import Pending, StaticEffects, holding_by
from toolkit.engine.compiled_rules import START
from toolkit.engine.modifiers import Holding
from toolkit.engine.state import OperatorState
from toolkit.engine.state_queries import StateQueries


def is_protected(
    resolver: StateQueries, operator: OperatorState, static: StaticEffects | None = None
) -> bool:
    """Return whether an effect says that an OPERATOR cannot be attacked, by whomever."""
    return bool(resolver.held(operator, tree.CannotBeAttacked, static))


def forbidding(resolver: StateQueries, attacker: OperatorState, attacked: OperatorState) -> Iterator[Pending]:
    """Find the effects that speak of this very attack and could forbid it, whose condition holds (M-8).

    For example `when attacked, if attacker is not opposite self, self cannot be attacked`.
    """
    for source in resolver.sources_in_attack(attacker, attacked, "forbids"):
        for pending in resolver.pending_of(source, attacker, attacked):
            condition = pending.effect.condition
            if pending.effect.forbids and (condition is None or condition.holds(pending.context)):
                yield pending


def forbidden_in_attack(resolver: StateQueries, attacker: OperatorState, attacked: OperatorState) -> bool:
    """Whether an effect that speaks of this very attack forbids it, from its start (M-8)."""
    for pending in forbidding(resolver, attacker, attacked):
        for held in made_at_start(pending):
            does = held.does
            if isinstance(does, tree.CannotBeAttacked) and held.who == attacked.key:
                return True
            if isinstance(does, tree.CannotPerform) and (held.who, does.action) == (attacker.key, "ATTACK"):
                return True
    return False


def made_at_start(pending: Pending) -> Iterator[Holding]:
    """Find what an effect of an attack makes hold from its start (M-8)."""
    for action in pending.effect.actions:
        if action.time == START and action.layer is None:
            holders = [operator.key for operator in action.targets.members(pending.context)]
            for holder in (*holders, *action.targets.sides(pending.context)):
                yield holding_by(action, pending.effect, pending.context, holder, "M-8", pending.card)
