"""From where an effect is read: the state, the numbers that count now, and who is who."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, OperatorState, Side


class NumberView(Protocol):
    """Where current numbers are read from."""

    def number(self, key: Key, stat: str) -> int:
        """The number of an OPERATOR as it is read: never below the floor (N-5)."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Who is who in a sentence: its controller, and the OPERATORs that it may name; None where there is
    none."""

    controller: Side
    bearer: Key | None = None
    target: Key | None = None
    attacker: Key | None = None
    attacked: Key | None = None

    def key(self, name: str) -> Key | None:
        """The OPERATOR that ``self``, ``target``, ``attacker`` or ``attacked`` means."""
        if name == "self":
            return self.bearer
        if name == "target":
            return self.target
        return self.attacker if name == "attacker" else self.attacked


@dataclass(slots=True)
class Scene:
    """What a condition, a group or a number is read in.

    ``critical`` says whether the attack is CRITICAL (M-7). ``within_suppression`` is set while the condition
    of SUPPRESSION itself is read: there nobody counts as SUPPRESSED, so that it cannot ask for itself.
    """

    state: GameState
    rules: Rules
    numbers: NumberView
    cast: Cast
    critical: bool = False
    within_suppression: bool = False

    def operator(self, name: str) -> OperatorState | None:
        """The OPERATOR that a name means here."""
        key = self.cast.key(name)
        return None if key is None else self.state.operators[key]


def cast_of_attack(
    when: str, controller: Side, bearer: Key | None, attacker: OperatorState, attacked: OperatorState
) -> Cast | None:
    """Who is who in an attack under a continuous trigger; None if the trigger does not hold (LANGUAGE.md
    §2)."""
    one, two = attacker.key, attacked.key
    if when == "attacking":
        return Cast(controller, bearer, two, one, two) if bearer == one else None
    if when == "attacked":
        return Cast(controller, bearer, one, one, two) if bearer == two else None
    concerned = attacker if when.endswith("-attacks") else attacked
    is_own = concerned.side == controller
    return Cast(controller, bearer, None, one, two) if is_own == when.startswith("own-") else None
