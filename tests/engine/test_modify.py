"""M-1 to M-11: the six steps of MODIFY. Dice of 1 and 1 add 1 AP and 1 EP where nothing else is said."""

from __future__ import annotations

import pytest

from tests.engine.tables import CORE, MODE, Table, card, of_shipped, operator, project, rules, table
from tests.engine.values import Outcome, ScriptedDice, begin_turn, close_turn, fresh_turn
from toolkit.data.model import Options
from toolkit.engine.outcomes import Refusal, TraceEntry

ONE = operator("one")
TWO = operator("two")
STEPWISE = Options(stacking="stepwise")


def steps_of(outcome: Outcome) -> list[int]:
    return [entry.step for entry in outcome.trace if entry.step is not None]


def entries(outcome: Outcome | Refusal | None, origin: str) -> list[TraceEntry]:
    assert isinstance(outcome, Outcome)
    return [entry for entry in outcome.trace if entry.origin and entry.origin.entry == origin]


def reason(outcome: Outcome, origin: str) -> str:
    found = [entry for entry in entries(outcome, origin) if entry.kind == "skipped"]
    assert len(found) == 1, outcome.trace
    return found[0].text


# M-1


@pytest.mark.parametrize(("hitcounter", "ap"), [(0, 5), (1, 3)])
def test_m1_suppression_halves_the_attackers_ap_value(hitcounter: int, ap: int) -> None:
    game = table([ONE, TWO], "one", "two").give("one", hitcounter=hitcounter)
    assert game.attack("one", "two") == (ap, 4)


def test_m1_it_comes_from_the_ruleset() -> None:
    """A house rule: SUPPRESSION takes 3 AP."""
    core = CORE.replace("self halves AP.", "self gets -3 AP.")
    game = Table(rules(project("cards:\n" + ONE + TWO, core), "plain"), "one", "two").give(
        "one", hitcounter=1
    )
    assert game.attack("one", "two")[0] == 2


def test_m1_without_suppression_in_the_ruleset_nobody_is_suppressed() -> None:
    core = "\n".join(line for line in CORE.splitlines() if "suppression" not in line)
    hunter = operator("hunter", "when attacking, if target is SUPPRESSED, self gets +5 AP.")
    game = Table(rules(project("cards:\n" + hunter + TWO, core), "plain"), "hunter", "two")
    game.give("hunter", hitcounter=1).give("two", hitcounter=5)
    assert game.attack("hunter", "two")[0] == 5


def test_m1_the_attacked_is_not_halved() -> None:
    game = table([ONE, TWO], "one", "two").give("two", hitcounter=3)
    assert game.attack("one", "two") == (5, 4)
    assert game.number("two", "AP") == 4


def test_m1_medic_lifts_suppression() -> None:
    game = table([ONE, TWO, operator("doc")], "one doc", "two").give("one", hitcounter=3)
    game.do("medic", "doc", "one")
    assert game.number("one", "DP") == 9
    assert game.attack("one", "two")[0] == 5  # 9 - 3 is not less than 6


# M-2


def test_m2_skills_of_attacker_and_attacked_act() -> None:
    game = table(
        [
            operator("one", "when attacking, self gets +2 AP."),
            operator("two", "when attacked, self gets +3 EP. when attacking, self gets +9 AP."),
        ],
        "one",
        "two",
    )
    assert game.attack("one", "two") == (7, 7)


def test_m2_skills_of_others_act_if_they_influence_others() -> None:
    game = table(
        [
            ONE,
            TWO,
            operator("drummer", "all other own OPERATORs get +1 AP."),
            operator("coach", "when an own OPERATOR attacks, attacker gets +2 AP."),
            operator("shield", "when an own OPERATOR is attacked, attacked gets +1 EP."),
            operator("jammer", "when an enemy OPERATOR attacks, attacker gets -1 AP."),
            operator("lone", "when attacking, self gets +9 AP."),
            operator("spotter", "when an enemy OPERATOR is attacked, attacked gets -2 EP."),
        ],
        "one drummer coach spotter",
        "two shield jammer lone",
    )
    assert game.attack("one", "two") == (7, 3)  # 4+1+2-1 and the die; 3+1-2 and the die


def test_m2_an_own_operator_includes_self() -> None:
    game = table([operator("one", "when an own OPERATOR attacks, attacker gets +2 AP."), TWO], "one", "two")
    assert game.attack("one", "two")[0] == 7


# M-3


def test_m3_teamwork_of_attacker_and_attacked() -> None:
    game = of_shipped("viper hawk", "bishop king")
    # viper 4 + 1 and the die; the king beside the bishop gives +1 AP and +1 EP by his SKILL: 3 + 1 + 1 and 1
    assert game.attack("viper", "bishop") == (6, 6)


def test_m3_once_however_many_team_mates() -> None:
    mates = [operator(name, team="red-team") for name in ("l", "m", "r")]
    game = table([*mates, TWO], "l m r", "two")
    assert game.attack("m", "two")[0] == 6


@pytest.mark.parametrize("row", ["one m", "m ~ r", "m"])
def test_m3_not_without_a_mate_of_the_same_team_in_range(row: str) -> None:
    mates = [operator(name, team="red-team") for name in ("m", "r")]
    game = table([ONE, *mates, TWO], row, "two")
    assert game.attack("m", "two")[0] == 5


def test_m3_a_hit_mate_is_not_in_range() -> None:
    mates = [operator(name, team="red-team") for name in ("m", "r")]
    game = table([*mates, TWO], "m r", "two").give("r", status="HIT")
    assert game.attack("m", "two")[0] == 5


def test_m3_which_modification_the_mode_says() -> None:
    mode = MODE.replace("name: Plain\n", "name: Plain\n    teamwork: when attacking, self doubles AP.\n")
    mates = "".join(operator(name, team="red-team") for name in ("m", "r"))
    game = Table(rules(project("cards:\n" + mates + TWO, mode=mode), "plain"), "m r", "two")
    assert game.attack("two", "m") == (5, 4)
    assert game.give("m", hitcounter=0).attack("m", "two") == (9, 4)


def test_m3_teamwork_without_when_holds_for_who_has_a_mate_in_and_out_of_attacks() -> None:
    mode = MODE.replace("name: Plain\n", "name: Plain\n    teamwork: self gets +1 MP.\n")
    mates = "".join(operator(name, team="red-team") for name in ("m", "r", "x"))
    game = Table(rules(project("cards:\n" + mates, mode=mode), "plain"), "m r ~ x")
    assert [game.number(name, "MP") for name in ("m", "r", "x")] == [3, 3, 2]


# M-4


def test_m4_strategies_of_both_players_act() -> None:
    game = of_shipped(
        "viper", "rook knight bishop", red_strategies="covering-fire", blue_strategies="high-ground"
    )
    # viper 4 + 1 (sniper) and the die; the knight has two mates in RANGE: 3 + 2 + 1 teamwork and the die
    assert game.attack("viper", "knight") == (6, 7)


def test_m4_enemy_attackers_are_halved() -> None:
    game = table(
        [ONE, TWO, card("fog", "strategy", "when an enemy OPERATOR attacks, attacker halves AP.")],
        "one",
        "two",
        red_strategies="fog",
    )
    assert game.attack("one", "two")[0] == 3
    assert game.attack("two", "one")[0] == 5


# M-5

CARDS = [
    ONE,
    TWO,
    card("shot", "attack", "when attacking, self gets +2 AP."),
    card("burst", "attack", "when attacking, self gets +3 AP."),
    card("cover", "defence", "when attacked, self gets +2 EP."),
    card("lens", "item", "when attacking, self gets +1 AP."),
]


def test_m5_an_attack_card_and_a_defence_card_by_the_players_choice() -> None:
    game = table(CARDS, "one", "two", blue_hand="shot", red_hand="cover")
    game.answer("blue", attack_card=["shot"]).answer("red", defence_card=["cover"])
    assert game.attack("one", "two") == (7, 6)
    assert (game.who("one").attached, game.who("two").attached) == ("shot", "cover")
    assert (game.state.blue.hand, game.state.red.hand) == ((), ())


def test_m5_nobody_has_to() -> None:
    game = table(CARDS, "one", "two", blue_hand="shot", red_hand="cover")
    assert game.attack("one", "two") == (5, 4)
    assert game.state.blue.hand == ("shot",)


def test_m5_the_third_window_answers_a_card_on_the_attacked() -> None:
    game = table(CARDS, "one", "two", blue_hand="shot burst", red_hand="cover")
    game.answer("blue", late_attack_card=["burst"]).answer("red", defence_card=["cover"])
    assert game.attack("one", "two") == (8, 6)


def test_m5_the_third_window_is_shut_without_a_card_on_the_attacked() -> None:
    game = table(CARDS, "one", "two", blue_hand="shot")
    assert game.refused("attack", "one", "two", late_attack_card="shot", dice=(1, 1)) == "M-5"


def test_m5_any_card_on_the_attacked_opens_the_third_window() -> None:
    game = table(CARDS, "one", "two", blue_hand="shot").give("two", attached="lens")
    assert game.attack("one", "two", late_attack_card="shot", attack_card=None) == (7, 4)


def test_m5_the_card_is_from_the_hand_and_of_the_right_kind() -> None:
    game = table(CARDS, "one", "two", blue_hand="cover", red_hand="shot")
    assert game.refused("attack", "one", "two", attack_card="shot", dice=(1, 1)) == "M-5"
    assert game.refused("attack", "one", "two", attack_card="cover", dice=(1, 1)) == "M-5"
    assert game.refused("attack", "one", "two", defence_card="shot", dice=(1, 1)) == "M-5"


# M-6


def test_m6_the_attack_die_adds_to_ap_and_the_defence_die_to_ep() -> None:
    assert table([ONE, TWO], "one", "two").attack("one", "two", 5, 3) == (9, 6)


def test_m6_extra_dice_are_added_too() -> None:
    cards = [
        operator("one", "when attacking, self rolls +2 ATTACK D6."),
        operator("two", "when attacked, self rolls +1 DEFENCE D6."),
    ]
    assert table(cards, "one", "two").attack("one", "two", 1, 2, 3, 4, 5) == (10, 12)


def test_m6_extra_dice_of_the_other_part_are_not_rolled() -> None:
    cards = [operator("one", "self rolls +1 DEFENCE D6."), operator("two")]
    assert table(cards, "one", "two").attack("one", "two", 2, 3) == (6, 6)


def test_m6_a_reroll_is_a_choice() -> None:
    cards = [operator("one", "when attacking, self may reroll 1 ATTACK D6."), TWO]
    assert table(cards, "one", "two").attack("one", "two", 2, 3) == (6, 6)
    again = table(cards, "one", "two").answer("blue", reroll=[1])
    assert again.attack("one", "two", 2, 3, 5) == (9, 6)
    assert again.last.attack.rolls[0].rerolled == (2,)  # type: ignore[union-attr]


def test_m6_an_enemy_die_is_rerolled_by_whoever_may() -> None:
    cards = [ONE, operator("two", "when attacked, self may reroll 1 enemy ATTACK D6.")]
    game = table(cards, "one", "two").answer("red", reroll=[1])
    assert game.attack("one", "two", 6, 3, 1) == (5, 6)


def test_m6_rerolls_come_after_all_dice_the_attacking_players_first() -> None:
    cards = [
        operator("one", "when attacking, self may reroll 1 ATTACK D6."),
        operator("two", "when attacked, self may reroll 1 DEFENCE D6."),
    ]
    game = table(cards, "one", "two").answer("blue", reroll=[1]).answer("red", reroll=[2])
    assert game.attack("one", "two", 1, 1, 4, 5) == (8, 8)


def test_m6_two_rerolls_take_two_dice() -> None:
    cards = [operator("one", "when attacking, self rolls +1 ATTACK D6 and may reroll 2 ATTACK D6."), TWO]
    game = table(cards, "one", "two").answer("blue", reroll=[2, 1])
    assert game.attack("one", "two", 1, 2, 3, 4, 5) == (13, 6)


def test_m6_a_die_that_has_doubled_ap_is_not_rerolled_any_more() -> None:
    """The permission comes with the CRITICAL; only the die that was added may be rolled again."""
    again = "when attacking, if the attack is CRITICAL, self may reroll 1 ATTACK D6."
    cards = [operator("one", "when attacking, self rolls +1 ATTACK D6.", again), TWO]
    game = table(cards, "one", "two").answer("blue", critical=["double"], reroll=[1])
    assert game.attack("one", "two", 6, 2, 1)[0] == 10


# M-7


@pytest.mark.parametrize(("answer", "ap", "critical"), [("double", 8, True), ("add", 10, False)])
def test_m7_a_6_is_added_or_doubles_the_ap_value(answer: str, ap: int, critical: bool) -> None:
    game = table([ONE, TWO], "one", "two").answer("blue", critical=[answer])
    assert game.attack("one", "two", 6, 1)[0] == ap
    assert game.last.attack.critical is critical  # type: ignore[union-attr]


def test_m7_each_die_is_chosen_for_and_each_doubling_is_another_times_2() -> None:
    cards = [operator("one", "when attacking, self rolls +1 ATTACK D6."), TWO]
    both = table(cards, "one", "two").answer("blue", critical=["double", "double"])
    assert both.attack("one", "two", 6, 6, 1)[0] == 16
    second = table(cards, "one", "two").answer("blue", critical=["add", "double"])
    assert second.attack("one", "two", 6, 6, 1)[0] == 14


def test_m7_a_suppressed_attacker_with_a_multiplier() -> None:
    """4 x 3 / 2 and a critical: 4 x 3 x 2 / 2 = 12."""
    cards = [operator("one", "when attacking, self multiplies AP by 3."), TWO]
    game = table(cards, "one", "two").give("one", hitcounter=1).answer("blue", critical=["double"])
    assert game.attack("one", "two", 6, 1)[0] == 12


def test_m7_the_lowest_threshold_holds() -> None:
    cards = [
        operator("one", "when attacking, self makes ATTACK D6 CRITICAL on 5+."),
        TWO,
        operator("aide", "all other own OPERATORs make ATTACK D6 CRITICAL on 3+."),
    ]
    game = table(cards, "one aide", "two").answer("blue", critical=["double"])
    assert game.attack("one", "two", 3, 1)[0] == 8
    alone = table(cards, "one", "two").answer("blue", critical=["double"])
    assert alone.attack("one", "two", 4, 1)[0] == 8  # added: not critical


def test_m7_an_effect_makes_every_attack_die_critical() -> None:
    cards = [operator("one", "when attacking, self makes the attack CRITICAL."), TWO]
    game = table(cards, "one", "two").answer("blue", critical=["double"])
    assert game.attack("one", "two", 1, 1)[0] == 8


def test_m7_a_defence_die_is_never_critical() -> None:
    game = table([ONE, TWO], "one", "two").answer("blue", critical=["double"])
    assert game.attack("one", "two", 2, 6) == (6, 9)


# M-8


def test_m8_a_condition_is_judged_on_the_numbers_as_the_step_begins() -> None:
    """Both SKILLs ask for AP 4; the +1 of the first does not help or hinder the second."""
    cards = [
        operator(
            "one", "when attacking, self gets +1 AP.", "when attacking, if AP of self = 4, self gets +2 AP."
        ),
        TWO,
    ]
    assert table(cards, "one", "two").attack("one", "two")[0] == 8


def test_m8_a_later_step_sees_what_earlier_ones_did() -> None:
    cards = [
        operator("one", "when attacking, self gets +1 AP."),
        TWO,
        card("plan", "strategy", "when an own OPERATOR attacks, if AP of attacker = 5, attacker gets +2 AP."),
    ]
    assert table(cards, "one", "two", blue_strategies="plan").attack("one", "two")[0] == 8


def test_m8_step_5_sees_every_card_that_was_attached_in_its_windows() -> None:
    cards = [
        *CARDS,
        card("spite", "attack", "when attacking, if target has DEFENCE card, self gets +5 AP."),
    ]
    game = table(cards, "one", "two", blue_hand="spite", red_hand="cover")
    assert game.attack("one", "two", attack_card="spite", defence_card="cover") == (10, 6)


def test_m8_a_sentence_is_judged_once_also_for_its_dice() -> None:
    """In step 5 AP is 4; that the sentence itself raises it to 5 does not take its die away."""
    cards = [
        ONE,
        TWO,
        card("gun", "attack", "when attacking, if AP of self = 4, self gets +1 AP and rolls +1 ATTACK D6."),
    ]
    game = table(cards, "one", "two", blue_hand="gun")
    assert game.attack("one", "two", 1, 2, 1, attack_card="gun")[0] == 8


def test_m8_ignores_holds_from_the_start_for_all_steps() -> None:
    game = table([operator("one", "self ignores SUPPRESSION."), TWO], "one", "two").give("one", hitcounter=1)
    outcome = game.do("attack", "one", "two", dice=(1, 1))
    assert outcome.attack is not None
    assert outcome.attack.ap == 5
    assert reason(outcome, "core") == "one ignores SUPPRESSION"


def test_m8_ignores_holds_from_the_moment_its_card_is_attached() -> None:
    """The decoy comes in step 5 and takes away what the SKILL did in step 2."""
    cards = [
        operator("one", "when attacking, self gets +3 AP."),
        TWO,
        card("decoy", "defence", "when attacked, attacker ignores SKILLs."),
    ]
    game = table(cards, "one", "two", red_hand="decoy")
    assert game.attack("one", "two", defence_card="decoy") == (5, 4)
    told = [entry for entry in entries(game.last, "decoy") if entry.kind == "change"]
    assert [(entry.rule, entry.before, entry.after) for entry in told] == [("M-8", 7, 4)]


@pytest.mark.parametrize(
    ("what", "ap"),
    [("SKILLs", 12), ("TEAMWORK", 14), ("STRATEGY", 13), ("ATTACK cards", 11), ("DEFENCE cards", 15)],
)
def test_m8_what_can_be_ignored(what: str, ap: int) -> None:
    """4 +3 SKILL +1 TEAMWORK +2 STRATEGY +4 ATTACK card, and the die: 15."""
    cards = [
        operator("one", f"when attacking, self gets +3 AP. self ignores {what}.", team="red-team"),
        operator("mate", team="red-team"),
        TWO,
        card("plan", "strategy", "all own OPERATORs get +2 AP."),
        card("gun", "attack", "when attacking, self gets +4 AP."),
    ]
    game = table(cards, "one mate", "two", blue_strategies="plan", blue_hand="gun")
    assert game.attack("one", "two", attack_card="gun")[0] == ap


def test_m8_ignoring_skills_leaves_dice_and_others_alone() -> None:
    """Ruling: what changes no number of his still acts: the extra die."""
    cards = [operator("one", "when attacking, self rolls +1 ATTACK D6. self ignores SKILLs."), TWO]
    assert table(cards, "one", "two").attack("one", "two", 2, 3, 1)[0] == 9


def test_m8_cannot_have_defence_cards() -> None:
    cards = [*CARDS, card("pin", "attack", "when attacking, target cannot have DEFENCE cards.")]
    game = table(cards, "one", "two", blue_hand="pin", red_hand="cover").answer("red", defence_card=["cover"])
    assert game.attack("one", "two", attack_card="pin") == (5, 4)
    assert game.state.red.hand == ("cover",)
    shut = table(cards, "one", "two", blue_hand="pin", red_hand="cover")
    assert shut.refused("attack", "one", "two", attack_card="pin", defence_card="cover", dice=(1, 1)) == "M-8"


def test_m8_cannot_be_attacked_and_cannot_perform() -> None:
    cards = [
        operator("ghost", "if self is not EXHAUSTED, self cannot be attacked."),
        operator("corner", "when attacked, if attacker is not opposite self, self cannot be attacked."),
        operator("guard", "all enemy OPERATORs opposite self cannot perform MOVE."),
        operator("peace", "when attacking, if target is EXHAUSTED, self cannot perform ATTACK."),
        operator("hook", "when attacked, attacker cannot perform MOVE."),
        ONE,
    ]
    game = table(cards, "one", "ghost corner guard")
    assert isinstance(table(cards, "one", "hook").attempt("attack", "one", "hook", dice=(1, 1)), Outcome)
    calm = table(cards, "peace", "guard")
    assert isinstance(calm.attempt("attack", "peace", "guard", dice=(1, 1)), Outcome)
    assert calm.give("guard", status="EXHAUSTED").refused("attack", "peace", "guard") == "M-8"
    assert game.refused("attack", "one", "ghost") == "M-8"
    assert game.refused("attack", "one", "corner") == "M-8"
    game.give("ghost", status="EXHAUSTED")
    assert isinstance(game.attempt("attack", "one", "ghost", dice=(1, 1)), Outcome)
    facing = table(cards, "one", "guard")
    assert facing.refused("move", "one") == "M-8"


@pytest.mark.parametrize(("answer", "ep"), [("double", 7), ("add", 4)])
def test_m8_what_speaks_of_critical_acts_after_m7(answer: str, ep: int) -> None:
    cards = [ONE, operator("two", "when attacked, if the attack is CRITICAL, self gets +3 EP.")]
    game = table(cards, "one", "two").answer("blue", critical=[answer])
    assert game.attack("one", "two", 6, 1)[1] == ep


def test_m8_the_attack_is_not_critical_is_judged_after_m7_too() -> None:
    cards = [operator("one", "when attacking, if the attack is not CRITICAL, self gets +2 AP."), TWO]
    doubled = table(cards, "one", "two").answer("blue", critical=["double"])
    assert doubled.attack("one", "two", 6, 1)[0] == 8
    assert table(cards, "one", "two").attack("one", "two", 6, 1)[0] == 12


def test_m8_after_m7_stands_behind_step_6_under_stepwise() -> None:
    """(3 + 2 on the die) x 2 = 10."""
    cards = [ONE, operator("two", "when attacked, if the attack is CRITICAL, self doubles EP.")]
    game = table(cards, "one", "two", options=STEPWISE).answer("blue", critical=["double"])
    assert game.attack("one", "two", 6, 2)[1] == 10


def test_m8_a_die_that_a_critical_wins_is_rolled_after_m7() -> None:
    cards = [operator("one", "when attacking, if the attack is CRITICAL, self rolls +1 ATTACK D6."), TWO]
    game = table(cards, "one", "two").answer("blue", critical=["double"])
    assert game.attack("one", "two", 6, 1, 4)[0] == 12


# M-9


def test_m9_a_card_attached_earlier_and_an_item_act_again() -> None:
    game = table(CARDS, "one", "two", blue_hand="shot").give("two", attached="lens")
    assert game.attack("two", "one") == (6, 4)
    game.give("one", hitcounter=0)
    assert game.attack("one", "two", attack_card="shot")[0] == 7
    game.give("two", hitcounter=0)
    again = game.do("attack", "one", "two", dice=(1, 1))
    assert again.attack is not None
    assert again.attack.ap == 7
    assert [entry.rule for entry in entries(again, "shot")] == ["M-9"]


# M-10


def test_m10_without_when_it_holds_in_and_out_of_attacks() -> None:
    game = table([operator("one", "self gets +2 AP."), TWO], "one", "two")
    assert game.number("one", "AP") == 6
    assert game.attack("one", "two")[0] == 7


def test_m10_it_reads_values_and_what_events_changed_but_never_its_like() -> None:
    cards = [
        operator("one", "if AP of self <= 4, self gets +3 AP.", "if AP of self <= 4, self gets +1 MP."),
        operator("two", "all other own OPERATORs get +5 AP."),
        card("push", "effect", "when played, one own OPERATOR gets +1 AP until end of TURN."),
    ]
    game = table(cards, "one two", blue_hand="push")
    assert (game.number("one", "AP"), game.number("one", "MP")) == (12, 3)
    game.play("blue", "push")
    assert (game.number("one", "AP"), game.number("one", "MP")) == (10, 2)


def test_m10_suppression_sees_it() -> None:
    """DP 6 - 1 by his own SKILL is less than his DP VALUE: SUPPRESSED without a HITCOUNTER."""
    game = table([operator("one", "self gets -1 DP."), TWO], "one", "two")
    assert game.attack("one", "two")[0] == 3


def test_m10_counts_read_the_same() -> None:
    cards = [
        operator("one", "self gets +1 EP for each AP of self."),
        operator("two", "all own OPERATORs get +2 AP."),
    ]
    game = table(cards, "one two")
    assert game.number("one", "EP") == 7  # 3 + 4, not 3 + 6


# M-11


def test_m11_numbers_of_all_operators_are_computed() -> None:
    """The card of a third OPERATOR counts what MODIFY has made of the two."""
    cards = [
        operator("one", "when attacking, all other own OPERATORs get +3 AP."),
        operator("mate"),
        TWO,
        card(
            "gun", "attack", "when attacking, if number of own OPERATORs with AP >= 7 = 1, self gets +4 AP."
        ),
    ]
    game = table(cards, "one mate", "two", blue_hand="gun")
    assert game.attack("one", "two", attack_card="gun")[0] == 9  # 4 + 4, the TEAMWORK of nobody, and the die


def test_m11_critical_then_hits_then_hit() -> None:
    cards = [
        operator(
            "one",
            "when an enemy OPERATOR becomes HIT, self gets +4 AP permanently.",
            "when the attack hits, self doubles AP permanently.",
            "when the attack is CRITICAL, self gets +1 AP permanently.",
        ),
        operator("two", dp=1),
    ]
    game = table(cards, "one", "two").answer("blue", critical=["double"])
    outcome = game.do("attack", "one", "two", dice=(6, 1))
    happened = [entry.rule for entry in outcome.trace if entry.kind == "event" and entry.origin]
    assert happened == ["M-7", "A-1", "H-1"]


def test_m11_simultaneous_effects_the_attacking_players_first_from_left_to_right() -> None:
    note = "when the attack hits, owner draws 1 card."
    deck = "note note note"
    cards = [
        operator("one", note),
        operator("two", "when an own OPERATOR becomes HIT, owner draws 1 card."),
        operator("left", "when an enemy OPERATOR becomes HIT, owner draws 1 card."),
        operator("weak", dp=1),
        card("note", "effect", "when played, owner draws 1 card."),
    ]
    game = table(cards, "left one", "two weak", blue_deck=deck, red_deck=deck)
    outcome = game.do("attack", "one", "weak", dice=(5, 1))
    order = [entry.origin.entry for entry in outcome.trace if entry.kind == "event" and entry.origin]
    assert order == ["one", "left", "two"]


def test_m11_turn_events_come_for_either_players_turn() -> None:
    cards = [
        operator("one", "when the TURN begins, self gets +1 AP permanently."),
        operator("two", "when the TURN ends, self gets +1 AP until end of TURN."),
        operator("three", "when the TURN ends, self gets +1 AP until end of ROUND."),
    ]
    game = table(cards, "one", "two three")
    for turn in ("blue", "red"):
        game.state = fresh_turn(game.state, turn, 1)  # type: ignore[arg-type]
        game.state = begin_turn(game.state, game.rules, game.players(), ScriptedDice(())).state
        game.state = close_turn(
            game.state, game.rules, game.players(), ScriptedDice(()), ends_round=turn == "red"
        ).state
        if turn == "blue":
            assert [game.number(name, "AP") for name in ("one", "two", "three")] == [5, 4, 5]
    assert [game.number(name, "AP") for name in ("one", "two", "three")] == [6, 4, 4]


# The order


def test_the_six_steps_come_in_exactly_this_order() -> None:
    game = of_shipped(
        "viper hawk tawny",
        "bishop queen",
        blue_hand="aimed-shot",
        red_hand="hard-cover",
        red_strategies="covering-fire",
        blue_strategies="high-ground",
    ).give("viper", hitcounter=1)
    outcome = game.do(
        "attack", "viper", "bishop", dice=(2, 2), attack_card="aimed-shot", defence_card="hard-cover"
    )
    steps = steps_of(outcome)
    assert steps == sorted(steps)
    assert set(steps) == {0, 1, 2, 3, 4, 5, 6}


def test_a_skipped_effect_says_why_in_plain_words() -> None:
    cards = [
        operator("one", "when attacking, if HITCOUNTER of target >= 3, self gets +1 AP."),
        operator("two", "when attacked, if attacker is not opposite self or self has card, self gets +1 EP."),
    ]
    outcome = table(cards, "one", "two").do("attack", "one", "two", dice=(1, 1))
    assert reason(outcome, "one") == "its condition is false: HITCOUNTER of target is 0"
    assert reason(outcome, "two") == "its condition is false: attacker is opposite self, self has no card"


def test_an_effect_that_always_holds_says_why_it_does_not() -> None:
    cards = [operator("one", "if ROUND >= 3, self gets +1 AP."), TWO]
    outcome = table(cards, "one", "two").do("attack", "one", "two", dice=(1, 1))
    assert reason(outcome, "one") == "its condition is false: ROUND is 1"
