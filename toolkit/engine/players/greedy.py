"""A player who takes what this ACTION gains on average, and thinks of nothing that comes later."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from toolkit.engine.actions import GameAction
from toolkit.engine.counters import has_reached, objective_value
from toolkit.engine.decisions import Decision, DieOption
from toolkit.engine.fast.attack import FastPath
from toolkit.engine.moments import current_number
from toolkit.engine.players.expectation import (
    Choosing,
    GivenDice,
    expected_damage,
    fast_expectation,
    play_attack,
)
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key

_TAKES = ("strategy", "performance", "fill")
"""Kinds of decision in which he takes what comes after the first option, if there is something."""

_OBJECTIVE_WORTH = 6.0
"""As much damage as this is worth to him what a Move does for an OBJECTIVE: half of it the way until it is
REACHED, in parts, and all of it to have it CAPTURED."""


@dataclass(slots=True)
class GreedyPlayer:
    """Attacks where the expected damage is greatest, or advances where an OBJECTIVE is worth more than that;
    where neither gains anything he advances, draws, treats, evades.

    He plays every card that he can, brings everybody to the FIELD, takes ITEMs, and attaches the DEFENCE card
    that leaves the least damage. He remembers the ACTION that he chose last with the state before it, for the
    choices within it; nothing is left to chance.
    ``path`` may be shared by players of many GAMEs under the same rules, so that it is generated once.
    """

    rules: Rules
    path: FastPath | None = field(default=None, repr=False)
    _before: GameState | None = None
    _action: GameAction | None = None

    def __post_init__(self) -> None:
        self.path = self.path or FastPath(self.rules)

    def answer(self, decision: Decision, state: GameState) -> int:
        """His choice."""
        index = self._choice(decision, state)
        self.recall(decision, state, index)
        return index

    def recall(self, decision: Decision, state: GameState, index: int) -> None:
        """Remember a choice that was made before, as if he had just made it."""
        chosen = decision.options[index]
        if decision.kind == "action" and isinstance(chosen, GameAction):
            self._before = state
            self._action = replace(chosen, attack_card=None, defence_card=None, late_attack_card=None)
        elif decision.kind in ("attack_card", "late_attack_card") and isinstance(chosen, str):
            self._action = self._with_card(chosen)

    def _choice(self, decision: Decision, state: GameState) -> int:
        match decision.kind:
            case "action":
                return self._best_action(decision, state)
            case "attack_card" | "late_attack_card":
                return self._best_card(decision)
            case "defence_card":
                return self._best_defence(decision, state)
            case "critical":
                return self._double(decision)
            case "reroll":
                return _reroll(decision)
        return min(1, len(decision.options) - 1) if decision.kind in _TAKES else 0

    def _best_action(self, decision: Decision, state: GameState) -> int:
        best, most = 0, (-1.0, -1.0)
        for index, option in enumerate(decision.options):
            if isinstance(option, GameAction):
                merit = self._merit(option, state)
                if merit > most:
                    best, most = index, merit
        return best

    def _merit(self, action: GameAction, state: GameState) -> tuple[float, float]:
        """What it gains in damage; ACTIONs that gain nothing are ordered among themselves."""
        if action.name == "attack":
            return self._damage(state, replace(action, attack_card=None, defence_card=None)), 0.0
        if action.name == "move" and action.swap is None:
            return self._advance(state, action.by)
        if action.name == "medic" and action.on is not None:
            return 0.0, 2.0 + state.operators[action.on].hitcounter / 100
        return 0.0, {"evade": 1.0, "reload": 2.5}.get(action.name, 0.0)

    def _advance(self, state: GameState, key: Key) -> tuple[float, float]:
        """What an advance gains (A-2b); nothing for one with a HITCOUNTER: it costs DP."""
        value = objective_value(state, self.rules, key)
        who = state.operators[key]
        if who.hitcounter:
            return 0.0, 0.0
        moves = current_number(state, self.rules, key, "MP")
        if value is None:
            return 0.0, 0.5
        if has_reached(state, self.rules, key):
            return _OBJECTIVE_WORTH, 0.0
        return _OBJECTIVE_WORTH / 2 * min(1.0, moves / max(1, value - who.objectivecounter)), moves

    def _damage(self, state: GameState, attack: GameAction) -> float:
        """The expected damage of an attack that is allowed."""
        found = fast_expectation(self.path, state, attack) if self.path is not None else None
        return expected_damage(state, self.rules, attack) if found is None else found

    def _with_card(self, card: str) -> GameAction | None:
        return replace(self._action, attack_card=card) if self._action is not None else None

    def _best_card(self, decision: Decision) -> int:
        """The ATTACK card with which the attack does the most damage; none if none does more."""
        if self._action is None or self._before is None:
            return 0
        best, most = 0, self._damage(self._before, self._action)
        for index, card in enumerate(decision.options):
            attack = self._with_card(card) if isinstance(card, str) else None
            damage = self._damage(self._before, attack) if attack is not None else 0.0
            if damage > most:
                best, most = index, damage
        return best

    def _best_defence(self, decision: Decision, state: GameState) -> int:
        """The DEFENCE card that leaves the least damage; none if none leaves less."""
        if not isinstance(decision.about, tuple):
            return 0
        attacker, attacked = decision.about
        cards = [card if isinstance(card, str) else None for card in decision.options]
        left = [
            self._damage(state, GameAction("attack", attacker, attacked, None, False, None, card, None))
            for card in cards
        ]
        return left.index(min(left))

    def _double(self, decision: Decision) -> int:
        """Whether AP are higher with the die doubled (M-7), as the engine plays it."""
        if self._action is None or self._before is None or not isinstance(decision.about, DieOption):
            return 0
        shown = decision.about.result
        ap = []
        for choice in (0, 1):
            played = play_attack(self._before, self.rules, self._action, Choosing(choice), GivenDice([shown]))
            ap.append(played.ap if played else 0)
        return int(ap[1] > ap[0])


def _reroll(decision: Decision) -> int:
    """Own dice of 1 and 2, the enemy's of 5 and 6, the worst first."""
    enemy = decision.source is not None and " enemy " in decision.source.text
    worst = 0
    for index, option in enumerate(decision.options):
        if isinstance(option, DieOption) and (option.result >= 5 if enemy else option.result <= 2):
            other = decision.options[worst]
            if not isinstance(other, DieOption) or (option.result > other.result) == enemy:
                worst = index
    return worst
