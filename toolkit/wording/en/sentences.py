"""Whole sentences in English."""

from __future__ import annotations

from toolkit.wording.en.acts import act
from toolkit.wording.en.conditions import all_of, condition
from toolkit.wording.en.nouns import name, of
from toolkit.wording.language import tidy
from toolkit.wording.phrases import ActPhrase, ChoicePhrase, ClausePhrase, SentencePlan, TriggerPhrase

_TRIGGERS = {
    "own-attacks": "one of your OPERATORs attacks",
    "own-is-attacked": "one of your OPERATORs is attacked",
    "enemy-attacks": "an enemy OPERATOR attacks",
    "enemy-is-attacked": "an enemy OPERATOR is attacked",
    "played": "you play this card",
    "attached": "this card is attached",
    "own-becomes-hit": "one of your OPERATORs becomes HIT",
    "enemy-becomes-hit": "an enemy OPERATOR becomes HIT",
    "turn-begins": "a TURN begins",
    "turn-ends": "a TURN ends",
}
_OF_SELF = {
    "attacking": "attacks",
    "attacked": "is attacked",
    "self-becomes-hit": "becomes HIT",
    "reaches": "REACHES the OBJECTIVE",
    "captures": "CAPTURES the OBJECTIVE",
}
_OUTCOMES = {"hits": "hits", "misses": "misses", "critical": "is CRITICAL"}


def sentence(plan: SentencePlan) -> str:
    """One sentence from its capital to its full stop."""
    return tidy(f"{_opening(plan)}{_clauses(plan)}.")


def _opening(plan: SentencePlan) -> str:
    parts = [_trigger(plan.trigger)] if plan.trigger else []
    several = len(parts) + len(plan.conditions) > 1
    parts += [condition(part, "and" if several else "") for part in plan.conditions]
    return f"{plan.opening} {all_of(parts)}, " if parts else ""


def _trigger(trigger: TriggerPhrase) -> str:
    if trigger.name in _OUTCOMES:
        return f"{_attack(trigger)} {_OUTCOMES[trigger.name]}"
    if trigger.who is None:
        return _TRIGGERS[trigger.name]
    if trigger.name == "action-ends":
        return f"{of(trigger.who, 'ACTION')} ends"
    return f"{name(trigger.who)} {_OF_SELF[trigger.name]}"


def _attack(trigger: TriggerPhrase) -> str:
    if trigger.who is None:
        return "an attack by one of your OPERATORs" if trigger.attack_by == "own" else "the attack"
    return f"an attack {'by' if trigger.attack_by == 'attacker' else 'on'} {name(trigger.who)}"


def _clauses(plan: SentencePlan) -> str:
    text = _clause(plan.clauses[0])
    for before, clause in zip(plan.clauses, plan.clauses[1:], strict=False):
        if plan.link == "and":
            text += f"{',' if _is_long(before) or _is_long(clause) else ''} and {_clause(clause)}"
        elif isinstance(before, ChoicePhrase):
            text += f". Then {_clause(clause)}"  # a comma would leave open whether it belongs to the choice
        else:
            text += f", then {_clause(clause)}"
    return text


def _is_long(clause: ClausePhrase) -> bool:
    return isinstance(clause, ActPhrase) and len(clause.doings) > 1


def _clause(clause: ClausePhrase) -> str:
    return act(clause) if isinstance(clause, ActPhrase) else f"choose: {_either(clause)}"


def _either(choice: ChoicePhrase) -> str:
    first, second = (
        act(part) if isinstance(part, ActPhrase) else f"({_either(part)})"
        for part in (choice.first, choice.second)
    )
    return f"either {first} or {second}"
