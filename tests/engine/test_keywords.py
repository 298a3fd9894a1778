"""K-1 to K-4: PERFORMANCE, RULEVIOLATION, BONUS; and chains of events."""

from __future__ import annotations

import pytest

from tests.engine.tables import MODE, Table, card, of_shipped, operator, project, rules, table
from tests.engine.values import (
    Outcome,
    ScriptedDice,
    begin_turn,
    close_turn,
    give_reward,
    legal_actions,
    play_card,
    settle,
)
from toolkit.engine.decisions import ScriptedPlayer
from toolkit.engine.game import MOST_LINKS
from toolkit.engine.outcomes import Stopped

ONE = operator("one")
TWO = operator("two", dp=1)
MATE = operator("mate")
NOTE = card("note", "effect", "when played, owner draws 1 card.")
LENS = card("lens", "item", "self gets +1 AP.")
SHOT = card("shot", "attack", "when attacking, self gets +2 AP. self gets -1 EP.")

# K-1


def test_k1_an_enemy_becomes_hit_and_a_card_is_drawn() -> None:
    game = table([ONE, TWO, NOTE], "one", "two", blue_deck="note")
    game.attack("one", "two", 5, 1)
    assert game.state.blue.hand == ("note",)


def test_k1_whatever_made_him_hit() -> None:
    """Red's own Move makes his OPERATOR HIT: blue's PERFORMANCE."""
    game = table([ONE, operator("two"), NOTE], "one", "two", blue_deck="note").give("two", hitcounter=3)
    game.do("move", "two")
    assert game.state.blue.hand == ("note",)


def test_k1_each_of_several_who_become_hit() -> None:
    cards = [
        ONE,
        TWO,
        operator("three", dp=1),
        NOTE,
        card("bomb", "effect", "when played, all enemy OPERATORs get +1 HITCOUNTER."),
    ]
    game = table(cards, "one", "two three", blue_hand="bomb", blue_deck="note note note")
    game.play("blue", "bomb")
    assert game.state.blue.hand == ("note", "note")


def test_k1_an_item_is_drawn_and_attached_at_once() -> None:
    game = table([ONE, MATE, TWO, LENS], "one mate", "two", blue_item_deck="lens")
    game.answer("blue", performance=["item"], item_to=["mate"])
    game.attack("one", "two", 5, 1)
    assert (game.who("mate").attached, game.state.blue.item_deck) == ("lens", ())
    assert game.number("mate", "AP") == 5


def test_k1_onto_an_exhausted_operator_its_card_is_discarded_first() -> None:
    game = table([ONE, MATE, TWO, LENS, SHOT], "one mate", "two", blue_item_deck="lens")
    game.give("one", attached="lens").give("mate", attached="shot", status="EXHAUSTED")
    assert game.number("mate", "EP") == 2
    game.answer("blue", performance=["item"], item_to=["mate"])
    game.attack("one", "two", 5, 1)
    assert (game.who("mate").attached, game.state.blue.discard) == ("lens", ("shot",))
    assert game.number("mate", "EP") == 3  # its effect has ended at once


def test_k1_not_onto_a_normal_operator_with_a_card_nor_onto_an_item() -> None:
    """Then drawing a card is the only reward."""
    game = table(
        [ONE, MATE, TWO, LENS, SHOT, NOTE], "one mate", "two", blue_item_deck="lens", blue_deck="note"
    )
    game.give("one", attached="shot").give("mate", attached="lens", status="EXHAUSTED")
    game.answer("blue", performance=["item"])
    assert isinstance(game.attempt("attack", "one", "two", dice=(5, 1)), Stopped)
    game.answer("blue", performance=["draw"])
    game.attack("one", "two", 5, 1)
    assert game.state.blue.hand == ("note",)


def test_k1_a_reward_by_itself() -> None:
    game = table(
        [ONE, card("ring", "item", "when attached, owner draws 1 card."), NOTE],
        "one",
        blue_item_deck="ring",
        blue_deck="note",
    ).answer("blue", performance=["item"])
    done = give_reward(game.state, game.rules, "blue", game.players(), ScriptedDice(()))
    assert done.state.operators[0].attached == "ring"
    assert done.state.blue.hand == ("note",)


def test_settle_judges_h1_after_a_change_from_outside() -> None:
    cards = [ONE, operator("two", "when self becomes HIT, opponent draws 1 card."), NOTE]
    game = table(cards, "one", "two", blue_deck="note note note").give("two", hitcounter=6)
    done = settle(game.state, game.rules, game.players(), ScriptedDice(()))
    assert done.state.operators[1].status == "HIT"
    assert len(done.state.blue.hand) == 2  # his SKILL, and K-1
    assert done.trace


def test_k1_an_item_that_takes_dp_can_make_hit() -> None:
    cards = [ONE, MATE, TWO, card("ball", "item", "self gets -4 DP.")]
    game = table(cards, "one mate", "two", blue_item_deck="ball").give("mate", hitcounter=3)
    game.answer("blue", performance=["item"], item_to=["mate"])
    game.attack("one", "two", 5, 1)
    assert (game.who("mate").status, game.state.blue.item_discard) == ("HIT", ("ball",))


def test_k1_reaching_the_objective_fulfils_it() -> None:
    game = table([ONE, NOTE], "one", blue_deck="note").give("one", objectivecounter=2)
    game.do("move", "one")
    assert game.state.blue.hand == ("note",)
    game.do("move", "one")  # CAPTURED, which is no PERFORMANCE by itself
    assert game.state.blue.hand == ("note",)


def test_k1_by_an_addition_of_the_game_mode() -> None:
    mode = MODE + '    performance: ["when self CAPTURES the OBJECTIVE, owner fulfils PERFORMANCE."]\n'
    game = Table(rules(project("cards:\n" + ONE + NOTE, mode=mode), "plain"), "one", blue_deck="note note")
    game.give("one", objectivecounter=5)
    game.do("move", "one")
    assert game.state.blue.captured == ("hill",)
    assert game.state.blue.hand == ("note",)


def test_k1_the_modes_additions_see_hits_and_turns() -> None:
    mode = MODE + (
        "    performance:\n"
        "      - when the attack hits, owner fulfils PERFORMANCE.\n"
        "      - when an own OPERATOR becomes HIT, opponent fulfils PERFORMANCE.\n"
        "      - when the TURN begins, if HITCOUNTER of self >= 1, owner fulfils PERFORMANCE.\n"
        "      - when the TURN begins, if ROUND >= 1, opponent fulfils PERFORMANCE.\n"
    )
    made = rules(project("cards:\n" + ONE + TWO + NOTE, mode=mode), "plain")
    game = Table(made, "one", "two", blue_deck="note " * 9, red_deck="note " * 9)
    game.attack("one", "two", 5, 1)
    assert len(game.state.blue.hand) == 3  # the hit, the mode's own OPERATOR HIT, and K-1
    game.give("one", hitcounter=1)
    game.state = begin_turn(game.state, made, game.players(), ScriptedDice(())).state
    assert (len(game.state.blue.hand), len(game.state.red.hand)) == (5, 1)


def test_k1_by_an_effect() -> None:
    game = of_shipped("viper", blue_hand="resupply", blue_item_deck="scope", blue_deck="smoke")
    game.answer("blue", either=["second"], performance=["item"], item_to=["viper"])
    game.play("blue", "resupply")
    assert game.who("viper").attached == "scope"


# K-2


@pytest.mark.parametrize(("die", "status"), [(2, "OUT"), (3, "EXHAUSTED")])
def test_k2_ruleviolation_at_the_end_of_his_action(die: int, status: str) -> None:
    game = table([operator("one", "self gains RULEVIOLATION 3+.")], "one")
    game.do("evade", "one", dice=(die,), exhausts=True)
    assert game.who("one").status == status


def test_k2_also_for_what_an_attack_brings_and_one_die_for_the_highest() -> None:
    cards = [
        operator("one", "self gains RULEVIOLATION 2+."),
        operator("two"),
        card("auto", "attack", "when attacking, self doubles AP and gains RULEVIOLATION 4+."),
    ]
    game = table(cards, "one", "two", blue_hand="auto")
    assert game.attack("one", "two", 1, 1, 3, attack_card="auto")[0] == 9
    assert game.who("one").status == "OUT"
    assert game.state.blue.discard == ("auto",)


def test_k2_only_for_the_operator_who_acted() -> None:
    game = table([operator("one", "self gains RULEVIOLATION 3+."), MATE], "one mate")
    game.do("evade", "mate")
    assert game.who("one").status == "NORMAL"


def test_k2_until_end_of_turn_by_an_event() -> None:
    effect = card("dare", "effect", "when played, one own OPERATOR gains RULEVIOLATION 5+ until end of TURN.")
    game = table([ONE, effect], "one", blue_hand="dare")
    game.play("blue", "dare")
    game.do("evade", "one", dice=(4,))
    assert game.who("one").status == "OUT"


# K-3


def test_k3_bonus_is_one_more_action_and_does_not_count_towards_the_limit() -> None:
    game = table([ONE, MATE, NOTE], "one mate", blue_deck="note note note")
    game.do("reload", "mate", exhausts=True)
    game.do("evade", "one", exhausts=True)
    game.give("one", bonuses=("RELOAD",))
    assert game.refused("evade", "one") == "T-5"
    game.do("reload", "one")  # although mate has reloaded in this TURN
    assert game.state.blue.performed("reload") == 1
    assert game.who("one").bonus_used


def test_k3_any_is_a_free_choice() -> None:
    game = table([ONE, MATE], "one mate").give("one", status="EXHAUSTED", bonuses=("ANY",))
    game.do("move", "one", swap="mate")
    assert game.who("one").position == 1


def test_k3_a_normal_operator_may_use_his_bonus_first() -> None:
    game = table([ONE, MATE], "one").give("one", bonuses=("MOVE",))
    assert game.refused("evade", "one", bonus=True) == "K-3"
    game.do("move", "one", bonus=True, exhausts=True)
    assert (game.who("one").status, game.state.blue.performed("move")) == ("NORMAL", 0)


def test_k3_a_normal_operator_is_offered_his_bonus_too_even_beyond_the_limit() -> None:
    game = table([ONE, MATE, NOTE], "one mate", blue_deck="note note").give("one", bonuses=("RELOAD",))
    both = [one.bonus for one in legal_actions(game.state, game.rules, "blue") if one.name == "reload"]
    game.do("reload", "mate", exhausts=True)
    beyond = [one for one in legal_actions(game.state, game.rules, "blue") if one.name == "reload"]
    assert both == [False, True, False]
    assert [(one.by, one.bonus) for one in beyond] == [(game.key("one"), True)]


def test_k3_from_events_and_from_continuous_effects() -> None:
    cards = [
        operator("one", "when the attack hits, self gains BONUS (MOVE)."),
        operator("free", "self gains BONUS (EVADE)."),
        operator("two"),
        operator("eager", "when attacking, self gains BONUS (MOVE)."),
    ]
    game = table(cards, "one free eager", "~ two")
    for name in ("one", "eager"):
        game.do("attack", name, "two", dice=(5, 1), exhausts=True)
        game.give("two", hitcounter=0)
        game.do("move", name)
    game.give("free", status="EXHAUSTED")
    game.do("evade", "free")
    assert game.refused("evade", "free") == "T-5"


def test_k3_it_lapses_at_the_end_of_the_turn() -> None:
    game = table([ONE], "one").give("one", bonuses=("ANY",))
    ended = close_turn(game.state, game.rules, game.players(), ScriptedDice(()), ends_round=False)
    assert ended.state.operators[0].bonuses == ()


def test_k4_suppression_and_teamwork_are_m1_and_m3() -> None:
    """Both are effects of files: the names in the trace are those of ruleset and mode."""
    game = of_shipped("viper hawk", "bishop").give("viper", hitcounter=1)
    outcome = game.do("attack", "viper", "bishop", dice=(1, 1))
    found = {
        entry.rule: entry.origin.entry
        for entry in outcome.trace
        if entry.rule in ("M-1", "M-3") and entry.origin
    }
    assert found == {"M-1": "core", "M-3": "skirmish"}


# Events


def test_the_end_of_an_action_is_an_event_after_he_is_exhausted() -> None:
    cards = [operator("one", "when the ACTION of self ends, self becomes NORMAL.")]
    game = table(cards, "one")
    game.do("evade", "one", exhausts=True)
    assert game.who("one").status == "NORMAL"


def test_a_defence_card_reacts_to_attacks_on_its_bearer() -> None:
    game = of_shipped("viper", "bishop", red_hand="counter-fire")
    game.do("attack", "viper", "bishop", dice=(1, 5), defence_card="counter-fire")
    assert game.who("viper").hitcounter == 2


def test_a_strategy_reacts_to_attacks_of_own_operators() -> None:
    cards = [
        ONE,
        operator("two"),
        card("plan", "strategy", "when the attack hits, attacked gets -1 EP permanently."),
    ]
    game = table(cards, "one", "two", blue_strategies="plan")
    game.attack("two", "one", 5, 1)
    assert game.number("one", "EP") == 3
    game.give("one", hitcounter=0)
    game.attack("one", "two", 5, 1)
    assert game.number("two", "EP") == 2


def test_until_end_of_attack_counts_for_h1_and_then_lapses() -> None:
    """A CRITICAL takes 2 DP until end of ATTACK: HITCOUNTER 4 against 4 DP."""
    cards = [
        operator("one", "when the attack is CRITICAL, target gets -2 DP until end of ATTACK."),
        operator("two"),
    ]
    game = table(cards, "one", "two").answer("blue", critical=["double"])
    assert game.attack("one", "two", 6, 1) == (8, 4)
    assert game.who("two").status == "HIT"
    spared = table(cards, "one", "two").answer("blue", critical=["double"])
    spared.attack("one", "two", 6, 2)
    assert (spared.who("two").status, spared.number("two", "DP")) == ("NORMAL", 6)


CHAIN = (
    "when an own OPERATOR becomes HIT, if ROUND >= 1, all own OPERATORs that are HIT become NORMAL, "
    "then all own OPERATORs get +9 HITCOUNTER."
)


def test_a_chain_without_end_is_stopped_and_reported() -> None:
    cards = [
        ONE,
        card("loop", "strategy", CHAIN),
        card("bomb", "effect", "when played, all own OPERATORs get +9 HITCOUNTER."),
    ]
    game = table(cards, "one", blue_strategies="loop", blue_hand="bomb")
    players = {"blue": ScriptedPlayer({}), "red": ScriptedPlayer({})}
    outcome = play_card(game.state, game.rules, "blue", "bomb", players, ScriptedDice(()))
    assert isinstance(outcome, Outcome)
    assert outcome.chain is not None
    assert len(outcome.chain.links) == MOST_LINKS + 2
    assert outcome.chain.links[0].event == "played"
    origins = [link.origin.entry for link in outcome.chain.links if link.origin]
    assert set(origins) == {"bomb", "loop"}
    assert "loop" in outcome.chain.sentence
    assert play_card(game.state, game.rules, "blue", "bomb", players, ScriptedDice(())) == outcome


def test_a_chain_that_ends_is_no_finding() -> None:
    assert table([ONE, TWO], "one", "two").do("attack", "one", "two", dice=(5, 1)).chain is None
