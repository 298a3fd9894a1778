"""T-1 to T-5, N-6, K-3 and §8: whole TURNs and GAMEs, setup and victory, and the laws of random games."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.games import cards_of, check_state, match, squads
from tests.engine.tables import Table, card, operator, project, rules, shipped, table
from tests.engine.values import Outcome, ScriptedDice, legal_actions, perform, replace, with_player
from tests.thoroughness import examples
from toolkit.data.model import Mode
from toolkit.engine.actions import GameAction
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Decision, Player, RandomDice, RandomPlayer, shuffled
from toolkit.engine.game import Game
from toolkit.engine.outcomes import Refusal
from toolkit.engine.phases import (
    GameStep,
    Verdict,
    by_objectives,
    by_operators,
    new_game,
    play_game,
    play_turn,
    tie_break,
)
from toolkit.engine.state import SIDES, GameState, Side
from toolkit.engine.state_queries import StateQueries

ONE, TWO, MATE, ELSE = operator("one"), operator("two"), operator("mate"), operator("else")
NOTE = card("note", "effect", "when played, owner draws 1 card.")
PLAN = card("plan", "strategy", "all own OPERATORs get +1 AP.")
CARDS = [ONE, TWO, MATE, ELSE, NOTE, PLAN]


@dataclass
class Notes:
    """A player who takes the first option whose words he knows, else the first, and keeps every question."""

    wants: tuple[str, ...] = ()
    asked: list[tuple[str, str]] = field(default_factory=list)
    offered: list[tuple[object, ...]] = field(default_factory=list)

    def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002
        self.asked.append((decision.kind, decision.whose))
        self.offered.append(decision.options)
        for index, option in enumerate(decision.options):
            name = option.name if isinstance(option, GameAction) else option
            if name in self.wants:
                return index
        return 0


@dataclass
class Seen:
    """A observer who keeps everything."""

    steps: list[GameStep] = field(default_factory=list)

    def observe(self, step: GameStep) -> None:
        self.steps.append(step)


def turn_of(game: Table, player: Player, dice: tuple[int, ...] = ()) -> tuple[Verdict | None, Seen]:
    """One TURN on a table."""
    seen = Seen()
    going_on = Game(game.rules, game.state, {"blue": player, "red": player}, ScriptedDice(dice))
    verdict = play_turn(going_on, seen)
    return verdict, seen


def plain(**keys: object) -> Rules:
    """Rules of a test's own mode: `plain` with other values."""
    made = rules(project("cards:\n" + "".join(CARDS)), "plain")
    return replace(made, mode=replace(made.mode, **keys))


# T-2


def test_t2_first_the_turns_player_then_the_opponent() -> None:
    game = table(CARDS, "one", "two", blue_hand="note", red_hand="note")
    player = Notes(wants=("evade",))
    turn_of(game, player)
    assert [ask for ask in player.asked if ask[0] == "strategy"] == [
        ("strategy", "blue"),
        ("strategy", "red"),
    ]


def test_t2_if_the_opponent_played_one_the_turns_player_once_more() -> None:
    game = table(CARDS, "one", "two", blue_hand="note", red_hand="note plan")
    player = Notes(wants=("evade", "plan"))
    turn_of(game, player)
    asked = [whose for kind, whose in player.asked if kind == "strategy"]
    assert asked == ["blue", "red", "red", "blue"]
    assert game.state.red.strategies == ("plan",)


def test_t2_any_number_of_cards_and_only_strategy_and_effect_cards() -> None:
    shot = card("shot", "attack", "when attacking, self gets +2 AP.")
    game = table([*CARDS, shot], "one", "two", blue_hand="note shot plan note")
    player = Notes(wants=("evade", "note", "plan"))
    turn_of(game, player)
    offered = [
        options for options, ask in zip(player.offered, player.asked, strict=True) if ask[0] == "strategy"
    ]
    assert offered == [(None, "note", "plan"), (None, "plan", "note"), (None, "note")]
    assert game.state.blue.hand == ("shot",)


def test_t2_strategy_cards_are_played_before_combat_only() -> None:
    game = table(CARDS, "one", "two", blue_hand="note", red_hand="note")
    player = Notes(wants=("evade",))
    _, seen = turn_of(game, player)
    assert [step.phase for step in seen.steps] == [
        "PREPARATION",
        "COMBAT",
        "COMBAT",
        "SUPPORT",
    ]


# T-3, T-5


def test_t3_the_players_alternate_and_who_can_no_longer_act_passes() -> None:
    game = table(CARDS, "one mate else", "two")
    _, seen = turn_of(game, Notes(wants=("evade",)))
    acted = [(one.side, one.what.by) for one in seen.steps if isinstance(one.what, GameAction)]
    assert acted == [("blue", 0), ("red", 3), ("blue", 1), ("blue", 2)]


def test_t3_the_turns_player_begins() -> None:
    game = table(CARDS, "one", "two mate")
    game.state = replace(game.state, turn="red")
    _, seen = turn_of(game, Notes(wants=("evade",)))
    assert [one.side for one in seen.steps if one.what] == ["red", "blue", "red"]


def test_t3_nobody_may_pass_while_an_operator_can_act() -> None:
    game = table(CARDS, "one", "two")
    player = Notes(wants=("evade",))
    turn_of(game, player)
    for (kind, _), options in zip(player.asked, player.offered, strict=True):
        assert kind != "action" or None not in options


def test_t3_every_operator_acts_once_and_is_exhausted_then() -> None:
    game = table(CARDS, "one mate", "two")
    _, seen = turn_of(game, Notes(wants=("evade",)))
    last = [one for one in seen.steps if one.phase == "COMBAT"][-1].state
    assert {who.status for who in last.operators} == {"EXHAUSTED"}
    assert {who.status for who in game.state.operators} == {"NORMAL"}  # T-4


def test_t3_hit_and_out_operators_do_not_act() -> None:
    game = table(CARDS, "one mate", "two").give("mate", status="HIT").give("one", status="OUT")
    _, seen = turn_of(game, Notes(wants=("evade",)))
    assert [one.side for one in seen.steps if one.what] == ["red"]


@pytest.mark.parametrize(("takes", "acts"), [(True, 3), (False, 2)])
def test_t5_a_bonus_action_of_an_exhausted_operator_may_be_left_out(takes: bool, acts: int) -> None:
    gift = card("gift", "effect", "when played, one own OPERATOR gains BONUS (RELOAD).")
    game = table([*CARDS, gift], "one", "two", blue_hand="gift")
    player = Notes(wants=("evade", "gift", "reload") if takes else ("evade", "gift"))
    _, seen = turn_of(game, player)
    assert sum(isinstance(one.what, GameAction) for one in seen.steps) == acts
    bonus = [o for a, o in zip(player.asked, player.offered, strict=True) if a[0] == "action" and None in o]
    assert len(bonus) >= 1
    assert all(option is None or option.name == "reload" for option in bonus[0])  # type: ignore[attr-defined]


def test_operators_who_become_normal_again_and_again_end_their_turn_at_a_bound() -> None:
    restless = operator("restless", "when the ACTION of self ends, self becomes NORMAL.")
    game = table([*CARDS, restless], "restless", "two")
    verdict, seen = turn_of(game, Notes(wants=("evade",)))
    assert verdict is None
    assert sum(one.what is not None for one in seen.steps) == 200
    assert any("200" in entry.text for one in seen.steps for entry in one.outcome.trace)


def test_a_chain_without_end_is_told_once_and_the_game_goes_on() -> None:
    loop = card(
        "loop",
        "strategy",
        "when an own OPERATOR becomes HIT, if ROUND >= 1, all own OPERATORs that are HIT become NORMAL, "
        "then all own OPERATORs get +9 HITCOUNTER.",
    )
    bomb = card("bomb", "effect", "when played, all own OPERATORs get +9 HITCOUNTER.")
    game = table([*CARDS, loop, bomb], "one", "two", blue_strategies="loop", blue_hand="bomb")
    made = replace(game.rules, mode=replace(game.rules.mode, max_rounds=2))
    seen = Seen()
    players: dict[Side, Player] = {side: Notes(("evade", "bomb")) for side in SIDES}
    ending = play_game(game.state, made, players, ScriptedDice(()), seen)
    assert ending.verdict is not None
    assert ending.chain is not None
    told = [one.what for one in seen.steps if one.outcome.chain is not None]
    assert told == ["bomb"]


# setup


def test_the_first_operators_stand_on_the_field_and_the_others_in_the_savezone() -> None:
    made = match(0, 2)
    state = new_game(made.rules, made.blue, made.red, Random(1))
    assert [who.card for who in state.on_field("blue")] == list(made.blue.operators[:4])
    assert [state.operators[key].card for key in state.red.save_zone] == list(made.red.operators[4:])
    assert [who.position for who in state.operators[:7]] == [0, 1, 2, 3, None, None, None]
    assert (state.turn, state.round) == ("blue", 1)


def test_decks_are_shuffled_and_the_starting_hand_is_drawn() -> None:
    made = match(0, 2)
    state = new_game(made.rules, made.blue, made.red, Random(1))
    mode: Mode = made.rules.mode
    for side, squad in (("blue", made.blue), ("red", made.red)):
        player = state.player(side)
        assert len(player.hand) == mode.starting_hand
        assert Counter((*player.hand, *player.deck)) == Counter(squad.deck)
        assert Counter(player.item_deck) == Counter(squad.item_deck)
        assert player.objectives == made.rules.objectives
    in_order = [name for name, number in made.blue.deck.items() for _ in range(number)]
    assert [*state.blue.hand, *state.blue.deck] != in_order


def test_the_same_chance_shuffles_alike_and_another_does_not() -> None:
    cards = [f"card-{number}" for number in range(15)] * 2
    assert shuffled(cards, Random(1).random) == shuffled(cards, Random(1).random)
    assert shuffled(cards, Random(1).random) != shuffled(cards, Random(2).random)


def test_every_place_of_a_deck_is_as_likely() -> None:
    chance = Random(5)
    firsts = Counter(shuffled("abc", chance.random) for _ in range(3000))
    assert len(firsts) == 6
    assert all(380 < number < 620 for number in firsts.values())


# victory


def with_captured(game: Table, blue: int, red: int) -> GameState:
    state = with_player(game.state, "blue", captured=("hill",) * blue)
    return with_player(state, "red", captured=("hill",) * red)


@pytest.mark.parametrize(
    ("blue", "red", "winner"), [(1, 1, None), (2, 1, "blue"), (1, 2, "red"), (3, 2, "blue"), (2, 3, "red")]
)
def test_objectives_captured_wins(blue: int, red: int, winner: str | None) -> None:
    game = Table(plain(), "one", "two")
    verdict = by_objectives(StateQueries(game.rules, with_captured(game, blue, red)))
    assert (verdict.winner if verdict else None) == winner


def test_objectives_captured_by_both_alike_win_for_the_turns_player() -> None:
    game = Table(plain(), "one", "two")
    state = with_captured(game, 2, 2)
    for turn in SIDES:
        verdict = by_objectives(StateQueries(game.rules, replace(state, turn=turn)))
        assert verdict is not None
        assert verdict.winner == turn


def test_a_mode_without_that_victory_goes_on() -> None:
    game = Table(plain(victory_objectives_captured=None), "one", "two")
    assert by_objectives(StateQueries(game.rules, with_captured(game, 4, 0))) is None


def test_the_game_ends_with_the_action_that_captures() -> None:
    game = Table(plain(victory_objectives_captured=1), "one mate", "two")
    game.give("one", objectivecounter=4)
    verdict, seen = turn_of(game, Notes(wants=("move",)))
    assert verdict is not None
    assert (verdict.winner, verdict.by) == ("blue", "objectives_captured")
    assert [one.phase for one in seen.steps] == ["PREPARATION", "COMBAT"]


def test_who_can_put_nobody_on_the_field_after_support_loses() -> None:
    game = Table(plain(), "one", "two").give("two", status="HIT")
    verdict, _ = turn_of(game, Notes(wants=("evade",)))
    assert verdict is not None
    assert (verdict.winner, verdict.by) == ("blue", "operators_out_or_hit")


def test_a_mode_may_go_on_without_operators() -> None:
    game = Table(plain(victory_operators_out_or_hit=False), "one", "two").give("two", status="HIT")
    assert turn_of(game, Notes(wants=("evade",)))[0] is None


def test_if_neither_has_anybody_the_tie_break_decides() -> None:
    game = Table(plain(), "one", "two").give("two", status="HIT").give("one", status="HIT")
    assert by_operators(StateQueries(game.rules, game.state)) == Verdict(
        None, "draw", "neither player is ahead"
    )
    verdict = by_operators(StateQueries(game.rules, with_captured(game, 0, 1)))
    assert verdict is not None
    assert verdict.winner == "red"


def test_the_tie_break_compares_in_its_order() -> None:
    game = Table(plain(), "one mate", "two")
    assert tie_break(StateQueries(game.rules, game.state)).by == "operators_on_field"
    assert tie_break(StateQueries(game.rules, game.state)).winner == "blue"
    assert tie_break(StateQueries(game.rules, with_captured(game, 0, 1))).winner == "red"
    turned = plain(tie_break=("operators_on_field", "objectives_captured"))
    assert tie_break(StateQueries(turned, with_captured(game, 0, 1))).winner == "blue"


def test_the_last_round_ends_the_game_after_the_second_turn() -> None:
    game = Table(plain(max_rounds=2), "one mate", "two")
    players: dict[Side, Player] = {side: Notes(wants=("evade",)) for side in SIDES}
    ending = play_game(game.state, game.rules, players, ScriptedDice(()))
    assert ending.verdict is not None
    assert ending.verdict.by == "operators_on_field"
    assert (ending.state.round, ending.state.turn) == (2, "red")


def test_a_game_whose_dice_run_out_stops_with_a_sentence() -> None:
    game = table(CARDS, "one", "two")
    players: dict[Side, Player] = {side: Notes(wants=("attack",)) for side in SIDES}
    ending = play_game(game.state, game.rules, players, ScriptedDice((1, 1)))
    assert ending.verdict is None
    assert "no die left" in ending.stopped


def test_an_answer_that_is_no_option_stops_the_game() -> None:
    class Wild(Notes):
        def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002
            return len(decision.options)

    game = table(CARDS, "one", "two")
    ending = play_game(game.state, game.rules, {"blue": Wild(), "red": Wild()}, ScriptedDice(()))
    assert ending.verdict is None
    assert "no answer" in ending.stopped


# Laws


@dataclass
class Checking:
    """Checks every state that it sees; ``cards`` are those of the beginning."""

    cards: list[str]
    seen: int = 0

    def observe(self, step: GameStep) -> None:
        self.seen += 1
        check_state(step.state)
        assert cards_of(step.state) == self.cards


MODES = st.sampled_from(["skirmish", "night-raid"])
NUMBER = st.integers(0, 7)


@examples(25)
@given(NUMBER, NUMBER, MODES, st.integers(0, 2**32))
def test_random_games_end_and_nothing_is_lost(blue: int, red: int, mode: str, seed: int) -> None:
    made = match(blue, red, seed, mode)
    state = new_game(made.rules, made.blue, made.red, Random(seed))
    observer = Checking(cards_of(state))
    players: dict[Side, Player] = {side: RandomPlayer(f"{seed} {side}") for side in SIDES}
    ending = play_game(state, made.rules, players, RandomDice(seed), observer)
    assert ending.verdict is not None
    assert ending.chain is None
    assert ending.state.round <= made.rules.mode.max_rounds
    assert observer.seen > 10
    check_state(ending.state)


@examples(10)
@given(st.data(), st.integers(0, 2**32))
def test_random_squads_of_any_cards_play_to_an_end(data: st.DataObject, seed: int) -> None:
    cards = shipped().cards.cards.values()
    chance = Random(seed)
    operators = [one.id for one in cards if one.kind == "operator"]
    decks = [one.id for one in cards if one.kind in ("attack", "defence", "effect", "strategy")]
    items = [one.id for one in cards if one.kind == "item"]
    made = match(0, 1, seed, data.draw(MODES))
    blue, red = (
        replace(
            squad,
            operators=tuple(chance.sample(operators, 7)),
            deck=dict.fromkeys(chance.sample(decks, 10), 2),
            item_deck=dict.fromkeys(chance.sample(items, 3), 1),
        )
        for squad in squads()[:2]
    )
    state = new_game(made.rules, blue, red, chance)
    observer = Checking(cards_of(state))
    players: dict[Side, Player] = {side: RandomPlayer(f"{seed} {side}") for side in SIDES}
    assert play_game(state, made.rules, players, RandomDice(seed), observer).verdict is not None


@examples(15)
@given(NUMBER, NUMBER, st.integers(0, 2**32))
def test_watching_changes_nothing(blue: int, red: int, seed: int) -> None:
    made = match(blue, red, seed)
    endings = []
    for observer in (None, Seen()):
        state = new_game(made.rules, made.blue, made.red, Random(seed))
        players: dict[Side, Player] = {side: RandomPlayer(f"{seed} {side}") for side in SIDES}
        endings.append(play_game(state, made.rules, players, RandomDice(seed), observer))
    assert endings[0] == endings[1]


@examples(25)
@given(NUMBER, NUMBER, st.integers(0, 2**32), st.data())
def test_a_refused_action_leaves_the_state_equal(blue: int, red: int, seed: int, data: st.DataObject) -> None:
    made = match(blue, red, seed)
    state = new_game(made.rules, made.blue, made.red, Random(seed))
    keys = st.integers(0, len(state.operators) - 1)
    name = data.draw(st.sampled_from(["attack", "move", "medic", "evade", "reload"]))
    action = GameAction(name, data.draw(keys), data.draw(st.none() | keys), data.draw(st.none() | keys))
    before = deepcopy(state)
    players: dict[Side, Player] = {side: RandomPlayer(seed) for side in SIDES}
    result = perform(state, made.rules, action, players, RandomDice(seed))
    assert state == before
    bare = replace(action, on=None) if action.name not in ("attack", "medic") else action
    offered = legal_actions(state, made.rules, state.operators[action.by].side)
    if isinstance(result, Refusal):
        assert action not in offered
    else:
        assert isinstance(result, Outcome)
        assert bare in offered or action.swap is not None
