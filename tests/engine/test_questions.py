"""What a player is told with a question: the sentence, and what has happened so far."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.engine.tables import card, operator, table
from tests.engine.values import ScriptedDice, perform, placed, with_operator
from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import Decision, DieOption
from toolkit.engine.state import GameState


@dataclass
class Asked:
    """Takes the last option and keeps every question."""

    decisions: list[Decision] = field(default_factory=list)

    def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002 (the protocol's shape)
        self.decisions.append(decision)
        return len(decision.options) - 1


def asked(cards: list[str], *dice: int, traced: bool = True, **hands: object) -> dict[str, Decision]:
    """The questions of an attack of `one` on `two`, by kind."""
    game, player = table(cards, "one", "two", **hands), Asked()
    action = GameAction("attack", game.key("one"), game.key("two"))
    perform(
        game.state,
        game.rules,
        action,
        {"blue": player, "red": player},
        ScriptedDice(dice),
        traced=traced,
    )
    return {decision.kind: decision for decision in player.decisions}


PLAIN = [operator("one"), operator("two")]
CARDS = [
    *PLAIN,
    card("sharp", "attack", "when attacking, self gets +1 AP."),
    card("low", "defence", "when attacked, self gets +2 EP."),
]


def test_m5_the_attacked_player_knows_the_attack_card_and_the_numbers() -> None:
    decision = asked(CARDS, 1, 1, blue_hand="sharp", red_hand="low")["defence_card"]
    assert "sharp is attached to one" in [entry.text for entry in decision.so_far.trace]
    assert decision.so_far.ap == (0, 4)
    assert decision.so_far.ep == (1, 3)


def test_m7_the_attacking_player_knows_dice_and_numbers() -> None:
    decision = asked(CARDS, 6, 2, blue_hand="sharp", red_hand="low")["critical"]
    assert [entry.after for entry in decision.so_far.trace if entry.kind == "die"] == [6, 2]
    assert decision.so_far.ap == (0, 5)
    assert decision.so_far.ep == (1, 5)


def test_n5_numbers_are_as_they_are_carried_on() -> None:
    cards = [operator("one", "when attacking, target gets -5 EP."), operator("two"), CARDS[2]]
    decision = asked(cards, 1, 1, blue_hand="sharp")["attack_card"]
    assert decision.so_far.ep == (1, -2)


def test_a_reward_after_the_attack_has_no_numbers_any_more() -> None:
    weak = [operator("one", ap=9), operator("two", dp=1)]
    decision = asked(weak, 2, 1)["performance"]
    assert decision.so_far.ap is decision.so_far.ep is None
    assert "two is HIT: HITCOUNTER 7, DP 1" in [entry.text for entry in decision.so_far.trace]


def test_nothing_is_kept_where_nothing_is_traced() -> None:
    decision = asked(CARDS, 6, 2, traced=False, blue_hand="sharp", red_hand="low")["critical"]
    assert decision.so_far.trace == ()
    assert decision.so_far.ap is None


@pytest.mark.parametrize(
    ("one", "two", "sentence"),
    [
        ("when attacking, self may reroll 1 ATTACK D6.", None, "one may reroll an ATTACK D6 of its own."),
        (
            "when attacking, self may reroll 1 enemy DEFENCE D6.",
            None,
            "one may reroll a DEFENCE D6 of the enemy two.",
        ),
        (None, "when attacked, self may reroll 1 DEFENCE D6.", "two may reroll a DEFENCE D6 of its own."),
        (
            None,
            "when attacked, self may reroll 1 enemy ATTACK D6.",
            "two may reroll an ATTACK D6 of the enemy one.",
        ),
    ],
)
def test_m6_a_reroll_says_whose_dice(one: str | None, two: str | None, sentence: str) -> None:
    cards = [operator("one", *([one] if one else [])), operator("two", *([two] if two else []))]
    decision = asked(cards, 4, 2, 1)["reroll"]
    assert decision.why == sentence
    assert isinstance(decision.options[1], DieOption)


def test_operators_are_told_apart_by_side_and_place() -> None:
    state = table(PLAIN, "one two", "two").state
    assert [state.name(key) for key in range(3)] == ["one", "blue.two", "red.two"]
    state = with_operator(state, 0, card="two")
    assert [state.name(key) for key in range(3)] == ["blue.two at 1", "blue.two at 2", "red.two"]
    assert placed(state, 1, None).name(1) == "blue.two at SAVEZONE 1"
