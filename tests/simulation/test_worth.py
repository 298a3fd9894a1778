"""``opforge worth``: what cards do for winning, in three columns."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.simulation.short_games import FOLDER, workspace
from toolkit.apps.cli import run
from toolkit.play.simulation.card_worth import (
    WorthPlan,
    WorthRequest,
    WorthTally,
    played_difference,
    seen_difference,
    worth_plan,
)
from toolkit.play.simulation.drawn_cards import PLAYED, SEEN, UNSEEN, Draw, read_draw
from toolkit.play.simulation.games import Counts, blank_of, play_chunk
from toolkit.play.simulation.simulating import NUMBERS_A_CHUNK
from toolkit.play.simulation.workers import ThisProcess, play_all

Capture = pytest.CaptureFixture[str]
RANDOM = ("random", "random")


def plan_for(*cards: str, games: int = 120) -> WorthPlan:
    plan = worth_plan(workspace(), WorthRequest(cards, games, players=RANDOM))
    assert isinstance(plan, WorthPlan)
    return plan


def data_of(capsys: Capture, *arguments: str) -> dict[str, Any]:
    options = ("--project", str(FOLDER), "--players", "random", "--jobs", "1", "--format", "json")
    assert run(["worth", *arguments, *options]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_three_columns(capsys: Capture) -> None:
    data = data_of(capsys, "badger", "rain", "--games", "80")
    badger, rain = data["cards"]
    assert (badger["squads"], badger["seen"], badger["played"]) == (["diggers"], None, None)
    assert badger["with_without"]["games"] == rain["with_without"]["games"] == 80
    assert badger["with_without"]["better"] > badger["with_without"]["worse"], "a blank badger is weaker"
    assert badger["with_without"]["low"] < badger["with_without"]["value"] < badger["with_without"]["high"]
    assert rain["played"]["games_with"] + rain["played"]["games_without"] == 80
    assert rain["power"]["power"] == "0", "it shows in no attack"
    assert data["tested"] == 2
    assert data["games"] == 3 * 40 + 2 * 80, "all cards in three pairs, a blank in two of them"


def test_without_names_all_cards_that_are_drawn_are_listed(capsys: Capture) -> None:
    data = data_of(capsys, "--games", "40")
    assert [card["card"] for card in data["cards"]] == ["bark", "pounce", "rain", "unused"]
    assert {card["with_without"] for card in data["cards"]} == {None}
    assert data["games"] == 3 * 20


def test_the_text_says_what_is_biased(capsys: Capture) -> None:
    arguments = ["rain", "--games", "20", "--players", "random", "--jobs", "1", "--project", str(FOLDER)]
    assert run(["worth", *arguments]) == 0
    text = capsys.readouterr().out
    assert "with/without" in text
    assert text.startswith("In attacks, exactly, on average over all pairs of OPERATORs:\n  rain ")
    assert "played: games in which it was played against the others; biased" in text
    assert "It shows no more than chance can." in text
    assert "Too few games to tell for rain: ±5 % needs up to 385 games (--games)." in text


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("bark", "bark is in all SQUADs: there are no games to compare. `opforge power bark` says"),
        ("den", "'den' is not a card"),
        ("rain --games 1", "1"),
        ("rain --set rain.effect=2 --jobs 0", "0"),
    ],
)
def test_bad_input(arguments: str, why: str, capsys: Capture) -> None:
    assert run(["worth", *arguments.split(), "--project", str(FOLDER)]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("command", ["worth", "tune"])
def test_a_card_that_cannot_be_read_is_reported_as_check_does(
    command: str, tmp_path: Path, capsys: Capture
) -> None:
    project = tmp_path / "project"
    shutil.copytree(FOLDER, project)
    cards = project / "cards.yaml"
    cards.write_text('cards:\n  - id: "rain\n', encoding="utf-8")
    assert run([command, "rain", "--project", str(project)]) == 1
    assert "error[unclosed-text]" in capsys.readouterr().out


def test_chunks_in_any_order_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NUMBERS_A_CHUNK, "random", 4)
    plan = plan_for("unused", games=40)
    played = list(play_all(WorthTally(plan).tasks(), ThisProcess()))
    tallies = []
    for in_order in (played, played[::-1]):
        tally = WorthTally(plan)
        for task, counts in in_order:
            tally.add(task, counts)
        assert tally.is_finished
        tallies.append(tally.worths())
    assert tallies[0] == tallies[1]


def test_what_is_not_played_yet_leaves_no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C the games that have both are compared, up to the first chunk that is missing."""
    monkeypatch.setitem(NUMBERS_A_CHUNK, "random", 4)
    plan = plan_for("unused", games=40)
    tally = WorthTally(plan)
    for number, (task, counts) in enumerate(play_all(tally.tasks(), ThisProcess())):
        if number != 1:
            tally.add(task, counts)
    (worth,) = tally.worths()
    assert worth.with_without is not None
    assert 0 < worth.with_without.games < 40
    assert not tally.is_finished


def test_a_blank_does_nothing() -> None:
    project = workspace().cards
    cards = workspace().rules(project.modes["short"], project.rulesets["core"]).cards
    rain, badger = blank_of(cards["rain"], cards.values()), blank_of(cards["badger"], cards.values())
    assert (rain.kind, rain.effects.waits_for) == ("effect", frozenset())
    assert badger.values == {"AP": 4, "EP": 3, "DP": 4, "MP": 2}
    assert badger.team == "foxes"


def test_each_card_of_a_deck_is_counted_once_a_game() -> None:
    plan = plan_for()
    task = next(WorthTally(plan).tasks())
    counts: Counts = play_chunk(task.setup, task.chunk)
    draws = Counter({read_draw(key): games for key, games in counts.draws.items()})
    assert {str(draw): games for draw, games in draws.items()} == counts.draws
    games_by_card: Counter[tuple[str, str]] = Counter()
    for draw, games in draws.items():
        games_by_card[draw.squad, draw.card] += games
    assert set(games_by_card.values()) == {counts.games}
    assert {draw.fate for draw in draws} == {UNSEEN, SEEN, PLAYED}


def test_seen_is_fair_where_the_winner_draws_more() -> None:
    """Cards are worth nothing here, but who draws many of them has won: only within as many is it fair."""
    chance, draws = Random(4), Counter[Draw]()
    for _ in range(4000):
        wins = chance.random() < 0.5
        drawn = chance.choice((8, 10, 12) if wins else (4, 6, 8))
        fate = SEEN if chance.random() < drawn / 20 else UNSEEN
        draws[Draw("squad", "card", "DECK", drawn, fate, "w" if wins else "l")] += 1
    seen = seen_difference(draws)
    assert seen is not None
    assert seen.interval.low < 0 < seen.interval.high
    seen_as_played = Counter[Draw]()
    for draw, games in draws.items():
        fate = PLAYED if draw.fate == SEEN else UNSEEN
        seen_as_played[Draw("squad", "card", "DECK", draw.drawn, fate, draw.outcome)] += games
    played = played_difference(seen_as_played)
    assert played is not None
    assert played.interval.low > 0.05, "the unfair way would call it strong"
