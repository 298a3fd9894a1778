"""H-1: nobody stands face up on the FIELD with a HITCOUNTER equal to or above his DP, whenever one looks."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.engine.games import squads, where_everybody_has
from tests.engine.values import current_number
from tests.thoroughness import THOROUGH
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Decision, RandomPlayer
from toolkit.engine.log import Match, new_log, play_match
from toolkit.engine.state import GameState

DOUBTS = (
    "if self is EXHAUSTED, self gets -2 DP.",
    "if self is NORMAL, self gets -2 DP.",
    "if number of cards in own hand >= 5, all own OPERATORs get -2 DP.",
    "if ROUND >= 3, all own OPERATORs get -1 DP.",
    "self gets -1 DP for each enemy OPERATOR that are EXHAUSTED.",
    "all own OPERATORs in RANGE get -1 DP. if ROUND >= 3, self gets +2 RANGE.",
)
"""Sentences by which DP change although nothing is done to anybody."""
BETWEEN = ("strategy", "action", "item_stays")
"""Decisions that are asked when nothing is going on: within a part of SUPPORT H-1 waits for its end (T-4)."""


@dataclass
class Judge:
    """A random player who looks at the FIELD before he decides."""

    rules: Rules
    player: RandomPlayer
    seen: int = 0

    def answer(self, decision: Decision, state: GameState) -> int:
        if decision.kind in BETWEEN:
            for who in state.operators:
                if who.is_active and who.hitcounter:
                    self.seen += 1
                    assert who.hitcounter < current_number(state, self.rules, who.key, "DP"), decision
        return self.player.answer(decision, state)


@pytest.mark.parametrize("sentence", DOUBTS)
def test_nobody_stands_who_should_be_hit(sentence: str) -> None:
    made = where_everybody_has(sentence)
    seen = 0
    for seed in range(3 if THOROUGH else 1):
        match = Match(made, squads()[seed], squads()[seed + 4], seed)
        judges = {side: Judge(made, RandomPlayer(f"{seed} {side}")) for side in ("blue", "red")}
        log = new_log(match, {"blue": "random", "red": "random"})
        assert play_match(match, judges, log).verdict is not None  # type: ignore[arg-type]
        seen += sum(judge.seen for judge in judges.values())
    assert seen
