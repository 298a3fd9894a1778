"""E-31: whole GAMEs that an effect ends, in every phase, with their logs."""

from __future__ import annotations

import pytest

from tests.engine.games import cards_of, check_state, squads, where_everybody_has
from tests.engine.tables import operator, table
from toolkit.engine.decisions import Player, RandomDice, RandomPlayer
from toolkit.engine.game import Game
from toolkit.engine.greedy import GreedyPlayer
from toolkit.engine.log import GameLog, Match, new_log, play_match, read_log, replay
from toolkit.engine.phases import Ending, GameStep, settle
from toolkit.engine.state import SIDES, Side

ENDINGS = {
    "the TURN begins": ("when the own TURN begins, if ROUND >= 3, opponent loses the GAME.", "blue"),
    "the TURN ends": ("when the enemy TURN ends, if ROUND >= 2, owner wins the GAME.", "red"),
    "the ROUND ends": ("when the ROUND ends, if ROUND >= 2, owner wins the GAME.", "red"),
    "an attack": ("when the attack hits, if ROUND >= 2, owner wins the GAME.", ""),
    "an ACTION ends": ("when self performs MOVE, if ROUND >= 2, opponent wins the GAME.", ""),
    "a last chance": ("when self would become HIT, if ROUND >= 1, owner loses the GAME.", ""),
}


class Watcher:
    """Keeps the steps of a GAME."""

    def __init__(self) -> None:
        self.steps: list[GameStep] = []

    def observe(self, step: GameStep) -> None:
        self.steps.append(step)


def _played(sentence: str, greedy: bool = False) -> tuple[GameLog, Ending, Match, Watcher]:
    made = where_everybody_has(sentence)
    match = Match(made, squads()[0], squads()[2], 7)
    players: dict[Side, Player] = {
        side: GreedyPlayer(made) if greedy else RandomPlayer(f"7 {side}") for side in SIDES
    }
    watcher, log = Watcher(), new_log(match, dict.fromkeys(SIDES, "random"))
    return log, play_match(match, players, log, watcher), match, watcher


@pytest.mark.parametrize("when", ENDINGS)
@pytest.mark.parametrize("greedy", [False, True])
def test_e31_a_game_is_over_at_once(when: str, greedy: bool) -> None:
    sentence, winner = ENDINGS[when]
    log, ending, _, watcher = _played(sentence, greedy)
    assert ending.verdict is not None
    assert ending.verdict.by == "effect"
    found = ending.verdict.winner or "draw"
    assert found == (winner or found)
    assert ending.state.winners == ({*SIDES} if found == "draw" else {found})
    assert log.lines[-1]["ending"] == {
        "winner": ending.verdict.winner,
        "by": "effect",
        "sentence": ending.verdict.sentence,
    }
    notes = [entry for step in watcher.steps for entry in step.outcome.trace if entry.rule == "E-31"]
    assert notes
    last = watcher.steps[-1].outcome.trace
    assert last[-1].rule == "E-31", "nothing happens behind it"
    check_state(ending.state)
    assert len(cards_of(ending.state)) == len(cards_of(watcher.steps[0].state))


@pytest.mark.parametrize("when", ENDINGS)
def test_e31_its_log_gives_the_same_bytes(when: str) -> None:
    log, _, match, _ = _played(ENDINGS[when][0])
    read = read_log(log.text())
    assert isinstance(read, GameLog)
    assert replay(read, match).same


def test_e31_a_copy_and_a_snapshot_know_it() -> None:
    state = _played(ENDINGS["an attack"][0])[1].state
    assert state.copy() == state
    fresh = state.copy()
    fresh.winners = frozenset()
    assert fresh != state
    state.restore(fresh)
    assert state == fresh


def test_e31_a_greedy_player_attaches_the_card_that_wins() -> None:
    """A card that ends the GAME when it is attached is tried like any other."""
    made = where_everybody_has("self gets +1 AP.", attack="when attached, owner wins the GAME.")
    match = Match(made, squads()[0], squads()[2], 3)
    log = new_log(match, dict.fromkeys(SIDES, "greedy"))
    players: dict[Side, Player] = {side: GreedyPlayer(made) for side in SIDES}
    ending = play_match(match, players, log)
    assert ending.verdict is not None
    assert ending.verdict.by == "effect"


def test_e31_nothing_waits_any_more_where_settling_ends_the_game() -> None:
    """Its mate has got a HITCOUNTER, of which somebody hears, when the frail one loses the GAME."""
    sentences = ("all other own OPERATORs get +1 HITCOUNTER", "if ROUND >= 1, owner loses the GAME")
    frail = operator("frail", " ".join(f"when self would become HIT, {words}." for words in sentences))
    mate = operator("mate", "when self gets HITCOUNTER, self gets +1 AP until end of TURN.")
    made = table([frail, mate], "frail mate").give("frail", hitcounter=9)
    game = Game(made.rules, made.state, made.players(), RandomDice(1))
    settle(game)
    assert game.state.winners == {"red"}
    assert not game.queue
