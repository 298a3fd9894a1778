"""Whole sentences in German."""

from __future__ import annotations

from toolkit.wording.de.acts import act
from toolkit.wording.de.conditions import all_of, condition
from toolkit.wording.de.nouns import name, of
from toolkit.wording.language import tidy
from toolkit.wording.phrases import ActPhrase, ChoicePhrase, ClausePhrase, SentencePlan, TriggerPhrase

_TRIGGERS = {
    "own-attacks": "ein eigener OPERATOR angreift",
    "own-is-attacked": "ein eigener OPERATOR angegriffen wird",
    "enemy-attacks": "ein feindlicher OPERATOR angreift",
    "enemy-is-attacked": "ein feindlicher OPERATOR angegriffen wird",
    "played": "du diese Karte spielst",
    "attached": "diese Karte angelegt wird",
    "own-becomes-hit": "ein eigener OPERATOR HIT wird",
    "enemy-becomes-hit": "ein feindlicher OPERATOR HIT wird",
    "turn-begins": "ein TURN beginnt",
    "turn-ends": "ein TURN endet",
}
_OF_SELF = {
    "attacking": "angreift",
    "attacked": "angegriffen wird",
    "self-becomes-hit": "HIT wird",
    "reaches": "das OBJECTIVE REACHED hat",
    "captures": "das OBJECTIVE CAPTURED hat",
}
_OUTCOMES = {"hits": "trifft", "misses": "fehlschlägt", "critical": "CRITICAL ist"}
_OPENINGS = {"when": "wenn", "while": "solange", "if": "falls", "": ""}
_COMPLETED = ("reaches", "captures")


def sentence(plan: SentencePlan) -> str:
    """One sentence from its capital to its full stop."""
    return tidy(f"{_opening(plan)}{_clauses(plan)}.")


def _opening(plan: SentencePlan) -> str:
    parts = [_trigger(plan.trigger)] if plan.trigger else []
    several = len(parts) + len(plan.conditions) > 1
    parts += [condition(part, "and" if several else "") for part in plan.conditions]
    if not parts:
        return ""
    word = _OPENINGS[plan.opening]
    if plan.trigger and plan.trigger.name in _COMPLETED:
        word = "sobald"  # the words of the rules are participles: "das OBJECTIVE REACHED hat"
    return f"{word} {all_of(parts)}, "


def _trigger(trigger: TriggerPhrase) -> str:
    if trigger.name in _OUTCOMES:
        return f"{_attack(trigger)} {_OUTCOMES[trigger.name]}"
    if trigger.who is None:
        return _TRIGGERS[trigger.name]
    if trigger.name == "action-ends":
        return f"{of(trigger.who, 'ACTION')} endet"
    return f"{name(trigger.who)} {_OF_SELF[trigger.name]}"


def _attack(trigger: TriggerPhrase) -> str:
    if trigger.who is None:
        return "ein Angriff eines eigenen OPERATOR" if trigger.attack_by == "own" else "der Angriff"
    if trigger.attack_by == "attacker":
        return f"ein Angriff {name(trigger.who, 'gen')}"
    return f"ein Angriff auf {name(trigger.who, 'acc')}"


def _clauses(plan: SentencePlan) -> str:
    text = _clause(plan.clauses[0], bool(plan.trigger or plan.conditions))
    for before, clause in zip(plan.clauses, plan.clauses[1:], strict=False):
        if plan.link == "and":
            comma = "," if _is_long(before) or _is_long(clause) else ""
            text += f"{comma} und {_clause(clause, verb_first=False)}"
        elif isinstance(before, ChoicePhrase):
            text += f". Dann {_clause(clause, verb_first=True)}"
        else:
            text += f", dann {_clause(clause, verb_first=True)}"
    return text


def _is_long(clause: ClausePhrase) -> bool:
    return isinstance(clause, ActPhrase) and len(clause.doings) > 1


def _clause(clause: ClausePhrase, verb_first: bool) -> str:
    if isinstance(clause, ActPhrase):
        return act(clause, verb_first)
    return f"wähle: Entweder {_options(clause)}"


def _options(choice: ChoicePhrase) -> str:
    return f"{_option(choice.first, verb_first=True)} oder {_option(choice.second, verb_first=False)}"


def _option(clause: ClausePhrase, verb_first: bool) -> str:
    return act(clause, verb_first) if isinstance(clause, ActPhrase) else f"(entweder {_options(clause)})"
