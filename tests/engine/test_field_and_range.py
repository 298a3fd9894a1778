"""F-1 to F-3 and R-1 to R-3: who stands where to whom."""

from __future__ import annotations

import pytest

from tests.engine.tables import MODE, Table, of_shipped, operator, project, rules, table
from toolkit.engine.state import adjacent, in_range, opposite

FOUR = [operator(name) for name in ("a", "b", "c", "d")]
OTHERS = [operator(name) for name in ("w", "x", "y", "z")]


def test_f1_position_i_is_opposite_position_i() -> None:
    game = table(FOUR + OTHERS, "a b c d", "w x y z")
    facing = {
        (one.card, two.card)
        for one in game.state.on_field("blue")
        for two in game.state.on_field("red")
        if opposite(one, two)
    }
    assert facing == {("a", "w"), ("b", "x"), ("c", "y"), ("d", "z")}
    assert not opposite(game.who("a"), game.who("b"))


def test_f1_the_mode_says_how_many_positions() -> None:
    mode = MODE.replace("name: Plain\n", "name: Plain\n    field_positions: 2\n")
    game = Table(rules(project("cards:\n" + "".join(FOUR), mode=mode), "plain"), "a b")
    assert game.state.blue.field == (0, 1)
    assert game.rules.objectives == ("hill", "well")


def test_f3_each_row_has_its_own_objective_at_each_position() -> None:
    game = of_shipped("viper", "bishop")
    assert game.rules.objectives == ("radio-mast", "fuel-dump", "bunker", "field-kitchen")
    assert game.rules.objective_values["bunker"] == 6
    assert game.state.blue.objectives == game.state.red.objectives


def test_f3_a_mode_that_lists_fewer_leaves_positions_without() -> None:
    mode = MODE.replace("[hill, well, hill, well]", "[hill]")
    assert rules(project("cards:\n" + "".join(FOUR), mode=mode), "plain").objectives == (
        "hill",
        None,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("who", "ranged"),
    [("a", {"b", "w", "x"}), ("b", {"a", "c", "w", "x", "y"}), ("d", {"c", "y", "z"})],
)
def test_r1_neighbours_and_the_enemy_opposite_and_next_to_that(who: str, ranged: set[str]) -> None:
    game = table(FOUR + OTHERS, "a b c d", "w x y z")
    found = {one.card for one in game.state.operators if in_range(one, game.who(who))}
    assert found == ranged


def test_r1_an_attack_out_of_range_is_refused() -> None:
    game = table(FOUR + OTHERS, "a", "~ ~ w")
    assert game.refused("attack", "a", "w") == "R-1"


@pytest.mark.parametrize("status", ["HIT", "OUT"])
def test_r2_hit_and_out_are_in_nobodys_range_and_cannot_be_chosen(status: str) -> None:
    game = table(FOUR + OTHERS, "a b", "w").give("w", status=status).give("b", status=status)
    assert not in_range(game.who("w"), game.who("a"))
    assert game.refused("attack", "a", "w") == "R-2"
    assert game.refused("move", "a", swap="b") == "R-2"
    assert game.refused("medic", "a", "b") == "R-2"
    assert game.refused("move", "b") == "R-2"


def test_r2_the_range_of_who_becomes_hit_is_seen_from_where_he_lies() -> None:
    """Ruling: his own `when self becomes HIT` can speak of those around him."""
    bomb = operator("bomb", "when self becomes HIT, all enemy OPERATORs in RANGE get +2 HITCOUNTER.", dp=1)
    game = table([bomb, *OTHERS], "bomb", "w x y")
    game.attack("w", "bomb", 6, 1)
    assert game.who("bomb").status == "HIT"
    assert [game.who(name).hitcounter for name in "wxy"] == [2, 2, 0]


def test_r3_nobody_is_in_range_of_himself() -> None:
    lonely = operator("lonely", "self gets +1 AP for each own OPERATOR in RANGE.")
    game = table([lonely, *OTHERS], "lonely", "w")
    assert game.number("lonely", "AP") == 4
    assert game.refused("attack", "lonely", "lonely") == "R-3"
    assert game.refused("medic", "lonely", "lonely") == "R-3"


def test_adjacent_is_the_next_place_of_the_same_row() -> None:
    game = table(FOUR + OTHERS, "a b c", "w x")
    assert adjacent(game.who("a"), game.who("b"))
    assert not adjacent(game.who("a"), game.who("c"))
    assert not adjacent(game.who("a"), game.who("x"))
