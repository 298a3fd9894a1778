"""A-1 to A-5, T-5, H-1 and H-2: ACTIONs, their limits, and what makes OPERATORs HIT."""

from __future__ import annotations

import pytest

from tests.engine.tables import CORE, Table, card, of_shipped, operator, project, rules, table
from tests.engine.values import (
    Outcome,
    ScriptedDice,
    close_turn,
    fresh_turn,
    leave_field,
    legal_actions,
    perform,
    placed,
    with_player,
)
from toolkit.data.model import Options
from toolkit.engine.compiler import has_reached
from toolkit.engine.decisions import DefaultPlayer
from toolkit.engine.outcomes import Stopped
from toolkit.engine.state_queries import StateQueries

ONE = operator("one")
TWO = operator("two")
MATE = operator("mate")
NOTE = card("note", "effect", "when played, owner draws 1 card.")

#


def test_a1_the_difference_is_added_to_the_hitcounter() -> None:
    game = table([ONE, TWO], "one", "two").give("two", hitcounter=1)
    assert game.attack("one", "two", 5, 2) == (9, 5)
    assert game.who("two").hitcounter == 5
    assert game.last.attack.damage == 4  # type: ignore[union-attr]


@pytest.mark.parametrize(("dice", "hits"), [((2, 3), False), ((3, 3), True), ((1, 5), False)])
def test_a1_only_if_ap_is_higher(dice: tuple[int, int], hits: bool) -> None:
    game = table([ONE, TWO], "one", "two")
    game.attack("one", "two", *dice)
    assert game.who("two").hitcounter == int(hits)
    assert game.last.attack.hits is hits  # type: ignore[union-attr]


def test_a1_an_own_operator_or_nobody_is_no_target() -> None:
    game = table([ONE, TWO, MATE], "one mate", "two")
    assert game.refused("attack", "one", "mate") == "A-1"
    assert game.refused("attack", "one") == "A-1"


def test_a1_the_ruleset_may_modify_the_attack() -> None:
    core = CORE.replace(
        "attack: {limit: unlimited}", "attack: {limit: 1, effect: self gets -1 DP until end of TURN.}"
    )
    game = Table(rules(project("cards:\n" + ONE + TWO, core), "plain"), "one", "two")
    assert game.attack("one", "two")[0] == 3  # SUPPRESSED by the loss of DP
    assert game.refused("attack", "one", "two") == "A-1"


def test_an_action_that_the_ruleset_does_not_name_does_not_exist() -> None:
    core = "\n".join(line for line in CORE.splitlines() if "evade" not in line)
    game = Table(rules(project("cards:\n" + ONE, core), "plain"), "one")
    assert game.refused("evade", "one") == "A-4"


#


def test_a2_move_costs_1_ep_and_3_dp_to_the_end_of_the_turn() -> None:
    game = table([ONE, TWO], "one", "two")
    game.do("move", "one")
    assert [game.number("one", stat) for stat in ("EP", "DP")] == [2, 3]
    assert game.attack("one", "two")[0] == 3  # less DP than his VALUE: SUPPRESSED


def test_a2_twice_in_a_turn_for_each_player() -> None:
    game = table([ONE, TWO, MATE], "one mate", "two")
    game.do("move", "one")
    game.do("move", "mate")
    assert game.refused("move", "one") == "A-2"
    assert isinstance(game.attempt("move", "two"), Outcome)
    game.state = fresh_turn(game.state, "red", 1)
    assert isinstance(game.attempt("move", "one"), Outcome)


def test_a2_it_can_make_him_hit_and_then_the_action_ends() -> None:
    game = table([ONE, TWO], "one", "two").give("one", hitcounter=3)
    game.do("move", "one", exhausts=True)
    one = game.who("one")
    assert (one.status, one.hitcounter, one.objectivecounter, one.lasting) == ("HIT", 0, 0, ())
    assert game.state.blue.performed("move") == 1


def test_a2a_swap() -> None:
    game = table([ONE, MATE], "one ~ mate")
    game.do("move", "one", swap="mate")
    assert (game.who("one").position, game.who("mate").position) == (2, 0)
    assert game.state.blue.field == (1, None, 0, None)


def test_a2a_their_mp_together_are_4_or_more() -> None:
    slow = operator("slow", mp=1)
    game = table([ONE, slow], "one slow")
    assert game.refused("move", "one", swap="slow") == "A-2a"
    assert isinstance(table([ONE, MATE], "one mate").attempt("move", "one", swap="mate"), Outcome)
    other = table([ONE, slow], "one slow", options=Options(swap_mp=3))
    assert isinstance(other.attempt("move", "one", swap="slow"), Outcome)


def test_a2a_current_mp_count() -> None:
    cards = [operator("one", "self gets +2 MP."), operator("slow", mp=0)]
    assert isinstance(table(cards, "one slow").attempt("move", "one", swap="slow"), Outcome)


@pytest.mark.parametrize(
    ("option", "counters"), [("with_operator", [(2, 3), (1, 0)]), ("with_position", [(1, 0), (2, 3)])]
)
def test_a2a_counters_travel_or_stay(option: str, counters: list[tuple[int, int]]) -> None:
    game = table([ONE, MATE], "one mate", options=Options(swap_counters=option))
    game.give("one", hitcounter=2, objectivecounter=3).give("mate", hitcounter=1)
    game.do("move", "one", swap="mate")
    found = [(game.who(name).hitcounter, game.who(name).objectivecounter) for name in ("one", "mate")]
    assert found == counters


def test_a2a_counters_that_stay_can_make_hit() -> None:
    weak = operator("weak", dp=2)
    game = table([ONE, weak], "one weak", options=Options(swap_counters="with_position"))
    game.give("one", hitcounter=2)
    game.do("move", "one", swap="weak")
    assert game.who("weak").status == "HIT"


def test_a2a_an_enemy_is_no_partner() -> None:
    assert table([ONE, TWO], "one", "two").refused("move", "one", swap="two") == "A-2a"


def test_a2b_advance_reach_and_capture() -> None:
    """The hill has value 4, `one` has 2 MP: two moves reach it, the third captures it."""
    game = table([ONE, NOTE], "one", blue_deck="note note")
    game.do("move", "one")
    assert game.who("one").objectivecounter == 2
    game.state = fresh_turn(game.state, "blue", 2)
    game.give("one", lasting=())
    outcome = game.do("move", "one")
    assert [entry.after for entry in outcome.trace if entry.rule == "A-2b" and entry.kind == "status"] == [
        "REACHED"
    ]
    assert game.state.blue.hand == ("note",)  # K-1
    assert game.state.blue.captured == ()
    game.state = fresh_turn(game.state, "blue", 3)
    game.give("one", lasting=())
    game.do("move", "one")
    assert game.state.blue.captured == ("hill",)
    assert game.state.blue.objectives == (None, "well", "hill", "well")
    assert game.state.red.objectives[0] == "hill"  # the other row has its own (F-3)
    assert game.who("one").objectivecounter == 0


def test_a2b_counters_may_exceed_a_die() -> None:
    game = table([operator("one", mp=9)], "~ one").give("one", objectivecounter=5)
    game.do("move", "one")
    assert game.who("one").objectivecounter == 14


def test_a2b_a_swap_does_not_capture_and_reached_is_judged_anew() -> None:
    """5 is enough for the hill (4), not for the well (6)."""
    game = table([ONE, MATE], "one mate").give("one", objectivecounter=5)
    assert has_reached(StateQueries(game.rules, game.state), game.who("one"))
    game.do("move", "one", swap="mate")
    assert game.state.blue.captured == ()
    assert not has_reached(StateQueries(game.rules, game.state), game.who("one"))


def test_a2b_a_swap_to_an_easier_objective_reaches_it() -> None:
    game = table([ONE, MATE, NOTE], "mate one", blue_deck="note").give("one", objectivecounter=5)
    game.do("move", "mate", swap="one")
    assert game.state.blue.hand == ("note",)


def test_a2b_without_an_objective_the_counter_grows_all_the_same() -> None:
    game = table([ONE], "one")
    game.state = with_player(game.state, "blue", objectives=(None,) * 4)
    game.do("move", "one")
    assert game.who("one").objectivecounter == 2


#


def test_a3_medic_gives_3_dp_while_on_the_field() -> None:
    game = table([ONE, MATE], "one mate").give("mate", hitcounter=4)
    game.do("medic", "one", "mate")
    assert game.number("mate", "DP") == 9
    assert game.who("mate").hitcounter == 4
    game.state.turn = "red"
    ended = close_turn(game.state, game.rules, game.players(), ScriptedDice(()), ends_round=True)
    game.state = ended.state
    assert game.number("mate", "DP") == 9
    game.state = leave_field(game.state, game.rules, game.key("mate"))
    assert game.number("mate", "DP") == 6
    assert game.state.blue.save_zone == (game.key("mate"),)


def test_a3_once_in_a_turn_in_range_and_with_a_hitcounter() -> None:
    game = table([ONE, MATE, operator("far"), TWO], "one mate ~ far", "two")
    assert game.refused("medic", "one", "mate") == "A-3"
    game.give("mate", hitcounter=1).give("far", hitcounter=1).give("two", hitcounter=1)
    assert game.refused("medic", "one", "far") == "R-1"
    assert game.refused("medic", "one", "two") == "A-3"
    game.do("medic", "one", "mate")
    assert game.refused("medic", "one", "mate") == "A-3"


#


def test_a4_evade_adds_the_mp_he_has_when_he_performs_it() -> None:
    cards = [
        operator("one", mp=3),
        card("rush", "effect", "when played, one own OPERATOR gets +2 MP until end of TURN."),
    ]
    game = table(cards, "one", blue_hand="rush")
    game.do("evade", "one")
    game.play("blue", "rush")
    assert (game.number("one", "MP"), game.number("one", "EP")) == (5, 6)
    game.do("evade", "one")
    assert game.number("one", "EP") == 11  # without a limit


def test_a5_reload_draws_one_card_once_a_turn() -> None:
    game = table([ONE, MATE, NOTE], "one mate", blue_deck="note note")
    game.do("reload", "one")
    assert (game.state.blue.hand, game.state.blue.deck) == (("note",), ("note",))
    assert game.refused("reload", "mate") == "A-5"


def test_a5_an_empty_deck_draws_nothing() -> None:
    game = table([ONE], "one")
    game.do("reload", "one")
    assert game.state.blue.hand == ()


# T-5


def test_t5_an_action_exhausts_and_exhausted_ones_perform_only_a_bonus_action() -> None:
    game = table([ONE, TWO], "one", "two")
    game.do("evade", "one", exhausts=True)
    assert game.who("one").status == "EXHAUSTED"
    assert game.refused("evade", "one") == "T-5"
    game.give("one", bonuses=("ATTACK",))
    assert game.refused("evade", "one") == "T-5"
    game.attack("one", "two")
    assert game.refused("attack", "one", "two") == "T-5"  # at most one in a TURN
    game.give("one", bonuses=("ATTACK", "ANY"))
    assert game.refused("attack", "one", "two") == "T-5"


def test_legal_actions_are_those_that_are_not_refused() -> None:
    game = of_shipped("viper hawk", "bishop ~ pawn").give("hawk", hitcounter=1)
    legal = legal_actions(game.state, game.rules, "blue")
    assert len(set(legal)) == len(legal)
    for action in legal:
        done = perform(
            game.state,
            game.rules,
            action,
            {"blue": DefaultPlayer(), "red": DefaultPlayer()},
            ScriptedDice([3] * 9),
        )
        assert isinstance(done, Outcome)
    named = {(action.name, action.by, action.on, action.swap) for action in legal}
    viper, hawk, bishop, pawn = (game.key(name) for name in ("viper", "hawk", "bishop", "pawn"))
    assert ("attack", viper, bishop, None) in named
    assert ("attack", viper, pawn, None) not in named
    assert ("attack", hawk, pawn, None) in named
    assert ("medic", viper, hawk, None) in named
    assert ("medic", hawk, viper, None) not in named
    assert ("move", viper, None, hawk) in named


def test_an_exhausted_operators_legal_actions_are_his_bonus_actions() -> None:
    game = table([ONE, TWO], "one", "two").give("one", status="EXHAUSTED", bonuses=("MOVE",))
    assert [action.name for action in legal_actions(game.state, game.rules, "blue")] == ["move"]


def test_an_operator_in_the_savezone_performs_nothing() -> None:
    game = table([ONE], "one")
    game.state = placed(game.state, game.key("one"), None)
    assert game.refused("evade", "one") == "A-4"
    assert legal_actions(game.state, game.rules, "blue") == ()


def test_dice_that_run_out_stop_the_action_and_nothing_of_it_happens() -> None:
    game = table([ONE, TWO], "one", "two")
    outcome = game.attempt("attack", "one", "two", dice=(3,))
    assert isinstance(outcome, Stopped)
    assert outcome.sentence == "There is no die left for this DEFENCE D6."
    wrong = game.attempt("attack", "one", "two", dice=(7, 1))
    assert isinstance(wrong, Stopped)


# H-1, H-2


def test_h1_hit_at_once_when_the_hitcounter_reaches_dp() -> None:
    game = table([ONE, operator("two", dp=4)], "one", "two")
    game.attack("one", "two", 5, 2)
    assert game.who("two").status == "HIT"
    assert game.who("two").position == 0


def test_h1_without_a_hitcounter_nobody_is_hit() -> None:
    game = table([operator("one", dp=1)], "one")
    game.do("move", "one")
    assert (game.number("one", "DP"), game.who("one").status) == (0, "NORMAL")


def test_h1_after_a1_with_the_dp_of_modify() -> None:
    """+3 DP when attacked keeps him up during the attack; when it is over he has 4 DP again and is HIT."""
    cards = [
        ONE,
        operator("two", "when attacked, self gets +3 DP.", dp=4),
    ]
    game = table(cards, "one", "two")
    outcome = game.do("attack", "one", "two", dice=(5, 2))
    assert game.who("two").status == "HIT"
    compare = [entry.rule for entry in outcome.trace if entry.kind in ("compare", "status")]
    assert compare == ["A-1", "H-1"]
    kept = table([ONE, operator("two", "when attacked, self gets +3 DP.", dp=6)], "one", "two")
    kept.attack("one", "two", 5, 2)
    assert kept.who("two").status == "NORMAL"


def test_h1_when_a_number_falls() -> None:
    """The leader's +3 DP goes when he falls, and the one beside him falls too: judged again."""
    cards = [
        ONE,
        operator("leader", "all other own OPERATORs get +3 DP.", dp=1),
        operator("two", dp=4),
    ]
    game = table(cards, "one", "leader two").give("two", hitcounter=5)
    game.attack("one", "leader")
    assert [game.who(name).status for name in ("leader", "two")] == ["HIT", "HIT"]


def test_h1_all_concerned_become_hit_together() -> None:
    """Each would draw for the other's fall; both lie already."""
    draws = "when an own OPERATOR becomes HIT, owner draws 1 card."
    cards = [
        ONE,
        operator("a", draws, dp=1),
        operator("b", draws, dp=1),
        card("bomb", "effect", "when played, all enemy OPERATORs get +1 HITCOUNTER."),
        NOTE,
    ]
    game = table(cards, "one", "a b", blue_hand="bomb", red_deck="note note")
    game.play("blue", "bomb")
    assert game.who("a").status == game.who("b").status == "HIT"
    assert game.state.red.hand == ()


def test_h1_when_a_duration_ends() -> None:
    cards = [ONE, TWO, card("tape", "effect", "when played, one own OPERATOR gets +3 DP until end of TURN.")]
    game = table([*cards, NOTE], "one", "two", blue_hand="tape", red_deck="note").give("one", hitcounter=5)
    game.play("blue", "tape")
    game.give("one", hitcounter=7)
    ended = close_turn(game.state, game.rules, game.players(), ScriptedDice(()), ends_round=False)
    assert ended.state.operators[game.key("one")].status == "HIT"
    assert len(ended.state.red.hand) == 1  # K-1


def test_h1_when_the_attack_ends_is_an_event_too() -> None:
    cards = [ONE, operator("two", "when attacked, self gets +3 DP.", dp=4), NOTE]
    game = table(cards, "one", "two", blue_deck="note")
    game.attack("one", "two", 5, 2)
    assert game.state.blue.hand == ("note",)


def test_h2_hit_takes_counters_card_and_what_does_not_last_permanently() -> None:
    cards = [
        ONE,
        operator("two", dp=4),
        card("lens", "item", "self gets +1 AP."),
        card(
            "pep",
            "effect",
            "when played, one own OPERATOR gets +1 MP while on the FIELD.",
        ),
        card("song", "effect", "when played, one own OPERATOR gets +2 EP permanently."),
    ]
    game = table(cards, "one", "two", red_hand="pep song")
    game.give("two", objectivecounter=3, attached="lens", hitcounter=2)
    game.play("red", "pep")
    game.play("red", "song")
    game.attack("one", "two", 6, 1)
    two = game.who("two")
    assert (two.status, two.hitcounter, two.objectivecounter, two.attached) == ("HIT", 0, 0, None)
    assert game.state.red.item_discard == ("lens",)
    assert {one.duration for one in two.lasting} == {"permanently"}
    assert (game.number("two", "AP"), game.number("two", "EP"), game.number("two", "MP")) == (4, 5, 2)


def test_h2_an_attack_card_goes_to_the_discardzone() -> None:
    cards = [operator("one", dp=2), TWO, card("shot", "attack", "when attacking, self gets +2 AP.")]
    game = table(cards, "one", "two").give("one", attached="shot")
    game.attack("two", "one", 6, 1)
    assert game.state.blue.discard == ("shot",)


def test_h2_counters_do_not_lie_on_fallen_operators() -> None:
    cards = [
        operator("one", "when the attack hits, target gets +2 HITCOUNTER and -1 AP permanently."),
        operator("two", dp=1),
    ]
    game = table(cards, "one", "two")
    game.attack("one", "two", 5, 1)
    assert game.who("two").hitcounter == 0
    assert game.number("two", "AP") == 3
