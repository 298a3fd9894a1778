"""E-10, E-13, E-15 and E-17: places, cards on the move, last chances, what is taken away."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.games import cards_of, check_state, squads, where_everybody_has
from tests.engine.tables import Table, card, operator, table
from tests.engine.values import Outcome, ScriptedDice, current_number, end_turn, play_card, replace
from tests.thoroughness import THOROUGH, examples
from toolkit.data.model import Options
from toolkit.dsl.effect_objects import compile_effect
from toolkit.dsl.parsing import parse_effect
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Decision, RandomDice, RandomPlayer, ScriptedPlayer
from toolkit.engine.log import Match, new_log, play_match, replay
from toolkit.engine.phases import GameStep, new_game
from toolkit.engine.state import SIDES, GameState, PlayerState
from toolkit.vocabulary import Role

NAMES = ("one", "mate", "two", "three")
CARDS = [operator(name) for name in NAMES]
NOTE = card("note", "effect", "when played, owner draws 1 card.")
SHOT = card("shot", "attack", "while attacking, self gets +2 AP.")
WALL = card("wall", "defence", "while attacked, self gets +2 EP.")
LENS = card("lens", "item", "self gets +1 AP.")
PLAN = card("plan", "strategy", "all own OPERATORs get +1 AP.")
ALL = [NOTE, SHOT, WALL, LENS, PLAN]


def setting(effect: str, blue: str = "one mate", red: str = "two three", **given: str) -> Table:
    """Blue holds the EFFECT card `order` with the effect."""
    hand = f"order {given.pop('blue_hand', '')}".strip()
    return table([*CARDS, *ALL, card("order", "effect", effect)], blue, red, blue_hand=hand, **given)


def rest(game: Table, *names: str) -> Table:
    """Send OPERATORs to the SAVEZONE."""
    for name in names:
        game.state.place(game.who(name), None)
    return game


def places(game: Table) -> dict[str, int | None]:
    return {who.card: who.position for who in game.state.operators}


# E-10


@pytest.mark.parametrize("counters", ["with_operator", "with_position"])
def test_e10_two_swap_places(counters: str) -> None:
    """As in A-2a, without its MP: each has 1, and 4 would be needed."""
    cards = [operator("one", mp=0), operator("mate", mp=0)]
    order = card("order", "effect", "when played, one own OPERATOR swaps places with one other own OPERATOR.")
    options = Options(swap_counters=counters)
    game = table([*cards, order], "one mate", "", options=options, blue_hand="order")
    game.give("one", hitcounter=2)
    game.play("blue", "order")
    assert places(game) == {"one": 1, "mate": 0}
    moved = counters == "with_operator"
    assert (game.who("one").hitcounter, game.who("mate").hitcounter) == ((2, 0) if moved else (0, 2))


def test_e10_the_partner_is_another_one_and_of_the_same_side() -> None:
    order = "when played, one own OPERATOR swaps places with one OPERATOR."
    game = setting(order).answer("blue", choose=["mate", "two"])
    stopped = play_card(game.state, game.rules, "blue", "order", game.players(), ScriptedDice(()))
    assert "cannot be chosen" in stopped.sentence
    game.answer("blue", choose=["mate", "mate"])
    stopped = play_card(game.state, game.rules, "blue", "order", game.players(), ScriptedDice(()))
    assert "cannot be chosen" in stopped.sentence
    game.answer("blue", choose=["mate", "one"]).play("blue", "order")
    assert places(game)["mate"] == 0


def test_e10_reached_is_judged_anew_after_a_swap() -> None:
    """A counter of 4 REACHES hill (4) and not well (6)."""
    order = "when played, one own OPERATOR swaps places with one other own OPERATOR."
    game = setting(order, blue_deck="note")
    game.give("mate", objectivecounter=4).play("blue", "order")
    assert game.state.blue.hand == ("note",)  # K-1


def test_e10_with_one_of_the_savezone() -> None:
    order = "when played, one own OPERATOR in the SAVEZONE swaps places with one own OPERATOR."
    game = rest(setting(order, "one mate"), "mate").give("one", hitcounter=2, attached="lens")
    game.play("blue", "order")
    one, mate = game.who("one"), game.who("mate")
    assert (mate.position, mate.status, one.position, one.status) == (0, "NORMAL", None, "NORMAL")
    assert (one.hitcounter, one.attached, game.state.blue.item_discard) == (0, None, ("lens",))
    assert game.state.blue.save_zone == (one.key,)


def test_e10_nobody_who_is_hit_swaps() -> None:
    game = setting("when played, one own OPERATOR that is HIT swaps places with one own OPERATOR.")
    game.give("one", status="HIT").play("blue", "order")
    assert places(game)["one"] == 0


def test_e10_advances() -> None:
    game = setting("when played, all own OPERATORs advance.").give("mate", objectivecounter=6)
    outcome = game.play("blue", "order")
    assert (game.who("one").objectivecounter, game.who("mate").objectivecounter) == (2, 0)
    assert game.state.blue.captured == ("well",)
    assert game.who("one").status == "NORMAL"
    lines = [one.kind for one in outcome.trace if one.rule == "E-10"]
    assert lines == ["status", "status"]


def test_e10_an_advance_is_no_action() -> None:
    """`cannot perform MOVE` does not forbid it, and its limit is not used up."""
    one = operator("one", "self cannot perform MOVE.", "when the own TURN begins, self advances.")
    game = table([one, operator("two")], "two", "one")
    game.state = end_turn(game.state, game.rules, game.players(), ScriptedDice(())).state
    assert game.who("one").objectivecounter == 2
    assert game.state.red.performed("move") == 0


def test_e10_retreats() -> None:
    game = setting("when played, one enemy OPERATOR retreats.").give(
        "two", hitcounter=2, objectivecounter=3, attached="wall", status="EXHAUSTED"
    )
    game.play("blue", "order")
    two = game.who("two")
    assert (two.position, two.status, two.hitcounter, two.objectivecounter) == (None, "NORMAL", 0, 0)
    assert (game.state.red.save_zone, game.state.red.field[0]) == ((two.key,), None)
    assert game.state.red.discard == ("wall",)


def test_e10_what_lasts_permanently_stays() -> None:
    order = (
        "when played, one own OPERATOR gets +1 AP until end of ROUND, then it gets +1 EP while on the FIELD, "
        "then it gets +1 DP permanently, then it retreats."
    )
    game = setting(order)
    game.play("blue", "order")
    assert [one.stat for one in game.who("one").lasting] == ["DP"]


def test_e10_no_retreat_into_a_full_savezone() -> None:
    """`plain` has three places: who stands on the left goes."""
    order = "when played, all own OPERATORs retreat, if not, owner draws 1 card."
    game = setting(order, "one mate two three", "", blue_deck="note")
    assert game.rules.mode.save_zone == 3
    game.play("blue", "order")
    assert places(game) == {"one": None, "mate": None, "two": None, "three": 3}
    assert game.state.blue.hand == ("note",)


def test_e10_who_retreats_from_its_own_action_ends_it() -> None:
    """It is NORMAL in the SAVEZONE, not EXHAUSTED."""
    one = operator("one", "when the attack misses, self retreats.")
    game = table([one, operator("two", ep=9)], "one", "two")
    game.do("attack", "one", "two", dice=(1, 1), exhausts=True)
    assert (game.who("one").position, game.who("one").status) == (None, "NORMAL")


def test_e10_an_attack_without_its_target_is_not_compared() -> None:
    """`when attached` in step 5 of MODIFY."""
    smoke = card("smoke", "defence", "when attached, self retreats.")
    game = table([operator("one"), operator("two"), smoke], "one", "two", red_hand="smoke")
    outcome = game.do("attack", "one", "two", defence_card="smoke")
    assert outcome.attack is None
    assert game.who("two").position is None
    assert game.state.red.discard == ("smoke",)


def test_e10_enters_the_field() -> None:
    one = operator("one", "when self enters the FIELD, owner draws 1 card.")
    order = card("order", "effect", "when played, one own OPERATOR in the SAVEZONE enters the FIELD.")
    game = table([one, operator("mate"), NOTE, order], "one mate", blue_hand="order", blue_deck="note")
    rest(game, "one").answer("blue", place=[3]).play("blue", "order")
    assert (game.who("one").position, game.who("one").status) == (3, "NORMAL")
    assert game.state.blue.hand == ("note",)
    assert game.state.blue.save_zone == ()


def test_e10_nobody_enters_a_full_field() -> None:
    order = card("order", "effect", "when played, one own OPERATOR in the SAVEZONE enters the FIELD.")
    game = table([*CARDS, operator("four"), order], "one mate two three", "four", blue_hand="order")
    four = game.who("four")
    game.state.remove(four)
    four.side, game.state.blue.save_zone = "blue", (four.key,)
    game.play("blue", "order")
    assert (four.position, len(game.state.active("blue"))) == (None, 4)


# E-13


def zones(game: Table, side: str = "blue") -> tuple[str, ...]:
    player: PlayerState = game.state.player(side)
    return tuple(" ".join(zone) for zone in (player.hand, player.deck, player.discard))


DECK = "note shot wall plan"


@pytest.mark.parametrize(
    ("effect", "answers", "found"),
    [
        ("owner draws 1 card for each own OPERATOR.", {}, ("note shot", "wall plan", "order")),
        ("owner draws 1 card for each own OPERATOR that is EXHAUSTED.", {}, ("", DECK, "order")),
        ("owner puts 1 ATTACK card from own DECK into the hand.", {}, ("shot", "note wall plan", "order")),
        (
            "owner puts 1 card from the top 3 cards of own DECK into the hand.",
            {"card": ["shot"], "order": ["wall"]},
            ("shot", "wall note plan", "order"),
        ),
        (
            "owner puts 2 cards from the top 3 cards of own DECK into the hand.",
            {"card": ["shot", "wall"]},
            ("shot wall", "note plan", "order"),
        ),
        (
            "owner puts 1 card from the top 9 cards of own DECK under the DECK.",
            {"card": ["note"]},
            ("", "shot wall plan note", "order"),
        ),
        (
            "owner puts 1 card from own DECK onto the DECK.",
            {"card": ["plan"]},
            ("", "plan note shot wall", "order"),
        ),
        (
            "owner puts 1 random card from the top 3 cards of own DECK into the DISCARDZONE.",
            {},
            ("", "shot wall plan", "note order"),
        ),
        ("owner puts 1 STRATEGY card from own DECK into the hand.", {}, ("plan", "note shot wall", "order")),
        (
            "owner puts 3 ATTACK cards from own DECK into the hand, if not, owner draws 1 card.",
            {},
            ("shot note", "wall plan", "order"),
        ),
        (
            "owner looks at the top 2 cards of own DECK.",
            {"order": ["shot"]},
            ("", "shot note wall plan", "order"),
        ),
        ("owner looks at own DECK.", {}, ("", DECK, "order")),
    ],
)
def test_e13_cards_are_put(effect: str, answers: dict[str, list[object]], found: tuple[str, ...]) -> None:
    game = setting(f"when played, {effect}", blue_deck=DECK).answer("blue", **answers)
    game.play("blue", "order")
    assert zones(game) == found


def test_e13_from_the_discardzone_and_back() -> None:
    """The EFFECT card itself is not there yet."""
    game = setting("when played, owner puts 2 cards from own DISCARDZONE into the hand.", blue_discard="note")
    game.play("blue", "order")
    assert zones(game) == ("note", "", "order")


def test_e13_nothing_changes_hands() -> None:
    """Blue sees red's hand and chooses; the card goes into red's DISCARDZONE."""
    effect = "when played, owner puts 1 card from enemy hand into the DISCARDZONE."
    game = setting(effect, red_hand="note wall").answer("blue", card=["wall"])
    game.play("blue", "order")
    assert (zones(game, "red"), zones(game)) == (("note", "", "wall"), ("", "", "order"))


def test_e13_a_kind_and_a_random_card_are_discarded() -> None:
    game = setting("when played, opponent discards 1 ATTACK card.", red_hand="note shot wall")
    outcome = game.play("blue", "order")
    assert zones(game, "red") == ("note wall", "", "shot")
    game = setting("when played, opponent discards 1 random card.", red_hand="note shot wall")
    dice = ScriptedDice((), drawn=["wall"])
    outcome = play_card(game.state, game.rules, "blue", "order", game.players(), dice)
    assert outcome.state.red.discard == ("wall",)
    assert [one.rule for one in outcome.trace if one.kind == "die"] == ["E-13"]


def test_e13_one_card_for_each() -> None:
    order = "when played, opponent discards 1 card for each enemy OPERATOR."
    game = setting(order, red_hand="note shot wall")
    game.play("blue", "order")
    assert len(game.state.red.discard) == 2


def test_e13_the_trace_shows_what_is_seen() -> None:
    game = setting("when played, owner looks at enemy hand.", red_hand="note shot")
    lines = [one.text for one in game.play("blue", "order").trace if one.rule == "E-13"]
    assert lines == ["blue looks at the hand of red: note, shot"]
    assert zones(game, "red") == ("note shot", "", "")


@pytest.mark.parametrize(
    ("deck", "text"),
    [
        ("note shot", "blue looks at the top card of the DECK of blue: note"),
        ("", "the DECK of blue has no cards"),
    ],
)
def test_e13_the_trace_says_one_card(deck: str, text: str) -> None:
    game = setting("when played, owner looks at the top 1 card of own DECK.", blue_deck=deck)
    assert [one.text for one in game.play("blue", "order").trace if one.rule == "E-13"] == [text]


class Shuffling(ScriptedDice):
    """Turns a DECK upside down."""

    def shuffle(self, whose, cards):  # type: ignore[no-untyped-def]  # noqa: ARG002
        return cards[::-1]


@pytest.mark.parametrize(
    ("effect", "deck"),
    [
        ("owner puts 1 card from own DECK onto the DECK.", "note plan wall shot"),
        ("owner puts 1 card from own DECK into the hand.", "plan wall shot"),
        ("owner looks at own DECK.", "plan wall shot note"),
        ("owner puts 1 random card from own DECK into the hand.", "shot wall plan"),
        ("owner looks at the top 4 cards of own DECK.", DECK),
        ("owner puts 1 EFFECT card from the top 2 cards of own DECK into the hand.", "shot wall plan"),
    ],
)
def test_e13_a_deck_of_which_all_was_seen_is_shuffled(effect: str, deck: str) -> None:
    game = setting(f"when played, {effect}", blue_deck=DECK)
    outcome = play_card(game.state, game.rules, "blue", "order", game.players(), Shuffling(()))
    assert " ".join(outcome.state.blue.deck) == deck


# E-15


def hurt(*skills: str, dp: int = 5, red: str = "two", **given: str) -> Table:
    """Two would become HIT: the attack hits for 5."""
    cards = [operator("one"), operator("two", *skills, dp=dp), operator("three"), *ALL]
    game = table(cards, "one", red, **given)
    game.attack("one", "two", 5, 1)
    return game


def test_e15_a_last_chance() -> None:
    game = hurt("when self would become HIT, self gets -5 HITCOUNTER.", blue_deck="note")
    assert (game.who("two").status, game.who("two").hitcounter) == ("NORMAL", 0)
    assert game.state.blue.hand == ()  # nobody became HIT: no PERFORMANCE
    assert [one.kind for one in game.last.trace if one.rule == "E-15"] == ["event", "counter"]


def test_e15_whoever_is_still_to_be_hit_is_hit() -> None:
    game = hurt("when self would become HIT, self gets -1 HITCOUNTER.", dp=4)
    assert game.who("two").status == "HIT"
    game = hurt("when self would become HIT, self gets +2 DP until end of TURN.")
    assert game.who("two").status == "NORMAL"


def test_e15_once_per_game() -> None:
    game = hurt("once per GAME, when self would become HIT, self gets -5 HITCOUNTER.")
    game.attack("one", "two", 5, 1)
    assert game.who("two").status == "HIT"


def test_e15_others_hear_of_it() -> None:
    skill = "when an own OPERATOR adjacent to self would become HIT, it gets -5 HITCOUNTER."
    three = operator("three", skill)
    game = table([operator("one"), operator("two", dp=5), three], "one", "two three")
    game.attack("one", "two", 5, 1)
    assert game.who("two").status == "NORMAL"


def test_e15_before_all_events_that_wait() -> None:
    """`the attack hits` waits, and comes after the last chance."""
    one = operator("one", "when the attack hits, target gets +1 HITCOUNTER.")
    two = operator("two", "once per GAME, when self would become HIT, self gets -5 HITCOUNTER.", dp=5)
    game = table([one, two], "one", "two")
    game.attack("one", "two", 5, 1)
    assert (game.who("two").status, game.who("two").hitcounter) == ("NORMAL", 1)


def test_e15_several_at_once_and_each_in_its_own_way() -> None:
    """Each is asked before any is HIT; what one chance does to another counts."""
    two = operator("two", "when self would become HIT, all own OPERATORs get -3 HITCOUNTER.", dp=3)
    bomb = card("order", "effect", "when played, all enemy OPERATORs get +3 HITCOUNTER.")
    game = table([operator("one"), two, operator("three", dp=3), bomb], "one", "two three", blue_hand="order")
    game.play("blue", "order")
    assert [game.who(name).status for name in ("two", "three")] == ["NORMAL", "NORMAL"]


def test_e15_a_chance_that_hurts_another_gives_it_its_own() -> None:
    two = operator("two", "when self would become HIT, all enemy OPERATORs get +9 HITCOUNTER.", dp=5)
    one = operator("one", "once per GAME, when self would become HIT, self gets -9 HITCOUNTER.")
    game = table([one, two], "one", "two")
    game.attack("one", "two", 5, 1)
    assert (game.who("one").status, game.who("two").status) == ("NORMAL", "HIT")


def test_e15_becomes_out_has_no_chance() -> None:
    two = operator("two", "when self would become HIT, self gets -9 HITCOUNTER.")
    order = card("order", "effect", "when played, all enemy OPERATORs become OUT.")
    game = table([operator("one"), two, order], "one", "two", blue_hand="order")
    game.play("blue", "order")
    assert game.who("two").status == "OUT"


# E-17


@pytest.mark.parametrize(
    ("what", "attached", "lost"),
    [
        ("ITEM", "lens", True),
        ("ITEM", "shot", False),
        ("ATTACK card", "shot", True),
        ("DEFENCE card", "shot", False),
        ("card", "wall", True),
    ],
)
def test_e17_loses(what: str, attached: str, lost: bool) -> None:
    order = f"when played, one enemy OPERATOR loses {what}, if so, owner draws 1 card."
    game = setting(order, blue_deck="note").give("two", attached=attached)
    game.play("blue", "order")
    assert (game.who("two").attached is None) == lost
    assert game.state.blue.hand == (("note",) if lost else ())
    assert game.state.red.item_discard + game.state.red.discard == ((attached,) if lost else ())


def test_e17_its_effect_ends_at_once() -> None:
    """Two has 1 more DP by its ITEM, and is HIT without it."""
    vest = card("vest", "item", "self gets +1 DP.")
    order = card("order", "effect", "when played, one enemy OPERATOR loses ITEM.")
    cards = [operator("one"), operator("two", dp=3), vest, order]
    game = table(cards, "one", "two", blue_hand="order").give("two", attached="vest", hitcounter=3)
    game.play("blue", "order")
    assert game.who("two").status == "HIT"


def test_e17_strategies_are_discarded_from_play() -> None:
    game = setting("when played, owner discards 1 enemy STRATEGY in play.", red_strategies="plan plan")
    assert game.number("two", "AP") == 6
    game.play("blue", "order")
    assert (game.state.red.strategies, game.state.red.discard) == (("plan",), ("plan",))
    assert game.number("two", "AP") == 5


def test_e17_without_a_side_it_is_the_players_own() -> None:
    order = "when played, each player discards 1 STRATEGY in play."
    game = setting(order, red_strategies="plan", blue_strategies="plan")
    game.play("blue", "order")
    assert (game.state.red.strategies, game.state.blue.strategies) == ((), ())


def test_e17_this_card_is_discarded_from_play() -> None:
    trap = "when an enemy OPERATOR performs MOVE, owner may discard this card, if so, it becomes EXHAUSTED."
    cards = [operator("one"), operator("two"), card("trap", "strategy", trap)]
    game = table(cards, "one", "two", red_strategies="trap trap").answer("red", may=["yes", "no"])
    game.do("move", "one")
    assert (game.who("one").status, game.state.red.strategies) == ("EXHAUSTED", ("trap",))
    assert game.state.red.discard == ("trap",)


def test_e17_of_two_copies_each_discards_itself() -> None:
    flare = "when an enemy OPERATOR performs MOVE, owner discards this card, then owner draws 1 card."
    cards = [operator("one"), operator("two"), card("flare", "strategy", flare), NOTE]
    game = table(cards, "one", "two", red_strategies="flare flare", red_deck="note note note")
    game.do("move", "one")
    assert (game.state.red.strategies, game.state.red.hand) == ((), ("note", "note"))


def test_e17_this_card_is_discarded_from_its_operator() -> None:
    wall = card("wall2", "defence", "while attacked, self gets +2 EP. when an attack on self misses, owner "
                "discards this card, then owner draws 1 card.")  # fmt: skip
    cards = [operator("one"), operator("two"), wall, NOTE]
    game = table(cards, "one", "two", red_hand="wall2", red_deck="note")
    game.attack("one", "two", 1, 1, defence_card="wall2")
    assert (game.who("two").attached, game.state.red.discard) == (None, ("wall2",))
    assert game.state.red.hand == ("note",)


def test_e17_a_strategy_that_has_left_play_does_nothing_more() -> None:
    """Both hear that the TURN begins; the first takes the second away."""
    thief = card("thief", "strategy", "when the TURN begins, owner discards 1 enemy STRATEGY in play.")
    gift = card("gift", "strategy", "when the TURN begins, owner draws 2 cards.")
    cards = [operator("one"), operator("two"), thief, gift, NOTE]
    game = table(cards, "one", "two", red_strategies="thief", blue_strategies="gift", blue_deck="note note")
    players = {"blue": ScriptedPlayer({}), "red": ScriptedPlayer({})}
    game.state = end_turn(game.state, game.rules, players, ScriptedDice(())).state
    assert game.state.blue.strategies == ()
    assert game.state.blue.hand == ()


def test_e17_a_strategy_that_leaves_an_attack_takes_its_changes_with_it() -> None:
    drill = card("drill", "strategy", "while an own OPERATOR attacks, attacker gets +5 AP.")
    jam = card("jam", "defence", "when attached, owner discards 1 enemy STRATEGY in play.")
    cards = [operator("one"), operator("two"), drill, jam]
    game = table(cards, "one", "two", blue_strategies="drill", red_hand="jam")
    assert game.attack("one", "two", 1, 1, defence_card="jam") == (5, 4)
    game = table(cards, "one", "two", blue_strategies="drill drill", red_hand="jam")
    assert game.attack("one", "two", 1, 1, defence_card="jam") == (10, 4)
    drill = card("drill", "strategy", "while an own OPERATOR attacks, attacker rolls +1 ATTACK D6.")
    game = table([*cards[:2], drill, jam], "one", "two", blue_strategies="drill", red_hand="jam")
    assert game.attack("one", "two", 1, 1, defence_card="jam") == (5, 4)
    assert game.last is not None
    assert not any(one.origin and one.origin.entry == "drill" for one in game.last.trace)


# ITEMs (E-28)


def test_e28_a_taken_item_goes_back_to_its_first_owner() -> None:
    order = "when played, one own OPERATOR takes ITEM of one enemy OPERATOR."
    game = setting(order).give("two", attached="lens")
    game.play("blue", "order")
    assert (game.who("one").attached, game.who("one").item_of) == ("lens", "red")
    loss = card("loss", "effect", "when played, one own OPERATOR loses ITEM.")
    loser = table([*CARDS, *ALL, loss], "one", "two", blue_hand="loss")
    loser.give("one", attached="lens", item_of="red")
    loser.play("blue", "loss")
    assert (loser.who("one").attached, loser.who("one").item_of) == (None, None)
    assert (loser.state.blue.item_discard, loser.state.red.item_discard) == ((), ("lens",))


def test_e28_taken_back_it_is_its_first_owners_again() -> None:
    order = "when played, one OPERATOR with no card takes ITEM of one OPERATOR."
    game = setting(order).answer("blue", choose=["two", "one"])
    game.give("one", attached="lens", item_of="red").play("blue", "order")
    assert (game.who("one").attached, game.who("two").attached) == (None, "lens")
    assert game.who("two").item_of is None


# Laws


PLAYER = st.sampled_from(["owner", "opponent", "each player"])
SIDE = st.sampled_from(["own", "enemy"])
COUNT = st.integers(1, 3)
SEVERAL = st.sampled_from(["all", "up to 2", "up to 3"])
KIND = st.sampled_from(["", "random ", "ATTACK ", "random STRATEGY "])
SOURCE = st.one_of(
    st.builds("{} {}".format, SIDE, st.sampled_from(["hand", "DECK", "DISCARDZONE"])),
    st.builds("the top {} cards of {} DECK".format, COUNT, SIDE),
)
TO = st.sampled_from(["into the hand", "onto the DECK", "under the DECK", "into the DISCARDZONE"])
GROUP = st.builds(
    "{} {} OPERATOR{}".format,
    st.sampled_from(["one", "one random"]),
    SIDE,
    st.sampled_from(["", " in the SAVEZONE"]),
)
VERB = st.one_of(
    st.builds("{} draws {} cards".format, PLAYER, COUNT),
    st.builds("{} discards {} {}cards".format, PLAYER, COUNT, KIND),
    st.builds("{} discards {} ATTACK cards".format, PLAYER, SEVERAL),
    st.builds("{} looks at {}".format, PLAYER, SOURCE),
    st.builds("{} puts {} {}cards from {} {}".format, PLAYER, COUNT, KIND, SOURCE, TO),
    st.builds("{} puts {} cards from {} {}".format, PLAYER, SEVERAL, SOURCE, TO),
    st.builds("{} discards {} {} STRATEGY in play".format, PLAYER, st.one_of(COUNT, SEVERAL), SIDE),
    st.builds("owner puts this card {}".format, st.sampled_from(["into the hand", "under the DECK"])),
    st.builds("{} shuffles the DECK".format, PLAYER),
    st.builds("{} draws {} ITEMs".format, PLAYER, COUNT),
    st.builds("{} takes ITEM of {}".format, GROUP, GROUP),
    st.builds("{} loses card".format, GROUP),
    st.builds("{} retreats".format, GROUP),
    st.builds("{} enters the FIELD".format, GROUP),
    st.builds("{} advances".format, GROUP),
    st.builds("{} becomes OUT".format, GROUP),
    st.builds("{} swaps places with {}".format, GROUP, GROUP),
)


def everything(state: GameState) -> Counter[str]:
    """All cards of both players, wherever they lie."""
    found: Counter[str] = Counter()
    for player in (state.blue, state.red):
        for zone in (player.hand, player.deck, player.discard, player.strategies):
            found.update(zone)
        found.update((*player.item_deck, *player.item_discard))
    found.update([who.attached for who in state.operators if who.attached])
    return found


@examples(60)
@given(st.lists(VERB, min_size=1, max_size=4), st.integers(0, 2**32))
def test_e10_e13_nothing_appears_or_vanishes(verbs: list[str], seed: int) -> None:
    """Each card lies somewhere, each OPERATOR in one place that knows of it, and the same with a trace."""
    effect, problems = parse_effect(f"when played, {', then '.join(verbs)}.")
    assert effect is not None, problems
    rules = setting("when played, owner draws 1 card.").rules
    objects = compile_effect(effect, Role.EFFECT, "order", "effect")
    made = replace(rules, cards={**rules.cards})
    made.cards["order"] = replace(rules.cards["order"], objects=objects)
    game = setting("when played, owner draws 1 card.", "one mate", "two three", blue_deck=DECK, red_deck=DECK)
    game.state.blue.strategies = game.state.red.strategies = ("plan",)
    game.state.red.hand = ("shot", "wall", "note")
    rest(game, "mate", "three").give("one", attached="lens").give("two", attached="wall")
    states = []
    for traced in (True, False):
        players = {side: RandomPlayer(f"{seed} {side}") for side in SIDES}
        played = play_card(game.state, made, "blue", "order", players, RandomDice(seed), traced=traced)
        assert isinstance(played, Outcome), played
        states.append(played.state)
    after = states[0]
    assert everything(after) == everything(game.state)
    for who in after.operators:
        player = after.player(who.side)
        there = [place for place, key in enumerate(player.field) if key == who.key]
        assert there == ([] if who.position is None else [who.position])
        zones_of = (player.field, player.save_zone, player.out_of_play)
        assert sum(zone.count(who.key) for zone in zones_of) == 1
    assert len(after.blue.save_zone) <= rules.mode.save_zone
    assert states[1] == after


GAMES = (
    (
        "when self enters the FIELD, owner puts 1 card from the top 3 cards of own DECK into the hand. "
        "when self performs MOVE, self may swaps places with one other own OPERATOR.",
        {
            "effect": "when played, one enemy OPERATOR retreats, if not, owner draws 1 card.",
            "attack": "when the attack hits, target loses card, then self advances.",
            "defence": "when attached, owner discards 1 enemy STRATEGY in play. "
            "while attacked, self halves DAMAGE.",
            "strategy": "when an enemy OPERATOR REACHES the OBJECTIVE, owner may discard this card, "
            "if so, it retreats.",
            "item": "self gets +1 RANGE.",
        },
        {"E-2", "E-10", "E-13", "E-14", "E-17"},
    ),
    (
        "once per GAME, when self would become HIT, self gets -5 HITCOUNTER. "
        "when the attack hits, if DAMAGE >= 3, one own OPERATOR in the SAVEZONE enters the FIELD.",
        {
            "effect": "when played, owner puts 1 ATTACK card from own DECK into the hand, "
            "then opponent discards 1 random card.",
            "attack": "while attacking, target gets +2 DAMAGE. when the attack misses, self retreats.",
            "defence": "while attacked, self gets -2 DAMAGE.",
            "strategy": "all own OPERATORs get +1 RANGE. "
            "when the own TURN begins, owner discards 1 STRATEGY in play.",
            "item": "when self would become HIT, owner discards this card, if so, self gets -3 HITCOUNTER.",
        },
        {"E-13", "E-14", "E-15", "E-17"},
    ),
    (
        "unless self has performed ATTACK this TURN, self gets +1 EP. "
        "when the attack hits, self may take ITEM of target. "
        "when another own OPERATOR of TEAM of self becomes HIT, owner draws 1 ITEM.",
        {
            "effect": "when played, owner discards up to 2 cards, then owner draws 1 card for each discarded "
            "card, then owner may put this card into the hand.",
            "attack": "while attacking, self gets +1 AP. when the attack misses, owner puts this card under "
            "the DECK, then owner shuffles the DECK.",
            "defence": "when attached, one enemy OPERATOR chosen by opponent gets +1 HITCOUNTER.",
            "strategy": "when an own EXHAUSTED OPERATOR becomes HIT, owner discards all cards, then owner "
            "puts this card onto the DECK.",
            "item": "once per TURN, when self performs ATTACK, owner draws 1 card.",
        },
        {"E-2", "E-13", "E-28"},
    ),
    (
        "all own OPERATORs in RANGE get -3 DP. "
        "when the attack hits, target gets -1 RANGE until end of ROUND.",
        {
            "effect": "when played, one own OPERATOR gets +2 RANGE until end of TURN.",
            "strategy": "all enemy OPERATORs get +1 RANGE. "
            "when an enemy OPERATOR enters the FIELD, it gets +1 HITCOUNTER.",
        },
        {"E-6"},
    ),
)


@pytest.mark.parametrize(("skills", "kinds", "rules"), GAMES)
def test_whole_games(skills: str, kinds: dict[str, str], rules: set[str]) -> None:
    """All that is true of a state of a game (H-1 among it) is true of these, and a log is played again."""
    made, steps = where_everybody_has(skills, **kinds), Steps(set())
    for seed in range(4 if THOROUGH else 1):
        match = Match(made, squads()[seed], squads()[seed + 3], seed)
        state = new_game(made, match.blue, match.red, Random(f"{seed} decks"))
        judges = {side: Judge(made, RandomPlayer(f"{seed} {side}"), cards_of(state)) for side in SIDES}
        log = new_log(match, dict.fromkeys(SIDES, "random"))
        assert play_match(match, judges, log).verdict is not None
        again = replay(log, match, steps)
        assert again.same, again.difference
    assert steps.rules >= rules


@dataclass
class Judge:
    """A random player who looks at everything before it decides."""

    rules: Rules
    player: RandomPlayer
    cards: list[str]

    def answer(self, decision: Decision, state: GameState) -> int:
        if decision.kind in ("strategy", "action"):
            check_state(state)
            assert cards_of(state) == self.cards
            for who in state.operators:
                if who.is_active and who.hitcounter:
                    assert who.hitcounter < current_number(state, self.rules, who.key, "DP"), decision
        return self.player.answer(decision, state)


@dataclass
class Steps:
    """Follows a GAME, so that it is traced; ``rules`` are those of the second edition that acted."""

    rules: set[str]

    def observe(self, step: GameStep) -> None:
        self.rules |= {one.rule for one in step.outcome.trace if one.kind != "skipped"}
