"""N-1 to N-7: how modifications of one stat are put together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.tables import CORE, MODE, Table, card, operator, project, rules, table
from tests.engine.values import replace
from toolkit.data.model import Options
from toolkit.engine.modifiers import Change, put_together, rounded

STEPWISE = Options(stacking="stepwise")


def change(layer: str, amount: int, step: int = 2, controller: str = "blue", by_card: bool = True) -> Change:
    return Change(0, "AP", layer, amount, step, controller, "N-2", by_card=by_card)  # type: ignore[arg-type]


def together(value: int, *changes: Change, options: Options | None = None, attacking: str = "blue") -> int:
    return put_together(value, changes, options or Options(), attacking)  # type: ignore[arg-type]


def test_n1_a_value_is_printed_and_the_plain_name_is_the_current_number() -> None:
    cards = [
        operator("one", "if AP VALUE of self = 4, self gets +2 AP."),
        operator("two", "self gets +9 AP."),
    ]
    game = table(cards, "one two")
    assert game.number("one", "AP") == 6
    assert game.number("two", "AP") == 13  # above the VALUE of 4


def test_n2_fix_multiply_divide_add_subtract() -> None:
    changes = [
        change("subtract", -1),
        change("add", 4),
        change("divide", 2),
        change("multiply", 3),
        change("fix", 5),
    ]
    assert together(9, *changes) == 10  # 5 x 3 = 15, / 2 = 7, + 4 - 1
    assert together(9, *reversed(changes)) == 10


def test_n3_layered_doubles_the_value() -> None:
    """VALUE 4, a skill of +2 and a critical: 4 x 2 + 2 = 10."""
    changes = (change("add", 2, 2), change("multiply", 2, 6))
    assert together(4, *changes) == 10
    assert together(4, *changes, options=STEPWISE) == 12  # (4 + 2) x 2


@pytest.mark.parametrize(("options", "ap"), [(Options(), 10), (STEPWISE, 12)])
def test_n3_in_an_attack(options: Options, ap: int) -> None:
    cards = [operator("one", "when attacking, self gets +2 AP."), operator("two")]
    game = table(cards, "one", "two", options=options).answer("blue", critical=["double"])
    assert game.attack("one", "two", 6, 1)[0] == ap


@pytest.mark.parametrize(("options", "ap"), [(Options(), 3), (STEPWISE, 2)])
def test_n3_what_lasts_from_before_the_attack_comes_before_step_1(options: Options, ap: int) -> None:
    """AP 4, halved in step 1, +1 before: layered 4/2+1 = 3, stepwise (4+1)/2 = 2; then the die of 1."""
    cards = [
        operator("one"),
        operator("two", "when attacked, attacker halves AP."),
        card("push", "effect", "when played, one own OPERATOR gets +1 AP until end of TURN."),
    ]
    game = table(cards, "one", "two", options=options, blue_hand="push")
    game.play("blue", "push")
    assert game.attack("one", "two")[0] == ap + 1


def test_n3_an_effect_without_when_belongs_to_its_step_under_stepwise() -> None:
    """M-10: a STRATEGY's +1 AP stands in step 4, behind the halving of step 2: 4/2+1, and the die of 1."""
    cards = [
        operator("one"),
        operator("two", "when attacked, attacker halves AP."),
        card("plan", "strategy", "all own OPERATORs get +1 AP."),
    ]
    game = table(cards, "one", "two", options=STEPWISE, blue_strategies="plan")
    assert game.attack("one", "two")[0] == 4


@pytest.mark.parametrize(("rounding", "quotient"), [("down", 2), ("up", 3), ("nearest", 3)])
def test_n4_a_fraction_is_rounded_once_after_the_divide_layer(rounding: str, quotient: int) -> None:
    options = Options(rounding=rounding)
    assert together(5, change("divide", 2), options=options) == quotient
    # 10 / 2 / 2 is 2.5, rounded once, not 5 / 2 of 5.0 and then again
    assert together(10, change("divide", 2), change("divide", 2, 4), options=options) == quotient


def test_n4_nearest_takes_halves_up_and_less_down() -> None:
    assert rounded(7, 3, "nearest") == 2
    assert rounded(8, 3, "nearest") == 3
    assert rounded(-5, 2, "nearest") == -2
    assert rounded(-5, 2, "down") == -3


def test_n4_under_stepwise_each_step_rounds() -> None:
    """5/2 = 2 in step 1, then (2+1)/2 = 1 in step 2; layered 5/4 = 1, + 1."""
    changes = (change("divide", 2, 1), change("add", 1, 1), change("divide", 2, 2))
    assert together(5, *changes, options=STEPWISE) == 1
    assert together(5, *changes) == 2


def test_n5_a_number_is_never_read_below_0_but_carried_on() -> None:
    cards = [operator("one", "self gets -9 AP."), operator("two")]
    game = table(cards, "one", "two")
    assert game.number("one", "AP") == 0
    assert game.attack("one", "two", 6, 1) == (1, 4)  # 4 - 9 + 6 = 1, not 0 + 6


def test_n5_the_floor_is_an_option() -> None:
    game = table([operator("one", "self gets -9 AP.")], "one", options=Options(floor=1))
    assert game.number("one", "AP") == 1


def test_n6_the_attacking_players_fix_wins() -> None:
    fixes = (change("fix", 3, controller="blue"), change("fix", 8, controller="red"))
    assert together(5, *fixes) == 3
    assert together(5, *fixes, attacking="red") == 8


def test_n6_two_fixes_of_one_player_the_later_steps_then_the_higher() -> None:
    assert together(5, change("fix", 9, 2), change("fix", 2, 5)) == 2
    assert together(5, change("fix", 2, 5), change("fix", 7, 5), change("fix", 3, 5)) == 7


def test_n6_card_rules_override_ruleset_rules() -> None:
    house = change("fix", 9, 1, "blue", by_card=False)
    assert together(5, house, change("fix", 2, 2, "red")) == 2


def test_n6_under_stepwise_only_fixes_of_one_step_conflict() -> None:
    """The attacking player's Fix of step 2 stands until step 5 fixes the number anew."""
    fixes = (change("fix", 3, 2, "blue"), change("fix", 8, 5, "red"))
    assert together(5, *fixes, options=STEPWISE) == 8
    assert together(5, *fixes) == 3


def test_n6_in_an_attack() -> None:
    cards = [
        operator("one", "when attacking, target fixes EP at 2."),
        operator("two"),
        card("wall", "defence", "when attacked, self fixes EP at 9."),
    ]
    game = table(cards, "one", "two", red_hand="wall")
    assert game.attack("one", "two", 1, 1, defence_card="wall") == (5, 3)  # 2 and the die of 1


@pytest.mark.parametrize(("result", "status"), [(3, "OUT"), (4, "NORMAL")])
def test_n7_x_plus_means_x_or_more(result: int, status: str) -> None:
    game = table([operator("one", "self gains RULEVIOLATION 4+.")], "one")
    game.do("evade", "one", dice=(result,))
    assert game.who("one").status == status


def test_options_of_a_ruleset_are_used() -> None:
    core = CORE.replace("- id: core\n", "- id: core\n    options: {stacking: stepwise}\n")
    cards = "cards:\n" + operator("one", "when attacking, self gets +2 AP.") + operator("two")
    game = Table(rules(project(cards, core, MODE), "plain"), "one", "two")
    game.answer("blue", critical=["double"])
    assert game.attack("one", "two", 6, 1)[0] == 12


CHANGES = st.builds(
    Change,
    st.just(0),
    st.just("AP"),
    st.sampled_from(("fix", "multiply", "divide", "add", "subtract")),
    st.integers(2, 5),
    st.integers(0, 7),
    st.sampled_from(("blue", "red")),
    st.just("N-2"),
)
OPTIONS = st.builds(
    Options,
    stacking=st.sampled_from(("layered", "stepwise")),
    rounding=st.sampled_from(("down", "up", "nearest")),
)


@given(st.integers(0, 20), st.lists(CHANGES, max_size=6), OPTIONS, st.randoms())
def test_the_order_of_what_acts_together_does_not_matter(value, changes, options, random) -> None:  # type: ignore[no-untyped-def]
    shuffled = list(changes)
    random.shuffle(shuffled)
    assert put_together(value, changes, options, "blue") == put_together(value, shuffled, options, "blue")


@given(st.integers(0, 20), st.lists(CHANGES, max_size=6), st.sampled_from(("down", "up", "nearest")))
def test_in_one_step_both_stackings_are_the_same(value, changes, rounding) -> None:  # type: ignore[no-untyped-def]
    one_step = [replace(one, step=3) for one in changes]
    results = {
        put_together(value, one_step, Options(stacking, rounding), "blue")
        for stacking in ("layered", "stepwise")
    }
    assert len(results) == 1
