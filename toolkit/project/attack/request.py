"""What is asked for, and what can come of asking."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from toolkit.data.scenarios import Script
from toolkit.diagnostics import Diagnostic
from toolkit.effects.objects import Origin
from toolkit.engine.explaining.explanation import Explanation
from toolkit.engine.explaining.origins import Origins
from toolkit.engine.outcomes import Outcome, Refusal
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState

DEFAULT_SEED = 1


class AttackWish(Struct, frozen=True):
    """An attack that somebody wants to see.

    ``attacker`` and ``target`` are ids of OPERATORs; with a scenario also ``blue.viper``. ``scenario`` is a
    file and a name (or a part of it, or None if the file has only one). ``dice`` None: by ``seed``.
    ``critical`` answers for each critical die in the order rolled, ``reroll`` names dice as rolled from 1.
    ``choose``, ``either`` and ``performance`` answer what effects and K-1 ask, in order: OPERATORs as
    they are written, ``first`` or ``second``, and ``draw`` or the OPERATOR who is to bear the ITEM.
    ``mode`` None is the project's. Cards are ids; None is no card. ``after`` is the number of steps of the
    scenario that are played before.
    """

    attacker: str
    target: str
    scenario: tuple[Path, str | None] | None = None
    dice: tuple[int, ...] | None = None
    seed: int = DEFAULT_SEED
    attack_card: str | None = None
    defence_card: str | None = None
    late_attack_card: str | None = None
    critical: tuple[str, ...] = ()
    reroll: tuple[int, ...] = ()
    choose: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    performance: tuple[str, ...] = ()
    after: int = 0
    mode: str | None = None
    language: str | None = None

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that are to be attached."""
        named = (self.attack_card, self.defence_card, self.late_attack_card)
        return tuple(card for card in named if card is not None)


class WrongUse(Struct, frozen=True):
    """What was asked for does not make sense; ``message`` says why, with a next step."""

    message: str


class Unsound(Struct, frozen=True):
    """The attack was not played: what it needs has these errors."""

    findings: tuple[Diagnostic, ...]


class Refused(Struct, frozen=True):
    """The rules forbid the attack; ``because`` are the effects that do, where it is effects."""

    refusal: Refusal
    because: tuple[Origin, ...]
    origins: Origins


class Told(Struct, frozen=True):
    """An attack that was played.

    ``before`` is the state in which it began, ``after`` the one after it; ``rolled`` are all dice in the
    order rolled; ``notes`` say what was given and not needed, or asked and not given.
    """

    wish: AttackWish
    rules: Rules
    origins: Origins
    scenario: Script | None
    before: GameState
    after: GameState
    outcome: Outcome
    explained: Explanation
    rolled: tuple[int, ...]
    notes: tuple[str, ...]
