"""E-2, E-3, E-8, E-9, E-20: who is chosen, what may be declined, what was done, and dice of effects."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.games import squads, where_everybody_has
from tests.engine.tables import Table, card, operator, table
from tests.engine.values import Outcome, ScriptedDice
from toolkit.engine.game import Game
from toolkit.engine.greedy import GreedyPlayer
from toolkit.engine.log import Match, new_log, play_match
from toolkit.engine.phases import end_turn, play_card

BLUE = "one two three"
RED = "alpha beta gamma"


def played(effect: str, *, blue: str = BLUE, red: str = RED, **given: object) -> Table:
    """A table on which blue may play the EFFECT card `plan`."""
    names = [*blue.split(), *red.split()]
    cards = [operator(name, ap=number + 1, mp=2) for number, name in enumerate(names) if name != "~"]
    cards += [card("plan", "effect", effect), card("spare", "attack", "when attacking, self gets +1 AP.")]
    return table(cards, blue, red, blue_hand=f"plan {given.pop('hand', '')}", **given)


def kinds(outcome: Outcome, *wanted: str) -> list[tuple[str, str]]:
    """Kind and rule of the lines of the trace that have one of these rules."""
    return [(entry.kind, entry.rule) for entry in outcome.trace if entry.rule in wanted]


def exhausted(game: Table) -> list[str]:
    return [who.card for who in game.state.operators if who.status == "EXHAUSTED"]


# E-8


def test_e8_two_are_chosen_one_after_the_other() -> None:
    game = played("when played, two enemy OPERATORs become EXHAUSTED.")
    game.answer("blue", choose=["gamma", "alpha"]).play("blue", "plan")
    assert exhausted(game) == ["alpha", "gamma"]


def test_e8_from_left_to_right_is_the_default() -> None:
    game = played("when played, three own OPERATORs become EXHAUSTED.", blue="one two three four")
    game.play("blue", "plan")
    assert exhausted(game) == ["one", "two", "three"]


def test_e8_nobody_is_chosen_twice() -> None:
    game = played("when played, two own OPERATORs get +1 HITCOUNTER.")
    with pytest.raises(AssertionError, match="cannot be chosen here"):
        game.answer("blue", choose=["one", "one"]).play("blue", "plan")


def test_e8_if_fewer_are_there_those() -> None:
    game = played("when played, three enemy OPERATORs become EXHAUSTED.", red="alpha beta")
    game.play("blue", "plan")
    assert exhausted(game) == ["alpha", "beta"]


@pytest.mark.parametrize(
    ("answers", "chosen"), [([None], []), (["beta", None], ["beta"]), (["beta", "gamma"], ["beta", "gamma"])]
)
def test_e8_up_to_may_stop_after_any(answers: list[object], chosen: list[str]) -> None:
    game = played("when played, up to two enemy OPERATORs become EXHAUSTED.")
    game.answer("blue", choose=answers).play("blue", "plan")
    assert exhausted(game) == chosen


def test_e8_chance_draws_and_nobody_decides() -> None:
    game = played("when played, two random enemy OPERATORs become EXHAUSTED.")
    outcome = game.play("blue", "plan", drawn=(game.key("gamma"), game.key("alpha")))
    assert exhausted(game) == ["alpha", "gamma"]
    assert kinds(outcome, "E-8") == [("die", "E-8"), ("die", "E-8")]


def test_e8_all_are_chosen_before_anything_is_done() -> None:
    """The second stays adjacent to the first although that one is OUT by then."""
    game = played("when played, two own OPERATORs become OUT, then it gets +1 HITCOUNTER.")
    outcome = game.answer("blue", choose=["one", "two"]).play("blue", "plan")
    chosen = [number for number, entry in enumerate(outcome.trace) if entry.rule == "M-11"]
    out = [number for number, entry in enumerate(outcome.trace) if entry.after == "OUT"]
    assert len(chosen) == len(out) == 2
    assert max(chosen) < min(out)


def test_e8_it_is_who_was_chosen_last() -> None:
    game = played(
        "when played, one enemy OPERATOR becomes EXHAUSTED, then all enemy OPERATORs adjacent to it"
        " get +1 HITCOUNTER."
    )
    game.answer("blue", choose=["alpha"]).play("blue", "plan")
    assert [who.hitcounter for who in game.state.operators] == [0, 0, 0, 0, 1, 0]


def test_e8_each_player_acts_the_turns_first() -> None:
    game = played("when played, each player discards 1 card.", hand="spare", red_hand="spare")
    outcome = game.play("blue", "plan")
    assert [entry.text for entry in outcome.trace if "discards" in entry.text][1:] == [
        "blue discards spare",
        "red discards spare",
    ]


# E-9: AP are 1 to 6 from blue's left to red's right


@pytest.mark.parametrize(
    ("who", "chosen"),
    [
        ("one OPERATOR with the highest AP becomes", ["gamma"]),
        ("one own OPERATOR with the lowest AP becomes", ["one"]),
        ("two own OPERATORs with the highest AP become", ["two", "three"]),
        ("all enemy OPERATORs with the lowest AP become", ["alpha"]),
        ("all enemy OPERATORs with the highest MP become", ["alpha", "beta", "gamma"]),
        ("one own OPERATOR with AP < 3 with the highest AP becomes", ["two"]),
        ("one random enemy OPERATOR with the highest AP becomes", ["gamma"]),
    ],
)
def test_e9_the_highest_and_the_lowest(who: str, chosen: list[str]) -> None:
    game = played(f"when played, {who} EXHAUSTED.")
    game.play("blue", "plan")
    assert exhausted(game) == chosen


def test_e9_of_equals_the_controller_chooses() -> None:
    game = played("when played, one enemy OPERATOR with the highest MP becomes EXHAUSTED.")
    game.answer("blue", choose=["beta"]).play("blue", "plan")
    assert exhausted(game) == ["beta"]


def test_e9_counts_and_auras_mean_those_who_share_the_first_place() -> None:
    cards = [
        operator("lead", "all other own OPERATORs with the highest MP get +1 EP.", mp=1),
        operator("fast", mp=5),
        operator("slow", mp=2),
    ]
    game = table(cards, "lead fast slow")
    assert [game.number(name, "EP") for name in ("lead", "fast", "slow")] == [3, 4, 3]


def test_e9_in_the_savezone_nobody_has_a_place() -> None:
    game = played("when played, all own OPERATORs in the SAVEZONE become EXHAUSTED.")
    game.state.place(game.who("two"), None)
    game.state.place(game.who("three"), None)
    game.who("three").status = "HIT"
    game.play("blue", "plan")
    assert exhausted(game) == ["two"]


@pytest.mark.parametrize(
    ("does", "number"),
    [
        ("gets +1 HITCOUNTER", 1),
        ("gets +2 AP until end of TURN", 1),
        ("gets +2 AP permanently", 3),
        ("gains BONUS (MOVE)", 1),
    ],
)
def test_e9_in_the_savezone_only_what_is_permanent_counts(does: str, number: int) -> None:
    game = played(f"when played, one own OPERATOR in the SAVEZONE {does}.")
    game.state.place(game.who("one"), None)
    game.play("blue", "plan")
    one = game.who("one")
    assert (game.number("one", "AP"), one.hitcounter, one.bonuses) == (number, 0, ())


def test_e9_nothing_that_always_holds_reaches_into_the_savezone() -> None:
    cards = [operator("lead", "all other own OPERATORs in the SAVEZONE get +1 AP."), operator("one", ap=2)]
    game = table(cards, "lead one")
    game.state.place(game.who("one"), None)
    assert game.number("one", "AP") == 2


def test_e9_who_is_turned_up_in_the_savezone_is_counted() -> None:
    counts = "self gets +1 DP for each own OPERATOR in the SAVEZONE."
    lead = operator("lead", counts, "when the TURN ends, if DP of self = 3, owner draws 1 card.", dp=2)
    game = table([lead, operator("one")], "lead one", "", blue_deck="one").give("lead", hitcounter=1)
    game.state.place(game.who("one"), None)
    game.who("one").status = "HIT"
    playing = Game(game.rules, game.state, game.players(), ScriptedDice(()))
    assert playing.number(game.who("lead"), "DP") == 2
    end_turn(playing)
    assert len(game.state.blue.hand) == 1


def test_e9_who_becomes_out_in_the_savezone_leaves_it() -> None:
    game = played("when played, one own OPERATOR in the SAVEZONE becomes OUT.")
    game.state.place(game.who("one"), None)
    game.play("blue", "plan")
    assert game.state.blue.save_zone == ()


@pytest.mark.parametrize(
    ("who", "chosen"),
    [
        ("all OPERATORs become", ["one", "two", "three", "alpha", "beta", "gamma"]),
        ("all OPERATORs with AP > AP of beta become".replace("AP of beta", "4"), ["beta", "gamma"]),
        ("all own OPERATORs with no card become", ["one", "three"]),
        ('all own OPERATORs with either trait "sniper" or card become', ["two"]),
        ("all own OPERATORs with AP > 1 with AP < 3 become", ["two"]),
    ],
)
def test_groups_of_the_second_edition(who: str, chosen: list[str]) -> None:
    who = who.replace('trait "sniper"', "ITEM")
    game = played(f"when played, {who} EXHAUSTED.").give("two", attached="spare")
    game.play("blue", "plan")
    assert exhausted(game) == chosen


def test_that_are_either() -> None:
    game = played("when played, all own OPERATORs that are either HIT or EXHAUSTED become NORMAL.")
    game.give("one", status="HIT").give("two", status="OUT").give("three", status="EXHAUSTED")
    game.play("blue", "plan")
    assert [game.who(name).status for name in BLUE.split()] == ["NORMAL", "OUT", "NORMAL"]


def test_compared_with_another_operator() -> None:
    cards = [operator("lead", "all enemy OPERATORs with AP < AP of self get -1 EP.", ap=3)]
    cards += [operator("weak", ap=2), operator("strong", ap=3)]
    game = table(cards, "lead", "weak strong")
    assert (game.number("weak", "EP"), game.number("strong", "EP")) == (2, 3)


# E-2

PRICE = "when played, owner may discard 1 card, if so, one enemy OPERATOR gets +1 HITCOUNTER."


@pytest.mark.parametrize(("answer", "counter"), [("yes", 1), ("no", 0)])
def test_e2_the_controller_decides(answer: str, counter: int) -> None:
    game = played(PRICE, hand="spare").answer("blue", may=[answer])
    outcome = game.play("blue", "plan")
    assert game.who("alpha").hitcounter == counter
    assert len(game.state.blue.hand) == 1 - counter
    assert ("decision", "E-2") in kinds(outcome, "E-2")


def test_e2_no_is_the_default() -> None:
    game = played(PRICE, hand="spare")
    game.play("blue", "plan")
    assert game.state.blue.hand == ("spare",)


def test_e2_nobody_is_asked_for_a_price_that_he_cannot_pay() -> None:
    game = played(PRICE.replace("1 card", "2 cards"), hand="spare").answer("blue", may=["yes"])
    outcome = game.play("blue", "plan")
    assert game.state.blue.hand == ("spare",)
    assert kinds(outcome, "E-2", "E-3") == [("skipped", "E-2"), ("skipped", "E-3")]


@pytest.mark.parametrize("status", ["NORMAL", "EXHAUSTED"])
def test_e2_nobody_is_asked_where_nothing_could_happen(status: str) -> None:
    game = played("when played, one enemy OPERATOR may become EXHAUSTED.", red="alpha")
    outcome = game.give("alpha", status=status).answer("blue", may=["yes"]).play("blue", "plan")
    assert kinds(outcome, "E-2") == [("decision" if status == "NORMAL" else "skipped", "E-2")]


def test_e2_what_one_choice_forbids_another_may_allow() -> None:
    game = played("when played, one enemy OPERATOR may become EXHAUSTED, if so, owner draws 1 card.")
    game.give("alpha", status="EXHAUSTED").answer("blue", may=["yes"], choose=["beta"])
    game.play("blue", "plan")
    assert game.who("beta").status == "EXHAUSTED"


def test_e2_the_opponent_decides_himself() -> None:
    game = played("when played, opponent may discard 1 card, if not, owner draws 1 card.", blue_deck="spare")
    game.state.red.hand = ("spare",)
    game.answer("red", may=["yes"]).play("blue", "plan")
    assert (game.state.red.hand, game.state.blue.hand) == ((), ())


def test_e2_each_player_decides_himself() -> None:
    game = played("when played, each player may draw 1 card.", blue_deck="spare", red_deck="spare")
    game.answer("red", may=["yes"]).play("blue", "plan")
    assert (game.state.blue.hand, game.state.red.hand) == ((), ("spare",))


def test_e2_a_declined_clause_is_skipped_and_the_next_goes_on() -> None:
    game = played(
        "when played, one enemy OPERATOR may become EXHAUSTED, then it gets +1 HITCOUNTER, and owner draws"
        " 1 card.",
        blue_deck="spare",
    )
    game.play("blue", "plan")
    assert [who.hitcounter for who in game.state.operators] == [0] * 6
    assert game.state.blue.hand == ("spare",)


def test_e2_asked_before_anybody_is_chosen() -> None:
    game = played("when played, one enemy OPERATOR may become EXHAUSTED.").answer("blue", may=["yes"])
    outcome = game.play("blue", "plan")
    assert kinds(outcome, "E-2", "M-11") == [("decision", "E-2"), ("decision", "M-11")]


def test_e2_asked_where_a_part_of_it_could_happen() -> None:
    game = played("when played, two enemy OPERATORs may become EXHAUSTED.", red="alpha beta")
    game.give("alpha", status="EXHAUSTED").answer("blue", may=["yes"]).play("blue", "plan")
    assert exhausted(game) == ["alpha", "beta"]


def test_e2_whoever_was_chosen_before_is_not_it_after_a_declined_choice() -> None:
    game = played(
        "when played, one own OPERATOR becomes EXHAUSTED, then one enemy OPERATOR may become EXHAUSTED,"
        " then it gets +1 HITCOUNTER."
    )
    game.play("blue", "plan")
    assert exhausted(game) == ["one"]
    assert sum(who.hitcounter for who in game.state.operators) == 0


@pytest.mark.parametrize(("answers", "done"), [(["yes"], True), (["no"], False)])
def test_e3_of_each_player_both_must_have_done_it(answers: list[object], done: bool) -> None:
    game = played(
        "when played, each player may discard 1 card, if so, all own OPERATORs become EXHAUSTED.",
        hand="spare",
        red_hand="spare",
    )
    game.answer("blue", may=["yes"]).answer("red", may=answers).play("blue", "plan")
    assert (exhausted(game) == ["one", "two", "three"]) == done


# E-3


@pytest.mark.parametrize(
    ("clause", "done"),
    [
        ("owner draws 2 cards", False),
        ("owner draws 1 card", True),
        ("owner draws 1 card for each OPERATOR that is HIT", True),
        ("opponent discards 1 card", False),
        ("one enemy OPERATOR gets -2 HITCOUNTER", False),
        ("one enemy OPERATOR gets -1 HITCOUNTER", True),
        ("one enemy OPERATOR becomes NORMAL", False),
        ("three enemy OPERATORs become EXHAUSTED", True),
        ("three OPERATORs with AP > 4 become EXHAUSTED", False),
        ("up to three OPERATORs with AP > 4 become EXHAUSTED", True),
        ("all OPERATORs with AP > 9 become EXHAUSTED", False),
        ("all enemy OPERATORs get -1 HITCOUNTER", False),
        ("all OPERATORs with HITCOUNTER > 0 get -1 HITCOUNTER and become EXHAUSTED", True),
    ],
)
def test_e3_done_in_full_or_not(clause: str, done: bool) -> None:
    effect = f"when played, {clause}, if so, owner fulfils PERFORMANCE, if not, all own OPERATORs become OUT."
    game = played(effect, blue_deck="spare").give("alpha", hitcounter=1)
    outcome = game.play("blue", "plan")
    assert (game.who("one").status != "OUT") == done
    assert ("event", "K-1") in kinds(outcome, "K-1") or not done
    assert kinds(outcome, "E-3") == [("skipped", "E-3")]


def test_e3_what_follows_belongs_to_it() -> None:
    effect = (
        "when played, owner discards 1 card, if so, owner draws 1 card, then one own OPERATOR becomes"
        " EXHAUSTED, if not, one enemy OPERATOR becomes EXHAUSTED, and it gets +1 HITCOUNTER."
    )
    game = played(effect, hand="spare")
    game.play("blue", "plan")
    assert exhausted(game) == ["one"]
    game = played(effect)
    game.play("blue", "plan")
    assert exhausted(game) == ["alpha"]
    assert game.who("alpha").hitcounter == 1


# E-20


@pytest.mark.parametrize("result", range(1, 7))
def test_e20_a_die_succeeds_from_its_number(result: int) -> None:
    effect = (
        "when played, owner rolls a D6 for 4+, if so, owner draws 2 cards, if not, owner discards 1 card."
    )
    game = played(effect, hand="spare", blue_deck="spare spare")
    outcome = game.play("blue", "plan", dice=(result,))
    assert len(game.state.blue.hand) == (3 if result >= 4 else 0)
    assert kinds(outcome, "E-20") == [("die", "E-20")]


def test_e20_a_greedy_player_weighs_cards_that_roll() -> None:
    made = where_everybody_has(
        "self gets +1 AP.",
        attack="when attached, owner rolls a D6 for 4+, if so, owner draws 1 card. self gets +3 AP.",
    )
    playing = Match(made, *squads()[:2], 1)
    log = new_log(playing, {"blue": "greedy", "red": "greedy"})
    ending = play_match(playing, {"blue": GreedyPlayer(made), "red": GreedyPlayer(made)}, log)
    assert ending.stopped == ""
    assert any(line.get("die") == "D6" for line in log.lines)


# §2: several WHOs in a continuous sentence are judged once and act together


def test_and_in_a_continuous_sentence_is_judged_once() -> None:
    effect = "while attacking, if EP of target = 3, self gets +2 AP, and target gets -1 EP."
    game = table([operator("one", effect), operator("alpha")], "one", "alpha")
    assert game.attack("one", "alpha") == (4 + 2 + 1, 3 - 1 + 1)


def test_and_in_an_event_goes_on_in_order() -> None:
    game = played(
        "when played, one enemy OPERATOR becomes EXHAUSTED, and owner draws 1 card.", blue_deck="spare"
    )
    game.play("blue", "plan")
    assert exhausted(game) == ["alpha"]
    assert game.state.blue.hand == ("spare",)


# a law of E-2 and E-3

_WHO = ["one own OPERATOR", "two enemy OPERATORs", "up to two own OPERATORs", "all enemy OPERATORs"]
_WHO += ["one enemy OPERATOR with the highest HITCOUNTER", "one OPERATOR with no card"]
_DOES = ["become EXHAUSTED", "become NORMAL", "get -2 HITCOUNTER", "get -1 HITCOUNTER and become EXHAUSTED"]
_PLAYERS = ["owner may discard 1 card", "owner may draw 2 cards", "each player may discard 1 card"]
_MAY = [f"{who} may {does}" for who in _WHO for does in _DOES] + _PLAYERS


def _table(effect: str, states: list[tuple[str, int]], cards: int) -> Table:
    game = played(effect, blue="one two", red="alpha beta", hand="spare " * cards, blue_deck="spare " * cards)
    for name, (status, counter) in zip(("one", "two", "alpha", "beta"), states, strict=True):
        game.give(name, status=status, hitcounter=0 if status == "HIT" else counter)
    return game


def _done(outcome: Outcome) -> bool:
    """Whether what depends on it came about."""
    return any(entry.rule == "K-1" for entry in outcome.trace)


@given(
    st.sampled_from(_MAY),
    st.lists(
        st.tuples(st.sampled_from(["NORMAL", "EXHAUSTED", "HIT"]), st.integers(0, 2)), min_size=4, max_size=4
    ),
    st.integers(0, 2),
)
def test_a_price_is_asked_for_exactly_where_it_can_be_paid(
    clause: str, states: list[tuple[str, int]], cards: int
) -> None:
    """What an order would do in full, whoever is chosen, is asked; and asking changes nothing."""
    asking = _table(f"when played, {clause}, if so, owner fulfils PERFORMANCE.", states, cards)
    before = asking.state
    outcome = asking.play("blue", "plan")
    asked = ("decision", "E-2") in kinds(outcome, "E-2")
    assert [who.status for who in asking.state.operators] == [who.status for who in before.operators]
    assert asking.state.blue.hand == before.blue.hand[1:]
    order = clause.replace(" may ", " ")
    possible = False
    for names in permutations(("one", "two", "alpha", "beta", None), 2):
        trying = _table(f"when played, {order}, if so, owner fulfils PERFORMANCE.", states, cards)
        try:
            possible |= _done(trying.answer("blue", choose=list(names)).play("blue", "plan"))
        except AssertionError:
            continue  # they cannot be chosen here
    if clause.startswith("each"):  # each of the two is asked for what he can do himself
        possible = cards > 0
    assert asked == possible


@pytest.mark.parametrize(("apart", "ep"), [(False, 4), (True, 6)])
def test_e34_amounts_are_read_together_but_in_games_of_older_logs(apart: bool, ep: int) -> None:
    """`one` has 1 AP and 3 EP: the EP are counted before the AP grow; under format 3 afterwards."""
    effect = "when played, one own OPERATOR gets +2 AP and +1 EP for each AP of it until end of TURN."
    before = played(effect)
    game = Game(before.rules, before.state.copy(), before.players(), ScriptedDice(()), traced=False)
    game.reads_amounts_apart = apart
    play_card(game, "blue", "plan")
    one = game.state.operators[before.key("one")]
    assert (game.number(one, "AP"), game.number(one, "EP")) == (3, ep)
