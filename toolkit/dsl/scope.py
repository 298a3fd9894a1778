"""The scope of a sentence: the OPERATORs that it may name, their sides and their parts in an attack."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from toolkit.dsl.tree import Group, Sentence
from toolkit.vocabulary import ACTIONS, ROLES, TRIGGERS, Role, RoleFacts, Trigger

_WITH_TARGET = ("attacking", "attacked", "hits", "misses", "critical")
_OTHER_SIDE = {"own": "enemy", "enemy": "own", "any": "any"}
_WITHOUT_IT = ("attacking", "attacked", "hits", "misses", "critical", "played", "attached")
"""Triggers after which ``it`` has no antecedent (E-7); those of TURNs and ROUNDs have no OPERATOR at all."""
_ATTACHED_IN_ATTACK = (Role.ATTACK, Role.DEFENCE)
"""Cards that are attached in an attack (M-5), so that under `attached` it goes on (E-30)."""
_OTHER_PART = {"attacker": "attacked", "attacked": "attacker"}


class Scope(Struct, frozen=True):
    """What a role and a trigger determine in a sentence.

    ``facts`` are those of the role; ``opening`` is the trigger in messages, without filters; ``event`` says
    that it acts once, ``attack`` that an attack is going on. ``sides`` is for each OPERATOR that may be named
    its side from the controller's view (own, enemy or any), ``parts`` its part in the attack if that is
    certain. ``it`` is here the OPERATOR of the trigger; clauses may choose others (E-7).
    """

    role: Role
    facts: RoleFacts
    trigger: Trigger | None
    opening: str
    event: bool
    attack: bool
    sides: dict[str, str]
    parts: dict[str, str]

    @property
    def occasion(self) -> str:
        """When the sentence acts, for messages."""
        if self.trigger is None:
            return f"in {self.facts.title} without `when`"
        if self.trigger.name == "played":
            return f"when {self.facts.title} is played"
        return f"under `{self.opening}`"

    def same(self, first: str, second: str) -> bool:
        """Whether two names certainly refer to the same OPERATOR."""
        if first == second:
            return True
        attack_part = self.parts.get(first)
        return attack_part is not None and attack_part == self.parts.get(second)


def scope_of(sentence: Sentence, role: Role) -> Scope:
    """Return the scope of a sentence."""
    when = sentence.when
    if when is None:
        return _scope(role, None, None, None)
    subject = when.subject.side if isinstance(when.subject, Group) else when.subject and when.subject.name
    return _scope(role, when.name, subject, when.what and when.what.text)


@cache
def _scope(role: Role, when: str | None, subject: str | None, object_name: str | None) -> Scope:
    """Return the scope; ``subject`` is ``self``, the side of the trigger's OPERATOR, or None."""
    facts = ROLES[role]
    trigger = TRIGGERS[when] if when else None
    sides: dict[str, str] = {}
    parts: dict[str, str] = {}
    if facts.has_self:
        sides["self"] = "own"
    if trigger is None:
        if facts.target_side:
            sides["target"] = facts.target_side
        return Scope(
            role, facts, None, opening="", event=facts.is_event, attack=False, sides=sides, parts=parts
        )
    is_self = subject == "self" or (subject is None and trigger.needs_self)
    whose = "own" if is_self else subject or trigger.whose or "own"
    attack = trigger.attack or (trigger.name == "attached" and role in _ATTACHED_IN_ATTACK)
    if attack:
        _add_attack_parts(facts, trigger, whose, is_self, sides, parts)
    elif trigger.name == "performs" and object_name in ACTIONS and ACTIONS[object_name].target:
        sides["target"] = whose if ACTIONS[object_name].target == "own" else _OTHER_SIDE[whose]
    if trigger.name not in _WITHOUT_IT and (subject or trigger.whose or trigger.needs_self):
        sides["it"] = whose
        if trigger.part and not trigger.may_be_redirected:
            parts["it"] = trigger.part
    opening = trigger.opening
    if subject or object_name:
        subject_words = "self" if subject == "self" else f"an {subject} OPERATOR".replace(" any ", " ")
        object_words = "an ACTION" if object_name == "ACTION" else object_name
        trigger_words = trigger.pattern.format(subject=subject_words, what=object_words)
        opening = opening.replace(trigger.words, trigger_words)
    return Scope(role, facts, trigger, opening, trigger.event, attack, sides, parts)


def _add_attack_parts(
    facts: RoleFacts,
    trigger: Trigger,
    whose: str,
    is_self: bool,
    sides: dict[str, str],
    parts: dict[str, str],
) -> None:
    """Add who is who in the attack (LANGUAGE.md §2, WHO and WHEN; LANGUAGE2.md §6)."""
    concerned = trigger.part or facts.attack_part or "attacker"
    sides |= {concerned: whose, _OTHER_PART[concerned]: _OTHER_SIDE[whose]}
    parts |= {"attacker": "attacker", "attacked": "attacked"}
    if trigger.name == "attached":
        # who bears the card later is not known, so `self` has no part
        sides["target"] = "enemy"
        parts["target"] = _OTHER_PART[concerned]
    elif facts.has_self and (trigger.name in _WITH_TARGET or (trigger.pattern and is_self)):
        sides["target"] = "enemy"
        parts["target"] = _OTHER_PART[concerned]
        if not trigger.may_be_redirected:
            parts["self"] = concerned
