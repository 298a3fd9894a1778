"""C-1 to C-5: cards on OPERATORs, statuses, and what has an effect."""

from __future__ import annotations

import pytest

from tests.engine.tables import MODE, Table, card, of_shipped, operator, project, rules, table
from tests.engine.values import ScriptedDice, placed, play_card
from toolkit.engine.decisions import DefaultPlayer
from toolkit.engine.outcomes import Refusal

ONE = operator("one")
TWO = operator("two")
SHOT = card("shot", "attack", "when attacking, self gets +2 AP.")
COVER = card("cover", "defence", "when attacked, self gets +2 EP.")
LENS = card("lens", "item", "self gets +1 AP.")
NOTE = card("note", "effect", "when played, owner draws 1 card.")


@pytest.mark.parametrize("attached", ["lens", "shot", "cover"])
def test_c1_a_second_card_is_refused(attached: str) -> None:
    cards = [ONE, TWO, SHOT, COVER, LENS]
    game = table(cards, "one", "two", blue_hand="shot", red_hand="cover").give("one", attached=attached)
    assert game.refused("attack", "one", "two", attack_card="shot", dice=(1, 1)) == "C-1"
    other = table(cards, "one", "two", red_hand="cover").give("two", attached=attached)
    assert other.refused("attack", "one", "two", defence_card="cover", dice=(1, 1)) == "C-1"


def test_c1_nobody_is_asked_about_a_second_card() -> None:
    game = table([ONE, TWO, SHOT, LENS], "one", "two", blue_hand="shot").give("one", attached="lens")
    game.answer("blue", attack_card=["shot"])
    assert game.attack("one", "two")[0] == 6


@pytest.mark.parametrize(
    ("before", "word", "after"),
    [
        ("NORMAL", "EXHAUSTED", "EXHAUSTED"),
        ("EXHAUSTED", "NORMAL", "NORMAL"),
        ("EXHAUSTED", "OUT", "OUT"),
        ("HIT", "NORMAL", "NORMAL"),
        ("HIT", "EXHAUSTED", "HIT"),
        ("HIT", "OUT", "OUT"),
        ("OUT", "NORMAL", "OUT"),
    ],
)
def test_c2_an_operator_has_one_status(before: str, word: str, after: str) -> None:
    filtered = f" that are {before}" if before in ("HIT", "OUT") else ""
    effect = card("turn", "effect", f"when played, all own OPERATORs{filtered} become {word}.")
    game = table([ONE, effect], "one", blue_hand="turn").give("one", status=before)
    game.play("blue", "turn")
    assert game.who("one").status == after


@pytest.mark.parametrize("status", ["HIT", "OUT"])
def test_c3_the_skill_of_a_fallen_operator_has_no_effect(status: str) -> None:
    """So has nothing that he bears."""
    cards = [ONE, operator("drum", "all other own OPERATORs get +2 AP.")]
    game = table(cards, "one drum")
    assert game.number("one", "AP") == 6
    game.give("drum", status=status)
    assert game.number("one", "AP") == 4


def test_c3_nor_that_of_one_in_the_savezone() -> None:
    game = table([ONE, operator("drum", "all other own OPERATORs get +2 AP.")], "one drum")
    game.state = placed(game.state, game.key("drum"), None)
    assert game.number("one", "AP") == 4


def test_c3_except_his_own_when_self_becomes_hit() -> None:
    game = of_shipped("hawk tawny", "king pawn").give("king", hitcounter=4)
    # the king, HIT, is OUT by his own SKILL; nothing else of him acts
    game.attack("hawk", "king", 5, 1)
    assert game.who("king").status == "OUT"


def test_c3_his_card_may_speak_of_his_own_fall_too() -> None:
    """Ruling: the card that lay on him until then, although H-2 takes it away."""
    cards = [
        ONE,
        operator("two", dp=1),
        card("mine", "item", "when self becomes HIT, all enemy OPERATORs get +2 HITCOUNTER."),
    ]
    game = table(cards, "one", "two").give("two", attached="mine")
    game.attack("one", "two", 5, 1)
    assert game.who("one").hitcounter == 2


def test_c3_a_bearer_who_falls_before_his_turn_comes_does_nothing() -> None:
    cards = [
        operator("one", "when the attack hits, all own OPERATORs get +9 HITCOUNTER."),
        operator("mate", "when an enemy OPERATOR becomes HIT, owner draws 1 card."),
        operator("two", dp=1),
        NOTE,
    ]
    game = table(cards, "one mate", "two", blue_deck="note note note")
    game.attack("one", "two", 5, 1)
    assert game.who("mate").status == "HIT"
    assert game.state.blue.hand == ("note",)  # PERFORMANCE alone


def test_c3_also_if_he_falls_by_an_effect_of_the_same_event() -> None:
    cards = [
        operator("one", "when an enemy OPERATOR becomes HIT, all own OPERATORs get +9 HITCOUNTER."),
        operator("mate", "when an enemy OPERATOR becomes HIT, owner draws 1 card."),
        operator("two", dp=1),
        NOTE,
    ]
    game = table(cards, "one mate", "two", blue_deck="note note note")
    outcome = game.do("attack", "one", "two", dice=(5, 1))
    assert game.state.blue.hand == ("note",)  # PERFORMANCE alone
    assert [entry.origin.entry for entry in outcome.trace if entry.rule == "C-3" and entry.origin] == ["mate"]


def test_c4_a_strategy_acts_on_its_owners_operators_on_the_field() -> None:
    cards = [ONE, TWO, operator("back"), card("plan", "strategy", "all own OPERATORs get +1 AP.")]
    game = table(cards, "one back", "two", blue_strategies="plan")
    game.state = placed(game.state, game.key("back"), None)
    assert [game.number(name, "AP") for name in ("one", "two", "back")] == [5, 4, 4]


STRATEGIES = [
    card(name, "strategy", f"all own OPERATORs get +{amount} AP.")
    for name, amount in (("p", 1), ("q", 2), ("r", 3), ("s", 4))
]


def test_c5_beyond_the_positions_one_of_his_own_choice_is_discarded() -> None:
    game = table([ONE, *STRATEGIES], "one", blue_hand="s", blue_strategies="p q r")
    game.answer("blue", strategy_discard=["q"])
    game.play("blue", "s")
    assert game.state.blue.strategies == ("p", "r", "s")
    assert game.state.blue.discard == ("q",)
    assert game.number("one", "AP") == 12


def test_c5_the_mode_says_how_many() -> None:
    mode = MODE.replace("name: Plain\n", "name: Plain\n    strategy_positions: 1\n")
    cards = "cards:\n" + ONE + "".join(STRATEGIES)
    game = Table(rules(project(cards, mode=mode), "plain"), "one", blue_hand="p q")
    game.play("blue", "p")
    game.play("blue", "q")
    assert game.state.blue.strategies == ("q",)


def test_an_effect_acts_once_and_goes_to_the_discardzone() -> None:
    game = table([ONE, NOTE], "one", blue_hand="note", blue_deck="note note")
    game.play("blue", "note")
    assert (game.state.blue.hand, game.state.blue.discard) == (("note",), ("note",))


def test_a_strategy_may_act_when_played_and_stays() -> None:
    cards = [
        ONE,
        NOTE,
        card("plan", "strategy", "when played, owner draws 1 card. all own OPERATORs get +1 AP."),
    ]
    game = table(cards, "one", blue_hand="plan", blue_deck="note")
    game.play("blue", "plan")
    assert (game.state.blue.hand, game.state.blue.strategies) == (("note",), ("plan",))
    assert game.number("one", "AP") == 5


@pytest.mark.parametrize(("name", "rule"), [("shot", "M-5"), ("lens", "T-2"), ("gone", "T-2")])
def test_what_cannot_be_played_is_refused(name: str, rule: str) -> None:
    game = table(
        [ONE, SHOT, LENS, NOTE, card("gone", "effect", "when played, owner draws 2 cards.")],
        "one",
        blue_hand="shot lens",
    )
    players = {"blue": DefaultPlayer(), "red": DefaultPlayer()}
    refused = play_card(game.state, game.rules, "blue", name, players, ScriptedDice(()))
    assert isinstance(refused, Refusal)
    assert refused.rule_id == rule


def test_when_attached_acts_at_once() -> None:
    game = of_shipped("viper", "bishop", red_hand="hit-the-dirt")
    game.do("attack", "viper", "bishop", dice=(1, 2, 3), defence_card="hit-the-dirt")
    assert game.who("bishop").status == "EXHAUSTED"
    assert game.last.attack.ep == 8  # type: ignore[union-attr]


def test_when_attached_may_take_one_of_the_two_away() -> None:
    """Then nothing is rolled or compared."""
    cards = [ONE, TWO, card("flee", "defence", "when attached, self becomes OUT.")]
    game = table(cards, "one", "two", red_hand="flee")
    outcome = game.attempt("attack", "one", "two", defence_card="flee")
    assert not isinstance(outcome, Refusal)
    assert outcome.attack is None
    assert outcome.state.operators[game.key("two")].status == "OUT"


@pytest.mark.parametrize(("answer", "hand", "bonus"), [("first", 2, ()), ("second", 0, ("MOVE",))])
def test_either_is_the_controllers_choice(answer: str, hand: int, bonus: tuple[str, ...]) -> None:
    effect = "when played, either owner draws 2 cards or one own OPERATOR gains BONUS (MOVE)."
    game = table([ONE, NOTE, card("pick", "effect", effect)], "one", blue_hand="pick", blue_deck="note note")
    game.answer("blue", either=[answer])
    game.play("blue", "pick")
    assert len(game.state.blue.hand) == hand
    assert game.who("one").bonuses == bonus


def test_one_is_chosen_once_for_all_verbs_of_its_clause() -> None:
    effect = (
        "when played, one own OPERATOR gets +1 AP and becomes EXHAUSTED until end of TURN, "
        "then one own OPERATOR gets +1 MP until end of TURN."
    )
    game = table([ONE, operator("mate"), card("pick", "effect", effect)], "one mate", blue_hand="pick")
    game.answer("blue", choose=["mate", "one"])
    game.play("blue", "pick")
    assert (game.number("mate", "AP"), game.number("one", "AP")) == (5, 4)
    assert (game.who("mate").status, game.who("one").status) == ("EXHAUSTED", "NORMAL")
    assert (game.number("mate", "MP"), game.number("one", "MP")) == (2, 3)


def test_a_player_picks_his_own_discards() -> None:
    cards = [ONE, NOTE, SHOT, card("rob", "effect", "when played, opponent discards 1 card.")]
    game = table(cards, "one", blue_hand="rob", red_hand="note shot").answer("red", discard=["shot"])
    game.play("blue", "rob")
    assert (game.state.red.hand, game.state.red.discard) == (("note",), ("shot",))
