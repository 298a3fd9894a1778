"""The odds of all OPERATORs against all others, each pair alone on the FIELD."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from toolkit.data.model import Card
from toolkit.diagnostics.catalogue import prevents_use
from toolkit.engine.actions import GameAction
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import DefaultPlayer, Players, RandomDice
from toolkit.engine.game import Game
from toolkit.engine.outcomes import Refusal
from toolkit.engine.phases import settle
from toolkit.engine.state import GameState, OperatorState, PlayerState, Side
from toolkit.play.attack.request import DEFAULT_SEED
from toolkit.play.attack.run import errors_in
from toolkit.play.odds.exploring import DEFAULT_LIMIT
from toolkit.play.odds.forced_attack import AttackPosition
from toolkit.play.odds.measures import GOALS, Goal, Measures
from toolkit.play.odds.request import Hands, wrong_hands
from toolkit.play.odds.solving import Solver
from toolkit.play.playable_game import Unplayable, find_rules, text_only_warnings
from toolkit.project.pipeline import Workspace


class MatrixRequest(Struct, frozen=True):
    """All pairs, with these hands and a HITCOUNTER of the target."""

    goal: Goal = "damage"
    hands: Hands = {}
    hitcounter: int = 0
    mode: str | None = None
    limit: int = DEFAULT_LIMIT


Cell = Measures | str
"""The three measures of an attack, or the id of the rule that forbids it (O-7)."""


class Matrix(Struct, frozen=True):
    """The odds of all pairs by attacker and target, in file order; ``not_played`` as in ``Odds`` (O-8)."""

    goal: Goal
    operators: tuple[str, ...]
    cells: dict[tuple[str, str], Cell]
    not_played: tuple[str, ...] = ()

    def value(self, attacker: str, target: str) -> Fraction | None:
        """Return the measure of the goal; None if the attack is forbidden."""
        cell = self.cells[attacker, target]
        main_measure, *_ = GOALS[self.goal]
        return None if isinstance(cell, str) else cell[main_measure]

    def row_mean(self, attacker: str) -> Fraction | None:
        """Return the mean over all targets that it may attack."""
        return mean(self.value(attacker, target) for target in self.operators)

    def column_mean(self, target: str) -> Fraction | None:
        """Return the mean over all that may attack it."""
        return mean(self.value(attacker, target) for attacker in self.operators)


def mean(values: Iterable[Fraction | None]) -> Fraction | None:
    """Return the mean of the values that there are; None if there are none."""
    numbers = [value for value in values if value is not None]
    return sum(numbers, Fraction(0)) / len(numbers) if numbers else None


def find_matrix(
    workspace: Workspace, request: MatrixRequest, known: Mapping[tuple[str, str], Cell] | None = None
) -> Matrix | Unplayable:
    """Return the odds of all OPERATORs without errors against all, or why there are none.

    ``known`` are cells that need not be found again.
    """
    problem = wrong_hands(workspace, request.hands)
    if problem is not None:
        return problem
    rules = rules_for_pairs(workspace, request.mode)
    if isinstance(rules, Unplayable):
        return rules
    operators = [card.id for card in usable_cards(workspace, "operator")]
    if not operators:
        return Unplayable("There is no OPERATOR to attack with.")
    solver = Solver(request.goal, request.limit)
    cells = dict(known or {})
    for pair in ((attacker, target) for attacker in operators for target in operators):
        if pair not in cells:
            cells[pair] = pair_odds(solver, rules, pair, request.hands, request.hitcounter)
    used_cards = {*operators, *(card for hand in request.hands.values() for card in hand)}
    warnings = text_only_warnings(workspace.cards, used_cards)
    not_played = tuple(sorted(str(warning.card) for warning in warnings))
    return Matrix(request.goal, tuple(operators), cells, not_played)


def usable_cards(workspace: Workspace, *kinds: str) -> Iterator[Card]:
    """Yield the cards of some kinds that have no errors, in file order."""
    broken = {finding.card for finding in workspace.findings if prevents_use(finding.name)}
    for card in workspace.cards.cards.values():
        if card.kind in kinds and card.id not in broken:
            yield card


def rules_for_pairs(workspace: Workspace, mode: str | None) -> Rules | Unplayable:
    """Return the rules of a mode, by default the project's, unless it has errors."""
    located = find_rules(workspace, mode)
    if isinstance(located, Unplayable):
        return located
    return errors_in(workspace, [entry.id for entry in located]) or workspace.rules(*located)


def pair_position(rules: Rules, pair: tuple[str, str], hands: Hands, hitcounter: int = 0) -> AttackPosition:
    """Return an attack of two OPERATORs alone and opposite each other, blue on red."""
    attacker, target = pair
    empty_positions = (None,) * (rules.field_positions - 1)
    operators = (
        OperatorState(0, attacker, "blue", position=0),
        OperatorState(1, target, "red", position=0, hitcounter=hitcounter),
    )
    sides: tuple[Side, Side] = ("blue", "red")
    blue, red = (
        PlayerState((key, *empty_positions), objectives=rules.objectives, hand=tuple(hands.get(side, ())))
        for key, side in enumerate(sides)
    )
    return AttackPosition(rules, GameState(operators, blue, red), GameAction("attack", 0, 1))


def pair_odds(solver: Solver, rules: Rules, pair: tuple[str, str], hands: Hands, hitcounter: int) -> Cell:
    """Return the measures of an attack of two OPERATORs alone, or the rule that forbids it."""
    position = pair_position(rules, pair, hands, hitcounter)
    if hitcounter:  # without one nobody is HIT (H-1)
        default, dice = DefaultPlayer(), RandomDice(DEFAULT_SEED)
        players: Players = {"blue": default, "red": default}
        settle(Game(rules, position.state, players, dice, traced=False))
    return cell_of(solver, position)


def cell_of(solver: Solver, position: AttackPosition) -> Cell:
    """Return the measures of an attack, or the rule that forbids it."""
    solved = solver.solve(position)
    return solved.rule_id if isinstance(solved, Refusal) else solver.measures(position, solved)
