"""The interface of the fast path: an attack in a state, resolved for any dice and choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolkit.engine.fast.compiled import MatchUp, Permission, compile_shape
from toolkit.engine.fast.facts import read
from toolkit.engine.fast.shapes import Shape, Shapes
from toolkit.engine.fast.windows import why_shut
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key

MOST_MATCH_UPS = 4096
"""So many match-ups are kept compiled; then the cache begins anew."""

Numbers = tuple[int, int, int, bool, bool, int]
"""AP, EP, damage, critical, hit and DP, as generated functions return them."""


class FastOutcome(NamedTuple):
    """What an attack comes to.

    ``ap`` and ``ep`` are the numbers that A-1 compares, ``damage`` what the HITCOUNTER grows by, ``critical``
    that a die was doubled (M-7). ``hit`` is whether H-1 strikes the attacked OPERATOR directly after the
    comparison, before any event, and ``dp`` his DP then.
    """

    ap: int
    ep: int
    damage: int
    critical: bool
    hit: bool
    dp: int


@dataclass(frozen=True, slots=True)
class MayReroll:
    """A permission to reroll so many dice, each at most once; ``attacking``: the attacking player decides."""

    attacking: bool
    die: str
    count: int


@dataclass(frozen=True, slots=True)
class DiceToRoll:
    """What is rolled; a die of ``threshold`` or more is critical. ``rerolls`` in the order of being asked."""

    attack_dice: int
    defence_dice: int
    threshold: int
    rerolls: tuple[MayReroll, ...]


NO_DICE = DiceToRoll(0, 0, 6, ())


@dataclass(frozen=True, slots=True)
class NotFused:
    """An attack that only the reference interpreter plays, and why, as a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class FastAttack:
    """An attack in a state: everything but dice and choices is settled.

    ``dice`` is what is rolled first. ``numbers(added, doublings, defence)`` gives the result for sums: the
    sum of the ATTACK D6 that are added, how many are doubled instead, the sum of the DEFENCE D6. Where a
    CRITICAL may win more dice (``second_roll``) three more arguments are the same of those.
    """

    dice: DiceToRoll
    numbers: Callable[..., Numbers]
    _second: Callable[[int, int, int], Sequence[int]] | None
    _permissions: tuple[Permission, ...]

    @property
    def second_roll(self) -> bool:
        """Whether more dice may be rolled after M-7."""
        return self._second is not None

    def won_dice(self, added: int, doublings: int, defence: int) -> DiceToRoll:
        """What is rolled after M-7, for sums of the first dice."""
        if self._second is None:
            return NO_DICE
        return _to_roll(self._second(added, doublings, defence), self._permissions)

    def resolve(
        self, attack_dice: Sequence[int], defence_dice: Sequence[int], choices: Iterable[bool] = ()
    ) -> FastOutcome:
        """The outcome for dice as they lie in the end, rerolls included, those won after M-7 last.

        ``choices`` say for each critical die in that order whether AP is doubled; what is missing adds the
        die. ValueError for a wrong number of dice.
        """
        chosen = iter(choices)
        first = self.dice
        attack, defence = first.attack_dice, first.defence_dice
        sums = _sums(attack_dice[:attack], defence_dice[:defence], first.threshold, chosen)
        won = self.won_dice(*sums)
        wanted = attack + won.attack_dice, defence + won.defence_dice
        if (len(attack_dice), len(defence_dice)) != wanted:
            raise ValueError(f"{wanted[0]} ATTACK D6 and {wanted[1]} DEFENCE D6 are rolled here")
        if self._second is None:
            return FastOutcome._make(self.numbers(*sums))
        more = _sums(attack_dice[attack:], defence_dice[defence:], won.threshold, chosen)
        return FastOutcome._make(self.numbers(*sums, *more))

    def resolve_all(self, sums: Iterable[Sequence[int]]) -> list[Numbers]:
        """The results for many sums of dice, as ``numbers`` gives them."""
        numbers = self.numbers
        return [numbers(*one) for one in sums]


def _sums(
    attack: Sequence[int], defence: Sequence[int], threshold: int, choices: Iterable[bool]
) -> tuple[int, int, int]:
    added = doublings = 0
    chosen = iter(choices)
    for die in attack:
        if die >= threshold and next(chosen, False):
            doublings += 1
        else:
            added += die
    return added, doublings, sum(defence)


def _to_roll(facts: Sequence[int], permissions: Sequence[Permission]) -> DiceToRoll:
    attack, defence, threshold, *counts = facts
    rerolls = tuple(
        MayReroll(may.attacking, may.die, count)
        for may, count in zip(permissions, counts, strict=True)
        if count
    )
    return DiceToRoll(attack, defence, threshold, rerolls)


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
        prepared: Any = match_up.prepare
        (shut, *first), second, numbers = prepared.function(*read(prepared.readings, state, keys, blue))
        if shut:
            return NotFused("the attacked OPERATOR cannot have DEFENCE cards")
        dice = _to_roll(first, match_up.first)
        return FastAttack(dice, numbers, second, match_up.second)

    def match_up(
        self,
        state: GameState,
        attacker: Key,
        attacked: Key,
        windows: tuple[str | None, str | None, str | None] = (None, None, None),
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
