"""The way through all answers: the engine plays again and again, with forced answers, until each option of
each decision and each face of each die has been seen.

It is generic: what is played is a function from forced answers to what comes of them and to the questions
that were asked on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from toolkit.engine.decisions import Decision, DieOption
from toolkit.engine.state import Side
from toolkit.play.odds.measures import (
    GOALS,
    Distribution,
    Goal,
    Measures,
    Outcome,
    measures_of,
    preferred_order,
)

Dice = tuple[tuple[int, ...], tuple[int, ...]]
"""What the ATTACK D6 and the DEFENCE D6 show, each in ascending order."""

DEFAULT_LIMIT = 200_000
"""So many ways through an attack are played at most."""


class TooManyWays(Exception):
    """There are more ways through an attack than the limit allows."""


class Situation(NamedTuple):
    """What is known when a decision is asked: the dice, until AP and EP are compared; then ``compared``:
    DAMAGE, whether the attack hits, whether it is CRITICAL."""

    dice: Dice = ((), ())
    compared: tuple[int, bool, bool] | None = None


NOTHING_KNOWN = Situation()


class Question(NamedTuple):
    """A decision, or chance (``decision`` is None) with so many results, equally likely without
    ``chances``."""

    options: int
    decision: Decision | None = None
    situation: Situation = NOTHING_KNOWN
    chances: tuple[Fraction, ...] | None = None


class Case(NamedTuple):
    """A decision as it is taken in a situation: the options by name, each with the three measures that it
    would give, and which one is taken."""

    decision: Decision
    situation: Situation
    options: tuple[tuple[object, Measures], ...]
    taken: object


class Policy(NamedTuple):
    """What is decided from here on: cases, then what follows with a chance each."""

    case: Case | None = None
    following: tuple[tuple[Fraction, Policy], ...] = ()


NO_DECISION = Policy()
_ALWAYS = Fraction(1)


DoubledDice = tuple[int, ...]
"""What the dice show that are doubled, in ascending order (M-7)."""


class Solution(NamedTuple):
    """What comes of a position if both players decide well.

    ``value`` are the three measures in the order of the goal. While M-7 is asked die by die,
    ``alternatives`` holds by the dice that are doubled in all what would come of it; the decision is one,
    ``question`` is its first.
    """

    distribution: Distribution
    value: Measures
    policy: Policy = NO_DECISION
    alternatives: Alternatives | None = None
    question: Question | None = None


Alternatives = dict[DoubledDice, Solution]
"""What comes of each way to double dice."""


class Judge:
    """The goal of an attack by which solutions are compared: its player makes it great, the other small.

    ``records`` says whether the policy is wanted, too.
    """

    def __init__(self, goal: Goal, attacking: Side, *, records: bool = True) -> None:
        self.order, self.attacking, self.records = GOALS[goal], attacking, records

    def solution(self, distribution: Distribution) -> Solution:
        """Return what has come about, with nothing left to decide."""
        measures = measures_of(distribution)
        first, second, third = self.order
        return Solution(distribution, (measures[first], measures[second], measures[third]))

    def measures(self, solution: Solution) -> Measures:
        """Return expected DAMAGE, the chance of HIT and that of a hit."""
        by_measure = dict(zip(self.order, solution.value, strict=True))
        return by_measure[0], by_measure[1], by_measure[2]

    def in_measures(self, value: Sequence[Fraction | int], times: int = 1) -> Measures:
        """Return a value in the order of the goal, counted so many times, as the three measures."""
        by_measure = dict(zip(self.order, value, strict=True))
        return (
            Fraction(by_measure[0]) / times,
            Fraction(by_measure[1]) / times,
            Fraction(by_measure[2]) / times,
        )

    def is_better(self, value: Measures, than: Measures, whose: Side) -> bool:
        """Whether a value is better for a player than another (O-1)."""
        return value > than if whose == self.attacking else value < than

    def mixed(self, question: Question, solutions: Sequence[Solution]) -> Solution:
        """Return what comes of chance, which gives one of several solutions."""
        chances = question.chances or (Fraction(1, len(solutions)),) * len(solutions)
        distribution: dict[Outcome, Fraction] = {}
        first = second = third = Fraction(0)
        following = []
        for chance, solution in zip(chances, solutions, strict=True):
            for outcome, share in solution.distribution.items():
                distribution[outcome] = distribution.get(outcome, 0) + share * chance
            first += chance * solution.value[0]
            second += chance * solution.value[1]
            third += chance * solution.value[2]
            if solution.policy is not NO_DECISION:
                following.append((chance, solution.policy))
        policy = Policy(None, tuple(following)) if following else NO_DECISION
        return Solution(distribution, (first, second, third), policy)

    def decided(self, question: Question, solutions: Sequence[Solution]) -> Solution:
        """Return what comes of a decision: the solution of its best option, whose policy begins with it."""
        decision = question.decision
        assert decision is not None
        if decision.kind == "critical":  # asked die by die, but all dice are one decision
            return self._doubling(question, solutions)
        best = self._best_option(decision, solutions)
        if not self.records:
            return solutions[best]
        options = zip(decision.options, map(self.measures, solutions), strict=True)
        case = Case(decision, question.situation, tuple(options), decision.options[best])
        following = ((_ALWAYS, solutions[best].policy),)
        return solutions[best]._replace(policy=Policy(case, following))

    def _best_option(self, decision: Decision, solutions: Sequence[Solution]) -> int:
        """Return the index of the best option for whom is asked, of equal ones the preferred (O-2)."""
        first, *other_indexes = preferred_order(decision.options)
        best = first
        for index in other_indexes:
            if self.is_better(solutions[index].value, solutions[best].value, decision.whose):
                best = index
        return best

    def _doubling(self, question: Question, solutions: Sequence[Solution]) -> Solution:
        """M-7: the best of all ways to double the dice from this one on.

        The engine asks die by die in the order in which they were rolled, but it is one decision: dice of the
        same faces must give the same solution in any order, and its policy has one case. So all ways are
        handed on as ``alternatives``, until the first die of them is reached (``closed``).
        """
        decision = question.decision
        assert decision is not None
        alternatives = _ways_from(decision, solutions)
        best = self._best_doubling(alternatives, decision.whose)
        return alternatives[best]._replace(alternatives=alternatives, question=question)

    def _best_doubling(self, alternatives: Alternatives, whose: Side) -> DoubledDice:
        """Return the dice to double: of equally good ways the first in the order of O-2."""
        best, *others = sorted(alternatives, key=_fewest_and_lowest)
        for doubled in others:
            if self.is_better(alternatives[doubled].value, alternatives[best].value, whose):
                best = doubled
        return best

    def closed(self, solution: Solution) -> Solution:
        """Return a solution that no further die of M-7 belongs to."""
        question = solution.question
        if question is None or question.decision is None or solution.alternatives is None:
            return solution
        if not self.records:
            return Solution(solution.distribution, solution.value)
        ways = solution.alternatives
        options = [
            (doubled, self.measures(ways[doubled])) for doubled in sorted(ways, key=_fewest_and_lowest)
        ]
        taken = self._best_doubling(ways, question.decision.whose)
        case = Case(question.decision, question.situation, tuple(options), taken)
        return Solution(solution.distribution, solution.value, Policy(case, ((_ALWAYS, solution.policy),)))


def _ways_from(decision: Decision, solutions: Sequence[Solution]) -> Alternatives:
    """Return what comes of each way to double dice, of which a decision is about the first: those of the
    solution in which it is added, and of the one in which it is doubled, too."""
    die = decision.about
    assert isinstance(die, DieOption)
    ways: Alternatives = {}
    for answer, solution in zip(decision.options, solutions, strict=True):
        own_die = (die.result,) if answer == "double" else ()
        for doubled, alternative in (solution.alternatives or {(): solution}).items():
            ways.setdefault(tuple(sorted((*doubled, *own_die))), alternative)
    return ways


def _fewest_and_lowest(doubled: DoubledDice) -> tuple[int, DoubledDice]:
    """The order of O-2 of ways to double: the fewest dice first, then the lowest."""
    return len(doubled), doubled


Play = Callable[[Sequence[int]], tuple[Solution, Sequence[Question]]]
"""Plays with forced answers, 0 where they have run out; returns what came of it, and all questions."""


def explore(play: Play, judge: Judge) -> Solution:
    """Return what comes of all ways, depth first."""

    def solve(
        answers: Sequence[int], depth: int, outcome: Solution, questions: Sequence[Question]
    ) -> Solution:
        """Solve the position after so many answers; ``outcome`` came of the first way on from it."""
        if depth == len(questions):
            return outcome
        question = questions[depth]
        solutions = [solve(answers, depth + 1, outcome, questions)]
        answers_before = [*answers[:depth], *[0] * (depth - len(answers))]
        for answer in range(1, question.options):
            forced = [*answers_before, answer]
            solutions.append(solve(forced, depth + 1, *play(forced)))
        if question.decision is None or question.decision.kind != "critical":
            solutions = [judge.closed(solution) for solution in solutions]
        combine = judge.mixed if question.decision is None else judge.decided
        return combine(question, solutions)

    return judge.closed(solve((), 0, *play(())))
