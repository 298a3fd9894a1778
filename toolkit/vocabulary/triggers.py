"""What a sentence can wait for, and what each trigger means for the OPERATORs that may be named under it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Part = Literal["attacker", "attacked"]
Whose = Literal["own", "enemy"]


class Trigger(Struct, frozen=True):
    """A trigger of the language.

    ``name`` is its name in data; ``words`` as written behind ``when``; ``event`` whether it acts once;
    ``attack`` whether an attack is going on, so that attacker and attacked exist; ``part`` the part that the
    OPERATOR concerned plays in it and ``whose`` his side, where the trigger fixes them; ``needs_self``
    whether it speaks of the bearer.
    """

    name: str
    words: str
    event: bool = False
    attack: bool = False
    part: Part | None = None
    whose: Whose | None = None
    needs_self: bool = False


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
        Trigger("reaches", "self REACHES the OBJECTIVE", event=True, needs_self=True),
        Trigger("captures", "self CAPTURES the OBJECTIVE", event=True, needs_self=True),
        Trigger("turn-begins", "the TURN begins", event=True),
        Trigger("turn-ends", "the TURN ends", event=True),
        Trigger("action-ends", "the ACTION of self ends", event=True, needs_self=True),
    )
}
