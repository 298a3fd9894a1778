"""Conditions, groups and numbers: each in one scene, once true and once false."""

from __future__ import annotations

import pytest

from tests.engine.tables import CORE, Table, card, operator, project, rules, table
from tests.engine.values import fresh_turn, placed
from toolkit.dsl import tree
from toolkit.dsl.parsing import parse_effect
from toolkit.engine.compiler import Context, compile_condition, compile_group, compile_number
from toolkit.engine.state_queries import StateQueries

CARDS = [
    operator("me", team="red-team", traits="sniper", ap=4, ep=2),
    operator("pal", team="red-team", mp=3),
    operator("far", traits="medic"),
    operator("foe", traits="sniper", ap=5),
    operator("ally", dp=2),
    operator("gone"),
    card("shot", "attack", "when attacking, self gets +1 AP."),
    card("lens", "item", "self gets +1 AP."),
    card("cover", "defence", "when attacked, self gets +1 EP."),
]


def holds(asked: tree.Condition, context: Context) -> bool:
    return compile_condition(asked).holds(context)


def why_false(asked: tree.Condition, context: Context) -> str:
    return compile_condition(asked).why_false(context)


def scene() -> tuple[Table, Context]:
    """`me` attacks `foe`: me, pal, a gap, far (HIT) against foe, gone (OUT), ally."""
    game = table(CARDS, "me pal ~ far", "foe gone ally", blue_hand="shot lens", red_hand="cover")
    game.give("me", hitcounter=2, attached="lens").give("foe", status="EXHAUSTED", attached="cover")
    game.give("gone", status="OUT").give("far", status="HIT").give("pal", objectivecounter=3)
    me, foe = game.who("me"), game.who("foe")
    return game, Context(StateQueries(game.rules, game.state), "blue", me, foe, me, foe)


def condition(text: str):  # type: ignore[no-untyped-def]
    effect, problems = parse_effect(f"when attacking, if {text}, self gets +1 AP.")
    assert effect is not None, problems
    return effect.sentences[0].condition


CONDITIONS = {
    "AP of self = 5": True,
    "AP VALUE of self = 4": True,
    "AP of self != 5": False,
    "AP of self < AP of target": False,
    "AP of self <= AP of target": True,
    "AP of self > 5": False,
    "AP of self >= 5": True,
    "AP of self + EP of self * 2 = 9": True,
    "(AP of self + EP of self) * 2 - 1 = 13": True,
    "-AP of self = -5": True,
    "DP of self - HITCOUNTER of self = 4": True,
    "OBJECTIVECOUNTER of self = 0": True,
    "SQUADPOINTS of target = 3": True,
    "FIELDPOSITION of target = 1": True,
    "number of cards in own hand = 2": True,
    "number of cards in enemy hand = 1": True,
    "ROUND = 1": True,
    "self is SUPPRESSED": True,
    "target is SUPPRESSED": False,
    "target is not SUPPRESSED": True,
    "self is NORMAL": True,
    "target is NORMAL": False,
    "target is EXHAUSTED": True,
    "target is not EXHAUSTED": False,
    "target is HIT": False,
    "target is in RANGE of self": True,
    "target is opposite self": True,
    "target is not opposite self": False,
    "target is adjacent to self": False,
    "target is not adjacent to self": True,
    'self has TEAM "red-team"': True,
    'target has TEAM "red-team"': False,
    'target has no TEAM "red-team"': True,
    'self has trait "sniper"': True,
    'self has trait "medic"': False,
    'self has no trait "medic"': True,
    "self has card": True,
    "self has no card": False,
    "self has ITEM": True,
    "self has ATTACK card": False,
    "target has DEFENCE card": True,
    "target has ITEM": False,
    "the attack is CRITICAL": False,
    "the attack is not CRITICAL": True,
    "not self is HIT": True,
    "not self is NORMAL": False,
    "self is HIT or self is NORMAL": True,
    "self is HIT or self is OUT": False,
    "self is NORMAL and self is HIT": False,
    "self is NORMAL and target is EXHAUSTED": True,
    "not (self is NORMAL and self is HIT)": True,
}


def test_a_condition() -> None:
    for text, expected in CONDITIONS.items():
        _, here = scene()
        assert holds(condition(text), here) is expected, text


GROUPS = {
    "own OPERATORs": "me pal",
    "other own OPERATORs": "pal",
    "enemy OPERATORs": "foe ally",
    "any OPERATORs": "me pal foe ally",
    'own OPERATORs of TEAM "red-team"': "me pal",
    'enemy OPERATORs of TEAM "red-team"': "",
    "own OPERATORs in RANGE": "pal",
    "enemy OPERATORs in RANGE": "foe",
    "own OPERATORs in RANGE of target": "me pal",
    "own OPERATORs adjacent to self": "pal",
    "enemy OPERATORs adjacent to self": "",
    "enemy OPERATORs opposite self": "foe",
    "own OPERATORs opposite target": "me",
    'any OPERATORs with trait "sniper"': "me foe",
    'own OPERATORs with trait "medic"': "",
    "any OPERATORs with AP >= 5": "me foe",
    "any OPERATORs with AP VALUE >= 5": "foe",
    "own OPERATORs with MP = 3": "pal",
    "own OPERATORs with OBJECTIVECOUNTER > 0": "pal",
    "any OPERATORs with FIELDPOSITION = 3": "ally",
    "own OPERATORs that are HIT": "far",
    "own OPERATORs that are not HIT": "me pal",
    "own OPERATORs that are OUT": "",
    "enemy OPERATORs that are OUT": "gone",
    "any OPERATORs that are not OUT": "me pal foe ally",
    "enemy OPERATORs that are not HIT": "foe ally",
    "own OPERATORs that are NORMAL": "me pal",
    "enemy OPERATORs that are EXHAUSTED": "foe",
    "enemy OPERATORs that are not EXHAUSTED": "ally",
    "any OPERATORs that are SUPPRESSED": "me",
    "any OPERATORs that are not SUPPRESSED": "pal foe ally",
    'own OPERATORs with trait "medic" that are HIT': "far",
    "own OPERATORs in RANGE that are HIT": "",
}


@pytest.mark.parametrize("text", GROUPS)
def test_a_group(text: str) -> None:
    game, here = scene()
    asked = condition(f"number of {text} >= 1").left
    group = compile_group(asked.group)
    assert [who.card for who in group.members(here)] == GROUPS[text].split()
    assert [who.card for who in game.state.operators if group.concerns(who, here)] == GROUPS[text].split()
    assert compile_number(asked)(here) == len(GROUPS[text].split())


def test_who_does_not_exist_is_nothing_of_what_is_asked() -> None:
    """PERFORMANCE of a mode may have no self; a quantity of nobody is 0."""
    _, here = scene()
    nobody = Context(here.reader, "blue")
    for text in (
        "self is HIT",
        "self is not HIT",
        "self has no card",
        "self is in RANGE of target",
        "self has card",
    ):
        assert not holds(condition(text), nobody)
    assert holds(condition("AP of self = 0"), nobody)
    for group in (
        "own OPERATORs in RANGE",
        "own OPERATORs adjacent to self",
        "enemy OPERATORs opposite self",
    ):
        assert not compile_group(condition(f"number of {group} = 1").left.group).members(nobody)


def test_an_operator_in_the_savezone_stands_nowhere() -> None:
    game, _ = scene()
    game.state = placed(game.state, game.key("pal"), None)
    here = Context(StateQueries(game.rules, game.state), "blue", game.who("pal"), game.who("foe"))
    for text in ("target is in RANGE of self", "self is in RANGE of target", "target is opposite self"):
        assert not holds(condition(text), here)
    assert holds(condition("FIELDPOSITION of self = 0"), here)


def test_suppressed_asks_the_condition_of_the_ruleset_seen_from_each() -> None:
    cards = [
        operator("one", "when attacking, if target is SUPPRESSED, self gets +5 AP."),
        operator("two"),
    ]
    game = table(cards, "one", "two").give("two", hitcounter=1)
    assert game.attack("one", "two")[0] == 10


REASONS = {
    "HITCOUNTER of target >= 3": "HITCOUNTER of target is 0",
    "AP of self > AP of target": "AP of self is 5 and AP of target is 5",
    "number of own OPERATORs >= 3": "number of own OPERATORs is 2",
    "self is HIT or target is HIT": "self is not HIT, target is not HIT",
    "self is NORMAL and target is HIT and self is HIT": "target is not HIT",
    "not (self is NORMAL and target is EXHAUSTED)": "self is NORMAL, target is EXHAUSTED",
    "not (self is HIT or target is EXHAUSTED)": "target is EXHAUSTED",
    "self has no card": "self has card",
    "the attack is CRITICAL": "the attack is not CRITICAL",
    "target is not opposite self": "target is opposite self",
    "1 = 2": "1 = 2",
}


@pytest.mark.parametrize("text", REASONS)
def test_why_a_condition_is_false(text: str) -> None:
    _, here = scene()
    asked = condition(text)
    assert not holds(asked, here)
    assert why_false(asked, here) == f"its condition is false: {REASONS[text]}"


COUNTED = {
    "gets +1 AP for each other own OPERATOR in RANGE": 1,
    "gets +2 AP for each own OPERATOR": 4,
    "gets +1 AP for each MP of self": 2,
    "gets +1 AP for each own OPERATOR (max 1)": 1,
    "gets -1 AP for each own OPERATOR": -2,
    "gets +1 AP for each (MP of self - 9)": 0,
}


@pytest.mark.parametrize("text", COUNTED)
def test_a_counted_amount(text: str) -> None:
    """Never counted less than 0 times."""
    cards = [operator("me", f"self {text}."), operator("pal")]
    assert table(cards, "me pal").number("me", "AP") == 4 + COUNTED[text]


def test_outside_of_an_attack_the_turns_players_fix_wins() -> None:
    """N-6 with M-11: there is no attacking player."""
    cards = [
        operator("one", "all enemy OPERATORs fix AP at 2."),
        operator("two", "self fixes AP at 7."),
    ]
    game = table(cards, "one", "two")
    assert game.number("two", "AP") == 2
    game.state = fresh_turn(game.state, "red", 1)
    assert game.number("two", "AP") == 7


def test_in_an_attack_the_attacking_players_fix_wins_whoever_has_the_turn() -> None:
    cards = [
        operator("one", "when attacked, attacker fixes AP at 2."),
        operator("two", "self fixes AP at 7."),
    ]
    game = table(cards, "one", "two")
    assert game.attack("two", "one")[0] == 8


def test_the_condition_of_suppression_cannot_ask_for_itself() -> None:
    core = CORE.replace("when attacking, if DP", "when attacking, if self is SUPPRESSED or DP")
    made = rules(project("cards:\n" + operator("one") + operator("two"), core), "plain")
    assert Table(made, "one", "two").attack("one", "two")[0] == 5
    assert Table(made, "one", "two").give("one", hitcounter=1).attack("one", "two")[0] == 3
