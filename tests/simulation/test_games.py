"""Which games a simulation plays, and what is counted in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.simulation.short_games import PAIR, plan, played, setup, workspace
from tests.thoroughness import examples
from toolkit.engine.log import new_log, play_match
from toolkit.engine.players import built_in
from toolkit.engine.state import Side
from toolkit.play.playable_game import PlayRequest, Unplayable, make_match
from toolkit.play.simulation.games import (
    DRAWN,
    Chunk,
    Counts,
    OtherCards,
    game_seed,
    play_chunk,
    play_one,
    score_of,
    table_of,
)
from toolkit.play.simulation.simulating import SimulationRequest, Tally, plan_of
from toolkit.vocabulary import ACTIONS


@examples(40)
@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 30))
def test_games_are_counted_alike_however_they_are_cut(total: int, cut: int, first: int) -> None:
    cut = min(cut, total)
    whole = play_chunk(setup(), Chunk(PAIR, first, total))
    parts = [play_chunk(setup(), Chunk(PAIR, *part)) for part in ((first, cut), (first + cut, total - cut))]
    assert parts[0] + parts[1] == whole
    assert whole.games == 2 * total
    assert sum(whole.rounds.values()) == sum(whole.endings.values()) == whole.games


def test_a_pair_is_the_same_in_either_order_with_every_result_turned_round() -> None:
    count = 10
    one_way = play_chunk(setup(), Chunk(PAIR, 0, count))
    other_way = play_chunk(setup(), Chunk((PAIR[1], PAIR[0]), 0, count))
    assert one_way.score == one_way.games - other_way.score
    assert replace(one_way, outcomes="") == replace(other_way, outcomes="")


def test_games_of_one_number_have_the_same_seed_and_changed_sides() -> None:
    """Each is the game that ``opforge play`` plays with this seed."""
    players = "random"
    for number in range(4):
        seed = game_seed(7, PAIR, number)
        for changes_sides, (blue, red) in ((False, PAIR), (True, PAIR[::-1])):
            match = make_match(workspace(), PlayRequest((blue, red)), seed)
            assert not isinstance(match, Unplayable)
            sides: tuple[Side, Side] = ("blue", "red")
            names: dict[Side, str] = dict.fromkeys(sides, players)
            by_side = {side: built_in(players, match.rules, f"{seed} {side}") for side in sides}
            ending = play_match(match, by_side, new_log(match, names))
            assert ending.verdict is not None
            winner = ending.verdict.winner
            first_side = "red" if changes_sides else "blue"
            expected = "d" if winner is None else "w" if winner == first_side else "l"
            counts = play_one(setup(), PAIR, number, changes_sides)
            assert counts.outcomes == expected
            assert counts.rounds == {ending.state.round: 1}
            assert counts.endings == {ending.verdict.by: 1}


def test_seeds_differ_by_simulation_pair_and_number() -> None:
    seeds = {
        game_seed(seed, (first, second), number)
        for seed in (0, 1)
        for first, second in (("a", "b"), ("a", "c"))
        for number in range(50)
    }
    assert len(seeds) == 200


def test_actions_and_cards_are_counted_where_they_are_used() -> None:
    counts = play_chunk(setup(), Chunk(("family", "diggers"), 0, 20))
    assert counts.actions["attack"] > 20
    assert sum(counts.actions.values()) == sum(counts.cards[card] for card in ("vixen", "cub", "badger"))
    assert {"pounce", "bark", "unused"} <= counts.cards.keys()
    assert "rain" not in counts.cards, "only the hunters have it"


def test_what_nobody_uses_is_named_in_the_order_of_the_squads() -> None:
    nothing_played = Tally(plan("family", "hunters"))
    actions, cards = nothing_played.never_used()
    assert actions == [name.lower() for name in ACTIONS]
    assert cards == ["vixen", "cub", "pounce", "bark", "unused", "rain"]
    nothing_played.counts[0, ("family", "hunters")].cards = {"vixen": 3, "rain": 1}
    assert nothing_played.never_used()[1] == ["cub", "pounce", "bark", "unused"]


def test_a_draw_is_a_half() -> None:
    assert score_of("wld") == 1.5
    assert Counts(outcomes="wdd").score == 2.0
    assert DRAWN in played(plan(*PAIR, games=40)).total().outcomes


def test_two_players_are_those_of_the_first_and_the_second_squad() -> None:
    request = SimulationRequest(PAIR, games=40, players=("greedy", "random"))
    against_random, both_random = plan_of(workspace(), request), plan(*PAIR, games=40)
    assert not isinstance(against_random, Unplayable)
    scores = [played(one).total().score for one in (against_random, both_random)]
    assert scores[0] > scores[1]


def test_who_has_other_cards_or_another_version_does_not_play() -> None:
    other_version = replace(setup(), version="0.0.1")
    with pytest.raises(OtherCards, match=r"opforge .* 0\.0\.1"):
        table_of(other_version)
    (path, text), *others = setup().texts[1:]
    changed = text.replace("ap: 4, ep: 3", "ap: 5, ep: 3")
    assert changed != text
    with pytest.raises(OtherCards, match="cards"):
        table_of(replace(setup(), texts=(setup().texts[0], (path, changed), *others)))


def test_a_simulation_needs_two_squads_that_can_be_played() -> None:
    for squads, sentence in (
        (("hunters", "hunters"), "A simulation needs two different SQUADs."),
        (("hunters", "famly"), "There is no squad 'famly'. Did you mean 'family'?"),
    ):
        problem = plan_of(workspace(), SimulationRequest(squads))
        assert isinstance(problem, Unplayable)
        assert problem.sentence == sentence
