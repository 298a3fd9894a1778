"""The slow way to exact odds: the whole ACTION is played for each die and each answer.

It knows nothing of the rules but that the engine asks. It is what the fast way is measured by, and what does
what the fast way cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from toolkit.play.odds.exploring import Judge, Question, Solution, explore
from toolkit.play.odds.forced_attack import ForcedAttack
from toolkit.play.odds.measures import Goal


def solve_by_replay(attack: ForcedAttack, goal: Goal) -> Solution:
    """Return what comes of an attack that is allowed."""
    judge = Judge(goal, attack.position.attacking)

    def play(answers: Sequence[int]) -> tuple[Solution, Sequence[Question]]:
        outcome, questions = attack.play(answers)
        return judge.solution({outcome: Fraction(1)}), questions

    try:
        return explore(play, judge)
    finally:
        attack.restore()
