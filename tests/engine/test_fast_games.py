"""GAMEs on the table are the GAMEs of the reference: the same states, decisions and dice, TURN by TURN."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.games import squads, where_everybody_has
from tests.engine.swift_cards import Sentences, random_sentences, random_set
from tests.engine.swift_cases import BothWays
from tests.engine.tables import rules, shipped
from toolkit.data.model import Options
from toolkit.dsl.parsing import parse_effect
from toolkit.effects.compiling import compile_effect
from toolkit.engine.decisions import RandomPlayer
from toolkit.engine.log import Match, new_log
from toolkit.engine.recording import play_match
from toolkit.engine.rules import effect_table
from toolkit.engine.state import SIDES
from toolkit.engine.swift.games import SwiftGame, SwiftMatch, swift_match
from toolkit.engine.swift.plan import NotSwift
from toolkit.vocabulary import Role

MODES = ("skirmish", "night-raid")


@pytest.mark.parametrize("blue", range(8))
def test_every_pair_of_the_shipped_squads(blue: int) -> None:
    for red in range(8):
        mode = MODES[(blue + red) % 2]
        made = rules(shipped(), mode)
        match = swift_match(made, squads()[blue], squads()[red])
        assert isinstance(match, SwiftMatch)
        for reference, swift in BothWays(match, made, squads()[blue], squads()[red], 8 * blue + red).turns():
            assert swift == reference


def test_all_pairs_of_shipped_squads_can_be_played_in_both_modes() -> None:
    for mode in MODES:
        for blue in squads():
            for red in squads():
                assert isinstance(swift_match(rules(shipped(), mode), blue, red), SwiftMatch)


def test_a_seed_means_the_game_that_is_logged() -> None:
    blue, red = squads()[1], squads()[6]
    made = rules(shipped(), "skirmish")
    swift = swift_match(made, blue, red)
    assert isinstance(swift, SwiftMatch)
    for seed in (7, "a word", 7):
        match = Match(made, blue, red, seed)
        players = {side: RandomPlayer(f"{seed} {side}") for side in ("blue", "red")}
        ending = play_match(match, players, new_log(match, {"blue": "random", "red": "random"}))  # type: ignore[arg-type]
        assert ending.verdict is not None
        game = swift.play(seed)
        captured = tuple(len(ending.state.player(side).captured) for side in SIDES)
        verdict = ending.verdict
        assert game == SwiftGame(verdict.winner, verdict.by, ending.state.round, captured)  # type: ignore[arg-type]


def test_a_chain_of_events_without_end_is_left_to_the_reference() -> None:
    effect, _ = parse_effect("when self becomes HIT, self becomes NORMAL and gets +9 HITCOUNTER.")
    assert effect is not None
    made = rules(shipped(), "skirmish")
    endless = effect_table(compile_effect(effect, Role.SKILL, "viper", "skill 1"))
    cards = {**made.cards, "viper": replace(made.cards["viper"], effects=endless)}
    made = replace(made, cards=cards)
    match = swift_match(made, squads()[0], squads()[4])
    assert isinstance(match, SwiftMatch)
    ended = 0
    for seed in range(4):
        for reference, swift in BothWays(match, made, squads()[0], squads()[4], seed).turns():
            assert swift == reference
        ended += isinstance(match.play(seed), NotSwift)
    assert ended


@pytest.mark.parametrize(
    "sentence",
    [
        # one who is face up again before he changes places
        "when self becomes HIT, self becomes NORMAL.",
        # one action of a sentence does not read what another of them changes (M-8)
        "when attacking, self gets +2 AP and gets +1 AP for each AP of self.",
        # H-1 is judged after every change of a number that it asks for; those who fall act from left to right
        "when self becomes HIT, owner discards 1 card. when an own OPERATOR becomes HIT, owner draws 1 card.",
        "if number of cards in own hand >= 4, self gets -2 DP. if self is EXHAUSTED, self gets -1 DP.",
        "if ROUND >= 3, self gets -3 DP. when self becomes HIT, opponent draws 1 card.",
        # nor does one sentence read what another changes at the same time
        "when attacking, self gets +2 AP. when attacking, if AP of self >= 5, self gets +3 AP.",
        # dice without a trigger, thresholds in either order, and from the attacked
        "self rolls +1 DEFENCE D6. self may reroll 1 ATTACK D6. self makes ATTACK D6 CRITICAL on 4+.",
        "when attacking, self makes ATTACK D6 CRITICAL on 3+ and makes ATTACK D6 CRITICAL on 5+.",
        "when attacked, self makes the attack CRITICAL.",
        # nobody who is HIT is in RANGE
        "when attacking, self gets +1 AP for each enemy OPERATOR in RANGE that are HIT.",
    ],
)
def test_a_skill_that_everybody_has(sentence: str) -> None:
    made = where_everybody_has(sentence)
    match = swift_match(made, squads()[0], squads()[4])
    assert isinstance(match, SwiftMatch)
    for seed in range(3):
        for reference, swift in BothWays(match, made, squads()[0], squads()[4], seed).turns():
            assert swift == reference


@pytest.mark.parametrize(
    ("sentences", "of_cards"),
    [
        # who would give rerolls falls before the dice are rolled
        (
            "when an own OPERATOR attacks, attacker may reroll 1 ATTACK D6.",
            {"attack": "when attached, one own OPERATOR becomes OUT."},
        ),
        # an ITEM that does one thing on the attacker and another on the attacked
        (
            "when self becomes HIT, owner fulfils PERFORMANCE.",
            {"item": "when attacking, self gets +1 AP. when attacked, self gets +2 EP."},
        ),
    ],
)
def test_cards_that_are_all_the_same(sentences: str, of_cards: dict[str, str]) -> None:
    made = where_everybody_has(sentences, **of_cards)
    match = swift_match(made, squads()[0], squads()[4])
    assert isinstance(match, SwiftMatch)
    for seed in range(3):
        for reference, swift in BothWays(match, made, squads()[0], squads()[4], seed).turns():
            assert swift == reference


def test_counters_that_stay_with_their_place_and_other_options() -> None:
    options = Options(rounding="up", floor=1, swap_counters="with_position", swap_mp=3)
    made = rules(shipped(), "skirmish", options)
    match = swift_match(made, squads()[0], squads()[7])
    assert isinstance(match, SwiftMatch)
    for reference, swift in BothWays(match, made, squads()[0], squads()[7], 5).turns():
        assert swift == reference


def test_what_cannot_be_played_swiftly_is_said() -> None:
    made = rules(shipped(), "skirmish", Options(stacking="stepwise"))
    found = swift_match(made, squads()[0], squads()[1])
    assert isinstance(found, NotSwift)
    assert "stepwise" in found.why


def test_a_mode_without_strategy_positions() -> None:
    made = rules(shipped(), "skirmish")
    mode = replace(made.mode, strategy_positions=0, hand_limit=3, max_rounds=3)
    made = replace(made, mode=mode)
    match = swift_match(made, squads()[4], squads()[5])
    assert isinstance(match, SwiftMatch)
    for reference, swift in BothWays(match, made, squads()[4], squads()[5], 3).turns():
        assert swift == reference


@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(random_sentences(), st.integers(0, 2**30))
def test_random_cards_play_the_games_of_the_reference(sentences: Sentences, seed: int) -> None:
    chance = Random(seed)
    for number in range(4):
        one = random_set(sentences, chance)
        match = swift_match(one.rules, one.blue, one.red)
        if isinstance(match, SwiftMatch):
            for reference, swift in BothWays(match, one.rules, one.blue, one.red, number).turns():
                assert swift == reference


def test_no_text_of_a_card_is_run() -> None:
    for blue, red in zip(squads(), squads()[1:], strict=False):
        match = swift_match(rules(shipped(), "skirmish"), blue, red)
        assert isinstance(match, SwiftMatch)
        for node in ast.walk(ast.parse(match.plan.source)):
            assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.JoinedStr))
            if isinstance(node, ast.Constant):
                assert isinstance(node.value, int)
            if isinstance(node, ast.Name):
                assert OWN_NAME.fullmatch(node.id), node.id
            if isinstance(node, ast.Attribute):
                assert node.attr in ("append", "get", "round", "critical", "unjudged", "add", "unpace")


OWN_NAME = re.compile(
    "[Tcstadkxgn]|V|[fgn][0-9]+|out|made|held|status|pos|hit|obj|att|kinds|side|rows|hands|squadpoints|values|"
    "number|base|len|max|min|pick|one|last|hold|"
    "gain|gain_if_up|become|count|may_fall|draw|discard|reward|judge|"
    "[AEDM]P_added|[AEDM]P_beyond_(ATTACK|TURN|ROUND|FIELD)|ATTACK_ends"
)
