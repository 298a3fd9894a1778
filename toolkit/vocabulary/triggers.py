"""The triggers of sentences, and what each means for the OPERATORs that its sentence may name."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Part = Literal["attacker", "attacked"]
Whose = Literal["own", "enemy"]


class Trigger(Struct, frozen=True):
    """A trigger of the language.

    ``name`` is its name in data, ``words`` are what follows ``when``. ``event`` says that it acts once,
    ``attack`` that an attack is going on, so that attacker and attacked exist. ``part`` is the part of the
    trigger's OPERATOR in the attack and ``whose`` its side, if the trigger determines them; ``needs_self``
    says that it is about the bearer.

    A trigger that can be about any OPERATOR has a ``pattern`` with ``{subject}``, and ``{what}`` if it names
    an ACTION or a counter; its ``words`` are then an example (E-6).
    """

    name: str
    words: str
    event: bool = False
    attack: bool = False
    part: Part | None = None
    whose: Whose | None = None
    needs_self: bool = False
    pattern: str = ""

    @property
    def precedes_dice(self) -> bool:
        """Whether its attack has no dice yet, so that nobody knows whether it is CRITICAL (E-21, E-30)."""
        return self.name in ("attack-by-begins", "attack-on-begins", "attached")

    @property
    def may_be_redirected(self) -> bool:
        """Whether another OPERATOR than that of the trigger may be the attacked one when its sentence acts
        (E-22)."""
        return self.name == "attack-on-begins"

    @property
    def opening(self) -> str:
        """The trigger with ``when`` if it is an event, with ``while`` if it is a state."""
        return f"{'when' if self.event else 'while'} {self.words}"


def _of_operators(
    name: str, pattern: str, object_name: str = "", subject: str = "self", **facts: Any
) -> Trigger:
    """Return a trigger with a pattern; its words are that about ``subject``, and of ``object_name``.

    It is an event, unless ``facts`` say otherwise.
    """
    words = pattern.format(subject=subject, what=object_name)
    return Trigger(name, words, **{"event": True, **facts}, pattern=pattern)


TRIGGERS: dict[str, Trigger] = {
    trigger.name: trigger
    for trigger in (
        Trigger("attacking", "attacking", attack=True, part="attacker", needs_self=True),
        Trigger("attacked", "attacked", attack=True, part="attacked", needs_self=True),
        Trigger("own-attacks", "an own OPERATOR attacks", attack=True, part="attacker", whose="own"),
        Trigger("own-is-attacked", "an own OPERATOR is attacked", attack=True, part="attacked", whose="own"),
        Trigger("enemy-attacks", "an enemy OPERATOR attacks", attack=True, part="attacker", whose="enemy"),
        Trigger(
            "enemy-is-attacked", "an enemy OPERATOR is attacked", attack=True, part="attacked", whose="enemy"
        ),
        Trigger("played", "played", event=True),
        Trigger("attached", "attached", event=True, needs_self=True),
        Trigger("hits", "the attack hits", event=True, attack=True),
        Trigger("misses", "the attack misses", event=True, attack=True),
        Trigger("critical", "the attack is CRITICAL", event=True, attack=True),
        Trigger("self-becomes-hit", "self becomes HIT", event=True, needs_self=True),
        Trigger("own-becomes-hit", "an own OPERATOR becomes HIT", event=True, whose="own"),
        Trigger("enemy-becomes-hit", "an enemy OPERATOR becomes HIT", event=True, whose="enemy"),
        _of_operators("reaches", "{subject} REACHES the OBJECTIVE", needs_self=True),
        _of_operators("captures", "{subject} CAPTURES the OBJECTIVE", needs_self=True),
        Trigger("turn-begins", "the TURN begins", event=True),
        Trigger("turn-ends", "the TURN ends", event=True),
        Trigger("action-ends", "the ACTION of self ends", event=True, needs_self=True),
        Trigger("own-turn-begins", "the own TURN begins", event=True),
        Trigger("own-turn-ends", "the own TURN ends", event=True),
        Trigger("enemy-turn-begins", "the enemy TURN begins", event=True),
        Trigger("enemy-turn-ends", "the enemy TURN ends", event=True),
        Trigger("round-begins", "the ROUND begins", event=True),
        Trigger("round-ends", "the ROUND ends", event=True),
        _of_operators("attacks", "{subject} attacks", subject="an OPERATOR", event=False, attack=True,
                      part="attacker"),
        _of_operators("is-attacked", "{subject} is attacked", subject="an OPERATOR", event=False, attack=True,
                      part="attacked"),
        _of_operators("attack-by-begins", "an attack by {subject} begins", attack=True, part="attacker"),
        _of_operators("attack-on-begins", "an attack on {subject} begins", attack=True, part="attacked"),
        _of_operators("attack-by-hits", "an attack by {subject} hits", attack=True, part="attacker"),
        _of_operators("attack-by-misses", "an attack by {subject} misses", attack=True, part="attacker"),
        _of_operators("attack-by-critical", "an attack by {subject} is CRITICAL", attack=True,
                      part="attacker"),
        _of_operators("attack-on-hits", "an attack on {subject} hits", attack=True, part="attacked"),
        _of_operators("attack-on-misses", "an attack on {subject} misses", attack=True, part="attacked"),
        _of_operators("attack-on-critical", "an attack on {subject} is CRITICAL", attack=True,
                      part="attacked"),
        _of_operators("becomes-hit", "{subject} becomes HIT", subject="an OPERATOR"),
        _of_operators("becomes-out", "{subject} becomes OUT"),
        _of_operators("would-become-hit", "{subject} would become HIT"),
        _of_operators("performs", "{subject} performs {what}", "MEDIC"),
        _of_operators("gets", "{subject} gets {what}", "HITCOUNTER"),
        _of_operators("loses", "{subject} loses {what}", "HITCOUNTER"),
        _of_operators("enters", "{subject} enters the FIELD"),
    )
}  # fmt: skip
