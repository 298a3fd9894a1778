"""Solving an attack: the fast way where it can, else the slow one; both give the same fractions."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from toolkit.engine.outcomes import EndlessChain, Refusal
from toolkit.play.odds.aftermath import Analysis
from toolkit.play.odds.exploring import Judge, Solution
from toolkit.play.odds.fast import CannotBeFast, FastWay
from toolkit.play.odds.forced_attack import AttackPosition, ForcedAttack
from toolkit.play.odds.measures import Goal, Measures
from toolkit.play.odds.reference import solve_by_replay


class Solved(Struct, frozen=True):
    """What comes of an attack; ``deck_matters`` and ``chain`` as in ``ForcedAttack``."""

    solution: Solution
    deck_matters: bool
    chain: EndlessChain | None


class Solver(Struct):
    """Solves attacks for a goal; ``limit`` bounds the ways that are played for one of them.

    ``records`` says whether policies are wanted, what is spent, and whether a DECK matters; the measures are
    found without them, faster. ``slowly`` is the slow way, which tests compare with.
    """

    goal: Goal
    limit: int
    records: bool = False
    analysis: Analysis = field(default_factory=Analysis)

    def solve(self, position: AttackPosition) -> Solved | Refusal:
        """Return what comes of an attack, or why it is forbidden (O-7)."""
        return self._solved(position, self._fast)

    def slowly(self, position: AttackPosition) -> Solved | Refusal:
        """Return the same, found by the slow way."""
        return self._solved(position, self._slow)

    def measures(self, position: AttackPosition, solved: Solved) -> Measures:
        """Return expected DAMAGE, the chance of HIT and that of a hit."""
        return Judge(self.goal, position.attacking).measures(solved.solution)

    def _solved(self, position: AttackPosition, way: Callable[[ForcedAttack], Solution]) -> Solved | Refusal:
        attack = ForcedAttack(position, self.limit)
        refused = attack.refusal()
        if refused is not None:
            return refused
        solution = way(attack)
        return Solved(solution, attack.forced.deck_matters, attack.chain)

    def _fast(self, attack: ForcedAttack) -> Solution:
        try:
            return FastWay(attack, self.goal, self.analysis, records=self.records).solve()
        except CannotBeFast:
            attack.ways = 0  # the limit is of one solution; what the fast way has played is given up
            return self._slow(attack)

    def _slow(self, attack: ForcedAttack) -> Solution:
        return solve_by_replay(attack, self.goal)
