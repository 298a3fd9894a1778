"""The rulings on exact odds, O-1 to O-8: each has a test that fails under its opposite."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from toolkit.api import open_project
from toolkit.play.odds.exploring import TooManyWays
from toolkit.play.odds.measures import GOALS, Goal
from toolkit.play.odds.request import Odds, OddsRequest, RefusedOdds, find_odds
from toolkit.play.playable_game import Unplayable
from toolkit.project.pipeline import Workspace

FOLDER = Path(__file__).parent / "project"
FILE = FOLDER / "scenarios.yaml"


@cache
def workspace() -> Workspace:
    return open_project(FOLDER.resolve())


def found(request: OddsRequest) -> Odds:
    odds = find_odds(workspace(), request)
    assert isinstance(odds, Odds), odds
    return odds


def duel(attacker: str, target: str, blue: str = "", red: str = "", goal: Goal = "damage") -> Odds:
    """The odds of two OPERATORs alone, with these cards in the hands."""
    hands = {"blue": tuple(blue.split()), "red": tuple(red.split())}
    return found(OddsRequest(attacker, target, hands=hands, goal=goal))


def of_scenario(name: str, goal: Goal = "damage") -> Odds:
    return found(OddsRequest(scenario=(FILE, name), goal=goal))


def taken(odds: Odds, kind: str) -> list[str]:
    """What is decided, the most frequent first."""
    return [option for decision in odds.policy if decision.kind == kind for option in decision.taken()]


def test_the_odds_without_a_decision_are_those_of_two_dice() -> None:
    odds = duel("striker", "guard")
    # AP 4 + die against EP 4 + die: 15 of 36 rolls hit, by 1 to 5
    assert odds.damage() == {0: Fraction(21, 36), **{by: Fraction(6 - by, 36) for by in range(1, 6)}}
    assert odds.measures == (Fraction(35, 36), Fraction(3, 36), Fraction(15, 36))


def test_the_goal_decides_which_card_is_played_o_1() -> None:
    by_goal = {goal: duel("striker", "guard", "sure wild", goal=goal) for goal in GOALS}
    assert [taken(odds, "attack_card") for odds in by_goal.values()] == [["wild"], ["wild"], ["sure"]]
    for goal, (measure, *_) in GOALS.items():
        assert by_goal[goal].measures[measure] == max(odds.measures[measure] for odds in by_goal.values())


def test_a_tie_is_broken_by_the_other_measures_each_in_its_own_direction_o_1() -> None:
    # the giant hits whatever is played: its player wants more DAMAGE, the other one less
    attacking, defending = (
        duel("giant", "guard", "idle even", goal="hits"),
        duel("giant", "guard", red="mirror cover", goal="hits"),
    )
    assert attacking.measures[2] == defending.measures[2] == 1
    assert (taken(attacking, "attack_card"), taken(defending, "defence_card")) == (["even"], ["cover"])


def test_of_equal_options_nothing_is_spent_and_the_first_card_is_taken_o_2() -> None:
    assert taken(duel("striker", "guard", "idle"), "attack_card") == ["no card"]
    assert taken(duel("striker", "guard", "twin even"), "attack_card") == ["twin"]
    assert taken(duel("striker", "guard", "even twin"), "attack_card") == ["even"]
    # a wall is not hit, and no die is rolled again nor doubled in vain
    odds = duel("lucky", "wall")
    assert (taken(odds, "reroll"), taken(odds, "critical")) == (["no reroll"], ["add"])
    assert odds.critical == 0


def test_both_know_both_hands_o_3() -> None:
    assert taken(duel("striker", "guard", "even"), "attack_card") == ["even"]
    assert taken(duel("striker", "guard", "even", "mirror"), "attack_card") == ["no card"]


def test_without_a_hand_it_is_empty_o_3() -> None:
    assert duel("striker", "guard").distribution == duel("striker", "guard", "idle", "").distribution


def test_a_die_is_rolled_again_knowing_both_dice_o_3() -> None:
    odds = duel("lucky", "guard")
    (reroll,) = (decision for decision in odds.policy if decision.kind == "reroll")
    decided = {case.situation.dice: case.taken for case in reroll.cases}
    # a hit for 1 is worth less than another die, a hit for 3 is not
    assert decided[(3,), (2,)] == "reroll a 3"
    assert decided[(4,), (1,)] == "no reroll"


def test_a_price_outside_the_attack_is_free_but_only_for_a_gain_o_4() -> None:
    odds = duel("payer", "guard", "idle")
    (may,) = (decision for decision in odds.policy if decision.kind == "may")
    decided = {case.situation.compared: case.taken for case in may.cases}
    assert decided[(3, True, False)] == "yes", "the fourth HITCOUNTER makes it HIT"
    assert decided[(2, True, False)] == "no", "one more does nothing"
    assert odds.spent() == {
        "blue_hand": 0,
        "red_hand": 0,
        "blue_discarded": Fraction(3, 36),
        "red_discarded": 0,
    }
    assert duel("striker", "guard", "", "cover").spent()["red_hand"] == 1


def test_what_comes_of_performing_belongs_to_the_attack_o_5() -> None:
    assert duel("finisher", "wall").measures == (0, 1, 0)


def test_ruleviolation_belongs_to_the_attack_o_5() -> None:
    odds = of_scenario("the attacker goes OUT and no longer protects")
    assert odds.measures == (Fraction(35, 36), Fraction(15, 36), Fraction(15, 36))


def test_an_action_at_once_comes_behind_it_o_5() -> None:
    assert duel("eager", "guard").distribution == duel("striker", "guard").distribution
    assert taken(duel("eager", "guard"), "may") == ["no"]


def test_chance_that_is_no_die_is_spread_evenly_o_6() -> None:
    odds = of_scenario("a neighbour of the target is hit by chance")
    by_damage = {damage: Fraction(0) for damage in odds.damage()}
    for outcome, chance in odds.distribution.items():
        by_damage[outcome.damage] += chance * outcome.becomes_hit
    # the target has DP 4: for less it is HIT only if it is drawn
    assert by_damage[3] == odds.damage()[3] / 2
    assert by_damage[4] == odds.damage()[4]


def test_a_deck_is_drawn_as_it_lies_and_it_is_said_where_that_matters_o_6() -> None:
    odds = of_scenario("a drawn card can be played at once")
    assert odds.deck_order_assumed
    assert not duel("striker", "guard", "study").deck_order_assumed


def test_what_the_rules_forbid_is_no_0_o_7() -> None:
    refused = find_odds(workspace(), OddsRequest("striker", "saint"))
    assert isinstance(refused, RefusedOdds)
    assert refused.refusal.rule_id == "M-8"


@pytest.mark.parametrize(
    ("name", "rule"), [("the target is HIT already", "R-2"), ("whose turn it is", "T-3")]
)
def test_the_state_is_settled_first_o_7(name: str, rule: str) -> None:
    refused = find_odds(workspace(), OddsRequest(scenario=(FILE, name)))
    assert isinstance(refused, RefusedOdds)
    assert refused.refusal.rule_id == rule


def test_text_only_cards_are_named_o_8() -> None:
    assert duel("oracle", "guard").not_played == ("oracle",)
    assert duel("striker", "guard").not_played == ()


def test_named_operators_meet_after_so_many_steps() -> None:
    name = "the numbers after a step"
    before = find_odds(workspace(), OddsRequest("striker", "guard", (FILE, name)))
    after = find_odds(workspace(), OddsRequest("striker", "guard", (FILE, name), after=1))
    assert isinstance(before, Odds)
    assert isinstance(after, RefusedOdds)


def test_a_scenario_must_end_with_the_attack() -> None:
    refused = find_odds(workspace(), OddsRequest(scenario=(FILE, "no attack at its end")))
    assert isinstance(refused, Unplayable)
    assert "does not end with an attack" in refused.sentence


def test_a_bound_says_so() -> None:
    with pytest.raises(TooManyWays):
        find_odds(workspace(), OddsRequest("striker", "guard", limit=5))
