"""Players that need nobody: random, greedy with exact expectations, scripted ones."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.games import match, squads, where_everybody_has
from tests.engine.tables import Table, card, of_shipped, operator, table
from tests.engine.test_laws import any_table
from tests.engine.values import Outcome, ScriptedDice, legal_actions, perform, replace
from tests.thoroughness import examples, some
from toolkit.data.model import Options
from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.actions import GameAction
from toolkit.engine.attack import NO_CARDS
from toolkit.engine.attack_expectation import Expectation, expect_attack
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.compiler import objective_value
from toolkit.engine.decisions import (
    Decision,
    DefaultPlayer,
    DieOption,
    NoAnswer,
    Player,
    RandomDice,
    RandomPlayer,
    ScriptedPlayer,
)
from toolkit.engine.dice_chances import sums
from toolkit.engine.game import Game
from toolkit.engine.greedy import GreedyPlayer
from toolkit.engine.log import Match, new_log, play_match
from toolkit.engine.phases import new_game, play_game
from toolkit.engine.players import built_in
from toolkit.engine.state import SIDES, GameState, Key, Side
from toolkit.engine.state_queries import StateQueries
from toolkit.vocabulary import STATS

ONE, TWO, MATE = operator("one"), operator("two"), operator("mate")


class Choosing(DefaultPlayer):
    """Doubles those critical dice whose bit in ``doubled`` is set, rerolls and sets dice as the greedy player
    does; everything else by default."""

    def __init__(self, doubled: int, rules: Rules) -> None:
        self.doubled, self.asked, self.rerolls, self.greedy = doubled, 0, 0, GreedyPlayer(rules)

    def answer(self, decision: Decision, state: GameState) -> int:
        if decision.kind in ("reroll", "set"):
            self.rerolls += decision.kind == "reroll"
            return self.greedy.answer(decision, state)
        if decision.kind != "critical":
            return 0
        self.asked += 1
        return self.doubled >> (self.asked - 1) & 1


def expectation(state: GameState, rules: Rules, attack: GameAction) -> Expectation:
    player = DefaultPlayer()
    game = Game(rules, state.copy(), {"blue": player, "red": player}, ScriptedDice(()), traced=False)
    assert attack.on is not None
    attacker, attacked = game.state.operators[attack.by], game.state.operators[attack.on]
    return expect_attack(game, attacker, attacked, NO_CARDS)


def expected_damage(state: GameState, rules: Rules, attack: GameAction) -> float:
    return expectation(state, rules, attack).damage


def by_hand(game: Table, attack: GameAction, dice: int = 2) -> float:
    """The expected damage with every die played and every choice tried, the long way."""
    total = 0.0
    for rolled in product(range(1, 7), repeat=dice):
        best = 0
        for doubled in range(4):
            chooser = Choosing(doubled, game.rules)
            players: dict[Side, Player] = dict.fromkeys(SIDES, chooser)
            source = ScriptedDice((*rolled, 6, 6, 6))
            outcome = perform(game.state, game.rules, attack, players, source, traced=False)
            assert isinstance(outcome, Outcome)
            if outcome.attack is not None:
                best = max(best, outcome.attack.damage)
            if not chooser.asked:
                break  # nothing can be doubled: all choices are one
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


STACKINGS = ("layered", "stepwise")
SKILLS = (
    ("when attacking, self rolls +1 ATTACK D6.", 3),
    ("when attacking, self makes ATTACK D6 CRITICAL on 4+.", 2),
    ("when attacking, self makes ATTACK D6 CRITICAL on 4+ and rolls +1 ATTACK D6.", 3),
    ("when attacking, self fixes AP at 9.", 2),
    ("when attacking, self multiplies AP by 3.", 2),
    ("when attacking, if the attack is CRITICAL, self gets +3 AP.", 2),
    ("while attacking, target halves DAMAGE and gets -1 DAMAGE.", 2),
    ("while attacking, self rolls +1 ATTACK D6 and keeps the highest ATTACK D6.", 3),
    ("while attacking, self rolls +1 ATTACK D6 and keeps the lowest ATTACK D6.", 3),
    ("while attacking, target rolls +1 DEFENCE D6 and keeps the highest DEFENCE D6.", 3),
    ("while attacking, self may reroll 1 ATTACK D6 <= 2.", 3),
    ("while attacking, self may reroll 1 ATTACK D6 = 1.", 3),
    ("while attacking, self may reroll 1 enemy DEFENCE D6 >= 6.", 3),
    ("while attacking, self may reroll 1 ATTACK D6.", 3),
    ("while attacking, self sets 1 ATTACK D6 to 6.", 2),
    ("while attacking, self may set 1 ATTACK D6 to 4.", 2),
    ("while attacking, self sets 1 enemy DEFENCE D6 to 3.", 2),
    ("self rolls +1 ATTACK D6. self keeps the lowest ATTACK D6 and sets 1 ATTACK D6 to 5.", 3),
    ("while attacking, target limits DAMAGE to 3 and limits DAMAGE to at least 2.", 2),
    ("while attacking, self limits AP to 7.", 2),
    ("while attacking, target limits EP to 6 and limits EP to at least 5.", 2),
    ("while attacking, if the attack is CRITICAL, self doubles AP.", 2),
    ("when an attack by self begins, self gets +2 AP until end of ATTACK.", 2),
    ("when an attack by self begins, target becomes OUT.", 2),
)
"""SKILLs, and how many dice an attack with each rolls."""


@pytest.mark.parametrize(
    ("skill", "dice", "stacking"),
    [
        (skill, dice, stacking)
        for number, (skill, dice) in enumerate(SKILLS)
        for stacking in some(STACKINGS, number % len(STACKINGS))
    ],
)
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
    chooser = Choosing(0, game.rules)
    outcome = perform(
        game.state, game.rules, attack, dict.fromkeys(SIDES, chooser), RandomDice(1), traced=False
    )
    assume(not chooser.rerolls)
    assume(isinstance(outcome, Outcome) and outcome.attack is not None and len(outcome.attack.rolls) == 2)
    assert expected_damage(game.state, game.rules, attack) == pytest.approx(by_hand(game, attack))


@pytest.mark.parametrize(("dice", "most_doubled"), [(3, 3), (4, 4), (5, 0), (6, 0)])
def test_the_expectation_of_many_dice(dice: int, most_doubled: int) -> None:
    """Of up to four ATTACK D6 each six may double AP; of more all are added, and none is left out."""
    skilled = operator("skilled", f"when attacking, self rolls +{dice - 1} ATTACK D6.")
    game = table([skilled, TWO], "skilled", "two")
    total = 0
    for rolled in product(range(1, 7), repeat=dice):
        sixes = min(rolled.count(6), most_doubled)
        ap = max(4 * 2**doubled + sum(rolled) - 6 * doubled for doubled in range(sixes + 1))
        total += sum(max(0, ap - 3 - defence) for defence in range(1, 7))
    attack = attack_of(game, "skilled", "two")
    assert expected_damage(game.state, game.rules, attack) == pytest.approx(total / 6 ** (dice + 1))


@pytest.mark.parametrize("hitcounter", [0, 3, 5])
def test_the_chance_of_hit_counts_what_is_on_the_hitcounter(hitcounter: int) -> None:
    game = table([ONE, TWO], "one", "two").give("two", hitcounter=hitcounter)
    damages = [max(4 + a, 8 if a == 6 else 0) - 3 - d for a in range(1, 7) for d in range(1, 7)]
    falls = sum(damage >= 6 - hitcounter for damage in damages)
    attack = attack_of(game, "one", "two")
    assert expectation(game.state, game.rules, attack).hit == pytest.approx(falls / 36)


def test_an_attack_that_always_misses_makes_nobody_hit_however_low_its_dp() -> None:
    weak, brittle = operator("weak", ap=4), operator("brittle", "self gets -9 DP.", ep=9)
    game = table([weak, brittle], "weak", "brittle")
    attack = attack_of(game, "weak", "brittle")
    assert expectation(game.state, game.rules, attack) == Expectation(0.0, 0.0)


def ask(
    game: Table,
    player: Player,
    kind: str,
    *options: object,
    about: object = None,
    source: Origin | None = None,
    attack: tuple[Key, Key] | None = None,
) -> object:
    decision = Decision(kind, "blue", options, "?", source, about, attack=attack)
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
    attack = (game.key("one"), game.key("two"))
    assert ask(game, player, "attack_card", None, "plus-1", "plus-3", "bad", attack=attack) == "plus-3"
    assert ask(game, player, "attack_card", None, "bad", attack=attack) is None
    assert ask(game, player, "late_attack_card", None, "plus-1", "plus-3", attack=attack) == "plus-3"


def test_greedy_keeps_a_card_that_changes_nothing_and_of_two_alike_takes_the_first() -> None:
    idle = card("idle", "attack", "when attacking, self gets +3 DP.")
    twins = [card(name, "attack", "when attacking, self gets +1 AP.") for name in ("left", "right")]
    game = table([ONE, TWO, idle, *twins], "one", "two", blue_hand="idle left right")
    player, attack = GreedyPlayer(game.rules), (game.key("one"), game.key("two"))
    assert ask(game, player, "attack_card", None, "idle", attack=attack) is None
    assert ask(game, player, "attack_card", None, "left", "right", attack=attack) == "left"
    assert ask(game, player, "attack_card", None, "right", "left", attack=attack) == "right"


def test_greedy_takes_the_card_that_makes_hit_rather_than_one_more_damage() -> None:
    harder = card("harder", "attack", "when attacking, self gets +1 AP.")
    deeper = card("deeper", "attack", "when attacking, target gets -5 DP.")
    game = table([ONE, TWO, harder, deeper], "one", "two", blue_hand="harder deeper")
    player, attack = GreedyPlayer(game.rules), (game.key("one"), game.key("two"))
    assert ask(game, player, "attack_card", None, "harder", "deeper", attack=attack) == "deeper"


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


def test_greedy_orders_actions_that_gain_nothing() -> None:
    game = table([ONE, MATE, operator("third"), TWO], "one mate third", "two")
    game.give("mate", hitcounter=1).give("third", hitcounter=4)
    one = game.key("one")
    actions = [
        GameAction("reload", one),
        GameAction("medic", one, game.key("third")),
        GameAction("medic", one, game.key("mate")),
        GameAction("evade", one),
        GameAction("move", one, swap=game.key("mate")),
    ]
    for first in range(len(actions)):
        options = actions[first:]
        for shown in (options, options[::-1]):
            assert ask(game, GreedyPlayer(game.rules), "action", *shown) == options[0]


def test_greedy_takes_the_first_of_actions_that_are_alike() -> None:
    game = table([ONE, MATE, TWO], "one mate", "two")
    by_one, by_mate = attack_of(game, "one", "two"), attack_of(game, "mate", "two")
    assert ask(game, GreedyPlayer(game.rules), "action", by_one, by_mate) == by_one
    assert ask(game, GreedyPlayer(game.rules), "action", by_mate, by_one) == by_mate


def test_greedy_attacks_in_vain_rather_than_become_hit_by_a_move() -> None:
    weak = operator("weak", ap=0)
    wall = operator("wall", ep=20)
    game = table([weak, wall], "weak", "wall").give("weak", hitcounter=3)
    move, attack = GameAction("move", game.key("weak")), attack_of(game, "weak", "wall")
    assert ask(game, GreedyPlayer(game.rules), "action", move, attack) == attack
    game.give("weak", hitcounter=2)
    assert ask(game, GreedyPlayer(game.rules), "action", attack, move) == move


def test_greedy_moves_an_unhurt_operator_whose_dp_become_nothing() -> None:
    game = table([operator("brittle", dp=3), TWO], "brittle", "two")
    move, evade = GameAction("move", game.key("brittle")), GameAction("evade", game.key("brittle"))
    assert ask(game, GreedyPlayer(game.rules), "action", evade, move) == move


def test_greedy_advances_even_where_there_is_no_objective() -> None:
    game = table([ONE, MATE, TWO], "one mate", "two")
    game.state.blue.objectives = (None, None, None, None)
    one = game.key("one")
    advance, swap = GameAction("move", one), GameAction("move", one, swap=game.key("mate"))
    assert ask(game, GreedyPlayer(game.rules), "action", swap, advance) == advance


def test_greedy_attacks_whom_an_attack_makes_hit() -> None:
    soft, hurt = operator("soft", ep=2), operator("hurt", ep=4)
    game = table([ONE, soft, hurt], "one", "soft hurt").give("hurt", hitcounter=5)
    by_soft, by_hurt = attack_of(game, "one", "soft"), attack_of(game, "one", "hurt")
    expected = {attack: expectation(game.state, game.rules, attack) for attack in (by_soft, by_hurt)}
    assert expected[by_soft].damage + expected[by_soft].hit > expected[by_hurt].damage + expected[by_hurt].hit
    assert ask(game, GreedyPlayer(game.rules), "action", by_soft, by_hurt) == by_hurt


def test_greedy_knows_what_an_attack_begins_with() -> None:
    """E-21, E-22: the one who takes no DAMAGE is left alone, and nothing is left of what was tried."""
    armoured = operator(
        "armoured", "when an attack on self begins, self fixes DAMAGE at 0 until end of ATTACK."
    )
    guard = operator(
        "guard", "when an attack on another own OPERATOR begins, self becomes the target.", ep=20
    )
    game = table([ONE, TWO, armoured, guard], "one", "armoured two")
    on_armoured, on_two = attack_of(game, "one", "armoured"), attack_of(game, "one", "two")
    before = game.state.copy()
    assert ask(game, GreedyPlayer(game.rules), "action", on_armoured, on_two) == on_two
    guarded = table([ONE, TWO, guard], "one", "two guard")
    on_two, on_guard = attack_of(guarded, "one", "two"), attack_of(guarded, "one", "guard")
    by_two, by_guard = (expectation(guarded.state, guarded.rules, attack) for attack in (on_two, on_guard))
    assert by_two == by_guard
    assert game.state == before


@pytest.mark.parametrize(
    ("begins", "acts"),
    [
        ("owner may draw 1 card.", False),
        ("owner may draw 1 card, if so, self fixes DAMAGE at 0 until end of ATTACK.", False),
        ("owner may draw 1 card, if not, self fixes DAMAGE at 0 until end of ATTACK.", True),
        ("owner may draw 1 card. self fixes DAMAGE at 0 until end of ATTACK.", True),
    ],
)
def test_greedy_foresees_what_comes_of_an_attack_where_nobody_agrees_to_anything(
    begins: str, acts: bool
) -> None:
    text = begins.replace(". self", ". when an attack on self begins, self")
    armoured = operator("armoured", f"when an attack on self begins, {text}")
    note = card("note", "effect", "when played, owner draws 1 card.")
    game = table([ONE, armoured, TWO, note], "one", "armoured two", red_deck="note")
    attacks = [attack_of(game, "one", "armoured"), attack_of(game, "one", "two")]
    on_armoured, on_two = GreedyPlayer(game.rules).merits(attacks, game.state)
    assert on_two > (0.0, 0.0)
    assert on_armoured == ((0.0, 0.0) if acts else on_two)


def test_greedy_attacks_whom_is_furthest_on_its_way_to_an_objective() -> None:
    game = table([operator("one", ap=9), MATE, TWO], "one", "mate two").give("two", objectivecounter=1)
    on_mate, on_two = attack_of(game, "one", "mate"), attack_of(game, "one", "two")
    assert ask(game, GreedyPlayer(game.rules), "action", on_mate, on_two) == on_two


def test_greedy_moves_who_arrives_and_of_those_the_fastest() -> None:
    near, far = operator("near", mp=1), operator("far", mp=2)
    game = table([near, far, TWO], "near ~ far", "two").give("near", objectivecounter=3)
    moves = [GameAction("move", game.key(name)) for name in ("far", "near")]
    assert ask(game, GreedyPlayer(game.rules), "action", *moves) == moves[1]
    game.give("far", objectivecounter=3)
    assert ask(game, GreedyPlayer(game.rules), "action", *moves[::-1]) == moves[0]


@pytest.mark.parametrize(
    ("mp", "objectivecounter", "name"),
    # 4 to go: the way is worth 3 with 2 MP, 6 with 4 MP or more, the OBJECTIVE itself 12, the attack 8
    [(2, 0, "attack"), (4, 0, "attack"), (8, 0, "attack"), (8, 3, "attack"), (1, 4, "move")],
)
def test_greedy_weighs_the_way_to_an_objective_against_damage(
    mp: int, objectivecounter: int, name: str
) -> None:
    wall = operator("wall", dp=20)
    game = table([operator("one", ap=9, mp=mp), wall], "one", "wall")
    game.give("one", objectivecounter=objectivecounter)
    attack, move = attack_of(game, "one", "wall"), GameAction("move", game.key("one"))
    expected = expectation(game.state, game.rules, attack)
    assert 6 < expected.damage + 4 * expected.hit < 12
    assert ask(game, GreedyPlayer(game.rules), "action", attack, move).name == name  # type: ignore[attr-defined]


def test_greedy_defends_with_the_card_that_leaves_the_least_damage() -> None:
    good, better = (card(f"shield-{n}", "defence", f"when attacked, self gets +{n} EP.") for n in (1, 3))
    hole = card("hole", "defence", "when attacked, self gets -1 EP.")
    game = table([ONE, TWO, good, better, hole], "one", "two", red_hand="hole shield-1 shield-3")
    attack = (game.key("one"), game.key("two"))
    player = GreedyPlayer(game.rules)
    assert ask(game, player, "defence_card", None, "shield-1", "shield-3", attack=attack) == "shield-3"
    assert ask(game, player, "defence_card", None, "hole", attack=attack) is None


@pytest.mark.parametrize(("ap", "wanted"), [(4, "add"), (6, "add"), (7, "double")])
def test_greedy_doubles_only_where_ap_are_higher_then(ap: int, wanted: str) -> None:
    game = table([operator("one", ap=ap), TWO], "one", "two")
    die, attack = DieOption(1, "ATTACK", 6), (game.key("one"), game.key("two"))
    assert (
        ask(game, GreedyPlayer(game.rules), "critical", "add", "double", about=die, attack=attack) == wanted
    )


@pytest.mark.parametrize(
    ("kind", "options", "wanted"),
    [
        ("strategy", (None, "note"), "note"),
        ("performance", ("draw", "item"), "item"),
        ("performance", ("draw",), "draw"),
        ("fill", (None, 1), 1),
        ("may", ("no", "yes"), "yes"),
        ("item_stays", ("keep", "discard"), "keep"),
        ("reroll", (None, DieOption(1, "ATTACK", 5)), None),
        ("reroll", (None, DieOption(1, "ATTACK", 3)), None),
        ("reroll", (None, DieOption(1, "ATTACK", 2)), DieOption(1, "ATTACK", 2)),
        ("reroll", (None, DieOption(1, "ATTACK", 2), DieOption(2, "ATTACK", 1)), DieOption(2, "ATTACK", 1)),
    ],
)
def test_greedy_takes_what_it_can_get(kind: str, options: tuple[object, ...], wanted: object) -> None:
    game = table([ONE, TWO], "one", "two")
    assert ask(game, GreedyPlayer(game.rules), kind, *options) == wanted


@pytest.mark.parametrize(
    ("results", "rerolled"), [((1, 4), None), ((5, 1), 5), ((5, 6), 6), ((6, 5), 6), ((4, 2), None)]
)
def test_greedy_lets_the_enemy_reroll_its_best_die(results: tuple[int, ...], rerolled: int | None) -> None:
    game = table([ONE, TWO], "one", "two")
    words = "when attacked, self may reroll 1 enemy ATTACK D6."
    source = Origin("two", "skill 1", "skill", 1, words)
    dice = [DieOption(number, "ATTACK", result) for number, result in enumerate(results, 1)]
    chosen = ask(game, GreedyPlayer(game.rules), "reroll", None, *dice, source=source)
    assert (chosen.result if isinstance(chosen, DieOption) else None) == rerolled


@pytest.mark.parametrize(("rolled", "result"), [((1, 6), 6), ((1, 2, 5), 5)])
def test_greedy_keeps_its_good_dice_under_an_effect_that_names_an_enemy(
    rolled: tuple[int, ...], result: int
) -> None:
    guarded = operator("two", "while an enemy OPERATOR attacks, attacked may reroll 1 DEFENCE D6.")
    game = table([ONE, guarded], "one", "two")
    players: dict[Side, Player] = {"blue": DefaultPlayer(), "red": GreedyPlayer(game.rules)}
    attack = attack_of(game, "one", "two")
    outcome = perform(game.state, game.rules, attack, players, ScriptedDice(rolled), traced=False)
    assert isinstance(outcome, Outcome)
    assert outcome.attack is not None
    assert [roll.result for roll in outcome.attack.rolls] == [1, result]


def test_greedy_weighs_doubling_against_whom_the_attack_is_on_by_now() -> None:
    """M-7, E-22: a 6 doubles AP of 9 against the guard, but would be added to AP of 2 against the wall."""
    guard = operator("guard", "when an attack on another own OPERATOR begins, self becomes the target.")
    climber = operator("climber", "when attacking, if EP VALUE of target >= 20, self fixes AP at 2.", ap=9)
    game = table([climber, guard, operator("wall", ep=20)], "climber", "wall guard")
    players: dict[Side, Player] = {"blue": GreedyPlayer(game.rules), "red": DefaultPlayer()}
    attack = attack_of(game, "climber", "wall")
    outcome = perform(game.state, game.rules, attack, players, ScriptedDice((6, 1)), traced=False)
    assert isinstance(outcome, Outcome)
    assert outcome.attack is not None
    assert (outcome.attack.attacked, outcome.attack.ap) == (game.key("guard"), 18)


class Checked(GreedyPlayer):
    """Compares each answer, and all that it has kept, with those of a player who has never seen the GAME."""

    def answer(self, decision: Decision, state: GameState) -> int:
        index = super().answer(decision, state)
        assert index == GreedyPlayer(self.rules).answer(decision, state), decision
        assert _known(self._trial(state)) == _known(StateQueries(self.rules, state))
        return index


def _known(resolver: StateQueries) -> list[object]:
    """RANGE, team mates, KEYWORDs, traits and numbers of all OPERATORs on the FIELD."""
    on_field = [operator for side in SIDES for operator in resolver.active(side)]
    return [
        (
            *(resolver.range_of(operator), resolver.has_team_mate(operator)),
            *(resolver.keywords_of(operator), resolver.traits_of(operator)),
            *(resolver.number(operator, stat) for stat in STATS),
        )
        for operator in on_field
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "when an attack on self begins, self gets +1 EP until end of ATTACK.",
        "when an attack on another own OPERATOR in RANGE begins, self may become the target.",
        'if HITCOUNTER of self >= 1, self gains trait "x". if self has trait "x", self gets +1 RANGE. '
        "self gets +1 AP for each enemy OPERATOR in RANGE.",
        'all own OPERATORs in RANGE gain trait "x". if self has trait "x", self gets +1 RANGE and -1 EP.',
        "if HITCOUNTER of self >= 1, self gets +1 RANGE. all enemy OPERATORs in RANGE get -1 EP.",
    ],
)
def test_greedy_answers_as_one_who_has_kept_nothing(sentence: str) -> None:
    made = where_everybody_has(sentence) if sentence else match(2).rules
    made = replace(made, mode=replace(made.mode, max_rounds=4))
    state = new_game(made, squads()[0], squads()[2], Random(3))
    play_game(state, made, {side: Checked(made) for side in SIDES}, RandomDice(3))


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


@pytest.mark.parametrize("name", ["random", "greedy"])
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


@pytest.mark.parametrize("wins", ["wins", "loses"])
def test_the_greedy_player_foresees_that_the_game_ends_when_an_attack_begins(wins: str) -> None:
    """E-21, E-31: whoever wins by it attacks, and to weigh it ends no GAME."""
    made = where_everybody_has(f"when an attack by self begins, if ROUND >= 1, owner {wins} the GAME.")
    played = Match(made, squads()[0], squads()[2], 1)
    players: dict[Side, Player] = {side: GreedyPlayer(made) for side in SIDES}
    ending = play_match(played, players, new_log(played, {"blue": "greedy", "red": "greedy"}))
    assert ending.stopped == ""
    assert ending.verdict is not None
    assert (ending.verdict.winner, ending.verdict.by) == ("blue", "effect") or wins == "loses"


@pytest.mark.parametrize(("dice", "average"), [(1, 25 / 6), (10, 250 / 6), (40, 140)])
def test_many_dice_with_many_rerolls_have_an_expectation(dice: int, average: float) -> None:
    """A 1 and a 2 are rerolled, 3 to 6 are kept; dice without end are added as they are rolled."""
    least, chances = sums(dice, (tree.MayReroll(12, "ATTACK"),))
    assert sum(chances) == pytest.approx(1)
    assert sum(chance * points for points, chance in enumerate(chances, least)) == pytest.approx(average)
