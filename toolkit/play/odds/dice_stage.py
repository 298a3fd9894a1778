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

from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.decisions import Decision, DieOption
from toolkit.engine.state import Side
from toolkit.play.odds.exploring import NO_DECISION, Case, Dice, Judge, Policy, Situation, TooManyWays
from toolkit.play.odds.measures import Outcome
from toolkit.vocabulary.comparisons import COMPARE

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


class DiceChange(NamedTuple):
    """To reroll or set (``sets_to``) so many dice: the player who does, which dice (ATTACK or DEFENCE), and
    the effect. ``shown`` says which can be rerolled (E-25); what is not ``optional`` must be done (E-24)."""

    whose: Side
    die: str
    times: int
    origin: Origin | None
    shown: tree.Shown | None = None
    sets_to: int | None = None
    optional: bool = True

    @property
    def rerolls(self) -> int:
        """How many dice are rolled again at most."""
        return self.times if self.sets_to is None else 0

    def options(self, faces: Faces) -> list[int]:
        """Return what dice show that can be chosen, each once."""
        shown = self.shown
        can_be_chosen = set(faces)
        if shown is not None:
            can_be_chosen = {face for face in faces if COMPARE[shown.compare](face, shown.number)}
        return sorted(can_be_chosen)


class Keeping(NamedTuple):
    """E-23: of the ATTACK or DEFENCE D6 only so many are kept, the highest or the lowest."""

    die: str
    most: int
    highest: bool

    def kept(self, faces: Faces) -> Faces:
        """Return the dice that are kept."""
        return faces[max(0, len(faces) - self.most) :] if self.highest else faces[: self.most]


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
                    all_doubled = tuple(sorted((*doubled, die)))
                    added_by_doubled.setdefault(all_doubled, (*added[:index], *added[index + 1 :]))
    in_order = sorted(added_by_doubled, key=lambda doubled: (len(doubled), doubled))
    return tuple((added_by_doubled[doubled], doubled) for doubled in in_order)


Sums = tuple[int, Faces, Faces]
"""The sum of the ATTACK D6 that are added, these dice, and those that are doubled."""


@lru_cache(maxsize=256)
def sums_of_attack_dice(
    number: int, threshold: int, keeping: tuple[Keeping, ...]
) -> tuple[tuple[tuple[Sums, ...], int], ...]:
    """Return all rolls of ATTACK D6 by what counts of them: for each way that M-7 allows what is added and
    how many are doubled, in the order of O-2; and how many rolls these are."""
    times_by_sums: Counter[tuple[tuple[int, int], ...]] = Counter()
    ways_by_sums: dict[tuple[tuple[int, int], ...], tuple[Sums, ...]] = {}
    for faces, times in rolls(number):
        ways: dict[tuple[int, int], Sums] = {}
        for added, doubled in ways_to_double(kept(faces, "ATTACK", keeping), threshold):
            ways.setdefault((sum(added), len(doubled)), (sum(added), added, doubled))
        ways_by_sums.setdefault(tuple(ways), tuple(ways.values()))
        times_by_sums[tuple(ways)] += times
    return tuple((ways_by_sums[sums], times) for sums, times in times_by_sums.items())


@lru_cache(maxsize=256)
def sums_of_defence_dice(number: int, keeping: tuple[Keeping, ...]) -> tuple[tuple[int, Faces, int], ...]:
    """Return all rolls of DEFENCE D6 by the sum of what is kept: it, dice that show it, how many rolls."""
    faces_by_sum: dict[int, Faces] = {}
    times_by_sum: Counter[int] = Counter()
    for faces, times in rolls(number):
        kept_faces = kept(faces, "DEFENCE", keeping)
        faces_by_sum.setdefault(sum(kept_faces), kept_faces)
        times_by_sum[sum(kept_faces)] += times
    return tuple((total, faces_by_sum[total], times) for total, times in times_by_sum.items())


def kept(faces: Faces, die: str, keeping: Sequence[Keeping]) -> Faces:
    """Return the dice that are kept of ATTACK or DEFENCE D6 (E-23)."""
    for keeping_dice in keeping:
        if keeping_dice.die == die:
            faces = keeping_dice.kept(faces)
    return faces


class DiceStage(Struct, eq=False):
    """The dice of one attack: how many ATTACK and DEFENCE D6, the lowest critical result, who rerolls and
    sets what in which order, which dice are kept then, and what comes of each result.

    ``records`` says whether the policy is wanted, ``results_left`` how many results may still be looked at.
    """

    judge: Judge
    attacks: int
    defences: int
    threshold: int
    dice_changes: Sequence[DiceChange]
    keeping: Sequence[Keeping]
    leaf: Leaf
    records: bool
    results_left: int
    solved: dict[object, Counted] = {}

    def solve(self) -> tuple[Counted, int]:
        """Return what comes of all rolls, and how many there are."""
        rerolls = sum(dice_change.rerolls for dice_change in self.dice_changes)
        total_first = total_second = total_third = 0
        outcomes: dict[Outcome, int] = {}
        following: list[tuple[Fraction, Policy]] = []
        number = 6 ** (self.attacks + self.defences)
        for attack_faces, attack_times in rolls(self.attacks):
            for defence_faces, defence_times in rolls(self.defences):
                times = attack_times * defence_times
                if self.dice_changes:
                    counted = self._with_changes(0, None, attack_faces, (), defence_faces, ())
                else:
                    counted = self._doubling(attack_faces, defence_faces)
                first, second, third = counted.value
                total_first += times * first
                total_second += times * second
                total_third += times * third
                for outcome, count in counted.outcomes.items():
                    outcomes[outcome] = outcomes.get(outcome, 0) + times * count
                if counted.policy is not NO_DECISION:
                    following.append((Fraction(times, number), counted.policy))
        policy = Policy(None, tuple(following)) if following else NO_DECISION
        return Counted((total_first, total_second, total_third), outcomes, policy), number * 6**rerolls

    def _doubling(self, attack_faces: Faces, defence_faces: Faces) -> Counted:
        """M-7: the attacking player chooses which of the critical dice that are kept are doubled."""
        attack_faces = kept(attack_faces, "ATTACK", self.keeping)
        defence_faces = kept(defence_faces, "DEFENCE", self.keeping)
        ways = ways_to_double(attack_faces, self.threshold)
        self.results_left -= len(ways)
        if self.results_left < 0:
            raise TooManyWays
        solutions = {doubled: self.leaf(added, doubled, defence_faces) for added, doubled in ways}
        # of equally good ways `max` takes the first, and they are in the order of O-2
        best_doubled = max(solutions, key=lambda doubled: solutions[doubled].value)
        best = solutions[best_doubled]
        if len(ways) == 1 or not self.records:
            return best
        options = [(doubled, self.judge.in_measures(counted.value)) for doubled, counted in solutions.items()]
        decision = Decision("critical", self.judge.attacking, (), "")
        case = Case(decision, Situation((attack_faces, defence_faces)), tuple(options), best_doubled)
        return best._replace(policy=_after(case, best.policy))

    def _with_changes(
        self,
        index: int,
        left: int | None,
        attacks: Faces,
        new_attacks: Faces,
        defences: Faces,
        new_defences: Faces,
    ) -> Counted:
        """What comes of dice if they may be changed from one change on; ``left`` is how often that one still
        may be, ``new_attacks`` and ``new_defences`` are the dice that were changed by it.

        Counted in so many times as there are results of all rerolls that are left.
        """
        dice = attacks, new_attacks, defences, new_defences
        key = index, left, *dice
        counted = self.solved.get(key)
        if counted is None and index == len(self.dice_changes):
            counted = self.solved[key] = self._doubling(attacks, defences)
        if counted is None:
            dice_change = self.dice_changes[index]
            left = dice_change.times if left is None else left
            declined = self._with_changes(
                index + 1, None, _joined(attacks, new_attacks), (), _joined(defences, new_defences), ()
            )
            counted = declined if left == 0 else self._changed(dice_change, index, left, declined, *dice)
            self.solved[key] = counted
        return counted

    def _changed(
        self,
        dice_change: DiceChange,
        index: int,
        left: int,
        declined: Counted,
        attacks: Faces,
        new_attacks: Faces,
        defences: Faces,
        new_defences: Faces,
    ) -> Counted:
        """Decide whether and which die is changed; of equally good ones the lowest (O-2).

        As ``_with_changes`` counts, ``declined`` has to be counted once for each result of the rerolls.
        """
        is_attack = dice_change.die == "ATTACK"
        pool = attacks if is_attack else defences
        dice = dice_change.options(pool)
        reroll_results = 6**left if dice_change.sets_to is None else 1
        not_changed = _times(declined, reroll_results)
        if not dice:
            return not_changed
        must_be_done = not dice_change.optional
        solutions: dict[int, Counted] = {} if must_be_done else {0: not_changed}
        faces = range(1, 7) if dice_change.sets_to is None else (dice_change.sets_to,)
        for die in dice:
            index_of_die = pool.index(die)
            others = (*pool[:index_of_die], *pool[index_of_die + 1 :])
            results = []
            for face in faces:
                if is_attack:
                    state = others, _joined(new_attacks, (face,)), defences, new_defences
                else:
                    state = attacks, new_attacks, others, _joined(new_defences, (face,))
                results.append(self._with_changes(index, left - 1, *state))
            solutions[die] = _mixed(results) if len(results) > 1 else results[0]
            if must_be_done and len(pool) <= left:
                return solutions[die]  # all of them are set, and nobody is asked
        best_die = self._best(solutions, dice_change.whose)
        best = solutions[best_die]
        if not self.records:
            return best
        later_rerolls = sum(later.rerolls for later in self.dice_changes[index + 1 :])
        shown_dice = _joined(attacks, new_attacks), _joined(defences, new_defences)
        times = reroll_results * 6**later_rerolls
        case = self._change_case(dice_change, shown_dice, solutions, best_die, times)
        return best._replace(policy=_after(case, best.policy))

    def _change_case(
        self,
        dice_change: DiceChange,
        shown_dice: Dice,
        solutions: dict[int, Counted],
        best_die: int,
        times: int,
    ) -> Case:
        """The decision which die is changed (0: none), each solution counted so many times."""
        options = [
            (_die_option(dice_change, die), self.judge.in_measures(counted.value, times))
            for die, counted in solutions.items()
        ]
        kind = "reroll" if dice_change.sets_to is None else "set"
        decision = Decision(kind, dice_change.whose, (), "", dice_change.origin)
        return Case(decision, Situation(shown_dice), tuple(options), _die_option(dice_change, best_die))

    def _best(self, solutions: dict[int, Counted], whose: Side) -> int:
        """Return the die whose change is best for a player, the first of equally good ones."""
        attacking = whose == self.judge.attacking
        best_die, *others = solutions
        for die in others:
            value, best_value = solutions[die].value, solutions[best_die].value
            if value > best_value if attacking else value < best_value:
                best_die = die
        return best_die


def _die_option(dice_change: DiceChange, die: int) -> DieOption | None:
    return None if die == 0 else DieOption(0, dice_change.die, die)


def _times(counted: Counted, times: int) -> Counted:
    """The same, counted so many times as often."""
    if times == 1:
        return counted
    first, second, third = counted.value
    outcomes = {outcome: count * times for outcome, count in counted.outcomes.items()}
    return Counted((first * times, second * times, third * times), outcomes, counted.policy)


def _joined(faces: Faces, further_faces: Faces) -> Faces:
    return tuple(sorted(faces + further_faces)) if further_faces else faces


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
