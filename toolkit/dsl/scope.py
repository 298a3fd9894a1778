"""What exists in a sentence: the OPERATORs that may be named, on which side and in which part."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from toolkit.dsl.tree import Group, Sentence
from toolkit.vocabulary import ACTIONS, ROLES, TRIGGERS, Role, RoleFacts, Trigger

_WITH_TARGET = ("attacking", "attacked", "hits", "misses", "critical")
_OTHER_SIDE = {"own": "enemy", "enemy": "own", "any": "any"}
_NOBODY = ("attacking", "attacked", "hits", "misses", "critical", "played", "attached")
"""Triggers behind which `it` means nobody (E-7); those of TURNs and ROUNDs have no OPERATOR either."""
_OTHER_PART = {"attacker": "attacked", "attacked": "attacker"}


class Scope(Struct, frozen=True):
    """What a role and a trigger give a sentence.

    ``facts`` are those of the role; ``opening`` is the trigger as messages name it, without filters;
    ``event`` says whether it acts once; ``attack`` whether an attack is going on; ``sides`` gives for each
    OPERATOR that may be named the side it is on, seen from the controller: own, enemy or any; ``parts`` its
    part in the attack, where it is certain. ``it`` is here the OPERATOR of the trigger; those that a clause
    chooses come on top (E-7).
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
        """When it acts, as messages say it."""
        if self.trigger is None:
            return f"in {self.facts.title} without `when`"
        if self.trigger.name == "played":
            return f"when {self.facts.title} is played"
        return f"under `{self.opening}`"

    def same(self, first: str, second: str) -> bool:
        """Whether two names certainly mean the same OPERATOR."""
        if first == second:
            return True
        part = self.parts.get(first)
        return part is not None and part == self.parts.get(second)


def scope_of(sentence: Sentence, role: Role) -> Scope:
    """The scope of one sentence."""
    when = sentence.when
    if when is None:
        return _scope(role, None, None, None)
    subject = when.subject.side if isinstance(when.subject, Group) else when.subject and when.subject.name
    return _scope(role, when.name, subject, when.what and when.what.text)


@cache
def _scope(role: Role, when: str | None, subject: str | None, what: str | None) -> Scope:
    """``subject`` is the side of the OPERATOR that the trigger speaks of, `self`, or None for neither."""
    facts = ROLES[role]
    trigger = TRIGGERS[when] if when else None
    sides: dict[str, str] = {}
    parts: dict[str, str] = {}
    if facts.has_self:
        sides["self"] = "own"
    if trigger is None:
        if facts.target_side:
            sides["target"] = facts.target_side
        return Scope(role, facts, None, "", facts.is_event, False, sides, parts)
    is_self = subject == "self" or (subject is None and trigger.needs_self)
    whose = "own" if is_self else subject or trigger.whose or "own"
    if trigger.attack:
        _cast(facts, trigger, whose, is_self, sides, parts)
    elif trigger.name == "performs" and what in ACTIONS and ACTIONS[what].target:
        sides["target"] = whose if ACTIONS[what].target == "own" else _OTHER_SIDE[whose]
    if trigger.name not in _NOBODY and (subject or trigger.whose or trigger.needs_self):
        sides["it"] = whose
        if trigger.part:
            parts["it"] = trigger.part
    opening = trigger.opening
    if subject or what:
        who = "self" if subject == "self" else f"an {subject} OPERATOR".replace(" any ", " ")
        happens = "an ACTION" if what == "ACTION" else what
        opening = opening.replace(trigger.words, trigger.pattern.format(subject=who, what=happens))
    return Scope(role, facts, trigger, opening, trigger.event, trigger.attack, sides, parts)


def _cast(
    facts: RoleFacts,
    trigger: Trigger,
    whose: str,
    is_self: bool,
    sides: dict[str, str],
    parts: dict[str, str],
) -> None:
    """Who is who in the attack (LANGUAGE.md §2, WHO and WHEN; LANGUAGE2.md §6)."""
    concerned = trigger.part or facts.attack_part or "attacker"
    sides |= {concerned: whose, _OTHER_PART[concerned]: _OTHER_SIDE[whose]}
    parts |= {"attacker": "attacker", "attacked": "attacked"}
    if facts.has_self and (trigger.name in _WITH_TARGET or (trigger.pattern and is_self)):
        sides["target"] = "enemy"
        parts |= {"self": concerned, "target": _OTHER_PART[concerned]}
