"""The ACTIONs A-1 to A-5: what is allowed, and what they do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from toolkit.engine.decisions import Dice, Players
from toolkit.engine.outcomes import Outcome, Refusal
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, Side

ActionName = Literal["attack", "move", "medic", "evade", "reload"]


class Ask(Enum):
    """The value of a card window that is not settled beforehand."""

    ASK = "ask"


ASK = Ask.ASK


@dataclass(frozen=True, slots=True)
class GameAction:
    """An ACTION that an OPERATOR is to perform.

    ``on`` is the OPERATOR chosen by Attack and Medic, ``swap`` the one to change places with in a Move; a
    Move without it is an advance. An EXHAUSTED OPERATOR's ACTION is always a BONUS ACTION (T-5); ``bonus``
    makes that of a NORMAL one a BONUS ACTION too. The three windows of M-5: a card's id (refused if it cannot
    be attached then), None for no card, ASK to ask the player.
    """

    name: ActionName
    by: Key
    on: Key | None = None
    swap: Key | None = None
    bonus: bool = False
    attack_card: str | Ask | None = ASK
    defence_card: str | Ask | None = ASK
    late_attack_card: str | Ask | None = ASK


def perform(
    state: GameState,
    rules: Rules,
    action: GameAction,
    players: Players,
    dice: Dice,
    *,
    traced: bool = True,
    exhausts: bool = True,
) -> Outcome | Refusal:
    """Perform an ACTION: an Outcome with the new state, or a Refusal; ``state`` itself never changes.

    ``exhausts=False`` leaves the OPERATOR NORMAL (scenarios that are not strict); ``traced=False`` saves the
    time for the trace.
    """
    raise NotImplementedError


def refusal(state: GameState, rules: Rules, action: GameAction) -> Refusal | None:
    """Why an ACTION is not allowed; None if it is. Cards named for its windows are judged when it is
    played."""
    raise NotImplementedError


def legal_actions(state: GameState, rules: Rules, side: Side) -> tuple[GameAction, ...]:
    """Every ACTION that a player's OPERATORs may perform now, from left to right, with ASK for all windows.

    An EXHAUSTED OPERATOR's are BONUS ACTIONs; phases and COMBAT's alternation are the game flow's.
    """
    raise NotImplementedError
