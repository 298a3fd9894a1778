"""E-14 and E-16: what changes DAMAGE and RANGE."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.tables import Table, card, operator, table
from tests.engine.values import legal_actions
from toolkit.data.model import Options
from toolkit.engine.modifiers import Change, damage_of

ONE = operator("one")  # AP 4 against EP 3: with dice of 5 and 1 the attack hits for 5
PLAIN = operator("two", dp=20)


def hits(two: str = PLAIN, *more: str, one: str = ONE, options: Options | None = None, **given: str) -> Table:
    """An attack that hits for 5, if nothing changes it."""
    game = table([one, two, *more], "one", "two", options=options, **given)
    game.attack("one", "two", 5, 1)
    return game


@pytest.mark.parametrize(
    ("effect", "damage"),
    [
        ("while attacked, self gets -2 DAMAGE.", 3),
        ("while attacked, self gets +2 DAMAGE.", 7),
        ("while attacked, self gets -9 DAMAGE.", 0),
        ("while attacked, self halves DAMAGE.", 2),
        ("while attacked, self doubles DAMAGE.", 10),
        ("while attacked, self multiplies DAMAGE by 3.", 15),
        ("while attacked, self divides DAMAGE by 3.", 1),
        ("while attacked, self fixes DAMAGE at 1.", 1),
        ("while attacked, self fixes DAMAGE at 0.", 0),
        ("self gets -1 DAMAGE.", 4),
        ("while attacked, self gets -1 DAMAGE and doubles DAMAGE.", 9),
        ("while attacked, if HITCOUNTER of self >= 1, self gets -2 DAMAGE.", 5),
        ("while attacked, if attacker is NORMAL, self gets -2 DAMAGE.", 3),
    ],
)
def test_e14_damage_is_changed_like_a_stat(effect: str, damage: int) -> None:
    game = hits(operator("two", effect, dp=20))
    assert game.who("two").hitcounter == damage
    assert game.last is not None
    assert game.last.attack.damage == damage
    assert game.last.attack.hits


def test_e14_of_the_attacker_for_its_target() -> None:
    assert hits(one=operator("one", "while attacking, target doubles DAMAGE.")).who("two").hitcounter == 10


def test_e14_a_miss_does_no_damage_however_it_is_changed() -> None:
    game = table([ONE, operator("two", "self gets +5 DAMAGE.", dp=20)], "one", "two")
    assert game.attack("one", "two", 1, 2) == (5, 5)
    assert game.who("two").hitcounter == 0


def test_e14_an_attack_hits_also_without_damage() -> None:
    one = operator("one", "when the attack hits, owner draws 1 card.")
    two = operator("two", "while attacked, self fixes DAMAGE at 0.")
    game = hits(two, card("note", "effect", "when played, owner draws 1 card."), one=one, blue_deck="note")
    assert game.state.blue.hand == ("note",)


@pytest.mark.parametrize("stacking", ["layered", "stepwise"])
def test_e14_all_changes_at_once_under_both_kinds_of_stacking(stacking: str) -> None:
    """+1 of a SKILL (step 2) and a doubling by a card (step 5): 5 × 2 + 1, never (5 + 1) × 2."""
    two = operator("two", "while attacked, self gets +1 DAMAGE.", dp=20)
    shot = card("shot", "attack", "while attacking, target doubles DAMAGE.")
    game = table([ONE, two, shot], "one", "two", options=Options(stacking=stacking), blue_hand="shot")
    game.attack("one", "two", 5, 1, attack_card="shot")
    assert game.who("two").hitcounter == 11


def test_e14_rounded_once() -> None:
    """5 ÷ 2 ÷ 2 is 1, rounded up 2, and not 3 rounded up again."""
    two = operator("two", "while attacked, self halves DAMAGE.", "while attacked, self halves DAMAGE.", dp=20)
    assert hits(two).who("two").hitcounter == 1
    assert hits(two, options=Options(rounding="up")).who("two").hitcounter == 2


def test_e14_what_the_attacked_operator_ignores() -> None:
    one = operator("one", "while attacking, target gets +2 DAMAGE.")
    game = hits(operator("two", "self ignores SKILLs.", dp=20), one=one)
    assert game.who("two").hitcounter == 5


def test_e14_of_two_fixes_the_attacking_players() -> None:
    one = operator("one", "while attacking, target fixes DAMAGE at 3.")
    game = hits(operator("two", "while attacked, self fixes DAMAGE at 9.", dp=20), one=one)
    assert game.who("two").hitcounter == 3


def test_e14_an_event_changes_it_for_a_time() -> None:
    smoke = card("smoke", "effect", "when played, all own OPERATORs get -2 DAMAGE until end of TURN.")
    game = table([ONE, PLAIN, smoke], "one", "two", red_hand="smoke")
    lines = [one.text for one in game.play("red", "smoke").trace if one.kind == "note"]
    assert lines == ["two gets -2 DAMAGE until end of TURN"]
    game.attack("one", "two", 5, 1)
    assert game.who("two").hitcounter == 3


def test_e14_as_a_number() -> None:
    """The DAMAGE that was added: 5 - 1."""
    one = operator("one", "when the attack hits, if DAMAGE >= 4, self gets +1 HITCOUNTER for each DAMAGE.")
    game = hits(operator("two", "while attacked, self gets -1 DAMAGE.", dp=20), one=one)
    assert game.who("one").hitcounter == 4
    game = hits(operator("two", "while attacked, self gets -2 DAMAGE.", dp=20), one=one)
    assert game.who("one").hitcounter == 0


def test_e14_the_trace_says_how_the_difference_became_damage() -> None:
    two = operator("two", "while attacked, self gets -1 DAMAGE and doubles DAMAGE.", dp=20)
    game = hits(two)
    assert game.last is not None
    lines = [(one.kind, one.layer, one.before, one.after) for one in game.last.trace if one.rule == "E-14"]
    assert lines == [("change", "multiply", 5, 10), ("change", "subtract", 10, 9)]


layers = st.sampled_from(["fix", "multiply", "divide", "add", "subtract"])


@given(
    st.integers(-5, 20),
    st.lists(
        st.builds(lambda layer, n: (layer, -n if layer == "subtract" else n), layers, st.integers(1, 9))
    ),
    st.sampled_from(["down", "up", "nearest"]),
)
def test_e14_damage_does_not_depend_on_steps_and_is_never_below_0(
    points: int, made: list[tuple[str, int]], rounding: str
) -> None:
    changes = [
        Change(0, "DAMAGE", layer, amount, step % 6 + 1, "blue", "E-14")  # type: ignore[arg-type]
        for step, (layer, amount) in enumerate(made)
    ]
    results = {
        damage_of(points, order, Options(stacking=stacking, rounding=rounding), "blue")
        for stacking in ("layered", "stepwise")
        for order in (changes, changes[::-1])
    }
    assert len(results) == 1
    assert min(results) >= 0
    assert points > 0 or results == {0}


# RANGE


def targets(game: Table, name: str) -> set[str]:
    """Whom an OPERATOR may attack."""
    found = legal_actions(game.state, game.rules, game.who(name).side)
    return {
        game.state.operators[one.on].card
        for one in found
        if one.by == game.key(name) and one.name == "attack" and one.on is not None
    }


REDS = [operator(name) for name in ("ro", "rp", "rq", "rr")]


def rows(*skills: str) -> Table:
    cards = [operator("one", *skills), *[operator(name) for name in ("x", "y", "z")], *REDS]
    return table(cards, "one x y z", "ro rp rq rr")


@pytest.mark.parametrize(
    ("skills", "reached"),
    [
        ((), {"ro", "rp"}),
        (("self gets +1 RANGE.",), {"ro", "rp", "rq"}),
        (("self gets -1 RANGE.",), {"ro"}),
        (("self gets -5 RANGE.",), {"ro"}),
        (("self gets +9 RANGE.",), {"ro", "rp", "rq", "rr"}),
        (("self gets +1 RANGE.", "self gets +1 RANGE."), {"ro", "rp", "rq", "rr"}),
        (("if HITCOUNTER of self >= 1, self gets +1 RANGE.",), {"ro", "rp"}),
        (("if self is NORMAL, self gets +1 RANGE for each other own OPERATOR.",), {"ro", "rp", "rq", "rr"}),
        (("all enemy OPERATORs get +1 RANGE.",), {"ro", "rp"}),
    ],
)
def test_e16_who_can_be_attacked(skills: tuple[str, ...], reached: set[str]) -> None:
    game = rows(*skills)
    assert targets(game, "one") == reached
    for name in ("ro", "rp", "rq", "rr"):
        if name not in reached:
            assert game.refused("attack", "one", name) == "R-1"


def test_e16_the_range_is_that_of_the_one_who_reaches() -> None:
    game = rows("all enemy OPERATORs get +1 RANGE.")
    assert targets(game, "rq") == {"one", "x", "y", "z"}


def test_e16_medic_and_groups() -> None:
    one = operator("one", "self gets +1 RANGE.", "self gets +1 AP for each own OPERATOR in RANGE.")
    game = table([one, *[operator(name) for name in ("x", "y", "z")]], "one x y z").give("y", hitcounter=1)
    assert game.number("one", "AP") == 6
    game.do("medic", "one", "y")
    assert game.number("y", "DP") == 9


def test_e16_team_mates_in_the_range_of_the_one_concerned() -> None:
    """M-3: TEAMWORK asks for a team mate in RANGE of attacker or attacked."""
    mates = [operator("one", "self gets +1 RANGE.", team="alone-we"), operator("mate", team="alone-we")]
    game = table([*mates, operator("x"), PLAIN], "one x mate", "two")
    assert game.attack("one", "two", 1, 1)[0] == 4 + 1 + 1
    game = table([*mates, operator("x"), PLAIN], "mate x one", "two")
    assert game.attack("mate", "two", 1, 1)[0] == 4 + 1


def test_e16_an_event_changes_it_for_a_time() -> None:
    scope = card("scope", "effect", "when played, all own OPERATORs get +1 RANGE until end of TURN.")
    game = table([ONE, *REDS, scope], "one", "ro rp rq rr", blue_hand="scope")
    outcome = game.play("blue", "scope")
    assert targets(game, "one") == {"ro", "rp", "rq"}
    lines = [(one.rule, one.stat, one.before, one.after) for one in outcome.trace if one.kind == "change"]
    assert lines == [("E-16", "RANGE", 1, 2)]


def test_e16_what_changes_range_is_never_ignored() -> None:
    assert targets(rows("self gets +1 RANGE. self ignores SKILLs."), "one") == {"ro", "rp", "rq"}
