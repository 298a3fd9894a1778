"""T-1, T-4, F-2, C-2, M-11 and §8: PREPARATION, SUPPORT and the end of a TURN, with states by hand."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.engine.tables import CORE, MODE, Table, card, operator, project, rules, table
from tests.engine.values import Outcome, ScriptedDice, close_turn, end_turn, replace, settle, with_player
from toolkit.engine.decisions import Decision, Player, ScriptedPlayer
from toolkit.engine.outcomes import Stopped
from toolkit.engine.state import GameState, OperatorState, Side

ONE, TWO, MATE = operator("one"), operator("two"), operator("mate")
SPARES = [operator(name) for name in ("spare", "extra", "third", "fourth")]
CARDS = [ONE, TWO, MATE, *SPARES]
SHOT = card("shot", "attack", "when attacking, self gets +2 AP.")
COVER = card("cover", "defence", "when attacked, self gets +2 EP.")
LENS = card("lens", "item", "self gets +1 AP.")
NOTE = card("note", "effect", "when played, owner draws 1 card.")


def reserve(game: Table, side: Side, *cards: str) -> Table:
    """OPERATORs in the SAVEZONE."""
    for name in cards:
        key = len(game.state.operators)
        game.state = replace(game.state, operators=(*game.state.operators, OperatorState(key, name, side)))
        player = game.state.player(side)
        game.state = with_player(game.state, side, save_zone=(*player.save_zone, key))
    return game


class Listener(ScriptedPlayer):
    """A scripted player who keeps what he was asked."""

    def __init__(self, answers: dict[str, list[object]]) -> None:
        super().__init__(answers)
        self.asked: list[Decision] = []

    def answer(self, decision: Decision, state: GameState) -> int:
        self.asked.append(decision)
        return super().answer(decision, state)


def ended(game: Table) -> tuple[Outcome, Listener]:
    """End the TURN; both players answer from what the table says."""
    listener = Listener({**game.answers["blue"], **game.answers["red"]})
    players: dict[Side, Player] = {"blue": listener, "red": listener}
    outcome = end_turn(game.state, game.rules, players, ScriptedDice(()))
    assert isinstance(outcome, Outcome)
    game.state = outcome.state
    return outcome, listener


def places(game: Table, side: Side) -> tuple[str, ...]:
    """Who stands where, `~` for a free FIELDPOSITION, small letters for the face up, capitals for others."""
    found = []
    for position in range(game.rules.field_positions):
        who = game.state.at(side, position)
        found.append("~" if who is None else who.card if who.is_up else who.card.upper())
    return tuple(found)


def zone(game: Table, side: Side) -> tuple[str, ...]:
    return tuple(game.state.operators[key].card for key in game.state.player(side).save_zone)


# T-1


def test_t1_the_next_turns_player_draws_one_card() -> None:
    game = table([*CARDS, NOTE], "one", "two", blue_deck="note note", red_deck="note note")
    ended(game)
    assert (len(game.state.blue.hand), len(game.state.red.hand)) == (0, 1)
    assert (len(game.state.blue.deck), len(game.state.red.deck)) == (2, 1)


def test_t1_an_empty_deck_draws_nothing() -> None:
    game = table(CARDS, "one", "two")
    outcome, _ = ended(game)
    assert game.state.red.hand == ()
    assert any(entry.rule == "T-1" and "empty" in entry.text for entry in outcome.trace)


def test_the_turn_begins_after_its_card_was_drawn() -> None:
    greedy = card("count", "strategy", "when the TURN begins, all own OPERATORs get +1 HITCOUNTER.")
    game = table([*CARDS, greedy, NOTE], "one", "two", red_deck="note", red_strategies="count")
    outcome, _ = ended(game)
    assert game.who("two").hitcounter == 1
    rules_in_order = [entry.rule for entry in outcome.trace]
    assert rules_in_order.index("T-1") < rules_in_order.index("M-11")


# two TURNs are a ROUND


def test_two_turns_are_a_round() -> None:
    game = table(CARDS, "one", "two")
    ended(game)
    assert (game.state.turn, game.state.round) == ("red", 1)
    ended(game)
    assert (game.state.turn, game.state.round) == ("blue", 2)


def test_a_turn_begins_with_fresh_limits_and_no_bonus() -> None:
    game = table(CARDS, "one", "two").give("one", bonuses=("ANY",), bonus_used=True)
    game.state.blue.count("move")
    ended(game)
    assert game.state.blue.performed("move") == 0
    assert game.who("one").bonuses == ()
    assert not game.who("one").bonus_used


# T-4, part by part


def test_t4_attack_and_defence_cards_are_discarded_and_items_stay() -> None:
    game = table([*CARDS, SHOT, COVER, LENS], "one mate", "two")
    game.give("one", attached="shot").give("mate", attached="lens").give("two", attached="cover")
    ended(game)
    assert [who.attached for who in game.state.operators] == [None, "lens", None]
    assert game.state.blue.discard == ("shot",)
    assert game.state.red.discard == ("cover",)


def test_t4_an_item_may_be_laid_down() -> None:
    game = table([*CARDS, LENS], "one", "two").give("one", attached="lens")
    game.answer("blue", item_stays=["discard"])
    ended(game)
    assert game.who("one").attached is None
    assert game.state.blue.item_discard == ("lens",)
    assert game.state.blue.discard == ()


def test_t4_exhausted_operators_of_both_players_recover() -> None:
    game = table(CARDS, "one", "two").give("one", status="EXHAUSTED").give("two", status="EXHAUSTED")
    ended(game)
    assert [who.status for who in game.state.operators] == ["NORMAL", "NORMAL"]


def test_t4_hit_operators_are_exchanged_and_turned_up_in_the_savezone() -> None:
    game = reserve(table(CARDS, "one mate", "two"), "blue", "spare").give("mate", status="HIT")
    ended(game)
    assert places(game, "blue") == ("one", "spare", "~", "~")
    assert zone(game, "blue") == ("mate",)
    assert game.who("mate").status == "NORMAL"


def test_t4_the_player_chooses_the_substitute() -> None:
    game = reserve(table(CARDS, "one", "two"), "blue", "spare", "extra").give("one", status="HIT")
    game.answer("blue", substitute=[game.key("extra")])
    _, listener = ended(game)
    assert places(game, "blue")[0] == "extra"
    asked = [decision for decision in listener.asked if decision.kind == "substitute"]
    assert [decision.options for decision in asked] == [(game.key("spare"), game.key("extra"))]


def test_t4_where_substitutes_do_not_suffice_the_player_chooses_who_is_exchanged() -> None:
    game = reserve(table(CARDS, "one mate", "two"), "blue", "spare")
    game.give("one", status="HIT").give("mate", status="HIT").answer("blue", exchange=[game.key("mate")])
    ended(game)
    assert places(game, "blue") == ("~", "spare", "~", "~")
    assert set(zone(game, "blue")) == {"one", "mate"}
    assert game.who("one").status == "NORMAL"


def test_c2_who_is_out_leaves_the_game_for_a_substitute() -> None:
    game = reserve(table(CARDS, "one mate", "two"), "blue", "spare").give("mate", status="OUT")
    ended(game)
    assert places(game, "blue")[1] == "spare"
    assert zone(game, "blue") == ()
    assert game.state.blue.out_of_play == (game.key("mate"),)
    assert game.who("mate").status == "OUT"


def test_t4_who_is_out_lies_there_until_there_is_a_substitute() -> None:
    game = table(CARDS, "one mate", "two").give("mate", status="OUT")
    ended(game)
    assert places(game, "blue") == ("one", "MATE", "~", "~")
    assert zone(game, "blue") == ()


def test_f2_hit_operators_go_to_the_savezone_until_it_is_full() -> None:
    mode = MODE.replace("name: Plain\n", "name: Plain\n    save_zone: 1\n")
    game = Table(rules(project("cards:\n" + "".join(CARDS), CORE, mode), "plain"), "one mate spare", "two")
    game.give("one", status="HIT").give("mate", status="HIT")
    ended(game)
    assert places(game, "blue") == ("~", "MATE", "spare", "~")
    assert zone(game, "blue") == ("one",)
    assert (game.who("one").status, game.who("mate").status) == ("NORMAL", "HIT")


def test_f2_the_player_chooses_who_gets_the_last_place() -> None:
    mode = MODE.replace("name: Plain\n", "name: Plain\n    save_zone: 1\n")
    game = Table(rules(project("cards:\n" + "".join(CARDS), CORE, mode), "plain"), "one mate spare", "two")
    game.give("one", status="HIT").give("mate", status="HIT").answer("blue", retreat=[game.key("mate")])
    ended(game)
    assert places(game, "blue") == ("ONE", "~", "spare", "~")


def test_t4_a_hit_operator_in_the_savezone_is_no_substitute_in_the_same_support() -> None:
    game = reserve(table(CARDS, "one mate", "two"), "blue", "spare").give("one", status="HIT")
    game.give("spare", status="HIT")
    ended(game)
    assert places(game, "blue") == ("~", "mate", "~", "~")
    assert game.who("spare").status == "NORMAL"


def test_t4_free_fieldpositions_may_be_filled() -> None:
    game = reserve(table(CARDS, "one", "two"), "blue", "spare", "extra")
    ended(game)
    assert places(game, "blue") == ("one", "~", "~", "~")
    game.answer("blue", fill=[None, game.key("extra"), game.key("spare")])
    ended(game)
    assert places(game, "blue") == ("one", "~", "extra", "spare")
    assert zone(game, "blue") == ()


def test_t4_somebody_must_stand_on_the_field_if_he_can() -> None:
    game = reserve(table(CARDS, "~ ~ ~ ~", "two"), "blue", "spare", "extra")
    ended(game)
    assert places(game, "blue") == ("~", "~", "~", "spare")


def test_the_hand_is_discarded_down_to_its_limit_last_of_all() -> None:
    game = table([*CARDS, NOTE, SHOT], "one", "two", blue_hand="note " * 8 + "shot shot", red_deck="note")
    game.answer("blue", discard=["shot", "note"])
    outcome, _ = ended(game)
    assert len(game.state.blue.hand) == 8
    assert game.state.blue.discard == ("shot", "note")
    assert [entry.rule for entry in outcome.trace if "discards" in entry.text] == ["T-4", "T-4"]


def test_h1_a_card_that_held_him_up_lets_him_fall_before_the_exchange() -> None:
    bags = card("bags", "defence", "self gets +2 DP.")
    game = reserve(table([*CARDS, bags, NOTE], "one", "two", blue_deck="note"), "red", "spare")
    game.give("two", attached="bags", hitcounter=7)
    ended(game)
    assert places(game, "red")[0] == "spare"
    assert game.who("two").status == "NORMAL"
    assert game.state.blue.hand == ("note",)  # K-1


def test_h1_is_judged_when_a_substitute_brings_an_aura() -> None:
    weak = operator("weak", "all enemy OPERATORs get -3 DP.")
    game = reserve(table([*CARDS, weak], "one", "two mate"), "blue", "weak")
    game.give("one", status="HIT").give("mate", hitcounter=3)
    ended(game)
    assert places(game, "blue")[0] == "weak"
    # he falls after the exchange and still finds a place in the SAVEZONE
    assert game.who("mate").status == "NORMAL"
    assert zone(game, "red") == ("mate",)


@pytest.mark.parametrize(
    ("duration", "after_one", "after_two"),
    [("until end of TURN", 4, 4), ("until end of ROUND", 5, 4), ("permanently", 5, 5)],
)
def test_m11_durations_lapse_after_support(duration: str, after_one: int, after_two: int) -> None:
    gift = card("gift", "effect", f"when played, all own OPERATORs get +1 AP {duration}.")
    game = table([*CARDS, gift], "one", "two", blue_hand="gift")
    game.play("blue", "gift")
    ended(game)
    assert game.number("one", "AP") == after_one
    ended(game)
    assert game.number("one", "AP") == after_two


def test_m11_turn_ends_comes_after_support() -> None:
    bell = card(
        "bell", "strategy", "when the TURN ends, if number of cards in own hand <= 8, owner draws 1 card."
    )
    game = table([*CARDS, bell, NOTE], "one", "two", blue_hand="note " * 9, blue_deck="note")
    game.state = with_player(game.state, "blue", strategies=("bell",))
    ended(game)
    assert len(game.state.blue.hand) == 9  # discarded to 8 first, then one is drawn
    assert len(game.state.blue.discard) == 1


def test_simultaneous_parts_begin_with_the_turns_player() -> None:
    game = (
        table([*CARDS, SHOT, COVER], "one", "two").give("one", attached="shot").give("two", attached="cover")
    )
    game.state = replace(game.state, turn="red")
    outcome, _ = ended(game)
    told = [entry.text for entry in outcome.trace if entry.rule == "T-4" and "is discarded" in entry.text]
    assert told == ["cover on two is discarded", "shot on one is discarded"]


def test_a_scripted_source_without_an_answer_stops_and_leaves_the_state() -> None:
    game = reserve(table(CARDS, "one", "two"), "blue", "spare", "extra").give("one", status="HIT")
    before = deepcopy(game.state)
    player = ScriptedPlayer({"substitute": [game.key("two")]})
    result = end_turn(game.state, game.rules, {"blue": player, "red": player}, ScriptedDice(()))
    assert isinstance(result, Stopped)
    assert "cannot be chosen" in result.sentence
    assert game.state == before


# What lapses, and what a lapse brings about (M-11)

BRAKE = card(
    "brake", "strategy", "when an own OPERATOR becomes HIT, all own OPERATORs get +2 AP until end of TURN."
)
PROP = card("prop", "effect", "when played, one own OPERATOR gets +5 DP until end of TURN.")


@pytest.mark.parametrize(("lapses_once", "ap"), [(False, 4), (True, 6)])
def test_m11_what_a_lapse_brings_about_belongs_to_the_turn_that_ends(lapses_once: bool, ap: int) -> None:
    """`one` is HIT when what held it up lapses; what that makes until end of TURN lapses too. Under format 1
    of the log it lasted through the next TURN."""
    cards = [operator("one", dp=3), operator("mate", ap=4), operator("two"), BRAKE, PROP]
    game = table(cards, "one mate", "two", blue_strategies="brake", blue_hand="prop")
    game.answer("blue", choose=["one"]).play("blue", "prop")
    game.give("one", hitcounter=4)
    ended = close_turn(
        game.state, game.rules, game.players(), ScriptedDice(()), ends_round=False, lapses_once=lapses_once
    )
    game.state = ended.state
    assert game.who("one").status == "HIT"
    assert game.number("mate", "AP") == ap


def test_m11_lapses_that_go_on_and_on_are_bounded() -> None:
    loop = operator(
        "loop",
        "when self becomes HIT, self becomes NORMAL and gets +99 DP and +9 HITCOUNTER until end of TURN.",
    )
    game = table([loop, operator("two")], "loop", "two").give("loop", hitcounter=9)
    settled = settle(game.state, game.rules, game.players(), ScriptedDice(()))
    assert settled.state.operators[0].hitcounter == 9
    ended = close_turn(settled.state, game.rules, game.players(), ScriptedDice(()), ends_round=False)
    assert ended.state.operators[0].is_up
