"""The fast path always comes to the same as the reference (M-1 to M-11, N-1 to N-6, A-1, H-1)."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.dsl_trees import operator_doings
from tests.engine.fast_cases import (
    ALL_OPTIONS,
    Sentences,
    check,
    only_own_words,
    random_rules,
    random_sentences,
    random_state,
    random_windows,
    shaken,
)
from tests.engine.tables import card, operator, rules, shipped, table
from toolkit.dsl import tree
from toolkit.effects.compiling import compile_effect
from toolkit.effects.objects import Origin
from toolkit.engine.fast.attack import FastAttack, FastPath, NotFused
from toolkit.engine.fast.windows import waits_for_attacks
from toolkit.engine.rules import CardRules, Rules, effect_table
from toolkit.engine.state import GameState, Lasting, OperatorState, PlayerState, Side
from toolkit.vocabulary import Role

EXAMPLES, RULES, STATES, NUMBERS = 45, 4, 8, 10
"""So many sets of sentences, sets of cards made from each, states with those, and numbers and dice in each:
14,400 attacks, of which the most are fused."""


def test_random_attacks_are_equal() -> None:
    fused = 0

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(
        random_sentences(),
        st.lists(operator_doings((), event=False), max_size=4),
        st.integers(0, 2**32),
    )
    def play(sentences: Sentences, lasting: list[tree.Doing], seed: int) -> None:
        nonlocal fused
        chance = Random(seed)
        for _ in range(RULES):
            path = FastPath(random_rules(sentences, chance))
            fused += sum(
                _play(path, random_state(path.rules, chance, lasting), chance) for _ in range(STATES)
            )

    play()
    assert fused >= 10_000


def _play(path: FastPath, state: GameState, chance: Random) -> int:
    """One match-up with many numbers and dice; how many of the attacks were fused."""
    blue = [who.key for who in state.on_field("blue") if who.is_up]
    red = [who.key for who in state.on_field("red") if who.is_up]
    if not blue or not red:
        return 0
    pair = [chance.choice(blue), chance.choice(red)]
    chance.shuffle(pair)
    attacker, attacked = pair
    windows = random_windows(state, attacker, attacked, chance)
    assert only_own_words(path.match_up(state, attacker, attacked, windows)[0].prepare.source)
    return sum(
        check(path, shaken(state, chance), attacker, attacked, windows, chance) for _ in range(NUMBERS)
    )


def test_the_shipped_cards_all_against_all() -> None:
    """Every shipped OPERATOR against every other, among others, with cards and STRATEGIES, in turn under each
    of the options."""
    base = rules(shipped(), "skirmish")
    paths = [FastPath(replace(base, options=options)) for options in ALL_OPTIONS]
    by_kind: dict[str, list[str]] = {}
    for played in base.cards.values():
        by_kind.setdefault(played.kind, []).append(played.id)
    chance, width = Random(7), base.field_positions
    fused = 0
    for one in by_kind["operator"]:
        for two in by_kind["operator"]:
            path = paths[chance.randrange(len(paths))]
            state = _shipped_state(base, by_kind, one, two, chance)
            attack_card = state.blue.hand[0] if chance.random() < 0.5 else None
            defence_card = state.red.hand[0] if chance.random() < 0.5 else None
            windows = (attack_card, defence_card, None)
            attacker, attacked = 1, width + 2
            fused += sum(
                check(path, shaken(state, chance), attacker, attacked, windows, chance) for _ in range(3)
            )
    assert fused > len(by_kind["operator"]) ** 2


def _shipped_state(
    rules: Rules, by_kind: dict[str, list[str]], one: str, two: str, chance: Random
) -> GameState:
    """``one`` second from the left in the blue row, ``two`` third in the red one, the rest as it comes."""
    operators: list[OperatorState] = []
    players: list[PlayerState] = []
    sides: tuple[tuple[Side, int, str], ...] = (("blue", 1, one), ("red", 2, two))
    for side, place, fixed in sides:
        field = tuple(range(len(operators), len(operators) + rules.field_positions))
        for position, key in enumerate(field):
            card = fixed if position == place else chance.choice(by_kind["operator"])
            item = chance.choice(by_kind["item"]) if chance.random() < 0.2 else None
            operators.append(OperatorState(key, card, side, position=position, attached=item))
        kind = "attack" if side == "blue" else "defence"
        hand = (chance.choice(by_kind[kind]),)
        strategies = tuple(chance.sample(by_kind["strategy"], chance.randrange(3)))
        players.append(PlayerState(field, hand=hand, strategies=strategies))
    return GameState(tuple(operators), players[0], players[1], serial=99)


# --------------------------------------------------------------------------- what is not fused is handed over


def simple(*cards: str, hand: str = "", attached: str | None = None) -> tuple[FastPath, GameState]:
    """``one`` opposite ``two``."""
    game = table([operator("one"), operator("two"), *cards], "one", "two", blue_hand=hand, red_hand=hand)
    return FastPath(game.rules), game.give("two", attached=attached).state


def why_not(path: FastPath, state: GameState, *windows: str | None) -> str:
    found = path.attack(state, 0, 1, *windows)
    assert isinstance(found, NotFused)
    return found.why


SHOT = card("shot", "attack", "when attacking, self gets +2 AP.")
WALL = card("wall", "defence", "when attacked, self gets +2 EP.")
LOUD = card("loud", "attack", "when attached, owner draws 1 card.")
BARE = card("bare", "attack", "when attacking, target cannot have DEFENCE cards.")


def test_a_card_that_happens_when_it_is_attached_is_left_to_the_reference() -> None:
    assert "when the card is attached" in why_not(*simple(LOUD, hand="loud"), "loud")


def test_cards_that_cannot_be_attached_are_left_to_the_reference() -> None:
    path, state = simple(SHOT, WALL, BARE, hand="shot wall bare")
    assert "third window" in why_not(path, state, None, None, "shot")
    assert "has a card" in why_not(path, state, "shot", "wall", "shot")
    assert "not in the hand" in why_not(path, state, "wall")
    assert "cannot have DEFENCE" in why_not(path, state, "bare", "wall")
    assert isinstance(path.attack(state, 0, 1, None, "wall", "shot"), FastAttack)
    assert "has a card" in why_not(*simple(WALL, hand="wall", attached="wall"), None, "wall")


def test_who_is_not_face_up_does_not_attack() -> None:
    path, state = simple()
    fallen = state.with_operator(replace(state.operators[1], status="HIT"))
    assert "face up" in why_not(path, fallen)


def test_the_wrong_number_of_dice_is_said() -> None:
    path, state = simple(card("twice", "attack", "when attacking, self rolls +1 ATTACK D6."), hand="twice")
    attack = path.attack(state, 0, 1, "twice")
    assert isinstance(attack, FastAttack)
    assert attack.resolve((6, 6), (1,), (True, True)).ap == 16
    assert attack.resolve((6, 6), (1,), (False, True)).ap == 14
    with pytest.raises(ValueError, match="2 ATTACK D6"):
        attack.resolve((6,), (1,))


def test_of_two_fixes_that_last_the_attacking_players_counts() -> None:
    """N-6, whoever attacks."""
    path, state = simple()
    for key in (0, 1):
        fixes = tuple(
            Lasting(
                1, Origin("x", "effect", "effect", 1, ""), "T-2", side, does, "TURN", "AP", "fix", does.value
            )
            for side, does in (
                ("blue", tree.Fixes(tree.Word("AP"), 3)),
                ("red", tree.Fixes(tree.Word("AP"), 6)),
            )
        )
        state = state.with_operator(replace(state.operators[key], lasting=fixes))
    for attacker, fixed in ((0, 3), (1, 6)):
        attack = path.attack(state, attacker, 1 - attacker)
        assert isinstance(attack, FastAttack)
        assert attack.resolve((1,), (1,)).ap == fixed + 1
        assert check(path, replace(state, serial=99), attacker, 1 - attacker, (None, None, None), Random(1))


def test_effects_that_wait_for_attacks_are_told_of() -> None:
    for effect, waits in (
        ("when the attack hits, target gets +1 HITCOUNTER.", True),
        ("self gets +1 AP.", False),
    ):
        game = table([operator("one", effect), operator("two")], "one", "two")
        assert waits_for_attacks(game.rules, game.state) == waits


def test_match_ups_are_compiled_once_and_forgotten_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, state = simple(SHOT, hand="shot")
    first = path.match_up(state, 0, 1)[0]
    assert path.match_up(shaken(state, Random(1)), 0, 1)[0] is first
    monkeypatch.setattr("toolkit.engine.fast.attack.MOST_MATCH_UPS", 1)
    path.match_up(state, 0, 1, ("shot", None, None))
    assert path.match_up(state, 0, 1)[0] is not first


# ------------------------------------------------------------------------ no text of a card ever reaches exec

HOSTILE = "x'); __import__('os').system('true') #\n{0}\\"


def test_no_text_of_a_card_is_in_the_source() -> None:
    """Ids, TEAMs and traits that are code themselves, in every place where effects may name them."""
    word = tree.Word(HOSTILE)
    one = tree.Ref("self")
    group = tree.Group("any", team=word, trait=word)
    condition = tree.AnyOf(
        (
            tree.Bears(one, "TEAM", word, True),
            tree.Bears(one, "trait", word, True),
            tree.Comparison(tree.NumberOf(group), "<", tree.QuantityOf(tree.Word("HITCOUNTER"), one)),
        )
    )
    doing = tree.Gets(1, tree.Word("AP"), tree.Per(group, 3))
    sentence = tree.Sentence((tree.Act(one, (doing,)),), tree.When("attacking"), condition)
    effects = effect_table(compile_effect(tree.Effect((sentence,)), Role.SKILL, HOSTILE, HOSTILE))
    values = {"AP": 1, "EP": 2, "DP": 3, "MP": 4}
    made = CardRules(HOSTILE, "operator", HOSTILE, frozenset((HOSTILE,)), values, 1, effects)
    base = replace(rules(shipped(), "skirmish"), cards={HOSTILE: made})
    operators = (OperatorState(0, HOSTILE, "blue", position=0), OperatorState(1, HOSTILE, "red", position=0))
    state = GameState(operators, PlayerState((0,)), PlayerState((1,)))
    path = FastPath(base)
    assert check(path, state, 0, 1, (None, None, None), Random(1))
    match_up = path.match_up(state, 0, 1)[0]
    assert re.search(r"if \(i\d+ > 2\)|if \(2 < i\d+\)", match_up.prepare.source)
    assert only_own_words(match_up.prepare.source)
    assert match_up.single is not None
    assert only_own_words(match_up.single.source)


@pytest.mark.parametrize(
    "hostile", ["x = open('f')", "def prepare(): return __import__", "v1 = 'text'", "w3 = 1"]
)
def test_foreign_words_would_be_seen(hostile: str) -> None:
    assert not only_own_words(hostile)
