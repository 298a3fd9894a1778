"""Games that were recorded by version 0.1.0 (commit 5a2281f), with a frozen copy of their cards: each must
replay to the byte.

356 games: every ordered pair of the ready squads in both modes, random players; the pairs again with greedy
ones; and eight sets of random cards. ``NAME.games.jsonl.gz`` holds a log in each line, as a JSON string;
``NAME.cards.json.gz`` the card files by their paths. The games of ``shipped-random`` are played with the
cards ``shipped``.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.thoroughness import THOROUGH
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.game import Game
from toolkit.engine.log import GameLog, Match, read_log, replay
from toolkit.engine.state_queries import StateQueries
from toolkit.play.playable_game import make_match, request_of
from toolkit.project.pipeline import Workspace, open_project
from toolkit.vocabulary import STATS

RECORDED = Path(__file__).parent / "recorded"
GAMES = sorted(path.name.removesuffix(".games.jsonl.gz") for path in RECORDED.glob("*.games.jsonl.gz"))
NUMBERS = {"shipped-random": 112, "shipped-greedy": 56, "random-7": 20}


def logs(name: str, step: int = 1, most: int | None = None) -> list[GameLog]:
    """The first ``most`` GAMEs of that name, or each ``step``-th."""
    text = gzip.decompress((RECORDED / f"{name}.games.jsonl.gz").read_bytes()).decode("utf-8")
    lines = text.splitlines()
    assert len(lines) == NUMBERS.get(name, 24)
    found = [read_log(json.loads(line)) for line in lines[:most:step]]
    assert all(isinstance(log, GameLog) for log in found)
    return found  # type: ignore[return-value]


def write_cards(name: str, root: Path) -> Path:
    """Write the project with which GAMEs of that name were recorded into a folder, and return it."""
    kept = "shipped" if name.startswith("shipped") else name
    files = json.loads(gzip.decompress((RECORDED / f"{kept}.cards.json.gz").read_bytes()))
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def cards(name: str) -> Workspace:
    """The project with which GAMEs of that name were recorded."""
    return _opened("shipped" if name.startswith("shipped") else name)


@cache
def _opened(name: str) -> Workspace:
    with TemporaryDirectory() as root:
        return open_project(write_cards(name, Path(root)))


def match_of(workspace: Workspace, log: GameLog) -> Match:
    seed = log.header["seed"]
    assert isinstance(seed, (int, str))
    match = make_match(workspace, request_of(log), seed)
    assert isinstance(match, Match), match
    return match


@pytest.mark.parametrize("name", GAMES)
def test_every_recorded_game_replays_to_the_byte(name: str) -> None:
    workspace = cards(name)
    for log in logs(name, 1 if THOROUGH else 12):
        again = replay(log, match_of(workspace, log))
        assert again.same, (log.header["squads"], log.header["seed"], again.difference)
        assert again.ending.verdict is not None


def test_a_recorded_game_with_another_die_is_noticed() -> None:
    (log,) = logs("random-0", most=1)
    die = next(line for line in log.lines if "die" in line)
    die["shows"] = 7 - int(str(die["shows"]))
    assert not replay(log, match_of(cards("random-0"), log)).same


def test_what_is_kept_of_active_effects_is_what_a_fresh_look_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """At each decision outside of an attack: the same numbers, and nobody left who should be HIT (H-1)."""
    ask, looked = Game.ask, 0

    def look_and_ask(game: Game, kind: str, *rest: Any, **named: Any) -> object:
        nonlocal looked
        if game.attack is None and kind == "action":
            looked += 1
            fresh = StateQueries(game.rules, game.state)
            for who in (*game.state.active("blue"), *game.state.active("red")):
                kept = {stat: game.number(who, stat) for stat in STATS}
                assert kept == {stat: fresh.number(who, stat) for stat in STATS}
                assert not who.hitcounter or who.hitcounter < kept["DP"]
        return ask(game, kind, *rest, **named)

    monkeypatch.setattr(Game, "ask", look_and_ask)
    for name in ("random-0", "shipped-greedy"):
        for log in logs(name, most=6):
            assert replay(log, match_of(cards(name), log)).same
    assert looked > 500


def test_events_that_no_card_waits_for_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rules, "waits_for", lambda _rules, _cards: None)
    for log in logs("random-1", most=12):
        assert replay(log, match_of(cards("random-1"), log)).same
