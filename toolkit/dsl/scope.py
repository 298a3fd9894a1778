"""What exists in a sentence: the OPERATORs that may be named, on which side and in which part."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from toolkit.dsl.tree import Sentence
from toolkit.vocabulary import ROLES, TRIGGERS, Role, RoleFacts, Trigger

_WITH_TARGET = ("attacking", "attacked", "hits", "misses", "critical")
_OTHER_SIDE = {"own": "enemy", "enemy": "own"}
_OTHER_PART = {"attacker": "attacked", "attacked": "attacker"}


class Scope(Struct, frozen=True):
    """What a role and a trigger give a sentence.

    ``facts`` are those of the role; ``event`` says whether it acts once; ``attack`` whether an attack is
    going on; ``sides`` gives for each OPERATOR that may be named the side he is on, seen from the controller;
    ``parts`` his part in the attack, where it is certain.
    """

    role: Role
    facts: RoleFacts
    trigger: Trigger | None
    event: bool
    attack: bool
    sides: dict[str, str]
    parts: dict[str, str]

    def same(self, first: str, second: str) -> bool:
        """Whether two names certainly mean the same OPERATOR."""
        if first == second:
            return True
        part = self.parts.get(first)
        return part is not None and part == self.parts.get(second)


def scope_of(sentence: Sentence, role: Role) -> Scope:
    """The scope of one sentence."""
    return _scope(role, sentence.when.name if sentence.when else None)


@cache
def _scope(role: Role, when: str | None) -> Scope:
    facts = ROLES[role]
    trigger = TRIGGERS[when] if when else None
    sides: dict[str, str] = {}
    parts: dict[str, str] = {}
    if facts.has_self:
        sides["self"] = "own"
    if trigger is None:
        if facts.target_side:
            sides["target"] = facts.target_side
        return Scope(role, facts, None, facts.is_event, False, sides, parts)
    if trigger.attack:
        _cast(facts, trigger, sides, parts)
    return Scope(role, facts, trigger, trigger.event, trigger.attack, sides, parts)


def _cast(facts: RoleFacts, trigger: Trigger, sides: dict[str, str], parts: dict[str, str]) -> None:
    """Who is who in the attack (LANGUAGE.md §2, WHO and WHEN)."""
    concerned = trigger.part or facts.attack_part or "attacker"
    whose = trigger.whose or "own"
    sides |= {concerned: whose, _OTHER_PART[concerned]: _OTHER_SIDE[whose]}
    parts |= {"attacker": "attacker", "attacked": "attacked"}
    if facts.has_self and trigger.name in _WITH_TARGET:
        sides["target"] = "enemy"
        parts |= {"self": concerned, "target": _OTHER_PART[concerned]}
