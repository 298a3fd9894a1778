"""The log of a GAME: the same bytes again, going on where it was left, and what has changed since."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.games import match
from tests.engine.values import replace
from tests.thoroughness import examples
from toolkit.engine.decisions import Decision, Player, RandomPlayer
from toolkit.engine.greedy import GreedyPlayer
from toolkit.engine.log import (
    GameLog,
    Match,
    changed_cards,
    fingerprints,
    new_log,
    play_match,
    read_log,
    replay,
    replay_players,
)
from toolkit.engine.phases import Ending
from toolkit.engine.state import SIDES, GameState, Side

NAMES: dict[Side, str] = {"blue": "random", "red": "random"}


def randoms(made: Match) -> dict[Side, Player]:
    return {side: RandomPlayer(f"{made.seed} {side}") for side in SIDES}


def played(made: Match) -> tuple[GameLog, Ending]:
    log = new_log(made, NAMES)
    return log, play_match(made, randoms(made), log)


@cache
def one_log() -> str:
    """The log of one GAME, as text."""
    return played(match(seed=4))[0].text()


def fresh() -> GameLog:
    log = read_log(one_log())
    assert isinstance(log, GameLog)
    return log


@examples(8)
@given(
    st.integers(0, 7), st.integers(0, 7), st.integers(0, 2**32), st.sampled_from(["skirmish", "night-raid"])
)
def test_the_same_seed_and_cards_give_the_same_bytes(blue: int, red: int, seed: int, mode: str) -> None:
    made = match(blue, red, seed, mode)
    log, ending = played(made)
    assert played(made)[0].text() == log.text()
    read = read_log(log.text())
    assert isinstance(read, GameLog)
    again = replay(read, made)
    assert again.same, again.difference
    assert again.log.text() == log.text()
    assert again.ending == ending


def test_another_seed_gives_another_game() -> None:
    assert played(match(seed=5))[0].lines != fresh().lines


@examples(10)
@given(st.integers(0, 10_000))
def test_a_game_that_was_left_anywhere_goes_on_to_the_same_bytes(cut: int) -> None:
    made = match(seed=4)
    log = fresh()
    log.lines = log.lines[: cut % len(log.lines)]
    on = new_log(made, NAMES)
    play_match(made, replay_players(log, randoms(made)), on)
    assert on.text() == one_log()


def test_a_greedy_player_goes_on_as_if_he_had_never_stopped() -> None:
    made = match(1, 3, 11)
    made = replace(made, rules=replace(made.rules, mode=replace(made.rules.mode, max_rounds=1)))

    def players() -> dict[Side, Player]:
        return {"blue": GreedyPlayer(made.rules), "red": RandomPlayer("11 red")}

    whole = new_log(made, NAMES)
    play_match(made, players(), whole)
    actions = [number for number, line in enumerate(whole.lines) if line.get("decision") == "action"]
    for cut in (actions[0] + 1, actions[3] + 1, actions[-1] + 1):
        left = GameLog(whole.header, whole.lines[:cut])
        on = new_log(made, NAMES)
        play_match(made, replay_players(left, players()), on)
        assert on.text() == whole.text()


def test_a_log_without_its_end_replays_as_far_as_it_goes() -> None:
    log = fresh()
    # a log is left where a person is asked, after whatever the game did by itself
    cut = [number for number, line in enumerate(log.lines) if line.get("decision") == "action"][20]
    log.lines = log.lines[:cut]
    again = replay(log, match(seed=4))
    assert again.same, again.difference
    assert again.ending.verdict is None
    assert again.ending.stopped == "The log ends here."


def test_one_who_leaves_goes_through_and_the_log_holds_what_was() -> None:
    class Leaving(Exception):
        pass

    class Leaver(RandomPlayer):
        def answer(self, decision: Decision, state: GameState) -> int:
            if decision.kind == "critical":
                raise Leaving
            return super().answer(decision, state)

    made = match(seed=4)
    log = new_log(made, NAMES)
    with pytest.raises(Leaving):
        play_match(made, {side: Leaver(f"4 {side}") for side in SIDES}, log)
    assert log.lines
    assert log.text() == one_log()[: len(log.text())]
    on = new_log(made, NAMES)
    play_match(made, replay_players(log, randoms(made)), on)
    assert on.text() == one_log()


# What a log holds


def test_the_header_says_what_was_played_with() -> None:
    header = fresh().header
    assert (header["seed"], header["mode"], header["ruleset"]) == (4, "skirmish", "core")
    assert header["squads"] == {"blue": "owls-at-dusk", "red": "the-whole-board"}
    assert header["players"] == NAMES
    assert "viper" in header["cards"]  # type: ignore[operator]
    assert isinstance(header["fingerprint"], str)


def test_every_decision_and_every_die_is_there_with_its_turn() -> None:
    lines = fresh().lines
    assert lines[0] == {"turn": "blue", "round": 1}
    assert {next(iter(line)) for line in lines} == {"turn", "decision", "die", "drawn", "ending"}
    for line in lines:
        if "decision" in line:
            assert 0 <= line["answer"] < line["of"]  # type: ignore[operator]
        if "die" in line:
            assert line["shows"] in range(1, 7)
    assert next(iter(lines[-1])) == "ending"


# What has changed


def other_cards(made: Match, card: str, **values: int) -> Match:
    old = made.rules.cards[card]
    cards = {**made.rules.cards, card: replace(old, values={**old.values, **values})}
    return replace(made, rules=replace(made.rules, cards=cards))


def test_changed_cards_are_named_and_others_are_not() -> None:
    made = match(seed=4)
    assert changed_cards(fresh(), made) == ()
    assert changed_cards(fresh(), other_cards(made, "viper", AP=5)) == ("viper",)
    # a card of no squad in this game
    unused = next(card for card in made.rules.cards if card not in fresh().header["cards"])  # type: ignore[operator]
    assert changed_cards(fresh(), other_cards(made, unused, AP=5)) == ()


def test_a_changed_effect_mode_ruleset_and_squad_are_seen() -> None:
    made = match(seed=4)
    rules = made.rules
    smoke = replace(rules.cards["aimed-shot"], objects=rules.cards["snap-shot"].objects)
    changes = {
        "aimed-shot": replace(made, rules=replace(rules, cards={**rules.cards, "aimed-shot": smoke})),
        "skirmish": replace(made, rules=replace(rules, mode=replace(rules.mode, hand_limit=3))),
        "core": replace(made, rules=replace(rules, limits={**rules.limits, "move": 3})),
        "owls-at-dusk": replace(made, blue=replace(made.blue, item_deck={"scope": 1})),
        "radio-mast": replace(
            made, rules=replace(rules, objective_values={**rules.objective_values, "radio-mast": 1})
        ),
    }
    for name, changed in changes.items():
        assert name in changed_cards(fresh(), changed)


def test_fingerprints_do_not_see_names_or_pictures() -> None:
    made = match(seed=4)
    renamed = replace(made.blue, name=made.red.name)
    assert fingerprints(made.rules, (renamed, made.red)) == fingerprints(made.rules, (made.blue, made.red))


def test_a_replay_with_changed_cards_says_where_it_goes_another_way() -> None:
    again = replay(fresh(), other_cards(match(seed=4), "viper", AP=9, EP=9, MP=9))
    assert not again.same
    assert again.changed == ("viper",)
    assert again.difference


def test_an_answer_that_was_changed_by_hand_is_noticed() -> None:
    log = fresh()
    at = next(number for number, line in enumerate(log.lines) if line.get("decision") == "action")
    log.lines[at] = {**log.lines[at], "answer": 1}
    again = replay(log, match(seed=4))
    assert not again.same
    assert "In ROUND 1, TURN of blue the log has the answer to `action`" in again.ending.stopped


# Torn logs


def bent(changes: dict[str, object]) -> str:
    """The log of a GAME with another header."""
    first, rest = one_log().split("\n", 1)
    header = {key: value for key, value in {**json.loads(first), **changes}.items() if value is not None}
    return json.dumps(header) + "\n" + rest


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "header"),
        ("{}\n", "header"),
        ("[1]\n", "Line 1 is no object"),
        ("{\n", "Line 1 is no JSON"),
        ("[" * 100_000, "Line 1 is no JSON"),
        ({"log": 5}, "format 4"),
        ({"squads": None}, "squads"),
        ({"squads": {"blue": "x"}}, "blue and red"),
        ({"players": {"blue": 1, "red": 2}}, "players"),
        ({"cards": []}, "cards"),
        ({"mode": 7}, "mode"),
        ({"ruleset": None}, "ruleset"),
        ({"seed": [1]}, "seed"),
        ('GAME{"decision": "action", "answer": "1"}\n', "answer"),
        ('GAME{"decision": "action"', "no JSON"),
    ],
)
def test_a_log_that_is_none_gives_a_sentence(text: str | dict[str, object], words: str) -> None:
    found = read_log(text.replace("GAME", one_log()) if isinstance(text, str) else bent(text))
    assert isinstance(found, str)
    assert words in found


@examples(150)
@given(st.text(max_size=60) | st.recursive(st.none() | st.integers(), st.lists, max_leaves=4).map(json.dumps))
def test_no_text_makes_reading_a_log_raise(text: str) -> None:
    found = read_log(text)
    assert isinstance(found, (str, GameLog))


@examples(15)
@given(st.data())
def test_no_changed_line_makes_a_replay_raise(data: st.DataObject) -> None:
    log = fresh()
    at = data.draw(st.integers(0, min(60, len(log.lines) - 1)))
    key = data.draw(st.sampled_from(sorted(log.lines[at])))
    value = data.draw(st.none() | st.integers(-2, 9) | st.text(max_size=3) | st.lists(st.integers()))
    log.lines[at] = {**log.lines[at], key: value}
    found = read_log(log.text())
    if isinstance(found, GameLog):
        replay(found, match(seed=4))
