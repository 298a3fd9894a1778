"""What a card adds to attacks: the mean change over all pairs of OPERATORs, against its price."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Card
from toolkit.dsl import tree
from toolkit.dsl.effect_objects import EffectObject, EventHook, all_actions
from toolkit.dsl.effect_printer import print_doing
from toolkit.engine.compiled_rules import EffectTable, Rules, event_of
from toolkit.engine.game import Refused
from toolkit.engine.outcomes import Refusal
from toolkit.engine.state import GameState, Side
from toolkit.play.odds.exploring import DEFAULT_LIMIT
from toolkit.play.odds.forced_attack import AttackPosition
from toolkit.play.odds.matrix import (
    Cell,
    Matrix,
    MatrixRequest,
    find_matrix,
    mean,
    pair_position,
    rules_for_pairs,
    usable_cards,
)
from toolkit.play.odds.measures import GOALS, Goal, Measures
from toolkit.play.odds.solving import Solver
from toolkit.play.playable_game import Unplayable
from toolkit.project.pipeline import Workspace

FEWEST_CARDS = 8
"""With fewer cards of a kind that attacks show in full there is no verdict."""
MOST_DEVIATIONS = 3.0
"""A card is an outlier from so many deviations on, estimated by the median of their sizes."""
_STANDARD_BY_MEDIAN = 1.4826
"""How many times as large as the median of their sizes a standard deviation is (normal distribution)."""
LEAST_DIFFERENCE = {"damage": 0.25, "becomes-hit": 0.05, "hits": 0.05}
"""No smaller difference is a verdict, whatever the deviations are."""

KINDS = ("operator", "attack", "defence", "item", "strategy", "effect")
_SITUATIONS = {
    "attack": ("in the hand", "attached"),
    "defence": ("in the hand", "attached"),
    "item": ("attacking", "attacked"),
    "strategy": ("attacking", "attacked"),
    "operator": ("attacking", "attacked"),
    "effect": (),
}
"""When a card can change an attack. The power of ATTACK and DEFENCE cards is what they add in the hand, that
of all others the sum of what they add to attacks of one's own and take from those of the enemy."""


class PowerRequest(Struct, frozen=True):
    """Which cards, all without ids, and the goal of the attacks."""

    ids: tuple[str, ...] = ()
    goal: Goal = "damage"
    mode: str | None = None
    limit: int = DEFAULT_LIMIT


class CardPower(Struct, frozen=True):
    """What a card adds: ``changes`` by situation, each from its player's side, and their sum, ``power``.

    ``price`` are the SQUADPOINTS of an OPERATOR. ``unseen`` is what it does that no attack shows.
    ``expected`` is what the other cards of its kind let expect at this price, ``verdict`` is ``overcosted``
    or ``undercosted`` if it lies far off.
    """

    card: str
    kind: str
    price: int | None
    changes: dict[str, Fraction]
    power: Fraction
    unseen: tuple[str, ...] = ()
    expected: float | None = None
    verdict: str | None = None


class Powers(Struct, frozen=True):
    """The powers of cards, by kind and in file order."""

    goal: Goal
    cards: tuple[CardPower, ...]


def find_powers(
    workspace: Workspace,
    request: PowerRequest,
    measure: MeasureCards = lambda _cards: None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Powers | Unplayable:
    """Return what cards add; a verdict compares a card with all others of its kind.

    ``measure`` may measure cards elsewhere, or return None to leave them to this function. ``progress`` is
    told how many of how many are measured.
    """
    measuring = measuring_in(workspace, request)
    if isinstance(measuring, Unplayable):
        return measuring
    cards = list(usable_cards(workspace, *KINDS))
    wanted = set(request.ids) or {card.id for card in cards}
    kinds = [kind for kind in KINDS if any(card.kind == kind and card.id in wanted for card in cards)]
    measured = [card for card in cards if card.kind in kinds]
    powers: list[CardPower] = []
    for power in measure(measured) or map(measuring.power_of, measured):
        powers.append(power)
        progress(len(powers), len(measured))
    all_powers: list[CardPower] = []
    for kind in kinds:
        of_kind = [power for power in powers if power.kind == kind]
        all_powers += [power for power in judged(of_kind, request.goal) if power.card in wanted]
    return Powers(request.goal, tuple(all_powers))


MeasureCards = Callable[[Sequence[Card]], Iterator[CardPower] | None]
"""Measures cards one after the other, or leaves it."""


def measuring_in(
    workspace: Workspace, request: PowerRequest, known: Mapping[tuple[str, str], Cell] | None = None
) -> Measuring | Unplayable:
    """Return what measures the cards of a project; ``known`` are odds of pairs that are the same in it."""
    rules = rules_for_pairs(workspace, request.mode)
    if isinstance(rules, Unplayable):
        return rules
    matrix_request = MatrixRequest(request.goal, mode=request.mode, limit=request.limit)
    base = find_matrix(workspace, matrix_request, known)
    if isinstance(base, Unplayable):
        return base
    return Measuring(rules, base, Solver(request.goal, request.limit))


class Measuring:
    """Measures cards with the same rules, the odds without them, and the same way to solve."""

    def __init__(self, rules: Rules, base: Matrix, solver: Solver) -> None:
        self.rules, self.base, self.solver = rules, base, solver
        self.measure, *_ = GOALS[base.goal]
        self._waits_for_by_pair: dict[tuple[str, str], frozenset[str]] = {}
        self.pairs = [pair for pair, cell in base.cells.items() if not isinstance(cell, str)]
        self.mean = mean(base.value(*pair) for pair in self.pairs) or Fraction(0)

    def power_of(self, card: Card) -> CardPower:
        """Return what a card adds."""
        rules = self.rules.cards[card.id]
        unseen = tuple(dict.fromkeys(_unseen(rules.objects)))
        if rules.text_only:
            unseen = (*unseen, "its text-only rules")
        changes = (
            self._of_operator(card.id) if card.kind == "operator" else self._of_card(card, rules.effects)
        )
        counted = ("in the hand",) if card.kind in ("attack", "defence") else tuple(changes)
        power = sum((changes[situation] for situation in counted), Fraction(0))
        price = card.squadpoints if card.kind == "operator" else None
        return CardPower(card.id, card.kind, price, changes, power, unseen)

    def _of_operator(self, name: str) -> dict[str, Fraction]:
        """Its row and its column, against the mean of all."""
        row, column = self.base.row_mean(name), self.base.column_mean(name)
        return {
            "attacking": Fraction(0) if row is None else row - self.mean,
            "attacked": self.mean if column is None else self.mean - column,
        }

    def _of_card(self, card: Card, effects: EffectTable) -> dict[str, Fraction]:
        situations = _SITUATIONS[card.kind]
        if not _acts_in_attacks(effects):
            return dict.fromkeys(situations, Fraction(0))
        changes = {}
        for situation in situations:
            defends = card.kind == "defence" or situation == "attacked"
            side: Side = "red" if defends else "blue"
            change = mean(self._with_card(pair, card, situation, side) for pair in self.pairs) or Fraction(0)
            changes[situation] = -change if defends else change
        return changes

    def _with_card(self, pair: tuple[str, str], card: Card, situation: str, side: Side) -> Fraction:
        """How much the measure changes for a pair; an attack that the card forbids is 0."""
        measures = self.base.cells[pair]
        assert not isinstance(measures, str), "the attack is allowed without the card"
        position = pair_position(self.rules, pair, {})
        _put(position.state, card, situation, side)
        # a card in the hand can be left there, which is the attack without it if nothing reads hands
        if situation == "in the hand" and "hand" not in self._waits_for(pair):
            return self._played(position, card, measures)[self.measure] - measures[self.measure]
        solved = self.solver.solve(position)
        if isinstance(solved, Refusal):
            return -measures[self.measure]
        return self.solver.measures(position, solved)[self.measure] - measures[self.measure]

    def _waits_for(self, pair: tuple[str, str]) -> frozenset[str]:
        """What effects of a pair wait for (``EffectTable.waits_for``)."""
        if pair not in self._waits_for_by_pair:
            self._waits_for_by_pair[pair] = self.rules.waits_for(pair)
        return self._waits_for_by_pair[pair]

    def _played(self, position: AttackPosition, card: Card, not_played: Measures) -> Measures:
        """The measures with the only card of a hand, which is played if that is better for its player.

        Where no effect is about hands, an attack in which it is not played is one without it.
        """
        action = replace(position.action, **{f"{card.kind}_card": card.id})
        position = replace(position, action=action)
        try:
            solved = self.solver.solve(position)
        except Refused:  # nothing can be attached
            return not_played
        if isinstance(solved, Refusal):
            return not_played
        played = self.solver.measures(position, solved)
        better, order = max if card.kind == "attack" else min, GOALS[self.base.goal]
        return better(not_played, played, key=lambda measures: [measures[index] for index in order])


def _put(state: GameState, card: Card, situation: str, side: Side) -> None:
    """Put a card where it is in a situation."""
    player = state.player(side)
    if situation == "in the hand":
        player.hand = (card.id,)
    elif card.kind == "strategy":
        player.strategies = (card.id,)
    else:
        state.operators[0 if side == "blue" else 1].attached = card.id


_OUTSIDE_ATTACKS = frozenset(
    ("played", "turn-begins", "turn-ends", "round-begins", "round-ends", "enters", "captures", "performed")
)
"""Events that no attack brings about."""


def _acts_in_attacks(effects: EffectTable) -> bool:
    return bool(effects.always or effects.in_attack or effects.events.keys() - _OUTSIDE_ATTACKS)


_UNSEEN = (
    *(tree.Draws, tree.Discards, tree.GainsBonus, tree.FulfilsPerformance, tree.Advances, tree.SwapsPlaces),
    *(tree.Retreats, tree.EntersField, tree.GainsRuleviolation, tree.CannotPerform, tree.Puts, tree.LooksAt),
    *(tree.DiscardsStrategy, tree.Becomes, tree.Loses),
)


def _unseen(effects: Iterable[EffectObject]) -> Iterator[str]:
    """Yield what effects do that no attack shows: at other times, or to something else than its measures."""
    for effect in effects:
        if effect.limit == "GAME":
            yield "once per GAME only"
        is_outside = isinstance(effect.hook, EventHook) and event_of(effect.hook.event) in _OUTSIDE_ATTACKS
        for action in all_actions(effect.actions):
            doing = action.does
            changes = doing.what.text if isinstance(doing, tree.Gets) else ""
            if is_outside or isinstance(doing, _UNSEEN) or changes in ("MP", "OBJECTIVECOUNTER"):
                yield print_doing(doing)


# Verdicts


def judged(powers: Sequence[CardPower], goal: Goal) -> list[CardPower]:
    """Return the cards of one kind with what a line through all of them lets expect, and the verdicts.

    The line is by medians (Theil and Sen), so that outliers do not draw it to them. A card that does
    something unseen is no part of it and gets no verdict: what it does beside the attack may be worth, or
    cost, the difference.
    """
    line = expected_line(powers)
    if line is None:
        return list(powers)
    slope, height = line
    points = [_price_and_power(power) for power in powers if not power.unseen]
    deviations = [abs(value - (height + slope * price)) for price, value in points]
    deviation = _STANDARD_BY_MEDIAN * median(deviations)
    allowed = max(LEAST_DIFFERENCE[goal], MOST_DEVIATIONS * deviation)
    with_verdicts = []
    for power in powers:
        price, value = _price_and_power(power)
        expected, verdict = height + slope * price, None
        if abs(value - expected) > allowed and not power.unseen:
            verdict = "undercosted" if value > expected else "overcosted"
        with_verdicts.append(replace(power, expected=expected, verdict=verdict))
    return with_verdicts


def expected_line(powers: Sequence[CardPower]) -> tuple[float, float] | None:
    """Return slope and height of the line through the cards that attacks show in full; None for too few."""
    points = [_price_and_power(power) for power in powers if not power.unseen]
    return None if len(points) < FEWEST_CARDS else median_line(points)


def _price_and_power(power: CardPower) -> tuple[float, float]:
    return float(power.price or 0), float(power.power)


def median_line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return slope and height of the line whose slope is the median of those between any two points."""
    slopes = [
        (y2 - y1) / (x2 - x1)
        for number, (x1, y1) in enumerate(points)
        for x2, y2 in points[number + 1 :]
        if x1 != x2
    ]
    slope = median(slopes) if slopes else 0.0
    return slope, median(y - slope * x for x, y in points)
