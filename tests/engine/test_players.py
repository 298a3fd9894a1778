"""Players that need nobody: random, greedy with exact expectations, scripted ones."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.games import match
from tests.engine.tables import Table, card, of_shipped, operator, table
from tests.engine.test_laws import any_table
from tests.engine.values import Outcome, ScriptedDice, legal_actions, perform
from tests.thoroughness import examples
from toolkit.data.model import Options
from toolkit.engine.actions import GameAction
from toolkit.engine.attack import NO_CARDS
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.compiler import objective_value
from toolkit.engine.decisions import (
    Decision,
    DefaultPlayer,
    DieOption,
    NoAnswer,
    Player,
    RandomDice,
    ScriptedPlayer,
)
from toolkit.engine.game import Game
from toolkit.engine.phases import new_game, play_game
from toolkit.engine.players import (
    BUILT_IN,
    GreedyPlayer,
    RandomPlayer,
    built_in,
    expect_attack,
)
from toolkit.engine.state import SIDES, GameState, Side
from toolkit.engine.state_queries import StateQueries

ONE, TWO, MATE = operator("one"), operator("two"), operator("mate")


class Choosing(DefaultPlayer):
    """Doubles those critical dice whose bit in ``doubled`` is set; everything else by default."""

    def __init__(self, doubled: int) -> None:
        self.doubled, self.asked = doubled, 0

    def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002
        if decision.kind != "critical":
            return 0
        self.asked += 1
        return self.doubled >> (self.asked - 1) & 1


def expected_damage(state: GameState, rules: Rules, attack: GameAction) -> float:
    player = DefaultPlayer()
    game = Game(rules, state.copy(), {"blue": player, "red": player}, ScriptedDice(()), traced=False)
    assert attack.on is not None
    attacker, attacked = game.state.operators[attack.by], game.state.operators[attack.on]
    return expect_attack(game, attacker, attacked, NO_CARDS).damage


def by_hand(game: Table, attack: GameAction, dice: int = 2) -> float:
    """The expected damage with every die played and every choice tried, the long way."""
    total = 0.0
    for rolled in product(range(1, 7), repeat=dice):
        best = 0
        for doubled in range(4):
            chooser = Choosing(doubled)
            players: dict[Side, Player] = dict.fromkeys(SIDES, chooser)
            source = ScriptedDice((*rolled, 6, 6, 6))
            outcome = perform(game.state, game.rules, attack, players, source, traced=False)
            assert isinstance(outcome, Outcome)
            if outcome.attack is not None:
                best = max(best, outcome.attack.damage)
        total += best
    return total / 6**dice


def attack_of(game: Table, by: str, on: str) -> GameAction:
    return GameAction("attack", game.key(by), game.key(on), None, False, None, None, None)


def test_the_expectation_of_a_plain_attack() -> None:
    game = table([ONE, TWO], "one", "two")
    # 4 + die against 3 + die, a 6 may double to 8: by hand over 36 results
    expected = sum(max(0, max(4 + a, 8 if a == 6 else 0) - 3 - d) for a in range(1, 7) for d in range(1, 7))
    assert expected_damage(game.state, game.rules, attack_of(game, "one", "two")) == pytest.approx(
        expected / 36
    )


@pytest.mark.parametrize(
    ("skill", "dice"),
    [
        ("when attacking, self rolls +1 ATTACK D6.", 3),
        ("when attacking, self makes ATTACK D6 CRITICAL on 4+.", 2),
        ("when attacking, self fixes AP at 9.", 2),
        ("when attacking, self multiplies AP by 3.", 2),
        ("when attacking, if the attack is CRITICAL, self gets +3 AP.", 2),
        ("while attacking, target halves DAMAGE and gets -1 DAMAGE.", 2),
    ],
)
@pytest.mark.parametrize("stacking", ["layered", "stepwise"])
def test_the_expectation_of_skills(skill: str, dice: int, stacking: str) -> None:
    game = table([operator("skilled", skill), TWO], "skilled", "two", options=Options(stacking=stacking))
    attack = attack_of(game, "skilled", "two")
    assert expected_damage(game.state, game.rules, attack) == pytest.approx(by_hand(game, attack, dice))


def test_the_expectation_where_ep_are_at_the_floor() -> None:
    game = table([ONE, TWO], "one", "two")
    low = table([ONE, operator("two", "self gets -7 EP.")], "one", "two")
    attack = attack_of(low, "one", "two")
    assert expected_damage(low.state, low.rules, attack) == pytest.approx(by_hand(low, attack))
    assert expected_damage(low.state, low.rules, attack) > expected_damage(game.state, game.rules, attack)


@examples(12)
@given(st.integers(0, 2**32), st.sampled_from(["layered", "stepwise"]))
def test_the_expectation_is_that_of_every_die_played(seed: int, stacking: str) -> None:
    chance = Random(seed)
    game = any_table(chance, Options(stacking=stacking))
    attacks = [one for one in legal_actions(game.state, game.rules, "blue") if one.name == "attack"]
    assume(attacks)
    found = chance.choice(attacks)
    attack = GameAction("attack", found.by, found.on, None, found.bonus, None, None, None)
    outcome = perform(
        game.state, game.rules, attack, dict.fromkeys(SIDES, Choosing(0)), RandomDice(1), traced=False
    )
    assume(isinstance(outcome, Outcome) and outcome.attack is not None and len(outcome.attack.rolls) == 2)
    assert expected_damage(game.state, game.rules, attack) == pytest.approx(by_hand(game, attack))


def ask(game: Table, player: Player, kind: str, *options: object, about: object = None) -> object:
    decision = Decision(kind, "blue", options, "?", None, about)
    return options[player.answer(decision, game.state)]


def test_greedy_attacks_where_the_expected_damage_is_greatest() -> None:
    weak, soft = operator("weak", ap=2), operator("soft", ep=1)
    game = table([ONE, TWO, weak, soft], "weak one", "two soft")
    chosen = ask(game, GreedyPlayer(game.rules), "action", *legal_actions(game.state, game.rules, "blue"))
    assert isinstance(chosen, GameAction)
    assert (chosen.name, chosen.by, chosen.on) == ("attack", game.key("one"), game.key("soft"))


def test_greedy_advances_where_nobody_can_be_attacked_and_the_fastest_goes() -> None:
    fast = operator("fast", mp=4)
    game = table([ONE, fast, TWO], "one fast", "~ ~ ~ two")
    game.give("two", status="HIT")
    chosen = ask(game, GreedyPlayer(game.rules), "action", *legal_actions(game.state, game.rules, "blue"))
    assert isinstance(chosen, GameAction)
    assert (chosen.name, chosen.by, chosen.swap) == ("move", game.key("fast"), None)


def test_greedy_attaches_the_card_that_does_most_damage_and_none_that_does_harm() -> None:
    good, better = (card(f"plus-{n}", "attack", f"when attacking, self gets +{n} AP.") for n in (1, 3))
    bad = card("bad", "attack", "when attacking, self gets -1 AP.")
    game = table([ONE, TWO, good, better, bad], "one", "two", blue_hand="plus-1 plus-3 bad")
    player = GreedyPlayer(game.rules)
    about = (game.key("one"), game.key("two"))
    assert ask(game, player, "attack_card", None, "plus-1", "plus-3", "bad", about=about) == "plus-3"
    assert ask(game, player, "attack_card", None, "bad", about=about) is None


def best(game: Table) -> GameAction:
    chosen = ask(game, GreedyPlayer(game.rules), "action", *legal_actions(game.state, game.rules, "blue"))
    assert isinstance(chosen, GameAction)
    return chosen


def test_greedy_takes_an_objective_rather_than_a_little_damage() -> None:
    game = table([operator("one", mp=1), TWO], "one", "two")
    assert best(game).name == "attack"
    game.give("one", objectivecounter=objective_value(StateQueries(game.rules, game.state), game.who("one")))
    assert best(game).name == "move"
    game.give("one", hitcounter=3)  # a Move would make it HIT
    assert best(game).name == "attack"


def test_greedy_defends_with_the_card_that_leaves_the_least_damage() -> None:
    good, better = (card(f"shield-{n}", "defence", f"when attacked, self gets +{n} EP.") for n in (1, 3))
    hole = card("hole", "defence", "when attacked, self gets -1 EP.")
    game = table([ONE, TWO, good, better, hole], "one", "two", red_hand="hole shield-1 shield-3")
    about = (game.key("one"), game.key("two"))
    player = GreedyPlayer(game.rules)
    assert ask(game, player, "defence_card", None, "shield-1", "shield-3", about=about) == "shield-3"
    assert ask(game, player, "defence_card", None, "hole", about=about) is None


@pytest.mark.parametrize(("ap", "wanted"), [(4, "add"), (6, "add"), (7, "double")])
def test_greedy_doubles_only_where_ap_are_higher_then(ap: int, wanted: str) -> None:
    game = table([operator("one", ap=ap), TWO], "one", "two")
    player = GreedyPlayer(game.rules)
    ask(game, player, "action", *legal_actions(game.state, game.rules, "blue")[:1])
    assert ask(game, player, "critical", "add", "double", about=DieOption(1, "ATTACK", 6)) == wanted


@pytest.mark.parametrize(
    ("kind", "options", "wanted"),
    [
        ("strategy", (None, "note"), "note"),
        ("performance", ("draw", "item"), "item"),
        ("performance", ("draw",), "draw"),
        ("fill", (None, 1), 1),
        ("item_stays", ("keep", "discard"), "keep"),
        ("reroll", (None, DieOption(1, "ATTACK", 5)), None),
        ("reroll", (None, DieOption(1, "ATTACK", 2), DieOption(2, "ATTACK", 1)), DieOption(2, "ATTACK", 1)),
    ],
)
def test_greedy_takes_what_it_can_get(kind: str, options: tuple[object, ...], wanted: object) -> None:
    game = table([ONE, TWO], "one", "two")
    assert ask(game, GreedyPlayer(game.rules), kind, *options) == wanted


def test_greedy_beats_random() -> None:
    won = {"greedy": 0, "random": 0}
    for seed in range(6):
        made = match(seed, 7 - seed, seed)
        state = new_game(made.rules, made.blue, made.red, Random(seed))
        greedy: Side = "blue" if seed % 2 else "red"
        players: dict[Side, Player] = {
            side: built_in("greedy" if side == greedy else "random", made.rules, seed) for side in SIDES
        }
        verdict = play_game(state, made.rules, players, RandomDice(seed)).verdict
        assert verdict is not None
        if verdict.winner is not None:
            won["greedy" if verdict.winner == greedy else "random"] += 1
    assert won["greedy"] > won["random"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_players_answer_alike_with_the_same_seed(name: str) -> None:
    made = match()
    states: list[GameState] = []
    for _ in range(2):
        state = new_game(made.rules, made.blue, made.red, Random(1))
        players: dict[Side, Player] = {
            "blue": built_in(name, made.rules, 5),
            "red": built_in("random", made.rules, 6),
        }
        states.append(play_game(state, made.rules, players, RandomDice(7)).state)
    assert states[0] == states[1]


def test_random_players_differ_by_seed_and_take_every_option() -> None:
    game = of_shipped("viper", "bishop")
    answers = []
    for seed in (1, 2):
        player = RandomPlayer(seed)
        answers.append([ask(game, player, "choose", *"abcdef") for _ in range(40)])
    assert answers[0] != answers[1]
    assert set(answers[0]) == set("abcdef")


def test_a_scripted_player_answers_in_order_and_then_by_default() -> None:
    game = of_shipped("viper", "bishop")
    player = ScriptedPlayer({"either": ["second"]})
    assert ask(game, player, "either", "first", "second") == "second"
    assert ask(game, player, "either", "first", "second") == "first"
    with pytest.raises(NoAnswer, match="cannot be chosen"):
        ask(game, ScriptedPlayer({"either": ["third"]}), "either", "first", "second")
