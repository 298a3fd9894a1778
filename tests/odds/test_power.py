"""``opforge power``: what a card adds to attacks."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.odds.quick_project import FOLDER, quick_cards, quick_operators
from toolkit.apps.cli import run
from toolkit.engine.state import Side
from toolkit.play.odds import power_jobs
from toolkit.play.odds.matrix import Matrix, MatrixRequest, find_matrix, pair_odds, rules_for_pairs
from toolkit.play.odds.measures import GOALS, Goal
from toolkit.play.odds.power import (
    CardPower,
    Measuring,
    PowerRequest,
    Powers,
    find_powers,
    judged,
    measuring_in,
    median_line,
)
from toolkit.play.odds.power_jobs import powers_in_processes
from toolkit.play.odds.power_report import verdict_words
from toolkit.play.odds.solving import Solver
from toolkit.play.playable_game import Unplayable
from toolkit.project.pipeline import Workspace, open_project

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, which is the current folder."""
    copied = copytree(FOLDER, tmp_path / "odds", ignore=ignore_patterns("scenarios.yaml"))
    (copied / "cards.yaml").write_text(quick_cards(), encoding="utf-8")
    monkeypatch.chdir(copied)
    return copied


@cache
def workspace() -> Workspace:
    root = FOLDER.resolve()
    no_scenarios = {root / "scenarios.yaml": "scenarios: []\n"}
    return open_project(root, {root / "cards.yaml": quick_cards(), **no_scenarios})


def power_of(*ids: str, **options: Any) -> dict[str, CardPower]:
    powers = find_powers(workspace(), PowerRequest(ids, **options))
    assert isinstance(powers, Powers)
    return {power.card: power for power in powers.cards}


@cache
def matrix() -> Matrix:
    base = find_matrix(workspace(), MatrixRequest())
    assert isinstance(base, Matrix)
    return base


def mean_change(blue: str = "", red: str = "") -> Fraction:
    """What a card in a hand changes on average, from the odds of each pair."""
    hands = {"blue": tuple(blue.split()), "red": tuple(red.split())}
    changed = find_matrix(workspace(), MatrixRequest(hands=hands))
    assert isinstance(changed, Matrix)
    pairs = [pair for pair, cell in matrix().cells.items() if not isinstance(cell, str)]
    changes = [changed.cells[pair][0] - matrix().cells[pair][0] for pair in pairs]  # type: ignore[operator]
    return sum(changes, Fraction(0)) / len(changes)


def test_a_card_in_the_hand_is_worth_the_mean_change_of_all_pairs() -> None:
    powers = power_of("even", "cover", "idle")
    assert powers["even"].power == powers["even"].changes["in the hand"] == mean_change("even")
    assert powers["cover"].power == -mean_change(red="cover") > 0
    assert powers["idle"].power == 0


AFTERMATH = Path(__file__).parent / "aftermath"
DECIDING = ("op0", "op13", "op45", "op70", "bare")
"""Nothing; a last chance; less DP by a CRITICAL; less DP with an empty hand; no cards."""
BARE = (
    "  - {id: bare, kind: operator, name: Bare, team: reds, squadpoints: 4, ap: 4, ep: 3, dp: 5, mp: 2,\n"
    '     skills: [{name: Bare, effect: "self cannot have cards."}]}\n'
)


@pytest.mark.parametrize("goal", GOALS)
def test_a_card_that_may_be_played_is_worth_what_the_attacks_with_that_hand_say(goal: Goal) -> None:
    """Also where an effect reads the hand, or where another goal would play it otherwise."""
    file = AFTERMATH.resolve() / "cards.yaml"
    project = open_project(file.parent, {file: file.read_text(encoding="utf-8") + BARE})
    rules = rules_for_pairs(project, None)
    assert not isinstance(rules, Unplayable)
    solver = Solver(goal, 20_000)
    pairs = [(attacker, target) for attacker in DECIDING for target in DECIDING]
    base = Matrix(goal, DECIDING, {pair: pair_odds(solver, rules, pair, {}, 0) for pair in pairs})
    measuring, measure = Measuring(rules, base, Solver(goal, 20_000)), GOALS[goal][0]
    changes = {}
    for card in ("attack2", "attack3", "attack6", "defence0", "defence4"):
        side: Side = "red" if card.startswith("defence") else "blue"
        differences = []
        for pair in pairs:
            cell, cell_without = pair_odds(solver, rules, pair, {side: (card,)}, 0), base.cells[pair]
            assert not isinstance(cell, str)
            assert not isinstance(cell_without, str)
            differences.append(cell[measure] - cell_without[measure])
        mean_difference = sum(differences, Fraction(0)) / len(pairs)
        changes[card] = measuring.power_of(project.cards.cards[card]).changes["in the hand"]
        assert changes[card] == (-mean_difference if side == "red" else mean_difference), card
    assert any(changes.values())


def test_what_is_attached_can_harm() -> None:
    changes = power_of("sure")["sure"].changes
    assert changes["in the hand"] > 0
    assert changes["attached"] <= changes["in the hand"]


def test_a_strategy_and_an_item_are_worth_what_they_add_and_take() -> None:
    powers = power_of("scope", "gloom")
    assert powers["scope"].changes == {"attacking": powers["scope"].power, "attacked": 0}
    assert powers["scope"].power > 0
    # less DP is no less DAMAGE for the target, but it makes the attacker SUPPRESSED (M-1)
    assert powers["gloom"].changes == {"attacking": 0, "attacked": powers["gloom"].power}
    assert powers["gloom"].power > 0
    assert power_of("gloom", goal="becomes-hit")["gloom"].changes["attacking"] > 0


def test_an_operator_is_worth_its_row_and_its_column() -> None:
    base, giant = matrix(), power_of("giant")["giant"]
    values = [base.value(*pair) for pair, cell in base.cells.items() if not isinstance(cell, str)]
    mean = sum(filter(None, values), Fraction(0)) / len(values)
    row, column = base.row_mean("giant"), base.column_mean("giant")
    assert row is not None
    assert column is not None
    assert giant.changes == {"attacking": row - mean, "attacked": mean - column}
    assert (giant.price, giant.power) == (9, row - column)


def test_what_no_attack_shows_is_named() -> None:
    powers = power_of("study", "payer", "even", "oracle")
    assert powers["study"].unseen == ("draws 1 card",)
    assert powers["payer"].unseen == ("discards 1 card",)
    assert powers["even"].unseen == ()
    assert powers["oracle"].unseen == ("its text-only rules",)


def cards(values: list[tuple[int, float]], **unseen: tuple[str, ...]) -> list[CardPower]:
    return [
        CardPower(f"c{number}", "operator", price, {}, Fraction(value), unseen.get(f"c{number}", ()))
        for number, (price, value) in enumerate(values)
    ]


LINE = [(price, 0.5 * price) for price in range(1, 10)]


def test_an_outlier_is_far_from_the_line_of_the_others() -> None:
    verdicts = judged(cards([*LINE, (4, 5.0), (4, -1.0)]), "damage")
    assert [power.verdict for power in verdicts] == [None] * 9 + ["undercosted", "overcosted"]
    assert verdict_words(verdicts[9], "damage") == "+5.00 DAMAGE where the others at 4 SQUADPOINTS add +2.00"


def test_what_is_not_seen_wholly_gets_no_verdict() -> None:
    verdicts = judged(cards([*LINE, (4, 5.0)], c9=("draws 1 card",)), "damage")
    assert verdicts[9].verdict is None


def test_what_is_not_seen_wholly_does_not_say_what_the_others_should_add() -> None:
    drawing = {f"c{number}": ("draws 1 card",) for number in range(9, 21)}
    verdicts = judged(cards([*LINE, *[(4, 0.0)] * 12, (4, 2.0), (4, 5.0)], **drawing), "damage")
    assert [power.verdict for power in verdicts] == [None] * 22 + ["undercosted"]
    few = {f"c{number}": ("draws 1 card",) for number in range(2, 10)}
    assert {power.expected for power in judged(cards([*LINE, (4, 5.0)], **few), "damage")} == {None}


def test_few_cards_get_no_verdict() -> None:
    assert {power.verdict for power in judged(cards([(1, 1.0)] * 6 + [(1, 9.0)]), "damage")} == {None}
    assert {power.expected for power in judged(cards([(1, 1.0)] * 7), "damage")} == {None}


@given(st.floats(-3, 3), st.floats(-3, 3), st.lists(st.integers(0, 20), min_size=3, unique=True))
def test_the_line_through_points_of_a_line_is_that_line(
    slope: float, height: float, prices: list[int]
) -> None:
    found_slope, found_height = median_line([(price, height + slope * price) for price in prices])
    assert found_slope == pytest.approx(slope, abs=1e-6)
    assert found_height == pytest.approx(height, abs=1e-5)


@pytest.mark.usefixtures("project")
def test_the_command_prints_a_table_and_json(capsys: Capture) -> None:
    assert run(["power", "even", "gloom"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("What a card adds on average over all pairs of OPERATORs: expected DAMAGE\n")
    assert "ATTACK cards" in text
    assert "no verdicts: attacks show fewer than 8 cards of this kind in full" in text
    assert run(["power", "even", "--format", "json"]) == 0
    (even,) = json.loads(capsys.readouterr().out)["cards"]
    assert (even["id"], even["kind"], even["price"], even["verdict"]) == ("even", "attack", None, None)
    assert Fraction(even["power"]) == Fraction(even["changes"]["in the hand"])


def test_an_unknown_card_is_wrong_use(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert run(["power", "evn"]) == 2
    assert "'even'" in capsys.readouterr().err


def test_a_house_rule_makes_verdicts_findings_of_the_check(project: Path, capsys: Capture) -> None:
    plain = "".join(
        f"  - {{id: plain-{number}, kind: operator, name: Plain {number}, team: blues, squadpoints: 4, ap: 4,"
        f" ep: 3, dp: {number}, mp: 2}}\n"
        for number in range(4, 8)
    )
    (project / "cards.yaml").write_text(quick_operators() + plain, encoding="utf-8")
    assert run(["check", "--only", "undercosted", "--only", "overcosted"]) == 0
    assert "costed" not in capsys.readouterr().out
    with Path("opforge.yaml").open("a", encoding="utf-8") as file:
        file.write("house_rules:\n  - fair_power: hits\n")
    for _ in range(2):  # the second time from the cache
        assert run(["check", "--only", "undercosted", "--only", "overcosted"]) == 0
        printed = capsys.readouterr().out
        assert "warning[undercosted]: `saint` is undercosted: +" in printed
        assert "where the others at 4 SQUADPOINTS add" in printed


@pytest.mark.usefixtures("project")
def test_a_house_rule_with_another_goal_is_wrong(capsys: Capture) -> None:
    with Path("opforge.yaml").open("a", encoding="utf-8") as file:
        file.write("house_rules:\n  - fair_power: damge\n")
    assert run(["check"]) == 1
    assert "Did you mean `damage`?" in capsys.readouterr().out


class InThisProcess:
    """As a pool of one process that is this one."""

    def __init__(
        self, _jobs: int, _context: object, begin: Callable[..., None], begin_with: tuple[Any, ...]
    ) -> None:
        begin(*begin_with)

    def map(self, call: Callable[[str], CardPower], cards: list[str]) -> list[CardPower]:
        return [call(card) for card in cards]

    def shutdown(self, *, cancel_futures: bool) -> None:
        assert cancel_futures


def test_other_processes_measure_the_same(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power_jobs, "ProcessPoolExecutor", InThisProcess)
    monkeypatch.setattr(power_jobs, "begin_process", lambda: None)
    monkeypatch.setattr(power_jobs, "FEWEST_CARDS", 2)
    request = PowerRequest()
    opened = open_project(project)
    cards = [opened.cards.cards[card] for card in ("striker", "even", "helmet", "scope")]
    assert powers_in_processes(opened, request, 1, cards) is None, "one process is enough"
    measuring = measuring_in(opened, request)
    assert isinstance(measuring, Measuring)
    measured = powers_in_processes(opened, request, 2, cards)
    assert measured is not None
    assert list(measured) == [measuring.power_of(card) for card in cards]
