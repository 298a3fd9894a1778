"""Roles of effects: where an effect is in the card files, and what follows from it."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from toolkit.vocabulary.triggers import TRIGGERS, Whose


class Role(Enum):
    """The place of an effect in the card files."""

    SKILL = "skill"
    ATTACK = "attack"
    DEFENCE = "defence"
    EFFECT = "effect"
    STRATEGY = "strategy"
    ITEM = "item"
    KEYWORD = "keyword"
    OBJECTIVE = "objective"
    TEAMWORK = "teamwork"
    SUPPRESSION = "suppression"
    PERFORMANCE = "performance"
    ACTION_ATTACK = "action attack"
    ACTION_MOVE = "action move"
    ACTION_MEDIC = "action medic"
    ACTION_EVADE = "action evade"
    ACTION_RELOAD = "action reload"

    # members are singletons, so identity will do; Enum's own hash is Python code, and runs for every sentence
    __hash__ = object.__hash__


class RoleFacts(Struct, frozen=True):
    """What follows from a role for its effects.

    ``title`` is its name in messages. ``step`` is the step of MODIFY (1 to 6) in which its continuous effects
    act, None if it has none. ``has_self`` says that there is a bearer or another OPERATOR for ``self``,
    ``is_event`` that a sentence without ``when`` acts once (as in an ACTION). ``target_side`` is the side of
    the OPERATOR that an ACTION chooses, ``attack_part`` the part of self in hits, misses and CRITICAL,
    ``triggers`` are those that are possible, ``occasion`` is the one for which the card is attached.
    """

    title: str
    step: int | None = None
    has_self: bool = False
    is_event: bool = False
    target_side: str | None = None
    attack_part: str | None = None
    triggers: tuple[str, ...] = ()
    occasion: str | None = None


class Action(Struct, frozen=True):
    """An ACTION: its word, its rule id, its meaning in one line, and the side of the OPERATOR it chooses."""

    name: str
    rule: str
    meaning: str
    target: Whose | None = None

    @property
    def key(self) -> str:
        """Its key in card files."""
        return self.name.lower()


ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        Action(
            "ATTACK",
            "A-1",
            "the ACTION by which an OPERATOR attacks (A-1); also its cards and its D6",
            "enemy",
        ),
        Action("MOVE", "A-2", "the ACTION by which an OPERATOR advances or changes places (A-2)"),
        Action(
            "MEDIC",
            "A-3",
            "the ACTION that gives an own OPERATOR in RANGE with a HITCOUNTER more DP (A-3)",
            "own",
        ),
        Action(
            "EVADE", "A-4", "the ACTION by which MP count as additional EP until the end of the TURN (A-4)"
        ),
        Action("RELOAD", "A-5", "the ACTION that draws a card (A-5)"),
    )
}
"""The ACTIONs in the order of the rules (A-1 to A-5)."""

_OWN_ATTACKS = ("attacking", "attacked")
_SIDES_ATTACKS = ("own-attacks", "own-is-attacked", "enemy-attacks", "enemy-is-attacked")
_OUTCOMES = ("hits", "misses", "critical")
_HITS = ("self-becomes-hit", "own-becomes-hit", "enemy-becomes-hit")
_OBJECTIVES = ("reaches", "captures")
_TIMES = ("turn-begins", "turn-ends")
_EVENTS = (
    *(name for name, trigger in TRIGGERS.items() if trigger.pattern and name not in _OBJECTIVES),
    "own-turn-begins",
    "own-turn-ends",
    "enemy-turn-begins",
    "enemy-turn-ends",
    "round-begins",
    "round-ends",
)
"""Events of any OPERATOR, and of TURNs and ROUNDs (E-5, E-6)."""
_BEARER = (*_OWN_ATTACKS, *_SIDES_ATTACKS, *_OUTCOMES, *_HITS, *_OBJECTIVES, *_TIMES, "action-ends", *_EVENTS)
_ATTACHABLE = (*_BEARER, "attached")

ROLES: dict[Role, RoleFacts] = {
    Role.SKILL: RoleFacts("a SKILL", 2, has_self=True, attack_part="attacker", triggers=_BEARER),
    Role.ATTACK: RoleFacts(
        "an ATTACK card",
        5,
        has_self=True,
        attack_part="attacker",
        triggers=_ATTACHABLE,
        occasion="attacking",
    ),
    Role.DEFENCE: RoleFacts(
        "a DEFENCE card",
        5,
        has_self=True,
        attack_part="attacked",
        triggers=_ATTACHABLE,
        occasion="attacked",
    ),
    Role.ITEM: RoleFacts("an ITEM", 5, has_self=True, attack_part="attacker", triggers=_ATTACHABLE),
    Role.EFFECT: RoleFacts("an EFFECT card", triggers=("played",)),
    Role.STRATEGY: RoleFacts(
        "a STRATEGY card",
        4,
        triggers=(
            *_SIDES_ATTACKS,
            *_OUTCOMES,
            "own-becomes-hit",
            "enemy-becomes-hit",
            *_TIMES,
            "played",
            *_OBJECTIVES,
            *_EVENTS,
        ),
    ),
    Role.KEYWORD: RoleFacts("a KEYWORD", 2, has_self=True, attack_part="attacker", triggers=_BEARER),
    Role.OBJECTIVE: RoleFacts("an OBJECTIVE", 4, has_self=True, attack_part="attacker", triggers=_BEARER),
    Role.TEAMWORK: RoleFacts("TEAMWORK", 3, has_self=True, triggers=_OWN_ATTACKS),
    Role.SUPPRESSION: RoleFacts("SUPPRESSION", 1, has_self=True, triggers=_OWN_ATTACKS),
    Role.PERFORMANCE: RoleFacts(
        "PERFORMANCE",
        has_self=True,
        attack_part="attacker",
        triggers=(
            *_OUTCOMES,
            *_HITS,
            *_OBJECTIVES,
            *_TIMES,
            *(name for name in _EVENTS if TRIGGERS[name].event),
        ),
    ),
    **{
        Role(f"action {action.key}"): RoleFacts(
            f"the ACTION {action.key}", has_self=True, is_event=True, target_side=action.target
        )
        for action in ACTIONS.values()
    },
}
