"""The dice of an attack as multisets: rolls, rerolls and M-7 without the engine.

No effect reads a single die but thresholds and rerolls. So what comes of an attack depends on the sum of the
ATTACK D6 that are added, on how many are doubled instead, and on the sum of the DEFENCE D6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial
from typing import NamedTuple

from msgspec import Struct

from toolkit.dsl.effect_objects import Origin
from toolkit.engine.decisions import Decision, DieOption
from toolkit.engine.state import Side
from toolkit.play.odds.exploring import NO_DECISION, Case, Judge, Policy, Situation, TooManyWays
from toolkit.play.odds.measures import Outcome

Faces = tuple[int, ...]
"""What some dice show, in ascending order."""


class Counted(NamedTuple):
    """What comes of a position, with whole numbers in place of chances: the three measures in the order of
    the goal and the outcomes, each as often as they come up."""

    value: tuple[int, int, int]
    outcomes: dict[Outcome, int]
    policy: Policy = NO_DECISION


Leaf = Callable[[Faces, Faces, Faces], Counted]
"""What comes of ATTACK D6 that are added, others that are doubled, and DEFENCE D6."""


class Permission(NamedTuple):
    """To reroll so many dice: the player who may, which dice (ATTACK or DEFENCE), and the effect."""

    whose: Side
    die: str
    times: int
    origin: Origin | None


@lru_cache(maxsize=64)
def rolls(number: int) -> tuple[tuple[Faces, int], ...]:
    """Return what so many D6 can show, each with how many of the 6 ** number rolls show it."""
    counted = []
    for faces in combinations_with_replacement(range(1, 7), number):
        times = factorial(number)
        for count in Counter(faces).values():
            times //= factorial(count)
        counted.append((faces, times))
    return tuple(counted)


@lru_cache(maxsize=10_000)
def ways_to_double(faces: Faces, threshold: int) -> tuple[tuple[Faces, Faces], ...]:
    """Return the dice that are added and those that are doubled, for each way that M-7 allows.

    In the order of O-2: the fewest doubled first, then the lowest.
    """
    added_by_doubled: dict[Faces, Faces] = {(): faces}
    for die in faces:
        if die >= threshold:
            for doubled, added in list(added_by_doubled.items()):
                if die in added:
                    index = added.index(die)
                    more = tuple(sorted((*doubled, die)))
                    added_by_doubled.setdefault(more, (*added[:index], *added[index + 1 :]))
    in_order = sorted(added_by_doubled, key=lambda doubled: (len(doubled), doubled))
    return tuple((added_by_doubled[doubled], doubled) for doubled in in_order)


@lru_cache(maxsize=256)
def sums_of_dice(
    attacks: int, defences: int, threshold: int
) -> tuple[tuple[tuple[tuple[int, int], ...], int, int], ...]:
    """Return all rolls by what counts of them: for each way that M-7 allows what is added and how many dice
    are doubled, in the order of O-2; the sum of the DEFENCE D6; and how many rolls these are."""
    times_by_sums: Counter[tuple[tuple[tuple[int, int], ...], int]] = Counter()
    for attack_faces, attack_times in rolls(attacks):
        ways = dict.fromkeys(
            (sum(added), len(doubled)) for added, doubled in ways_to_double(attack_faces, threshold)
        )
        for defence_faces, defence_times in _by_sum(defences):
            times_by_sums[tuple(ways), sum(defence_faces)] += attack_times * defence_times
    return tuple((ways, defence_points, times) for (ways, defence_points), times in times_by_sums.items())


class DiceStage(Struct, eq=False):
    """The dice of one attack: how many ATTACK and DEFENCE D6, the lowest critical result, who may reroll what
    in which order, and what comes of each result.

    ``records`` says whether the policy is wanted. ``left`` is how many results may still be looked at.
    """

    judge: Judge
    attacks: int
    defences: int
    threshold: int
    permissions: Sequence[Permission]
    leaf: Leaf
    records: bool
    left: int
    solved: dict[object, Counted] = {}

    def solve(self) -> tuple[Counted, int]:
        """Return what comes of all rolls, and how many there are."""
        rerolls = sum(permission.times for permission in self.permissions)
        defence_rolls = rolls(self.defences)
        if not self.permissions and not self.records and self.defences > 1:
            defence_rolls = _by_sum(self.defences)
        damage = becomes_hit = hits = 0
        outcomes: dict[Outcome, int] = {}
        following: list[tuple[Fraction, Policy]] = []
        number = 6 ** (self.attacks + self.defences)
        for attack_faces, attack_times in rolls(self.attacks):
            for defence_faces, defence_times in defence_rolls:
                times = attack_times * defence_times
                if self.permissions:
                    counted = self._with_rerolls(0, None, attack_faces, (), defence_faces, ())
                else:
                    counted = self._doubling(attack_faces, defence_faces)
                first, second, third = counted.value
                damage += times * first
                becomes_hit += times * second
                hits += times * third
                for outcome, count in counted.outcomes.items():
                    outcomes[outcome] = outcomes.get(outcome, 0) + times * count
                if counted.policy is not NO_DECISION:
                    following.append((Fraction(times, number), counted.policy))
        policy = Policy(None, tuple(following)) if following else NO_DECISION
        return Counted((damage, becomes_hit, hits), outcomes, policy), number * 6**rerolls

    def _doubling(self, attack_faces: Faces, defence_faces: Faces) -> Counted:
        """M-7: the attacking player chooses which of the critical dice are doubled."""
        ways = ways_to_double(attack_faces, self.threshold)
        self.left -= len(ways)
        if self.left < 0:
            raise TooManyWays
        best_doubled: Faces = ()
        best = self.leaf(attack_faces, (), defence_faces)
        if len(ways) == 1:
            return best
        solutions = [(best_doubled, best)]
        for added, doubled in ways[1:]:
            counted = self.leaf(added, doubled, defence_faces)
            solutions.append((doubled, counted))
            if counted.value > best.value:
                best_doubled, best = doubled, counted
        if not self.records:
            return best
        options = [(doubled, self.judge.in_measures(counted.value)) for doubled, counted in solutions]
        decision = Decision("critical", self.judge.attacking, (), "")
        case = Case(decision, Situation((attack_faces, defence_faces)), tuple(options), best_doubled)
        return best._replace(policy=_after(case, best.policy))

    def _with_rerolls(
        self,
        index: int,
        left: int | None,
        attacks: Faces,
        new_attacks: Faces,
        defences: Faces,
        new_defences: Faces,
    ) -> Counted:
        """What comes of dice if the permissions from one on may be used; ``left`` is how often that one still
        may, ``new_attacks`` and ``new_defences`` are the dice that were rerolled by it.

        Counted in so many times as there are results of all rerolls that are left.
        """
        if index == len(self.permissions):
            return self._doubling(attacks, defences)
        key = index, left, attacks, new_attacks, defences, new_defences
        counted = self.solved.get(key)
        if counted is None:
            permission = self.permissions[index]
            left = permission.times if left is None else left
            declined = self._with_rerolls(
                index + 1, None, _joined(attacks, new_attacks), (), _joined(defences, new_defences), ()
            )
            counted = declined if left == 0 else self._reroll(permission, index, left, declined, *key[2:])
            self.solved[key] = counted
        return counted

    def _reroll(
        self,
        permission: Permission,
        index: int,
        left: int,
        declined: Counted,
        attacks: Faces,
        new_attacks: Faces,
        defences: Faces,
        new_defences: Faces,
    ) -> Counted:
        """Decide whether and which die is rolled again; of equal dice the lowest (O-2)."""
        rest = 6**left
        first, second, third = declined.value
        best_die, best = (
            0,
            Counted(
                (first * rest, second * rest, third * rest),
                {outcome: count * rest for outcome, count in declined.outcomes.items()},
                declined.policy,
            ),
        )
        is_attack = permission.die == "ATTACK"
        pool = attacks if is_attack else defences
        if not pool:
            return best
        attacking = permission.whose == self.judge.attacking
        solutions = [best]
        dice = sorted(set(pool))
        for die in dice:
            place = pool.index(die)
            others = (*pool[:place], *pool[place + 1 :])
            results = []
            for face in range(1, 7):
                if is_attack:
                    new = _joined(new_attacks, (face,))
                    results.append(self._with_rerolls(index, left - 1, others, new, defences, new_defences))
                else:
                    new = _joined(new_defences, (face,))
                    results.append(self._with_rerolls(index, left - 1, attacks, new_attacks, others, new))
            mixed = _mixed(results)
            solutions.append(mixed)
            if mixed.value > best.value if attacking else mixed.value < best.value:
                best_die, best = die, mixed
        if not self.records:
            return best
        faces = _joined(attacks, new_attacks), _joined(defences, new_defences)
        remaining = rest * 6 ** sum(later.times for later in self.permissions[index + 1 :])
        options = [
            (
                None if die == 0 else DieOption(0, permission.die, die),
                self.judge.in_measures(counted.value, remaining),
            )
            for die, counted in zip((0, *dice), solutions, strict=True)
        ]
        taken = None if best_die == 0 else DieOption(0, permission.die, best_die)
        case = Case(
            Decision("reroll", permission.whose, (), "", permission.origin),
            Situation(faces),
            tuple(options),
            taken,
        )
        return best._replace(policy=_after(case, best.policy))


@lru_cache(maxsize=64)
def _by_sum(number: int) -> tuple[tuple[Faces, int], ...]:
    """So many D6 by their sum: one result for each, with how many rolls have that sum."""
    faces_by_sum: dict[int, Faces] = {}
    times_by_sum: Counter[int] = Counter()
    for faces, times in rolls(number):
        faces_by_sum.setdefault(sum(faces), faces)
        times_by_sum[sum(faces)] += times
    return tuple((faces_by_sum[total], times) for total, times in times_by_sum.items())


def _joined(faces: Faces, more: Faces) -> Faces:
    return tuple(sorted(faces + more)) if more else faces


def _mixed(results: Sequence[Counted]) -> Counted:
    """What comes of six faces, counted six times as often."""
    outcomes: dict[Outcome, int] = {}
    for counted in results:
        for outcome, count in counted.outcomes.items():
            outcomes[outcome] = outcomes.get(outcome, 0) + count
    first, second, third = (
        sum(measure) for measure in zip(*(counted.value for counted in results), strict=True)
    )
    sixth = Fraction(1, 6)
    following = [(sixth, counted.policy) for counted in results if counted.policy is not NO_DECISION]
    return Counted(
        (first, second, third), outcomes, Policy(None, tuple(following)) if following else NO_DECISION
    )


def _after(case: Case, policy: Policy) -> Policy:
    return Policy(case, () if policy is NO_DECISION else ((Fraction(1), policy),))
