"""What is asked of ``opforge attack``, and what can come of it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from toolkit.data.scenarios import Script
from toolkit.effects.objects import Origin
from toolkit.engine.explaining.explanation import Explanation
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.outcomes import Outcome, Refusal
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState

DEFAULT_SEED = 1


class AttackRequest(Struct, frozen=True):
    """The attack to play.

    ``attacker`` and ``target`` are ids of OPERATORs; with a scenario also ``blue.viper``. ``scenario`` is a
    file and a name (or a part of it, or None if the file has only one). ``dice`` None: by ``seed``.
    ``critical`` answers for each critical die in the order rolled, ``reroll`` names dice as rolled from 1.
    ``choose``, ``either`` and ``performance`` answer what effects and K-1 ask, in order: OPERATORs as
    they are written, ``first`` or ``second``, and ``draw`` or the OPERATOR that is to bear the ITEM.
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


class Refused(Struct, frozen=True):
    """The rules forbid the attack; ``because`` are the effects that do, where it is effects."""

    refusal: Refusal
    because: tuple[Origin, ...]
    origins: Origins


class PlayedAttack(Struct, frozen=True):
    """An attack that was played.

    ``before`` is the state in which it began, ``after`` the one after it; ``rolled`` are all dice in the
    order rolled; ``notes`` name what was given and not needed, and what was needed and not given.
    """

    request: AttackRequest
    rules: Rules
    origins: Origins
    scenario: Script | None
    before: GameState
    after: GameState
    outcome: Outcome
    explained: Explanation
    rolled: tuple[int, ...]
    notes: tuple[str, ...]
