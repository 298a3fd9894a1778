"""Requests for exact odds: which attack, with which hands, for which goal; and what is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import DefaultPlayer, Players, RandomDice
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.game import Game
from toolkit.engine.outcomes import EndlessChain, Refusal
from toolkit.engine.phases import settle
from toolkit.engine.state import SIDES, Side
from toolkit.engine.state_queries import StateQueries
from toolkit.play.attack.request import DEFAULT_SEED, AttackRequest, find_scenario
from toolkit.play.attack.run import errors_in, resolve_setting
from toolkit.play.odds.exploring import DEFAULT_LIMIT
from toolkit.play.odds.forced_attack import AttackPosition
from toolkit.play.odds.measures import SPENT, Distribution, Goal, Measures, measures_of
from toolkit.play.odds.policy import DecisionPolicy, decisions_of
from toolkit.play.odds.solving import Solver
from toolkit.play.playable_game import Unplayable, text_only_warnings
from toolkit.play.scenarios.playing import action_of_step, combat_refusal, play
from toolkit.play.scenarios.runner import preventing_errors, rules_of
from toolkit.project.pipeline import Workspace
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary.nearest import nearest

Hands = Mapping[Side, Sequence[str]]
"""The cards in a player's hand by side; a side that is missing keeps the hand that it has."""


class OddsRequest(PublicValue, Struct, frozen=True):
    """The attack whose odds are wanted.

    Without ``attacker`` and ``target`` it is the last step of the ``scenario``, a file with the name of one;
    with them it is an attack after its first ``after`` steps. ``limit`` bounds the ways that are played.
    """

    attacker: str = ""
    target: str = ""
    scenario: tuple[Path, str | None] | None = None
    after: int = 0
    hands: Hands = {}
    mode: str | None = None
    goal: Goal = "damage"
    limit: int = DEFAULT_LIMIT


class Odds(PublicValue, Struct, frozen=True):
    """The odds of an attack in which both players decide as well as they can, with open hands (O-3).

    ``names`` are the OPERATORs by key; ``not_played`` the cards with text-only rules (O-8); ``chain`` is one
    of events without end, which a bound stopped.
    """

    goal: Goal
    names: tuple[str, str]
    distribution: Distribution
    policy: tuple[DecisionPolicy, ...]
    scenario: str | None = None
    not_played: tuple[str, ...] = ()
    deck_order_assumed: bool = False
    notes: tuple[str, ...] = ()
    chain: EndlessChain | None = None
    origins: Origins | None = None

    @property
    def measures(self) -> Measures:
        """Expected DAMAGE, the chance of HIT and that of a hit."""
        return measures_of(self.distribution)

    @property
    def expected_damage(self) -> Fraction:
        """The expected DAMAGE."""
        expected_damage, _, _ = self.measures
        return expected_damage

    @property
    def becomes_hit(self) -> Fraction:
        """The chance that the target becomes HIT."""
        _, becomes_hit, _ = self.measures
        return becomes_hit

    @property
    def hits(self) -> Fraction:
        """The chance that the attack hits."""
        _, _, hits = self.measures
        return hits

    @property
    def critical(self) -> Fraction:
        """The chance that the attack is CRITICAL."""
        chances = (chance for outcome, chance in self.distribution.items() if outcome.critical)
        return sum(chances, Fraction(0))

    def damage(self) -> dict[int, Fraction]:
        """Return the chance of each DAMAGE, the smallest first."""
        chances: dict[int, Fraction] = {}
        for outcome, chance in sorted(self.distribution.items()):
            chances[outcome.damage] = chances.get(outcome.damage, Fraction(0)) + chance
        return chances

    def spent(self) -> dict[str, Fraction]:
        """Return how many cards are spent on average (O-4)."""
        totals = [Fraction(0)] * len(SPENT)
        for outcome, chance in self.distribution.items():
            for number, count in enumerate(outcome.spent):
                totals[number] += chance * count
        return dict(zip(SPENT, totals, strict=True))


class RefusedOdds(PublicValue, Struct, frozen=True):
    """An attack that the rules forbid (O-7)."""

    refusal: Refusal
    names: tuple[str, str]
    scenario: str | None = None


def find_odds(workspace: Workspace, request: OddsRequest) -> Odds | RefusedOdds | Unplayable:
    """Return the exact odds of an attack, or why there are none."""
    located = attack_position(workspace, request)
    if isinstance(located, (Unplayable, RefusedOdds)):
        return located
    name, position = located
    return _solved(workspace, request, position, name)


def attack_position(
    workspace: Workspace, request: OddsRequest
) -> tuple[str | None, AttackPosition] | RefusedOdds | Unplayable:
    """Return the position of the requested attack, with the name of its scenario."""
    problem = wrong_hands(workspace, request.hands)
    if problem is not None:
        return problem
    located = _position(workspace, request) if request.attacker else _position_of_step(workspace, request)
    if isinstance(located, (Unplayable, RefusedOdds)):
        return located
    _, position = located
    for side, hand in request.hands.items():
        position.state.player(side).hand = tuple(hand)
    if request.attacker:
        # H-1: an OPERATOR with too many HITCOUNTERs is HIT before the attack, as `opforge attack` plays it
        default, dice = DefaultPlayer(), RandomDice(DEFAULT_SEED)
        players: Players = {"blue": default, "red": default}
        settle(Game(position.rules, position.state, players, dice, traced=False))
    return located


def _solved(
    workspace: Workspace, request: OddsRequest, position: AttackPosition, scenario: str | None
) -> Odds | RefusedOdds:
    solved = Solver(request.goal, request.limit, records=True).solve(position)
    if isinstance(solved, Refusal):
        return RefusedOdds(solved, position.names, scenario)
    played_cards = {*position.state.cards(), *position.rules.mode.objectives}
    warnings = text_only_warnings(workspace.cards, played_cards)
    return Odds(
        request.goal,
        position.names,
        solved.solution.distribution,
        tuple(decisions_of(solved.solution.policy, position.state.names())),
        scenario,
        tuple(sorted(str(warning.card) for warning in warnings)),
        solved.deck_matters,
        tuple(_notes(workspace, request.hands)),
        solved.chain,
        workspace.origins(),
    )


def _position(workspace: Workspace, request: OddsRequest) -> tuple[str | None, AttackPosition] | Unplayable:
    """Return an attack of two named OPERATORs, alone or in a scenario."""
    attack_request = AttackRequest(
        request.attacker, request.target, request.scenario, after=request.after, mode=request.mode
    )
    setting = resolve_setting(workspace, attack_request)
    if isinstance(setting, Unplayable):
        return setting
    action = GameAction("attack", *setting.attacker_and_target)
    name = None if setting.scenario is None else setting.scenario.name
    return name, AttackPosition(setting.rules, setting.state, action)


def _position_of_step(
    workspace: Workspace, request: OddsRequest
) -> tuple[str | None, AttackPosition] | RefusedOdds | Unplayable:
    """Return the attack that is the last step of a scenario, all its decisions and dice left open."""
    assert request.scenario is not None, "two OPERATORs or a scenario"
    checked = find_scenario(workspace, AttackRequest("", "", request.scenario))
    if isinstance(checked, Unplayable):
        return checked
    errors = tuple(preventing_errors(workspace, checked))
    if errors:
        return Unplayable(findings=errors)
    script = checked.script
    last_attack = script.steps[-1] if script.steps and script.steps[-1].action == "attack" else None
    if last_attack is None:
        return Unplayable(
            f"The scenario {script.name!r} does not end with an attack; name two OPERATORs, and with --after"
            " how many of its steps come before."
        )
    played = play(replace(script, steps=script.steps[:-1]), rules_of(workspace, checked))
    if played.refusal is not None:
        return Unplayable(f"Step {played.at + 1} of the scenario cannot be played: {played.refusal.sentence}")
    action = action_of_step(played, last_attack)
    action = GameAction("attack", action.by, action.on, bonus=action.bonus)
    position = AttackPosition(played.rules, played.state, action, exhausts=script.strict)
    if script.strict:
        resolver = StateQueries(played.rules, played.state)
        refused = combat_refusal(resolver, played.progress, position.attacking)
        if refused is not None:
            return RefusedOdds(refused, position.names, script.name)
    return script.name, position


# Hands


_KINDS_IN_HAND = ("attack", "defence", "effect", "strategy")


def wrong_hands(workspace: Workspace, hands: Hands) -> Unplayable | None:
    """Return what is wrong with the cards of the hands, if anything is."""
    cards = workspace.cards.cards
    for side, hand in hands.items():
        for card_id in hand:
            card = cards.get(card_id)
            if card is None and card_id not in workspace.cards.broken_ids:  # of these the errors are returned
                suggestion = nearest(
                    card_id, [card.id for card in cards.values() if card.kind in _KINDS_IN_HAND]
                )
                hint = f" Did you mean {suggestion!r}?" if suggestion else ""
                return Unplayable(f"There is no card {card_id!r} for the hand of {side}.{hint}")
            if card is not None and card.kind not in _KINDS_IN_HAND:
                kind = card.kind.upper()
                return Unplayable(
                    f"{card_id!r} is {'an' if kind[0] in 'IO' else 'a'} {kind}, which is never in a hand."
                )
    return errors_in(workspace, [card_id for hand in hands.values() for card_id in hand])


def _notes(workspace: Workspace, hands: Hands) -> Iterator[str]:
    """Yield a note for each card of which a hand has more than are printed."""
    for side in SIDES:
        for card_id, count in Counter(hands.get(side, ())).items():
            printed = workspace.cards.cards[card_id].quantity
            if count > printed:
                yield f"{card_id} is {count} times in the hand of {side}, and {printed} is printed"
