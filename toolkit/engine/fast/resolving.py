"""An attack whose state is settled, resolved for any dice and choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from toolkit.engine.fast.compiled import Permission

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
        return to_roll(self._second(added, doublings, defence), self._permissions)

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
        sums = sums_of(attack_dice[:attack], defence_dice[:defence], first.threshold, chosen)
        won = self.won_dice(*sums)
        wanted = attack + won.attack_dice, defence + won.defence_dice
        if (len(attack_dice), len(defence_dice)) != wanted:
            raise ValueError(f"{wanted[0]} ATTACK D6 and {wanted[1]} DEFENCE D6 are rolled here")
        if self._second is None:
            return FastOutcome._make(self.numbers(*sums))
        more = sums_of(attack_dice[attack:], defence_dice[defence:], won.threshold, chosen)
        return FastOutcome._make(self.numbers(*sums, *more))

    def resolve_all(self, sums: Iterable[Sequence[int]]) -> list[Numbers]:
        """The results for many sums of dice, as ``numbers`` gives them."""
        numbers = self.numbers
        return [numbers(*one) for one in sums]


def sums_of(
    attack: Sequence[int], defence: Sequence[int], threshold: int, choices: Iterable[bool]
) -> tuple[int, int, int]:
    """The sum of ATTACK D6 that are added, how many are doubled, and the sum of DEFENCE D6 (M-6, M-7)."""
    added = doublings = 0
    chosen = iter(choices)
    for die in attack:
        if die >= threshold and next(chosen, False):
            doublings += 1
        else:
            added += die
    return added, doublings, sum(defence)


def to_roll(facts: Sequence[int], permissions: Sequence[Permission]) -> DiceToRoll:
    """What is rolled, from the facts as generated code returns them."""
    attack, defence, threshold, *counts = facts
    rerolls = tuple(
        MayReroll(may.attacking, may.die, count)
        for may, count in zip(permissions, counts, strict=True)
        if count
    )
    return DiceToRoll(attack, defence, threshold, rerolls)
