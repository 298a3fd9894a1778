"""What is known of a game while it goes on is what its state alone says: KEYWORDs, traits, RANGE and numbers.

What acts is kept between two changes of the state; where somebody gets or loses a KEYWORD or trait by a
condition (E-12), it must not be kept too long.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.games import match
from tests.engine.values import replace
from tests.thoroughness import THOROUGH, examples
from toolkit.data.model import Marker
from toolkit.dsl.checking import check_effect
from toolkit.dsl.effect_objects import EffectObject, compile_effect
from toolkit.dsl.names import MarkerFacts, Names
from toolkit.dsl.parsing import parse_effect
from toolkit.engine.compiled_rules import effect_table
from toolkit.engine.decisions import Player, RandomPlayer
from toolkit.engine.game import Game
from toolkit.engine.log import Match, new_log, play_match
from toolkit.engine.state import SIDES, Side
from toolkit.engine.state_queries import StateQueries
from toolkit.vocabulary import STATS, Role

SKILLS = (
    'all other own OPERATORs gain KEYWORD "steadfast".',
    'if HITCOUNTER of self >= 1, all own OPERATORs gain KEYWORD "hardy".',
    'while self is EXHAUSTED, all enemy OPERATORs in RANGE gain KEYWORD "slow".',
    'if MARKER "intel" of self >= 2, self gains trait "led".',
    'when the attack hits, self gets +1 MARKER "intel".',
    'all own OPERATORs with trait "led" gain KEYWORD "hardy".',
    'all own OPERATORs with KEYWORD "hardy" get +1 AP.',
    'when self becomes HIT, all own OPERATORs gain KEYWORD "slow" until end of ROUND.',
    'when the own TURN begins, owner gets +1 MARKER "supply".',
    'if MARKER "supply" of owner >= 3, self gets +1 DP.',
    'when self performs MOVE, one enemy OPERATOR gains trait "led" permanently.',
    'all OPERATORs with trait "led" get +1 RANGE.',
    'self gains KEYWORD "slow". when an enemy OPERATOR gets HITCOUNTER, self gets -1 MARKER "intel".',
)
KEYWORDS = {
    "steadfast": "self gets +1 EP. while attacked, self gets +1 EP. self ignores TEAMWORK.",
    "hardy": 'self gets +2 DP. all other own OPERATORs gain trait "led".',
    "slow": "self gets -1 MP and -1 DP. once per ROUND, when self becomes HIT, owner draws 1 card.",
}
PLACE = (
    'self gets +1 DP. all own OPERATORs adjacent to self gain KEYWORD "slow". '
    'when self CAPTURES the OBJECTIVE, owner gets +5 MARKER "supply".'
)
NAMES = Names(
    (), ("led",), ("led",), tuple(KEYWORDS), {"intel": MarkerFacts(False, 3), "supply": MarkerFacts(True, 99)}
)


def compiled(text: str, role: Role, entry: str) -> tuple[EffectObject, ...]:
    effect, problems = parse_effect(text)
    assert effect is not None, problems
    assert check_effect(effect, role, NAMES) == ()
    return compile_effect(effect, role, entry, "skill 1" if role is Role.SKILL else "effect")


def played_with(skills: list[str], printed: str) -> Match:
    """A match of the shipped squads whose OPERATORs have these SKILLs in turn and one KEYWORD."""
    made = match(seed=len(skills))
    rules, cards = made.rules, dict(made.rules.cards)
    operators = [card for card in cards.values() if card.kind == "operator"]
    for number, card in enumerate(operators):
        objects = compiled(skills[number % len(skills)], Role.SKILL, card.id)
        keywords = (printed,) if number % 5 == 0 else ()
        cards[card.id] = replace(card, objects=objects, keywords=keywords)
    tables = {name: effect_table(compiled(text, Role.KEYWORD, name)) for name, text in KEYWORDS.items()}
    places = {
        name: effect_table(compiled(PLACE, Role.OBJECTIVE, name))
        for name in rules.objectives[:2]
        if name is not None
    }
    node, name = made.blue.node, made.blue.name
    markers = {
        "intel": Marker("intel", node, name, maximum=3),
        "supply": Marker("supply", node, name, bearer="player"),
    }
    return replace(made, rules=replace(rules, cards=cards, keywords=tables, places=places, markers=markers))


def assert_nothing_is_out_of_date(game: Game) -> None:
    fresh = StateQueries(game.rules, game.state.copy())
    for who, same in zip(game.state.operators, fresh.state.operators, strict=True):
        assert game.keywords_of(who) == fresh.keywords_of(same), who.card
        assert game.traits_of(who) == fresh.traits_of(same), who.card
        assert game.range_of(who) == fresh.range_of(same), who.card
        numbers = [game.number(who, stat) for stat in STATS]
        assert numbers == [fresh.number(same, stat) for stat in STATS], who.card


@given(
    st.lists(st.sampled_from(SKILLS), min_size=3, max_size=8),
    st.sampled_from(sorted(KEYWORDS)),
    st.integers(0, 9),
)
@examples(12)
def test_what_is_kept_is_what_the_state_says(skills: list[str], printed: str, seed: int) -> None:
    asked, ask = 0, Game.ask

    def checking(game: Game, kind: str, *more: object, **named: object) -> object:
        nonlocal asked
        if game.attack is None:
            asked += 1
            if THOROUGH or asked % 20 == 1:
                assert_nothing_is_out_of_date(game)
            if kind == "action":
                for who in game.state.operators:
                    assert not who.is_active or not 0 < game.number(who, "DP") <= who.hitcounter, "H-1"
        return ask(game, kind, *more, **named)

    made = replace(played_with(skills, printed), seed=seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "ask", checking)
        players: dict[Side, Player] = {side: RandomPlayer(f"{seed} {side}") for side in SIDES}
        ending = play_match(made, players, new_log(made, dict.fromkeys(SIDES, "random")))
    assert asked
    assert not ending.stopped
    for who in ending.state.operators:
        assert dict(who.markers).get("intel", 0) <= 3
