"""The fast way to exact odds gives the same fractions and the same policy as the slow one, everywhere."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.tables import shipped
from tests.thoroughness import THOROUGH, examples, share, some
from toolkit.api import open_project
from toolkit.engine.actions import GameAction
from toolkit.engine.outcomes import Refusal
from toolkit.engine.state import GameState, OperatorState, PlayerState
from toolkit.play.odds.aftermath import Analysis
from toolkit.play.odds.exploring import TooManyWays
from toolkit.play.odds.fast import FastWay
from toolkit.play.odds.forced_attack import AttackPosition, ForcedAnswers, ForcedAttack
from toolkit.play.odds.matrix import pair_position, rules_for_pairs
from toolkit.play.odds.measures import GOALS, NOTHING_SPENT, Distribution, Goal, Outcome
from toolkit.play.odds.odds_report import decision_data
from toolkit.play.odds.policy import decisions_of
from toolkit.play.odds.request import OddsRequest, RefusedOdds, attack_position
from toolkit.play.odds.solving import Solver
from toolkit.play.playable_game import Unplayable, find_rules
from toolkit.project.pipeline import Workspace

OWN = Path(__file__).parent / "project"
AFTERMATH = Path(__file__).parent / "aftermath"
"""Sentences that act once AP and EP are compared, each alone on a card."""


@cache
def workspaces() -> tuple[Workspace, ...]:
    return shipped(), open_project(OWN.resolve()), open_project(AFTERMATH.resolve())


def without_spent(distribution: Distribution) -> dict[Outcome, Fraction]:
    """The chances of outcomes that differ in more than what was spent."""
    chances: dict[Outcome, Fraction] = {}
    for outcome, chance in distribution.items():
        outcome = outcome._replace(spent=NOTHING_SPENT)
        chances[outcome] = chances.get(outcome, Fraction(0)) + chance
    return chances


@cache
def shared_solver(goal: Goal, limit: int, *, records: bool = False) -> Solver:
    """The same for all attacks: what it keeps of one must be true of those that it takes for alike."""
    return Solver(goal, limit, records)


def assert_same(position: AttackPosition, goal: Goal, limit: int = 20_000) -> None:
    """Both ways agree: refusal, distribution, value, policy; and nothing is left in the state.

    What is spent, and what depends on a DECK, is known only of an attack whose policy is recorded.
    """
    before = position.state.copy()
    recording, plain = shared_solver(goal, limit, records=True), shared_solver(goal, limit)
    try:
        slow = plain.slowly(position)
    except TooManyWays:
        return
    for solver in (plain, recording):
        fast = solver.solve(position)
        if isinstance(slow, Refusal):
            assert fast == slow
            continue
        assert not isinstance(fast, Refusal)
        slow_distribution, distribution = slow.solution.distribution, fast.solution.distribution
        if solver.records:
            assert dict(distribution) == dict(slow_distribution)
            assert fast.deck_matters == slow.deck_matters
        assert without_spent(distribution) == without_spent(slow_distribution)
        assert fast.solution.value == slow.solution.value
        assert sum(fast.solution.distribution.values()) == 1
        assert position.state == before
    if not isinstance(slow, Refusal):
        names = position.state.names()
        by_way = [
            [decision_data(decision) for decision in decisions_of(solved.solution.policy, names)]
            for solved in (slow, fast)
            if not isinstance(solved, Refusal)
        ]
        assert by_way[0] == by_way[1]


def test_every_scenario_that_ends_with_an_attack() -> None:
    for workspace in workspaces()[:2]:
        count = 0
        for checked in workspace.scenarios:
            script = checked.script
            if not script.steps or script.steps[-1].action != "attack":
                continue
            request = OddsRequest(scenario=(script.entry.file.path, script.name))
            located = attack_position(workspace, request)
            assert not isinstance(located, Unplayable), script.name
            if isinstance(located, RefusedOdds):
                continue
            count += 1
            if count <= share(200):
                assert_same(located[1], "damage")
        assert count


def cards_of(workspace: Workspace, kind: str) -> list[str]:
    return [card.id for card in workspace.cards.cards.values() if card.kind == kind]


@st.composite
def match_ups(draw: st.DrawFn) -> AttackPosition:
    """An attack on the FIELD: two OPERATORs or more, with hands, wounds, STRATEGY cards and a DECK."""
    workspace = draw(st.sampled_from(workspaces()))
    mode, ruleset = find_rules(workspace, None)  # type: ignore[misc]  # both projects have one
    options = ruleset.options
    if draw(st.integers(0, 5)) == 0:
        options = type(options)(stacking="stepwise")
    rules = workspace.rules(mode, ruleset, options)
    operators: list[OperatorState] = []
    players = []
    for side, own_kind in (("blue", "attack"), ("red", "defence")):
        names = draw(st.lists(st.sampled_from(cards_of(workspace, "operator")), min_size=1, max_size=2))
        row: list[int | None] = [None] * rules.field_positions
        for place, name in enumerate(names):
            row[place] = len(operators)
            operator = OperatorState(len(operators), name, side, position=place)  # type: ignore[arg-type]
            operator.hitcounter = draw(st.sampled_from((0, 0, 0, 1, 3)))
            if draw(st.integers(0, 3)) == 0:
                attachable = [*cards_of(workspace, own_kind), *cards_of(workspace, "item")]
                operator.attached = draw(st.sampled_from(attachable))
            operators.append(operator)
        hands = st.lists(st.sampled_from(cards_of(workspace, own_kind)), max_size=2)
        piles: Any = {"hand": tuple(draw(hands)), "deck": tuple(draw(hands))}
        if draw(st.integers(0, 3)) == 0:
            piles["strategies"] = (draw(st.sampled_from(cards_of(workspace, "strategy"))),)
        players.append(PlayerState(tuple(row), objectives=rules.objectives, **piles))
    state = GameState(tuple(operators), *players)
    target = next(operator.key for operator in operators if operator.side == "red")
    return AttackPosition(rules, state, GameAction("attack", 0, target), exhausts=draw(st.booleans()))


CHOOSING: list[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = [
    ("choosy", "guard", (), ()),
    ("fixer", "stubborn", ("even",), ()),
    ("lucky", "stubborn", (), ()),
    ("choosy", "stubborn", (), ("jam",)),
    ("striker", "guard", ("double-set",), ()),
]
"""Attacks in which dice are kept, set or rolled again; the slow way takes seconds for the last two."""


@pytest.mark.parametrize(("attacker", "target", "blue", "red"), some(CHOOSING, 0, 1, 2))
def test_dice_that_are_kept_set_and_rerolled_with_a_comparison(
    attacker: str, target: str, blue: tuple[str, ...], red: tuple[str, ...]
) -> None:
    workspace = workspaces()[1]
    request = OddsRequest(attacker, target, hands={"blue": blue, "red": red})
    located = attack_position(workspace, request)
    assert isinstance(located, tuple)
    assert_same(located[1], "damage")
    FastWay(ForcedAttack(located[1], 20_000), "damage", Analysis(), records=False).solve()  # it can be fast


@pytest.mark.parametrize("goal", tuple(GOALS))
@given(match_ups())
@examples(170 if THOROUGH else 60)
def test_random_match_ups(goal: Goal, position: AttackPosition) -> None:
    assert_same(position, goal, limit=1_200)


@pytest.mark.parametrize("hitcounter", [0, 1])
def test_dp_that_depends_on_the_hitcounter_of_this_attack(hitcounter: int) -> None:
    workspace = workspaces()[2]
    rules = rules_for_pairs(workspace, None)
    assert not isinstance(rules, Unplayable)
    for target in ("op1", "op2", "op3"):  # +1 and -1 DP for each HITCOUNTER, +3 while SUPPRESSED
        assert_same(pair_position(rules, ("op0", target), {}, hitcounter), "becomes-hit")


def test_what_cannot_make_anybody_hit_is_not_played() -> None:
    """Cards that move after an attack, and effects on others, cost nothing."""
    workspace = workspaces()[2]
    rules = rules_for_pairs(workspace, None)
    assert not isinstance(rules, Unplayable)
    quiet = (
        "when the attack hits, self advances.",
        "when the attack hits, owner draws 1 card, then owner discards 1 card.",
        "when an attack on self misses, attacker gets +3 HITCOUNTER.",
        "when self gets HITCOUNTER, self may retreat, if not, self gets -1 HITCOUNTER.",
    )

    def plays(attacker: str, target: str, attached: str | None = None) -> int:
        position = pair_position(rules, (attacker, target), {})
        position.state.operators[1].attached = attached
        attack = ForcedAttack(position, 20_000)
        FastWay(attack, "damage", Analysis(), records=False).solve()
        return attack.ways

    for text in quiet:
        bearer = next(
            card.id
            for card in workspace.cards.cards.values()
            if [effect.origin.text for effect in rules.cards[card.id].objects] == [text]
        )
        pair = (
            ("op0", bearer) if "self gets HITCOUNTER" in text or "attack on self" in text else (bearer, "op0")
        )
        assert plays(*pair) == 1, text
    assert plays("op38", "op0", "item0") == 1, "an attacker that becomes OUT changes no DP of the target's"
    assert plays("op38", "op57") > 1, "it may change what depends on places"


@pytest.mark.parametrize(("threshold", "chances"), [(1, None), (2, "1/6 5/6"), (6, "5/6 1/6"), (7, None)])
def test_a_die_for_a_threshold_is_one_of_two_results(threshold: int, chances: str | None) -> None:
    forced = ForcedAnswers()
    assert forced.below_or_from(threshold) == (6 if threshold == 1 else 1)
    expected = None if chances is None else tuple(map(Fraction, chances.split()))
    assert [question.chances for question in forced.questions] == ([expected] if expected else [])


def test_attacks_that_are_alike_are_counted_once() -> None:
    workspace = workspaces()[2]
    rules = rules_for_pairs(workspace, None)
    assert not isinstance(rules, Unplayable)
    analysis = Analysis()
    for target in ("op0", "op6", "op12"):  # the same numbers, and nothing that this attack can set off
        position = pair_position(rules, ("op23", target), {})
        FastWay(ForcedAttack(position, 20_000), "damage", analysis, records=False).solve()
    assert len(analysis.solutions) == 2
