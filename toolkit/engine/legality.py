"""Whether an ACTION is allowed, and if not, by which rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from toolkit.dsl import tree
from toolkit.engine.board import Board
from toolkit.engine.geometry import in_range
from toolkit.engine.outcomes import Refusal
from toolkit.engine.permissions import cannot_be_attacked, cannot_perform, forbidden_in_attack, has_bonus
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, OperatorState, Side, other
from toolkit.engine.windows import ASK, Wish

ActionName = Literal["attack", "move", "medic", "evade", "reload"]
Operators = tuple[OperatorState, ...]

RULE_OF_ACTION: dict[ActionName, str] = {
    "attack": "A-1",
    "move": "A-2",
    "medic": "A-3",
    "evade": "A-4",
    "reload": "A-5",
}


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
    attack_card: Wish = ASK
    defence_card: Wish = ASK
    late_attack_card: Wish = ASK


def is_bonus(state: GameState, action: GameAction) -> bool:
    """Whether it is a BONUS ACTION: an EXHAUSTED OPERATOR can perform no other (T-5)."""
    return action.bonus or state.operators[action.by].status == "EXHAUSTED"


def refusal(state: GameState, rules: Rules, action: GameAction, board: Board | None = None) -> Refusal | None:
    """Why an ACTION is not allowed; None if it is. Cards named for its windows are judged when it is played.

    ``board`` saves time where many ACTIONs are asked about in one state. Whose turn it is to act is the game
    flow's to judge (T-3).
    """
    board = board or Board(state, rules)
    bonus = is_bonus(state, action)
    return _by_himself(state, rules, action.name, action.by, bonus, board) or _by_choice(
        state, rules, action, board
    )


def _by_choice(state: GameState, rules: Rules, action: GameAction, board: Board) -> Refusal | None:
    """What forbids him the ACTION with whom he chooses."""
    if action.name == "attack":
        return _of_attack(state, rules, action, board)
    if action.name == "medic":
        return _of_medic(state, action)
    if action.name == "move" and action.swap is not None:
        return _of_swap(state, rules, action, board)
    return None


def _by_himself(
    state: GameState, rules: Rules, action: ActionName, by: Key, bonus: bool, board: Board
) -> Refusal | None:
    """What forbids him the ACTION whomever he chooses."""
    rule, name, who = RULE_OF_ACTION[action], action.upper(), state.operators[by]
    if action not in rules.limits:
        return Refusal(rule, f"The ruleset {rules.ruleset.id} has no ACTION {name}.")
    if not who.is_up:
        return Refusal("R-2", f"{who.card} is {who.status} and cannot act.")
    if who.position is None:
        return Refusal(rule, f"{who.card} is in the SAVEZONE and performs no ACTION.")
    if cannot_perform(board, by, action):
        return Refusal("M-8", f"{who.card} cannot perform {name}.")
    if bonus:
        return _of_bonus(who, action, board)
    limit = rules.limits[action]
    if limit is not None and state.player(who.side).performed(action) >= limit:
        return Refusal(rule, f"{who.side} has performed {name} as often as a TURN allows: {limit}.")
    return None


def _of_bonus(who: OperatorState, action: ActionName, board: Board) -> Refusal | None:
    name = action.upper()
    if who.bonus_used:
        return Refusal("T-5", f"{who.card} has performed a BONUS ACTION in this TURN already.")
    if has_bonus(board, who, action):
        return None
    if who.status == "EXHAUSTED":
        return Refusal("T-5", f"{who.card} is EXHAUSTED and has no BONUS ({name}).")
    return Refusal("K-3", f"{who.card} has no BONUS ({name}).")


def _chosen(state: GameState, action: GameAction, key: Key | None) -> OperatorState | Refusal:
    """The OPERATOR whom an ACTION chooses; R-2 and R-3 hold for all of them."""
    if key is None:
        return Refusal(RULE_OF_ACTION[action.name], f"{action.name.upper()} needs an OPERATOR to choose.")
    chosen = state.operators[key]
    if key == action.by:
        return Refusal("R-3", f"{chosen.card} cannot choose himself.")
    if not chosen.is_up:
        return Refusal("R-2", f"{chosen.card} is {chosen.status} and cannot be chosen.")
    return chosen


def _of_attack(state: GameState, rules: Rules, action: GameAction, board: Board) -> Refusal | None:
    who, chosen = state.operators[action.by], _chosen(state, action, action.on)
    if isinstance(chosen, Refusal):
        return chosen
    if chosen.side == who.side:
        return Refusal("A-1", f"{chosen.card} is no enemy.")
    if not in_range(chosen, who):
        return Refusal("R-1", f"{chosen.card} is not in RANGE of {who.card}.")
    if cannot_be_attacked(board, chosen.key) or forbidden_in_attack(state, rules, who.key, chosen.key):
        return Refusal("M-8", f"{chosen.card} cannot be attacked by {who.card}.")
    return None


def _of_medic(state: GameState, action: GameAction) -> Refusal | None:
    who, chosen = state.operators[action.by], _chosen(state, action, action.on)
    if isinstance(chosen, Refusal):
        return chosen
    if chosen.side != who.side:
        return Refusal("A-3", f"{chosen.card} is an enemy; MEDIC is for own OPERATORs.")
    if not in_range(chosen, who):
        return Refusal("R-1", f"{chosen.card} is not in RANGE of {who.card}.")
    if chosen.hitcounter == 0:
        return Refusal("A-3", f"{chosen.card} has no HITCOUNTER.")
    return None


def _of_swap(state: GameState, rules: Rules, action: GameAction, board: Board) -> Refusal | None:
    """A-2a. **Ruling:** the MP are those before the ACTION changes anything."""
    who, chosen = state.operators[action.by], _chosen(state, action, action.swap)
    if isinstance(chosen, Refusal):
        return chosen
    if chosen.side != who.side or chosen.position is None:
        return Refusal("A-2a", f"{chosen.card} is no own OPERATOR on a FIELDPOSITION.")
    needed = rules.options.swap_mp
    together = board.number(who.key, "MP") + board.number(chosen.key, "MP")
    if together < needed:
        return Refusal("A-2a", f"{who.card} and {chosen.card} have {together} MP together, not {needed}.")
    return None


def legal_actions(state: GameState, rules: Rules, side: Side) -> tuple[GameAction, ...]:
    """Every ACTION that a player's OPERATORs may perform now, from left to right, with ASK for all windows.

    A NORMAL OPERATOR's ordinary ACTIONs come before his BONUS ACTIONs (K-3: they leave him NORMAL and do not
    count towards a limit); an EXHAUSTED one has only these. Phases and COMBAT's alternation are the game
    flow's.
    """
    board = Board(state, rules)
    own, enemies = state.on_field(side), state.on_field(other(side))
    within = [name for name in RULE_OF_ACTION if not _is_spent(state, rules, name, side)]
    return tuple(
        action
        for who in own
        if who.is_active
        for bonus in _ways_to_act(who, board)
        for name in (RULE_OF_ACTION if bonus else within)
        if _by_himself(state, rules, name, who.key, bonus, board) is None
        for action in _thinkable(name, who, own, enemies, bonus and who.status == "NORMAL")
        if _by_choice(state, rules, action, board) is None
    )


def _ways_to_act(who: OperatorState, board: Board) -> tuple[bool, ...]:
    """Whether his ACTIONs now may be ordinary ones (False) and BONUS ACTIONs (True)."""
    ordinary = (False,) if who.status == "NORMAL" else ()
    return (*ordinary, True) if _may_have_bonus(who, board) else ordinary


def _is_spent(state: GameState, rules: Rules, action: ActionName, side: Side) -> bool:
    """Whether the limit of an ACTION is reached, or there is no such ACTION."""
    limit = rules.limits.get(action, 0)
    return limit is not None and state.player(side).performed(action) >= limit


def _may_have_bonus(who: OperatorState, board: Board) -> bool:
    return not who.bonus_used and bool(who.bonuses or board.held(who.key, tree.GainsBonus))


def _thinkable(
    name: ActionName, who: OperatorState, own: Operators, enemies: Operators, bonus: bool
) -> Iterator[GameAction]:
    """An ACTION of his with everyone whom he could choose; ``bonus`` marks that of a NORMAL OPERATOR."""
    key = who.key
    if name == "attack":
        for enemy in enemies:
            if in_range(enemy, who):
                yield _plain(name, key, enemy.key, None, bonus)
        return
    if name == "medic":
        for mate in own:
            if mate.hitcounter and in_range(mate, who):
                yield _plain(name, key, mate.key, None, bonus)
        return
    yield _plain(name, key, None, None, bonus)
    if name == "move":
        for mate in own:
            if mate.key != key and mate.is_up:
                yield _plain(name, key, None, mate.key, bonus)


@cache
def _plain(name: ActionName, by: Key, on: Key | None, swap: Key | None, bonus: bool) -> GameAction:
    """An ACTION with ASK for all windows. There are few of them and they are values, so each is made once."""
    return GameAction(name, by, on, swap, bonus)
