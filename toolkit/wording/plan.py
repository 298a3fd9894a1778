"""From an effect to what is said in which order: the same plan for every language."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.vocabulary import FORMS, Role
from toolkit.wording import phrases as say
from toolkit.wording.canonical import Block, blocks
from toolkit.wording.mentions import Mentions, Speech, noun_of
from toolkit.wording.plan_acts import clause_phrase
from toolkit.wording.plan_conditions import condition_phrase, conditions

_OUTCOMES = ("hits", "misses", "critical")
_OF_SELF = ("attacking", "attacked", "self-becomes-hit", "reaches", "captures", "action-ends")
_OF_SOMEBODY = ("own-becomes-hit", "enemy-becomes-hit")
_THIS_CARD = ("played", "attached")

_FOR_PLAYERS = tuple(getattr(tree, form.node) for form in FORMS.values() if form.player)


def plan(effect: tree.Effect, role: Role) -> tuple[say.SentencePlan, ...]:
    """What the rules text of an effect says, one entry for each printed sentence."""
    mentions = Mentions()
    return tuple(_sentence(block, Speech(block.scope, mentions)) for block in blocks(effect, role))


def plan_condition(effect: tree.Effect, role: Role) -> say.ConditionPhrase | None:
    """The condition of an effect's first sentence, said of an OPERATOR that is already known as "it"."""
    block = blocks(effect, role)[0]
    if block.condition is None:
        return None
    speech = Speech(block.scope, Mentions())
    speech.mentions.begin(block.scope)
    speech.mentions.introduce(noun_of("self", block.scope), attacks=False)
    return condition_phrase(speech, block.condition)


def _sentence(block: Block, speech: Speech) -> say.SentencePlan:
    speech.mentions.begin(block.scope)
    trigger = _trigger(speech, block.when)
    required = conditions(speech, block.condition)
    opening: Literal["when", "while", "if", ""] = ""
    if trigger is not None:
        opening = "when"
    elif required:
        opening = "if" if block.scope.event else "while"
    clauses = tuple(clause_phrase(speech, clause) for clause in block.clauses)
    if block.scope.role is Role.EFFECT and not opening:
        clauses = _orders(clauses)
    return say.SentencePlan(trigger, opening, required, clauses, block.link)


def _orders(clauses: tuple[say.ClausePhrase, ...]) -> tuple[say.ClausePhrase, ...]:
    """The clauses, the first ones as orders as long as it is the reader who draws, discards or fulfils."""
    said = list(clauses)
    for at, clause in enumerate(clauses):
        if not isinstance(clause, say.ActPhrase) or clause.subject != say.PlayerSubject("owner"):
            break
        if not all(isinstance(doing, _FOR_PLAYERS) for doing in clause.doings):
            break
        said[at] = replace(clause, order=True)
    return tuple(said)


def _trigger(speech: Speech, when: tree.When | None) -> say.TriggerPhrase | None:
    mentions = speech.mentions
    if when is None or (when.name == "played" and speech.scope.role is Role.EFFECT):
        return None  # an EFFECT card acts when it is played, and never else
    if when.name in _OUTCOMES:
        return _outcome(speech, when.name)
    if when.name in _OF_SELF:
        who = mentions.introduce(noun_of("self", speech.scope), attacks=when.name == "attacking")
        return say.TriggerPhrase(when.name, who)
    if when.name in _THIS_CARD:
        mentions.introduce_card()
    elif when.name in _OF_SOMEBODY:
        mentions.introduce_somebody()
    elif when.name.endswith("is-attacked"):
        mentions.introduce("attacked", attacks=False)
    elif when.name.endswith("attacks"):
        mentions.introduce("attacker", attacks=True)
    return say.TriggerPhrase(when.name)


def _outcome(speech: Speech, name: str) -> say.TriggerPhrase:
    part = speech.scope.parts.get("self")
    if part is not None:
        attacks = part == "attacker"
        who = speech.mentions.introduce(noun_of("self", speech.scope), attacks, by_thing=True)
        return say.TriggerPhrase(name, who, "attacker" if attacks else "attacked")
    speech.mentions.introduce("attacker", attacks=True, by_thing=True)
    return say.TriggerPhrase(name, None, "own" if speech.scope.role is Role.STRATEGY else "any")
