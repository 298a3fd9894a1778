"""The interface of the fast path: attacks in a state, with generated code that is kept for the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolkit.engine.fast.compiled import MatchUp, compile_shape
from toolkit.engine.fast.facts import read
from toolkit.engine.fast.resolving import FastAttack, FastOutcome, NotFused, to_roll
from toolkit.engine.fast.shapes import Shape, Shapes
from toolkit.engine.fast.windows import Windows, why_shut
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key

__all__ = ["FastAttack", "FastOutcome", "FastPath", "NotFused", "fast_attack"]

MOST_MATCH_UPS = 4096
"""So many match-ups are kept compiled; then the cache begins anew."""


@dataclass(slots=True)
class FastPath:
    """The fast path for games under the same rules, with the match-ups compiled so far."""

    rules: Rules
    _shapes: Shapes = field(init=False)
    _match_ups: dict[Shape, MatchUp] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._shapes = Shapes(self.rules)

    def attack(
        self,
        state: GameState,
        attacker: Key,
        attacked: Key,
        attack_card: str | None = None,
        defence_card: str | None = None,
        late_attack_card: str | None = None,
    ) -> FastAttack | NotFused:
        """An attack from the first step of MODIFY on, with the cards that are attached in step 5 (M-5).

        Whether the attack is allowed is not asked. NotFused where the reference must play it.
        """
        windows = (attack_card, defence_card, late_attack_card)
        why = why_shut(self.rules, state, attacker, attacked, windows)
        if why is not None:
            return NotFused(why)
        match_up, keys = self.match_up(state, attacker, attacked, windows)
        blue = state.operators[attacker].side
        prepared = match_up.prepare
        (shut, *first), second, numbers = prepared.function(*read(prepared.readings, state, keys, blue))
        if shut:
            return NotFused("the attacked OPERATOR cannot have DEFENCE cards")
        dice = to_roll(first, match_up.first)
        return FastAttack(dice, numbers, second, match_up.second)

    def match_up(
        self,
        state: GameState,
        attacker: Key,
        attacked: Key,
        windows: Windows = (None, None, None),
    ) -> tuple[MatchUp, tuple[Key, ...]]:
        """The generated code for an attack, and the OPERATORs of the state that it speaks of."""
        operators = state.operators
        shape, keys = self._shapes.of(state, operators[attacker], operators[attacked], windows)
        found = self._match_ups.get(shape)
        if found is None:
            if len(self._match_ups) >= MOST_MATCH_UPS:
                self._match_ups.clear()
            found = self._match_ups[shape] = compile_shape(self.rules, shape)
        return found, keys


_KEPT: list[FastPath] = []


def fast_attack(rules: Rules, state: GameState, attacker: Key, attacked: Key) -> FastAttack | NotFused:
    """An attack without cards from the hand, on the path kept for the rules that were asked about last."""
    if not _KEPT or _KEPT[0].rules is not rules:
        _KEPT[:] = [FastPath(rules)]
    return _KEPT[0].attack(state, attacker, attacked)
